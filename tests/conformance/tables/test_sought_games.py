"""Ends that chance seldom comes to are sought, and what is forgotten there shows."""

from __future__ import annotations

import pytest

from refengine import Ruleset, State
from refengine.formats.trace import read_trace
from refengine_conformance.corpus_tools import evidence
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

SEED = 2026
STOCK = "stock: to who played last, others out before"
ALONE = "lead: the bonus card alone counts"
KITTY = "moon: but for the kitty"
REACHED = "moon: settled by a limit that was reached before"


def whole(profile: str, players: int, **options: object) -> Table:
    """The table of this profile with whole hands, deals as found."""
    ruleset = Ruleset(profile, players, options)
    return Table(ruleset=ruleset, hands="full", starts=("deal",))


BONUS = whole("common-hearts", 4, deal_ends="no_points_left", bonus_card="JD")
DOMINO = whole("pokerwiner-domino", 3)
LAST_TRICK = whole(
    "estmesh-hearts", 4, undealt="kitty", kitty_to="last_trick", moon="self_minus"
)
PLAYED_ON = whole(
    "openspiel-hearts",
    4,
    limit=100,
    ties="play_on",
    moon="others_plus_unless_losing",
    bonus_card="JD",
)


def end_of(one: Candidate) -> State:
    """The state to which a candidate comes."""
    state = State.open(one.script.ruleset, one.script.start)
    for move in one.script.moves:
        state = state.apply(move.act)
    return state


def is_shown(table: Table, number: int, fault: str) -> bool:
    """Whether the line of this candidate fails an engine with a fault, and only it."""
    _, line, *_ = aimed_line((table.fields(), SEED, number, {}, ()))
    trace = read_trace(line.encode())
    assert evidence.first_divergence(trace) == ""
    with loading.run_as_mutant(f"meeting:{fault}"):
        return bool(evidence.first_divergence(trace, cited=False))


def test_the_stock_goes_to_who_played_last_of_those_still_in() -> None:
    number = next(
        one
        for one in range(60)
        if (found := with_sparing_draws(DOMINO, SEED, one)) and STOCK in found.moments
    )
    one = with_sparing_draws(DOMINO, SEED, number)
    assert one is not None
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
    state = State.open(DOMINO.ruleset, one.script.start)
    draws = 0
    for move in one.script.moves:
        assert state.table is not None
        if state.legal.due.kind == "draw" and state.table.cards:
            led = state.table.cards[0].value[1]
            had_it = any(card.value[1] == led for card in state.stock)
            drew = state.stock[0]
            assert not had_it or drew.value[1] == led
            draws += 1
        state = state.apply(move.act)
    assert draws > 3
    assert with_sparing_draws(LAST_TRICK, SEED, 31) is None


def test_a_moon_fails_by_a_penalty_card_in_the_kitty() -> None:
    number = next(
        one
        for one in range(60, 100)
        if (found := candidate(LAST_TRICK, SEED, one)) and KITTY in found.moments
    )
    one = candidate(LAST_TRICK, SEED, number)
    assert one is not None
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
    number = next(
        one
        for one in range(20)
        if (found := candidate(BONUS, SEED, one)) and ALONE in found.moments
    )
    assert is_shown(BONUS, number, "early_end_forgets_the_bonus_card")


def test_a_match_that_is_played_on_ends_below_the_limit() -> None:
    table = whole("omnibus-hearts", 4, ties="play_on")
    sort = "played on: no total at the limit, over: True"
    variant = next(
        one for one, sorts in ends_shown(table, SEED, 10, ()) if sort in sorts
    )
    one = number_of_variant(10, variant)
    assert is_shown(table, one, "play_off_tests_the_limit_anew")
