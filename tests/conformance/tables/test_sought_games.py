"""Tests of the search for endings that are rare in random games, and show faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from refengine import MoonChoice, Play, QuitTrick, Ruleset, Setup, State
from refengine_conformance.generators.strategies import Move, Script, moments_of
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import built_ends
from refengine_conformance.tables.aiming import SPARING, number_of_variant
from refengine_conformance.tables.built_ends import ends_shown, with_variant
from refengine_conformance.tables.candidates import Candidate, candidate
from refengine_conformance.tables.likings import is_heart
from refengine_conformance.tables.sparing_draws import with_sparing_draws
from tests.support.tables import SEED, candidate_at, is_shown, whole

STOCK = "stock: to who played last, others out before"
ALONE = "lead: the bonus card alone counts"
KITTY = "moon: but for the kitty"
REACHED = "moon: settled by a limit that was reached before"
BY_POINTS = "moon: the limit reached by points alone, a choice due"
NOT_BY_PLUS = "the limit not reached by the plus"
TOOK_NOTHING = "reset: of a seat that took nothing"
DEAL = ("deal",)
BONUS = whole("common-hearts", 4, DEAL, deal_ends="no_points_left", bonus_card="JD")
DOMINO = whole("pokerwiner-domino", 3, DEAL)
SURVIVED = whole("pokerwiner-domino", 3, DEAL, queen_points=13, revokes="rejected")
RESET = whole("gamerules-domino", 3, DEAL, exact_limit_becomes=15)
EXCEED = whole("dominorules-tiles", 4, DEAL)
SUN = whole("estmesh-hearts", 4, DEAL, sun_points=52)
KITTY_LAST = {"undealt": "kitty", "kitty_to": "last_trick", "moon": "self_minus"}
LAST_TRICK = whole("estmesh-hearts", 4, DEAL, **KITTY_LAST)
PLAYED_ON = whole(
    *("openspiel-hearts", 4, DEAL),
    limit=100,
    ties="play_on",
    moon="others_plus_unless_losing",
    bonus_card="JD",
)


def first(
    make: Callable[[Table, int, int], Candidate | None],
    table: Table,
    numbers: range,
    moment: str,
) -> tuple[int, Candidate]:
    """The first candidate that reaches this moment, preceded by its number."""
    made = ((number, make(table, SEED, number)) for number in numbers)
    return next((n, one) for n, one in made if one and moment in one.moments)


def end_of(one: Candidate) -> State:
    """The last state of a candidate."""
    *_, end = moments_of(one.script)
    return end


def variants(
    table: Table, number: int
) -> Iterator[tuple[list[str], tuple[int, ...], list[State]]]:
    """The variants of a deal that begin with other totals.

    Each is given as the kinds of its ending, the totals before it and all its states.
    """
    for variant, sorts in ends_shown(table, SEED, number, ())[1:]:
        one = with_variant(table, SEED, number, variant, False)
        assert one is not None
        start = one.script.start
        assert isinstance(start, Setup)
        assert start.totals is not None
        yield sorts, start.totals, moments_of(one.script)


def test_the_stock_goes_to_who_played_last_of_those_still_in() -> None:
    number, one = first(with_sparing_draws, DOMINO, range(60), STOCK)
    end = end_of(one)
    trick = end.history[-1]
    (to,) = (seat for seat, hand in enumerate(end.hands) if hand)
    assert len(trick.cards) < 3
    assert (to + 1) % 3 != trick.leader  # clockwise: the next seat did not lead
    assert is_shown(
        DOMINO, SPARING + number, "last_to_play_is_the_seat_before_the_leader"
    )


def test_the_hand_of_the_survivor_counts_for_and_against_a_moon() -> None:
    """The hand counts as taken (8.2, 6.8); at this table no moon changes the score."""
    turned: Counter[bool] = Counter()
    for number in range(60):
        one = candidate_at(SURVIVED, number, tried=False)
        end = end_of(one)
        if not any(end.hands):
            continue
        with_points = [points for points in end.score or () if points]
        moons = {"moon: with every trick", "moon: with a trick lost"}
        shot = bool(moons & {*one.moments})
        # The queen costs 13 and a heart 1: more than 13 is the queen and a heart.
        assert shot == (len(with_points) == 1 and with_points[0] > 13)
        queens = ["QS" in pile for pile in end.taken]
        hearts = [any(map(is_heart, pile)) for pile in end.taken]
        in_tricks = queens == hearts and sum(queens) == 1
        if shot != in_tricks:
            turned[shot] += 1
    assert turned[True]
    assert turned[False]


def test_no_seat_draws_more_often_than_it_must() -> None:
    """A seat that draws gets the suit led at once, if the stock contains it."""
    one = with_sparing_draws(DOMINO, SEED, 31)
    assert one is not None
    draws = 0
    for state in moments_of(one.script)[:-1]:
        assert state.table is not None
        if state.legal.due.kind == "draw" and state.table.cards:
            led = state.table.cards[0].value[1]
            had_it = any(card.value[1] == led for card in state.stock)
            drew = state.stock[0]
            assert not had_it or drew.value[1] == led
            draws += 1
    assert draws > 3
    assert with_sparing_draws(LAST_TRICK, SEED, 31) is None


def test_a_moon_fails_by_a_penalty_card_in_the_kitty() -> None:
    number, one = first(candidate, LAST_TRICK, range(60, 100), KITTY)
    points = end_of(one).points
    winner = end_of(one).history[-1].winner
    assert sum(map(bool, points)) == 2
    assert 0 < points[winner] < 13  # those of the kitty alone
    assert is_shown(LAST_TRICK, number, "moon_forgets_the_kitty")


@pytest.mark.parametrize("number", [21, 136])
def test_a_moon_is_settled_by_a_limit_that_was_reached_before(number: int) -> None:
    shown = dict(ends_shown(PLAYED_ON, SEED, number, ()))
    variant = next(one for one, sorts in shown.items() if REACHED in sorts)
    one = number_of_variant(number, variant)
    assert is_shown(PLAYED_ON, one, "look_ahead_forgets_the_limit_reached_earlier")


@pytest.mark.parametrize(
    ("table", "number", "plus", "least"), [(EXCEED, 10, 26, 101), (SUN, 21, 52, 100)]
)
def test_points_reach_the_limit_where_the_ruleset_says(
    table: Table, number: int, plus: int, least: int
) -> None:
    """Clause 9.3 says which total reaches the limit, and 8.5 how much a plus adds."""
    edges: set[tuple[str, int]] = set()
    for sorts, totals, states in variants(table, number):
        (shooter,) = next(one.turn for one in states if one.phase == "moon")
        highest = max(
            total + 26 if seat == shooter else total
            for seat, total in enumerate(totals)
        )
        assert (BY_POINTS in sorts) == (highest >= least)
        others = max(totals[:shooter] + totals[shooter + 1 :])
        not_by_plus = any(name.endswith(NOT_BY_PLUS) for name in sorts)
        assert not_by_plus == (others + plus < least)
        edges |= {("points", highest), ("plus", others + plus)}
    assert edges >= {("points", 100), ("plus", 100)}


@pytest.mark.parametrize("number", [0, 8])
def test_a_seat_that_holds_hearts_at_the_end_took_something(number: int) -> None:
    """Hearts in a hand count against the seat (8.2): its total may reach the limit.

    At this table there is no moon, and nothing else is scored.
    """
    by_the_hand = False
    for sorts, totals, states in variants(RESET, number):
        assert TOOK_NOTHING not in sorts
        scores, in_tricks = states[-1].score or (), states[-1].points
        for total, score, points in zip(totals, scores, in_tricks, strict=True):
            by_the_hand |= total + score == 31 and score > 0 and not points
    assert by_the_hand


def test_play_goes_on_for_the_bonus_card() -> None:
    number, _ = first(candidate, BONUS, range(20), ALONE)
    assert is_shown(BONUS, number, "early_end_forgets_the_bonus_card")


def test_a_match_that_is_played_on_ends_below_the_limit() -> None:
    table = whole("omnibus-hearts", 4, DEAL, ties="play_on")
    sort = "played on: no total at the limit, over: True"
    variant = next(
        one for one, sorts in ends_shown(table, SEED, 10, ()) if sort in sorts
    )
    one = number_of_variant(10, variant)
    assert is_shown(table, one, "play_off_tests_the_limit_anew")


def test_a_quit_does_not_hide_the_choice_before_it() -> None:
    rules = Ruleset("dominorules-tiles", 3, {"pass_cycle": []})
    start = Setup(dealer=0, hands=["AC KH", "2C QS", "3C 2H"])
    acts = (
        *(Play(1, "2C"), Play(2, "3C"), Play(0, "AC")),
        *(Play(0, "KH"), Play(1, "QS"), Play(2, "2H")),
        *(MoonChoice(0, "others_plus"), QuitTrick(0)),
    )
    one = Candidate(0, True, Script(rules, start, tuple(Move(act) for act in acts)), {})
    end = moments_of(one.script)[-1]
    assert built_ends._ending(one, end, (0, 0, 0), False).choice == "others_plus"


def test_a_seat_that_took_the_bonus_card_took_something() -> None:
    """The bonus card brings the seat's total down to the limit.

    Each name is given once.
    """
    options = {"exact_limit_becomes": 50, "bonus_card": "JD", "bonus_points": -10}
    rules = Ruleset("estmesh-hearts", 4, {**options, "pass_cycle": []})
    start = Setup(dealer=0, hands=["2C", "JD", "3D", "4D"])
    acts = (Play(0, "2C"), Play(1, "JD"), Play(2, "3D"), Play(3, "4D"))
    one = Candidate(0, True, Script(rules, start, tuple(Move(act) for act in acts)), {})
    end = moments_of(one.script)[-1]
    assert end.score == (-10, 0, 0, 0)
    ending = built_ends._ending(one, end, (110, 100, 100, 5), False)
    variant = built_ends._Variant(1, ending, ending.outcome(rules))
    names = [*built_ends._sorts_of_reset(Table(ruleset=rules), end, variant)]
    assert TOOK_NOTHING not in names
    assert "reset: from above" in names
    assert names.count("reset: of a seat that scored nothing") == 1
