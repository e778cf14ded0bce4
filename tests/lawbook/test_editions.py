"""Tests that a published edition is frozen, both in its parts and as a file."""

import hashlib
import json
import pickle
import re
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import editions
from refengine.lawbook.book import SPEC, clauses, registry
from refengine.lawbook.editions import (
    EDITIONS,
    MEMBERS,
    Edition,
    EditionDifference,
    UnknownEdition,
    edition,
    edition_differences,
    edition_text,
    edition_today,
    is_draft,
    published_edition,
    version_key,
)
from refengine.lawbook.options import BY_NAME, OPTIONS
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.reading import fingerprint

pytestmark = pytest.mark.interpreted("about the text of the book")

FIRST = edition("1.0.0")


def rfc_8785(value: Any) -> bytes:
    """The canonical JSON of a value with ASCII keys, made by the standard library."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def changed(kind: str, name: str, /, **fields: Any) -> Edition:
    """A copy of the first edition with these fields of one member replaced."""
    members = {one: dict(FIRST.members[one]) for one in MEMBERS}
    members[kind][name] = {**members[kind][name], **fields}
    return attrs.evolve(FIRST, members=members)


def without(kind: str, name: str) -> Edition:
    members = {one: dict(FIRST.members[one]) for one in MEMBERS}
    del members[kind][name]
    return attrs.evolve(FIRST, members=members)


@pytest.mark.parametrize("version", EDITIONS)
def test_every_edition_is_the_file_that_was_published(version: str) -> None:
    path = SPEC / "editions" / f"{version}.json"
    text = path.read_bytes()
    assert hashlib.sha256(text).hexdigest() == EDITIONS[version]
    assert edition(version).version == version
    assert edition_text(edition(version)).encode() == text


@pytest.mark.parametrize("version", EDITIONS)
def test_every_member_has_the_fingerprint_of_its_rfc_8785_form(version: str) -> None:
    read = json.loads((SPEC / "editions" / f"{version}.json").read_text("utf-8"))
    for kind in MEMBERS:
        assert read[kind]
        for one in read[kind]:
            said = one.pop("fingerprint")
            assert hashlib.sha256(rfc_8785(one)).hexdigest()[:8] == said, one
    for one in read["clauses"]:
        assert fingerprint(one["text"]) == one["digest"]


def test_the_first_edition_has_what_was_published() -> None:
    assert {kind: len(FIRST.members[kind]) for kind in MEMBERS} == {
        "clauses": 153,
        "options": 34,
        "signs": 23,
        "profiles": 7,
    }
    follow = FIRST.clause("5.3")
    assert follow is not None
    assert (follow.title, follow.kind) == ("Follow suit", "forbid")
    assert follow.digest == "ed7a0920"
    assert FIRST.clause("5.99") is None
    assert FIRST.date == "2026-11-21"
    assert FIRST.members["options"]["heart_points"] == {
        "name": "heart_points",
        "values": [{"from": 0, "to": 1000}],
        "base": 1,
    }
    assert FIRST.members["options"]["pass_cycle"]["values"] == [
        {"list_of": ["left", "right", "across", "hold", "scatter", "mix"]}
    ]
    assert FIRST.members["options"]["hand_size"]["values"] == [
        "all",
        {"from": 1, "to": 26},
    ]
    assert FIRST.members["options"]["pass_unseen"]["values"] == [True, False]
    estmesh = FIRST.members["profiles"]["estmesh-hearts"]
    assert estmesh["players"] == [4]
    assert estmesh["players_with_kitty"] == list(range(3, 11))
    assert estmesh["usual_players"] == 4
    assert estmesh["options"]["moon"] == "choice_all"
    assert len(estmesh["options"]) == 34


def test_the_book_of_today_is_an_edition_too() -> None:
    today = edition_today()
    assert today.version == registry()["version"]
    assert today.members["clauses"].keys() == clauses().keys()
    assert today.members["options"].keys() == BY_NAME.keys()
    assert set(today.members["profiles"]) == set(profile_names())
    for name in profile_names():
        assert editions.profile_fingerprint(name) == today.fingerprint("profiles", name)
        options = today.members["profiles"][name]["options"]
        assert options == {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in profile(name).options.items()
        }
    for number, clause in clauses().items():
        found = today.clause(number)
        assert found is not None
        assert found.digest == clause.fingerprint
    assert len(today.members["options"]) == len(OPTIONS)


def test_editions_are_sorted_by_number_not_by_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(editions, "EDITIONS", {"1.10.0": "", "1.9.0": "", "1.2.3": ""})
    assert version_key("1.10.0") > version_key("1.9.0")
    assert not is_draft("1.9.0")
    assert is_draft("1.11.0")


def test_an_edition_that_was_not_published_is_refused() -> None:
    said = f"there is no edition 1.7.0; published: {', '.join(EDITIONS)}"
    with pytest.raises(UnknownEdition, match=f"^{re.escape(said)}$"):
        edition("1.7.0")
    again: object = pickle.loads(pickle.dumps(UnknownEdition("1.7.0")))
    assert isinstance(again, UnknownEdition)
    assert (again.version, str(again)) == ("1.7.0", said)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("MUST play a card of the suit led", "MAY play a card of the suit led"),
        ('"moon": "choice_all"', '"moon": "choice_one"'),
        ('"from": 0, "to": 1000', '"from": 0, "to": 2000'),
        ("the cards on the table", "the cards in the hand"),
        ('"date": "2026-11-21"', '"date": "2026-11-22"'),
    ],
)
def test_a_word_changed_in_the_file_of_an_edition_is_refused(
    spec: Path, old: str, new: str
) -> None:
    assert published_edition(spec, "1.0.0") == FIRST
    path = spec / "editions" / "1.0.0.json"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(
        Malformed, match=r"spec/editions/1\.0\.0\.json: found the SHA-2"
    ):
        published_edition(spec, "1.0.0")
    path.unlink()
    with pytest.raises(Malformed, match="found no file"):
        published_edition(spec, "1.0.0")


# What differs


def test_an_edition_does_not_differ_from_itself_or_from_one_with_more() -> None:
    assert edition_differences(FIRST, FIRST) == []
    for kind in MEMBERS:
        name = next(iter(FIRST.members[kind]))
        assert edition_differences(without(kind, name), FIRST) == []


@pytest.mark.parametrize(
    ("kind", "name", "fields", "found"),
    [
        (
            "clauses",
            "5.7",
            {"title": "No peeking"},
            ("title", "A card of the hand", "No peeking"),
        ),
        ("clauses", "5.7", {"kind": "permit"}, ("kind", "forbid", "permit")),
        ("options", "ties", {"base": "play_on"}, ("base", "shared", "play_on")),
        (
            "options",
            "ties",
            {"values": ["shared"]},
            ("values", ["shared", "play_on"], ["shared"]),
        ),
        (
            "signs",
            "queen",
            {"meaning": "a queen"},
            ("meaning", "the queen of spades", "a queen"),
        ),
        (
            "profiles",
            "estmesh-hearts",
            {"usual_players": 3},
            ("usual_players", 4, 3),
        ),
    ],
)
def test_a_part_of_a_member_that_differs_is_found(
    kind: str, name: str, fields: dict[str, Any], found: tuple[Any, ...]
) -> None:
    now = changed(kind, name, **fields)
    assert edition_differences(FIRST, now) == [EditionDifference(kind, name, *found)]


def test_sentences_differ_by_words_or_only_by_markup() -> None:
    now = changed("clauses", "5.7", text="Another sentence.", digest="0")
    (found,) = edition_differences(FIRST, now)
    assert (found.part, found.new) == ("text", "Another sentence.")
    before = FIRST.members["clauses"]["5.7"]["text"]
    now = changed("clauses", "5.7", text=before.replace("card", "*card*"))
    (found,) = edition_differences(FIRST, now)
    assert found.part == "markup"


def test_a_member_that_is_gone_is_found() -> None:
    (found,) = edition_differences(FIRST, without("clauses", "5.7"))
    assert (found.kind, found.name) == ("clauses", "5.7")
    assert (found.part, found.new) == ("", None)


def test_a_value_of_a_profile_that_differs_is_found() -> None:
    options = FIRST.members["profiles"]["estmesh-hearts"]["options"]
    now = changed("profiles", "estmesh-hearts", options={**options, "limit": 50})
    assert edition_differences(FIRST, now) == [
        EditionDifference("profiles", "estmesh-hearts", "limit", 100, 50)
    ]


@pytest.mark.parametrize(("value", "differs"), [(False, False), (True, True)])
def test_a_younger_option_changes_a_profile_only_off_its_base_value(
    value: bool, differs: bool
) -> None:
    options = FIRST.members["profiles"]["estmesh-hearts"]["options"]
    now = changed("profiles", "estmesh-hearts", options={**options, "rain": value})
    rain = {"name": "rain", "values": [True, False], "base": False}
    known = {**now.members["options"], "rain": rain}
    now = attrs.evolve(now, members={**now.members, "options": known})
    wanted = EditionDifference("profiles", "estmesh-hearts", "rain", False, True)
    assert edition_differences(FIRST, now) == ([wanted] if differs else [])


def test_a_key_that_a_member_has_gained_is_found() -> None:
    (found,) = edition_differences(FIRST, changed("options", "ties", rain=1))
    assert found == EditionDifference("options", "ties", "rain", None, 1)
