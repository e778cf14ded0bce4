"""A run's table in words: what was asked of it, what was not, and the games used.

All reports take their words from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from refengine.lawbook import book
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.table_figures import TableFigures

_FEW: Final = 5


def table_name(run: Run) -> str:
    """The table of a run in words; empty for a run without a table."""
    return "" if run.at_table is None else f"the table: {run.at_table.table.said}"


def clause_figure(run: Run) -> list[str]:
    """How many of the askable clauses were asked, in words; empty without a table."""
    figures = run.at_table
    if figures is None:
        return []
    asked, askable = len(figures.asked), len(figures.askable)
    return [f"clauses of this table asked: {asked} of {askable}"]


def table_lines(run: Run) -> list[str]:
    """What was not asked and why, what would add clauses, and which games were used.

    Empty without a table.
    """
    figures = run.at_table
    if figures is None:
        return []
    found = [f"not asked: {one}" for one in _by_reason(figures.not_asked)]
    if figures.left_out:
        found += [f"left out: {'; '.join(_by_reason(figures.left_out, few=0))}"]
    found += [
        f"tell {field}: then {', '.join(clauses)} can be judged"
        for field, clauses in figures.untold
    ]
    for offer in figures.offers:
        games = "game" if offer.games == 1 else "games"
        clauses = ", ".join(offer.clauses)
        found.append(
            f"declare {offer.declare}: +{offer.games} {games}, clauses {clauses}"
        )
    return [*found, *_funnel(figures)]


def too_few_asked(run: Run) -> Iterator[str]:
    """A sentence if fewer clauses were asked than were wanted; otherwise nothing."""
    figures = run.at_table
    if figures is not None and figures.too_few:
        asked, askable = len(figures.asked), len(figures.askable)
        yield (
            f"{asked} of {askable} clauses asked; wanted at least "
            f"{figures.least:g} percent (--at-least)"
        )


def _by_reason(pairs: Iterable[tuple[str, str]], few: int = _FEW) -> Iterator[str]:
    """For each reason, the clauses that share it, with titles if there are few."""
    listed = sorted(pairs, key=lambda pair: pair[1])
    for reason, some in groupby(listed, key=lambda pair: pair[1]):
        clauses = [clause for clause, _ in some]
        if len(clauses) <= few:
            clauses = [f"{one} {book.title(one)}" for one in clauses]
        yield f"{', '.join(clauses)} ({reason})"


def _funnel(figures: TableFigures) -> Iterator[str]:
    """A line on which games were used, and why others were not; none if not known."""
    if figures.funnel:
        (whole, games), *rest = figures.funnel
        parts = [f"{number} {why}" for why, number in rest if number]
        yield f"of {games} {whole}: {', '.join(parts)}"
