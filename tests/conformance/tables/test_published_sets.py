"""Tests of the published sets of games: right, small, strong and up to date.

They must also be usable without our runner.
"""

import gzip
import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refengine.formats.trace import read_trace, replay, spec_version
from refengine.game.setups import Setup
from refengine.lawbook import book
from refengine.lawbook.profiles import profile, profile_names
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.loading import mutant_workers
from refengine_conformance.tables import mutant_trials, publish, rows
from refengine_conformance.tables.askable import clauses_of_table
from refengine_conformance.tables.flags import SEED
from refengine_conformance.tables.publish import FOLDER, main, named_tables
from refengine_conformance.tables.survivor_reasons import why_survives
from tests.support import places
from tests.support.page_tests import PageTest, example

pytestmark = pytest.mark.interpreted("about files")

PAGE = (places.ROOT / "docs" / "published-sets.md").read_text("utf-8")
MOST_ZIPPED = 150_000
MOST_IN_ALL = 4_000_000
COMMONEST = "commonest-4"
TWO_SEATS = ("gamerules-domino-2", "pokerwiner-domino-2", "pokerwiner-hearts-2")


@cache
def index() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "index.json").read_text("utf-8"))
    return found


def lines_of(name: str) -> list[bytes]:
    return (FOLDER / f"{name}.jsonl").read_bytes().splitlines()


NAMES = [name for name, _ in named_tables()]


def plainly_begun(start: Setup) -> Setup:
    """A setup with the same cards, but with dealer 0, deal 1 and no totals."""
    return Setup(
        dealer=0, hands=start.hands, deal=1, stock=start.stock, kitty=start.kitty
    )


def test_there_is_a_set_for_every_table_that_has_whole_hands() -> None:
    wanted = {
        f"{name}-{players}"
        for name in profile_names()
        for players in profile(name).players
    }
    assert {*NAMES} == wanted | {COMMONEST}
    assert [*index()["tables"]] == NAMES
    assert {one.stem for one in FOLDER.glob("*.jsonl")} == {*NAMES}
    assert index()["spec"] == spec_version()


def test_the_sets_are_small_enough_to_be_vendored() -> None:
    sizes = {
        name: len(gzip.compress((FOLDER / f"{name}.jsonl").read_bytes()))
        for name in NAMES
    }
    assert max(sizes.values()) <= MOST_ZIPPED
    assert sum(sizes.values()) <= MOST_IN_ALL


@pytest.mark.parametrize("name", NAMES)
def test_every_game_of_a_set_is_right(name: str) -> None:
    table = dict(named_tables())[name]
    entry = index()["tables"][name]
    lines = lines_of(name)
    assert entry["table"] == table.fields()
    assert entry["games"] == len(lines) > 15
    shown: dict[str, list[str]] = {}
    plain = 0
    for line in lines:
        fields = json.loads(line)
        trace = read_trace(line)
        assert trace.ruleset == table.ruleset
        assert {*fields["ruleset"]["options"]} == {*table.ruleset.options}
        assert replay(trace) == []
        if isinstance(trace.start, Setup):
            assert {len(hand) for hand in trace.start.hands} == {table.full_hand}
            plain += trace.start == plainly_begun(trace.start)
        for clause in fields.get("x-aim", ()):
            shown.setdefault(clause, []).append(fields["id"])
    assert {one: sorted(ids) for one, ids in shown.items()} == {
        one: sorted(ids) for one, ids in entry["clauses"].items()
    }
    assert {*shown} | {*entry["unreached"]} == {*clauses_of_table(table)}
    assert entry["plain"] == plain >= len(lines) / 4


@pytest.mark.parametrize(
    ("begins", "plain"),
    [
        ({"setup": {"dealer": 0, "deal": 1, "hands": ["2C", "3C"]}}, True),
        ({"setup": {"dealer": 0, "hands": ["2C", "3C"], "stock": "4C"}}, True),
        ({"setup": {"dealer": 0, "hands": ["2C", "3C"], "kitty": "4C"}}, True),
        ({"setup": {"dealer": 1, "deal": 1, "hands": ["2C", "3C"]}}, False),
        ({"setup": {"dealer": 0, "deal": 2, "hands": ["2C", "3C"]}}, False),
        ({"setup": {"dealer": 0, "hands": ["2C", "3C"], "totals": [1, 0]}}, False),
        ({"setup": {"dealer": 0, "hands": ["2C", "3C"], "limit_reached": True}}, False),
        ({"setup": {"dealer": 0, "hands": ["2C", "3C"], "leader": 0}}, False),
        ({"match": {"dealer": 0}}, False),
    ],
)
def test_a_game_is_plain_if_it_begins_with_nothing_but_dealer_0_and_deal_1(
    begins: dict[str, Any], plain: bool
) -> None:
    assert publish._is_plain(json.dumps(begins).encode()) == plain


@pytest.mark.parametrize("name", NAMES)
def test_what_random_games_kill_the_set_kills_and_each_survivor_has_a_reason(
    name: str,
) -> None:
    mutants = index()["tables"][name]["mutants"]
    survive = mutants["survive_both"]
    assert mutants["random_games"] == 1000
    assert mutants["idle"] + mutants["in_use"] == len(designed_mutants())
    assert mutants["killed"] + len(survive) == mutants["in_use"]
    assert mutants["killed"] > mutants["in_use"] / 3
    assert [one for one, why in survive.items() if not why] == []


def test_the_mutants_of_one_set_are_killed_as_its_index_says() -> None:
    """Every thirtieth mutant that is not idle at the commonest table is tried again."""
    entry = index()["tables"][COMMONEST]
    alive = {*entry["mutants"]["survive_both"]}
    names = tuple(one.id for one in designed_mutants())
    with mutant_workers(1) as pool:
        games = mutant_trials.RandomGames(entry["table"], SEED, 0, 12)
        texts = tuple(line.decode() for line in lines_of(COMMONEST))
        idle = pool.submit(mutant_trials.idle_mutants, games, names, texts).result()
        some = [one for one in names if one not in idle][::30]
        killed = pool.submit(mutant_trials.killed_by_lines, texts, tuple(some)).result()
    assert len(idle) == entry["mutants"]["idle"]
    assert {*some} - {*killed} == {*some} & alive
    assert len(killed) > len(some) / 3


@pytest.mark.slow
def test_a_set_that_is_made_again_is_the_same(tmp_path: Path) -> None:
    assert main([COMMONEST, "--out", str(tmp_path)]) == 0
    made = tmp_path / f"{COMMONEST}.jsonl"
    assert made.read_bytes() == (FOLDER / made.name).read_bytes()
    again = json.loads((tmp_path / "index.json").read_text("utf-8"))
    assert again["tables"][COMMONEST] == index()["tables"][COMMONEST]


def test_a_table_that_there_is_not_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new"
    assert main(["commonest-5", "--out", str(out)]) == 3
    assert "commonest-4" in capsys.readouterr().err
    assert not out.exists()


def test_a_folder_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "file" / "sets"
    out.parent.write_text("", "utf-8")
    assert main([COMMONEST, "--out", str(out)]) == 3
    assert str(out) in capsys.readouterr().err


def test_a_survivor_is_explained_by_its_own_clauses_alone() -> None:
    name = "heartsgame-tiles-4"
    table = dict(named_tables())[name]
    (mutant,) = (one for one in designed_mutants() if one.id == "off:7.7a")
    why = why_survives(mutant, table, ("7.7", "7.7a", "7.8"))
    assert why == "7.7a: no game was found that needs it"
    assert why_survives(mutant, table, ("7.7", "7.8")) == ""


def test_a_survivor_whose_clause_no_game_can_ask_about_is_explained_by_that() -> None:
    table = dict(named_tables())[COMMONEST]
    (mutant,) = (one for one in designed_mutants() if one.id == "off:3.10a")
    assert why_survives(mutant, table) == "3.10a is left out: no such game"


@pytest.mark.parametrize("name", [COMMONEST, *TWO_SEATS])
def test_the_reasons_published_are_those_of_today(name: str) -> None:
    table = dict(named_tables())[name]
    mutants = {one.id: one for one in designed_mutants()}
    entry = index()["tables"][name]
    unreached = tuple(entry["unreached"])
    for one, why in entry["mutants"]["survive_both"].items():
        assert (one, why) == (one, why_survives(mutants[one], table, unreached))
        for clause in re.findall(r"(\S+), which is judged as a game is opened", why):
            assert book.clauses()[clause].kind == "forbid"


def test_a_survivor_at_a_table_that_is_no_longer_published_does_not_count(
    tmp_path: Path,
) -> None:
    entry = {"mutants": {"survive_both": {"off:5.3": ""}}}
    today = {"spec": spec_version()}
    file = tmp_path / "index.json"
    file.write_text(json.dumps({**today, "tables": {"gone-4": entry}}), "utf-8")
    assert main(["black-maria-3", "--rows", "--out", str(tmp_path)]) == 0
    file.write_text(json.dumps({**today, "tables": {COMMONEST: entry}}), "utf-8")
    assert main(["black-maria-3", "--rows", "--out", str(tmp_path)]) == 1


def test_the_files_of_what_there_is_no_longer_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry: dict[str, Any] = {"mutants": {"survive_both": {}}}
    known = {"gone-4": entry, COMMONEST: entry}
    file = tmp_path / "index.json"
    file.write_text(json.dumps({"spec": spec_version(), "tables": known}), "utf-8")
    (tmp_path / "gone-4.jsonl").write_text("{}\n", "utf-8")
    (tmp_path / "other.jsonl").write_text("{}\n", "utf-8")
    old = tmp_path / "rows" / "gamerules-domino-4-passes.csv"
    old.parent.mkdir()
    old.write_text("deal,seat\n", "utf-8")  # Domino Hearts knows no pass
    monkeypatch.setattr(publish, "published_set", lambda *asked: ([b"{}"], entry))
    monkeypatch.setattr(rows, "rows_for_table", lambda *asked: [])
    assert main(["gamerules-domino-4", "--out", str(tmp_path)]) == 0
    assert not old.exists()
    left = {one.name for one in tmp_path.glob("*.jsonl")}
    assert left == {"gamerules-domino-4.jsonl", "other.jsonl"}
    made = json.loads(file.read_text("utf-8"))
    assert {*made["tables"]} == {COMMONEST, "gamerules-domino-4"}


def test_an_index_names_no_set_of_another_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entry: dict[str, Any] = {"mutants": {"survive_both": {}}}
    file = tmp_path / "index.json"
    older = {"spec": "1.0.0", "tables": {COMMONEST: entry}}
    file.write_text(json.dumps(older), "utf-8")
    monkeypatch.setattr(publish, "published_set", lambda *asked: ([b"{}"], entry))
    assert main(["black-maria-3", "--out", str(tmp_path)]) == 1
    assert f"not made again: {COMMONEST}" in capsys.readouterr().err
    made = json.loads(file.read_text("utf-8"))
    assert made["spec"] == spec_version()
    assert {*made["tables"]} == {"black-maria-3"}


def test_a_set_of_another_edition_is_named_until_it_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the first run the index is of this edition and lists the new set alone."""
    entry: dict[str, Any] = {"mutants": {"survive_both": {}}}
    older = {"spec": "1.0.0", "tables": {COMMONEST: entry}}
    (tmp_path / "index.json").write_text(json.dumps(older), "utf-8")
    (tmp_path / f"{COMMONEST}.jsonl").write_text("{}\n", "utf-8")
    monkeypatch.setattr(publish, "published_set", lambda *asked: ([b"{}"], entry))
    for _ in range(2):
        assert main(["black-maria-3", "--out", str(tmp_path)]) == 1
        assert f"not made again: {COMMONEST}" in capsys.readouterr().err
    assert main([COMMONEST, "--out", str(tmp_path)]) == 0


def test_a_mutant_that_a_set_kills_is_not_idle_at_its_table() -> None:
    """Twelve random games of this table have no moon, but its set has one."""
    name = "estmesh-hearts-4"
    lines = tuple(line.decode() for line in lines_of(name))
    some = ("off:8.5b", "off:8.6a", "off:9.7a")
    with mutant_workers(1) as pool:
        games = mutant_trials.RandomGames(index()["tables"][name]["table"], SEED, 0, 12)
        killed = pool.submit(mutant_trials.killed_by_lines, lines, some).result()
        idle = pool.submit(mutant_trials.idle_mutants, games, some, lines).result()
    assert {*killed}.isdisjoint(idle)
    assert "off:8.5b" in killed


# Without a runner: what the page shows is run as it stands there

FAULTS = {
    "plain_engine.py": ("if first and deal", "if False and deal"),
    "hearts_engine.mjs": ('this.options.first_trick_points === "allowed"', "true"),
}


@pytest.mark.parametrize(
    ("language", "engine", "test"),
    [
        ("python", "plain_engine.py", "test_rules.py"),
        ("javascript", "hearts_engine.mjs", "rules.test.mjs"),
    ],
    ids=["python", "javascript"],
)
def test_the_example_of_the_page_passes_and_can_fail(
    language: str, engine: str, test: str, tmp_path: Path
) -> None:
    shutil.copy(FOLDER / f"{COMMONEST}.jsonl", tmp_path)
    shutil.copy(places.ADAPTERS / engine, tmp_path)
    shown = example(PAGE, language)
    assert len(shown.splitlines()) <= 30
    (tmp_path / test).write_text(shown, "utf-8")
    page = PageTest(language, tmp_path / test, tmp_path / engine)
    assert page.passed() > 20
    assert "5.5" in page.said_with(*FAULTS[engine])
