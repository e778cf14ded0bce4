"""Errors planted in the end of a trick, which proofs and exhaustion are to find."""

from typing import Any

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Position
from refengine.machine import position

AFTER_TRICK = vars(position)["_after_trick"]


def altered(right: object, **fields: Any) -> Position:
    """This position with other values in these fields."""
    return Position(**(vars(right) | fields))


def trick_uncounted(piles: Any, trick: Mask, winner: int) -> Any:
    """The piles with this trick, which is not counted among those completed."""
    return piles.with_won_trick(
        done=piles.done, first=False, trick=trick, winner=winner
    )


def still_first(piles: Any, trick: Mask, winner: int) -> Any:
    """The piles with this trick, and the next one the first if this was."""
    return piles.with_won_trick(
        done=piles.done + 1, first=piles.first, trick=trick, winner=winner
    )


def still_led(*given: Any, **trick: Any) -> Position:
    """The position after a trick, with its suit still led."""
    return altered(AFTER_TRICK(*given, **trick), led=given[1].led)


def nobody_new_is_out(*given: Any, **trick: Any) -> Position:
    """The position after a trick, with nobody out who was not before."""
    return altered(AFTER_TRICK(*given, **trick), out=given[1].out)
