"""Ends that chance seldom comes to are sought, and what is forgotten there shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from refengine import State
from refengine.formats.trace import read_trace
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.generators.strategies import moments_of
from refengine_conformance.mutants import loading
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.aiming import (
    SPARING,
    aimed_line,
    number_of_variant,
)
from refengine_conformance.tables.built_ends import ends_shown
from refengine_conformance.tables.candidates import Candidate, candidate
from refengine_conformance.tables.sparing_draws import with_sparing_draws
from tests.support.tables import SEED, whole

STOCK = "stock: to who played last, others out before"
ALONE = "lead: the bonus card alone counts"
KITTY = "moon: but for the kitty"
REACHED = "moon: settled by a limit that was reached before"
DEAL = ("deal",)
BONUS = whole("common-hearts", 4, DEAL, deal_ends="no_points_left", bonus_card="JD")
DOMINO = whole("pokerwiner-domino", 3, DEAL)
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
    """The first of these candidates that comes to this moment, and its number."""
    made = ((number, make(table, SEED, number)) for number in numbers)
    return next((n, one) for n, one in made if one and moment in one.moments)


def end_of(one: Candidate) -> State:
    """The state to which a candidate comes."""
    *_, end = moments_of(one.script)
    return end


def is_shown(table: Table, number: int, fault: str) -> bool:
    """Whether the line of this candidate fails an engine with a fault, and only it."""
    _, line, *_ = aimed_line((table.fields(), SEED, number, {}, ()))
    trace = read_trace(line.encode())
    assert evidence.first_divergence(trace) == ""
    with loading.run_as_mutant(f"meeting:{fault}"):
        return bool(evidence.first_divergence(trace, cited=False))


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


def test_no_seat_draws_more_often_than_it_must() -> None:
    """Whoever draws, gets the suit led at once, as long as the stock has it."""
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
