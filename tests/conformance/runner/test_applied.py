"""Tests of which clause an engine applies too widely, judged by the cards it allows."""

import pytest

from refengine import CardSet, Ruleset, Setup, State
from refengine.rulings.broken_clauses.applied import applied_too_far
from tests.support.playing import cards_played

HANDS = ["2C 3D 5D 6C", "4C QS 2H 2S", "5C 6D 7D 7C", "AC 8D 9D 8C"]
FIRST = "2C 4C 5C AC"


def after(plays: str, hands: list[str], **changed: str) -> State:
    """The state after these plays from these hands, with seat 1 to play."""
    setup = Setup(dealer=3, deal=4, hands=hands)
    state = State.open(Ruleset("estmesh-hearts", 4, changed), setup)
    state = cards_played(state, plays)
    assert state.turn == (1,)
    return state


@pytest.mark.parametrize(
    ("given", "clauses"),
    [
        ("2H 2S", "5.8"),  # the queen alone is held back, hearts are not
        ("2S", "5.5"),  # the bar of the first trick, kept up
        ("QS 2S", "5.8"),  # hearts alone
    ],
)
def test_in_later_tricks_the_bar_holds_hearts_back_too(
    given: str, clauses: str
) -> None:
    state = after(f"{FIRST} 8D 3D", HANDS, first_trick_points="barred")
    assert applied_too_far(state, CardSet(given))[0] == clauses


def test_the_queen_of_a_hand_that_can_follow_is_held_back_by_5_3() -> None:
    """A seat that holds the queen of spades may play it when spades are led."""
    hands = ["2C 3S 5D 6C", "4C QS 2H 2S", "5C 6D 7D 7C", "AC 8S 9D 8C"]
    state = after(f"{FIRST} 8S 3S", hands)
    assert applied_too_far(state, CardSet("2S"))[0] == "5.3"
