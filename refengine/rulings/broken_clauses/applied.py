"""Clauses that an engine applies too strictly, inferred from the cards it allows.

An engine that forbids a card which the book permits plays as if some clause held when
it does not: for example, the bar on points after the first trick, or the duty to follow
the suit of the trick just finished when leading to the next. Each such misreading
leaves only certain cards of a hand to play, and these cards identify it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from refengine.chapters.cards import penalty_cards
from refengine.game.values.cardset import CARDS, NO_CARDS, Card, CardSet
from refengine.game.values.state import State

QUEEN: Final = CardSet("QS")
SUITS: Final = {
    suit: CardSet([card for card in CARDS if card.value[1] == suit]) for suit in "CDSH"
}
HEARTS: Final = SUITS["H"]
_EMPTY: Final = {
    "5.2": ("opening_card", "any"),
    "5.4": ("heart_leads", "free"),
    "5.5": ("first_trick_points", "allowed"),
    "5.5b": ("queen_waits", "no"),
    "5.6": ("queen_duty", "no"),
}
"""For each clause, the option and the value under which the clause forbids nothing."""


def is_silent(clause: str, state: State) -> bool:
    """Whether an option of this ruleset leaves the clause nothing to forbid."""
    name, value = _EMPTY.get(clause, ("", ""))
    return bool(name) and state.ruleset.options[name] == value


def costly_cards(state: State) -> CardSet:
    """The hearts, the queen of spades, and every penalty card of this ruleset (1.4)."""
    return HEARTS | QUEEN | CardSet.of_mask(penalty_cards(state.core.rules))


def permitting(state: State) -> tuple[str, ...]:
    """The clauses that let the seat to play choose any card that is not forbidden."""
    if state.table is None or not state.table.cards:
        return ("0.12",)
    if state.hands[state.turn[0]] & SUITS[state.table.cards[0].value[1]]:
        return ("5.3", "0.12")
    if state.ruleset.options["undealt"] == "stock":
        return ("6.5", "5.8", "0.12")
    return ("5.8", "0.12")


def in_first_trick(state: State) -> bool:
    """Whether the trick in progress or to be led is the first of its deal."""
    position = state.core.position
    return position is not None and bool(position.piles.first)


def applied_too_far(state: State, given: CardSet) -> tuple[str, ...]:
    """The clauses that would allow exactly the cards in `given` if misread as in force.

    The likeliest misreading comes first. A clause that forbids nothing under the
    ruleset is replaced by the clauses that permit the cards. In a first trick that bars
    points, if the hand holds nothing but cards that cost points, only 5.5a is named,
    whichever cards are given.
    """
    if state.table is None or not state.turn or not given:
        return ()
    hand = state.hands[state.turn[0]]
    barred = in_first_trick(state) and not is_silent("5.5", state)
    if barred and not hand - costly_cards(state):
        return ("5.5a",)
    return _named(state, lambda cards: cards == given)


def excluding(state: State, card: Card) -> tuple[str, ...]:
    """The clauses that, if misread as in force, would forbid this card.

    Misreadings that would forbid every card are left out. A clause that forbids nothing
    under the ruleset is replaced by the clauses that permit the card.
    """
    if state.table is None or not state.turn:
        return ()
    return _named(state, lambda cards: bool(cards) and card not in cards)


def _named(state: State, fits: Callable[[CardSet], bool]) -> tuple[str, ...]:
    found: list[str] = []
    for clause, cards in _readings(state):
        if fits(cards):
            found += permitting(state) if is_silent(clause, state) else (clause,)
    return tuple(dict.fromkeys(found))


def _readings(state: State) -> Iterator[tuple[str, CardSet]]:
    """Pairs of a clause and the cards that it would allow if it were in force here."""
    assert state.table is not None
    hand = state.hands[state.turn[0]]
    penalty = costly_cards(state)
    bonus = str(state.ruleset.options["bonus_card"])
    extra = CardSet([Card(bonus)]) if bonus != "none" else NO_CARDS
    if not state.table.cards:
        if state.history:
            for card in state.history[-1].cards:
                yield "5.3", hand & SUITS[card.value[1]]
        yield "5.4", hand - HEARTS
        yield "5.8", hand - QUEEN
        yield "5.8", state.legal.due.cards - QUEEN
        yield "5.4", hand - HEARTS - QUEEN
        yield "5.5", hand - penalty
        yield "5.5", hand - penalty - extra
        yield "5.2", hand & SUITS["C"]
        if not is_silent("5.5b", state):
            yield "5.5b", state.legal.due.cards - QUEEN
        return
    led = state.table.cards[0].value[1]
    follow = hand & SUITS[led]
    free = follow or hand
    if not follow:
        yield "5.8", hand - HEARTS
    # The bar on points, if kept up after the first trick, would hold back hearts too.
    alone = "5.5" if in_first_trick(state) else permitting(state)[0]
    yield alone, free - QUEEN
    yield "5.5", free - penalty
    yield "5.5", free - penalty - extra
    yield "5.6", free & QUEEN
    if state.ruleset.options["queen_waits"] == "play":
        yield "5.5b", free - QUEEN
    for card in state.table.cards[1:]:
        yield "5.3", hand & SUITS[card.value[1]]
    if state.history:
        for card in state.history[-1].cards:
            yield "5.3", hand & SUITS[card.value[1]]
