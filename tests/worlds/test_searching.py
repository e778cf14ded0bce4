"""Tests of playouts from possible worlds, and of the policies used in them."""

from collections.abc import Callable
from random import Random
from typing import Any

import attrs
import pytest

from refengine import (
    Malformed,
    Refused,
    Ruleset,
    SeatRecord,
    State,
    new_deal,
    new_match,
)
from refengine.game.acts import Act, Draw, MoonChoice, Pass, Play, Scatter
from refengine.game.observe import View
from refengine.game.values.cardset import CardSet
from refengine.machine.due import position_of
from refengine.machine.random_numbers import Chance
from refengine.worlds import policies
from refengine.worlds.policies import AVOID_POINTS, LOWEST, POLICIES, RANDOM
from refengine.worlds.sampling import worlds
from refengine.worlds.searching import Policy, legal_acts, play_worlds, try_acts
from tests.support.playing import THREE_HANDS, cards_played, some_moment
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts

FOUR = ["2C 9D QH", "5C QS 3H", "JD 4S 2H", "7D KC KH"]
DEALT = new_deal(hearts(), FOUR, dealer=3)


def record_of(state: State, seat: int | None = None) -> SeatRecord:
    return SeatRecord.of(state, state.seat_in_turn if seat is None else seat)


# In one call


def test_every_world_is_played_out_to_a_score_of_its_deal() -> None:
    record = record_of(DEALT.play("2C"))
    outcome = play_worlds(record, 20, seed=3)
    assert len(outcome.scores) == 20
    assert all(sum(score) == 17 for score in outcome.scores)  # four hearts, the queen
    assert sum(outcome.means) == pytest.approx(17)
    assert all(0 < error < 5 for error in outcome.errors)
    assert outcome == play_worlds(record, 20, seed=3)
    assert outcome != play_worlds(record, 20, seed=4)
    assert play_worlds(record, 1).errors == (0, 0, 0, 0)


def dutiful(view: View) -> Act:
    """A policy for seats that have passed: it chooses the first legal act."""
    assert view.legal is not None
    if view.legal.kind == "play":
        return Play(view.seat, next(iter(view.legal.cards)))
    if view.legal.kind == "moon":
        return MoonChoice(view.seat, view.legal.choices[0])
    return Draw(view.seat)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("seed", range(12))
def test_any_moment_of_a_deal_is_played_out_inside_the_rules(
    policy: str, seed: int
) -> None:
    rng = Random(f"{policy} {seed}")
    state = some_moment(rng, rng.randint(1, 25))
    players = state.ruleset.players
    record = record_of(state)
    quick = play_worlds(record, 2, policy, seed)
    assert [len(score) for score in quick.scores] == [players] * 2
    # One act after the other, each judged by the engine, as soon as one is a function.
    if state.phase != "pass":
        slow = play_worlds(record, 2, [dutiful, *[policy] * (players - 1)], seed)
        assert [len(score) for score in slow.scores] == [players] * 2


def by_number(view: View) -> Act:
    """A policy that passes the first card, and then plays the first legal card."""
    if view.table is None:
        return Pass(view.seat, CardSet([next(iter(view.hand))]))
    return dutiful(view)


def scattering(view: View) -> Act:
    """A policy that always scatters the same cards."""
    return Scatter(view.seat, {0: "4C", 2: "QS"})


@pytest.mark.parametrize("policy", POLICIES)
def test_functions_and_names_pass_and_mix_side_by_side(policy: str) -> None:
    for way in ("left", "mix", "scatter"):
        ruleset = hearts(3, pass_cycle=[way], pass_count=1)
        state = new_deal(ruleset, THREE_HANDS, dealer=2)
        for seat in range(3):
            record = record_of(state, seat)
            assert len(play_worlds(record, 4, [policy] * 3).scores) == 4
            if way != "scatter":
                mixed: list[Policy] = [policy, by_number, policy]
                assert len(play_worlds(record, 4, mixed).scores) == 4
        if way == "scatter":
            stubborn: list[Policy] = [policy, scattering, policy]
            with pytest.raises(Refused):  # it goes on to scatter when it has to play
                play_worlds(record_of(state, 1), 1, stubborn)


def test_a_function_that_breaks_the_rules_is_refused() -> None:
    with pytest.raises(Refused):
        play_worlds(record_of(DEALT), 1, lambda view: Play(view.seat, "AS"))


def test_every_legal_act_is_tried_in_the_same_worlds() -> None:
    record = record_of(cards_played(DEALT, "2C 5C"))
    tried = try_acts(record, 25, "lowest", seed=2)
    assert [one.act for one in tried] == [Play(2, "JD"), Play(2, "4S"), Play(2, "2H")]
    again = try_acts(record, 25, "lowest", seed=2, acts=[Play(2, "2H")])
    assert again == tried[2:]
    assert tried[0].mean == tried[0].outcome.means[2]


def test_the_worlds_are_the_same_whatever_is_played_in_them() -> None:
    record = record_of(cards_played(DEALT, "2C 5C"))
    seen: list[tuple[View, ...]] = []

    def spy(view: View) -> Act:
        if not view.history:
            seen.append((attrs.evolve(view, table=None, hearts_broken=False),))
        return dutiful(view)

    acts = [Play(2, "JD"), Play(2, "4S")]
    try_acts(record, 8, ["random", "random", "random", spy], acts=acts)
    assert len({*seen}) > 2
    assert seen[:8] == seen[8:]


def test_there_is_nothing_to_try_for_who_is_not_to_act() -> None:
    assert list(legal_acts(record_of(DEALT, 1))) == []
    with pytest.raises(Malformed, match="no act"):
        try_acts(record_of(DEALT, 1), 5)
    with pytest.raises(Refused):
        try_acts(record_of(DEALT), 5, acts=[Play(0, "9D")])


@pytest.mark.parametrize(
    "policy", ["best", ["random"], [1, 2, 3, 4], ["lowest"] * 5, None, 7]
)
def test_a_policy_has_a_name_and_there_is_one_for_every_seat(policy: object) -> None:
    with pytest.raises(Malformed, match="policy"):
        play_worlds(record_of(DEALT), 1, policy)  # type: ignore[arg-type]  # that is the point


def test_at_least_one_world_is_asked_for() -> None:
    for call in (play_worlds, try_acts):
        with pytest.raises(Malformed, match="at least one world"):
            call(record_of(DEALT), 0)


def test_avoiding_points_is_better_than_chance() -> None:
    state = new_match(Ruleset("openspiel-hearts", 4, {"pass_cycle": []}), dealer=0)
    state = state.apply(state.random_act(Random(1)))
    table = ["avoid points", "random", "random", "random"]
    outcome = play_worlds(record_of(state, 0), 60, table, seed=1)
    assert outcome.means[0] + 3 * outcome.errors[0] < min(outcome.means[1:])


# Card by card


def chosen(policy: int, state: State) -> str:
    """The card that this policy chooses for the seat in turn."""
    cards = state.legal.cards.mask
    rules, position = state.core.rules, position_of(state.core)
    return str(
        CardSet.of_mask(
            policies.card_to_play(policy, rules, position, cards, Chance(1))
        )
    )


def free(*hands: str) -> State:
    """A deal in which any card may be led."""
    ruleset = hearts(
        len(hands),
        opening_leader="left_of_dealer",
        opening_card="any",
        heart_leads="free",
    )
    return new_deal(ruleset, hands, dealer=len(hands) - 1)


def test_the_lowest_policy_plays_the_lowest_rank() -> None:
    assert chosen(LOWEST, free("TC 3S 3H QS", "2C 4C 5C 6C")) == "3S"
    led = free("5C 3S 3H QS", "2C 4C 9C 6H").play("5C")
    assert chosen(LOWEST, led) == "2C"


@pytest.mark.parametrize(
    ("hands", "led", "card"),
    [
        (("3H 4C 9D QS", "2C 5C 6C 7C", "8C 9C TC JC"), "", "4C"),  # cheapest, lowest
        (("TC 4D 9D QD", "2C 5C JC AC", "8C 9C KC QC"), "TC", "5C"),  # highest below
        (("TC 4D 9D QD", "2S JC QC AC", "8C 9C KC 7C"), "TC", "JC"),  # must beat it
        (("TC 4D 9D QD", "2S 3D 5D 6D", "JC KC QC AC"), "TC 6D", "AC"),  # plays last
        (("TS 4D 9D QD", "2S 3D 5D 6D", "QS KS AS 5H"), "TS 2S", "AS"),  # not the queen
        (("TC 4D 9D QD", "2S 3H QS AH", "JC KC QC AC"), "TC", "QS"),  # the dearest
        (("TC 4D 9D QD", "2S 3H KS AH", "JC KC QC AC"), "TC", "AH"),
    ],
)
def test_points_are_avoided(hands: tuple[str, ...], led: str, card: str) -> None:
    assert chosen(AVOID_POINTS, cards_played(free(*hands), led)) == card


def test_of_equal_ranks_the_order_of_the_book_decides() -> None:
    cards = CardSet("KC 2D 2S KS").mask
    assert CardSet.of_mask(policies.lowest_rank(cards)) == CardSet("2D")
    assert CardSet.of_mask(policies.highest_rank(cards)) == CardSet("KS")


def test_the_only_card_is_played_by_every_policy() -> None:
    state = new_deal(hearts(2), ["2C 4S", "3C 5S"], dealer=1)
    for policy in (RANDOM, LOWEST, AVOID_POINTS):
        assert chosen(policy, state) == "2C"


def test_policies_pass_what_they_do_not_want() -> None:
    rules = hearts().rules
    hand = CardSet("2C AC KD QS 3H 4H").mask

    def passed(policy: int) -> str:
        return str(
            CardSet.of_mask(policies.cards_to_pass(policy, rules, hand, 3, Chance(1)))
        )

    assert passed(LOWEST) == "AC KD QS"
    assert passed(AVOID_POINTS) == "QS 3H 4H"
    assert len(CardSet(passed(RANDOM))) == 3


def test_the_dearest_are_those_that_cost_most() -> None:
    rules = hearts(heart_points="face").rules
    cards = CardSet("2C KD QS KH AH").mask
    assert CardSet.of_mask(policies.dearest(rules, cards, 1)) == CardSet("AH")
    assert CardSet.of_mask(policies.dearest(rules, cards, -1)) == CardSet("2C KD")


def test_a_deal_that_is_over_has_its_score() -> None:
    state = new_deal(hearts(2), ["2C", "3C"], dealer=1).play("2C").play("3C")
    assert policies.score_of(state.core, (0, 0), Chance(1)) == state.score


def test_a_moon_is_settled_one_way_or_the_other() -> None:
    ruleset = hearts(3, moon="choice_all")
    start = new_deal(ruleset, ["4C AH", "QS 3H", "2S 2H"], dealer=2)
    state = cards_played(start, "4C QS 2S")
    for moment_ in (start, state, cards_played(state, "AH 3H 2H")):
        for policy in ("random", "lowest"):
            scores = {*play_worlds(record_of(moment_, 0), 30, policy, 1).scores}
            assert {(-16, 0, 0), (0, 16, 16)} <= scores


def test_a_stock_is_drawn_from() -> None:
    """3H costs a point in every world; so does 4H unless it stays in stock (6.8a)."""
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 7C KS")
    for policy in POLICIES:
        for table in (policy, [dutiful, policy], [policy, dutiful]):
            outcome = play_worlds(record_of(state.play("5C")), 20, table)
            assert {*map(sum, outcome.scores)} == {1, 2}


@pytest.mark.parametrize("wrong", [None, "5C", 5])
def test_what_is_no_act_is_not_tried(wrong: Any) -> None:
    record = SeatRecord.of(new_deal(Ruleset("estmesh-hearts"), FOUR, deal=4), 0)
    assert malformed(try_acts, record, 2, acts=[wrong]).where == "acts"


@pytest.mark.parametrize("wrong", [Play(0, "2C"), 5])
def test_acts_to_try_are_a_list(wrong: Any) -> None:
    assert malformed(try_acts, record_of(DEALT), 2, acts=wrong).where == "acts"


@pytest.mark.parametrize("wrong", [DEALT, None])
def test_worlds_are_searched_from_a_record(wrong: Any) -> None:
    """A state shows every hand and is therefore not accepted as a record."""
    calls: tuple[Callable[..., object], ...] = (play_worlds, try_acts, worlds)
    for call in calls:
        assert malformed(call, wrong, 1).where == "record"
    with pytest.raises(Malformed, match="a SeatRecord"):
        list(legal_acts(wrong))


def test_deals_are_too_many_to_be_listed() -> None:
    state = new_match(hearts(), dealer=2)
    assert list(legal_acts(record_of(state, 1))) == []
    with pytest.raises(Malformed, match="found a deal that is due"):
        list(legal_acts(record_of(state, 2)))


@pytest.mark.parametrize("number", [-1, "a", 1.5, True, None])
def test_numbers_and_seeds_are_whole_numbers(number: Any) -> None:
    record = record_of(DEALT)
    for make in (
        lambda: worlds(record, number),
        lambda: worlds(record, 1, seed=number),
        lambda: play_worlds(record, number),
        lambda: play_worlds(record, 1, seed=number),
        lambda: try_acts(record, 1, seed=number),
    ):
        with pytest.raises(Malformed, match="a whole number, 0 or more"):
            make()
    assert worlds(record, 0) == []
