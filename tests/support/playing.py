"""Play random games, and make positions that several tests use."""

from collections.abc import Sequence
from random import Random
from typing import Any

from refengine import Ruleset, Scatter, State, new_deal, profile, profile_names
from refengine_conformance.generators.strategies import some_opening, some_script

SMALLEST_AND_LARGEST = [
    (name, players)
    for name in profile_names()
    for players in sorted({min(profile(name).players), max(profile(name).players)})
]
"""Each profile with its smallest and its largest number of players."""

A_SUIT_EACH = ["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H 4H"]
SUITS_SCATTERED = (
    Scatter(0, {1: "2C", 2: "3C", 3: "4C"}),
    Scatter(1, {0: "2D", 2: "3D", 3: "4D"}),
    Scatter(2, {0: "2S", 1: "3S", 3: "4S"}),
    Scatter(3, {0: "2H", 1: "3H", 2: "4H"}),
)
"""What the four hands of `A_SUIT_EACH` scatter."""

THREE_HANDS = ["2C 5C 3H", "4C QS 4H", "JD 4S 5H"]
THREE_SCATTERED = (
    Scatter(0, {1: "2C", 2: "5C"}),
    Scatter(1, {0: "4C", 2: "QS"}),
    Scatter(2, {0: "JD", 1: "4S"}),
)
"""What the three hands of `THREE_HANDS` scatter."""


def played(state: State, rng: Random, most: int = 10_000) -> State:
    """The end of a random game from here on, or its state once it has `most` acts."""
    while not state.over and len(state.acts) < most:
        state = state.apply(state.random_act(rng))
    return state


def some_moment(rng: Random, most: int, changes: int = 4, wild: float = 0.2) -> State:
    """A moment of a small game after at most this many acts, once cards are dealt."""
    while True:
        state = some_opening(rng, "", changes)
        moves = some_script(rng, state, wild, tries=0, most=most).moves
        state = state.after(*[move.act for move in moves])
        if state.core.dealt.hands:
            return state


def dealt(state: State, rng: Random) -> State:
    """The first state, from this one on, in which the cards are dealt."""
    while not state.hands:
        state = state.apply(state.random_act(rng))
    return state


def cards_played(state: State, cards: str) -> State:
    """The state after these cards are played in turn; the word `draw` draws a card."""
    for card in cards.split():
        state = state.draw() if card == "draw" else state.play(card)
    return state


def played_deal(
    ruleset: Ruleset, hands: Sequence[str], cards: str, **start: Any
) -> State:
    """The state of a deal with these hands after these cards are played in turn."""
    return cards_played(new_deal(ruleset, hands, **start), cards)


def legal(state: State) -> str:
    """The cards that may be played, as notation."""
    return str(state.legal.cards)
