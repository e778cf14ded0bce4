"""Runs of engines on the games of a table, and the headings of their reports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, TypeVar

from refengine.jobs.executors import open_executor, results_in_order
from refengine_conformance.runner.results import LOST, Outcome
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.runs import Group, Run
from refengine_conformance.runner.selection import Choice
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.table_figures import TableFigures
from refengine_conformance.tables.case_set import CaseSet, case_set
from refengine_conformance.tables.flags import SEED
from refengine_conformance.tables.table_run import run_at_table, select_games

T = TypeVar("T")
R = TypeVar("R")

MOST_HEADINGS: Final = 2


@cache
def games_of(table: Table, seed: int) -> CaseSet:
    """The games of a table, kept in memory once they have been found."""
    return case_set(table, seed)


def run_of_games(
    table: Table, settings: Settings, seed: int = SEED, choice: Choice | None = None
) -> Run:
    """The run of an engine on the games of a table, or on those that `choice` takes."""
    games = games_of(table, seed)
    figures = TableFigures(table=table, seed=seed)
    chosen = select_games(games, choice or Choice())
    return run_at_table(figures, games, chosen, settings)


def headings_of(run: Run) -> tuple[str, ...]:
    """The headings of a run's report, in order, as `heading_of` gives them."""
    return tuple(heading_of(group) for group in run.groups)


def heading_of(group: Group) -> str:
    """The clause of a group, `?` if it has none, or how its conversations were lost."""
    if group.outcome in LOST:
        return str(group.outcome)
    return group.clause or "?"


def errors_in(run: Run) -> int:
    """How many cases ended in the adapter's own error."""
    return sum(case.outcome is Outcome.ERROR for case in run.cases)


def is_headed(headings: Sequence[str], accepted: Collection[str]) -> bool:
    """Whether an accepted clause is the first of at most two headings."""
    return 0 < len(headings) <= MOST_HEADINGS and headings[0] in accepted


def headings_text(headings: Iterable[str], numbers: Iterable[int]) -> str:
    """The headings in one line, each followed by its number in brackets."""
    pairs = zip(headings, numbers, strict=True)
    return ", ".join(f"{heading} ({number})" for heading, number in pairs)


def table_line(cells: Iterable[str]) -> str:
    """A row of a Markdown table with these cells."""
    return f"| {' | '.join(cells)} |"


def results_of(tasks: Collection[T], work: Callable[[T], R], jobs: int) -> Iterator[R]:
    """The results of the tasks, in their order, with `jobs` of them done at a time."""
    with open_executor(jobs) as pool:
        yield from (
            map(work, tasks) if pool is None else results_in_order(tasks, work, pool)
        )
