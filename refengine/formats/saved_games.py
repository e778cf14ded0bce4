"""Saving a game as one line, a trace of its acts, and resuming it from that line."""

from __future__ import annotations

from refengine.errors import Malformed, shown, whole_number
from refengine.formats.recording import bare_step
from refengine.formats.trace import (
    Step,
    Trace,
    applied,
    opened,
    read_trace,
    replay,
)
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict


def trace_of_state(state: State) -> Trace:
    """The trace of a game so far: how it began and all its acts, but no expectations.

    Raises Malformed if one of the acts was refused, but the game went on as though it
    had been accepted, as `judge` allows: such a game cannot be resumed.
    """
    now = State.open(state.ruleset, state.start)
    steps: list[Step] = []
    for place, act in enumerate(state.acts):
        try:
            step, now = bare_step(now, act)
        except Refused as refused:
            found, where = str(refused), f"steps[{place}]"
            raise Malformed(found, "acts that are accepted", where) from None
        steps.append(step)
    return Trace(ruleset=state.ruleset, start=state.start, steps=tuple(steps))


def resumed(line: bytes) -> State:
    """The state at the end of the game that a trace line records.

    Raises Malformed if the line cannot be read, or if anything that it says is wrong:
    an act, an expectation or the id.
    """
    trace = read_trace(line)
    mistakes = replay(trace)
    if mistakes:
        wrong = mistakes[0]
        place = f"steps[{wrong.step - 1}], " if wrong.step else ""
        raise Malformed(wrong.found, wrong.expected, f"{place}{wrong.what}")
    state = opened(trace.ruleset, trace.start)
    for step in trace.steps:
        verdict: Verdict = Irregular(step.breaks) if step.breaks else Legal()
        state = applied(state, step.act, verdict)
    return state


def undone(state: State, acts: object = 1) -> State:
    """The state as it was `acts` acts ago, reached by replaying the game to that point.

    Raises Malformed unless `acts` is a whole number from 1 to the number of acts so
    far, and as `trace_of_state` does if one of the acts that remain was refused.
    """
    made = state.acts
    number = whole_number(acts)
    if number is None or not 1 <= number <= len(made):
        allowed = f"a number of acts, from 1 to the {len(made)} that have been made"
        if not made:
            allowed = "nothing: no act has been made"
        raise Malformed(shown(acts)[:40], allowed, "acts")
    try:
        return State.open(state.ruleset, state.start).after(*made[:-number])
    except Refused as refused:
        raise Malformed(str(refused), "acts that are accepted", "acts") from None
