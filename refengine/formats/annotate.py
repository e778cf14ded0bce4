"""Annotated traces: what is due at each step, and a verdict on each card in hand."""

from __future__ import annotations

import attrs

from refengine.formats.fields import drawn_by, legal_fields, normal_state_fields
from refengine.formats.logs import Log, replay_log
from refengine.formats.normal_form import call_with_place
from refengine.formats.recording import probes_of
from refengine.formats.saved_games import trace_of_state
from refengine.formats.trace import Finding, Probe, Step, Trace, applied, opened
from refengine.game.acts import Play
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.lawbook.clause_names import named_at


def annotated(trace: Trace, states: bool = False) -> Trace:
    """The trace with what is due at each step and, at a play, a verdict on each card.

    With `states`, each step also lists all fields of the state after it, so that a
    program that does not know the rules can show the game. What the trace already says
    is kept, right or wrong. From the first refused act on, steps are left unchanged.
    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    state = opened(trace.ruleset, trace.start)
    steps: list[Step] = []
    for place, step in enumerate(trace.steps):
        verdict = call_with_place(f"steps[{place}]", state.verdict, step.act)
        if isinstance(verdict, Refused):
            break
        judged = _annotated(state, step, trace.spec)
        after = applied(state, step.act, verdict)
        if states:
            seen = normal_state_fields(after, drawn_by(state, step.act, after))
            judged = attrs.evolve(judged, then=seen | step.then)
        steps.append(judged)
        state = after
    rest = trace.steps[len(steps) :]
    return attrs.evolve(trace, steps=(*steps, *rest))


def traced(log: Log) -> tuple[list[Finding], Trace]:
    """The findings about a log, and a trace of the acts replayed, including draws.

    If a play is an accepted revoke, its step says which clauses the revoke breaks.
    Raises Malformed if a seat is not at the table or the deal cannot begin.
    """
    found, state = replay_log(log)
    return found, trace_of_state(state)


def _annotated(state: State, step: Step, spec: str) -> Step:
    """The step with what is due before it and, at a play in turn, the verdicts."""
    refuse = {probe.act: probe for probe in step.refuse}
    irregular = {probe.act: probe for probe in step.irregular}
    seat = step.act.seat
    if isinstance(step.act, Play) and state.turn == (seat,):
        plays = [Play(seat, card) for card in state.hands[seat]]
        refused, revokes = probes_of(state, plays)
        for probe in refused:
            clauses = named_at(spec, probe.clauses)
            refuse.setdefault(probe.act, Probe(probe.act, clauses))
        for probe in revokes:
            irregular.setdefault(probe.act, probe)
    legal = legal_fields(state) if step.legal is None else step.legal
    return attrs.evolve(
        step,
        legal=legal,
        refuse=tuple(refuse.values()),
        irregular=tuple(irregular.values()),
    )
