"""Traces and logs: reading, writing, ids, and replaying them against the rules."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import Any, Final

import attrs
from msgspec import UNSET, UnsetType, json

from refengine.chapters.settings import Rules
from refengine.errors import Malformed, harmless
from refengine.formats import shapes, wire
from refengine.formats.fast.checked_start import Rulesets
from refengine.formats.fast.checking import log_agrees, trace_agrees
from refengine.formats.fields import (
    act_fields,
    act_of,
    asserted_field,
    drawn_by,
    legal_fields,
    ruleset_fields,
    ruleset_of,
    start_fields,
    start_of,
    view_fields,
)
from refengine.formats.normal_form import (
    Json,
    call_with_place,
    normal_fields,
    normal_legal,
)
from refengine.game.acts import Act, Draw, MoonChoice, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup, Start
from refengine.game.values.cardset import CARDS
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.book import registry
from refengine.machine.notation import read_sequence

_VERSION: Final = re.compile(shapes.SPEC)


@attrs.frozen
class Probe:
    """An act that is only asked about, and the clauses it breaks."""

    act: Act
    clauses: tuple[str, ...]


@attrs.frozen
class Step:
    """One act of a trace and what is expected, all in normal form.

    `legal` is what is due before it, None if the trace does not say. `breaks` holds the
    clauses that an irregular act breaks, and is empty if the act is legal. `then` is
    what holds after it.
    """

    act: Act
    legal: Json | str | None = None
    breaks: tuple[str, ...] = ()
    refuse: tuple[Probe, ...] = ()
    irregular: tuple[Probe, ...] = ()
    then: Json = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class Trace:
    """A game with what is expected of it, in normal form."""

    ruleset: Ruleset
    start: Start
    steps: tuple[Step, ...]
    end: Json = attrs.field(factory=dict)
    name: str = ""
    id: str = ""
    spec: str = ""


@attrs.frozen
class Finding:
    """Something that is expected but is not so.

    `step` is the number of the step, from 1, or 0 for what is said about the whole
    trace; `what` names the place in it. What the file says is harmless in it.
    """

    step: int
    what: str
    expected: str = attrs.field(converter=harmless)
    found: str = attrs.field(converter=harmless)

    def __str__(self) -> str:
        place = f"step {self.step}, {self.what}" if self.step else self.what
        return f"{place}: expected {self.expected}, found {self.found}"


# Versions and ids


def spec_version() -> str:
    """The version of the book that is written into traces."""
    return str(registry()["version"])


def check_version(spec: str) -> None:
    """Check that traces for this version of the book can be judged by ours.

    Raises Malformed for another major version, or a newer minor one.
    """
    ours = spec_version()
    major, minor = (int(part) for part in ours.split(".")[:2])
    match = _VERSION.fullmatch(spec)
    if not match or int(match[1]) != major or int(match[2]) > minor:
        allowed = f"a version from {major}.0.0 to {major}.{minor} of the book"
        raise Malformed(f"{spec!r:.40}", allowed, "spec")


def check_id(found: str, prefix: str) -> None:
    """Check that this has the form of an id.

    Raises Malformed if it does not.
    """
    if not re.fullmatch(prefix + shapes.ID, found):
        allowed = f"{prefix}- and 16 digits of 0123456789abcdef"
        raise Malformed(f"{found!r:.40}", allowed, "id")


def canonical(value: object) -> bytes:
    """The RFC 8785 form of a value made of objects, lists, text, integers and flags."""
    return json.encode(value, order="sorted")


def written_alike(one: object, other: object) -> bool:
    """Whether two values are the same once written, where true is not 1 as for ==."""
    return one == other and canonical(one) == canonical(other)


def id_of(prefix: str, value: Json) -> str:
    """The id of a value: a prefix and 16 hexadecimal digits of its SHA-256."""
    return f"{prefix}-{hashlib.sha256(canonical(value)).hexdigest()[:16]}"


def trace_id(trace: Trace) -> str:
    """The id of a trace, which is the same for all traces with the same meaning."""
    meaning: Json = {"ruleset": ruleset_fields(trace.ruleset)}
    meaning |= start_fields(trace.start)
    meaning["steps"] = [_meaning_of_step(step) for step in trace.steps]
    if trace.end:
        meaning["end"] = trace.end
    return id_of("t", meaning)


def _meaning_of_step(step: Step) -> Json:
    found = step_fields(step)
    for name in ("refuse", "irregular"):
        if name in found:
            found[name] = sorted(found[name], key=canonical)
    return found


# Writing


def step_fields(step: Step) -> Json:
    """A step as it is written."""
    found: Json = {"seat": step.act.seat, "act": act_fields(step.act)}
    if step.legal is not None:
        found["legal"] = step.legal
    if step.breaks:
        found["breaks"] = list(step.breaks)
    if step.refuse:
        found["refuse"] = [_probe_fields(probe, step) for probe in step.refuse]
    if step.irregular:
        found["irregular"] = [_probe_fields(probe, step) for probe in step.irregular]
    if step.then:
        found["then"] = step.then
    return found


def _probe_fields(probe: Probe, step: Step) -> Json:
    found: Json = {"act": act_fields(probe.act), "clauses": list(probe.clauses)}
    if probe.act.seat != step.act.seat:
        found["seat"] = probe.act.seat
    return found


def trace_fields(trace: Trace) -> Json:
    """A trace as it is written, with its id and the version of our book."""
    found: Json = {"trace": 1, "id": trace_id(trace), "spec": spec_version()}
    if trace.name:
        found["name"] = trace.name
    found["ruleset"] = ruleset_fields(trace.ruleset)
    found |= start_fields(trace.start)
    found["steps"] = [step_fields(step) for step in trace.steps]
    if trace.end:
        found["end"] = trace.end
    return found


def write_trace(trace: Trace) -> bytes:
    """The line of a trace, without the line end."""
    return wire.encode(wire.convert_to_kind(shapes.TraceObject, trace_fields(trace)))


# Reading


def read_trace(line: bytes) -> Trace:
    """The trace that a line holds.

    Raises Malformed if it cannot be read or is for a version that ours cannot judge.
    """
    read = wire.decode(line, shapes.TraceObject)
    check_version(read.spec)
    check_id(read.id, "t")
    return trace_of(read)


def allowed_ruleset(line: shapes.RulesetObject) -> Ruleset:
    """The ruleset of a line.

    Raises Malformed for a name or a value that is not in the book, and for a
    combination that a clause forbids.
    """
    try:
        return ruleset_of(line)
    except Refused as refused:
        raise Malformed(str(refused), "a ruleset of the book", "ruleset") from None


def trace_of(read: shapes.TraceObject | shapes.BareTrace) -> Trace:
    """The trace of a line that has been decoded."""
    return Trace(
        ruleset=allowed_ruleset(read.ruleset),
        start=start_of(read.setup, read.match),
        steps=tuple(
            [
                call_with_place(f"steps[{place}]", _step, step)
                for place, step in enumerate(read.steps)
            ]
        ),
        end=call_with_place("end", normal_fields, read.end),
        name=read.name,
        id=read.id,
        spec=read.spec,
    )


def _step(read: shapes.StepObject | shapes.BareStep) -> Step:
    breaks: tuple[str, ...] = ()
    if not isinstance(read.breaks, UnsetType):
        breaks = shapes.check_clauses(read.breaks, "breaks")
    return Step(
        act=call_with_place("act", act_of, read.seat, read.act),
        legal=(
            None
            if isinstance(read.legal, UnsetType)
            else call_with_place("legal", normal_legal, read.legal)
        ),
        breaks=breaks,
        refuse=_probes("refuse", read),
        irregular=_probes("irregular", read),
        then=call_with_place("then", normal_fields, read.then),
    )


def _probes(name: str, read: shapes.StepObject | shapes.BareStep) -> tuple[Probe, ...]:
    asked: list[shapes.AskedObject] | list[shapes.Question] = getattr(read, name)
    return tuple(
        [
            call_with_place(f"{name}[{place}]", _probe, one, read.seat)
            for place, one in enumerate(asked)
        ]
    )


def _probe(read: shapes.AskedObject | shapes.Question, seat: int) -> Probe:
    by = seat if isinstance(read.seat, UnsetType) else read.seat
    act = call_with_place("act", act_of, by, read.act)
    if isinstance(read, shapes.Question):
        return Probe(act, tuple(read.clauses))
    return Probe(act, shapes.check_clauses(read.clauses, "clauses"))


# Replaying


@lru_cache(1000)
def rules_written(text: bytes) -> tuple[Rules, bytes] | None:
    """The rules of a ruleset and its RFC 8785 form; None if it is not in our form."""
    try:
        ruleset = allowed_ruleset(wire.decode(text, shapes.RulesetObject))
    except Malformed:
        return None
    fields = ruleset_fields(ruleset)
    return (ruleset.rules, canonical(fields)) if wire.encode(fields) == text else None


_RULESETS: Final = Rulesets(rules_written)


def agreed_trace(line: bytes) -> str:
    """The id of the trace in this line if everything in it is so, else empty.

    Empty does not mean that something is wrong: `read_trace` and `replay` must decide.
    """
    return trace_agrees(line, _RULESETS, b'"%s"' % spec_version().encode())


def agreed_log(line: bytes) -> bool:
    """Whether everything in a log is so; if not, `replay_log` must decide."""
    return log_agrees(line, _RULESETS)


def opened(ruleset: Ruleset, start: Start) -> State:
    """The first moment of the game that a line describes.

    Raises Malformed if it does not fit the table, or if a clause forbids it.
    """
    where = "setup" if isinstance(start, Setup) else "match"
    try:
        return call_with_place(where, State.open, ruleset, start)
    except Refused as refused:
        allowed = "a beginning that the book allows"
        raise Malformed(str(refused), allowed, where) from None


def applied(state: State, act: Act, verdict: Verdict) -> State:
    """The state after an act whose verdict is already known."""
    if isinstance(act, Play) and isinstance(verdict, Legal):
        return state.play_number(act.card.number)
    return state.apply(act)


def verdict_text(verdict: Verdict) -> str:
    """A verdict as one word, with its clauses."""
    if isinstance(verdict, Legal):
        return "legal"
    word = "refused" if isinstance(verdict, Refused) else "irregular"
    return f"{word} by {', '.join(verdict.clauses)}"


def replay(trace: Trace) -> list[Finding]:
    """What is wrong with a trace; empty if all is as expected.

    The replay ends at the first act whose verdict is not the expected one.
    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    state = opened(trace.ruleset, trace.start)
    found: list[Finding] = []
    drew = None
    for number, step in enumerate(trace.steps, 1):
        before = state
        try:
            found += _before(state, step, number)
            verdict = state.verdict(step.act)
            expected = Irregular(step.breaks) if step.breaks else Legal()
            if verdict != expected:
                what = f"act {step.act} of seat {step.act.seat}"
                said = verdict_text(expected), verdict_text(verdict)
                return [*found, Finding(number, what, *said)]
            state = applied(state, step.act, verdict)
            drew = drawn_by(before, step.act, state)
            found += _differences(state, step.then, drew, number, "then")
        except Malformed as error:
            raise error.within(f"steps[{number - 1}]") from None
    found += call_with_place("end", _differences, state, trace.end, drew, 0, "end")
    if trace.id and trace.id != trace_id(trace):
        found.append(Finding(0, "id", trace_id(trace), trace.id))
    return found


def _before(state: State, step: Step, number: int) -> list[Finding]:
    found: list[Finding] = []
    if step.legal is not None:
        legal = legal_fields(state)
        if legal != step.legal:
            found.append(Finding(number, "legal", _text(step.legal), _text(legal)))
    for name, probes in (("refuse", step.refuse), ("irregular", step.irregular)):
        for probe in probes:
            verdict = state.verdict(probe.act)
            expected: Verdict
            if name == "refuse":
                expected = Refused(probe.clauses, probe.act)
            else:
                expected = Irregular(probe.clauses)
            if verdict != expected:
                what = f"{name} {probe.act} of seat {probe.act.seat}"
                said = verdict_text(expected), verdict_text(verdict)
                found.append(Finding(number, what, *said))
    return found


def _text(value: object) -> str:
    return "nothing" if value is None else canonical(value).decode()


def _differences(
    state: State, expected: Json, drew: Any, number: int, where: str
) -> list[Finding]:
    found: list[Finding] = []
    for name, value in expected.items():
        if name == "view":
            view = call_with_place("view", _view, state, value["seat"])
            for key, one in value.items():
                if view.get(key) != one:
                    what = f"{where}.view.{key}"
                    said = _text(one), _text(view.get(key))
                    found.append(Finding(number, what, *said))
            continue
        actual = asserted_field(state, name, drew)
        if actual != value:
            what = f"{where}.{name}"
            found.append(Finding(number, what, _text(value), _text(actual)))
    return found


def _view(state: State, seat: int) -> Json:
    return view_fields(state.observe(seat))


# Logs


@attrs.frozen(kw_only=True)
class Log:
    """A deal as another program logged it: passes, cards played, and how it ended.

    `seats` says who played each card according to that program; it is empty if the
    program does not say.
    """

    ruleset: Ruleset
    setup: Setup
    passes: tuple[Act, ...] = ()
    plays: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    moon: str | int | None = None
    end: Json = attrs.field(factory=dict)


def read_log(line: bytes) -> Log:
    """The log that a line holds.

    Raises Malformed if it cannot be read.
    """
    read = wire.decode(line, shapes.LogObject)
    setup = start_of(read.setup, UNSET)
    assert isinstance(setup, Setup)
    plays = call_with_place("plays", read_sequence, read.plays)
    passes = [] if isinstance(read.pass_, UnsetType) else read.pass_
    seats = [] if isinstance(read.seats, UnsetType) else read.seats
    if seats and len(seats) != len(plays):
        raise Malformed(f"{len(seats)} seats", "one for each card played", "seats")
    moon = None
    if not isinstance(read.moon, UnsetType):
        moon = read.moon.one if isinstance(read.moon, shapes.OneSeat) else read.moon
    end = {
        name: value
        for name, value in (("score", read.score), ("totals", read.totals))
        if not isinstance(value, UnsetType)
    }
    return Log(
        ruleset=allowed_ruleset(read.ruleset),
        setup=setup,
        passes=tuple(
            [
                call_with_place(f"pass[{seat}]", act_of, seat, shapes.Act(pass_=given))
                for seat, given in enumerate(passes)
            ]
        ),
        plays=plays,
        seats=tuple(seats),
        moon=moon,
        end=end,
    )


def replay_log(log: Log) -> tuple[list[Finding], State]:
    """What is wrong with a logged deal, and the state in which the replay ended.

    Draws are made when they are due. A revoke that the ruleset accepts is no finding.
    Raises Malformed if a seat is not at the table or the deal cannot begin.
    """
    state = opened(log.ruleset, log.setup)
    for act in log.passes:
        verdict = call_with_place(f"pass[{act.seat}]", state.verdict, act)
        if isinstance(verdict, Refused):
            what = f"pass of seat {act.seat}"
            return [Finding(0, what, "legal", verdict_text(verdict))], state
        state = state.apply(act)
    for place, number in enumerate(log.plays):
        while state.legal.due.kind == "draw":
            state = state.draw()
        seat = log.seats[place] if log.seats else state.seat_in_turn
        act = Play(seat, CARDS[number])
        verdict = call_with_place(f"seats[{place}]", state.verdict, act)
        if isinstance(verdict, Refused):
            what = f"play {act} of seat {seat}"
            return [Finding(place + 1, what, "legal", verdict_text(verdict))], state
        state = applied(state, act, verdict)
    if log.moon is not None:
        act = MoonChoice(state.seat_in_turn, log.moon)
        verdict = call_with_place("moon", state.verdict, act)
        if isinstance(verdict, Refused):
            return [Finding(0, "moon", "legal", verdict_text(verdict))], state
        state = state.apply(act)
    return _differences(state, log.end, None, 0, "end of the deal"), state


def write_log(state: State) -> bytes:
    """The compact log of a single deal, as far as it has been played.

    Raises Malformed if the deal has something that a log cannot express: a mix, an
    unseen pass, a retraction or a claim.
    """
    found: Json = {"log": 1, "ruleset": ruleset_fields(state.ruleset)}
    found |= start_fields(state.start)
    passes: dict[int, Any] = {}
    plays: list[str] = []
    for act in state.acts:
        match act:
            case Play(_, card):
                plays.append(card.value)
            case Pass() | Scatter():
                passes[act.seat] = act_fields(act)["pass"]
            case MoonChoice():
                found["moon"] = act_fields(act)["moon"]
            case Draw():
                pass  # a log has no draws: a replay makes them when they are due
            case _:
                raise Malformed(str(act), "what a log can say: write a trace instead")
    if 0 < len(passes) < state.ruleset.players:
        raise Malformed("a pass in progress", "what a log can say: a pass complete")
    if passes:
        found["pass"] = [passes[seat] for seat in sorted(passes)]
    found["plays"] = " ".join(plays)
    if state.score is not None:
        found |= {"score": list(state.score), "totals": list(state.totals)}
    return wire.encode(wire.convert_to_kind(shapes.LogObject, found))
