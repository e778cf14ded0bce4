"""A conversation about one game: asked act by act, every answer noted.

`Stepwise` asks a trace; others may lead a game by the answers themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs

from refengine.formats import protocol, shapes
from refengine.formats.fields import act_fields
from refengine.formats.normal_form import Json, normal_fields
from refengine.formats.trace import Probe, Step, Trace, canonical
from refengine.game.acts import Act
from refengine_conformance.runner.adapter_errors import Thrown
from refengine_conformance.runner.answers import AnyAnswer, FormError
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import EngineCard, Outcome
from refengine_conformance.runner.transcripts import (
    Answers,
    Break,
    Reply,
    Transcript,
    Unanswered,
    asserts_observation,
    due_in_answer,
    normal_form_or_error,
    opening_fields,
    probes_asked,
    refusal_to_try,
    reply_in_answer,
    seat_of_asserted_view,
    view_in_answer,
    why_unanswered,
)
from refengine_conformance.runner.tried_refusals import refused_heart


class _ThrownError(Exception):
    """The adapter answered `error`, and the game is over."""

    def __init__(self, op: str, text: str) -> None:
        super().__init__(text)
        self.op: Final = op
        self.text: Final = text


class Conversation:
    """What is said of one game; `moments` holds the answers around each act so far.

    `found` is the rest of what was said, as far as the conversation got.
    """

    def __init__(self, adapter: Adapter) -> None:
        self.adapter: Final = adapter
        self.card: Final = adapter.card
        self.kind = "step"
        self.moments: list[Answers] = []
        self.found = Transcript("step")

    def held(self, talk: Callable[[], None]) -> Transcript:
        """What was said while `talk` ran to its end, or until it was cut short."""
        try:
            talk()
        except _ThrownError as error:
            thrown = Thrown(len(self.moments), error.op, error.text)
            self.add(thrown=thrown)
        except BrokenError as error:
            self.add(broke=Break(error.outcome, self.kind, str(error), True))
        except FormError as error:
            self.add(broke=Break(Outcome.PROTOCOL, self.kind, str(error), False))
        return attrs.evolve(self.found, moments=tuple(self.moments))

    def add(self, **found: Any) -> None:
        """Add to what was said, apart from the acts."""
        self.found = attrs.evolve(self.found, **found)

    def _ask(self, op: str, /, kind: str = "", **fields: Any) -> AnyAnswer:
        """The answer to a request; raises _ThrownError for an `error`."""
        answer = self.adapter.ask(op, kind, **fields)
        if isinstance(answer.error, str):
            raise _ThrownError(op, answer.error)
        return answer

    def open(self, trace: Trace) -> Reply | Unanswered | None:
        """Begin the game of a trace; None if it has begun, else what was said."""
        answer = self._ask("open", **opening_fields(trace))
        if isinstance(answer.ok, protocol.Empty):
            return None
        return reply_in_answer(answer)

    def note(self, **found: Any) -> Answers:
        """The answers around the present act, with these among them."""
        self.moments[-1] = attrs.evolve(self.moments[-1], **found)
        return self.moments[-1]

    def make(self, act: Act) -> Reply | Unanswered | None:
        """Make an act; what is said of it, which is noted."""
        self.kind = "step"
        fields = act_fields(act)
        answer = self._ask("step", seat=act.seat, act=fields)
        return self.note(answer=reply_in_answer(answer)).answer

    def probe_all(self, name: str, asked: tuple[Probe, ...]) -> None:
        """Probe these acts; each answer is noted before the next is asked for."""
        self.kind = "probe"
        found: list[tuple[Probe, Reply | Unanswered]] = []
        for one in asked:
            found.append((one, self.probe("probe", one)))
            self.note(**{name: tuple(found)})

    def probe(self, op: str, probe: Probe) -> Reply | Unanswered:
        """What is said of an act that is only asked about, or made by `step`."""
        act = act_fields(probe.act)
        return reply_in_answer(self._ask(op, seat=probe.act.seat, act=act))

    def ask_legal(self) -> tuple[Json | str | Unanswered, tuple[int, ...] | None]:
        """What is due, and which seats are to act, if that is said."""
        self.kind = "legal"
        answer = self._ask("legal")
        if isinstance(answer.ok, shapes.DueNow):
            return due_in_answer("the answer to legal", answer.ok)
        return why_unanswered(answer), None

    def observe(self, kind: str, seat: int | None) -> Json | Unanswered:
        """What can be seen; with a seat, what that seat sees."""
        self.kind = kind
        if seat is None:
            answer = self._ask("observe")
            if isinstance(answer.ok, shapes.Fields):
                return normal_form_or_error(
                    "the answer to observe", normal_fields, answer.ok
                )
            return why_unanswered(answer)
        answer = self._ask("observe", "view", seat=seat)
        if isinstance(answer.ok, shapes.ViewObject):
            return normal_form_or_error(
                "the answer to observe", view_in_answer, answer.ok
            )
        return why_unanswered(answer)


def refusals_to_try(trace: Trace, card: EngineCard) -> dict[int, Probe]:
    """The refused acts that are also made, by step: the last, and a heart too early."""
    last = refusal_to_try(trace, card)
    number = last[0] if last else 0
    heart = refused_heart(trace, partial(probes_asked, card), but=number)
    return dict(filter(None, (last, heart)))


class Stepwise(Conversation):
    """One trace asked act by act."""

    def __init__(self, adapter: Adapter, trace: Trace) -> None:
        super().__init__(adapter)
        self.trace: Final = trace
        self.trials: Final = refusals_to_try(trace, adapter.card)

    def transcript(self) -> Transcript:
        """What the adapter says to it."""
        return self.held(self._talk)

    def _talk(self) -> None:
        opened = self.open(self.trace)
        if opened is not None:
            self.add(opened=opened)
        elif self._steps():
            self.add(end=self._seen(self.trace.end))
            self.add(end_view=self._seen_by_seat(self.trace.end))

    def _steps(self) -> bool:
        """Ask step by step; whether all of them were accepted."""
        for step in self.trace.steps:
            self.moments.append(Answers())
            if not self._before(step):
                return False
            answer = self.make(step.act)
            if not (isinstance(answer, Reply) and answer.accepted):
                return False
            self.note(then=self._seen(step.then))
            self.note(view=self._seen_by_seat(step.then))
        return True

    def _before(self, step: Step) -> bool:
        """Ask what comes before the act; whether the game can go on."""
        if step.legal is not None and self.card.can("legal"):
            legal, turn = self.ask_legal()
            self.note(legal=legal, turn=turn)
        asked = probes_asked(self.card, step.refuse)
        irregular = probes_asked(self.card, step.irregular)
        if not self.card.can("revokes"):
            irregular = ()
        if not self.card.can("probe"):
            return self._by_step(asked)
        if not asked and not irregular:
            return True
        before = self._state()
        self.probe_all("refuse", asked)
        self.probe_all("irregular", irregular)
        after = self._state()
        if before != after:
            self.note(changed=_differing(before, after))
            return True
        return self._by_step_too(after)

    def _by_step_too(self, before: object) -> bool:
        """Make a refused act that was probed, in one step of the game.

        It is left out where the answer to the probe was already wrong: to make the act
        would then show nothing new, and end the game.
        """
        probe = self.trials.get(len(self.moments))
        if probe is None:
            return True
        probed = next(got for one, got in self.moments[-1].refuse if one == probe)
        if not isinstance(probed, Reply) or probed.accepted:
            return True
        self.kind = "step"
        answer = self.probe("step", probe)
        self.note(tried=(probe, answer))
        if isinstance(answer, Reply) and answer.accepted:
            return False
        after = self._state()
        if before != after:
            self.note(spoilt=_differing(before, after))
        return True

    def _by_step(self, asked: tuple[Probe, ...]) -> bool:
        """Make the refused acts themselves, since a refused act changes nothing."""
        if not asked:
            return True
        before = self._state()
        self.kind = "step"
        tried: list[tuple[Probe, Reply | Unanswered]] = []
        for one in asked:
            tried.append((one, self.probe("step", one)))
            self.note(refuse=tuple(tried))
            answer = tried[-1][1]
            if isinstance(answer, Reply) and answer.accepted:
                return False
        after = self._state()
        if before != after:
            self.note(changed=_differing(before, after))
        return True

    def _state(self) -> object:
        """What can be asked of the state, to see whether a probe changes it."""
        if self.card.can("observe"):
            return self.observe("observe", None)
        return self.ask_legal() if self.card.can("legal") else None

    def _seen(self, fields: Json) -> Json | Unanswered | None:
        """What is observed, if the trace asserts anything of it."""
        if asserts_observation(fields) and self.card.can("observe"):
            return self.observe("observe", None)
        return None

    def _seen_by_seat(self, fields: Json) -> Json | Unanswered | None:
        """What one seat observes, if the trace asserts it."""
        seat = seat_of_asserted_view(fields)
        if seat is not None and self.card.can("views"):
            return self.observe("views", seat)
        return None


def _differing(before: object, after: object) -> tuple[str, str]:
    """Two states as text; of observations, the fields in which they differ."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return str(before), str(after)
    names = [name for name in before | after if before.get(name) != after.get(name)]
    first, second = (
        canonical({name: state[name] for name in names if name in state}).decode()
        for state in (before, after)
    )
    return first, second
