"""Tests of chapter 6: drawing from the stock, and dropping out of the deal."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from refengine import Card, CardSet, Draw, Play, Ruleset, State, new_deal, new_match
from tests.support.playing import legal, played_deal
from tests.support.strategies import broken, domino, states

pytestmark = pytest.mark.unmeasured


# Drawing to follow


def test_whoever_cannot_follow_draws_until_a_card_of_the_suit_comes() -> None:
    state = played_deal(domino(), ["5C 6D", "2D 3H"], "5C", dealer=1, stock="4H 7C KS")
    assert state.legal.due.kind == "draw"
    assert list(state.legal) == [Draw(1)]
    assert broken(state, Play(1, "2D")) == ("6.1",)
    assert broken(state, Play(1, "9D")) == ("5.7", "6.1")
    state = state.draw()
    assert [str(card) for card in state.drew] == ["4H"]
    assert state.legal.due.kind == "draw"
    state = state.draw()
    assert [str(card) for card in state.drew] == ["4H", "7C"]
    assert legal(state) == "7C"
    assert broken(state, Play(1, "2D")) == ("5.3",)
    assert broken(state, Draw(1)) == ("6.3",)
    state = state.play("7C")
    assert state.drew == ()
    assert str(state.hands[1]) == "2D 3H 4H"
    assert [str(card) for card in state.stock] == ["KS"]
    end = state.play("2D").play("6D")
    assert end.over
    assert (end.out, end.score, end.totals) == ((0,), (0, 2), (0, 2))
    assert [str(card) for card in end.stock] == ["KS"]


def test_a_follower_never_draws_of_its_own_will() -> None:
    state = new_deal(domino(), ["5C 6D", "2C 3H"], dealer=1, stock="4H")
    assert broken(state, Draw(0)) == ("6.3",)
    assert broken(state.play("5C"), Draw(1)) == ("6.3",)
    assert broken(state.play("5C"), Draw(0)) == ("2.3",)


def test_there_is_nothing_to_draw_from_an_empty_stock() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1).play("5C")
    assert broken(state, Draw(1)) == ("6.3",)
    assert legal(state) == "2D 3H"


def test_when_the_stock_runs_out_any_card_may_be_played_at_once() -> None:
    state = new_deal(domino(), ["5C 6D", "2D 3H"], dealer=1, stock="4H 9S")
    state = state.play("5C").draw().draw()
    assert state.turn == (1,)
    assert legal(state) == "2D 9S 3H 4H"
    state = state.play("4H")
    assert state.hearts_broken
    assert state.turn == (0,)


def test_a_heart_lead_is_drawn_for() -> None:
    ruleset = Ruleset("pokerwiner-domino", 2)
    state = new_deal(ruleset, ["5H 6D", "2D 3C"], dealer=1, stock="4C 2H").play("5H")
    assert state.legal.due.kind == "draw"
    assert legal(state.draw().draw()) == "2H"


def test_the_duty_of_the_queen_waits_for_the_stock() -> None:
    ruleset = domino(queen_duty="when_safe")
    state = new_deal(ruleset, ["5C 6D", "QS 3H"], dealer=1, stock="4H").play("5C")
    assert broken(state, Play(1, "QS")) == ("6.1",)
    assert legal(state.draw()) == "QS"
    assert broken(state.draw(), Play(1, "4H")) == ("5.6",)


def finds_nothing(state: State) -> bool:
    """Whether the seat to play cannot follow suit, or has nothing that it may lead."""
    assert state.table is not None
    hand = state.hands[state.turn[0]]
    if state.table.cards:
        return not hand.of_suit(state.table.cards[0].suit)
    options = state.ruleset.options
    bound = (options["all_hearts_leader"], options["heart_leads"])
    if state.hearts_broken or bound != ("draw", "when_broken"):
        return False
    return hand <= ONLY_HEARTS


@settings(max_examples=80, deadline=None)
@given(state=states(undealt="stock", hand_size=3))
def test_a_draw_is_due_exactly_when_nothing_can_be_played(state: State) -> None:
    if state.phase == "play":
        due = state.legal.due.kind == "draw"
        assert due == (not state.legal.cards)
        assert due == (bool(state.stock) and finds_nothing(state))
        if due:
            top = state.stock[0]
            after = state.draw()
            assert after.turn == state.turn
            assert top in after.hands[state.turn[0]]
            assert after.stock == state.stock[1:]
            assert after.drew == (*state.drew, top)


# Drawing to lead


def leading(hand: str = "2H 9H", stock: str = "4H 5C", **options: Any) -> State:
    return new_deal(domino(**options), [hand, "3C 4C"], dealer=1, stock=stock)


def test_a_leader_of_unbroken_hearts_draws_for_another_suit() -> None:
    state = leading()
    assert broken(state, Play(0, "2H")) == ("6.2",)
    assert broken(state, Play(0, "AS")) == ("5.7", "6.2")
    state = state.draw()
    assert state.legal.due.kind == "draw"
    state = state.draw()
    assert legal(state) == "5C"
    assert broken(state, Play(0, "2H")) == ("5.4",)


def test_a_leader_for_whom_the_stock_runs_out_leads_any_heart() -> None:
    state = leading(stock="4H 5H").draw().draw()
    assert legal(state) == "2H 4H 5H 9H"
    assert state.play("5H").hearts_broken


@pytest.mark.parametrize(
    ("hand", "stock", "options", "lead"),
    [
        ("2H 9H", "", {}, "2H 9H"),
        ("2H 9H", "5C", {"all_hearts_leader": "lead"}, "2H 9H"),
        ("2H 9H", "5C", {"heart_leads": "free"}, "2H 9H"),
        ("QS 9H", "5C", {}, "QS"),
        ("QS 9H", "5C", {"hearts_or_queen_leader": "any"}, "QS 9H"),
        ("2D 9H", "5C", {}, "2D"),
    ],
)
def test_nobody_draws_to_lead_otherwise(
    hand: str, stock: str, options: dict[str, Any], lead: str
) -> None:
    state = leading(hand, stock, **options)
    assert legal(state) == lead
    assert broken(state, Draw(0)) == ("6.3",)


def test_nobody_draws_to_lead_once_hearts_are_broken() -> None:
    state = new_deal(
        domino(), ["2H 9H", "3C 4C"], leader=0, stock="5C", hearts_broken=True
    )
    assert legal(state) == "2H 9H"


@pytest.mark.parametrize("option", ["queen", "any"])
def test_who_drew_the_queen_to_lead_leads_the_queen(option: str) -> None:
    state = leading(stock="QS", hearts_or_queen_leader=option).draw()
    assert legal(state) == "QS"
    assert broken(state, Play(0, "2H")) == ("5.4",)


def test_who_drew_to_open_is_bound_to_no_club() -> None:
    ruleset = domino(opening_leader="lowest_club", opening_card="lowest_club")
    state = new_deal(ruleset, ["2H 9H", "3D 4D"], dealer=1, stock="5C 2C")
    assert state.turn == (0,)
    state = state.draw()
    assert legal(state) == "5C"
    assert broken(state, Play(0, "2H")) == ("5.4",)  # and not 5.2


def test_who_drew_to_open_a_barred_trick_leads_what_came() -> None:
    ruleset = domino(first_trick_points="barred", queen_points=13)
    state = new_deal(ruleset, ["2H 9H", "3D 4D"], dealer=1, stock="QS 2C").draw()
    assert legal(state) == "QS"


# Dropping out


def test_a_seat_without_cards_is_out_also_while_there_is_stock() -> None:
    state = played_deal(domino(3), ["5C", "6C", "2D"], "5C", dealer=2, stock="7S 7C 8S")
    assert state.out == (0,)
    state = state.play("6C").draw().draw()
    assert state.turn == (2,)
    assert state.play("7C").over


def test_the_last_card_still_wins_its_trick_and_the_left_neighbour_leads() -> None:
    for direction in ("clockwise", "counterclockwise"):
        ruleset = domino(4, direction=direction)
        hands = ["AC", "2C 3D", "3C 4D", "4C 5D"]
        state = new_deal(ruleset, ["", *hands[1:]], leader=0, trick="AC", stock="")
        order = [1, 2, 3] if direction == "clockwise" else [3, 2, 1]
        for seat in order:
            state = state.play(hands[seat].split(" ")[0])
        assert state.tricks == (1, 0, 0, 0)
        assert state.turn == (1,)
        assert state.out == (0,)


def test_the_lead_passes_over_all_who_are_out() -> None:
    state = new_deal(
        domino(4), ["", "", "3C 4D", "4C 5D"], leader=0, trick="AC 2C", stock=""
    )
    state = state.play("3C").play("4C")
    assert state.turn == (2,)


def test_a_trick_begun_is_finished_by_the_only_seat_with_cards() -> None:
    state = new_deal(domino(), ["5C", "2D"], dealer=1, stock="4S 7C 8S").play("5C")
    assert state.out == (0,)
    assert state.legal.due.kind == "draw"
    state = state.draw().draw().play("7C")
    assert state.over
    assert str(state.hands[1]) == "2D 4S"


# The end of a deal


def survivor(ruleset: Ruleset) -> State:
    cards = "5C draw draw 7C"
    return played_deal(ruleset, ["5C", "2H"], cards, dealer=1, stock="3H 7C QS 4H")


def test_the_survivor_pays_for_the_hand_and_not_for_the_stock() -> None:
    state = survivor(domino())
    assert state.score == (0, 2)
    assert state.taken[1] == CardSet("5C 7C")
    assert str(state.hands[1]) == "2H 3H"
    assert [str(card) for card in state.stock] == ["QS", "4H"]
    assert state.points == (0, 0)


def test_the_survivor_takes_the_stock_where_the_option_says_so() -> None:
    state = survivor(domino(survivor_takes_stock=True))
    assert state.score == (0, 3)
    assert str(state.hands[1]) == "QS 2H 3H 4H"
    assert state.stock == ()
    assert state.tricks == (0, 1)


def all_out(ruleset: Ruleset) -> State:
    return played_deal(ruleset, ["5C", "4C"], "5C 4C", dealer=1, stock="QS 4H")


def test_without_a_survivor_the_last_to_play_may_take_the_stock() -> None:
    taken = all_out(domino(no_survivor_stock="last_to_play", queen_points=13))
    assert taken.score == (0, 14)
    assert str(taken.hands[1]) == "QS 4H"
    assert taken.stock == ()
    assert taken.out == (0,)
    left = all_out(domino(no_survivor_stock="nobody", queen_points=13))
    assert left.score == (0, 0)
    assert [str(card) for card in left.stock] == ["QS", "4H"]


def test_the_last_to_play_follows_the_direction_of_play() -> None:
    ruleset = domino(3, no_survivor_stock="last_to_play", direction="counterclockwise")
    state = new_deal(ruleset, ["3C", "5C", "4C"], dealer=0, stock="4H")
    assert state.turn == (1,)
    state = state.play("5C").play("3C").play("4C")
    assert state.score == (0, 0, 1)


def test_stock_taken_at_the_end_counts_for_moon_and_bonus_but_is_no_trick() -> None:
    ruleset = domino(
        no_survivor_stock="last_to_play",
        queen_points=13,
        bonus_card="JD",
        moon="others_plus",
        no_trick_points=-5,
    )
    state = played_deal(ruleset, ["5C", "4C"], "5C 4C", dealer=1, stock="QS 4H JD")
    assert (state.tricks, state.score) == ((1, 0), (14, -10))
    plain = ruleset.having(all_hearts_leader="lead")
    state = new_deal(plain, ["5H", "4C"], dealer=1, stock="QS 4H JD")
    state = state.play("5H").draw().draw().play("4H")
    assert (state.tricks, state.score) == ((1, 0), (2, 13 - 5))


def test_an_option_for_the_other_ending_has_no_effect() -> None:
    assert survivor(domino(no_survivor_stock="last_to_play")).score == (0, 2)
    assert all_out(domino(survivor_takes_stock=True, queen_points=13)).score == (0, 0)


def test_last_to_play_passes_over_those_who_were_out() -> None:
    ruleset = Ruleset("pokerwiner-domino", 3)
    begun: dict[str, Any] = {"leader": 0, "trick": "5C", "out": [2], "stock": "4H"}
    state = new_deal(ruleset, ["", "4C", ""], **begun).play("4C")
    assert state.over
    assert state.score == (0, 1, 0)


# How often the rare cases come up

DEALS = 200
ONLY_HEARTS = CardSet(" ".join(f"{rank}H" for rank in "23456789TJQKA"))
HEARTS_OR_QUEEN = ONLY_HEARTS | CardSet("QS")


def rare_cases(ruleset: Ruleset, rng: Random) -> set[str]:
    """The names of the rare cases that occur in one random deal."""
    found: set[str] = set()
    state = new_match(ruleset, dealer=0)
    state = state.apply(state.random_act(rng))
    stock: tuple[Card, ...] = ()
    while state.phase == "play":
        hand = state.hands[state.turn[0]]
        assert state.table is not None
        stock = state.stock
        led = state.table.cards[0].suit if state.table.cards else None
        if led is not None and sum(map(bool, state.hands)) == 1:
            found.add("one seat with cards in mid-trick")
        if led is None and not state.hearts_broken:
            if hand <= ONLY_HEARTS and stock and not state.drew:
                found.add("leader with only hearts")
            if CardSet("QS") <= hand <= HEARTS_OR_QUEEN and len(hand) > 1:
                found.add("leader with hearts and queen")
        numbers = state.legal_numbers()
        if not numbers:
            state = state.draw()
            continue
        helpless = hand <= ONLY_HEARTS if led is None else not hand.of_suit(led)
        if state.drew and not stock and helpless:
            found.add("stock out in mid-draw")
        everybody_out = sum(map(len, state.hands)) == 1
        state = state.play_number(numbers[int(rng.random() * len(numbers))])
        if everybody_out:
            found.add("all out in one trick")
            if stock:
                found.add("all out with stock left")
    return found


# per cent of deals, by an independent simulation; a pair is its range for all tables
EXPECTED: dict[tuple[str, int], dict[str, tuple[float, float]]] = {
    ("gamerules-domino", 2): {
        "leader with only hearts": (71, 71),
        "leader with hearts and queen": (12, 12),
        "stock out in mid-draw": (69, 72),
        "one seat with cards in mid-trick": (44, 51),
    },
    ("gamerules-domino", 3): {
        "leader with only hearts": (60, 60),
        "leader with hearts and queen": (6, 6),
        "stock out in mid-draw": (69, 72),
        "one seat with cards in mid-trick": (44, 51),
    },
    ("gamerules-domino", 4): {
        "leader with only hearts": (39, 39),
        "leader with hearts and queen": (4, 4),
        "stock out in mid-draw": (69, 72),
        "one seat with cards in mid-trick": (44, 51),
    },
    ("pokerwiner-domino", 2): {
        "stock out in mid-draw": (15, 15),
        "one seat with cards in mid-trick": (80, 80),
        "all out with stock left": (2.9, 2.9),
    },
    ("pokerwiner-domino", 3): {"stock out in mid-draw": (46, 46)},
    ("pokerwiner-domino", 4): {
        "stock out in mid-draw": (68, 68),
        "one seat with cards in mid-trick": (44, 51),
    },
    ("pokerwiner-domino", 6): {
        "stock out in mid-draw": (72, 72),
        "one seat with cards in mid-trick": (44, 51),
    },
    ("pokerwiner-domino", 8): {"stock out in mid-draw": (72, 72)},
}


@pytest.mark.parametrize(("name", "players"), EXPECTED)
def test_rare_cases_come_up_about_as_often_as_they_should(
    name: str, players: int
) -> None:
    # A share of n deals lies within four standard deviations of its mean in all but one
    # of 16,000 tries; half a per cent is the rounding of the figures given.
    rng = Random(players)
    ruleset = Ruleset(name, players, {"limit": "none"})
    seen = Counter(case for _ in range(DEALS) for case in rare_cases(ruleset, rng))
    for case, (low, high) in {
        "all out in one trick": (5.0, 16.0),
        **EXPECTED[name, players],
    }.items():
        share = 100 * seen[case] / DEALS
        assert low - margin(low) <= share <= high + margin(high), (case, share)


def margin(percent: float) -> float:
    return 4 * sqrt(percent * (100 - percent) / DEALS) + 0.5
