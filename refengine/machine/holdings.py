"""Which cards are in each hand, the stock, the kitty and the tricks taken.

The functions answer for any phase of a match.
"""

from refengine.chapters.cards import EMPTY, Mask, points_of
from refengine.chapters.draw import rest_of_stock
from refengine.chapters.table import MIXING
from refengine.machine.core import Core
from refengine.machine.ending import standing_hands


def hands_now(core: Core) -> tuple[Mask, ...]:
    """The cards in each hand, by seat.

    Cards given to a mix leave the hands once every seat has passed.

    Clauses 4.8, 6.8.
    """
    position = core.position
    if position is None:
        if core.phase != MIXING:
            return core.dealt.hands
        return tuple(
            [
                Mask(hand & ~(packet.cards if packet is not None else EMPTY))
                for hand, packet in zip(
                    core.dealt.hands, core.dealt.packets, strict=True
                )
            ]
        )
    stock_to = core.result.stock_to if core.result is not None else -1
    return standing_hands(position, stock_to)


def stock_now(core: Core) -> tuple[int, ...]:
    """The numbers of the cards left in the stock, top card first."""
    if core.position is None:
        return core.dealt.stock
    if core.result is not None and core.result.stock_to >= 0:
        return ()
    return rest_of_stock(core.position.talon)


def kitty_now(core: Core) -> Mask:
    """The cards of the kitty, or none once a seat has taken it."""
    if core.position is None:
        return core.dealt.kitty
    talon = core.position.talon
    return talon.kitty if talon.kitty_to < 0 else EMPTY


def taken_now(core: Core) -> tuple[Mask, ...]:
    """The cards that each seat has taken, including the kitty if the seat took it."""
    position = core.position
    if position is None:
        return tuple([EMPTY for _ in core.dealt.hands])
    talon = position.talon
    return tuple(
        [
            Mask(pile | (talon.kitty if talon.kitty_to == seat else EMPTY))
            for seat, pile in enumerate(position.piles.taken)
        ]
    )


def points_now(core: Core) -> tuple[int, ...]:
    """The penalty points that each seat has taken, including any in a kitty it took."""
    return tuple([int(points_of(core.rules, pile)) for pile in taken_now(core)])


def points_played(core: Core) -> tuple[int, ...]:
    """The penalty points in the tricks that each seat has taken.

    Points in a kitty are left out, even if a seat has taken it.

    Clause 2.7b.
    """
    if core.position is None:
        return tuple([0 for _ in core.dealt.hands])
    return tuple(
        [int(points_of(core.rules, pile)) for pile in core.position.piles.taken]
    )
