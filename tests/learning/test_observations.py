"""Tests that observations contain all that a seat may know, and nothing else."""

from random import Random
from typing import Any

import numpy as np
import pytest

from refengine import Malformed, Ruleset, Setup, State, card, new_deal, new_match
from refengine.game.acts import Act, Claim, Play
from refengine.game.shuffling import random_deal
from refengine.learning.actions import act_for, choices
from refengine.learning.observations import (
    KINDS,
    Observation,
    numbers,
    observation_of,
    planes,
    view,
)
from refengine.learning.tables_env import TablesEnv
from tests.project import test_properties as properties
from tests.support.playing import (
    A_SUIT_EACH,
    SUITS_SCATTERED,
    played,
    played_deal,
)
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts, moments, some_opening


def plane(seen: Observation, name: str) -> list[list[int]]:
    """The card numbers in each row of the planes of this name."""
    players = (len(seen["planes"]) - 5) // 2
    return [
        np.flatnonzero(row).tolist() for row in seen["planes"][planes(players)[name]]
    ]


def listed(seen: Observation, name: str) -> list[int]:
    """The numbers that an observation has under this name."""
    players = (len(seen["planes"]) - 5) // 2
    found: list[int] = seen["numbers"][numbers(players)[name]].tolist()
    return found


def same(one: Observation, other: Observation) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


def check_views(seeds: range, **fixed: Any) -> None:
    for seed in seeds:
        rng = Random(seed)
        for state in moments(some_opening(rng, **fixed), rng, 70):
            for seat in range(state.ruleset.players):
                assert view(observation_of(state, seat), seat) == state.observe(seat)


def test_the_view_can_be_read_back_from_the_observation() -> None:
    check_views(range(25))


@pytest.mark.parametrize(
    "fixed",
    [
        {"undealt": "stock", "hand_size": 4},
        {"undealt": "kitty", "pass_cycle": ["scatter", "mix"], "mix_kitty": True},
        {"moon": "choice_one", "revokes": "penalised"},
        {"pass_cycle": ["left", "across"], "pass_unseen": True},
    ],
    ids=str,
)
def test_so_it_can_with_stock_kitty_passes_moons_and_revokes(
    fixed: dict[str, Any],
) -> None:
    check_views(range(8), **fixed)


# Nothing else


def seen_alike(seat: int, one: State, other: State, given: list[int]) -> bool:
    due = seat in one.turn and one.phase == "pass"
    chosen = given if due else []
    return same(observation_of(one, seat, chosen), observation_of(other, seat, chosen))


def check_secrets(seeds: range, **fixed: Any) -> int:
    """Check that exchanging two hidden cards does not change what a seat observes.

    Return the number of exchanges compared.
    """
    compared = 0
    for seed in seeds:
        rng = Random(seed)
        state = properties.before_the_score(
            some_opening(rng, **fixed), rng, rng.randint(1, 40)
        )
        if not state.hands:
            continue
        seat = rng.randrange(state.ruleset.players)
        given = [one.number for one in state.hands[seat]][:1]
        ours = properties.replay(state)
        for pair in properties.secret_pairs(state, seat, rng)[:3]:
            theirs = properties.replayed(state, *pair)
            # whose lead it is tells of the lowest club (5.1): no secret
            if theirs and theirs[-1] != state and theirs[-1].turn == state.turn:
                for one, other in zip(ours, theirs, strict=True):
                    assert seen_alike(seat, one, other, given)
                compared += 1
    return compared


@pytest.mark.parametrize(
    ("fixed", "at_least"),
    [
        ({}, 15),
        ({"undealt": "stock", "hand_size": 4}, 12),
        ({"undealt": "kitty"}, 8),
        (
            {
                "pass_cycle": ["left", "across", "scatter", "mix"],
                "pass_count": 2,
                "pass_unseen": True,
                "undealt": "kitty",
                "mix_kitty": True,
            },
            10,
        ),
    ],
    ids=str,
)
def test_what_a_seat_cannot_know_changes_no_number(
    fixed: dict[str, Any], at_least: int
) -> None:
    assert check_secrets(range(16), **fixed) >= at_least


def test_whether_a_card_was_a_revoke_changes_no_number() -> None:
    ruleset = Ruleset("dominorules-tiles", 4)
    honest = new_deal(ruleset, ["2C 9D", "3H 6H", "4C 7S", "KC 8S"], dealer=3, deal=4)
    false = new_deal(ruleset, ["2C 9D", "3H 5C", "4C 7S", "KC 8S"], dealer=3, deal=4)
    acts = (Play(0, "2C"), Play(1, "3H"), Play(2, "4C"), Play(3, "KC"))
    for act in acts:
        honest, false = honest.apply(act), false.apply(act)
        for seat in (0, 2, 3):
            assert seen_alike(seat, honest, false, [])
    assert false.revokes
    assert not honest.revokes


# As seen from the seat


def chosen_act(state: State, seat: int, rng: Random) -> tuple[Act, list[int]]:
    """An act made by choosing numbers at random, together with those numbers."""
    given: list[int] = []
    while True:
        number = rng.choice(choices(state, seat, given))
        act = act_for(state, seat, number, given)
        given.append(number)
        if act is not None:
            return act, given


@pytest.mark.parametrize(
    "ruleset",
    [
        hearts(5, pass_cycle=["left"], moon="choice_one"),
        hearts(4, pass_cycle=["scatter"]),
        hearts(4, pass_cycle=["right"], direction="counterclockwise"),
        domino(3),
    ],
    ids=repr,
)
def test_the_table_turned_looks_the_same_to_who_is_turned_with_it(
    ruleset: Ruleset,
) -> None:
    players = ruleset.players
    rng = Random(repr(ruleset))
    deal = random_deal(new_match(ruleset, dealer=0).core, 0, rng)
    turned = [deal.hands[-1], *deal.hands[:-1]]
    ours = new_deal(ruleset, deal.hands, dealer=0, stock=deal.stock)
    theirs = new_deal(ruleset, turned, dealer=1, stock=deal.stock)
    while not ours.over:
        for seat in range(players):
            one = observation_of(ours, seat)
            assert same(one, observation_of(theirs, (seat + 1) % players))
        seat = rng.choice(ours.turn)
        act, made_by = chosen_act(ours, seat, rng)
        other = (seat + 1) % players
        again = [
            act_for(theirs, other, one, made_by[:at]) for at, one in enumerate(made_by)
        ]
        assert again[-1] is not None
        ours, theirs = ours.apply(act), theirs.apply(again[-1])


@pytest.mark.parametrize("players", [0, 1, 14, 99])
def test_there_are_two_to_thirteen_players(players: int) -> None:
    assert planes(2)["taken"] == slice(7, 9)
    assert numbers(13)["cut"].stop == 12 + 8 * 13
    for rows in (planes, numbers):
        with pytest.raises(Malformed, match="a number from 2 to 13"):
            rows(players)


def test_the_rows_are_what_their_names_say() -> None:
    state = new_deal(hearts(pass_cycle=["left"], pass_count=1), A_SUIT_EACH, dealer=3)
    seen = observation_of(state, 1, [15])  # 4D
    assert plane(seen, "hand") == [[13, 14, 15]]
    assert plane(seen, "passed") == [[15]]
    assert listed(seen, "due") == [KINDS.index("pass")]
    assert listed(seen, "turn") == [1, 1, 1, 1]
    assert listed(seen, "ways") == [3]
    assert listed(seen, "way") == [1]
    assert listed(seen, "has_passed") == [0]
    assert listed(seen, "held") == [3, 3, 3, 3]
    assert listed(seen, "leader") == [-1]
    assert listed(seen, "cut") == [-2, -2, -2, -2]


def test_in_play_seats_are_counted_from_the_one_that_sees() -> None:
    state = played_deal(hearts(), A_SUIT_EACH, "2C 3D", dealer=3, totals=[1, 2, 3, 4])
    seen = observation_of(state, 3)
    # seat 3 sees itself first, then 0, 1 and 2
    assert plane(seen, "played") == [[], [0], [14], []]
    assert plane(seen, "table") == [[0, 14]]
    assert listed(seen, "leader") == [1]
    assert listed(seen, "held") == [3, 2, 2, 3]
    assert listed(seen, "totals") == [4, 1, 2, 3]
    assert (listed(seen, "due"), listed(seen, "turn")) == ([-1], [0, 0, 0, 0])
    assert plane(seen, "playable") == [[]]
    state = state.play("2S")
    seen = observation_of(state, 3)
    assert listed(seen, "due") == [KINDS.index("play")]
    assert plane(seen, "playable") == [[39, 40, 41]]
    assert seen["record"][:2, [0, 14, 26]].tolist() == [[1, 2, 3], [1, 1, 1]]
    seen = observation_of(state.play("4H"), 0)
    assert plane(seen, "taken") == [[0, 14, 26, 41], [], [], []]
    assert listed(seen, "points") == [1, 0, 0, 0]


def test_who_passed_what_to_whom_in_a_scatter() -> None:
    state = new_deal(hearts(pass_cycle=["scatter"]), A_SUIT_EACH)
    seen = observation_of(state, 2, [26, 28])
    assert listed(seen, "passed_to") == [-1, 26, 28, -1]
    seen = observation_of(state.after(*SUITS_SCATTERED), 2)
    # to seats 3, 0 and 1: 4S, 2S and 3S; from them: 4H, 3C and 3D
    assert listed(seen, "passed_to") == [-1, 28, 26, 27]
    assert listed(seen, "received_from") == [-1, 41, 1, 14]
    assert plane(seen, "received") == [[1, 14, 41]]


def test_drawn_cards_are_shown_in_their_order() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C KS")
    state = state.play("5C").draw().draw()
    seven, four = card("7C").number, card("4H").number
    assert observation_of(state, 1)["record"][2, [four, seven]].tolist() == [1, 2]
    assert not observation_of(state, 0)["record"][2].any()
    assert not observation_of(state.play("7C"), 1)["record"][2].any()


def test_a_seat_that_is_not_at_the_table_sees_nothing() -> None:
    state = new_deal(hearts(), A_SUIT_EACH)
    for seat in (-1, 4):
        with pytest.raises(Malformed):
            observation_of(state, seat)


def test_a_trick_that_a_claim_ends_is_off_the_table() -> None:
    ruleset = Ruleset("pokerwiner-hearts", 3)
    state = new_deal(ruleset, ["2C 4D 6D", "3C 3H 5D", "7C 8C 9D"], dealer=2)
    state = state.play("2C").play("3H").play("7C").play("9D")
    assert plane(observation_of(state, 0), "table") == [[20]]
    ended = state.apply(Claim(0, against=1, trick=1))
    assert ended.over
    seen = observation_of(ended, 0)
    assert plane(seen, "table") == [[]]
    assert view(seen, 0) == ended.observe(0)


def test_a_stock_taken_at_the_end_lies_in_the_hand_of_whoever_took_it() -> None:
    ruleset = Ruleset("pokerwiner-domino", 2)
    state = played_deal(ruleset, ["5C", "2C"], "5C 2C", dealer=1, stock="4H 7C")
    assert state.over
    for seat in (0, 1):
        assert view(observation_of(state, seat), seat) == state.observe(seat)
    # Nobody survives, so who played last takes it (6.8b).
    assert listed(observation_of(state, 1), "held") == [2, 0]
    assert listed(observation_of(state, 0), "stock") == [0]


def test_a_position_as_found_shows_the_points_of_its_piles_but_no_cards() -> None:
    setup = Setup(
        dealer=3,
        hands=["3C 4C", "3D 4D", "3S 4S", "3H 4H"],
        leader=0,
        taken=["2C 2D 2S 2H", "", "", ""],
        tricks=[1, 0, 0, 0],
    )
    seen = observation_of(State.open(hearts(), setup), 0)
    assert plane(seen, "taken") == [[], [], [], []]
    assert listed(seen, "points") == [1, 0, 0, 0]
    assert not seen["record"].any()


@pytest.mark.parametrize("wrong", [None, {}, {"planes": 3}, {"planes": [[1], [1, 2]]}])
def test_only_an_observation_is_turned_back_into_a_view(wrong: Any) -> None:
    assert malformed(view, wrong, 0).where == "observation"


@pytest.mark.parametrize("tables", [1, 8, 13])
def test_the_observations_of_many_tables_are_no_observation(tables: int) -> None:
    seen, _ = TablesEnv(hearts(), tables).reset(seed=1)
    assert malformed(view, seen, 0).where == "observation"


def test_totals_of_more_than_32_bits_are_not_observed() -> None:
    state = new_deal(hearts(), A_SUIT_EACH, dealer=3, totals=[2**31 - 1] * 4)
    assert observation_of(state, 0)
    assert malformed(observation_of, played(state, Random(1)), 0).where == "state"
