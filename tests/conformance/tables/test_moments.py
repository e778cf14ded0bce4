"""Tests that each kind of moment is found exactly where the book places it."""

from __future__ import annotations

from typing import Any

import pytest

from refengine import (
    Claim,
    Deal,
    Match,
    Pass,
    Retract,
    Ruleset,
    State,
    new_deal,
)
from refengine_conformance.tables.moments import (
    GONE,
    REVOKES,
    TIED,
    UNCLAIMED,
    counting_piles,
    moments_after,
    moments_before,
)

TIED_BEFORE = "totals: the lowest tied before the end"
EVERY_TRICK = "moon: with every trick"
TRICK_LOST = "moon: with a trick lost"
LAST_TRICK = "moon: complete with the last trick"
QUEEN_SHORT = "moon: the queen of spades short"
CARD_SHORT = "moon: one card short"
NO_POINTS = "score: a trick without points"
BONUS = "score: the bonus card"
WINNER_OUT = "out: the winner of the last trick leads no more"
PLAY_ON = "out: others play on"
MIDDLE = "out: in the middle of a trick"
PASSED = "opening: a card that was passed"
CAME = "after a draw: the card that came"
LEAD_IN_VAIN = "lead: the stock has run out"
VOID_IN_VAIN = "void: the stock has run out"


def played(state: State, acts: str) -> tuple[State, State]:
    """The states before and after the last of these acts, each a card or `draw`."""
    before = after = state
    for act in acts.split():
        before, after = after, after.draw() if act == "draw" else after.play(act)
    return before, after


def at_end(state: State, acts: str) -> set[str]:
    """The moments that the last of these acts brings about by ending the deal."""
    before, after = played(state, acts)
    assert after.score is not None
    return {*moments_after(before, after)}


def domino(hands: list[str], stock: str = "", **options: object) -> State:
    """A deal of pokerwiner-domino; seat 0, left of the dealer, leads."""
    size = len(hands[0].split())
    rules = Ruleset("pokerwiner-domino", len(hands), {"hand_size": size, **options})
    return new_deal(rules, hands, dealer=len(hands) - 1, stock=stock)


# The hand left at the end counts (8.2)


def test_a_moon_in_the_hand_is_no_moon_with_every_trick() -> None:
    """The survivor holds every card that costs points, and has won no trick (8.4)."""
    state = domino(["AC KD", "2C 3S"], "QS 2H 4D", queen_points=13)
    met = at_end(state, "AC 2C KD draw draw draw 4D")
    assert TRICK_LOST in met
    assert EVERY_TRICK not in met


@pytest.mark.parametrize(("left", "shot"), [("5H", False), ("5D", True)])
def test_a_heart_that_the_survivor_takes_from_the_stock_prevents_a_moon(
    left: str, shot: bool
) -> None:
    state = domino(["AS AH", "QS 3C"], f"4H {left}", queen_points=13)
    met = at_end(state, "AS QS AH draw 4H")
    assert (EVERY_TRICK in met) == shot
    assert (CARD_SHORT in met) == (not shot)
    assert TRICK_LOST not in met


def test_a_bonus_card_in_the_hand_counts() -> None:
    taken = at_end(domino(["AC", "2C"], "JD", bonus_card="JD"), "AC 2C")
    assert BONUS in taken  # 6.8b: the stock goes to whoever played last
    nobody = domino(["AC", "2C"], "JD", bonus_card="JD", no_survivor_stock="nobody")
    assert BONUS not in at_end(nobody, "AC 2C")


# Penalty cards are those that cost something (1.4)


@pytest.mark.parametrize(
    ("queen", "hands", "acts", "there", "missing"),
    [
        (0, ["KS 3H", "QS 4H"], "KS QS 3H 4H", {NO_POINTS, TRICK_LOST}, {QUEEN_SHORT}),
        (13, ["KS 3H", "QS 4H"], "KS QS 3H 4H", {QUEEN_SHORT}, {NO_POINTS, TRICK_LOST}),
        # 8.3a: where the queen costs nothing, one heart is not enough for a moon.
        (0, ["KS 3H", "QS 4D"], "KS QS 3H 4D", set(), {EVERY_TRICK, LAST_TRICK}),
        (13, ["KS 3H", "QS 4D"], "KS QS 3H 4D", {EVERY_TRICK, LAST_TRICK}, set()),
        (0, ["AH KS", "2H QS"], "AH 2H KS QS", {EVERY_TRICK}, {LAST_TRICK}),
        (13, ["AH KS", "2H QS"], "AH 2H KS QS", {EVERY_TRICK, LAST_TRICK}, set()),
    ],
)
def test_a_queen_that_costs_nothing_is_no_penalty_card(
    queen: int, hands: list[str], acts: str, there: set[str], missing: set[str]
) -> None:
    met = at_end(domino(hands, queen_points=queen), acts)
    assert met >= there
    assert not met & missing


@pytest.mark.parametrize(
    ("profile", "costly"), [("black-maria", True), ("pokerwiner-hearts", False)]
)
def test_the_king_and_the_ace_of_spades_are_penalty_cards_where_they_cost(
    profile: str, costly: bool
) -> None:
    rules = Ruleset(profile, 3, {"pass_cycle": []})
    state = new_deal(rules, ["AC AD", "2C 4D", "KS 5D"], dealer=2)
    assert (NO_POINTS in at_end(state, "AC 2C KS AD 4D 5D")) != costly
    state = new_deal(rules, ["2C 3C", "KS AS", "4C 5C"], dealer=2).play("2C")
    nothing_else = "first trick: nothing but penalty cards"
    assert (nothing_else in {*moments_before(state)}) == costly


@pytest.mark.parametrize(
    ("queen", "one"),
    [(13, "nothing but penalty cards"), (0, "penalty cards and one other")],
)
def test_hearts_and_the_queen_in_the_first_trick(queen: int, one: str) -> None:
    state = domino(["2C 3C", "QS 2H"], queen_points=queen).play("2C")
    both = {"nothing but penalty cards", "penalty cards and one other"}
    met = {*moments_before(state)}
    assert "first trick: hearts and the queen" in met
    assert met & {f"first trick: {name}" for name in both} == {f"first trick: {one}"}


# Drawing


@pytest.mark.parametrize(
    ("stock", "there"),
    [("4C 6D", CAME), ("4C", CAME), ("QS", CAME), ("4H", LEAD_IN_VAIN)],
)
def test_the_last_card_of_the_stock_may_be_the_one_that_came(
    stock: str, there: str
) -> None:
    """A leader with nothing but hearts draws for another suit (6.2, 6.4a, 6.5)."""
    rules = Ruleset("gamerules-domino", 3, {"hand_size": 1})
    state = new_deal(rules, ["2H", "3C", "5D"], dealer=2, stock=stock)
    assert "draw: to lead" in {*moments_before(state)}
    met = {*moments_before(state.draw())}
    assert met & {CAME, LEAD_IN_VAIN} == {there}
    assert PASSED not in met


@pytest.mark.parametrize(
    ("stock", "there"), [("5C 5S", CAME), ("5C", CAME), ("5S", VOID_IN_VAIN)]
)
def test_a_follower_draws_the_card_that_came_or_none(stock: str, there: str) -> None:
    state = domino(["2C", "3D", "4C"], stock).play("2C").draw()
    assert {*moments_before(state)} & {CAME, VOID_IN_VAIN} == {there}


@pytest.mark.parametrize(
    ("given", "passed"),
    [(("2C", "3H", "4H", "5H"), True), (("2H", "3H", "4H", "5H"), False)],
)
def test_an_opening_card_may_have_been_passed(
    given: tuple[str, ...], passed: bool
) -> None:
    rules = Ruleset("estmesh-hearts", 4, {"pass_count": 1})
    state = new_deal(rules, ["2C 2H", "3C 3H", "4C 4H", "5C 5H"])
    state = state.after(*(Pass(seat, card) for seat, card in enumerate(given)))
    assert (PASSED in {*moments_before(state)}) == passed


def test_a_club_that_was_drawn_was_not_passed() -> None:
    options = {"hand_size": 1, "pass_cycle": ["left"], "pass_count": 1}
    rules = Ruleset("gamerules-domino", 3, options)
    state = new_deal(rules, ["3C", "5D", "2H"], dealer=2, stock="4C 6D")
    state = state.after(Pass(0, "3C"), Pass(1, "5D"), Pass(2, "2H")).draw()
    assert str(state.hands[0]) == "4C 2H"
    assert PASSED not in {*moments_before(state)}


# Seats that are out


def test_a_seat_is_passed_over_from_the_next_trick_on() -> None:
    """A seat that plays its last card is out (6.6), but still in that trick (5.12)."""
    state = domino(["2C", "5D", "6D"], "3C 4C").play("2C").draw()
    assert state.out == (0,)
    assert MIDDLE not in {*moments_before(state)}
    state = state.play("3C").draw().play("4C")
    assert {PLAY_ON, MIDDLE} & {*moments_before(state)} == {PLAY_ON}
    state = state.play("6D")
    assert {PLAY_ON, MIDDLE} & {*moments_before(state)} == {MIDDLE}


def test_where_all_are_out_nobody_is_left_to_lead_for_the_winner() -> None:
    """The rest of the stock is still added to a hand (6.8b)."""
    state = domino(["AC", "2C"], "3H 4H")
    _, after = played(state, "AC 2C")
    assert [len(hand) for hand in after.hands] == [0, 2]
    assert WINNER_OUT not in at_end(state, "AC 2C")
    assert WINNER_OUT in at_end(domino(["AC", "2D"], "3C 4H"), "AC draw 3C")


def test_the_last_to_the_first_trick_may_sit_before_a_seat_that_is_out() -> None:
    """In a position, a seat may be out during the first trick (3.12a, 5.12)."""
    rules = Ruleset("gamerules-domino", 3)
    hands = ["2C 3C", "4D 2H", ""]
    state = new_deal(rules, hands, leader=0, out=[2], first_trick=True).play("2C")
    assert "first trick: void, the last to play" in {*moments_before(state)}


# Ties


@pytest.mark.parametrize(
    ("profile", "options", "setup", "there"),
    [
        ("dominorules-tiles", {}, {"totals": [100] * 4}, TIED_BEFORE),  # exceed
        ("dominorules-tiles", {}, {"totals": [101] * 4}, TIED),
        ("common-hearts", {}, {"totals": [100] * 4}, TIED),
        ("common-hearts", {"ties": "play_on"}, {"totals": [60] * 4}, TIED_BEFORE),
        (
            "common-hearts",
            {"ties": "play_on"},
            {"totals": [60] * 4, "limit_reached": True},
            TIED,
        ),
        (
            "common-hearts",
            {"limit": "none", "deals": 3},
            {"totals": [5] * 4, "deal": 1},
            TIED_BEFORE,
        ),
        (
            "common-hearts",
            {"limit": "none", "deals": 3},
            {"totals": [5] * 4, "deal": 3},
            TIED,
        ),
    ],
)
def test_a_tie_is_at_the_end_once_the_limit_is_reached(
    profile: str, options: dict[str, Any], setup: dict[str, Any], there: str
) -> None:
    """A limit is reached as 9.3 and 9.6 say; if there is none, the deals run out."""
    rules = Ruleset(profile, 4, {"pass_cycle": [], **options})
    state = new_deal(rules, ["2C", "3C", "4C", "5C"], **setup)
    assert at_end(state, "2C 3C 4C 5C") & {TIED, TIED_BEFORE} == {there}


# Revokes


OLD_HEARTS = Ruleset("pokerwiner-hearts", 3, {"deals": 2})
HANDS = ["2C 3C", "4C 5D", "6C 7D"]


def test_of_a_deal_ended_by_a_claim_only_the_totals_are_looked_at() -> None:
    """The claim ends the deal in the middle of a trick, and no cards count (7.9)."""
    state = new_deal(OLD_HEARTS, HANDS, dealer=2, deal=2)
    _, before = played(state, "2C 5D 6C 7D")
    after = before.apply(Claim(0, 1, 1))
    assert after.over
    # No penalty card is in play, so that the revoke costs nothing (7.9, 1.6).
    assert [*moments_after(before, after)] == [REVOKES["established"], TIED]


def test_a_revoke_that_nobody_has_claimed_is_noted_at_the_end() -> None:
    met = at_end(new_deal(OLD_HEARTS, HANDS, dealer=2), "2C 5D 6C 7D 3C 4C")
    assert UNCLAIMED in met


def test_a_correction_takes_a_later_revoke_with_it() -> None:
    """A card played after the one that is taken back returns to its hand too (7.5b)."""
    state = new_deal(OLD_HEARTS, HANDS, dealer=2)
    before = state.play("2C").play("5D").play("7D")
    after = before.apply(Retract(1, "5D"))
    assert {*moments_after(before, after)} == {GONE, REVOKES["corrected"]}


def test_a_second_correction_in_the_same_trick_is_noted_too() -> None:
    """The records of the two revokes are equal, since both are corrected (7.5)."""
    first = new_deal(OLD_HEARTS, HANDS, dealer=2).play("2C").play("5D")
    before = first.apply(Retract(1, "5D")).play("5D")
    after = before.apply(Retract(1, "5D"))
    assert [*moments_after(before, after)] == [REVOKES["corrected"]]


def test_the_revokes_of_a_deal_are_not_corrected_by_the_next_deal() -> None:
    pack = " ".join(HANDS)
    state = State.open(OLD_HEARTS, Match(dealer=2, pack=pack)).apply(Deal(2, HANDS))
    _, before = played(state, "2C 5D 6C 7D 3C 4C")
    assert before.phase == "deal"
    assert before.revokes
    assert not [*moments_after(before, before.apply(Deal(0, HANDS)))]


def test_in_a_deal_ended_by_a_claim_no_cards_count() -> None:
    """No cards count, whether taken in tricks or left in the hands (7.9)."""
    state = new_deal(OLD_HEARTS, HANDS, dealer=2)
    _, before = played(state, "2C 5D 6C 7D")
    ended = before.apply(Claim(0, 1, 1))
    assert ended.score is not None
    assert any(ended.hands)
    assert not any(counting_piles(ended))
    _, scored = played(state, "2C 5D 6C 7D 3C 4C")
    assert any(counting_piles(scored))


def test_where_no_points_are_left_the_cards_not_played_are_taken_by_nobody() -> None:
    """The cards stay in the hands, and tricks not played belong to nobody (5.14a)."""
    rules = Ruleset("pokerwiner-hearts", 3, {"deal_ends": "no_points_left"})
    state = new_deal(rules, ["2C AH", "3C 2H", "4C 3H"], dealer=2)
    _, after = played(state, "AH 2H 3H")
    assert after.score is not None
    assert all(after.hands)
    assert [len(pile) for pile in counting_piles(after)] == [3, 0, 0]


# The numbers of the tricks


@pytest.mark.parametrize("before", [1, 2])
def test_the_second_trick_is_the_second_of_the_deal(before: int) -> None:
    """The same holds in a position that begins after some tricks (3.12a)."""
    state = new_deal(
        Ruleset("estmesh-hearts"),
        ["AC 2H", "3C 3H", "4C 4H", "5C 5H"],
        leader=0,
        tricks=[before, 0, 0, 0],
        taken=["", "", "", ""],
        hearts_broken=True,
    )
    name = "lead: second trick, hearts in hand"
    assert (name in {*moments_before(state)}) == (before == 1)
    _, after = played(state, "AC 3C 4C 5C")
    assert name not in {*moments_before(after)}


# A draw that is due


def test_a_seat_that_has_to_draw_has_no_discard_to_choose() -> None:
    rules = Ruleset("gamerules-domino", 3, {"hand_size": 3})
    hands = ["2C 3C 4C", "4D 7S 2H", "5C 6C 7C"]
    state = new_deal(rules, hands, dealer=2, stock="9C 8C").play("2C")
    assert state.legal.due.kind == "draw"
    names = {*moments_before(state)}
    assert "draw: to follow" in names
    assert not {one for one in names if one.startswith(("void:", "first trick:"))}
