"""Tests of chapter 3: the cut, the deal, and what makes a given deal valid."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import (
    WHOLE_PACK,
    CardSet,
    Cut,
    Deal,
    Legal,
    Match,
    Ruleset,
    State,
    new_deal,
    new_match,
)
from refengine.chapters.deal import removed_cards
from tests.support.depth import depth
from tests.support.playing import cards_played
from tests.support.refusing import refused
from tests.support.strategies import broken, domino, hearts, openings

# The cut


def cut(ruleset: Ruleset, *cards: str, pack: str = "") -> State:
    state = new_match(ruleset, pack=pack)
    return state.after(*(Cut(seat, card) for seat, card in enumerate(cards)))


@given(order=st.permutations(range(4)), seed=st.integers(0, 999))
def test_seats_cut_in_any_order_and_the_lowest_rank_deals(
    order: list[int], seed: int
) -> None:
    drawn = Random(seed).sample(list(WHOLE_PACK), 4)
    state = new_match(hearts())
    for seat in order:
        state = state.apply(Cut(seat, drawn[seat]))
    ranks = ["23456789TJQKA".index(card.value[0]) for card in drawn]
    lowest = [seat for seat in range(4) if ranks[seat] == min(ranks)]
    if len(lowest) == 1:
        assert (state.phase, state.dealer) == ("deal", lowest[0])
        assert state.cut == tuple(drawn)
    else:
        assert (state.phase, state.turn) == ("cut", tuple(lowest))
        assert state.dealer is None


def test_the_ace_is_high_in_the_cut() -> None:
    assert cut(hearts(), "AC", "KC", "QC", "2H").dealer == 3


def test_no_card_is_drawn_twice_in_a_round() -> None:
    state = cut(hearts(), "5C", "6C")
    assert broken(state, Cut(2, "5C")) == ("3.1f",)
    assert broken(state, Cut(2, "7C")) == ()
    assert state.legal.due.ways == 50


def test_those_tied_cut_again_from_the_whole_pack() -> None:
    tied = cut(hearts(), "5C", "5D", "9C", "5H")
    assert tied.turn == (0, 1, 3)
    assert tied.legal.due.ways == 52
    assert [str(card) for card in tied.cut] == ["5C", "5D", "9C", "5H"]
    assert broken(tied, Cut(2, "2C")) == ("2.3",)
    again = tied.apply(Cut(3, "5C"))
    assert again.cut == (None, None, None, tied.cut[0])
    assert again.legal.due.ways == 51
    assert broken(again, Cut(0, "5C")) == ("3.1f",)
    assert again.after(Cut(0, "9D"), Cut(1, "4D")).dealer == 1
    third = again.after(Cut(0, "5D"), Cut(1, "9D"))
    assert third.turn == (0, 3)
    assert third.after(Cut(0, "AC"), Cut(3, "KC")).dealer == 3


def test_the_cut_uses_all_52_cards_before_any_removal() -> None:
    state = new_match(Ruleset("heartsgame-tiles", 3))
    assert broken(state, Cut(0, "2C")) == ()
    assert state.legal.due.ways == 52


def test_a_named_pack_is_what_is_cut() -> None:
    state = new_match(hearts(2), pack="2C 3C QS 2H")
    assert broken(state, Cut(0, "4C")) == ("3.1e",)
    assert state.legal.due.ways == 4
    assert [str(act) for act in state.apply(Cut(0, "2C")).legal] == [
        "cut 3C",
        "cut QS",
        "cut 2H",
    ]


def test_a_match_that_names_its_dealer_has_no_cut() -> None:
    state = new_match(hearts(), dealer=2)
    assert (state.phase, state.turn, state.cut) == ("deal", (2,), ())


def test_there_is_one_cut_in_a_match() -> None:
    rng = Random(1)
    state = new_match(hearts(3, deals=4, removal="lowest"))
    phases: list[str] = []
    while not state.over:
        if not phases or phases[-1] != state.phase:
            phases.append(state.phase)
        state = state.apply(state.random_act(rng))
    assert phases == ["cut"] + ["deal", "play"] * 4


# The deal


@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_the_deal_passes_to_the_left_whatever_the_direction(direction: str) -> None:
    rng = Random(2)
    state = new_match(
        hearts(deals=5, direction=direction), dealer=2, pack="2C 3C 4C 5C"
    )
    dealers = []
    while not state.over:
        if state.phase == "deal":
            dealers.append(state.dealer)
            assert state.deal == len(dealers)
        state = state.apply(state.random_act(rng))
    assert dealers == [2, 3, 0, 1, 2]


@pytest.mark.parametrize(
    ("players", "removed"),
    [
        (2, ""),
        (3, "2C"),
        (4, ""),
        (5, "2C 2D"),
        (6, "2C 2D 2S 2H"),
        (7, "2C 2D 2S"),
        (8, "2C 2D 2S 2H"),
        (9, "2C 3C 2D 3D 2S 3S 2H"),
        (10, "2C 2D"),
        (11, "2C 3C 2D 3D 2S 3S 2H 3H"),
        (12, "2C 2D 2S 2H"),
        (13, ""),
    ],
)
def test_as_many_low_cards_go_as_would_be_left_over(players: int, removed: str) -> None:
    ruleset = Ruleset("pokerwiner-hearts", players)
    assert str(CardSet.of_mask(removed_cards(ruleset.rules))) == removed
    state = new_match(ruleset, dealer=0)
    state = state.apply(state.random_act(Random(3)))
    assert sum(map(len, state.hands)) == 52 - len(removed.split())
    assert {len(hand) for hand in state.hands} == {52 // players}
    dealt = {one for hand in state.hands for one in hand}
    assert dealt == set(WHOLE_PACK - CardSet(removed))


def test_nothing_is_removed_where_removal_is_none() -> None:
    assert removed_cards(domino(3).rules) == 0


def dealt_sizes(ruleset: Ruleset, pack: str = "") -> tuple[set[int], int, int]:
    state = new_match(ruleset, dealer=0, pack=pack)
    state = state.apply(state.random_act(Random(4)))
    return {len(hand) for hand in state.hands}, len(state.stock), len(state.kitty)


@pytest.mark.parametrize(
    ("players", "stock"), [(2, 40), (3, 34), (4, 28), (5, 22), (6, 16), (7, 10), (8, 4)]
)
def test_six_cards_each_leave_a_stock(players: int, stock: int) -> None:
    assert dealt_sizes(Ruleset("pokerwiner-domino", players)) == ({6}, stock, 0)


@pytest.mark.parametrize(
    ("players", "size", "kitty"),
    [
        (3, 17, 1),
        (4, 12, 4),
        (5, 10, 2),
        (6, 8, 4),
        (7, 7, 3),
        (8, 6, 4),
        (9, 5, 7),
        (10, 5, 2),
    ],
)
def test_the_kitty_is_what_equal_hands_leave(
    players: int, size: int, kitty: int
) -> None:
    ruleset = Ruleset("estmesh-hearts", players, {"undealt": "kitty"})
    assert dealt_sizes(ruleset) == ({size}, 0, kitty)


def test_a_hand_size_leaves_the_rest_to_the_kitty() -> None:
    ruleset = Ruleset("estmesh-hearts", 4, {"undealt": "kitty", "hand_size": 10})
    assert dealt_sizes(ruleset) == ({10}, 0, 12)


def test_a_named_pack_takes_the_place_of_the_52_cards() -> None:
    pack = "2C 3C AC 2D JD 2S QS KS AS 2H 3H AH"
    assert dealt_sizes(hearts(3, removal="lowest"), pack) == ({4}, 0, 0)
    kitty = Ruleset("estmesh-hearts", 4, {"undealt": "kitty", "pass_cycle": []})
    assert dealt_sizes(kitty, pack) == ({3}, 0, 0)
    assert dealt_sizes(kitty, pack[:-3]) == ({2}, 0, 3)
    assert dealt_sizes(domino(2, hand_size=4), pack) == ({4}, 4, 0)


def dealing() -> State:
    return new_match(domino(2, hand_size=2), dealer=1, pack="2C 3C 4C 5C 6C 7C")


@pytest.mark.parametrize(
    ("hands", "stock", "kitty", "clauses"),
    [
        (["2C 3C"], "4C 5C 6C 7C", "", "3.8a 3.8b"),
        (["2C 3C", "4C"], "5C 6C 7C", "", "3.8a 3.8b"),
        (["2C 3C", "4C"], "5C 6C 7C 8C", "", "3.8a 3.8b 3.8d"),
        (["2C 3C 4C", "5C"], "6C 7C", "", "3.8a"),
        (["2C 3C", "4C 5C"], "6C", "", "3.8b 3.8d"),
        (["2C 3C", "4C 5C"], "6C", "7C", "3.8b 3.8c"),
        (["2C 3C", "4C 5C"], "6C 8C", "", "3.8d"),
        (["2C 3C", "2C 5C"], "6C 7C", "", "3.8d"),
        (["2C 3C", "4C 5C", ""], "6C 7C", "", "3.8a"),
        (["2C 3C", "4C 5C"], "6C 7C", "8C", "3.8c 3.8d"),
    ],
)
def test_a_wrong_deal_is_refused(
    hands: list[str], stock: str, kitty: str, clauses: str
) -> None:
    found = broken(dealing(), Deal(1, hands, stock, kitty))
    assert " ".join(found) == clauses


def test_a_right_deal_is_any_that_uses_the_pack() -> None:
    state = dealing().apply(Deal(1, ["2C 7C", "4C 5C"], "6C 3C"))
    assert [str(hand) for hand in state.hands] == ["2C 7C", "4C 5C"]
    assert [str(card) for card in state.stock] == ["6C", "3C"]
    assert broken(dealing(), Deal(0, ["2C 7C", "4C 5C"], "6C 3C")) == ("2.3",)


def test_a_deal_with_a_kitty_where_there_is_a_kitty() -> None:
    ruleset = Ruleset(
        "estmesh-hearts", 3, {"undealt": "kitty", "hand_size": 1, "pass_cycle": []}
    )
    state = new_match(ruleset, dealer=0, pack="2C 3C 4C 5C 6C")
    assert broken(state, Deal(0, ["2C", "3C", "4C"], kitty="5C 6C")) == ()
    assert broken(state, Deal(0, ["2C", "3C", "4C"], "5C 6C")) == ("3.8b", "3.8c")
    assert broken(state, Deal(0, ["2C", "3C", "4C"], kitty="5C")) == ("3.8c", "3.8d")


@settings(max_examples=depth(60), deadline=None)
@given(opening=openings(), seed=st.integers(0, 9999))
def test_a_deal_starts_with_nothing_played_or_broken(opening: State, seed: int) -> None:
    rng = Random(seed)
    state = opening
    while state.phase in ("cut", "deal") and not state.acts[20:]:
        state = state.apply(state.random_act(rng))
    if state.hands:
        assert not state.hearts_broken
        assert state.history == ()
        assert state.revokes == ()
        assert not any(state.taken)
        assert set(state.tricks) == {0}


def test_flags_of_one_deal_do_not_reach_the_next() -> None:
    ruleset = hearts(2, deals=2, revokes="penalised")
    state = new_match(ruleset, dealer=1, pack="2C 3C 4H 5H")
    state = cards_played(state.apply(Deal(1, ["2C 4H", "3C 5H"])), "2C 5H 4H 3C")
    assert state.hearts_broken
    assert (state.phase, state.revokes[0].state) == ("deal", "standing")
    fresh = state.apply(Deal(0, ["2C 4H", "3C 5H"]))
    assert not fresh.hearts_broken
    assert fresh.revokes == ()
    assert fresh.history == ()
    assert set(fresh.tricks) == {0}
    assert not any(fresh.taken)


# Beginnings that are refused


@pytest.mark.parametrize(
    ("ruleset", "pack", "clauses"),
    [
        (hearts(3), "2C 3C", ("3.9e", "3.9g")),
        (hearts(3), "2C 3C 4C 5C", ("3.9g",)),
        (domino(2, hand_size=3), "2C 3C 4C 5C 6C", ("3.9f",)),
        (hearts(2, undealt="kitty", removal="none"), "2C", ("3.9e",)),
        (Ruleset("estmesh-hearts"), "2C 3C QS", ("3.9e", "3.9g")),
        (Ruleset("estmesh-hearts"), "2C 3C 4C 5C 6C 7C 8C 9C", ("4.11",)),
        (
            Ruleset("estmesh-hearts", 4, {"pass_cycle": ["hold", "scatter"]}),
            "2C 3C 4C 5C 6C 7C 8C 9C",
            ("4.11",),
        ),
    ],
)
def test_a_pack_that_cannot_be_dealt_or_passed_is_refused(
    ruleset: Ruleset, pack: str, clauses: tuple[str, ...]
) -> None:
    error = refused(new_match, ruleset, pack=pack)
    assert error.clauses == clauses
    assert error.what == "this match"


def test_a_named_pack_with_a_stock_or_kitty_may_leave_cards() -> None:
    assert new_match(domino(2, hand_size=2), pack="2C 3C 4C 5C 6C").phase == "cut"
    kitty = hearts(2, undealt="kitty", removal="none")
    assert new_match(kitty, pack="2C 3C 4C").phase == "cut"


def test_a_pass_that_a_match_never_comes_to_asks_for_nothing() -> None:
    three = hearts(3, pass_cycle=["across", "hold"], removal="lowest")
    assert new_match(three, pack="2C 3C 4C").phase == "cut"


def test_hands_that_only_add_up_are_no_deal_as_found() -> None:
    ruleset = hearts(3, removal="lowest")
    assert refused(new_deal, ruleset, ["2C 3C", "4C", "5C 6C 7C"]).clauses == ("3.12d",)


@pytest.mark.parametrize(
    ("hands", "stock", "kitty", "clauses"),
    [
        (["2C", "3C 4C"], "", "", "3.12d"),
        (["", ""], "", "", "3.12e"),
        (["2C", "2C"], "", "", "3.12f"),
        (["2C", "3C"], "4C", "", "3.12g"),
        (["2C", "3C"], "", "4C", "3.12h"),
        (["2C", ""], "", "", "3.12d 3.12e"),
        (["2C", "2C 3C"], "4C", "5C", "3.12d 3.12f 3.12g 3.12h"),
    ],
)
def test_a_deal_that_nobody_can_have_found_is_refused(
    hands: list[str], stock: str, kitty: str, clauses: str
) -> None:
    error = refused(new_deal, hearts(2), hands, stock=stock, kitty=kitty)
    assert " ".join(error.clauses) == clauses
    assert error.what == "this setup"


def test_a_pass_is_judged_only_of_a_deal_that_can_have_been_found() -> None:
    ruleset = Ruleset("estmesh-hearts")
    assert refused(new_deal, ruleset, ["2C", "3C", "4C", "5C 6C"]).clauses == ("3.12d",)


def test_stock_and_kitty_of_a_setup_belong_to_its_pack() -> None:
    places: list[tuple[Ruleset, dict[str, Any]]] = [
        (domino(2), {"stock": "2C"}),
        (hearts(2, undealt="kitty", removal="none"), {"kitty": "2C"}),
    ]
    for ruleset, place in places:
        assert refused(new_deal, ruleset, ["2C", "3C"], **place).clauses == ("3.12f",)


def test_a_setup_needs_no_size_but_that_of_its_own_pass() -> None:
    cycle = hearts(3, pass_cycle=["left", "hold", "scatter"], pass_count=3)
    hands = ["2C", "3C", "4C"]
    assert new_deal(cycle, hands, deal=2).phase == "play"
    for number in (1, 3, 4):
        assert refused(new_deal, cycle, hands, deal=number).clauses == ("4.11",)
    assert new_deal(cycle, ["2C 3C", "4C 5C", "6C 7C"], deal=3).phase == "pass"


def test_a_setup_is_one_deal_however_long_the_match() -> None:
    state = new_deal(hearts(2, deals=9), ["2C", "3C"]).play("2C").play("3C")
    assert state.over
    assert state.winners is None
    assert state.totals == (0, 0)


def test_every_match_starts_at_nothing() -> None:
    state = State.open(hearts(), Match())
    assert state == State.open(hearts()) == new_match(hearts())
    assert state.totals == (0, 0, 0, 0)
    assert (state.deal, state.hands, state.tricks) == (1, (), ())


def test_the_random_deal_is_a_deal() -> None:
    for ruleset in (
        domino(3),
        hearts(4),
        Ruleset("estmesh-hearts", 7, {"undealt": "kitty"}),
    ):
        state = new_match(ruleset, dealer=0)
        assert state.verdict(state.random_act(Random(5))) == Legal()


@given(totals=st.lists(st.integers(-500, 500), min_size=2, max_size=2))
def test_a_setup_states_the_totals_before_it(totals: list[int]) -> None:
    assert new_deal(hearts(2), ["2C", "3C"], totals=totals).totals == tuple(totals)
