"""Which clause is to blame where a deal takes something over from the one before."""

from random import Random

import attrs

from refengine import Deal, Match, Ruleset, State
from refengine.formats.trace import Trace, write_trace
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.runner.blame import suspects
from refengine_conformance.runner.named_clauses import (
    clauses_of_field,
    clauses_of_turn,
    state_at,
)
from refengine_conformance.runner.results import Fault

PACK = "2C 3C 2D 3D 2S QS 2H 3H"


def match_of_two_deals() -> Trace:
    """Two deals of two cards a seat, in which hearts are broken."""
    rng = Random(2)
    moves = []
    state = State.open(Ruleset("common-hearts", 4, {"pass_cycle": ()}), Match(0, PACK))
    while state.deal < 3:
        act = state.random_act(rng)
        moves.append(Move(act))
        state = state.apply(act)
    return recorded(Script(state.ruleset, Match(0, PACK), tuple(moves)))


def test_what_a_new_deal_begins_with_is_of_3_11() -> None:
    trace = match_of_two_deals()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    for field, got in (
        ("hearts_broken", True),
        ("taken", []),
        ("tricks", [1, 1, 0, 0]),
    ):
        assert clauses_of_field(trace, deals[1], field, got) == ("3.11",)
    assert clauses_of_field(trace, deals[1], "hands", []) != ("3.11",)


def test_after_the_last_trick_it_is_the_turn_of_the_next_dealer() -> None:
    trace = match_of_two_deals()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    assert clauses_of_turn(trace, deals[1]) == ("3.2",)
    assert clauses_of_turn(trace, deals[1] - 1) != ("3.2",)


def test_a_queen_that_may_not_break_hearts_goes_against_5_9() -> None:
    trace = match_of_two_deals()
    queen = next(n for n, one in enumerate(trace.steps, 1) if str(one.act) == "QS")
    assert clauses_of_field(trace, queen, "hearts_broken", True) == ("5.9",)
    breaks = trace.ruleset.having(queen_breaks_hearts=True)
    other = attrs.evolve(trace, ruleset=breaks)
    assert clauses_of_field(other, queen, "hearts_broken", False) == ("5.9a",)


def test_hearts_that_are_broken_too_early_may_be_left_from_the_deal_before() -> None:
    trace = match_of_two_deals()
    line = write_trace(trace).decode()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    for deal, left in ((deals[0], False), (deals[1], True)):
        step = deal + 1
        assert not state_at(trace, step - 1).hearts_broken
        fault = Fault(step, "legal", ("5.4",), "what is due?", "2C", "2C 2H")
        assert ("3.11" in suspects(line, [fault])) == left
