"""Functions that make a step of a trace: an act, with what is expected around it.

A step says what is due before the act, which other acts would be refused, and what can
be seen after it. Random traces, the traces of the corpus, and traces that engines are
tested with are made here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from refengine.formats.fields import drawn_by, legal_fields, normal_state_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import Probe, Step, applied
from refengine.game.acts import Act
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused

_PILES: Final = ("hands", "taken", "stock", "kitty")

Probes = tuple[Probe, ...]


def probes_of(state: State, acts: Iterable[Act]) -> tuple[Probes, Probes]:
    """Return those of these acts that are refused in a state, and the irregular ones.

    Each act is paired with the clauses that refuse it or that it breaks. Legal acts are
    left out, and no act is listed twice.
    """
    refuse: dict[Act, Probe] = {}
    irregular: dict[Act, Probe] = {}
    for act in acts:
        verdict = state.verdict(act)
        if isinstance(verdict, Refused):
            refuse[act] = Probe(act, verdict.clauses)
        elif isinstance(verdict, Irregular):
            irregular[act] = Probe(act, verdict.clauses)
    return tuple(refuse.values()), tuple(irregular.values())


def played_lately(state: State) -> list[Card]:
    """The cards of the trick in progress and of the last one that was completed."""
    cards = list(state.table.cards) if state.table else []
    if state.history:
        cards += state.history[-1].cards
    return cards


def bare_step(state: State, act: Act) -> tuple[Step, State]:
    """Return a step that holds only the act and what it breaks, and the state after it.

    Raises Refused if the act is refused.
    """
    verdict = state.verdict(act)
    if isinstance(verdict, Refused):
        raise verdict
    breaks = verdict.clauses if isinstance(verdict, Irregular) else ()
    return Step(act, breaks=breaks), applied(state, act, verdict)


def recorded_step(
    state: State, act: Act, tries: Iterable[Act], fields: Json
) -> tuple[Step, State, Json]:
    """An act as a step of a trace, the state after it, and what can be seen then.

    `tries` are acts to judge before this one; the step lists those that are refused or
    irregular. `fields` is what could be seen before the act: the step says what has
    changed since, but gives the piles of cards only if a phase begins. Raises Refused
    if the act is refused.
    """
    refuse, irregular = probes_of(state, tries)
    bare, after = bare_step(state, act)
    seen = normal_state_fields(after, drawn_by(state, act, after))
    begins = seen["phase"] != fields["phase"]
    then = {
        name: value
        for name, value in seen.items()
        if fields.get(name) != value and (begins or name not in _PILES)
    }
    step = Step(act, legal_fields(state), bare.breaks, refuse, irregular, then)
    return step, after, seen
