"""Traces with the verdict on every card of the hand added to every play."""

from __future__ import annotations

import attrs

from refengine.acts import Play
from refengine.fields import legal_fields
from refengine.state import State
from refengine.trace import Probe, Step, Trace, applied, opened
from refengine.verdicts import Irregular, Refused


def annotated(trace: Trace) -> Trace:
    """The trace with what is due at every step, and every card of the hand judged.

    What it says already stays, if it is right or not; an act that is refused stays
    unjudged with all that follows.
    Raises Malformed where the game cannot begin.
    """
    state = opened(trace.ruleset, trace.start)
    steps: list[Step] = []
    for step in trace.steps:
        verdict = state.verdict(step.act)
        if isinstance(verdict, Refused):
            break
        steps.append(_annotated(state, step))
        state = applied(state, step.act, verdict)
    rest = trace.steps[len(steps) :]
    return attrs.evolve(trace, steps=(*steps, *rest))


def _annotated(state: State, step: Step) -> Step:
    refuse = {probe.act: probe for probe in step.refuse}
    irregular = {probe.act: probe for probe in step.irregular}
    seat = step.act.seat
    if isinstance(step.act, Play) and state.turn == (seat,):
        for card in state.hands[seat]:
            act = Play(seat, card)
            verdict = state.verdict(act)
            if isinstance(verdict, Refused):
                refuse.setdefault(act, Probe(act, verdict.clauses))
            elif isinstance(verdict, Irregular):
                irregular.setdefault(act, Probe(act, verdict.clauses))
    legal = legal_fields(state) if step.legal is None else step.legal
    return attrs.evolve(
        step,
        legal=legal,
        refuse=tuple(refuse.values()),
        irregular=tuple(irregular.values()),
    )
