"""Tests of the list of games that an older edition judges differently, by clause."""

import copy
import json
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

import pytest

from refengine.errors import Malformed
from refengine.lawbook import book
from refengine.lawbook.bulletin import BulletinEntry
from refengine.lawbook.editions import edition
from refengine_conformance.corpus_tools import changed_games
from refengine_conformance.corpus_tools.changed_games import (
    answered_by_build,
    answered_by_us,
    deciding,
    games_up_to_edition,
    in_names_of,
)
from refengine_conformance.data import data

SERVE = [sys.executable, "-m", "refengine", "serve"]
GAME: dict[str, Any] = json.loads(
    (data("examples") / "01-draw.jsonl").read_text("utf-8").splitlines()[0]
) | {"spec": "1.0.0"}
DECIDES = next(step for step in GAME["steps"] if "refuse" in step)["refuse"][0][
    "clauses"
][0]


def answers(*clauses: str) -> dict[str, Any]:
    return {"ok": {"steps": [{"answer": {"refused": {"clauses": list(clauses)}}}]}}


def test_only_traces_of_the_edition_or_older_are_asked() -> None:
    lines = [
        json.dumps({"trace": 1, "spec": spec, "id": spec})
        for spec in ("1.0.0", "1.0.1", "1.1.0", "1.10.0")
    ]
    lines.append(json.dumps({"mini": 1, "spec": "1.0.0"}))
    found = [game["id"] for game in games_up_to_edition(lines, "1.1.0")]
    assert found == ["1.0.0", "1.0.1", "1.1.0"]


def test_another_build_answers_as_we_do_where_nothing_changed() -> None:
    assert answered_by_build(SERVE, [GAME, GAME]) == [answered_by_us(GAME)] * 2
    with pytest.raises(Malformed, match="0 answers to 1 game;"):
        answered_by_build([sys.executable, "-c", ""], [GAME])


@pytest.mark.parametrize(
    ("then", "now", "decided"),
    [
        (answers("7.7"), answers("7.7"), ()),
        (answers("7.7"), answers("5.3"), ("5.3", "7.7")),
        (answers("7.7", "7.7a"), answers("7.7"), ("7.7", "7.7a")),
        (answers("7.7"), {"ok": {"steps": [{"answer": {"ok": {}}}]}}, ("7.7",)),
        (answers("7.7"), {"ok": {"steps": []}}, ("7.7",)),
        ({"ok": {"end": 1}}, {"ok": {"end": 2}}, ()),
        ({"ok": {"breaks": ["5.3"]}}, {"ok": {}}, ("5.3",)),
    ],
)
def test_a_clause_decides_where_the_answers_that_differ_name_it(
    then: object, now: object, decided: tuple[str, ...]
) -> None:
    assert deciding(then, now, ("5.3", "7.7", "7.7a")) == decided
    assert deciding(then, now, ("5.4",)) == ()
    assert deciding(then, now, ("7.7", "7.7")) == tuple({*decided} & {"7.7"})


def test_a_clause_decides_where_a_part_of_it_is_named() -> None:
    found = deciding(answers("3.8a"), answers("3.8b"), ("3.8", "3.9", "3.8b"))
    assert found == ("3.8", "3.8b")


def test_a_part_that_an_older_edition_lacks_counts_as_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Part:
        part_of = "7.7"

    known: dict[str, object] = {**book.clauses(), "7.9c": Part()}
    monkeypatch.setattr(book, "clauses", lambda: known)
    found = in_names_of(edition("1.0.0"), answers("7.9c", "7.7", "5.99"))
    assert found == answers("5.99", "7.7")
    # 3.8a is a part of 3.8, and the edition has both
    assert in_names_of(edition("1.1.0"), answers("3.8a")) == answers("3.8a")
    assert in_names_of(edition("1.0.0"), answers("3.8a")) == answers("3.8")


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The path of the list for a corpus of two games and an edition of two changes.

    One clause has changed in effect, and clause 5.4 in its wording only.
    """
    other = {**GAME, "id": "t-other"}
    lines = [json.dumps(GAME), json.dumps(other)]
    monkeypatch.setattr(changed_games, "lines_of_corpus", lambda folder: lines)
    today = str(book.registry()["version"])
    entries = [
        BulletinEntry(today, "clauses", names, "text", None, None, of, "Why.")
        for names, of in (((DECIDES,), "effect"), (("5.4",), "words"))
    ]
    monkeypatch.setattr(changed_games, "read_bulletin", lambda spec: entries)
    return tmp_path / "changed-games.json"


def test_the_command_writes_nothing_under_a_clause_where_all_is_the_same(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    today = book.registry()["version"]
    corpus.write_text('{"0.9.0": {"since": "0.8.0", "clauses": {}}}', "utf-8")
    assert changed_games.main(["1.0.0", *SERVE], corpus) == 0
    assert json.loads(corpus.read_text("utf-8")) == {
        "0.9.0": {"since": "0.8.0", "clauses": {}},
        today: {"since": "1.0.0", "clauses": {}},
    }
    assert capsys.readouterr().out == f"2 games asked; different since {today}: none\n"


def test_the_command_writes_the_games_that_differ_under_their_clauses(
    corpus: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    then: Any = answered_by_us(GAME)
    steps = then["ok"]["steps"]
    at, refused = next(
        (at, step["refuse"][0]) for at, step in enumerate(steps) if "refuse" in step
    )
    before = copy.deepcopy(then)
    before["ok"]["steps"][at]["refuse"][0] = {"ok": {}}
    named = refused["refused"]["clauses"]
    assert DECIDES in named
    monkeypatch.setattr(
        changed_games, "answered_by_build", lambda command, games: [before, then]
    )
    assert changed_games.main(["1.0.0", "old"], corpus) == 0
    written = json.loads(corpus.read_text("utf-8"))[book.registry()["version"]]
    assert written["clauses"] == {DECIDES: [GAME["id"]]}
    monkeypatch.setattr(changed_games, "read_bulletin", lambda spec: [])
    assert changed_games.main(["1.0.0", "old"], corpus) == 1
    assert f"{GAME['id']} comes out differently, and no" in capsys.readouterr().out


def test_a_build_that_cannot_be_run_is_a_message(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert changed_games.main(["1.0.0", "/no/such/command"], corpus) == 2
    assert "/no/such/command" in capsys.readouterr().err
    assert not corpus.exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["abc", "old"], 3, "found 'abc'; allowed: 1.0.0\n"),
        (["1.1.0", "old"], 3, "found '1.1.0'; allowed: 1.0.0\n"),
        (["1.0.0"], 3, "the command of a build of that edition is missing"),
        (
            ["1.0.0", sys.executable, "-c", "print('[]'); print('no')"],
            2,
            "a line that is not a JSON object",
        ),
    ],
)
def test_what_cannot_be_asked_or_read_is_a_message(
    words: list[str],
    code: int,
    said: str,
    corpus: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    try:
        found: object = changed_games.main(words, corpus)
    except SystemExit as ended:
        found = ended.code
    assert found == code
    assert said in capfd.readouterr().err
    assert not corpus.exists()


def test_only_the_edition_before_is_compared_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The list gives the changes from one edition to the next one only."""
    versions = ("1.0.0", "1.1.0", "1.2.0")
    monkeypatch.setattr(changed_games, "known_versions", lambda: versions)
    monkeypatch.setattr(book, "version", lambda: "1.2.0")
    assert changed_games._edition("1.1.0") == "1.1.0"
    for typed in ("1.0.0", "1.2.0"):
        with pytest.raises(ArgumentTypeError, match=r"allowed: 1\.1\.0$"):
            changed_games._edition(typed)


def test_beside_a_first_edition_there_is_none_to_compare_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changed_games, "known_versions", lambda: ("1.0.0",))
    monkeypatch.setattr(book, "version", lambda: "1.0.0")
    for typed in ("none", "1.0.0"):
        with pytest.raises(ArgumentTypeError, match=r"allowed: none$"):
            changed_games._edition(typed)
