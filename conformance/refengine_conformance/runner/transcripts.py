"""Record what an adapter says about a trace that it plays act by act or as a whole.

In either case the record is a `Transcript`, so that the answers are judged in one
place.

In many engines, the function that answers a probe is not the one that plays. In every
game, one refused act is therefore also sent as a `step`, and so is a heart that is
refused before any heart has been played: this shows whether a refused play breaks
hearts anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import attrs
from msgspec import UnsetType, structs

from refengine.errors import Malformed, counted, harmless
from refengine.formats import protocol, shapes
from refengine.formats.fields import act_fields, act_of, start_fields
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    normal_legal,
    normal_view,
)
from refengine.formats.trace import Probe, Step, Told, Trace
from refengine.game.acts import Act, Claim, Deal, Play, QuitTrick, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Start
from refengine.lawbook.options import Value
from refengine.rulings.broken_clauses.applied import HEARTS
from refengine_conformance.runner.answers import (
    FormError,
    cards_in_order,
    form_sentence,
    normal_answer,
)
from refengine_conformance.runner.declared import ruleset_for
from refengine_conformance.runner.driver import Adapter, BrokenError
from refengine_conformance.runner.results import (
    LEFT_OUT,
    Case,
    EngineCard,
    Outcome,
    Thrown,
)

T = TypeVar("T")

_NEED_OF_ACT: Final[dict[str, str]] = {
    "cut": "match",
    "deal": "match",
    "pass": "pass",
    "scatter": "scatter",
    "forward": "forward",
    "mix": "mix",
    "draw": "stock",
    "retract": "revokes",
    "quit": "revokes",
    "claim": "revokes",
    "moon": "moon.choice",
}
GIVEN_DEALS: Final = "given_deals"
UNLISTED: Final = (Claim, QuitTrick, Retract)
"""The kinds of act that a seat may carry out when it is not its turn."""


def capability_for_act(act: Act) -> str:
    """The capability that an adapter must declare for this act; empty if none."""
    return _NEED_OF_ACT.get(act.kind, "")


def capabilities_for_trace(trace: Trace) -> tuple[str, ...]:
    """The capabilities needed to play a trace at all."""
    found = {capability_for_act(step.act) for step in trace.steps}
    found |= {"revokes" for step in trace.steps if step.breaks}
    found |= capabilities_for_start(trace.start)
    found |= capabilities_for_undealt(trace.ruleset.options)
    for step in trace.steps:
        if isinstance(step.legal, dict):
            found |= {_NEED_OF_ACT.get(key, "") for key in step.legal}
    return tuple(sorted(found - {""}))


def capabilities_for_undealt(options: Mapping[str, Value]) -> set[str]:
    """The capability needed for a stock or a kitty, if these options have one."""
    return {"stock", "kitty"} & {str(options["undealt"])}


def capabilities_for_start(start: Start) -> set[str]:
    """The capabilities that an engine needs to begin a game like this."""
    if isinstance(start, Match):
        return {"match"}
    stated = {
        "setup.position": start.leader is not None,
        "stock": bool(start.stock),
        "kitty": bool(start.kitty),
    }
    return {name for name, is_there in stated.items() if is_there}


@attrs.frozen
class Unanswered:
    """What stands in place of an answer: `unsupported`, `error`, or a field left out.

    An `error` ends the game; a transcript holds it as `thrown`.
    """

    key: str
    text: str = attrs.field(default="", converter=harmless)

    @property
    def is_error(self) -> bool:
        """Whether the adapter answered with an error of its own."""
        return self.key == "error"

    def __str__(self) -> str:
        return f"{self.key}: {self.text:.200}" if self.text else self.key


@attrs.frozen
class Reply:
    """The verdict of an adapter on an act: accepted, irregular or refused."""

    accepted: bool
    clauses: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The verdict in one word: `ok`, `irregular` or `refused`."""
        if not self.accepted:
            return "refused"
        return "irregular" if self.clauses else "ok"

    def __str__(self) -> str:
        if not self.clauses:
            return self.word
        return f"{self.word} by {', '.join(self.clauses)}"


ProbesAnswered = tuple[tuple[Probe, Reply | Unanswered], ...]
"""Probes, each with its answer."""


@attrs.frozen
class Answers:
    """The answers at one step, in normal form; None for anything that was not asked.

    `refuse` and `irregular` hold the probes that were asked, each with its answer;
    `changed` is the state before and after the probes, if the two differ. `tried` is a
    refused act that was also sent as a step, with the answer to it; `spoilt` is the
    state before and after that act, if these differ. `told` holds, for each seat asked
    about, what it was told of the act.
    """

    answer: Reply | Unanswered | None = None
    legal: Json | str | Unanswered | None = None
    turn: tuple[int, ...] | None = None
    refuse: ProbesAnswered = ()
    irregular: ProbesAnswered = ()
    changed: tuple[str, str] | None = None
    tried: tuple[Probe, Reply | Unanswered] | None = None
    spoilt: tuple[str, str] | None = None
    then: Json | Unanswered | None = None
    view: Json | Unanswered | None = None
    told: tuple[tuple[Told, Json | Unanswered], ...] = ()


@attrs.frozen
class Break:
    """How a conversation ended too early, and at what kind of question.

    `restart` says whether the adapter is gone. `step` is the number of the step at
    which this happened, from 1, or 0 if it is not known, and `request` is what was
    asked.
    """

    outcome: Outcome
    kind: str
    sentence: str
    restart: bool
    step: int = 0
    request: str = ""


@attrs.frozen
class Transcript:
    """What an adapter said about one trace; `way` is `step` or `replay`.

    `opened` is the answer to the request to begin, or None if the game was begun; `end`
    is what was observed after the last step. `thrown` is the adapter's own error, which
    ended the game: it is not an answer, and nothing was asked after it.
    """

    way: str
    moments: tuple[Answers, ...] = ()
    opened: Reply | Unanswered | None = None
    end: Json | Unanswered | None = None
    end_view: Json | Unanswered | None = None
    broke: Break | None = None
    thrown: Thrown | None = None


@attrs.frozen
class Judged:
    """The cases of one line, whether the adapter is gone, and what it said.

    `heard` is what the adapter said about a trace. If the trace was put in both ways,
    it is what was said in the replay, or act by act if the trace asserts views, which a
    replay does not show.
    """

    cases: tuple[Case, ...]
    gone: bool = False
    heard: Transcript | None = None


def opening_fields(ruleset: Ruleset, start: Start, card: EngineCard) -> Json:
    """The fields with which an adapter is asked to begin a game.

    They hold the ruleset, with every option that the adapter knows, and the start.
    """
    return {"ruleset": ruleset_for(ruleset, card.spec), **start_fields(start)}


def probes_asked(card: EngineCard, probes: tuple[Probe, ...]) -> tuple[Probe, ...]:
    """Those of the probes whose acts an adapter can be asked about."""
    return tuple(one for one in probes if _knows(card, one.act))


def _knows(card: EngineCard, act: Act) -> bool:
    """Whether an adapter can be asked about an act.

    An engine that shuffles its own pack is never given a wrong deal. One that knows
    only the mix can be asked about a pass: cards are given to it as they are passed.
    """
    if isinstance(act, Deal) and not card.can(GIVEN_DEALS):
        return False
    need = capability_for_act(act)
    return not need or card.can(need) or (need == "pass" and card.can("mix"))


def probes_of_step(
    card: EngineCard, step: Step
) -> tuple[tuple[Probe, ...], tuple[Probe, ...]]:
    """The probes of a step to give to an adapter: acts to refuse, then irregular acts.

    An adapter that does not declare `probe` is sent the acts to refuse as steps
    instead. Only one that declares both `probe` and `revokes` is asked about irregular
    acts.
    """
    irregular: tuple[Probe, ...] = ()
    if card.can("probe") and card.can("revokes"):
        irregular = probes_asked(card, step.irregular)
    return probes_asked(card, step.refuse), irregular


def refusals_to_try(trace: Trace, card: EngineCard) -> dict[int, Probe]:
    """The acts to refuse that are also sent as steps, by the number of the step.

    There are at most two: one at the last step with any act to refuse, and a heart that
    is refused before any heart has been played.
    """
    last = last_refusal(trace, card)
    step_of_last = last[0] if last is not None else 0
    heart = refused_heart(trace, card, but=step_of_last)
    return dict(found for found in (last, heart) if found is not None)


def asserts_observation(fields: Json) -> bool:
    """Whether these assertions include anything other than a view."""
    return bool(fields.keys() - {"view"})


# Answers in normal form


def is_accepted(answer: Reply | Unanswered | None) -> bool:
    """Whether this answer to an act accepts it."""
    return isinstance(answer, Reply) and answer.accepted


def reply_in_answer(answer: Any) -> Reply | Unanswered:
    """The verdict that an answer gives on an act, or what it gives instead of one."""
    if isinstance(answer.ok, protocol.StepOk):
        breaks = answer.ok.breaks
        return Reply(True, () if isinstance(breaks, UnsetType) else tuple(breaks))
    if isinstance(answer.refused, protocol.Refusal):
        return Reply(False, tuple(answer.refused.clauses))
    return why_unanswered(answer)


def why_unanswered(answer: Any) -> Unanswered:
    """What an answer gives instead of `ok` or `refused`: `unsupported` or `error`."""
    if isinstance(answer.unsupported, str):
        return Unanswered("unsupported", answer.unsupported)
    return Unanswered("error", answer.error if isinstance(answer.error, str) else "")


def normal_form_or_error(place: str, function: Callable[[Any], T], value: Any) -> T:
    """An answer put into normal form by `function`; raises FormError if that fails."""
    try:
        return function(value)
    except Malformed as wrong:
        raise FormError(form_sentence(place, wrong)) from None


def due_in_answer(
    place: str, due: shapes.DueObject
) -> tuple[Json | str, tuple[int, ...] | None]:
    """What an answer says is due, in normal form, and which seats it says are to act.

    The seats are in ascending order, or None if the answer does not name them. A card
    that the answer names twice is kept twice, so that the answer counts as wrong.
    """
    turn = getattr(due, "turn", None)
    seats = None if turn is None else tuple(sorted(turn))
    if isinstance(due.play, str):
        cards = normal_form_or_error(
            place,
            lambda play: call_with_place("play", cards_in_order, play),
            due.play,
        )
        return cards, seats
    found = normal_form_or_error(place, normal_legal, due)
    if isinstance(found, dict):
        found = {key: value for key, value in found.items() if key != "turn"}
    return found, seats


def view_in_answer(line: shapes.ViewObject) -> Json:
    """What an answer says a seat sees, in normal form.

    A card that is in the hand twice is kept twice, so that the answer counts as wrong.
    Raises Malformed, with the place in the view, for anything else that is malformed.
    """
    if isinstance(line.hand, UnsetType):
        return normal_view(line)
    hand = call_with_place("hand", cards_in_order, line.hand)
    return {**normal_view(structs.replace(line, hand="")), "hand": hand}


def event_in_answer(line: protocol.EventOk) -> Json:
    """What an answer says that a seat was told, in normal form.

    Raises Malformed, with the place in the answer, if its act is malformed.
    """
    found: Json = {"kind": line.kind, "seat": line.seat}
    if not isinstance(line.act, UnsetType):
        act = call_with_place("act", act_of, line.seat, line.act)
        found["act"] = act_fields(act)
    return found


# Replayed as a whole


def trace_without_expectations(trace: Trace, card: EngineCard) -> Json:
    """The trace as it is sent to be replayed, without the answers that are expected."""
    steps = []
    for step in trace.steps:
        sent: Json = {"seat": step.act.seat, "act": act_fields(step.act)}
        for name, probes in _probes_sent(step, card).items():
            sent[name] = [_question(one, step) for one in probes]
        steps.append(sent)
    opening = opening_fields(trace.ruleset, trace.start, card)
    return {"trace": 1, **opening, "steps": steps}


def _probes_sent(step: Step, card: EngineCard) -> dict[str, tuple[Probe, ...]]:
    """The probes that are sent with a step, under the keys `refuse` and `irregular`."""
    if not card.can("probe"):
        return {}
    found = zip(("refuse", "irregular"), probes_of_step(card, step), strict=True)
    return {name: probes for name, probes in found if probes}


def _question(probe: Probe, step: Step) -> Json:
    """A probe as it is sent; its seat is left out if it is the seat of the step."""
    found: Json = {"act": act_fields(probe.act)}
    if probe.act.seat != step.act.seat:
        found["seat"] = probe.act.seat
    return found


def replay_whole_trace(adapter: Adapter, trace: Trace) -> Transcript:
    """What the adapter says about a trace that it replays as a whole."""
    try:
        answer = adapter.ask(
            "replay", trace=trace_without_expectations(trace, adapter.card)
        )
        if isinstance(answer.error, str):
            return Transcript("replay", thrown=Thrown(0, "replay", answer.error))
        if not isinstance(answer.ok, protocol.ReplayOk):
            return Transcript("replay", opened=reply_in_answer(answer))
        return _transcript(answer.ok, trace, adapter.card)
    except BrokenError as error:
        broke = Break(error.outcome, "replay", str(error), restart=True)
    except FormError as error:
        broke = Break(Outcome.PROTOCOL, "replay", str(error), restart=False)
    return Transcript("replay", broke=broke)


def _transcript(found: protocol.ReplayOk, trace: Trace, card: EngineCard) -> Transcript:
    """What an answer to `replay` says; raises FormError if its form is wrong.

    The game ends at the first step that the adapter does not accept: anything that its
    answer says about later steps is left out.
    """
    moments = []
    for place, (step, line) in enumerate(zip(trace.steps, found.steps, strict=False)):
        moment, text = _up_to_error(
            _moment(f"the answer to replay, ok.steps[{place}]", step, line, card)
        )
        moments.append(moment)
        if text is not None:
            thrown = Thrown(len(moments), "replay", text)
            return Transcript("replay", tuple(moments), thrown=thrown)
        if not is_accepted(moment.answer):
            return Transcript("replay", tuple(moments))
    if len(found.steps) != len(trace.steps):
        got = counted(len(found.steps), "step")
        raise FormError(
            f"the answer to replay: field ok.steps: got {got}; "
            f"wanted {len(trace.steps)}, or fewer and the last of them not accepted"
        )
    end: Json | Unanswered | None = None
    if asserts_observation(trace.end) and card.can("observe"):
        end = _fields("the answer to replay, ok.end", found.end)
    return Transcript("replay", tuple(moments), end=end)


def _moment(
    place: str, step: Step, line: protocol.StepReplayed, card: EngineCard
) -> Answers:
    """What an answer to `replay` says of one step; raises FormError if malformed."""
    legal: Json | str | Unanswered | None = None
    if step.legal is not None and card.can("legal"):
        legal = Unanswered(LEFT_OUT)
        if isinstance(line.legal, shapes.DueObject):
            legal, _ = due_in_answer(f"{place}.legal", line.legal)
    then: Json | Unanswered | None = None
    answer = reply_in_answer(line.answer)
    can_tell = asserts_observation(step.then) and card.can("observe")
    if can_tell and is_accepted(answer):
        then = _fields(f"{place}.then", line.then)
    sent = _probes_sent(step, card)
    return Answers(
        answer=answer,
        legal=legal,
        refuse=_answered(place, "refuse", sent, line),
        irregular=_answered(place, "irregular", sent, line),
        then=then,
    )


def _up_to_error(moment: Answers) -> tuple[Answers, str | None]:
    """The answers to a step before its first `error`, and the error's text or None.

    The answers are taken in the order of the questions: what is due, the probes, and
    the act of the step. If there is an error, a question that was left unanswered
    counts as not asked.
    """
    legal = None if isinstance(moment.legal, Unanswered) else moment.legal
    refuse, text = _probes_up_to_error(moment.refuse)
    if text is not None:
        return Answers(legal=legal, refuse=refuse), text
    irregular, text = _probes_up_to_error(moment.irregular)
    if text is None and isinstance(moment.answer, Unanswered):
        text = moment.answer.text if moment.answer.is_error else None
    if text is None:
        return moment, None
    return Answers(legal=legal, refuse=refuse, irregular=irregular), text


def _probes_up_to_error(answers: ProbesAnswered) -> tuple[ProbesAnswered, str | None]:
    """The answers to probes before the first `error`, and the error's text or None."""
    for place, (_, answer) in enumerate(answers):
        if isinstance(answer, Unanswered) and answer.is_error:
            return answers[:place], answer.text
    return answers, None


def _fields(place: str, line: shapes.Fields | UnsetType) -> Json | Unanswered:
    """The observed fields in an answer, in normal form; Unanswered if left out.

    Raises FormError if they are malformed.
    """
    if isinstance(line, UnsetType):
        return Unanswered(LEFT_OUT)
    return normal_form_or_error(place, normal_answer, line)


def _answered(
    place: str,
    name: str,
    sent: dict[str, tuple[Probe, ...]],
    line: protocol.StepReplayed,
) -> ProbesAnswered:
    """The answers to the probes sent as `name`.

    Raises FormError if there are too many, or too few without an `error`.
    """
    asked = sent.get(name, ())
    given = _verdicts(line, name)
    if len(given) > len(asked) or (len(given) < len(asked) and not _has_error(line)):
        got = counted(len(given), "answer")
        raise FormError(f"{place}: field {name}: got {got}; wanted {len(asked)}")
    return tuple(
        (one, reply_in_answer(got)) for one, got in zip(asked, given, strict=False)
    )


def _verdicts(line: protocol.StepReplayed, name: str) -> list[protocol.Verdict]:
    """The answers to the probes sent as `name`; empty if they are left out."""
    given = getattr(line, name)
    return [] if isinstance(given, UnsetType) else given


def _has_error(line: protocol.StepReplayed) -> bool:
    """Whether the act of a step, or one of its probes, was answered with `error`."""
    answers = [*_verdicts(line, "refuse"), *_verdicts(line, "irregular"), line.answer]
    return any(isinstance(one.error, str) for one in answers)


def last_refusal(trace: Trace, card: EngineCard) -> tuple[int, Probe] | None:
    """The number of a step, from 1, and a refused act to try there.

    This is the last step with a refused act that can be asked about, and the first of
    those acts, so that little is lost if trying it spoils the game. The result is None
    if no step has such an act.
    """
    for number in range(len(trace.steps), 0, -1):
        if found := probes_asked(card, trace.steps[number - 1].refuse):
            return number, found[0]
    return None


def refused_heart(trace: Trace, card: EngineCard, but: int) -> tuple[int, Probe] | None:
    """Find the last step at which a heart is refused before any has been played.

    Returns the number of the step, from 1, and the refused act, or None if there is no
    such step. Step `but` is passed over. Which acts are refused is taken from the
    trace alone, since the rules may be those of a mutant.
    """
    found = None
    for number, step in enumerate(trace.steps, 1):
        asked = probes_asked(card, step.refuse)
        hearts = [one for one in asked if _is_heart(one.act)]
        if hearts and number != but:
            found = number, hearts[0]
        if _is_heart(step.act):
            break
    return found


def _is_heart(act: Act) -> bool:
    """Whether an act is the play of a heart."""
    return isinstance(act, Play) and act.card in HEARTS
