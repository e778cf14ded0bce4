"""Tests of chapter 8: what a deal costs."""

import pickle
from random import Random
from typing import Any

import pytest

from refengine import WHOLE_PACK, MoonChoice, Play, Ruleset, State, new_deal
from refengine.chapters.score import Haul, moon_choices
from refengine.game.values.cardset import NO_CARDS
from tests.support.playing import cards_played, played_deal
from tests.support.strategies import broken, domino, hearts

# The deal printed in the pokerwiner text


PRINTED = [  # by column West, North, East, South; and who leads
    ("2H 4H 3H 8H", 0, 3),
    ("6H 7H TH 9H", 3, 2),
    ("QH KH JH AD", 2, 1),
    ("AH 5H QS QD", 1, 0),
]


def played_as_printed(hands: list[str]) -> State:
    state = new_deal(Ruleset("pokerwiner-hearts", 4), hands, dealer=3)
    for row, leader, winner in PRINTED:
        cards = row.split()
        assert state.turn == (leader,)
        for turn in range(leader, leader + 4):
            state = state.apply(Play(turn % 4, cards[turn % 4]))
        assert state.history[-1].winner == winner
    return state


def test_the_printed_deal_scores_fifteen_three_four_and_four() -> None:
    hands = [" ".join(row.split()[seat] for row, *_ in PRINTED) for seat in range(4)]
    state = played_as_printed(hands)
    assert state.over
    assert state.score == (15, 3, 4, 4)


@pytest.mark.parametrize("seed", range(20))
def test_the_printed_deal_scores_the_same_whatever_the_other_cards(seed: int) -> None:
    rng = Random(seed)
    hands = [[row.split()[seat] for row, *_ in PRINTED] for seat in range(4)]
    fixed = [card for hand in hands for card in hand]
    free = [card.value for card in WHOLE_PACK if card.value not in fixed]
    rng.shuffle(free)
    free.sort(key=lambda card: card[1] == "D")  # West holds exactly one diamond
    west = [*free[:8], free[-1]]
    rest = rng.sample(free[8:-1], 27)
    hands[0] += west
    for seat in (1, 2, 3):
        hands[seat] += rest[9 * (seat - 1) : 9 * seat]
    state = played_as_printed([" ".join(hand) for hand in hands])
    assert state.points == (15, 3, 4, 4)
    while not state.over:
        state = state.apply(state.random_act(rng))
    assert state.score == (15, 3, 4, 4)


# Moons


def moon(**options: object) -> State:
    """A deal in which seat 0 takes all tricks: the queen, two hearts and JD.

    The queen and the hearts cost 15 together.
    """
    hands = ["2C AD", "QS JD", "2H 4D", "3H 5D"]
    return played_deal(hearts(4, **options), hands, "2C QS 2H 3H AD JD 4D 5D")


def lone_moon(**options: object) -> State:
    """A moon without a sun: seat 0 takes all penalty cards, but seat 1 wins a trick."""
    state = new_deal(hearts(4, **options), ["2C 3D", "QS AD", "2H 4D", "3H 5D"])
    return cards_played(state, "2C QS 2H 3H 3D AD 4D 5D")


@pytest.mark.parametrize(
    ("option", "score"),
    [
        ("none", (15, 0, 0, 0)),
        ("self_minus", (-15, 0, 0, 0)),
        ("others_plus", (0, 15, 15, 15)),
    ],
)
def test_a_fixed_moon_is_settled_as_the_option_says(
    option: str, score: tuple[int, ...]
) -> None:
    assert lone_moon(moon=option).score == score


@pytest.mark.parametrize(
    ("choice", "score"),
    [("self_minus", (-15, 0, 0, 0)), ("others_plus", (0, 15, 15, 15))],
)
def test_under_choice_all_the_shooter_chooses_between_the_two(
    choice: str, score: tuple[int, ...]
) -> None:
    state = lone_moon(moon="choice_all")
    assert (state.phase, state.turn, state.score) == ("moon", (0,), None)
    assert [str(act) for act in state.legal] == ["moon self_minus", "moon others_plus"]
    assert state.apply(MoonChoice(0, choice)).score == score
    assert broken(state, MoonChoice(0, 1)) == ("8.6a",)
    assert broken(state, MoonChoice(0, 0)) == ("8.6a", "8.6b")
    assert broken(state, MoonChoice(1, choice)) == ("2.3",)


@pytest.mark.parametrize(
    ("choice", "score"),
    [
        ("self_minus", (-15, 0, 0, 0)),
        (1, (0, 15, 0, 0)),
        (2, (0, 0, 15, 0)),
        (3, (0, 0, 0, 15)),
    ],
)
def test_under_choice_one_the_shooter_may_name_one_other_seat(
    choice: str | int, score: tuple[int, ...]
) -> None:
    state = lone_moon(moon="choice_one")
    assert state.legal.due.choices == ("self_minus", 1, 2, 3)
    assert state.apply(MoonChoice(0, choice)).score == score
    assert broken(state, MoonChoice(0, 0)) == ("8.6b",)
    assert broken(state, MoonChoice(0, "others_plus")) == ("8.6a",)


def test_a_moon_choice_where_none_is_due_is_out_of_phase() -> None:
    assert broken(lone_moon(moon="others_plus"), MoonChoice(0, "others_plus")) == (
        "2.3",
        "2.4",
    )


@pytest.mark.parametrize(
    "option", ["none", "self_minus", "others_plus", "others_plus_unless_losing"]
)
def test_there_is_nothing_to_choose_under_any_other_moon(option: str) -> None:
    assert moon_choices(hearts(moon=option, limit=100).rules, 0) == ()


def test_the_worth_of_a_moon_is_what_is_in_play() -> None:
    state = lone_moon(moon="others_plus", heart_points=2, queen_points=5)
    assert state.score == (0, 9, 9, 9)


@pytest.mark.parametrize(
    "hands",
    [["2C", "QS", "4D", "5D"], ["2C", "2H", "4D", "3H"], ["2C", "3D", "4D", "5D"]],
)
def test_there_is_no_moon_without_queen_and_heart_in_play(hands: list[str]) -> None:
    ruleset = hearts(moon="self_minus", sun_points=52)  # a moon of nothing would show
    state = cards_played(new_deal(ruleset, hands), " ".join(hands))
    assert state.tricks == (1, 0, 0, 0)
    assert state.score == state.points


def test_the_bonus_card_is_not_needed_for_a_moon_nor_swallowed_by_it() -> None:
    ruleset = hearts(4, moon="others_plus", bonus_card="JD")
    state = new_deal(ruleset, ["2C 3D", "QS JD", "2H 4D", "3H 5D"])
    state = cards_played(state, "2C QS 2H 3H 3D JD 4D 5D")
    assert state.score == (0, 15 - 10, 15, 15)
    assert moon(moon="self_minus", bonus_card="JD").score == (-15 - 10, 0, 0, 0)


def test_all_but_one_penalty_card_are_no_moon_whatever_they_cost() -> None:
    ruleset = hearts(2, moon="self_minus", bonus_card="JD", bonus_points=2)
    state = played_deal(ruleset, ["3C AD 2H", "QS JD 3H"], "3C QS AD JD 2H 3H")
    assert state.score == (13 + 2, 2)


def test_penalties_in_a_stock_or_kitty_of_nobody_prevent_the_moon() -> None:
    kitty = hearts(2, undealt="kitty", removal="none", moon="self_minus")
    state = new_deal(kitty, ["2C 4D", "QS 5D"], kitty="2H")
    taken = cards_played(state, "2C QS 4D 5D")
    assert taken.score == (-14, 0)
    nobody = new_deal(kitty, ["2C", "JD"], kitty="QS 2H")
    assert cards_played(nobody, "2C JD").score == (0, 0)
    stock = domino(2, queen_points=13, moon="self_minus")
    state = new_deal(stock, ["5C", "4C"], dealer=1, stock="QS 2H")
    assert cards_played(state, "5C 4C").score == (0, 0)
    state = new_deal(stock, ["QS", "4S"], dealer=1, stock="2H")
    assert cards_played(state, "QS 4S").score == (13, 0)


# The sun


def test_a_sun_moves_its_own_number_where_it_has_one() -> None:
    assert moon(moon="others_plus", sun_points=52).score == (0, 52, 52, 52)
    assert moon(moon="self_minus", sun_points=52).score == (-52, 0, 0, 0)
    assert moon(moon="self_minus").score == (-15, 0, 0, 0)
    assert lone_moon(moon="self_minus", sun_points=52).score == (-15, 0, 0, 0)


def test_the_sun_is_settled_by_the_same_choice() -> None:
    state = moon(moon="choice_one", sun_points=52)
    assert state.apply(MoonChoice(0, 2)).score == (0, 0, 52, 0)
    assert state.apply(MoonChoice(0, "self_minus")).score == (-52, 0, 0, 0)


def test_all_tricks_without_all_points_are_no_sun() -> None:
    ruleset = domino(2, queen_points=13, moon="self_minus", sun_points=52)
    state = new_deal(ruleset, ["AS", "QS"], dealer=1, stock="2H")
    assert cards_played(state, "AS QS").score == (13, 0)


def test_the_kitty_is_no_trick() -> None:
    ruleset = hearts(
        2, undealt="kitty", removal="none", moon="self_minus", sun_points=52
    )
    state = new_deal(ruleset, ["2C 4D", "QS 5D"], kitty="2H")
    assert cards_played(state, "2C QS 4D 5D").tricks == (1, 1)
    assert cards_played(state, "2C QS 4D 5D").score == (-14, 0)
    state = new_deal(ruleset, ["2C 5D", "QS 4D"], kitty="2H")
    assert cards_played(state, "2C QS 5D 4D").tricks == (2, 0)
    assert cards_played(state, "2C QS 5D 4D").score == (-52, 0)


# Bonus and no trick


@pytest.mark.parametrize(
    ("bonus", "points", "score"),
    [
        ("JD", -10, (3, 2)),
        ("JD", 7, (20, 2)),
        ("TD", -10, (13, 2)),
        ("none", -10, (13, 2)),
    ],
)
def test_who_took_the_bonus_card_adds_its_points(
    bonus: str, points: int, score: tuple[int, ...]
) -> None:
    ruleset = hearts(2, bonus_card=bonus, bonus_points=points)
    state = played_deal(ruleset, ["2C AD 2H", "QS JD 3H"], "2C QS AD JD 2H 3H")
    assert state.points == (13, 2)
    assert state.score == score


def test_seats_without_a_trick_add_their_points_but_not_beside_a_moon() -> None:
    options: dict[str, Any] = {"no_trick_points": -5}
    assert lone_moon(**options).score == (15, 0, -5, -5)
    assert lone_moon(moon="others_plus", **options).score == (0, 15, 15, 15)
    assert moon(moon="self_minus", sun_points=52, **options).score == (-52, 0, 0, 0)


def test_the_deal_is_scored_with_its_last_card() -> None:
    state = played_deal(hearts(2), ["2C 2H", "3C 3H"], "2C 3C 3H")
    assert state.score is None
    assert state.points == (0, 0)
    assert state.play("2H").score == (0, 2)


def test_emptying_the_hand_first_scores_nothing() -> None:
    state = new_deal(domino(2), ["5C", "2C"], dealer=1, stock="")
    assert cards_played(state, "5C 2C").score == (0, 0)


def test_what_a_seat_took_is_a_value() -> None:
    took = Haul(WHOLE_PACK.mask, 13)
    assert took == Haul(WHOLE_PACK.mask, 13) == pickle.loads(pickle.dumps(took))
    assert len({took, Haul(WHOLE_PACK.mask, 13), Haul(WHOLE_PACK.mask, 12)}) == 2
    assert took != Haul(NO_CARDS.mask, 13)
    assert took != (WHOLE_PACK.mask, 13)
