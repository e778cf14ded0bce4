"""Preferences of seats among their cards that do not depend on the state of the game.

They bring about situations in which rules differ: one seat takes all tricks, hearts are
played early or late, or the queen is played before any heart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from refengine.chapters.cards import penalty_cards
from refengine.chapters.settings import Rules
from refengine.game.values.cardset import Card, CardSet
from refengine_conformance.tables.layouts import QUEEN

Liking = Callable[[int, Card], float]
"""How much a seat would like to play a card; chance decides among equals."""


def rank_of(card: Card) -> int:
    """The place of a card in its suit, from 0 for the two to 12 for the ace."""
    return card.number % 13


def is_heart(card: Card) -> bool:
    """Whether a card is a heart."""
    return card.number >= 39


def is_heart_or_queen(card: Card) -> bool:
    """Whether a card is a heart or the queen of spades."""
    return is_heart(card) or card == QUEEN


def penalty_cards_under(rules: Rules) -> CardSet:
    """The penalty cards under these rules (1.4)."""
    return CardSet.of_mask(penalty_cards(rules))


def _no_preference(subject: int) -> Liking:
    return lambda seat, card: 0.0


def _hearts_late(subject: int) -> Liking:
    """A preference for playing hearts last: the subject plays high, the others low."""

    def liking(seat: int, card: Card) -> float:
        share = rank_of(card) / 20  # less than 1, so that hearts come last
        by_rank = share if seat == subject else -share
        return by_rank - 1 if is_heart(card) else by_rank

    return liking


def _takes_all(subject: int) -> Liking:
    return lambda seat, card: rank_of(card) if seat == subject else -rank_of(card)


def _hearts_early(subject: int) -> Liking:
    return lambda seat, card: float(is_heart(card))


def _takes_nothing(subject: int) -> Liking:
    return lambda seat, card: -rank_of(card) if seat == subject else rank_of(card)


def _queen_before_hearts(subject: int) -> Liking:
    """A preference of all seats for playing the queen first and hearts last."""

    def liking(seat: int, card: Card) -> float:
        if card == QUEEN:
            return 1
        return -1 if is_heart(card) else 0

    return liking


LIKINGS: Final[tuple[Callable[[int], Liking], ...]] = (
    _no_preference,
    _hearts_late,
    _takes_all,
    _hearts_early,
    _takes_nothing,
    _queen_before_hearts,
)
"""The likings to choose from, each built around one seat."""
