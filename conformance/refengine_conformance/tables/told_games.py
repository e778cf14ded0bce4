"""Rewrites games of a table to ask what information each seat is given about an act."""

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

_ACTS_OF_A_KIND: Final = 3  # the most of one kind that a game asks about
_GAMES_OF_A_KIND: Final = 2  # the most that ask about one kind of act
_MOST_READ: Final = 60  # games


def told_games(lines: Iterable[Selected]) -> tuple[Selected, ...]:
    """Games that ask what every seat was told of an act, at most two per kind of act.

    They are made from the first 60 traces among these lines, ask nothing else, and end
    with the last act that they ask about.
    """
    found: list[Selected] = []
    games_of_kind: Counter[str] = Counter()
    games = [line for line in lines if not line.mini][:_MOST_READ]
    for line in games:
        trace = read_trace(line.data)
        kinds = {step.act.kind for step in trace.steps}
        wanted = {one for one in kinds if games_of_kind[one] < _GAMES_OF_A_KIND}
        if wanted:
            games_of_kind.update(wanted)
            asking = _asking_about(trace, wanted)
            found.append(Selected(asking.id, write_trace(asking)))
    return tuple(found)


def _asking_about(trace: Trace, kinds: set[str]) -> Trace:
    """A game that asks only what every seat was told of a few acts of these kinds.

    It ends with the last of these acts.
    """
    state = opened(trace.ruleset, trace.start)
    seats = range(trace.ruleset.players)
    steps: list[Step] = []
    asked: Counter[str] = Counter()
    last = 0  # the number of the last step that is asked about
    for number, step in enumerate(trace.steps, 1):
        act = step.act
        told: tuple[Told, ...] = ()
        if act.kind in kinds and asked[act.kind] < _ACTS_OF_A_KIND:
            asked[act.kind] += 1
            last = number
            told = tuple(told_of(state, act, seat) for seat in seats)
        steps.append(Step(act=act, breaks=step.breaks, told=told))
        state = state.apply(act)
    made = Trace(ruleset=trace.ruleset, start=trace.start, steps=tuple(steps[:last]))
    return attrs.evolve(made, id=trace_id(made))
