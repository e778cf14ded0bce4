"""Completed tricks, and the trick in progress, in the form in which users get them."""

from __future__ import annotations

from typing import Final

import attrs

from refengine.chapters.cards import number_of
from refengine.chapters.table import PLAYING
from refengine.game.values.cardset import CARDS, Card
from refengine.machine.core import CompletedTrick as Completed
from refengine.machine.core import Core
from refengine.machine.position import on_table

# The values made from tricks that were recently looked at, by the `id` of each trick.
# The trick is kept with them, so that no other object can get the same `id`.
_KEPT: Final[dict[int, tuple[Completed, tuple[Trick, ...]]]] = {}
_MOST: Final = 256


@attrs.frozen
class Trick:
    """A completed trick: its leader, cards in the order played, and winner (5.11)."""

    leader: int
    cards: tuple[Card, ...]
    winner: int

    def _repr_svg_(self) -> str:
        from refengine.pictures import trick_svg

        return trick_svg(self)


@attrs.frozen
class Table:
    """A trick in progress: its leader, and its cards in the order played."""

    leader: int
    cards: tuple[Card, ...]

    def _repr_svg_(self) -> str:
        from refengine.pictures import trick_svg

        return trick_svg(self)


def tricks_of(core: Core) -> tuple[Trick, ...]:
    """The tricks completed so far in the deal."""
    last = core.record.last
    return _up_to(core, last) if last is not None else ()


def _up_to(core: Core, trick: Completed) -> tuple[Trick, ...]:
    """All tricks of the deal up to and including this one, cached for later calls."""
    kept = _KEPT.get(id(trick))
    if kept is not None:
        return kept[1]
    before = trick.before
    earlier = _up_to(core, before) if before is not None else ()
    tricks = (*earlier, _shown(core, trick))
    if len(_KEPT) >= _MOST:
        _KEPT.clear()
    _KEPT[id(trick)] = (trick, tricks)
    return tricks


def last_trick(core: Core) -> Trick | None:
    """The last completed trick of the deal; None if there is none."""
    last = core.record.last
    return _shown(core, last) if last is not None else None


def _shown(core: Core, trick: Completed) -> Trick:
    before = trick.position
    numbers = (*on_table(core.rules, before), int(number_of(trick.card)))
    cards = tuple([CARDS[number] for number in numbers])
    return Trick(int(before.leader), cards, int(trick.winner))


def table_of(core: Core) -> Table | None:
    """The trick in progress; None outside the phase of play."""
    if core.position is None or core.phase != PLAYING:
        return None
    cards = tuple([CARDS[number] for number in on_table(core.rules, core.position)])
    return Table(int(core.position.leader), cards)
