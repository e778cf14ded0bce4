"""Conversions between cards, masks and numbers, and checks of what users give."""

from __future__ import annotations

from random import Random
from typing import Any, SupportsIndex

from refengine.chapters.cards import Mask
from refengine.errors import Malformed, shown, whole_number
from refengine.game.values.cardset import Card, CardSet


def masks_of(sets: tuple[CardSet, ...]) -> tuple[Mask, ...]:
    """The masks of these sets, in the same order."""
    return tuple(one.mask for one in sets)


def sets_of(masks: tuple[Mask, ...]) -> tuple[CardSet, ...]:
    """The sets that have these masks, in the same order."""
    return tuple(CardSet.of_mask(mask) for mask in masks)


def numbers_in(cards: tuple[Card, ...]) -> tuple[int, ...]:
    """The numbers of these cards, 0 to 51, in the same order."""
    return tuple(card.number for card in cards)


def number_given(number: SupportsIndex) -> int:
    """The number of a card, from 0 to 51, as a plain `int`.

    Raises Malformed for anything else.
    """
    whole: int | None
    if isinstance(number, int) and not isinstance(number, bool):
        whole = number  # no call: play by numbers is the fast way
    else:
        whole = whole_number(number)
    if whole is None or not 0 <= whole <= 51:
        raise Malformed(shown(number)[:40], "the number of a card, from 0 to 51")
    return whole


def random_given(rng: Any) -> Random:
    """The given random generator, which may be any object with a `random()` method.

    Raises Malformed for anything else, such as a seed.
    """
    if isinstance(rng, type) or not callable(getattr(rng, "random", None)):
        wanted = "random.Random(SEED), or another that has random()"
        raise Malformed(shown(rng)[:40], wanted)
    found: Random = rng
    return found


def seat_given(seat: object, players: int) -> int:
    """The given seat as a plain `int`, from 0 to one less than `players`.

    Raises Malformed for anything else.
    """
    whole: int | None
    if isinstance(seat, int) and not isinstance(seat, bool):
        whole = seat  # no call: every seat is observed at every act
    else:
        whole = whole_number(seat)
    if whole is None or not 0 <= whole < players:
        found = f"seat {shown(seat)[:40]}"
        raise Malformed(found, f"a seat from 0 to {players - 1}", "seat")
    return whole
