"""Which clauses a run asked about at a table, and where its games came from."""

from __future__ import annotations

from typing import Any

import attrs

from refengine_conformance.runner.table import Table


@attrs.frozen
class Offer:
    """Something that an adapter could also declare, and the clauses that it would add.

    `games` is the largest number of games that the declaration can add.
    """

    declare: str
    games: int
    clauses: tuple[str, ...]


@attrs.frozen(kw_only=True)
class TableFigures:
    """The table of a run, and which of its clauses were asked about.

    `askable` are the clauses that can be asked about at this table, in book order.
    `asked` are those of them that were asked about, `not_asked` those that were not,
    and `left_out` the other clauses of the corpus; the last two give a reason for each
    clause. `funnel` says how many games there are, how many of them were left out for
    each reason, and how many were used. `offers` are what the adapter could also
    declare. `untold` are observed fields that the adapter leaves out, each with the
    clauses that could be judged if it did not. `least` is the percentage of askable
    clauses that must be asked about, or None if there is no minimum. `alive` are the
    clauses needed in some game in which every answer was right.
    """

    table: Table
    seed: int
    askable: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    not_asked: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    funnel: tuple[tuple[str, int], ...] = ()
    offers: tuple[Offer, ...] = ()
    untold: tuple[tuple[str, tuple[str, ...]], ...] = ()
    least: float | None = None
    alive: tuple[str, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that select the same games again."""
        return (*self.table.flags(), "--seed", str(self.seed))

    @property
    def too_few(self) -> bool:
        """Whether the share of askable clauses asked about is below `least` percent."""
        if self.least is None:
            return False
        return 100 * len(self.asked) < self.least * len(self.askable)

    def fields(self) -> dict[str, Any]:
        """The figures as plain values, for a report."""
        return {
            "table": self.table.fields(),
            "seed": self.seed,
            "clauses": {
                "askable": len(self.askable),
                "asked": len(self.asked),
                "not_asked": _pairs(self.not_asked),
                "left_out": _pairs(self.left_out),
            },
            "funnel": [{"why": why, "cases": number} for why, number in self.funnel],
            "offers": [attrs.asdict(one) for one in self.offers],
            "untold": [
                {"field": field, "clauses": clauses} for field, clauses in self.untold
            ],
        }


def _pairs(found: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    """Clauses and their reasons as dictionaries that can be written as JSON."""
    return [{"clause": clause, "reason": reason} for clause, reason in found]
