"""Judges the answers of an engine to a trace under any ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from refengine.comparison.differences import opened_as
from refengine.errors import Malformed
from refengine.formats.fields import asserted_field, drawn_by, legal_fields, view_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import Trace
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine_conformance.runner.conversation import Stepwise
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.transcripts import (
    UNLISTED,
    Answers,
    Reply,
    Transcript,
)

_PILES: Final = frozenset({"hands", "taken"})


@attrs.frozen
class Heard:
    """A trace, and an engine's answers to it."""

    trace: Trace
    transcript: Transcript

    @property
    def tells(self) -> bool:
        """Whether anything about the engine's rules can be learnt from these answers.

        It can if the game began and reached an act, and was not ended by an error in
        the adapter itself.
        """
        said = self.transcript
        return said.opened is None and said.thrown is None and bool(said.moments)


def record_of(trace: Trace) -> Heard:
    """A trace with the answers that it expects, as if an engine had given them.

    They are the answers of an engine that is asked act by act. Views and events are
    left out.
    """
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
    """Put a trace to an adapter, act by act, and return it with its answers."""
    return Heard(trace, Stepwise(adapter, trace).transcript())


def misfits(record: Heard, ruleset: Ruleset) -> list[str]:
    """The step and question of each answer in a record that is wrong under a ruleset.

    For an act, what counts is whether it was legal, irregular or refused, and not the
    clauses named. Whether the game could begin counts as an answer, too. Nothing is
    judged after an act that was answered wrongly or was not accepted.
    """
    return [where for where in judged(record, ruleset) if where]


def judged(record: Heard, ruleset: Ruleset, brief: bool = False) -> Iterator[str]:
    """For each answer in turn, its step and question if it is wrong; otherwise "".

    Nothing is judged after an act that was answered wrongly or was not accepted; a game
    that began wrongly, or not at all, has at most one answer.

    If `brief`, the cards held and taken that an engine reported after an act are not
    judged while a trick is incomplete. Two rulesets that agree on the acts but differ
    in those cards still differ when the trick is complete; an engine that is wrong only
    in between is not noticed.
    """
    transcript, trace = record.transcript, record.trace
    state = opened_as(ruleset, trace.start)
    if isinstance(transcript.opened, Reply):  # a refusal: the game did not begin
        yield "open" if isinstance(state, State) else ""
        return
    if transcript.opened is not None:
        return
    if not isinstance(state, State):
        yield "open"
        return
    drew: tuple[Card, ...] | None = None
    for number, (step, moment) in enumerate(
        zip(trace.steps, transcript.moments, strict=False), 1
    ):
        yield from _misfits_before_act(state, step.act, moment, number)
        if not isinstance(moment.answer, Reply):
            return
        fits = _is_right(state, step.act, moment.answer)
        yield "" if fits else f"{number} {step.act}"
        if not (fits and moment.answer.accepted):
            return
        before, state = state, state.apply(step.act)
        drew = drawn_by(before, step.act, state)
        in_trick = state.table is not None and bool(state.table.cards)
        left_out = _PILES if brief and in_trick else frozenset()
        yield from _misfits_in_fields(
            state, moment.then, drew, f"{number} then", left_out
        )
        yield from _misfits_in_view(state, step.then, moment.view, f"{number} view")
    yield from _misfits_in_fields(state, transcript.end, drew, "end")
    yield from _misfits_in_view(state, trace.end, transcript.end_view, "end view")


def _misfits_before_act(
    state: State, act: Act, moment: Answers, number: int
) -> Iterator[str]:
    """For each answer given before an act, step and question if wrong; otherwise "".

    These are the answers on what is due, on whose turn it is, and to the probes.
    """
    if isinstance(moment.legal, dict | str):
        yield "" if moment.legal == legal_fields(state) else f"{number} legal"
    if moment.turn is not None and not isinstance(act, UNLISTED):
        same = (act.seat in moment.turn) is (act.seat in state.turn)
        yield "" if same else f"{number} turn"
    tried = () if moment.tried is None else (moment.tried,)
    for probe, answer in (*moment.refuse, *moment.irregular, *tried):
        if isinstance(answer, Reply):
            fits = _is_right(state, probe.act, answer)
            yield "" if fits else f"{number} {probe.act}"


def _is_right(state: State, act: Act, answer: Reply) -> bool:
    """Whether the answer to an act is right: legal, irregular or refused."""
    try:
        verdict = state.verdict(act)
    except Malformed:
        return not answer.accepted
    if isinstance(verdict, Refused):
        return not answer.accepted
    return answer.accepted and isinstance(verdict, Irregular) is bool(answer.clauses)


def _misfits_in_fields(
    state: State,
    said: object,
    drew: tuple[Card, ...] | None,
    where: str,
    left_out: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """For each observed field that is judged, its place if it is wrong; otherwise "".

    Fields in `left_out` are not judged. A field that has no value in this state was
    reported too early or too late, which never counts as a wrong answer.
    """
    if not isinstance(said, dict):
        return
    for name, value in said.items():
        if name != "view" and name not in left_out:
            wanted = asserted_field(state, name, drew)
            yield "" if wanted is None or wanted == value else f"{where}.{name}"


def _misfits_in_view(
    state: State, fields: Json, said: object, where: str
) -> Iterator[str]:
    """For each key of a view, its place if its value is wrong; otherwise "".

    Nothing is judged unless `fields`, which the trace asserts, include a view. The keys
    are those of that view and those reported by the engine. As in a run, a key that is
    left out counts as empty.
    """
    if "view" not in fields or not isinstance(said, dict):
        return
    asserted = fields["view"]
    seen = view_fields(state.observe(asserted["seat"]))
    for name in dict.fromkeys((*asserted, *said)):
        right, told = seen.get(name), said.get(name)
        both_empty = not (right or told or name in seen.keys() & said.keys())
        yield "" if right == told or both_empty else f"{where}.{name}"
