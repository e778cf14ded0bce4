"""Slim lines: a game that asserts only what it was built to show.

At the steps that matter a line states what is legal and the acts refused there, and at
the end what the deal came to. An engine is led through the other steps as they are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from refengine.formats.trace import Probe, Step, Trace
from refengine.game.acts import Claim, Play, QuitTrick, Retract

_AT_THE_END: Final = (
    "phase",
    "hearts_broken",
    "taken",
    "tricks",
    "points",
    "score",
    "totals",
    "match",
    "over",
)
_TIMES: Final = 2  # how often a moment of a game is asserted
_ALIKE: Final = 2  # how many cards are tried that the same clauses hold back
_BESIDE: Final = (Claim, QuitTrick, Retract)
_PLACE: Final = re.compile(r"(\d+|end) (\w+) ?(.*)")


def slim_line(
    trace: Trace, places: Iterable[str], moments: Mapping[str, tuple[int, ...]]
) -> Trace:
    """The trace with only these assertions and those of its moments, and its end.

    A place is written as a divergence is: `12 legal`, `12 refuse pass 2C`, `12 then
    hearts_broken`, `end score`; other words are passed over.
    """
    wanted: dict[int, set[str]] = {}
    end = set(_AT_THE_END)
    for place in places:
        match = _PLACE.match(place)
        if match is None:
            continue
        step, what, rest = match.groups()
        if step == "end":
            end.add(what)
        else:
            wanted.setdefault(int(step), set()).add(f"{what} {rest}".strip())
    for steps in moments.values():
        for number in steps[:_TIMES]:
            wanted.setdefault(number, set()).add("legal")
    beside = _refused_beside(trace) if trace.ruleset.rules.revokes_penalised else {}
    slim = [
        _slim_step(step, wanted.get(number, set()), beside.get(number, ()))
        for number, step in enumerate(trace.steps, 1)
    ]
    kept = {name: value for name, value in trace.end.items() if name in end}
    return attrs.evolve(trace, steps=tuple(slim), end=kept, id="")


def _refused_beside(trace: Trace) -> dict[int, tuple[Probe, ...]]:
    """Retractions, claims and quits that are refused: a few for each set of clauses."""
    found: dict[int, tuple[Probe, ...]] = {}
    alike: Counter[tuple[object, ...]] = Counter()
    for number, step in enumerate(trace.steps, 1):
        for one in step.refuse:
            kind = (type(one.act), one.clauses)
            if isinstance(one.act, _BESIDE) and alike[kind] < _ALIKE:
                alike[kind] += 1
                found[number] = (*found.get(number, ()), one)
    return found


def _slim_step(step: Step, wanted: set[str], beside: tuple[Probe, ...]) -> Step:
    """The step with what is wanted of it: a legal set brings the cards held back."""
    legal = "legal" in wanted or any(one.startswith("act") for one in wanted)
    then = {
        name: value for name, value in step.then.items() if f"then {name}" in wanted
    }
    probes = {one.partition(" ")[2] for one in wanted if one.startswith("refuse ")}
    irregular = {one.partition(" ")[2] for one in wanted if one.startswith("irregular")}
    held_back = _some_held_back(step) if legal else ()
    return attrs.evolve(
        step,
        legal=step.legal if legal else None,
        refuse=tuple(
            one
            for one in step.refuse
            if str(one.act) in probes or one in held_back or one in beside
        ),
        irregular=tuple(one for one in step.irregular if str(one.act) in irregular),
        then=then,
    )


def _some_held_back(step: Step) -> tuple[Probe, ...]:
    """Of the cards that the seat to play may not play, a few for each set of clauses.

    The highest of them come first: penalty cards are what engines let slip.
    """
    found: list[Probe] = []
    alike: Counter[tuple[str, ...]] = Counter()
    for one in reversed(step.refuse):
        if isinstance(one.act, Play) and one.act.seat == step.act.seat:
            alike[one.clauses] += 1
            if alike[one.clauses] <= _ALIKE:
                found.append(one)
    return tuple(found)
