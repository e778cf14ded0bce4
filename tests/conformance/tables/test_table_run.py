"""Tests of what a run at a table counts.

This includes what else an engine might declare, and which clauses that would add.
"""

from pathlib import Path

import pytest

from refengine import Ruleset
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.trace import Trace, write_trace
from refengine_conformance.runner.results import Case, Outcome
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Selected, Selection
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables import table_run
from refengine_conformance.tables.askable import Shows
from refengine_conformance.tables.case_set import CaseSet
from refengine_conformance.tables.corpus_lines import CorpusLine, corpus_lines
from refengine_conformance.tables.table_run import run_at_table
from tests.support.adapters import capable_engine
from tests.support.tables import SEED, whole

pytestmark = pytest.mark.interpreted("an adapter in a process of its own")


def game(*needs: str) -> CorpusLine:
    """The first corpus trace of a single deal with exactly these needs."""
    return next(
        line
        for line in corpus_lines()
        if isinstance(line.read, Trace)
        and line.begins == "deal"
        and line.needs == {*needs}
    )


def run_of(path: Path, table: Table, shows: Shows, *without: str) -> Run:
    """A run of these games at a table, with an adapter that lacks some capabilities."""
    able = [one for one in CAPABILITIES if one not in without]
    lines = tuple(
        Selected(line.id, write_trace(line.read))
        for line in corpus_lines()
        if line.id in shows and isinstance(line.read, Trace)
    )
    return run_at_table(
        TableFigures(table=table, seed=SEED),
        CaseSet(lines=lines, shows=shows, unreached={}, funnel=()),
        Selection(lines),
        Settings(command=capable_engine(path, able)),
    )


def test_a_game_that_cannot_be_asked_shows_nothing_whatever_else_is_declared(
    tmp_path: Path,
) -> None:
    moon, passing = game("moon.choice"), game("pass")
    shows = {
        moon.id: {"8.5c": frozenset({"step"})},
        passing.id: {"4.7": frozenset({"step"})},
    }
    table = whole("heartsgame-tiles", 4, ["deal"])
    made = run_of(tmp_path, table, shows, "moon.choice", "pass")
    assert made.at_table is not None
    gained = [one.declare for one in made.at_table.offers if "8.5c" in one.clauses]
    assert gained == ["moon.choice"]
    assert {"starts match", "pass"} <= {one.declare for one in made.at_table.offers}


def test_no_start_is_offered_at_which_every_hand_has_another_size(
    tmp_path: Path,
) -> None:
    """Hands of a match have the size that the ruleset names (3.4), here six cards."""
    passing = game("pass")

    def offered(hands: int) -> set[str]:
        ruleset = Ruleset("gamerules-domino", 3)
        table = Table(ruleset=ruleset, hands=hands, starts=["deal"])
        made = run_of(tmp_path, table, {passing.id: {"4.7": frozenset({"step"})}})
        assert made.at_table is not None
        declared = {one.declare for one in made.at_table.offers}
        return {one for one in declared if one.startswith("starts")}

    assert "starts match" in offered(6)
    assert offered(4) == set()


@pytest.mark.parametrize("outcome", [Outcome.FAIL, Outcome.KNOWN, Outcome.CRASH])
def test_a_game_with_a_wrong_answer_shows_of_no_clause_that_it_is_kept(
    outcome: Outcome,
) -> None:
    """It does not matter whether the wrong answer is listed as a known failure."""
    shows = {"t-1": {"5.4": frozenset({"legal"})}}
    right = Case("t-1", "legal", Outcome.PASS)
    wrong = Case("t-1", "probe", outcome)
    assert table_run._alive(shows, (right,)) == ("5.4",)
    assert table_run._alive(shows, (right, wrong)) == ()
