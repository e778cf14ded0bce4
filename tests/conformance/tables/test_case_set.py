"""Tests of the games for a table: each can be played there, and a seed fixes them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping

import attrs
import pytest

from refengine.formats.minideals import check_mini, read_mini
from refengine.formats.trace import read_trace, replay
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match
from refengine.game.values.cardset import CardSet
from refengine_conformance.runner.table import STARTS, Table, start_kind
from refengine_conformance.tables import case_set as case_set_module
from refengine_conformance.tables.aimed_games import AimedLine, AimedSet
from refengine_conformance.tables.case_set import (
    ANEW,
    FIT,
    GAMES,
    MOST_SHAPES,
    CaseSet,
    case_set,
)
from refengine_conformance.tables.corpus_lines import (
    CorpusLine,
    corpus_lines,
    lines_that_need,
)
from refengine_conformance.tables.shapes_dealt_anew import dealt_anew
from refengine_conformance.tables.table_run import games_of_report
from refengine_conformance.tables.told_games import told_games

pytestmark = pytest.mark.unmeasured

COMMONEST = Ruleset(
    "estmesh-hearts", 4, {"first_trick_points": "barred", "moon": "others_plus"}
)
TABLES = {
    "whole hands": Table(ruleset=COMMONEST, hands="full", starts=["deal"]),
    "every start": Table(ruleset=COMMONEST, hands="full", starts=STARTS),
    "three cards": Table(ruleset=COMMONEST, hands=3, cards="2C QS", starts=STARTS),
    "any hands": Table(ruleset=Ruleset("estmesh-hearts")),
    "stock": Table(ruleset=Ruleset("gamerules-domino", 2), hands="full", starts=STARTS),
    "small stock": Table(ruleset=Ruleset("pokerwiner-domino", 3), starts=STARTS),
    "kitty": Table(
        ruleset=Ruleset("estmesh-hearts", 3, {"undealt": "kitty"}), starts=STARTS
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _nothing_aimed() -> Iterator[None]:
    """Leave out aimed games, which take longest and are tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case_set_module, "aimed_set", lambda *given: AimedSet((), {}, ()))
        yield


@pytest.fixture(scope="module")
def sets(_nothing_aimed: None) -> dict[str, CaseSet]:
    return {name: case_set(table, 2026) for name, table in TABLES.items()}


@pytest.mark.parametrize("name", TABLES)
def test_every_game_is_right_and_can_be_played_at_the_table(
    sets: dict[str, CaseSet], name: str
) -> None:
    table, found = TABLES[name], sets[name]
    assert len({line.id for line in found.lines}) == len(found.lines)
    for line in found.lines:
        if line.mini:
            mini = read_mini(line.data)
            assert check_mini(mini) == []
            assert (mini.ruleset, table.why_not(mini.setup)) == (table.ruleset, "")
            continue
        trace = read_trace(line.data)
        assert replay(trace) == []
        assert (trace.id, trace.ruleset) == (line.id, table.ruleset)
        assert table.why_not(trace.start) == ""
    assert found.shows.keys() <= {line.id for line in found.lines}


@pytest.mark.parametrize("name", ["whole hands", "small stock"])
def test_a_report_leads_back_to_every_game_that_was_asked(
    sets: dict[str, CaseSet], name: str
) -> None:
    found = sets[name].lines
    told = told_games(found)
    assert told
    head = json.dumps({"table": TABLES[name].fields(), "seed": 2026}).encode()
    games = games_of_report(head)
    assert games == {one.id: one.data for one in (*found, *told)}
    assert games_of_report(b'{"seed": 2026}') == {}


@pytest.mark.parametrize("name", TABLES)
def test_the_funnel_counts_every_game_of_the_corpus_once(
    sets: dict[str, CaseSet], name: str
) -> None:
    counted = dict(sets[name].funnel)
    games, anew = counted.pop(GAMES), counted.pop(ANEW)
    assert games == len(corpus_lines()) == sum(counted.values())
    assert anew == MOST_SHAPES
    assert len(sets[name].lines) == counted[FIT] + anew


@pytest.mark.parametrize("name", ["every start", "stock", "kitty"])
def test_shapes_begin_in_every_way_that_is_declared(
    sets: dict[str, CaseSet], name: str
) -> None:
    starts = [read_trace(one.data).start for one in sets[name].lines if not one.mini]
    assert {start_kind(start) for start in starts} >= {"deal", "match", "match-dealer"}
    deals = [start for start in starts if not isinstance(start, Match)]
    assert len({start.deal for start in deals}) > 2
    assert any(start.totals and any(start.totals) for start in deals)


def test_the_whole_pack_is_named_where_it_deals_more_cards_then() -> None:
    """With a kitty, four seats hold 12 cards each, but 13 if the pack is named."""
    ruleset = Ruleset("estmesh-hearts", 4, {"undealt": "kitty"})
    shape = next(line for line in corpus_lines() if line.begins == "match-dealer")
    for hands, named in ((13, True), ("full", False)):
        table = Table(ruleset=ruleset, hands=hands, starts=["match-dealer"])
        game = dealt_anew(table, shape, 2026)
        assert game is not None
        assert isinstance(game.start, Match)
        assert game.start.pack == (table.whole_pack if named else CardSet())


def test_options_without_effect_do_not_keep_a_game_away(
    sets: dict[str, CaseSet],
) -> None:
    found = sets["any hands"]
    of_corpus = {line.id for line in corpus_lines()}
    others = [one for one in found.shows if one not in of_corpus]
    assert others
    assert any(line.mini for line in found.lines)
    shown = {clause for one in found.shows.values() for clause in one}
    assert len(shown) > 40
    assert not any(clause.startswith(("6.", "7.")) for clause in shown)


def test_the_games_depend_on_table_and_seed_alone(sets: dict[str, CaseSet]) -> None:
    table = TABLES["three cards"]
    assert case_set(table, 2026) == sets["three cards"]
    assert case_set(table, 1).lines != sets["three cards"].lines


ANOTHER_PROCESS = """
import sys
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import aimed_games, case_set as module
from refengine.game.rulesets import Ruleset
module.aimed_set = lambda *given: aimed_games.AimedSet((), {{}}, ())
table = Table(ruleset=Ruleset("gamerules-domino", 2), hands="full", starts={starts})
for line in module.case_set(table, 2026).lines:
    sys.stdout.buffer.write(line.data + b"\\n")
"""


def test_the_games_do_not_depend_on_the_process(sets: dict[str, CaseSet]) -> None:
    program = ANOTHER_PROCESS.format(starts=STARTS)
    written = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        check=True,
    ).stdout
    assert written.splitlines() == [line.data for line in sets["stock"].lines]


# One game from two sources


def shown_by(*lines: CorpusLine) -> Mapping[str, frozenset[str]]:
    """The clauses shown by the one game that these corpus lines become at the table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case_set_module, "corpus_lines", lambda: lines)
        found = case_set_module._of_corpus(TABLES["any hands"]).fitting
    (game,) = found.lines
    return found.shows[game.id]


def test_a_game_shows_what_every_line_shows_that_comes_to_it() -> None:
    table = TABLES["any hands"]
    line = next(
        one
        for one in corpus_lines()
        if table.admits(one.ruleset, one.start) and len(one.necessary) > 5
    )
    shown = shown_by(line)
    first, *others = shown
    assert others
    halves = [
        attrs.evolve(line, necessary=frozenset(some)) for some in ([first], others)
    ]
    assert [{*shown_by(one)} for one in halves] == [{first}, {*others}]
    assert shown_by(*halves) == shown


def test_an_aimed_game_that_is_in_the_corpus_shows_what_it_shows_there_too(
    sets: dict[str, CaseSet], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = sets["any hands"]
    line = next(one for one in found.lines if found.shows.get(one.id))
    (clause, kinds), *others = found.shows[line.id].items()
    shows = {clause: frozenset({"as aimed"}), "of its own": frozenset({"step"})}
    aimed = AimedLine(id=line.id, line=line.data, shows=shows, moments=(), plain=False)
    monkeypatch.setattr(
        case_set_module, "aimed_set", lambda *given: AimedSet((aimed,), {}, ())
    )
    again = case_set(TABLES["any hands"], 2026)
    assert again.shows[line.id] == {
        clause: kinds | {"as aimed"},
        **dict(others),
        "of its own": {"step"},
    }
    assert {one.id for one in again.lines} == {one.id for one in found.lines}


def test_a_line_shows_no_clause_that_no_game_of_the_table_can() -> None:
    """If hearts are free, nobody has to wait before discarding one (5.8)."""
    free = Table(ruleset=Ruleset("pokerwiner-hearts", 4))
    waiting = Table(ruleset=Ruleset("estmesh-hearts", 4))
    lines = lines_that_need("5.8")
    assert any("5.8" in dict(case_set_module._shown(waiting, line)) for line in lines)
    for line in lines:
        assert "5.8" not in dict(case_set_module._shown(free, line))
