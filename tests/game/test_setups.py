"""Tests of the ways to begin: matches, deals and positions (3.12a)."""

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refengine import CardSet, Deal, Malformed, Play, Refused, Ruleset, State, card
from refengine.game.setups import Match, Setup
from refengine.game.values.state import new_deal, new_match
from tests.support.depth import depth
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts, openings, setups, starts

HANDS = ["2C 9D", "5C QS", "4C 7S", "KC 8S"]


# Values


@settings(max_examples=depth(60), deadline=None)
@given(made=starts())
def test_a_beginning_is_a_value(made: tuple[Ruleset, Match | Setup]) -> None:
    ruleset, start = made
    again = pickle.loads(pickle.dumps(start))
    assert again == start
    assert hash(again) == hash(start)
    assert copy.deepcopy(start) == start
    assert State.open(ruleset, start) == State.open(ruleset, again)


@settings(max_examples=depth(60), deadline=None)
@given(made=setups())
def test_a_setup_opens_with_its_own_cards(made: tuple[Ruleset, Setup]) -> None:
    ruleset, setup = made
    state = State.open(ruleset, setup)
    assert state.phase == "play"
    assert state.hands == setup.hands
    assert state.stock == setup.stock
    assert state.kitty == setup.kitty
    assert state.totals == setup.totals
    assert (state.dealer, state.deal) == (setup.dealer, setup.deal)


@settings(max_examples=depth(60), deadline=None)
@given(state=openings())
def test_a_beginning_has_no_acts(state: State) -> None:
    assert state.acts == ()
    assert state.completed is None
    assert state.score is None
    assert state.winners is None


def test_notation_and_cards_make_the_same_setup() -> None:
    written = Setup(dealer=0, hands=["QS 2C"], stock="5C 4C", kitty="3C", out=[2, 0, 2])
    made = Setup(
        dealer=0,
        hands=[CardSet([card("2C"), card("QS")])],
        stock=[card("5C"), card("4C")],
        kitty=CardSet("3C"),
        out=(0, 2),
    )
    assert written == made
    assert written.out == (0, 2)


def test_the_base_values_of_a_setup() -> None:
    setup = Setup(dealer=1, hands=HANDS)
    assert (setup.deal, setup.totals, setup.leader) == (1, None, None)
    assert not any([setup.stock, setup.kitty, setup.trick, setup.out])
    assert not any([setup.hearts_broken, setup.first_trick, setup.limit_reached])
    assert new_deal(hearts(), HANDS).totals == (0, 0, 0, 0)


# Positions


def test_a_position_is_play_in_progress() -> None:
    state = new_deal(
        hearts(),
        ["9D", *HANDS[1:]],
        leader=0,
        trick="2C",
        taken=["2D 3D 4D 5D", "", "", ""],
        tricks=[1, 0, 0, 0],
        totals=[1, 2, 3, 4],
        deal=7,
        dealer=2,
        hearts_broken=True,
    )
    assert (state.phase, state.turn, state.deal, state.dealer) == ("play", (1,), 7, 2)
    assert state.table is not None
    assert (state.table.leader, state.table.cards) == (0, (card("2C"),))
    assert state.tricks == (1, 0, 0, 0)
    assert state.hearts_broken
    assert state.history == ()
    assert state.legal.cards == CardSet("5C")
    assert state.totals == (1, 2, 3, 4)


def test_a_position_may_be_in_its_first_trick() -> None:
    barred = hearts(first_trick_points="barred")
    for other, first, legal in (
        ("2H", True, "QS 2H"),
        ("2H", False, "QS 2H"),
        ("3D", True, "3D"),
        ("3D", False, "3D QS"),
    ):
        hands = ["9D", f"{other} QS", "4C 7S", "KC 8S"]
        state = new_deal(barred, hands, leader=0, trick="2C", first_trick=first)
        assert state.legal.cards == CardSet(legal)


def test_tricks_are_numbered_through_the_deal() -> None:
    ruleset = hearts(revokes="penalised", revoke_until="trick_complete")
    state = new_deal(
        ruleset, ["9D", *HANDS[1:]], leader=0, trick="2C", tricks=[2, 0, 0, 0]
    )
    assert state.play("QS").revokes[0].trick == 3


def test_a_position_passes_nothing_more() -> None:
    cycle = hearts(pass_cycle=["left"])
    state = new_deal(cycle, ["2C", "3C", "4C", "5C"], leader=0)
    assert state.phase == "play"
    assert state.observe(0).passed is None
    assert state.observe(0).received is None


def test_the_cards_in_play_of_a_position_are_those_it_shows() -> None:
    ruleset = hearts(2, moon="self_minus")
    won: dict[str, Any] = {"taken": ["QS 2H", ""], "tricks": [1, 0]}
    for led, score in (("3H", (14, 2)), ("5H", (-16, 0))):
        state = new_deal(ruleset, [led, "4H"], leader=0, hearts_broken=True, **won)
        assert state.play(led).play("4H").score == score


ONE_EACH = "2C/3C/4C/5C"
FOUR = ONE_EACH.split("/")
SEAT_0_WON = {"taken": ["2D", "", "", ""], "tricks": [1, 0, 0, 0]}
FIRST = {"first_trick": True}


@pytest.mark.parametrize(
    ("ruleset", "hands", "more", "clauses"),
    [
        (hearts(), ONE_EACH, {}, ""),
        (hearts(), ONE_EACH, {"taken": ["2C", "", "", ""]}, "3.12j 3.12p"),
        (hearts(), ONE_EACH, SEAT_0_WON, ""),
        # cards taken, but no trick won
        (hearts(), ONE_EACH, {"taken": ["2D", "", "", ""]}, "3.12p"),
        # a first trick after a trick
        (hearts(), ONE_EACH, {"tricks": [1, 0, 0, 0], **FIRST}, "3.12q"),
        # a card twice
        (hearts(), "2C/2C/4C/5C", {}, "3.12j"),
        (hearts(), "/3C/4C/5C", {"trick": "3C"}, "3.12j"),
        # unequal hands without a stock
        (hearts(), "2C/3C 4D/4C/5C", {}, "3.12u"),
        (hearts(), "2C/3C/4C/5C", {"trick": "2D"}, "3.12u"),
        (hearts(), "/3C/4C/5C", {"trick": "2D"}, ""),
        # a heart on the table
        (hearts(), "/3C/4C/5C", {"trick": "2H"}, "3.12n"),
        (hearts(), "/3C/4C/5C", {"trick": "2H", "hearts_broken": True}, ""),
        # the opening leader
        (hearts(), ONE_EACH, FIRST, ""),
        (hearts(), ONE_EACH, {"leader": 1, **FIRST}, "3.12v"),
        (hearts(), ONE_EACH, {"leader": 1}, ""),
        # with cards on the table they count back into the hands they came from
        (hearts(), "/3C/4C/5C", {"trick": "2C", **FIRST}, ""),
        (hearts(), "2C//4C/5C", {"leader": 1, "trick": "3C", **FIRST}, "3.12v"),
        (domino(4), "2C//4C/5C", {"leader": 1, "trick": "3C", **FIRST}, ""),
        # out
        (domino(3), "2C/3C/", {"out": [2]}, ""),
        (domino(3), "2C/3C/4C", {"out": [2]}, "3.12k"),
        (domino(3), "/3C/4C", {"out": [0]}, "3.12m"),
        (domino(3), "/3C/4C", {}, "3.12t"),
        (domino(3), "2C//", {"out": [1, 2]}, "3.12s"),
        (domino(3), "//", {"out": [0, 1, 2]}, "3.12m"),
        (domino(3), "2C 4C/3C/9D", {"leader": 1, "stock": "5S"}, ""),
        (domino(3), "2C 4C/3C/9D", {"leader": 1, **FIRST}, ""),
        # the trick is complete
        (domino(3), "2C/3C/", {"out": [2], "trick": "4C 5C"}, "3.12r"),
        # several conditions at once, and the group that is judged first
        (hearts(), "//4C/5C", {"trick": "5H", "out": [2], **FIRST}, "3.12k 3.12n"),
        (domino(3), "2C//", {}, "3.12s 3.12t"),
        (hearts(), "2C 3C//4C/5C", {"leader": 2, **FIRST}, "3.12t 3.12u 3.12v"),
        (hearts(), ONE_EACH, {"stock": "2C", "kitty": "9D"}, "3.12g 3.12h"),
        # stock and kitty
        (hearts(), ONE_EACH, {"stock": "9D"}, "3.12g"),
        (hearts(), ONE_EACH, {"kitty": "9D"}, "3.12h"),
        (hearts(), "2C/3C/4C/", {"stock": "9D"}, "3.12g"),
        (domino(2), "2C/3C", {"stock": "9D"}, ""),
        (domino(2), "2C/3C", {"kitty": "9D"}, "3.12h"),
        (domino(2), "2C/3C", {"stock": "3C"}, "3.12j"),
    ],
)
def test_a_position_must_be_possible(
    ruleset: Ruleset, hands: str, more: dict[str, Any], clauses: str
) -> None:
    broken: tuple[str, ...] = ()
    try:
        new_deal(ruleset, hands.split("/"), **{"leader": 0, **more})
    except Refused as refused:
        broken = refused.clauses
    assert broken == tuple(clauses.split())


# Lists and seats that do not fit the table


@pytest.mark.parametrize(
    ("more", "where", "found"),
    [
        ({"hands": FOUR[:3]}, "hands", "3"),
        ({"hands": [*FOUR, "6C"]}, "hands", "5"),
        ({"dealer": 4}, "dealer", "seat 4"),
        ({"totals": [1, 2, 3]}, "totals", "3"),
        ({"leader": 4}, "leader", "seat 4"),
        ({"leader": 0, "out": [4]}, "out", "seat 4"),
        ({"leader": 0, "taken": ["2D"]}, "taken", "1"),
        ({"leader": 0, "tricks": [1]}, "tricks", "1"),
        ({"leader": 0, "tricks": [-1, 0, 0, 0]}, "tricks", "[-1, 0, 0, 0]"),
        ({"leader": 0, "tricks": [53, 0, 0, 0]}, "tricks", "[53, 0, 0, 0]"),
        ({"leader": 0, "trick": "6C 7C 8C 9C"}, "trick", "4 cards"),
        ({"trick": "6C"}, "trick", "trick"),
        ({"out": [1]}, "out", "out"),
        ({"taken": ["", "", "", ""]}, "taken", "taken"),
        ({"tricks": [0, 0, 0, 0]}, "tricks", "tricks"),
        ({"hearts_broken": True}, "hearts_broken", "hearts_broken"),
        ({"first_trick": True}, "first_trick", "first_trick"),
        ({"limit_reached": True}, "limit_reached", "limit_reached"),
    ],
)
def test_what_does_not_fit_the_table_is_malformed(
    more: dict[str, Any], where: str, found: str
) -> None:
    start = Setup(**{"dealer": 0, "hands": FOUR, **more})
    error = malformed(State.open, hearts(), start)
    assert (error.where, error.found) == (where, found)
    assert error.allowed


NO_SETUP: dict[str, list[Any]] = {
    "dealer": [-1, "0", None],
    "hands": ["2C 3C", None, ["2X"], [5]],
    "deal": [0, "1"],
    "totals": ["0 0", [0.5, 0], [True, 0]],
    "stock": [5, "2C 2C"],
    "kitty": [5],
    "leader": [-1, "0"],
    "trick": [5],
    "out": [5, ["0"]],
    "taken": ["2C", [5]],
    "tricks": [5, [None]],
}


@pytest.mark.parametrize(
    ("field", "value"),
    [(field, value) for field, values in NO_SETUP.items() for value in values],
)
def test_what_makes_no_setup_is_malformed(field: str, value: Any) -> None:
    error = malformed(lambda: Setup(**{"dealer": 0, "hands": FOUR, field: value}))
    assert error.found
    assert error.allowed


@pytest.mark.parametrize(
    "make",
    [
        lambda: Match(dealer=-1),
        lambda: Match(dealer="0"),
        lambda: Match(pack=5),
        lambda: Match(pack="2C 2C"),
        lambda: new_match(hearts(), dealer=4),
        lambda: new_match(hearts(), pack="QX"),
    ],
)
def test_what_makes_no_match_is_malformed(make: Any) -> None:
    with pytest.raises(Malformed):
        make()


@given(seat=st.integers(0, 3))
def test_a_match_with_a_dealer_begins_at_the_deal(seat: int) -> None:
    state = new_match(hearts(), dealer=seat)
    assert (state.phase, state.turn) == ("deal", (seat,))


def test_a_game_of_its_own_start_is_the_same_game() -> None:
    state = new_deal(hearts(), HANDS).play("2C")
    other = State.open(hearts(), Setup(dealer=0, hands=HANDS)).apply(Play(0, "2C"))
    assert state == other


# A position written down


TRICK_FOUND: dict[str, Any] = {
    "leader": 0,
    "trick": "2C",
    "hands": ["9D", "5C 3H", "4C 7S", "KC 8S"],
    "hearts_broken": False,
}


@pytest.mark.parametrize("first", [True, False])
def test_the_first_trick_of_a_position_is_what_the_rules_say_it_is(first: bool) -> None:
    start = Setup(dealer=3, deal=4, first_trick=first, **TRICK_FOUND)
    state = State.open(Ruleset("estmesh-hearts"), start)
    assert Setup.of(state).first_trick is first
    after = state.play("5C").play("4C").play("KC")
    assert Setup.of(after).first_trick is False
    assert Setup.of(after).tricks == (0, 0, 0, 1)


def test_a_deal_before_its_play_is_no_position() -> None:
    state = State.open(Ruleset("estmesh-hearts"), Match())
    with pytest.raises(Malformed, match="phase cut"):
        Setup.of(state)


def test_totals_say_how_large_they_may_be_and_may_be_of_numpy() -> None:
    one: Any = np.int64(1)
    assert Setup(dealer=one, hands=["2C"], totals=[one]).totals == (1,)
    allowed = "from -2147483647 to 2147483647, one for each seat"
    with pytest.raises(Malformed, match=allowed):
        Setup(dealer=0, hands=["2C"], totals=[2**31])


@pytest.mark.parametrize(
    "kind", [set, frozenset, dict.fromkeys], ids=["set", "frozenset", "dict"]
)
def test_what_has_no_order_is_no_list_of_hands_and_no_trick(kind: Any) -> None:
    hands = ["2C", "QS", "2H", "3H"]
    with pytest.raises(Malformed, match="a list of sets of cards, one for each seat"):
        Setup(dealer=0, hands=kind(hands))
    with pytest.raises(Malformed, match="a sequence of cards"):
        Setup(dealer=0, hands=hands, stock=kind(["4H", "5H"]))
    in_order = Setup(dealer=0, hands=hands, stock=CardSet("5H 4H")).stock
    assert in_order == (card("4H"), card("5H"))
    kept = Setup(dealer=0, hands=[kind([one]) for one in hands]).hands
    assert kept == tuple(map(CardSet, hands))


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("dealer", "3", "'3'"),
        ("deal", 0, "0"),
        ("hands", 12, "12"),
        ("totals", "x", "'x'"),
        ("stock", 3, "3"),
        ("leader", -1, "-1"),
    ],
)
def test_a_field_of_a_new_deal_that_is_malformed_is_named(
    name: str, value: object, found: str
) -> None:
    fields: dict[str, Any] = {"hands": FOUR, "deal": 4, name: value}
    error = malformed(lambda: new_deal(Ruleset("common-hearts"), **fields))
    assert (error.where, error.found) == (name, found)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(("given", "found"), [("2S 9X", "'9X'"), (7, "7")])
def test_of_the_hands_the_one_that_is_malformed_is_named(
    seat: int, given: object, found: str
) -> None:
    hands: list[Any] = [*FOUR]
    hands[seat] = given
    error = malformed(lambda: new_deal(Ruleset("common-hearts"), hands, deal=4))
    assert (error.where, error.found) == (f"hands[{seat}]", found)
    with pytest.raises(Malformed, match=re.escape(f"[{seat}]: found {found}")):
        Deal(0, hands)
