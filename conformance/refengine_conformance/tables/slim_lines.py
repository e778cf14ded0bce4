"""Slim lines: games that assert only what they were built to test.

At the steps that matter, a line states what is legal and which acts are refused, and at
the end how the deal came out. The other steps only continue the game.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from refengine.formats.trace import Probe, Step, Trace
from refengine.game.acts import Claim, Deal, Play, QuitTrick, Retract
from refengine.game.values.cardset import Card

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
_MOMENTS_KEPT: Final = 2  # steps at which each moment of a game is asserted
_ALIKE: Final = 2  # refusals kept that name the same clauses
_BESIDE_PLAY: Final = (Claim, QuitTrick, Retract)
_PLACE: Final = re.compile(r"(\d+|end) (\w+) ?(.*)")
_WHEN_MADE: Final = " when it is made"  # what `first_divergence` adds

_Wanted = set[tuple[str, str]]
"""What is to be asserted at a step: a kind, and the act or field that it is about.

The kinds are those of a place: `legal`, `act`, `refuse`, `irregular` and `then`.
"""


def slim_line(
    trace: Trace, places: Iterable[str], moments: Mapping[str, tuple[int, ...]]
) -> Trace:
    """The trace with only its assertions at these places, at moments and at the end.

    A place is written as `first_divergence` writes it: `12 legal`, `12 refuse pass 2C`,
    `12 then hearts_broken`, `end score`; any other text is ignored. `moments` gives the
    steps at which each moment occurs; at the first two of these, the line says what is
    legal. A few refused retractions, claims and quits are also kept. The id is left
    empty.
    """
    wanted: dict[int, _Wanted] = defaultdict(set)
    at_the_end = set(_AT_THE_END)
    for place in places:
        match = _PLACE.match(place.removesuffix(_WHEN_MADE))
        if match is None:
            continue
        step, kind, about = match.groups()
        if step == "end":
            at_the_end.add(kind)
        else:
            wanted[int(step)].add((kind, about))
    for steps in moments.values():
        for number in steps[:_MOMENTS_KEPT]:
            wanted[number].add(("legal", ""))
    beside = _refused_beside_play(trace)
    slim = tuple(
        _slim_step(step, wanted[number], beside.get(number, []))
        for number, step in enumerate(trace.steps, 1)
    )
    end = {name: value for name, value in trace.end.items() if name in at_the_end}
    return attrs.evolve(trace, steps=slim, end=end, id="")


def _refused_beside_play(trace: Trace) -> dict[int, list[Probe]]:
    """The refused retractions, claims and quits to keep, by the number of the step.

    At most two acts of each kind are kept for each set of clauses that they break.
    Retractions of a card with which a seat has revoked are counted as a kind of their
    own, until it is taken back or the deal is over. There are none if revokes are not
    penalised.
    """
    kept: dict[int, list[Probe]] = defaultdict(list)
    if not trace.ruleset.rules.revokes_penalised:
        return kept
    revoked: set[Card] = set()
    alike: Counter[tuple[object, ...]] = Counter()
    for number, step in enumerate(trace.steps, 1):
        for probe in step.refuse:
            act = probe.act
            of_revoke = isinstance(act, Retract) and act.card in revoked
            kind = (type(act), probe.clauses, of_revoke)
            if isinstance(act, _BESIDE_PLAY) and alike[kind] < _ALIKE:
                alike[kind] += 1
                kept[number].append(probe)
        match step.act:
            case Play(card=card) if step.breaks:
                revoked.add(card)
            case Retract(card=card):
                revoked.discard(card)
            case Deal():
                revoked.clear()
    return kept


def _slim_step(step: Step, wanted: _Wanted, beside: list[Probe]) -> Step:
    """The step with only the wanted assertions and the refusals in `beside`.

    If it says what is legal, it also keeps refusals of some cards that may not be
    played.
    """
    legal = any(kind in ("legal", "act") for kind, _ in wanted)
    kept = [*beside, *(_some_held_back(step) if legal else ())]
    return attrs.evolve(
        step,
        legal=step.legal if legal else None,
        refuse=tuple(
            probe
            for probe in step.refuse
            if ("refuse", str(probe.act)) in wanted or probe in kept
        ),
        irregular=tuple(
            probe for probe in step.irregular if ("irregular", str(probe.act)) in wanted
        ),
        then={
            name: value for name, value in step.then.items() if ("then", name) in wanted
        },
    )


def _some_held_back(step: Step) -> list[Probe]:
    """Refused plays by the seat that acts, at most two for each set of clauses broken.

    The last ones are kept: a hand is tried from its clubs to its hearts, and it is
    penalty cards that engines wrongly allow.
    """
    found: list[Probe] = []
    alike: Counter[tuple[str, ...]] = Counter()
    for probe in reversed(step.refuse):
        if (
            isinstance(probe.act, Play)
            and probe.act.seat == step.act.seat
            and alike[probe.clauses] < _ALIKE
        ):
            alike[probe.clauses] += 1
            found.append(probe)
    return found
