"""Faulty versions of the end of a trick, which proofs and exhaustion must detect."""

from typing import Any

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Position, Talon
from refengine.machine import position

AFTER_TRICK = vars(position)["_after_trick"]


def altered(right: object, **fields: Any) -> Position:
    """The position with other values in these fields."""
    return Position(**(vars(right) | fields))


def trick_uncounted(piles: Any, trick: Mask, winner: int) -> Any:
    """A fault: a trick is added to the piles, and not counted as completed."""
    return piles.with_won_trick(
        done=piles.done, first=False, trick=trick, winner=winner
    )


def won_by_the_next(piles: Any, trick: Mask, winner: int) -> Any:
    """A fault: a trick is added to the pile of the seat after the winner's."""
    winner = (winner + 1) % len(piles.tricks)
    return piles.with_won_trick(
        done=piles.done + 1, first=False, trick=trick, winner=winner
    )


def still_first(piles: Any, trick: Mask, winner: int) -> Any:
    """A fault: the piles after a trick; a first trick is followed by another."""
    return piles.with_won_trick(
        done=piles.done + 1, first=piles.first, trick=trick, winner=winner
    )


def still_led(*given: Any, **trick: Any) -> Position:
    """A fault: the position after a trick, with the suit of that trick still led."""
    return altered(AFTER_TRICK(*given, **trick), led=given[1].led)


def nobody_new_is_out(*given: Any, **trick: Any) -> Position:
    """A fault: the position after a trick, in which no further seats are out."""
    return altered(AFTER_TRICK(*given, **trick), out=given[1].out)


def stock_turned(*given: Any, **trick: Any) -> Position:
    """A fault: the position after a trick, with the stock turned upside down."""
    after = AFTER_TRICK(*given, **trick)
    talon = after.talon
    turned = Talon(talon.stock[::-1], talon.drawn, talon.kitty, talon.kitty_to)
    return altered(after, talon=turned)
