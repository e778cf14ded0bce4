"""Tests of chapter 4: passing."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import (
    CardSet,
    Deal,
    Legal,
    Mix,
    Pass,
    PassUnseen,
    Scatter,
    State,
    new_deal,
    new_match,
)
from refengine.chapters.passing import pass_of_deal
from refengine.chapters.settings import ACROSS, HOLD, LEFT, MIX, RIGHT, SCATTER
from tests.support.depth import depth
from tests.support.playing import A_SUIT_EACH, SUITS_SCATTERED
from tests.support.strategies import broken, hearts

FOUR = A_SUIT_EACH
WAYS = ["left", "right", "across", "hold", "scatter", "mix"]


def passing(way: str, hands: list[str] | None = None, **options: Any) -> State:
    hands = FOUR if hands is None else hands
    return new_deal(
        hearts(len(hands), pass_cycle=[way], pass_count=1, **options), hands
    )


def hands_after(state: State, *cards: str) -> list[str]:
    acts = [
        Pass(seat, card) if card else PassUnseen(seat)
        for seat, card in enumerate(cards)
    ]
    return [str(hand) for hand in state.after(*acts).hands]


# The cycle


@pytest.mark.parametrize("players", [2, 3, 4, 5, 10, 13])
@given(cycle=st.lists(st.sampled_from(WAYS), max_size=6), deal=st.integers(1, 40))
def test_the_number_of_the_deal_finds_its_entry_of_the_cycle(
    players: int, cycle: list[str], deal: int
) -> None:
    rules = hearts(players, pass_cycle=cycle, removal="lowest").rules
    codes = dict(zip(WAYS, (LEFT, RIGHT, ACROSS, HOLD, SCATTER, MIX), strict=True))
    at_table = [way for way in cycle if players % 2 == 0 or way != "across"]
    expected = at_table[(deal - 1) % len(at_table)] if at_table else "hold"
    assert pass_of_deal(rules, deal) == codes[expected]


def test_the_cycle_counts_the_deals_of_the_match() -> None:
    ruleset = hearts(deals=6, pass_cycle=["left", "right", "hold", "mix"], pass_count=1)
    state = new_match(ruleset, dealer=0, pack="2C 3C 4C 5C")
    rng = Random(0)
    phases: list[list[str]] = []
    while not state.over:
        if state.phase == "deal":
            phases.append([])
        phases[-1].append(state.phase)
        state = state.apply(state.random_act(rng))
    seen = [[phase for phase in ("pass", "mix") if phase in deal] for deal in phases]
    assert seen == [["pass"], ["pass"], [], ["pass", "mix"], ["pass"], ["pass"]]


def test_across_alone_with_an_odd_number_passes_nothing() -> None:
    state = passing("across", ["2C 3C", "2D 3D", "2S 3S"])
    assert state.phase == "play"


# Where cards go


@pytest.mark.parametrize(
    ("way", "hands"),
    [
        ("left", ["3C 4C 2H", "2C 3D 4D", "2D 3S 4S", "2S 3H 4H"]),
        ("right", ["3C 4C 2D", "3D 4D 2S", "3S 4S 2H", "2C 3H 4H"]),
        ("across", ["3C 4C 2S", "3D 4D 2H", "2C 3S 4S", "2D 3H 4H"]),
    ],
)
@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_cards_go_to_the_neighbour_whatever_the_direction_of_play(
    way: str, hands: list[str], direction: str
) -> None:
    state = passing(way, direction=direction)
    assert hands_after(state, "2C", "2D", "2S", "2H") == hands


def test_across_with_six_players_is_three_seats_on() -> None:
    hands = ["2C", "3C", "4C", "5C", "6C", "7C"]
    state = passing("across", hands)
    assert hands_after(state, *hands) == ["5C", "6C", "7C", "2C", "3C", "4C"]


def test_on_a_hold_every_seat_keeps_its_hand() -> None:
    state = passing("hold")
    assert state.phase == "play"
    assert [str(hand) for hand in state.hands] == FOUR


@given(order=st.permutations(range(4)))
def test_passes_come_in_any_order_and_move_when_the_last_is_in(
    order: list[int],
) -> None:
    state = passing("left")
    cards = ["2C", "2D", "2S", "2H"]
    for place, seat in enumerate(order):
        assert [str(hand) for hand in state.hands] == FOUR
        assert state.turn == tuple(sorted(order[place:]))
        state = state.apply(Pass(seat, cards[seat]))
    assert [str(hand) for hand in state.hands][1] == "2C 3D 4D"
    assert state.phase == "play"


def test_a_pass_handed_in_is_final() -> None:
    state = passing("left").apply(Pass(0, "2C"))
    assert broken(state, Pass(0, "3C")) == ("2.3",)


def test_the_opening_leader_is_found_after_the_pass() -> None:
    state = passing("left")
    played = state.after(Pass(0, "2C"), Pass(1, "2D"), Pass(2, "2S"), Pass(3, "2H"))
    assert played.turn == (1,)
    assert played.legal.cards == CardSet("2C")


# What may be passed


@pytest.mark.parametrize("way", ["left", "right", "across", "mix"])
@pytest.mark.parametrize(
    ("act", "clauses"),
    [
        (Pass(0, "2C"), ()),
        (Pass(0, ""), ("4.4",)),
        (Pass(0, "2C 3C"), ("4.4",)),
        (Pass(0, "AS"), ("4.5",)),
        (Pass(0, "2C AS"), ("4.4", "4.5")),
        (Scatter(0, {1: "2C", 2: "3C", 3: "4C"}), ("4.6b",)),
        (Scatter(0, {1: "2C"}), ("4.6b",)),
        (Scatter(0, {}), ("4.6b",)),
        (Scatter(0, {1: "AS"}), ("4.5", "4.6b")),
        (PassUnseen(0), ("4.9",)),
    ],
)
def test_a_pass_names_the_clauses_it_breaks(
    way: str, act: Pass | Scatter | PassUnseen, clauses: tuple[str, ...]
) -> None:
    assert broken(passing(way), act) == clauses


@pytest.mark.parametrize(
    ("act", "clauses"),
    [
        (Scatter(0, {1: "2C", 2: "3C", 3: "4C"}), ()),
        (Scatter(0, {1: "2C", 2: "3C"}), ("4.6a",)),
        (Scatter(0, {0: "2C", 2: "3C", 3: "4C"}), ("4.6a",)),
        (Scatter(0, {0: "5C", 1: "2C", 2: "3C", 3: "4C"}), ("4.5", "4.6a")),
        (Scatter(0, {1: "2C", 2: "3C", 3: "AS"}), ("4.5",)),
        (Scatter(0, {}), ("4.6a",)),
        (Pass(0, "2C 3C 4C"), ("4.6a",)),
        (Pass(0, "2C"), ("4.6a",)),
        (Pass(0, "AS"), ("4.5", "4.6a")),
        (PassUnseen(0), ("4.9",)),
    ],
)
def test_a_scatter_gives_one_card_to_every_other_seat(
    act: Pass | Scatter | PassUnseen, clauses: tuple[str, ...]
) -> None:
    for count in (1, 2, 3):
        ruleset = hearts(pass_cycle=["scatter"], pass_count=count, pass_unseen=True)
        assert broken(new_deal(ruleset, FOUR), act) == clauses


def test_a_scatter_gives_each_card_where_it_is_addressed() -> None:
    state = passing("scatter").after(*SUITS_SCATTERED)
    assert [str(hand) for hand in state.hands] == [
        "2D 2S 2H",
        "2C 3S 3H",
        "3C 3D 4H",
        "4C 4D 4S",
    ]


def test_the_ways_to_pass_are_counted_and_listed() -> None:
    thirteen = [
        " ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDSH"
    ]
    three = new_deal(hearts(pass_cycle=["left"]), thirteen)
    assert three.legal.due.ways == 286
    scatter = new_deal(hearts(pass_cycle=["scatter"]), thirteen)
    assert scatter.legal.due.ways == 1716
    for state in (
        passing("left", pass_unseen=True),
        passing("scatter"),
        passing("mix"),
    ):
        acts = list(state.legal)
        due = state.legal.due
        assert len(acts) == 4 * (due.ways + due.forward)
        assert all(state.verdict(act) == Legal() for act in acts)


# Passing unseen


def test_forwarding_is_open_only_where_the_option_and_the_way_say_so() -> None:
    for way in WAYS:
        open_here = way in ("left", "right", "across")
        state = passing(way, pass_unseen=True)
        if way != "hold":
            assert broken(state, PassUnseen(0)) == (() if open_here else ("4.9",))
            assert state.legal.due.forward == open_here
            assert not passing(way).legal.due.forward


@pytest.mark.parametrize(
    ("way", "cards", "hands"),
    [
        ("left", ["2C", "", "2S", "2H"], ["3C 4C 2H", FOUR[1], "2C 3S 4S", "2S 3H 4H"]),
        ("left", ["2C", "", "", "2H"], ["3C 4C 2H", FOUR[1], FOUR[2], "2C 3H 4H"]),
        ("left", ["2C", "", "", ""], FOUR),
        ("right", ["2C", "", "2S", ""], ["3C 4C 2S", FOUR[1], "2C 3S 4S", FOUR[3]]),
        ("across", ["2C", "2D", "", "2H"], [FOUR[0], "3D 4D 2H", FOUR[2], "2D 3H 4H"]),
        ("across", ["", "2D", "", "2H"], [FOUR[0], "3D 4D 2H", FOUR[2], "2D 3H 4H"]),
        ("left", ["", "", "", ""], FOUR),
        ("across", ["", "", "", ""], FOUR),
    ],
)
def test_an_unseen_packet_travels_to_the_next_who_gave_cards(
    way: str, cards: list[str], hands: list[str]
) -> None:
    assert hands_after(passing(way, pass_unseen=True), *cards) == hands


def test_a_seat_that_forwards_received_nothing() -> None:
    state = passing("left", pass_unseen=True)
    state = state.after(Pass(0, "2C"), PassUnseen(1), Pass(2, "2S"), Pass(3, "2H"))
    view = state.observe(1)
    assert (view.passed, view.received) == (CardSet(), CardSet())
    assert state.observe(2).received == CardSet("2C")


# The mix


def mixing(kitty: str = "", **options: Any) -> State:
    more: dict[str, Any] = {"undealt": "kitty", "removal": "none"} if kitty else {}
    ruleset = hearts(pass_cycle=["mix"], pass_count=1, **more, **options)
    state = new_deal(ruleset, FOUR, dealer=2, kitty=kitty)
    return state.after(Pass(3, "2H"), Pass(0, "2C"), Pass(2, "2S"), Pass(1, "2D"))


def test_cards_given_to_a_mix_leave_the_hands_until_the_dealer_gives_back() -> None:
    state = mixing()
    assert (state.phase, state.turn) == ("mix", (2,))
    assert [str(hand) for hand in state.hands] == ["3C 4C", "3D 4D", "3S 4S", "3H 4H"]
    after = state.apply(Mix(2, ["2D", "2C", "2H", "2S"]))
    hands = ["3C 4C 2D", "2C 3D 4D", "3S 4S 2H", "2S 3H 4H"]
    assert [str(hand) for hand in after.hands] == hands
    assert after.phase == "play"
    assert after.turn == (1,)
    assert after.observe(1).received == CardSet("2C")
    assert after.observe(1).passed == CardSet("2D")


@pytest.mark.parametrize(
    ("act", "clauses"),
    [
        (Mix(2, ["2C", "2D", "2S", "2H"]), ()),
        (Mix(0, ["2C", "2D", "2S", "2H"]), ("2.3",)),
        (Mix(2, ["2C", "2D", "2S"]), ("4.10c", "4.10e")),
        (Mix(2, ["2C 2D", "", "2S", "2H"]), ("4.10c",)),
        (Mix(2, ["2C", "2D", "2S", "5H"]), ("4.10e",)),
        (Mix(2, ["2C", "2C", "2S", "2H"]), ("4.10e",)),
        (Mix(2, ["2C", "2D", "2S", "2H"], "9H"), ("4.10d", "4.10e")),
        (Mix(2, ["2C", "2D", "2S", "2H", ""]), ("4.10c",)),
    ],
)
def test_a_mix_gives_back_the_pile_and_nothing_else(
    act: Mix, clauses: tuple[str, ...]
) -> None:
    assert broken(mixing(), act) == clauses


def test_a_kitty_left_alone_is_not_named_by_the_mix() -> None:
    state = mixing("9H TH")
    plain = Mix(2, ["2C", "2D", "2S", "2H"])
    assert broken(state, plain) == ()
    assert broken(state, Mix(2, plain.hands, "9H TH")) == ("4.10d", "4.10e")
    assert str(state.apply(plain).kitty) == "9H TH"


def test_a_kitty_in_the_mix_gets_its_number_back() -> None:
    state = mixing("9H TH", mix_kitty=True)
    mixed = Mix(2, ["9H", "2D", "2S", "TH"], "2C 2H")
    assert broken(state, mixed) == ()
    assert str(state.apply(mixed).kitty) == "2C 2H"
    assert broken(state, Mix(2, mixed.hands)) == ("4.10d", "4.10e")
    assert broken(state, Mix(2, mixed.hands, "2C")) == ("4.10d", "4.10e")
    assert broken(state, Mix(2, mixed.hands, "2C QC")) == ("4.10e",)


def test_mix_kitty_without_a_kitty_has_no_effect() -> None:
    assert broken(mixing(mix_kitty=True), Mix(2, ["2C", "2D", "2S", "2H"])) == ()


@settings(max_examples=depth(40), deadline=None)
@given(seed=st.integers(0, 9999), kitty=st.booleans())
def test_a_random_mix_is_legal(seed: int, kitty: bool) -> None:
    state = mixing("9H TH", mix_kitty=kitty)
    assert state.verdict(state.random_act(Random(seed))) == Legal()


def test_a_match_passes_too() -> None:
    ruleset = hearts(2, pass_cycle=["left"], pass_count=2)
    state = new_match(ruleset, dealer=0, pack="2C 3C 4C 5C")
    state = state.apply(Deal(0, ["2C 3C", "4C 5C"])).after(
        Pass(0, "2C 3C"), Pass(1, "4C 5C")
    )
    assert [str(hand) for hand in state.hands] == ["4C 5C", "2C 3C"]
    assert state.turn == (1,)
