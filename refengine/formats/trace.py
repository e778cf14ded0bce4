"""Traces: reading, writing, ids, and replaying them against the rules."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Final

import attrs
from msgspec import UnsetType

from refengine.chapters.settings import Rules
from refengine.errors import Malformed, harmless
from refengine.formats import shapes, wire
from refengine.formats.fast.checked_start import Rulesets
from refengine.formats.fast.checking import agreed_id
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
    call_with_places,
    normal_fields,
    normal_legal,
)
from refengine.game.acts import Act, Play
from refengine.game.openings_in_words import malformed_opening
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Setup, Start
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.book import registry
from refengine.lawbook.canonical import canonical as canonical
from refengine.lawbook.clause_names import changed_clause, named_at, names_parts

_VERSION: Final = re.compile(shapes.SPEC)
FIRST_EDITION: Final = "1.0.0"
CHANGED_IN: Final = "1.1.0"
"""The edition in which the clauses that `Finding.changed` names were changed."""


@attrs.frozen
class Probe:
    """An act that is asked about, not carried out, and the clauses that it breaks."""

    act: Act
    clauses: tuple[str, ...]


@attrs.frozen
class Told:
    """What a seat is told of an act (2.8): its kind, and the act if it may know it."""

    seat: int
    kind: str
    act: Act | None = None


@attrs.frozen
class Step:
    """One act of a trace and what is expected around it, all in normal form.

    `legal` is what is due before the act, or None if the trace does not say. `breaks`
    holds the clauses that an irregular act breaks, and is empty if the act is legal.
    `refuse` and `irregular` hold other acts that would be refused or irregular. `then`
    is what can be seen after the act, and `told` what seats are told of it.
    """

    act: Act
    legal: Json | str | None = None
    breaks: tuple[str, ...] = ()
    refuse: tuple[Probe, ...] = ()
    irregular: tuple[Probe, ...] = ()
    then: Json = attrs.field(factory=dict)
    told: tuple[Told, ...] = ()


@attrs.frozen(kw_only=True)
class Trace:
    """A game and what is expected at its steps and at its end, in normal form."""

    ruleset: Ruleset
    start: Start
    steps: tuple[Step, ...]
    end: Json = attrs.field(factory=dict)
    name: str = ""
    id: str = ""
    spec: str = ""


@attrs.frozen
class Finding:
    """An expectation that does not hold.

    `step` is the number of the step, from 1, or 0 for what is said about the whole
    line; `what` names the place in the step or the line. Text from the file is escaped
    so that it can be printed. If the expectation depends on a clause that has changed
    since the edition for which the trace was written, `changed` is that clause, and the
    expectation counts as neither right nor wrong; otherwise, `changed` is empty.
    """

    step: int
    what: str
    expected: str = attrs.field(converter=harmless)
    found: str = attrs.field(converter=harmless)
    changed: str = ""

    def __str__(self) -> str:
        place = f"step {self.step}, {self.what}" if self.step else self.what
        if self.changed:
            return f"{place}: changed in {CHANGED_IN}: {self.changed}"
        return f"{place}: expected {self.expected}, found {self.found}"


# Versions and ids


def spec_version() -> str:
    """The version of the book that is written into traces."""
    return str(registry()["version"])


def check_version(spec: str) -> None:
    """Check that this engine can judge traces for a version of the book.

    Raises Malformed for another major version, for a newer minor one, and for anything
    that is not a version.
    """
    ours = spec_version()
    major, minor = (int(part) for part in ours.split(".")[:2])
    match = _VERSION.fullmatch(spec)
    if not match or int(match[1]) != major or int(match[2]) > minor:
        allowed = f"a version from {major}.0.0 to {major}.{minor} of the book"
        raise Malformed(f"{spec!r:.40}", allowed, "spec")


def check_id(found: str, prefix: str) -> None:
    """Raise Malformed unless `found` has the form of an id with this prefix."""
    if not re.fullmatch(prefix + shapes.ID, found):
        allowed = f"{prefix}- and 16 digits of 0123456789abcdef"
        raise Malformed(f"{found!r:.40}", allowed, "id")


def written_alike(one: object, other: object) -> bool:
    """Whether two values have the same JSON text; unlike with ==, `True` is not 1."""
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
    """A step as an object of a trace line."""
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
    if step.told:
        found["told"] = [_told_fields(one) for one in step.told]
    return found


def _told_fields(told: Told) -> Json:
    found: Json = {"seat": told.seat, "kind": told.kind}
    if told.act is not None:
        found["act"] = act_fields(told.act)
    return found


def _probe_fields(probe: Probe, step: Step) -> Json:
    found: Json = {"act": act_fields(probe.act), "clauses": list(probe.clauses)}
    if probe.act.seat != step.act.seat:
        found["seat"] = probe.act.seat
    return found


def trace_fields(trace: Trace) -> Json:
    """A trace as an object, with its id and its edition, by default the current one."""
    spec = trace.spec or spec_version()
    found: Json = {"trace": 1, "id": trace_id(trace), "spec": spec}
    if trace.name:
        found["name"] = trace.name
    found["ruleset"] = ruleset_fields(trace.ruleset)
    found |= start_fields(trace.start)
    found["steps"] = [step_fields(step) for step in trace.steps]
    if trace.end:
        found["end"] = trace.end
    return found


def write_trace(trace: Trace) -> bytes:
    """The line for a trace, without the line ending."""
    return wire.encode(wire.convert_to_kind(shapes.TraceObject, trace_fields(trace)))


# Reading


def read_trace(line: bytes) -> Trace:
    """The trace that a line holds.

    Raises Malformed if it cannot be read, is for a version of the book by which the
    engine cannot judge, names a ruleset that the book does not allow, or states that
    its game cannot begin (`openings` reads such lines).
    """
    read = decode_trace(line)
    if not isinstance(read.opening, UnsetType):
        raise Malformed("a refused opening", "a game that begins", "opening")
    return trace_of(read)


def decode_trace(line: bytes) -> shapes.TraceObject:
    """Decode the line of a trace, and check its version and the form of its id.

    Raises Malformed if it cannot be read, is for a version of the book by which the
    engine cannot judge, or has a key that its version does not have.
    """
    read = wire.decode(line, shapes.TraceObject)
    check_version(read.spec)
    check_id(read.id, "t")
    if not names_parts(read.spec):
        newer = [
            f"steps[{place}].told" for place, one in enumerate(read.steps) if one.told
        ]
        newer += [] if isinstance(read.opening, UnsetType) else ["opening"]
        if newer:
            allowed = f"no such key before edition {CHANGED_IN}"
            raise Malformed(f"spec {read.spec}", allowed, newer[0])
    return read


def allowed_ruleset(line: shapes.RulesetObject) -> Ruleset:
    """The ruleset that a line names.

    Raises Malformed for a name or a value that is not in the book, and for a number of
    players or a combination of options that a clause forbids.
    """
    try:
        return ruleset_of(line)
    except Refused as refused:
        raise malformed_opening(refused, "ruleset") from None


def trace_of(read: shapes.TraceObject | shapes.BareTrace) -> Trace:
    """The trace in a line that has been decoded.

    Raises Malformed if the ruleset is not allowed, or if a part cannot be read.
    """
    ruleset = allowed_ruleset(read.ruleset)
    return Trace(
        ruleset=ruleset,
        start=start_of(read.setup, read.match),
        steps=tuple(call_with_places("steps", _step, read.steps, ruleset.players)),
        end=call_with_place("end", normal_fields, read.end),
        name=read.name,
        id=read.id,
        spec=read.spec,
    )


def _step(read: shapes.StepObject | shapes.BareStep, players: int) -> Step:
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
        told=_told(read, players),
    )


def _told(read: shapes.StepObject | shapes.BareStep, players: int) -> tuple[Told, ...]:
    """What, according to a step, seats are told of its act, in order of the seats."""
    found: dict[int, Told] = {}
    for place, one in enumerate(read.told):
        act = None
        if not 0 <= one.seat < players:
            allowed = f"a seat from 0 to {players - 1}"
            raise Malformed(f"seat {one.seat}", allowed, f"told[{place}].seat")
        if not isinstance(one.act, UnsetType):
            act = call_with_place(f"told[{place}].act", act_of, read.seat, one.act)
        if one.seat in found:
            allowed = "each seat once"
            raise Malformed(f"seat {one.seat} again", allowed, f"told[{place}]")
        found[one.seat] = Told(one.seat, one.kind, act)
    return tuple([found[seat] for seat in sorted(found)])


def _probes(name: str, read: shapes.StepObject | shapes.BareStep) -> tuple[Probe, ...]:
    asked: list[shapes.AskedObject] | list[shapes.Question] = getattr(read, name)
    return tuple(call_with_places(name, _probe, asked, read.seat))


def _probe(read: shapes.AskedObject | shapes.Question, seat: int) -> Probe:
    by = seat if isinstance(read.seat, UnsetType) else read.seat
    act = call_with_place("act", act_of, by, read.act)
    if isinstance(read, shapes.Question):
        return Probe(act, tuple(read.clauses))
    return Probe(act, shapes.check_clauses(read.clauses, "clauses"))


# Replaying


@lru_cache(1000)
def rules_written(text: bytes) -> tuple[Rules, bytes] | None:
    """The rules and the RFC 8785 form of the ruleset in a text, or None.

    The result is None unless the text is an allowed ruleset, written as the engine
    writes it.
    """
    try:
        ruleset = allowed_ruleset(wire.decode(text, shapes.RulesetObject))
    except Malformed:
        return None
    fields = ruleset_fields(ruleset)
    return (ruleset.rules, canonical(fields)) if wire.encode(fields) == text else None


WRITTEN_RULESETS: Final = Rulesets(rules_written)


def agreed_trace(line: bytes) -> str:
    """The id of the trace in this line, if a fast check finds that all of it is true.

    Otherwise the result is empty, and `read_trace` and `replay` must decide: the trace
    need not be wrong.
    """
    return agreed_id(line, WRITTEN_RULESETS, _editions())


@cache
def _editions() -> tuple[bytes, ...]:
    """The current and the first edition of the book, in quotes as in a line."""
    return tuple([b'"%s"' % spec.encode() for spec in (spec_version(), FIRST_EDITION)])


def opened(ruleset: Ruleset, start: Start) -> State:
    """The first state of the game that a line describes.

    Raises Malformed if `start` does not fit the table, or if a clause forbids it.
    """
    where = "setup" if isinstance(start, Setup) else "match"
    try:
        return call_with_place(where, State.open, ruleset, start)
    except Refused as refused:
        raise malformed_opening(refused, where) from None


def state_at(trace: Trace, steps: int) -> State:
    """The state after the first `steps` steps of a trace, by the rules of the book.

    Raises Malformed if the game cannot begin, and Refused if an act is refused.
    """
    state = opened(trace.ruleset, trace.start)
    return state.after(*(step.act for step in trace.steps[:steps]))


def applied(state: State, act: Act, verdict: Verdict) -> State:
    """The state after an act with a known verdict; raises Refused if it is refused."""
    if isinstance(act, Play) and isinstance(verdict, Legal):
        return state.play_number(act.card.number)
    return state.apply(act)


def verdict_text(verdict: Verdict, spec: str = "") -> str:
    """A verdict in words, with the numbers that edition `spec` gives to its clauses."""
    if isinstance(verdict, Legal):
        return "legal"
    word = "refused" if isinstance(verdict, Refused) else "irregular"
    return f"{word} by {', '.join(named_at(spec, verdict.clauses))}"


def replay(trace: Trace) -> list[Finding]:
    """What is wrong with a trace, if anything is.

    The replay ends at the first act whose verdict is not the expected one.
    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    return [one for one in replay_all(trace) if not one.changed]


def replay_all(
    trace: Trace, go_on: Callable[[State, Act], State | None] | None = None
) -> list[Finding]:
    """Replay a trace, and return the expectations in it that do not hold.

    Those that differ because a clause has changed since the edition of the trace are
    marked as such, and count as neither right nor wrong. A trace for 1.0.x is judged by
    the names that clauses had then. If an act has a verdict other than the expected
    one, `go_on` returns the state from which the replay goes on; if `go_on` is None, or
    returns None, the replay ends there.
    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    state = opened(trace.ruleset, trace.start)
    found: list[Finding] = []
    drew = None
    for number, step in enumerate(trace.steps, 1):
        before = state
        try:
            found += _before(state, step, number, trace.spec)
            verdict = state.verdict(step.act)
            expected = Irregular(step.breaks) if step.breaks else Legal()
            if verdict != expected:
                what = f"act {step.act} of seat {step.act.seat}"
                said = verdict_text(expected), verdict_text(verdict, trace.spec)
                found.append(Finding(number, what, *said))
                after = None if go_on is None else go_on(state, step.act)
                if after is None:
                    return found
                state = after
            else:
                found += _told_otherwise(before, step, number)
                state = applied(state, step.act, verdict)
            drew = drawn_by(before, step.act, state)
            then = step.then, drew, number, "then"
            found += call_with_place("then", differences, state, *then)
        except Malformed as error:
            raise error.within(f"steps[{number - 1}]") from None
    found += call_with_place("end", differences, state, trace.end, drew, 0, "end")
    if trace.id and trace.id != trace_id(trace):
        found.append(Finding(0, "id", trace_id(trace), trace.id))
    return found


def _before(state: State, step: Step, number: int, spec: str) -> list[Finding]:
    """The findings for `legal` and for the acts that would be refused or irregular."""
    found: list[Finding] = []
    if step.legal is not None:
        legal = legal_fields(state)
        if legal != step.legal:
            found.append(Finding(number, "legal", _text(step.legal), _text(legal)))
    for name, probes, kind in (
        ("refuse", step.refuse, Refused),
        ("irregular", step.irregular, Irregular),
    ):
        verdicts = verdicts_beside(state, step, name, probes)
        for probe, verdict in zip(probes, verdicts, strict=True):
            if isinstance(verdict, kind):
                told = named_at(spec, verdict.clauses)
                if told == probe.clauses:
                    continue
            found.append(_otherwise(name, probe, verdict, number, spec))
    return found


def verdicts_beside(
    state: State, step: Step, name: str, probes: Iterable[Probe]
) -> list[Verdict]:
    """The verdicts on the acts that a step lists under the key `name`.

    Raises Malformed for a seat that is not at the table. The error gives the place of
    the act in the list, except for an act by the seat of the step itself.
    """
    return [
        state.verdict(probe.act)
        if probe.act.seat == step.act.seat
        else call_with_place(f"{name}[{at}]", state.verdict, probe.act)
        for at, probe in enumerate(probes)
    ]


def told_of(state: State, act: Act, seat: int) -> Told:
    """What a seat is told of an act in `state`, as a step of a trace states it."""
    event = state.event(act, seat)
    return Told(seat, event.kind, event.act)


def _told_otherwise(state: State, step: Step, number: int) -> Iterator[Finding]:
    """Yield a finding for each seat that is not told what the trace says it is told."""
    for told in step.told:
        said = told_of(state, step.act, told.seat)
        if said != told:
            texts = _text(_told_fields(told)), _text(_told_fields(said))
            yield Finding(number, f"told to seat {told.seat}", *texts)


def _otherwise(
    name: str, probe: Probe, verdict: Verdict, number: int, spec: str
) -> Finding:
    """The finding for a probe whose verdict is not the one that the trace expects."""
    expected: Verdict = Irregular(probe.clauses)
    changed = ""
    if name == "refuse":
        expected = Refused(probe.clauses, probe.act)
        if isinstance(verdict, Refused):
            said = probe.clauses, verdict.clauses
            changed = changed_clause(spec, probe.act.kind, *said)
    return Finding(
        number,
        f"{name} {probe.act} of seat {probe.act.seat}",
        verdict_text(expected),
        verdict_text(verdict, spec),
        changed,
    )


def _text(value: object) -> str:
    return "nothing" if value is None else canonical(value).decode()


def differences(
    state: State, expected: Json, drew: tuple[Card, ...] | None, number: int, where: str
) -> list[Finding]:
    """The findings for the `expected` fields that do not hold in this state.

    The findings name the step `number` and the place `where`; `drew` is as in
    `state_fields`. Raises Malformed if the seat of a `view` is not at the table.
    """
    found: list[Finding] = []
    for name, value in expected.items():
        if name == "view":
            view = view_fields(call_with_place("view", state.observe, value["seat"]))
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
