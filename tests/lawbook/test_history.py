"""Tests of a clause's history: wordings, reasons, and the games a change affects."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine.errors import Malformed
from refengine.lawbook import book, history
from refengine.lawbook.bulletin import BulletinEntry
from refengine.lawbook.editions import Edition, edition
from refengine.lawbook.history import Run, clause_history, marked
from refengine.lawbook.reading import fingerprint
from tests.support.commands import Runner

pytestmark = pytest.mark.interpreted("about the text of the book")

FIRST = edition("1.0.0")
OLD = "A seat that does not lead and holds a card of the suit led MUST play a card of"


def later(**fields: str) -> Edition:
    """A draft of edition 1.9.0: the first edition with these fields of 5.3 replaced."""
    now = {**FIRST.members["clauses"]["5.3"], **fields}
    now["digest"] = fingerprint(now["text"])
    clauses = {**FIRST.members["clauses"], "5.3": now}
    members = {**FIRST.members, "clauses": clauses}
    return attrs.evolve(FIRST, version="1.9.0", members=members)


def entry(*names: str, of: str, why: str, **fields: Any) -> BulletinEntry:
    told: dict[str, Any] = {"version": "1.9.0", "kind": "clauses", "part": "text"}
    return BulletinEntry(
        **{**told, "names": names, "old": None, "new": None, **fields}, of=of, why=why
    )


ENTRIES = (
    entry("5.2", "5.3", of="effect", why="Tables differ."),
    entry("5.3", of="words", why="Plain English.", part="title"),
    entry("5.3", of="words", why="Elsewhere.", version="1.8.0"),
    entry("5.3", of="words", why="An option.", kind="options"),
)
GAMES = {"1.9.0": {"since": "1.0.0", "clauses": {"5.3": ["t-1", "t-2"]}}}


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the newest edition a draft of 1.9.0 in which 5.3 is worded differently."""
    text = FIRST.members["clauses"]["5.3"]["text"].replace("MUST play", "MAY throw")
    draft = later(text=text, title="Suits", kind="permit")
    monkeypatch.setattr(history, "_versions", lambda: (FIRST, draft))
    monkeypatch.setattr(history, "_entries", lambda: ENTRIES)
    monkeypatch.setattr(history, "_games", lambda: GAMES)


@pytest.fixture
def born(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make 1.9.0 the newest edition, and 5.3 a clause that is new in it."""
    clauses = dict(FIRST.members["clauses"])
    del clauses["5.3"]
    before = attrs.evolve(FIRST, members={**FIRST.members, "clauses": clauses})
    after = attrs.evolve(FIRST, version="1.9.0")
    monkeypatch.setattr(history, "_versions", lambda: (before, after))


@pytest.mark.usefixtures("changed")
def test_a_change_has_both_wordings_its_reasons_and_its_games() -> None:
    change, birth = clause_history("5.3")
    assert (change.version, change.draft, change.since) == ("1.9.0", True, "1.0.0")
    assert change.before is not None
    assert change.before.text.startswith(OLD)
    assert change.after.title == "Suits"
    assert change.why == (("effect", "Tables differ."), ("words", "Plain English."))
    assert change.games == ("t-1", "t-2")
    assert (birth.version, birth.draft, birth.since) == ("1.0.0", False, "")
    assert birth.before is None
    assert (birth.why, birth.games, birth.old) == ((), (), ())
    assert marked(birth.new).startswith(OLD)


@pytest.mark.usefixtures("changed")
def test_the_words_that_changed_are_marked() -> None:
    change, _ = clause_history("5.3")
    assert Run("MUST play", True) in change.old
    assert Run("MAY throw", True) in change.new
    assert marked(change.old).startswith(
        "A seat that does not lead and holds a card of the suit led [MUST play] a card"
    )
    assert marked(change.new).replace("[MAY throw]", "[MUST play]") == marked(
        change.old
    )


def test_a_word_that_only_came_or_only_went_is_marked_on_its_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = FIRST.members["clauses"]["5.3"]["text"]
    text = text.replace("A seat", "A poor seat").replace(" of the suit led.", ".")
    monkeypatch.setattr(history, "_versions", lambda: (FIRST, later(text=text)))
    change, _ = clause_history("5.3")
    assert [one.text for one in change.new if one.changed] == ["poor", "card."]
    assert [one.text for one in change.old if one.changed] == ["card of the suit led."]


def test_a_word_or_two_alike_between_changes_are_marked_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = FIRST.members["clauses"]["5.3"]["text"]
    text = text.replace("MUST play a card of", "MAY play the card of")
    monkeypatch.setattr(history, "_versions", lambda: (FIRST, later(text=text)))
    change, _ = clause_history("5.3")
    assert [one.text for one in change.old if one.changed] == ["MUST play a"]
    assert [one.text for one in change.new if one.changed] == ["MAY play the"]


@pytest.mark.usefixtures("changed")
def test_a_clause_that_did_not_change_has_only_its_birth() -> None:
    assert [one.version for one in clause_history("5.4")] == ["1.0.0"]


@pytest.mark.usefixtures("born")
def test_a_clause_is_new_in_the_version_in_which_it_first_stands() -> None:
    (birth,) = clause_history("5.3")
    assert (birth.version, birth.since, birth.before) == ("1.9.0", "1.0.0", None)


def test_only_the_clauses_of_the_book_have_a_history() -> None:
    with pytest.raises(Malformed, match=r"5\.99"):
        clause_history("5.99")


def test_the_real_histories_end_with_the_book_of_today() -> None:
    for number, clause in book.clauses().items():
        found = clause_history(number)
        assert found[0].after.digest == clause.fingerprint, number
        assert found[0].after.title == clause.title
        for one in found:
            assert bool(one.why) == (one.before is not None), number


@pytest.fixture
def fresh() -> Iterator[None]:
    history._games.cache_clear()
    yield
    history._games.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_games_are_read_from_their_file_and_none_shown_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "SPEC", tmp_path)
    assert history.changed_games("1.9.0", "5.3") == ()
    history._games.cache_clear()
    (tmp_path / "editions").mkdir()
    path = tmp_path / "editions" / "changed-games.json"
    path.write_text(json.dumps(GAMES), "utf-8")
    assert history.changed_games("1.9.0", "5.3") == ("t-1", "t-2")
    assert history.changed_games("1.9.0", "5.4") == ()
    assert history.changed_games("1.8.0", "5.3") == ()


def printed(run: Runner, *words: str) -> str:
    code, out, _ = run("rule", *words)
    assert code == 0
    return out


@pytest.mark.usefixtures("changed")
def test_the_command_tells_what_changed_and_why(run: Runner) -> None:
    out = printed(run, "5.3", "--history")
    change, _, birth = out.partition("\n1.0.0: first edition\n")
    for part in (
        "1.9.0, a draft: changed since 1.0.0\n",
        "The title was 'Follow suit' and is 'Suits'.",
        "The kind was 'forbid' and is 'permit'.",
        "  Old: A seat that does not lead",
        "[MUST play]",
        "  New: A seat that does not lead",
        "[MAY throw]",
        "Why, a change of effect: Tables differ.",
        "Why, a change of words: Plain English.",
        "Games that come out differently: t-1, t-2\n",
    ):
        assert part in change
    assert OLD in " ".join(birth.split())
    read = json.loads(printed(run, "5.3", "--history", "--json"))
    assert [one["version"] for one in read["history"]] == ["1.9.0", "1.0.0"]
    assert read["history"][0]["before"]["title"] == "Follow suit"
    assert read["history"][0]["why"][0] == {"of": "effect", "why": "Tables differ."}
    assert read["history"][1]["before"] is None


@pytest.mark.usefixtures("changed")
def test_the_command_names_ten_games_and_counts_the_others(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [f"t-{number}" for number in range(13)]
    many = {"1.9.0": {"clauses": {"5.3": games}}}
    monkeypatch.setattr(history, "_games", lambda: many)
    out = " ".join(printed(run, "5.3", "--history").split())
    assert "t-9 and 3 more (--json lists them all)" in out
    assert "t-10" not in out


@pytest.mark.usefixtures("born")
def test_the_command_tells_of_a_new_clause(run: Runner) -> None:
    out = printed(run, "5.3", "--history")
    assert "\n1.9.0, a draft: the clause is new\n" in out
    assert "Old:" not in out


def test_the_command_leaves_out_a_wording_that_stayed(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_versions", lambda: (FIRST, later(title="Suits")))
    monkeypatch.setattr(history, "_entries", tuple)
    out = printed(run, "5.3", "--history")
    assert "The title was 'Follow suit' and is 'Suits'." in out
    assert "Old:" not in out


def test_a_clause_as_json_has_its_citation(run: Runner) -> None:
    read = json.loads(printed(run, "5.3", "--json"))
    clause = book.clause("5.3")
    version = book.registry()["version"]
    assert read["citation"] == f"HFR 5.3@{version}~{clause.fingerprint}"
    assert "history" not in read
