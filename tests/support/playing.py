"""Games played at random."""

from random import Random

from refengine import State, profile, profile_names

SMALLEST_AND_LARGEST = [
    (name, players)
    for name in profile_names()
    for players in sorted({min(profile(name).players), max(profile(name).players)})
]
"""Each profile with as few players as it is for, and with as many."""


def played(state: State, rng: Random, most: int = 10_000) -> State:
    """The end of a game played on from here, or its state with so many acts."""
    while not state.over and len(state.acts) < most:
        state = state.apply(state.random_act(rng))
    return state


def dealt(state: State, rng: Random) -> State:
    """The first state of a match in which somebody holds cards."""
    while not state.hands:
        state = state.apply(state.random_act(rng))
    return state


def cards_played(state: State, cards: str) -> State:
    """The state after these cards, each played by the seat in turn."""
    for card in cards.split():
        state = state.play(card)
    return state
