"""Why a card may be played: what the narrowing clauses have to do with it.

The clauses are the functions of the rules, asked one by one; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from refengine.chapters.cards import HEARTS, PACK, Mask, card_at, numbers_of
from refengine.chapters.layout import Position
from refengine.chapters.play import hearts_or_queen, hold_back_hearts
from refengine.chapters.settings import Rules
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.machine.due import position_of
from refengine.machine.position import NARROWING, Narrowing
from refengine.rulings.sentences import Said, why
from refengine.rulings.words import seat_words, suit_words


def would_do(state: State, card: Card) -> dict[str, CardSet]:
    """For each narrowing clause what it leaves of what reaches it and this card."""
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
    """Why this card of the hand in turn may be played, clause by clause."""
    facts: dict[str, Any] = {"who": seat_words(state.turn[0])}
    table = state.table
    if table is not None and table.cards:
        facts["suit"] = suit_words(table.cards[0])
    found = list(
        _reasons(state.core.rules, position_of(state.core), card_at(card.number))
    )
    spade = "leads a spade" if card.suit is Suit.SPADES else "leads"
    for reason in found or [spade]:
        yield why(reason, **facts)


def _reasons(rules: Rules, position: Position, card: Mask) -> Iterator[str]:
    """What the narrowing clauses have to do with a card that none of them takes away.

    A clause speaks where it takes another card away, and where it would take this one
    if the hand held something else.
    """
    allowed = position.hand
    for number, narrow in NARROWING:
        left = narrow(rules, position, allowed)
        reason = ""
        if left != allowed:
            reason = _BITES[number]
        elif _yields(rules, position, narrow, allowed, card):
            reason = _YIELDS[number]
        if number == "5.3" and position.led:
            reason = _following(position, card)
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
    "5.6": "queen must go",
}
_YIELDS: Final = {
    "5.2": "opens freely",
    "5.3": "cannot follow",
    "5.4": "nothing but hearts",
    "5.5": "nothing but points",
    "5.6": "",
}


def _yields(
    rules: Rules, position: Position, narrow: Narrowing, allowed: Mask, card: Mask
) -> bool:
    """Whether the clause would take the card if the hand held some other card too."""
    for number in numbers_of(Mask(PACK & ~position.hand)):
        other = card_at(number)
        hand = Mask(position.hand | other)
        richer = _with(position, hand, position.hearts_broken)
        if not narrow(rules, richer, Mask(allowed | other)) & card:
            return True
    return False


def _following(position: Position, card: Mask) -> str:
    if card & position.led:
        return "drawn suit" if position.drew else "follows"
    return "stock is gone" if position.talon.stock else "cannot follow"


def _leading(rules: Rules, position: Position, card: Mask, reason: str) -> str:
    if hearts_or_queen(rules, position) and reason:
        return "hearts or queen"
    if reason == "no heart" and position.drew:
        return "drawn lead"
    unbroken = _with(position, position.hand, False)
    if (
        position.hearts_broken
        and not hold_back_hearts(rules, unbroken, Mask(card | (PACK & ~HEARTS))) & card
    ):
        return (
            "queen broke hearts" if rules.queen_breaks_hearts else "hearts are broken"
        )
    return reason


def _with(position: Position, hand: Mask, hearts_broken: bool) -> Position:
    """The position with another hand in turn and hearts as said, all else as it is."""
    return Position(
        hands=position.hands,
        talon=position.talon,
        piles=position.piles,
        played=position.played,
        led=position.led,
        table=position.table,
        best=position.best,
        winner=position.winner,
        leader=position.leader,
        turn=position.turn,
        hand=hand,
        drew=position.drew,
        out=position.out,
        hearts_broken=hearts_broken,
        empty=position.empty,
    )
