"""Likings: which cards a seat would rather play, whatever the state of the game.

A few of them bring about what rules differ in: tricks all taken by one seat, hearts
early or late, the queen thrown at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from refengine.game.values.cardset import Card
from refengine_conformance.tables.layouts import QUEEN

Liking = Callable[[int, Card], float]
"""How much a seat would like to play a card; chance decides among equals."""


def rank_of(card: Card) -> int:
    """The place of a card in its suit, from 0 for the two to 12 for the ace."""
    return card.number % 13


def is_heart(card: Card) -> bool:
    """Whether a card is a heart."""
    return card.number >= 39


def is_penalty(card: Card) -> bool:
    """Whether a card is a heart or the queen of spades."""
    return is_heart(card) or card == QUEEN


def _no_preference(subject: int) -> Liking:
    return lambda seat, card: 0.0


def _hearts_late(subject: int) -> Liking:
    """Hearts stay unbroken for long."""

    def liking(seat: int, card: Card) -> float:
        high = rank_of(card) / 20 if seat == subject else -rank_of(card) / 20
        return high - is_heart(card)

    return liking


def _takes_all(subject: int) -> Liking:
    return lambda seat, card: rank_of(card) if seat == subject else -rank_of(card)


def _hearts_early(subject: int) -> Liking:
    return lambda seat, card: float(is_heart(card))


def _takes_nothing(subject: int) -> Liking:
    return lambda seat, card: -rank_of(card) if seat == subject else rank_of(card)


def _queen_before_hearts(subject: int) -> Liking:
    return lambda seat, card: (card == QUEEN) - is_heart(card) / 2


LIKINGS: Final[tuple[Callable[[int], Liking], ...]] = (
    _no_preference,
    _hearts_late,
    _takes_all,
    _hearts_early,
    _takes_nothing,
    _queen_before_hearts,
)
"""The likings of a table, each around one seat."""
