"""Which clause is to blame where a deal takes something over from the one before."""

from random import Random

from refengine import Deal, Match, Ruleset, State
from refengine.formats.trace import Trace, write_trace
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.runner.blame import suspects
from refengine_conformance.runner.named_clauses import clauses_of_field, state_at
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


def test_hearts_that_are_broken_too_early_may_be_left_from_the_deal_before() -> None:
    trace = match_of_two_deals()
    line = write_trace(trace).decode()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    for deal, left in ((deals[0], False), (deals[1], True)):
        step = deal + 1
        assert not state_at(trace, step - 1).hearts_broken
        fault = Fault(step, "legal", ("5.4",), "what is due?", "2C", "2C 2H")
        assert ("3.11" in suspects(line, [fault])) == left
