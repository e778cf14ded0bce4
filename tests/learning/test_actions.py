"""Tests of acts as numbers: which numbers exist, and that they give the acts back."""

from itertools import permutations
from random import Random

import numpy as np
import pytest

from refengine import WHOLE_PACK, Malformed, State, new_deal, new_match
from refengine.game import acts
from refengine.learning.actions import act_for, action_mask, choices, numbers_for
from tests.support.playing import A_SUIT_EACH, played_deal
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts, moments, some_opening


def acts_by_numbers(
    state: State, seat: int, given: tuple[int, ...] = ()
) -> set[acts.Act]:
    """Every act that this seat can build number by number, after the numbers given."""
    found: set[acts.Act] = set()
    for number in choices(state, seat, given):
        act = act_for(state, seat, number, given)
        found |= (
            acts_by_numbers(state, seat, (*given, number)) if act is None else {act}
        )
    return found


@pytest.mark.parametrize("seed", range(60))
def test_the_numbers_make_the_legal_acts_and_no_others(seed: int) -> None:
    rng = Random(seed)
    state = some_opening(rng, pass_count=rng.choice([1, 2]))
    for moment in moments(state, rng, 25):
        if moment.phase not in ("pass", "play", "moon"):
            continue
        if moment.phase == "pass" and moment.legal.due.ways > 100:
            continue  # too many to be tried one by one
        for seat in range(moment.ruleset.players):
            legal = {act for act in moment.legal if act.seat == seat}
            assert acts_by_numbers(moment, seat) == legal


@pytest.mark.parametrize("seed", range(40))
def test_an_act_has_the_numbers_that_make_it(seed: int) -> None:
    rng = Random(seed)
    state = some_opening(rng)
    for _ in range(30):
        if state.over:
            break
        act = state.random_act(rng)
        if state.phase not in ("cut", "deal", "mix"):
            given: list[int] = []
            *first, last = numbers_for(act, state.ruleset.players)
            for number in first:
                assert act_for(state, act.seat, number, given) is None
                given.append(number)
            assert act_for(state, act.seat, last, given) == act
        state = state.apply(act)


def test_cards_have_the_numbers_of_the_book() -> None:
    assert [numbers_for(acts.Play(0, one), 4) for one in WHOLE_PACK] == [
        (number,) for number in range(52)
    ]


def test_the_other_acts_have_theirs() -> None:
    assert numbers_for(acts.Draw(2), 4) == (52,)
    assert numbers_for(acts.PassUnseen(2), 4) == (53,)
    assert numbers_for(acts.MoonChoice(2, "self_minus"), 4) == (54,)
    assert numbers_for(acts.MoonChoice(2, "others_plus"), 4) == (55,)
    # seats 3, 0 and 1 are one, two and three places to the left of seat 2
    assert [numbers_for(acts.MoonChoice(2, seat), 4) for seat in (3, 0, 1)] == [
        (56,),
        (57,),
        (58,),
    ]
    assert numbers_for(acts.MoonChoice(12, 11), 13) == (67,)


@pytest.mark.parametrize(("shooter", "other"), [(0, 0), (0, 2), (1, 4)])
def test_a_moon_goes_to_another_seat_of_the_table(shooter: int, other: int) -> None:
    with pytest.raises(Malformed, match="another seat of the table"):
        numbers_for(acts.MoonChoice(shooter, other), 2)


def test_a_moon_is_shot_by_a_seat_of_the_table() -> None:
    with pytest.raises(Malformed, match="found seat 4; allowed: a seat from 0 to 3"):
        numbers_for(acts.MoonChoice(4, 0), 4)


def test_a_card_of_a_scatter_goes_to_another_seat_of_the_table() -> None:
    act = acts.Scatter(1, {4: "4S", 0: "2S"})
    assert numbers_for(act, 5) == (28, 26)
    with pytest.raises(Malformed, match="another seat of the table"):
        numbers_for(act, 4)


def test_the_cards_of_a_scatter_go_round_from_the_left() -> None:
    act = acts.Scatter(2, {3: "4S", 0: "2S", 1: "3S"})
    assert numbers_for(act, 4) == (28, 26, 27)
    state = new_deal(hearts(pass_cycle=["scatter"]), A_SUIT_EACH)
    assert act_for(state, 2, 27, (28, 26)) == act


def test_a_card_given_is_not_given_twice() -> None:
    state = new_deal(hearts(pass_cycle=["left"], pass_count=2), A_SUIT_EACH)
    assert choices(state, 0) == [0, 1, 2]
    assert choices(state, 0, [1]) == [0, 2]
    with pytest.raises(Malformed, match="found 1; allowed: 0, 2"):
        act_for(state, 0, 1, [1])
    assert {act_for(state, 0, b, [a]) for a, b in permutations(range(3), 2)} == {
        acts.Pass(0, "2C 3C"),
        acts.Pass(0, "2C 4C"),
        acts.Pass(0, "3C 4C"),
    }


def test_a_card_that_the_seat_does_not_hold_cannot_be_given() -> None:
    state = new_deal(hearts(pass_cycle=["left"], pass_count=2), A_SUIT_EACH)
    for asked in (choices, action_mask):
        with pytest.raises(Malformed, match="given: found 51; allowed: 0, 1, 2"):
            asked(state, 0, [51])
    with pytest.raises(Malformed, match="given: found 51; allowed: 0, 1, 2"):
        act_for(state, 0, 0, [51])


def test_who_has_begun_to_pass_cards_no_longer_forwards() -> None:
    ruleset = hearts(pass_cycle=["left"], pass_count=2, pass_unseen=True)
    state = new_deal(ruleset, A_SUIT_EACH)
    assert choices(state, 3) == [39, 40, 41, 53]
    assert choices(state, 3, [39]) == [40, 41]
    assert act_for(state, 3, 53) == acts.PassUnseen(3)


def test_a_draw_that_is_due_is_the_only_choice() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C").play("5C")
    assert choices(state, 1) == [52]
    assert choices(state, 0) == []


def test_the_mask_has_a_one_for_each_choice() -> None:
    state = played_deal(hearts(3, moon="choice_one"), ["4C", "QS", "2H"], "4C QS 2H")
    mask = action_mask(state, 0)
    assert mask.shape == (68,)
    assert mask.dtype == np.int8
    assert np.flatnonzero(mask).tolist() == [54, 56, 57]
    assert not action_mask(state, 1).any()
    assert act_for(state, 0, np.int32(57)) == acts.MoonChoice(0, 2)


@pytest.mark.parametrize("number", [-1, 3, 52, 68, 1.0, "2C", None, 10**30])
def test_what_is_no_choice_is_malformed(number: object) -> None:
    state = new_deal(hearts(), A_SUIT_EACH)
    error = malformed(act_for, state, 0, number)
    assert (error.allowed, error.where) == ("0", "action")
    with pytest.raises(Malformed, match="none, out of turn"):
        act_for(state, 1, number)


@pytest.mark.parametrize(
    "act",
    [
        acts.Cut(0, "2C"),
        acts.Deal(0, A_SUIT_EACH),
        acts.Mix(0, A_SUIT_EACH),
        acts.Retract(0, "2C"),
        acts.QuitTrick(0),
        acts.Claim(0, 1, 1),
        "2C",
    ],
    ids=str,
)
def test_what_is_not_chosen_has_no_number(act: acts.Act) -> None:
    with pytest.raises(Malformed):
        numbers_for(act, 4)


def test_there_is_nothing_to_choose_before_the_deal_and_after_the_end() -> None:
    assert choices(new_match(hearts()), 0) == []
    ended = new_deal(hearts(2), ["2C", "3C"]).play("2C").play("3C")
    assert choices(ended, 0) == choices(ended, 1) == []
