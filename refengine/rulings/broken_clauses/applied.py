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


def clauses_wrongly_forbidding(
    state: State, card: Card, given: CardSet | None = None
) -> tuple[str, ...]:
    """The clauses to name if an engine wrongly forbids this legal card.

    They permit the card, or would forbid it if read too strictly. `given` holds the
    cards that the engine does allow.
    """
    if state.table is None or not state.turn:
        return ("0.12",)
    hand, one = state.hands[state.turn[0]], CardSet([card])
    first = in_first_trick(state)
    if not state.table.cards:
        return _lead_too_strict(state, hand, one, first)
    led = state.table.cards[0].value[1]
    barred = first and bool(state.ruleset.rules.first_trick_barred)
    if card.value[1] == led:
        owed = led == "S" and hand & QUEEN and not one & QUEEN
        if owed and not is_silent("5.6", state):
            return ("5.6",)
        others = given is not None and any(held.value[1] == led for held in given)
        kept = barred and others and one & costly_cards(state)
        return ("5.5",) if kept else ("5.3",)
    if first and one & costly_cards(state):
        return ("5.5a",) if barred else ("5.8",)
    if hand & QUEEN and not one & QUEEN and not is_silent("5.6", state):
        return ("5.6",)
    if one & QUEEN and not is_silent("5.5b", state):
        return ("5.5b",)
    return permitting(state)[:1]


def _lead_too_strict(
    state: State, hand: CardSet, one: CardSet, first: bool
) -> tuple[str, ...]:
    """The clauses to name if an engine wrongly forbids leading the only card in `one`.

    `first` says whether it is the first trick.
    """
    if one & HEARTS:
        if is_silent("5.4", state):  # neither 5.9 nor 5.4a then makes any difference
            return ("0.12",)
        if state.hearts_broken:
            return ("5.9",)
        if not hand - HEARTS:
            return ("5.4a",)
        if not hand - HEARTS - QUEEN:
            return ("5.4b",)
        return ("5.5",) if first and not is_silent("5.5", state) else ("5.4",)
    if first and not is_silent("5.2", state) and one & SUITS["C"]:
        return ("5.2",)
    if one & QUEEN and not is_silent("5.5b", state):
        return ("5.5b",)
    if one & QUEEN and not hand - HEARTS - QUEEN:
        return ("5.4b",)
    if one & SUITS["S"]:
        return ("5.8",)
    return ("5.2",) if first and one & SUITS["C"] else ("0.12",)
