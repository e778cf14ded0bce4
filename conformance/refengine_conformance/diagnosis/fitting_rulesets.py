"""What an engine said to a trace, and the rulesets under which that is right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import attrs

from refengine.comparison.differences import opened_as
from refengine.errors import Malformed
from refengine.formats.fields import asserted_field, drawn_by, legal_fields, view_fields
from refengine.formats.trace import Trace
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine_conformance.runner.conversation import Stepwise
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.transcripts import (
    Answers,
    Reply,
    Transcript,
)

_PILES: Final = frozenset({"hands", "taken"})


@attrs.frozen
class Heard:
    """What an engine said to a trace."""

    trace: Trace
    transcript: Transcript

    @property
    def tells(self) -> bool:
        """Whether a game began, and did not end at the adapter's own error."""
        said = self.transcript
        return said.opened is None and said.thrown is None and bool(said.moments)


def record_of(trace: Trace) -> Heard:
    """A trace taken as what somebody's engine said, everything it states included."""
    moments = tuple(
        Answers(
            answer=Reply(True, step.breaks),
            legal=step.legal,
            refuse=tuple((probe, Reply(False)) for probe in step.refuse),
            irregular=tuple(
                (probe, Reply(True, probe.clauses)) for probe in step.irregular
            ),
            then=step.then or None,
        )
        for step in trace.steps
    )
    return Heard(trace, Transcript("step", moments, end=trace.end or None))


def heard(adapter: Adapter, trace: Trace) -> Heard:
    """What an adapter says to a trace, asked act by act."""
    return Heard(trace, Stepwise(adapter, trace).transcript())


def misfits(record: Heard, ruleset: Ruleset) -> list[str]:
    """Where the record differs from this ruleset: the steps, and what was asked.

    The clauses named do not count, only whether an act was legal, irregular or refused.
    The list ends where the games part.
    """
    return [what for what in judged(record, ruleset) if what]


def judged(record: Heard, ruleset: Ruleset, brief: bool = False) -> Iterator[str]:
    """For each answer, where it does not fit, or empty if it does; lazily.

    In `brief`, the cards held and taken are left out while a trick is incomplete: a
    difference in them lasts until it is complete, since both games have the same acts.
    """
    transcript = record.transcript
    state = opened_as(ruleset, record.trace.start)
    if not isinstance(state, State):
        yield "open"
        return
    drew = None
    for number, (step, moment) in enumerate(
        zip(record.trace.steps, transcript.moments, strict=False), 1
    ):
        if isinstance(moment.legal, dict | str):
            yield "" if moment.legal == legal_fields(state) else f"{number} legal"
        for probe, answer in (*moment.refuse, *moment.irregular):
            if isinstance(answer, Reply):
                fits = _fits(state, probe.act, answer)
                yield "" if fits else f"{number} {probe.act}"
        if not isinstance(moment.answer, Reply):
            return
        fits = _fits(state, step.act, moment.answer)
        yield "" if fits else f"{number} {step.act}"
        if not (fits and moment.answer.accepted):
            return
        before, state = state, state.apply(step.act)
        drew = drawn_by(before, step.act, state)
        middle = brief and state.table is not None and state.table.cards
        left_out = _PILES if middle else frozenset()
        yield from _unlike(state, moment.then, drew, f"{number} then", left_out)
        yield from _unlike_view(state, moment.view, f"{number} view")
    yield from _unlike(state, transcript.end, drew, "end")


def _fits(state: State, act: Act, answer: Reply) -> bool:
    try:
        verdict = state.verdict(act)
    except Malformed:
        return not answer.accepted
    if isinstance(verdict, Refused):
        return not answer.accepted
    return answer.accepted and isinstance(verdict, Irregular) is bool(answer.clauses)


def _unlike(
    state: State,
    heard: object,
    drew: Any,
    where: str,
    left_out: frozenset[str] = frozenset(),
) -> Iterator[str]:
    if not isinstance(heard, dict):
        return
    for name, value in heard.items():
        if name != "view" and name not in left_out:
            wanted = asserted_field(
                state, name, drew
            )  # None: it is told early, or late
            yield "" if wanted is None or wanted == value else f"{where}.{name}"


def _unlike_view(state: State, heard: object, where: str) -> Iterator[str]:
    if not isinstance(heard, dict):
        return
    seen = view_fields(state.observe(heard["seat"]))
    for name, value in heard.items():
        yield "" if seen.get(name) == value else f"{where}.{name}"
