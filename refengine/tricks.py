"""Tricks as users hold them."""

from __future__ import annotations

import attrs

from refengine.cardset import CARDS, Card
from refengine.core import Core
from refengine.table import PLAYING


@attrs.frozen
class Trick:
    """A completed trick: who led, the cards in the order played, who won it (5.11)."""

    leader: int
    cards: tuple[Card, ...]
    winner: int

    def _repr_svg_(self) -> str:
        from refengine.pictures import trick_svg

        return trick_svg(self)


@attrs.frozen
class Table:
    """A trick in progress: who leads or led, and the cards on the table in order."""

    leader: int
    cards: tuple[Card, ...]

    def _repr_svg_(self) -> str:
        from refengine.pictures import trick_svg

        return trick_svg(self)


def tricks_of(core: Core) -> tuple[Trick, ...]:
    """The tricks of the deal completed so far."""
    return tuple(
        Trick(
            int(trick.leader),
            tuple(CARDS[number] for number in trick.cards),
            int(trick.winner),
        )
        for trick in core.record.history
    )


def table_of(core: Core) -> Table | None:
    """The trick in progress; None outside the play."""
    if core.position is None or core.phase != PLAYING:
        return None
    cards = tuple(CARDS[number] for number in core.record.table)
    return Table(int(core.position.leader), cards)
