"""Tests of the check that nothing in a published edition is changed."""

import hashlib
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import book, editions
from refengine.lawbook.bulletin import BulletinEntry, bulletin_entries
from refengine.lawbook.editions import Edition, edition, edition_text
from refengine.lawbook.options import OPTIONS
from refengine_conformance.lawbook_checks import publishing, registry
from refengine_conformance.lawbook_checks.frozen import (
    frozen_problems,
    missing_entries,
    read_editions,
)
from refengine_conformance.lawbook_checks.registry import Evidence

EVIDENCE = registry.gather_evidence(book.SPEC, registry.PACKAGE)
FIRST = edition("1.0.0")
OLD = "a card of the suit led MUST play a card of the suit led"
NEW = "a card of the suit led MAY play a card of the suit led"


def changed(kind: str, name: str, /, version: str = "1.1.0", **fields: Any) -> Edition:
    """The first edition with a later number and with one member changed."""
    members = {one: dict(FIRST.members[one]) for one in editions.MEMBERS}
    members[kind][name] = {**members[kind][name], **fields}
    return attrs.evolve(FIRST, version=version, members=members)


def entry(kind: str, *names: str, **fields: Any) -> BulletinEntry:
    told = {"version": "1.1.0", "part": "text", "of": "words", "why": "Plain English."}
    return BulletinEntry(
        **{"old": None, "new": None, **told, **fields}, kind=kind, names=names
    )


def problems(today: Edition, *entries: BulletinEntry) -> list[str]:
    """The problems of an edition against the first, given these bulletin entries."""
    headings = ["1.0.0"] if today.version == "1.0.0" else [today.version, "1.0.0"]
    return list(frozen_problems((FIRST,), today, entries, headings))


# In pieces: an edition that is published, and a draft of the next


def test_the_book_of_today_keeps_what_is_published() -> None:
    assert EVIDENCE.published[0] == FIRST
    found = frozen_problems(
        EVIDENCE.published, EVIDENCE.today, EVIDENCE.entries, EVIDENCE.headings
    )
    assert list(found) == []


def test_a_book_that_is_the_edition_or_has_more_is_in_order() -> None:
    assert problems(FIRST) == []
    assert problems(attrs.evolve(FIRST, version="1.1.0")) == []
    more = {**FIRST.members["clauses"], "5.99": FIRST.members["clauses"]["5.3"]}
    members = {**FIRST.members, "clauses": more}
    assert problems(attrs.evolve(FIRST, members=members)) == [
        "clause 5.99 is not in edition 1.0.0, which is published: an addition needs a "
        "new version in spec/CHANGES.md"
    ]
    assert problems(attrs.evolve(FIRST, version="1.1.0", members=members)) == []


CHANGES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("clauses", "5.3", "clause 5.3: its text", {"text": NEW}),
    ("clauses", "5.3", "clause 5.3: its title", {"title": "Suits"}),
    ("clauses", "5.3", "clause 5.3: its kind", {"kind": "permit"}),
    ("options", "ties", "option ties: its base", {"base": "play_on"}),
    ("options", "ties", "option ties: its values", {"values": ["shared"]}),
    ("signs", "queen", "sign queen: its meaning", {"meaning": "a queen"}),
    (
        "profiles",
        "estmesh-hearts",
        "profile estmesh-hearts: its players",
        {"players": [3]},
    ),
    (
        "profiles",
        "estmesh-hearts",
        "profile estmesh-hearts: its limit",
        {
            "options": {
                **FIRST.members["profiles"]["estmesh-hearts"]["options"],
                "limit": 50,
            }
        },
    ),
]


@pytest.mark.parametrize(("kind", "name", "said", "fields"), CHANGES)
def test_what_is_published_does_not_change(
    kind: str, name: str, said: str, fields: dict[str, Any]
) -> None:
    assert problems(changed(kind, name, version="1.0.0", **fields)) == [
        f"{said} is not that of edition 1.0.0, which is published: a change needs a "
        "new version in spec/CHANGES.md"
    ]


@pytest.mark.parametrize(("kind", "name", "said", "fields"), CHANGES)
def test_what_a_draft_changes_needs_its_entry(
    kind: str, name: str, said: str, fields: dict[str, Any]
) -> None:
    draft = changed(kind, name, **fields)
    (line,) = problems(draft)
    assert line.startswith(
        f"{said} changed in 1.1.0 without an entry in spec/changes.toml"
    )
    (found,) = missing_entries([FIRST], draft, [])
    told: dict[str, Any] = {"part": found.part}
    if found.part != "text":
        told |= {"old": found.old, "new": found.new}
    one = entry(kind, name, **told)
    assert problems(draft, one) == []
    assert missing_entries([FIRST], draft, [one]) == []
    assert missing_entries([FIRST], draft, [attrs.evolve(one, version="1.0.5")])
    twice = problems(draft, one, one)
    assert twice == [f"spec/changes.toml: 1.1.0 has two entries for {said}"]


def test_an_entry_says_truly_what_was_and_what_is() -> None:
    draft = changed("options", "ties", base="play_on")
    told = entry("options", "ties", part="base", old="play_on", new="shared")
    assert problems(draft, told) == [
        "spec/changes.toml: option ties: its base was 'shared' and is 'play_on', "
        "not 'play_on' and 'shared'"
    ]


def test_an_entry_that_says_0_for_false_is_not_true() -> None:
    before = FIRST.members["profiles"]["estmesh-hearts"]["options"]
    assert before["queen_breaks_hearts"] is False
    options = {**before, "queen_breaks_hearts": True}
    draft = changed("profiles", "estmesh-hearts", options=options)
    told = entry("profiles", "estmesh-hearts", part="queen_breaks_hearts", old=0, new=1)
    assert problems(draft, told) == [
        "spec/changes.toml: profile estmesh-hearts: its queen_breaks_hearts was False "
        "and is True, not 0 and 1"
    ]
    assert problems(draft, attrs.evolve(told, old=False, new=True)) == []


def test_an_entry_for_what_did_not_change_fails() -> None:
    draft = changed("clauses", "5.3", text=NEW)
    assert problems(draft, entry("clauses", "5.3", "5.4", "5.99")) == [
        "spec/changes.toml: clause 5.4: its text did not change between 1.0.0 and "
        "1.1.0",
        "spec/changes.toml: clause 5.99: its text did not change between 1.0.0 and "
        "1.1.0",
    ]
    assert problems(
        draft, entry("clauses", "5.3"), entry("clauses", "5.3", version="1")
    ) == ["spec/changes.toml: 1 changes no earlier version"]
    assert problems(FIRST, entry("clauses", "5.3", version="1.0.0")) == [
        "spec/changes.toml: 1.0.0 changes no earlier version"
    ]


@pytest.mark.parametrize(
    ("kind", "name", "one"),
    [
        ("clauses", "5.3", "clause 5.3"),
        ("options", "ties", "option ties"),
        ("profiles", "estmesh-hearts", "profile estmesh-hearts"),
    ],
)
def test_a_member_never_goes_away(kind: str, name: str, one: str) -> None:
    left = dict(FIRST.members[kind])
    del left[name]
    now = attrs.evolve(FIRST, members={**FIRST.members, kind: left})
    assert problems(now) == [
        f"{one} is not that of edition 1.0.0, which is published: a change needs a "
        "new version in spec/CHANGES.md"
    ]
    draft = attrs.evolve(now, version="1.1.0")
    gone = f"{one} is gone, but {kind} of an edition must stay"
    assert problems(draft) == [gone]
    assert gone in problems(draft, entry(kind, name))
    (missing,) = missing_entries([FIRST], draft, [])
    assert (missing.kind, missing.name, missing.part) == (kind, name, "")


def test_markup_may_change_in_a_draft_and_not_in_what_is_published() -> None:
    text = FIRST.members["clauses"]["5.3"]["text"].replace("MUST", "**MUST**")
    assert problems(changed("clauses", "5.3", text=text)) == []
    (line,) = problems(changed("clauses", "5.3", version="1.0.0", text=text))
    assert line.startswith("clause 5.3: its markup is not that of edition 1.0.0")


def test_each_edition_is_held_against_the_one_before_it() -> None:
    second = changed("clauses", "5.3", text=NEW)
    third = attrs.evolve(second, version="1.2.0")
    headings = ["1.2.0", "1.1.0", "1.0.0"]
    told = [entry("clauses", "5.3")]
    assert list(frozen_problems((FIRST, second), third, told, headings)) == []
    (line,) = frozen_problems((FIRST, second), third, [], headings)
    assert "changed in 1.1.0" in line
    later = [attrs.evolve(told[0], version="1.2.0"), *told]
    (line,) = frozen_problems((FIRST, second), third, later, headings)
    assert line.endswith("did not change between 1.1.0 and 1.2.0")


@pytest.mark.parametrize(
    ("headings", "said"),
    [
        (["1.1.0"], "edition 1.0.0 has no entry"),
        (
            ["1.2.0", "1.1.0", "1.0.0"],
            "1.1.0 is neither the newest entry nor published",
        ),
        (["1.0.0", "1.1.0"], "its versions are not in order, the newest first"),
        (
            ["1.1.0", "1.1.0", "1.0.0"],
            "its versions are not in order, the newest first",
        ),
    ],
)
def test_the_prose_of_the_bulletin_has_the_same_versions(
    headings: list[str], said: str
) -> None:
    today = attrs.evolve(FIRST, version=headings[0])
    found = list(frozen_problems((FIRST,), today, (), headings))
    assert f"spec/CHANGES.md: {said}" in found


def test_a_version_older_than_the_newest_edition_is_caught() -> None:
    today = attrs.evolve(FIRST, version="0.9.0")
    assert "the version 0.9.0 is older than edition 1.0.0" in problems(today)


# As a whole: a word planted in the book or in an edition, and `make registry` run


@pytest.fixture
def published(spec: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a book whose present text has been published."""
    version = EVIDENCE.version
    text = edition_text(EVIDENCE.today)
    (spec / "editions" / f"{version}.json").write_text(text, "utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    monkeypatch.setattr(editions, "EDITIONS", {**editions.EDITIONS, version: digest})
    return spec


def in_file(name: str, old: str, new: str) -> Callable[[Path], None]:
    def plant(spec: Path) -> None:
        path = spec / name
        text = path.read_text("utf-8")
        assert text.count(old) >= 1
        path.write_text(text.replace(old, new, 1), "utf-8")

    return plant


PLANTS = [
    (in_file("5-play.md", OLD, NEW), "clause 5.3: its text is not that of edition"),
    (
        in_file("5-play.md", "### 5.3 Follow suit", "### 5.3 Follow suits"),
        "clause 5.3: its title is not that of edition",
    ),
    (
        in_file("profiles/estmesh-hearts.toml", "limit = 100", "limit = 101"),
        "profile estmesh-hearts: its limit is not that of edition",
    ),
    (
        in_file("profiles/estmesh-hearts.toml", "players = [4]", "players = [4, 5]"),
        "profile estmesh-hearts: its players is not that of edition",
    ),
    (
        in_file(
            "0-reading.md",
            "| ties | shared, play_on | shared |",
            "| ties | shared, play_on | play_on |",
        ),
        "option ties: 0.4 gives the base value play_on",
    ),
    (
        in_file(
            "0-reading.md", "| the cards on the table |", "| the cards of the table |"
        ),
        "sign trick: its meaning is not that of edition",
    ),
    (
        in_file("editions/1.0.0.json", OLD, NEW),
        "spec/editions/1.0.0.json: found the SHA-256",
    ),
    (
        in_file(f"editions/{EVIDENCE.version}.json", OLD, NEW),
        f"spec/editions/{EVIDENCE.version}.json: found the SHA-256",
    ),
]


def test_the_day_after_its_publication_the_check_passes(
    published: Path, package: Path
) -> None:
    assert registry.main([], published, package) == 0
    assert registry.main(["--check"], published, package) == 0


@pytest.mark.parametrize(("plant", "said"), PLANTS)
def test_a_planted_word_is_caught_though_the_registry_is_derived_anew(
    published: Path,
    package: Path,
    capsys: pytest.CaptureFixture[str],
    plant: Callable[[Path], None],
    said: str,
) -> None:
    plant(published)
    assert registry.main([], published, package) == 0
    capsys.readouterr()
    assert registry.main(["--check"], published, package) == 1
    assert any(line.startswith(said) for line in capsys.readouterr().out.splitlines())


def test_a_base_value_planted_in_table_and_engine_is_caught(
    published: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def planted(evidence: Evidence) -> list[str]:
        return [
            line
            for line in registry.find_disagreements(evidence)
            if line.startswith("option ties: its ")
        ]

    assert planted(registry.gather_evidence(published, package)) == []
    changed = tuple(
        attrs.evolve(one, base="play_on") if one.name == "ties" else one
        for one in OPTIONS
    )
    monkeypatch.setattr(editions, "OPTIONS", changed)
    in_file("0-reading.md", "play_on | shared |", "play_on | play_on |")(published)
    (line,) = planted(registry.gather_evidence(published, package))
    assert line.startswith("option ties: its base is not that of edition")


def test_an_edition_that_is_in_no_list_is_caught(spec: Path) -> None:
    assert read_editions(spec)[1] == []
    shutil.copy(spec / "editions" / "1.0.0.json", spec / "editions" / "9.9.9.json")
    assert read_editions(spec)[1] == [
        "spec/editions/9.9.9.json is not among the EDITIONS of "
        "refengine/lawbook/editions.py"
    ]


def test_beside_an_edition_that_is_lost_no_change_is_judged(spec: Path) -> None:
    (spec / "editions" / "1.0.0.json").unlink()
    evidence = registry.gather_evidence(spec, registry.PACKAGE)
    said = "spec/editions/1.0.0.json: found no file; allowed: the published edition"
    assert registry.find_disagreements(evidence) == [said]


# The day of publication


@pytest.fixture
def draft(spec: Path) -> Path:
    """The folder of a draft of edition 9.0.0 that changes nothing published."""
    path = spec / "CHANGES.md"
    text = path.read_text("utf-8")
    newest = EVIDENCE.headings[0]
    if newest in editions.EDITIONS:
        text = text.replace(
            f"## {newest} ", f"## 9.0.0 (2027-01-02)\n\n## {newest} ", 1
        )
    else:
        start = text.index(f"## {newest} ")
        rest = text[start:].split("\n", 1)[1]
        text = f"{text[:start]}## 9.0.0 (2027-01-02)\n{rest}"
        data = spec / "changes.toml"
        told = data.read_text("utf-8").replace(f'"{newest}"', '"9.0.0"')
        data.write_text(told, "utf-8")
    path.write_text(text, "utf-8")
    return spec


def test_an_edition_is_written_once_it_can_be_published(
    draft: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert publishing.main(["9.0.0"], draft) == 0
    written = (draft / "editions" / "9.0.0.json").read_bytes()
    digest = hashlib.sha256(written).hexdigest()
    line = f'    "9.0.0": "{digest}",'
    assert capsys.readouterr().out.splitlines()[-1] == line
    # It may be written again until its line is in the list; then it is published.
    assert publishing.main(["9.0.0"], draft) == 0
    monkeypatch.setattr(editions, "EDITIONS", {**editions.EDITIONS, "9.0.0": digest})
    found = editions.published_edition(draft, "9.0.0")
    assert (found.version, found.date) == ("9.0.0", "2027-01-02")
    assert found.members == EVIDENCE.today.members
    assert publishing.main(["9.0.0"], draft) == 3
    assert "edition 9.0.0, which is published" in capsys.readouterr().err
    assert (draft / "editions" / "9.0.0.json").read_bytes() == written


def test_an_edition_is_not_written_from_a_book_that_is_not_in_order(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publishing.main(["1.0.0"], draft) == 3
    assert "found edition 1.0.0, which is published" in capsys.readouterr().err
    assert publishing.main(["9.1.0"], draft) == 3
    assert "found version 9.1.0; allowed: 9.0.0 with its day" in capsys.readouterr().err
    in_file("6-draw.md", "MUST", "MAY")(draft)
    assert publishing.main(["9.0.0"], draft) == 3
    assert "allowed: a book that" in capsys.readouterr().err
    assert not (draft / "editions" / "9.0.0.json").exists()
    with pytest.raises(SystemExit):
        publishing.main([], draft)


def test_the_entries_that_are_missing_are_printed_to_be_filled_in(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert publishing.main(["--missing"], draft) == 0
    assert capsys.readouterr().out == "spec: every change in 9.0.0 has its entry\n"
    (draft / "changes.toml").unlink()
    in_file("5-play.md", OLD, NEW)(draft)
    in_file("profiles/estmesh-hearts.toml", "limit = 100", "limit = 101")(draft)
    in_file("profiles/estmesh-hearts.toml", '"hold"', '"mix"')(draft)
    assert publishing.main(["--missing"], draft) == 1
    out = capsys.readouterr().out
    assert 'clauses = ["5.3"]\n# - A seat' in out
    assert "MUST play a card of the suit led.\n# + A seat" in out
    assert 'part = "limit"\nold = 100\nnew = 101\nof = ""\nwhy = ""\n' in out
    assert "old = ['left', 'right', 'across', 'hold']\n" in out
    with pytest.raises(Malformed, match="found no why"):
        bulletin_entries(out)
    told = out.replace('of = ""', 'of = "words"').replace('why = ""', 'why = "So."')
    (draft / "changes.toml").write_text(told, "utf-8")
    assert publishing.main(["--missing"], draft) == 0


def test_beside_an_edition_that_cannot_be_read_nothing_is_said_to_be_missing(
    draft: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for version in editions.EDITIONS:
        (draft / "editions" / f"{version}.json").unlink()
    assert publishing.main(["--missing"], draft) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"spec/editions/{version}.json: found no file; allowed: the published edition"
        for version in editions.EDITIONS
    ]


def test_an_option_that_has_gone_from_a_profile_can_have_no_entry(draft: Path) -> None:
    """The same holds for a profile that no longer exists."""
    evidence = registry.gather_evidence(draft, registry.PACKAGE)
    (profile, other, *_) = evidence.profiles
    fewer = {name: value for name, value in profile.options.items() if name != "limit"}
    gone = attrs.evolve(profile, options=fewer)
    said = publishing.missing_text(attrs.evolve(evidence, profiles=(gone,)))
    for lost in (f"limit of {profile.name}", f"profile {other.name}"):
        line = f"# {lost} is gone, but what an edition has must stay"
        assert line in said.splitlines()
    assert "None" not in said


def test_nothing_can_be_missing_from_an_edition_that_is_published(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_file("5-play.md", OLD, NEW)(published)
    assert publishing.main(["--missing"], published) == 1
    said = capsys.readouterr().out
    assert f"5.3: its text is not that of edition {EVIDENCE.version}" in said


def test_values_are_written_as_toml() -> None:
    value = [{"from": 0, "to": 9}, True, "all"]
    assert publishing._toml(value) == "[{from = 0, to = 9}, true, 'all']"


@pytest.mark.parametrize(
    "value", ["The shooter's choice", "two\nlines", 'a "word"', "it's \x7f"]
)
def test_any_text_is_written_as_toml(value: str) -> None:
    assert tomllib.loads(f"old = {publishing._toml(value)}") == {"old": value}
