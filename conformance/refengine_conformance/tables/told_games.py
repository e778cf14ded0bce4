"""Some games of a table once more, to ask what seats are told of each kind of act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from refengine.formats.trace import (
    Step,
    Told,
    Trace,
    opened,
    read_trace,
    told_of,
    trace_id,
    write_trace,
)
from refengine_conformance.runner.selection import Selected

_OF_A_KIND: Final = 3  # acts of which a game asks what was told
_GAMES: Final = 2  # that ask about acts of one kind
_READ: Final = 60  # the most games that are looked at


def told_games(lines: Iterable[Selected]) -> tuple[Selected, ...]:
    """For each kind of act in these games, two that ask every seat what it was told.

    They ask nothing else, and end with the last act that they ask about.
    """
    found: list[Selected] = []
    had: Counter[str] = Counter()
    traces = [line for line in lines if not line.mini][:_READ]
    for line in traces:
        trace = read_trace(line.data)
        new = {step.act.kind for step in trace.steps if had[step.act.kind] < _GAMES}
        if new:
            had.update(new)
            made = _asking(trace, new)
            found.append(Selected(made.id, write_trace(made)))
    return tuple(found)


def _asking(trace: Trace, kinds: set[str]) -> Trace:
    """The game up to its last act that is asked about, with nothing but that asked."""
    state = opened(trace.ruleset, trace.start)
    seats = range(trace.ruleset.players)
    steps: list[Step] = []
    asked: Counter[str] = Counter()
    length = 0
    for step in trace.steps:
        act = step.act
        told: tuple[Told, ...] = ()
        if act.kind in kinds and asked[act.kind] < _OF_A_KIND:
            asked[act.kind] += 1
            length = len(steps) + 1
            told = tuple(told_of(state, act, seat) for seat in seats)
        steps.append(Step(act=act, breaks=step.breaks, told=told))
        state = state.apply(act)
    made = Trace(ruleset=trace.ruleset, start=trace.start, steps=tuple(steps[:length]))
    return attrs.evolve(made, id=trace_id(made))
