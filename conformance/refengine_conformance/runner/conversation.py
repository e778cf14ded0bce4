"""A conversation with an adapter about one game, act by act, with all its answers.

`Stepwise` follows a trace; other subclasses may let the answers decide how the game
goes on.

Many engines take the packets of all seats in one call. The adapter of such an engine
may say `ok` to a packet that must be refused, and refuse only the pass that completes
the call. If a packet that must be refused is accepted, another game is therefore
played, or replayed, to see whether the refusal comes late.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any, Final, TypeGuard

import attrs

from refengine.formats import protocol, shapes
from refengine.formats.fields import act_fields
from refengine.formats.normal_form import Json
from refengine.formats.trace import Probe, Step, Told, Trace, canonical
from refengine.game.acts import Act, Pass, PassUnseen, Scatter
from refengine.game.values.cardset import NO_CARDS, CardSet
from refengine_conformance.runner.answers import AnyAnswer, FormError, normal_answer
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import Outcome, Thrown
from refengine_conformance.runner.transcripts import (
    Answers,
    Break,
    ProbesAnswered,
    Reply,
    Transcript,
    Unanswered,
    asserts_observation,
    due_in_answer,
    event_in_answer,
    is_accepted,
    normal_form_or_error,
    opening_fields,
    probes_of_step,
    refusals_to_try,
    replay_whole_trace,
    reply_in_answer,
    view_in_answer,
    why_unanswered,
)


class _ThrownError(Exception):
    """Raised when the adapter answers with `error`, which ends the game."""

    def __init__(self, op: str, text: str) -> None:
        super().__init__(text)
        self.op: Final = op
        self.text: Final = text


class Conversation:
    """A conversation with an adapter about one game.

    `kind` is the kind of case that the last request was for. `moments` holds, for each
    act so far, the answers given before and after it, and `found` holds the rest of the
    transcript. `extra` is 0 in the main game; in an extra game about a late refusal, it
    is the number of the step concerned.
    """

    def __init__(self, adapter: Adapter) -> None:
        self.adapter: Final = adapter
        self.card: Final = adapter.card
        self.kind = "step"
        self.extra = 0
        self.moments: list[Answers] = []
        self.found = Transcript("step")

    def held(self, talk: Callable[[], None]) -> Transcript:
        """Call `talk`, and return the transcript, which may have been cut short.

        An answer of `error`, a broken conversation or an answer of the wrong form cuts
        it short, and is recorded in the transcript.
        """
        try:
            talk()
        except _ThrownError as error:
            self.add(thrown=Thrown(len(self.moments), error.op, error.text))
        except BrokenError as error:
            self._break(error.outcome, str(error), restart=True)
        except FormError as error:
            self._break(Outcome.PROTOCOL, str(error), restart=False)
        return attrs.evolve(self.found, moments=tuple(self.moments))

    def _break(self, outcome: Outcome, sentence: str, restart: bool) -> None:
        """Record how the conversation was cut short, at which step and request."""
        step, request = self.extra or len(self.moments), self.adapter.request
        self.add(broke=Break(outcome, self.kind, sentence, restart, step, request))

    def add(self, **found: Any) -> None:
        """Set these fields of `found`."""
        self.found = attrs.evolve(self.found, **found)

    def _ask(self, op: str, /, kind: str = "", **fields: Any) -> AnyAnswer:
        """Send a request and return the answer; an `error` raises _ThrownError."""
        answer = self.adapter.ask(op, kind, **fields)
        if isinstance(answer.error, str):
            raise _ThrownError(op, answer.error)
        return answer

    def open(self, trace: Trace) -> Reply | Unanswered | None:
        """Begin the game of a trace; return None, or the answer if that failed."""
        self.kind = "step"
        fields = opening_fields(trace.ruleset, trace.start, self.card)
        answer = self._ask("open", **fields)
        if isinstance(answer.ok, protocol.Empty):
            return None
        return reply_in_answer(answer)

    def note(self, **found: Any) -> None:
        """Add these answers to those about the current act."""
        self.moments[-1] = attrs.evolve(self.moments[-1], **found)

    def make(self, act: Act) -> Reply | Unanswered:
        """Ask the adapter to apply an act, note its answer, and return it."""
        self.kind = "step"
        answer = self._said_of("step", act)
        self.note(answer=answer)
        return answer

    def probe_all(self, name: str, asked: tuple[Probe, ...]) -> None:
        """Probe these acts, noting each answer under `name` before the next probe."""
        self.kind = "probe"
        found: ProbesAnswered = ()
        for one in asked:
            found = (*found, (one, self.probe("probe", one)))
            self.note(**{name: found})

    def probe(self, op: str, probe: Probe) -> Reply | Unanswered:
        """Probe an act or, if `op` is `step`, ask the adapter to apply it."""
        return self._said_of(op, probe.act)

    def _said_of(self, op: str, act: Act) -> Reply | Unanswered:
        """Send a request with this operation and act, and return the answer."""
        return reply_in_answer(self._ask(op, seat=act.seat, act=act_fields(act)))

    def ask_legal(self) -> tuple[Json | str | Unanswered, tuple[int, ...] | None]:
        """What the adapter says is due, and which seats are to act.

        The seats are None if the adapter does not name them.
        """
        self.kind = "legal"
        answer = self._ask("legal")
        if isinstance(answer.ok, shapes.DueNow):
            return due_in_answer("the answer to legal", answer.ok)
        return why_unanswered(answer), None

    def observe(self) -> Json | Unanswered:
        """What the adapter says can be seen of the game."""
        self.kind = "observe"
        answer = self._ask("observe")
        if isinstance(answer.ok, shapes.Fields):
            return normal_form_or_error(
                "the answer to observe", normal_answer, answer.ok
            )
        return why_unanswered(answer)

    def observe_as(self, seat: int) -> Json | Unanswered:
        """What the adapter says this seat sees of the game."""
        self.kind = "views"
        answer = self._ask("observe", "view", seat=seat)
        if isinstance(answer.ok, shapes.ViewObject):
            return normal_form_or_error(
                "the answer to observe", view_in_answer, answer.ok
            )
        return why_unanswered(answer)

    def ask_event(self, seat: int) -> Json | Unanswered:
        """What the adapter says a seat was told of the last act."""
        self.kind = "events"
        answer = self._ask("event", seat=seat)
        if isinstance(answer.ok, protocol.EventOk):
            return normal_form_or_error(
                "the answer to event", event_in_answer, answer.ok
            )
        return why_unanswered(answer)


class Stepwise(Conversation):
    """A conversation about one trace, held act by act.

    `trials` are the refused acts that are also sent as steps, by the number of the
    step, and `refused_late` the late refusals found so far, by that number and the act.
    """

    def __init__(self, adapter: Adapter, trace: Trace) -> None:
        super().__init__(adapter)
        self.trace: Final = trace
        self.trials: Final = refusals_to_try(trace, adapter.card)
        self.refused_late: dict[tuple[int, Probe], Reply] = {}

    def transcript(self) -> Transcript:
        """The transcript of the whole conversation."""
        return self.held(self._talk)

    def _talk(self) -> None:
        """Go through the game, and once more if any passes turn out to be refused late.

        This is repeated until no other pass is refused late. A late refusal counts as
        the answer to the pass itself.
        """
        self._ask_all()
        while early := _accepted_early(self.trace, self.moments):
            late = {key: self._late_refusal(*key) for key in early}
            refused = {key: answer for key, answer in late.items() if answer}
            if not refused:
                return
            self.refused_late |= refused
            self.moments, self.found = [], Transcript("step")
            self._ask_all()

    def _late_refusal(self, number: int, probe: Probe) -> Reply | None:
        """Play a new game with this pass, and return the refusal of its last pass.

        Returns None if the last pass is not refused, or if the game does not get that
        far.
        """
        self.extra = number
        *early, last = game_of_late_pass(self.trace, number, probe)
        try:
            if self.open(self.trace) is not None:
                return None
            if not all(is_accepted(self._said_of("step", act)) for act in early):
                return None
            answer = self._said_of("step", last)
        except _ThrownError:
            return None
        return answer if isinstance(answer, Reply) and not answer.accepted else None

    def _ask_all(self) -> None:
        """Go through the whole game once, from its beginning."""
        self.extra = 0
        opened = self.open(self.trace)
        if opened is not None:
            self.add(opened=opened)
        elif self._steps():
            self.add(end=self._seen(self.trace.end))
            self.add(end_view=self._seen_by_seat(self.trace.end))

    def _steps(self) -> bool:
        """Go step by step, and return whether the game got to the end of the trace."""
        for step in self.trace.steps:
            self.moments.append(Answers())
            if not self._before(step):
                return False
            if not is_accepted(self.make(step.act)):
                return False
            self._ask_events(step.told)
            self.note(then=self._seen(step.then))
            self.note(view=self._seen_by_seat(step.then))
        return True

    def probe(self, op: str, probe: Probe) -> Reply | Unanswered:
        """Ask as the base class does, or return the late refusal if it is known."""
        known = self.refused_late.get((len(self.moments), probe))
        return known or super().probe(op, probe)

    def _ask_events(self, asked: tuple[Told, ...]) -> None:
        """Ask what these seats were told, and note each answer before the next."""
        found: tuple[tuple[Told, Json | Unanswered], ...] = ()
        for told in asked:
            found = (*found, (told, self.ask_event(told.seat)))
            self.note(told=found)

    def _before(self, step: Step) -> bool:
        """Ask the questions that precede the act; return whether the game can go on."""
        if step.legal is not None and self.card.can("legal"):
            legal, turn = self.ask_legal()
            self.note(legal=legal, turn=turn)
        asked, irregular = probes_of_step(self.card, step)
        if not self.card.can("probe"):
            return self._by_step(asked)
        if not asked and not irregular:
            return True
        before = self._state()
        self.probe_all("refuse", asked)
        self.probe_all("irregular", irregular)
        after = self._state()
        if self._note_difference("changed", before, after):
            return True
        return self._by_step_too(after)

    def _by_step_too(self, before: Json | None) -> bool:
        """Send the act, if any, that is to be both probed and sent at this step.

        It is not sent if the answer to the probe was already wrong: sending it would
        show nothing new, and would end the game. Returns whether the game can go on.
        """
        number = len(self.moments)
        probe = self.trials.get(number)
        if probe is None or (number, probe) in self.refused_late:
            return True
        probed = next(got for one, got in self.moments[-1].refuse if one == probe)
        if not isinstance(probed, Reply) or probed.accepted:
            return True
        self.kind = "step"
        answer = self.probe("step", probe)
        self.note(tried=(probe, answer))
        if is_accepted(answer):
            return False
        self._note_difference("spoilt", before, self._state())
        return True

    def _by_step(self, asked: tuple[Probe, ...]) -> bool:
        """Send as steps the acts that must be refused, as probes are not declared.

        A refused act must leave the state as it is; any difference is noted.
        Returns whether the game can go on.
        """
        if not asked:
            return True
        before = self._state()
        self.kind = "step"
        tried: ProbesAnswered = ()
        for one in asked:
            answer = self.probe("step", one)
            tried = (*tried, (one, answer))
            self.note(refuse=tried)
            if is_accepted(answer):
                return False
        self._note_difference("changed", before, self._state())
        return True

    def _note_difference(
        self, name: str, before: Json | None, after: Json | None
    ) -> bool:
        """Note under this name how two states differ, and return whether they do."""
        if before is None or after is None:
            return False
        found = _difference(before, after)
        if found is not None:
            self.note(**{name: found})
        return found is not None

    def _state(self) -> Json | None:
        """What the adapter says about the state, to see whether a probe changes it.

        Returns None if the adapter declares neither `observe` nor `legal`, or does not
        answer.
        """
        if self.card.can("observe"):
            seen = self.observe()
            return None if isinstance(seen, Unanswered) else seen
        if not self.card.can("legal"):
            return None
        due, turn = self.ask_legal()
        if isinstance(due, Unanswered):
            return None
        return {"legal": due, "turn": [*turn] if turn else []}

    def _seen(self, fields: Json) -> Json | Unanswered | None:
        """What is seen; None if nothing is asserted, or `observe` is not declared."""
        if asserts_observation(fields) and self.card.can("observe"):
            return self.observe()
        return None

    def _seen_by_seat(self, fields: Json) -> Json | Unanswered | None:
        """What a seat sees; None if no view is asserted, or `views` is not declared."""
        if "view" in fields and self.card.can("views"):
            return self.observe_as(fields["view"]["seat"])
        return None


def replayed(adapter: Adapter, trace: Trace) -> Transcript:
    """Let the adapter replay a trace as a whole, and return the transcript.

    If a pass turns out to be refused late, the late refusal counts as the answer to it.
    """
    found = replay_whole_trace(adapter, trace)
    moments = [*found.moments]
    for number, probe in _accepted_early(trace, found.moments):
        game = game_of_late_pass(trace, number, probe)
        said = _replay_of(adapter, trace, game)
        if said.broke is not None:  # what was refused until now still counts
            return attrs.evolve(found, moments=tuple(moments), broke=said.broke)
        if late := _refusal_of_last(said, len(game)):
            moments[number - 1] = _answered_late(moments[number - 1], probe, late)
    return attrs.evolve(found, moments=tuple(moments))


def _accepted_early(
    trace: Trace, moments: Sequence[Answers]
) -> list[tuple[int, Probe]]:
    """The passes, accepted although they must be refused, that may be refused late.

    Each comes with the number of its step. Those about which another game would show
    nothing are left out.
    """
    return [
        (number, probe)
        for number, moment in enumerate(moments, 1)
        for probe, answer in moment.refuse
        if is_accepted(answer) and game_of_late_pass(trace, number, probe)
    ]


def _answered_late(moment: Answers, probe: Probe, late: Reply) -> Answers:
    """The answers at a step, with the late refusal as the answer to this probe."""
    refuse: ProbesAnswered = tuple(
        (one, late if one == probe else said) for one, said in moment.refuse
    )
    return attrs.evolve(moment, refuse=refuse)


def _replay_of(adapter: Adapter, trace: Trace, acts: tuple[Act, ...]) -> Transcript:
    """Let the adapter replay a game of these acts that begins like the trace."""
    steps = tuple(Step(act=act) for act in acts)
    return replay_whole_trace(adapter, attrs.evolve(trace, steps=steps, end={}))


def _refusal_of_last(said: Transcript, acts: int) -> Reply | None:
    """The refusal of the last of this many acts.

    It is None unless that act was refused and every act before it was accepted.
    """
    answers = [moment.answer for moment in said.moments]
    if len(answers) != acts or not all(map(is_accepted, answers[:-1])):
        return None
    last = answers[-1]
    return last if isinstance(last, Reply) and not last.accepted else None


def _difference(before: Json, after: Json) -> tuple[str, str] | None:
    """The fields that differ between two states, as one text for each state.

    Only fields that both states have are compared, but losing every field counts as a
    difference, too. The result is None if there is no difference.
    """
    shared = [name for name in before if name in after]
    if before and not shared:
        return canonical(before).decode(), canonical(after).decode()
    changed = [name for name in shared if before[name] != after[name]]
    if not changed:
        return None
    first = canonical({name: before[name] for name in changed})
    second = canonical({name: after[name] for name in changed})
    return first.decode(), second.decode()


_Packet = Pass | Scatter


def game_of_late_pass(trace: Trace, number: int, probe: Probe) -> tuple[Act, ...]:
    """The acts of a trace up to the end of the passing, with `probe` as the first pass.

    The probe is a pass that must be refused at the step with this number, counted from
    1. The last of the other passes shares no card with the probe, so that a refusal of
    that pass is about the probe. If possible, the last pass names its cards instead of
    passing on unseen ones. No acts are returned if such a game would show nothing: if
    the probe is not a pass, if its seat has already passed or is the last to pass, if
    the trace ends before all seats have passed, or if every other pass shares a card
    with the probe.
    """
    acts = [step.act for step in trace.steps]
    before, after = acts[: number - 1], acts[number - 1 :]
    passed = [*takewhile(_is_of_passing, reversed(before))][::-1]
    seat, cards = probe.act.seat, _cards(probe.act)
    has_passed = any(act.seat == seat for act in passed)
    waiting = [act for act in takewhile(_is_of_passing, after) if act.seat != seat]
    have_all = len(passed) + len(waiting) == trace.ruleset.players - 1
    if not _is_packet(probe.act) or has_passed or not waiting or not have_all:
        return ()
    others = sorted(
        [*passed, *waiting],
        key=lambda act: (not _cards(act) & cards, _is_packet(act)),
    )
    if _cards(others[-1]) & cards:
        return ()
    before_passing = before[: len(before) - len(passed)]
    return (*before_passing, probe.act, *others)


def _is_packet(act: Act) -> TypeGuard[_Packet]:
    """Whether an act passes cards that it names."""
    return isinstance(act, _Packet)


def _is_of_passing(act: Act) -> bool:
    """Whether this act decides what a seat passes: cards it names, or unseen ones."""
    return _is_packet(act) or isinstance(act, PassUnseen)


def _cards(act: Act) -> CardSet:
    """The cards that an act passes; no cards if it names none."""
    if isinstance(act, Scatter):
        return CardSet(card for _, card in act.cards)
    return act.cards if isinstance(act, Pass) else NO_CARDS
