"""Runs of engines on the games of a table, and the headings of their reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Final

from refengine_conformance.runner.results import LOST, Outcome
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.runs import Group, Run
from refengine_conformance.runner.selection import Choice
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables.case_set import CaseSet, case_set
from refengine_conformance.tables.flags import SEED
from refengine_conformance.tables.table_run import run_at_table, select_games

MOST_HEADINGS: Final = 2


@cache
def games_of(table: Table, seed: int) -> CaseSet:
    """The games of a table, kept in memory once they have been found."""
    return case_set(table, seed)


def run_of_games(
    table: Table, settings: Settings, seed: int = SEED, choice: Choice | None = None
) -> Run:
    """Run an engine on the games of a table, or on those that `choice` takes."""
    games = games_of(table, seed)
    figures = TableFigures(table=table, seed=seed)
    chosen = select_games(games, choice or Choice())
    return run_at_table(figures, games, chosen, settings)


def headings_of(run: Run) -> tuple[str, ...]:
    """The headings of the report on a run, in order."""
    return tuple(heading_of(group) for group in run.groups)


def heading_of(group: Group) -> str:
    """The heading of a group: its clause, or how its conversations were lost.

    A group of wrong answers without a clause has the heading `?`.
    """
    if group.outcome in LOST:
        return str(group.outcome)
    return group.clause or "?"


def errors_in(run: Run) -> int:
    """How many cases ended because the adapter answered with `error`."""
    return sum(case.outcome is Outcome.ERROR for case in run.cases)


def is_headed(headings: Sequence[str], accepted: Collection[str]) -> bool:
    """Whether there are at most two headings, the first of which is accepted."""
    return 0 < len(headings) <= MOST_HEADINGS and headings[0] in accepted


def headings_text(headings: Iterable[str], numbers: Iterable[int]) -> str:
    """The headings on one line, each followed in brackets by the number for it."""
    pairs = zip(headings, numbers, strict=True)
    return ", ".join(f"{heading} ({number})" for heading, number in pairs)


def table_line(cells: Iterable[str]) -> str:
    """A row of a Markdown table with these cells."""
    return f"| {' | '.join(cells)} |"
