"""Tests of which scores a deal can have, compared with deals that were played."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from refengine import WHOLE_PACK, CardSet, Ruleset, State, new_deal, new_match
from refengine.rulings.sheets.deal_scores import can_be_scored, deal_scores
from tests.support.playing import SMALLEST_AND_LARGEST


def scores_of_matches(
    ruleset: Ruleset, matches: int, seed: int
) -> set[tuple[int, ...]]:
    """The scores, each sorted, of all deals of random matches without revokes."""
    chance, found = Random(seed), set()
    for _ in range(matches):
        state = new_match(ruleset)
        while not state.over and state.deal < 30:
            state = state.apply(state.random_act(chance))
            if state.score is not None:
                found.add(tuple(sorted(state.score)))
    return found


@pytest.mark.parametrize(("name", "players"), SMALLEST_AND_LARGEST)
def test_whatever_a_random_deal_scores_is_among_them(name: str, players: int) -> None:
    ruleset = Ruleset(name, players, {"revokes": "rejected"})
    played = scores_of_matches(ruleset, 20, 7)
    assert played
    assert [one for one in played if one not in deal_scores(ruleset)] == []


def test_the_scores_of_plain_hearts_are_those_that_can_be_counted() -> None:
    # Thirteen hearts among four seats, and one of them has the queen; a moon gives
    # 26 to three of them.
    found = {
        tuple(sorted((hearts + 13, *others)))
        for hearts in range(14)
        for a in range(14 - hearts)
        for b in range(14 - hearts - a)
        for others in [(a, b, 13 - hearts - a - b)]
    }
    moon = (0, 0, 0, 26)
    assert {*deal_scores(Ruleset("common-hearts"))} == found - {moon} | {
        (0, 26, 26, 26)
    }
    assert can_be_scored(Ruleset("common-hearts"), [26, 0, 26, 26])
    assert not can_be_scored(Ruleset("common-hearts"), [24, 0, 0, 0])
    assert not can_be_scored(Ruleset("common-hearts"), [26, 0, 0, 0])


def test_where_all_that_costs_lies_in_the_kitty_nobody_scores() -> None:
    """All penalty cards are in the kitty, so no trick wins it (5.13, 8.2a)."""
    options = {"undealt": "kitty", "hand_size": 5}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    kitty = "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    rest = [card for card in WHOLE_PACK if card not in CardSet(kitty)]
    hands = [CardSet(rest[seat * 5 : seat * 5 + 5]) for seat in range(4)]
    more = CardSet(rest[20:])
    state = new_deal(ruleset, hands, dealer=3, deal=4, kitty=CardSet(kitty) | more)
    chance = Random(1)
    while state.score is None:
        state = state.apply(state.random_act(chance))
    assert state.score == (0, 0, 0, 0)
    assert can_be_scored(ruleset, state.score)
    free = {"heart_points": 0, "queen_points": 0, "moon": "none", "bonus_card": "JD"}
    bonus = ruleset.having(**free)  # nothing costs points, so nobody wins the kitty
    assert can_be_scored(bonus, (0, 0, 0, 0))
    assert can_be_scored(bonus, (-10, 0, 0, 0))
    won = ruleset.having(kitty_to="first_trick")
    assert not can_be_scored(won, (0, 0, 0, 0))
    dear = Ruleset("estmesh-hearts", 4, {"undealt": "kitty"})  # no card is over
    assert not can_be_scored(dear, (0, 0, 0, 0))


def test_a_seat_left_with_cards_may_have_won_no_trick() -> None:
    ruleset = Ruleset("pokerwiner-domino", 5, {"no_trick_points": -5})
    played = scores_of_matches(ruleset.having(revokes="rejected"), 60, 7)
    assert [one for one in played if not can_be_scored(ruleset, one)] == []
    assert can_be_scored(ruleset, (-3, 8, 0, 0, 3))


def test_hearts_of_a_stock_are_with_nobody_where_the_rules_leave_them() -> None:
    left, taken = Ruleset("gamerules-domino", 3), Ruleset("pokerwiner-domino", 3)
    assert can_be_scored(left, (1, 4, 2))
    assert not can_be_scored(left, (1, 4, 9))
    assert can_be_scored(taken, (1, 4, 8))
    assert not can_be_scored(taken, (1, 4, 2))


def test_no_more_hearts_are_with_nobody_than_the_stock_has_cards() -> None:
    """Hands of twelve leave a stock of four, so at least nine hearts count (3.6)."""
    ruleset = Ruleset("gamerules-domino", 4, {"hand_size": 12})
    assert can_be_scored(ruleset, (4, 0, 1, 4))
    assert can_be_scored(ruleset, (0, 0, 0, 9))
    assert not can_be_scored(ruleset, (0, 0, 0, 8))
    assert not can_be_scored(ruleset, (0, 0, 0, 0))


def test_only_one_seat_has_cards_of_the_kitty() -> None:
    """Three seats win a trick of four cards each, and one wins the kitty too (5.13)."""
    options = {"undealt": "kitty", "hand_size": 3, "pass_cycle": []}
    ruleset = Ruleset("estmesh-hearts", 4, options)
    assert can_be_scored(ruleset, (4, 6, 16, 0))  # 4 hearts, 6, and 3 with the queen
    assert not can_be_scored(ruleset, (5, 5, 16, 0))


@pytest.mark.parametrize(
    ("options", "pack"),
    [
        ({}, "2C 3C QS 2H 3H 2D"),
        ({"moon": "self_minus"}, "2C 3C QS 2H 3H 2D"),
        ({"moon": "others_plus", "sun_points": 9}, "2C 3C QS 2H 3H 2D"),
        ({"no_trick_points": -5, "moon": "none"}, "2C 3C 4C QS 2H 3H"),
        ({"bonus_card": "JD", "moon": "others_plus"}, "2C 3C QS 2H 3H 4H JD 2D"),
        ({"heart_points": "face"}, "2C 3C 4C 2H 3H 7H"),
        ({"heart_points": "face"}, "2H 3H 5H 6H"),
        ({"heart_points": "face"}, "2H 3H 4H 5H 6H 7H"),
        ({"king_points": 10, "ace_points": 7}, "2C 3C KS AS 2H 3H"),
    ],
)
def test_nothing_else_comes_about_in_any_game_of_a_small_pack(
    options: dict[str, object], pack: str
) -> None:
    base = {"revokes": "rejected", "pass_cycle": [], "limit": "none", "deals": 1}
    ruleset = Ruleset("pokerwiner-hearts", 2, {**base, **options})
    cards = CardSet(pack)
    played = {
        score
        for hand in combinations(cards, len(cards) // 2)
        for score in every_score(new_deal(ruleset, [hand, cards - CardSet(hand)]))
    }
    assert played == {*deal_scores(ruleset, cards)}


def every_score(state: State) -> Iterator[tuple[int, ...]]:
    """The scores, each sorted, of all games that can follow from a state."""
    if state.score is not None:
        yield tuple(sorted(state.score))
        return
    for card in state.legal.cards:
        yield from every_score(state.play(card))
