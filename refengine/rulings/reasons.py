"""The reasons why a card may be played, found from the narrowing clauses.

The clause functions of the rules are called one by one; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from refengine.chapters.cards import (
    CLUBS,
    HEARTS,
    PACK,
    QUEEN,
    Mask,
    card_at,
    numbers_of,
)
from refengine.chapters.layout import Position
from refengine.chapters.play import hearts_or_queen, hold_back_hearts
from refengine.chapters.settings import ANY_CLUB, STOCK, Rules
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.machine.altered import with_hand
from refengine.machine.due import position_of
from refengine.machine.position import NARROWING, Narrowing
from refengine.rulings.sentences import Said, why_allowed
from refengine.rulings.words import seat_words, suit_words


def narrowed_with_card(state: State, card: Card) -> dict[str, CardSet]:
    """The cards that each narrowing clause leaves, by the number of the clause.

    Each clause is applied to the cards that the clauses before it leave, plus `card`.
    Outside play the result is empty.
    """
    if state.phase != "play":
        return {}
    rules, position = state.core.rules, position_of(state.core)
    found, allowed = {}, position.hand
    for number, narrow in NARROWING:
        asked = Mask(allowed | card_at(card.number))
        found[number] = CardSet.of_mask(narrow(rules, position, asked))
        allowed = narrow(rules, position, allowed)
    return found


def why_a_card(state: State, card: Card) -> Iterator[Said]:
    """Why the seat to play may play this card from its hand, clause by clause."""
    facts: dict[str, Any] = {"who": seat_words(state.turn[0])}
    table = state.table
    if table is not None and table.cards:
        facts["suit"] = suit_words(table.cards[0])
    found = list(
        _reasons(state.core.rules, position_of(state.core), card_at(card.number))
    )
    spade = "leads a spade" if card.suit is Suit.SPADES else "leads"
    for reason in found or [spade]:
        yield why_allowed(reason, **facts)


def _reasons(rules: Rules, position: Position, card: Mask) -> Iterator[str]:
    """The names of the reasons why the narrowing clauses do not rule out a card.

    As a rule, a clause gives a reason if it rules out another card, or would rule out
    this one from a different hand. Once a suit has been led, 5.3 always gives one.
    """
    allowed = position.hand
    for number, narrow in NARROWING:
        left = narrow(rules, position, allowed)
        reason = ""
        if left != allowed:
            reason = _BITES[number]
        elif _yields(rules, position, narrow, allowed, card):
            reason = _YIELDS[number]
        if number == "5.2" and reason and card & CLUBS:
            reason = _BITES[number]  # it bites, though no other card is left to bar
        if reason == "opens" and rules.opening_card == ANY_CLUB:
            reason = "opens with a club"
        if number == "5.3" and position.led:
            reason = _following(rules, position, card)
        if number == "5.4":
            reason = _leading(rules, position, card, reason)
        if reason:
            yield reason
        allowed = left


_BITES: Final = {
    "5.2": "opens",
    "5.3": "follows",
    "5.4": "no heart",
    "5.5": "no points",
    "5.5b": "queen waits",
    "5.6": "queen must go",
}
_YIELDS: Final = {
    "5.2": "opens freely",
    "5.3": "cannot follow",
    "5.4": "nothing but hearts",
    "5.5": "nothing but points",
    "5.5b": "nothing but the queen",
    "5.6": "",
}


def _yields(
    rules: Rules, position: Position, narrow: Narrowing, allowed: Mask, card: Mask
) -> bool:
    """Whether the clause would bar the card if the hand also held some further card."""
    for number in numbers_of(Mask(PACK & ~position.hand)):
        other = card_at(number)
        hand = Mask(position.hand | other)
        richer = with_hand(position, hand, position.hearts_broken)
        if not narrow(rules, richer, Mask(allowed | other)) & card:
            return True
    return False


def _following(rules: Rules, position: Position, card: Mask) -> str:
    """The name of the reason why a card may be played to a suit that was led (5.3)."""
    if card & position.led:
        return "drawn suit" if position.drew else "follows"
    return "stock is gone" if rules.undealt == STOCK else "cannot follow"


def _leading(rules: Rules, position: Position, card: Mask, reason: str) -> str:
    """The name of the reason of 5.4: `reason`, or one that says more of the lead."""
    if reason and position.hand & QUEEN and hearts_or_queen(rules, position):
        return "hearts or queen"
    if reason == "no heart" and position.drew:
        return "drawn lead"
    unbroken = with_hand(position, position.hand, False)
    if (
        position.hearts_broken
        and not hold_back_hearts(rules, unbroken, Mask(card | (PACK & ~HEARTS))) & card
    ):
        return (
            "queen broke hearts" if rules.queen_breaks_hearts else "hearts are broken"
        )
    return reason
