"""The server for version 1 of the adapter protocol, with this engine behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, Final

from msgspec import UnsetType

from refengine import __version__
from refengine.errors import Malformed, counted
from refengine.formats import parsing, protocol, shapes, wire
from refengine.formats.fields import (
    act_of,
    drawn_by,
    due_fields,
    ruleset_of,
    start_of,
    state_fields,
    view_fields,
)
from refengine.formats.file_lines import BOM
from refengine.formats.minideals import NotEnumerableError, enumerate_games
from refengine.formats.normal_form import Json, call_with_place
from refengine.formats.trace import (
    Step,
    applied,
    spec_version,
    trace_of,
    verdicts_beside,
)
from refengine.formats.views import told_fields
from refengine.game.acts import Act
from refengine.game.values.cardset import Card
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused, Verdict
from refengine.machine.perft import TooManyError

PROTOCOL: Final = 1


def answer_of_verdict(verdict: Verdict) -> Json:
    """The answer of the protocol for a verdict, without `seq`."""
    if isinstance(verdict, Refused):
        return {"refused": {"clauses": list(verdict.clauses)}}
    if isinstance(verdict, Irregular):
        return {"ok": {"breaks": list(verdict.clauses)}}
    return {"ok": {}}


class Session:
    """One conversation, in which at most one game is open at a time."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.drew: tuple[Card, ...] | None = None
        # The state before the last act, and that act:
        self.last: tuple[State, Act] | None = None
        self.ended = False

    def handle(self, line: bytes) -> bytes | None:
        """The answer to a request, without the line ending, or None for `bye`.

        A request that cannot be read changes nothing. It is answered with `error`, or
        with `unsupported` if its op is unknown, and with its `seq` if that can be read.
        """
        try:
            request = _read(line)
        except _UnknownOpError as unknown:
            answer: Json = {"unsupported": f"the op {unknown}"}
            return wire.encode(_with_seq(line, answer))
        except Malformed as error:
            return wire.encode(_with_seq(line, {"error": str(error)}))
        if isinstance(request, protocol.ByeRequest):
            self.ended = True
            return None
        try:
            answer = _ANSWERS[type(request)](self, request)
        except Malformed as error:
            answer = {"error": str(error)}
        return wire.encode({"seq": request.seq, **answer})

    def _open_state(self) -> State:
        if self.state is None:
            raise Malformed("no open game", "an open before it", "op")
        return self.state

    def hello(self, request: protocol.HelloRequest) -> Json:
        """The answer that names this engine and says what it can do."""
        if request.protocol != PROTOCOL:
            return {"unsupported": f"protocol {request.protocol}, only {PROTOCOL}"}
        return {
            "ok": {
                "protocol": PROTOCOL,
                "spec": spec_version(),
                "name": "refengine",
                "version": __version__,
                "language": "Python",
                "profiles": "any",
                "players": "any",
                "capabilities": list(protocol.CAPABILITIES),
                "deviations": [],
            }
        }

    def open(self, request: protocol.OpenRequest) -> Json:
        """Forget any open game, begin a new one if the rules allow it, and answer."""
        self.state = self.drew = self.last = None
        try:
            ruleset = ruleset_of(request.ruleset)
            start = start_of(request.setup, request.match)
            self.state = State.open(ruleset, start)
        except Refused as refused:
            return answer_of_verdict(refused)
        return {"ok": {}}

    def legal(self, request: protocol.LegalRequest) -> Json:
        """The answer that says what is due."""
        return {"ok": due_fields(self._open_state().legal.due)}

    def probe(self, request: protocol.ProbeRequest) -> Json:
        """The answer that `step` would give to an act; nothing is applied."""
        act = call_with_place("act", act_of, request.seat, request.act)
        return answer_of_verdict(self._open_state().verdict(act))

    def step(self, request: protocol.StepRequest) -> Json:
        """Apply an act unless it is refused, and return the answer."""
        state = self._open_state()
        act = call_with_place("act", act_of, request.seat, request.act)
        verdict = state.verdict(act)
        if not isinstance(verdict, Refused):
            self.state = applied(state, act, verdict)
            self.last = state, act
            self.drew = drawn_by(state, act, self.state)
        return answer_of_verdict(verdict)

    def observe(self, request: protocol.ObserveRequest) -> Json:
        """The answer with everything that can be seen, or with what one seat knows."""
        state = self._open_state()
        if isinstance(request.seat, UnsetType):
            return {"ok": state_fields(state, self.drew)}
        return {"ok": view_fields(state.observe(request.seat))}

    def event(self, request: protocol.EventRequest) -> Json:
        """The answer that says what one seat was told of the last act."""
        self._open_state()
        if self.last is None:
            raise Malformed("no act yet", "a step before it", "op")
        before, act = self.last
        return {"ok": told_fields(before.event(act, request.seat))}

    def replay(self, request: protocol.ReplayRequest) -> Json:
        """Replay a trace without judging what it expects, and return the answer."""
        try:
            # To `trace_of`, a ruleset that the book refuses is merely malformed.
            call_with_place("trace", ruleset_of, request.trace.ruleset)
            return {"ok": _replayed(request.trace)}
        except Refused as refused:
            return answer_of_verdict(refused)

    def enumerate(self, request: protocol.EnumerateRequest) -> Json:
        """Count all games that can be played from the current state on, and answer."""
        try:
            count = enumerate_games(self._open_state(), request.limit)
        except TooManyError:
            return {"unsupported": f"more than {counted(request.limit, 'game')}"}
        except NotEnumerableError as error:
            return {"unsupported": str(error)}
        return {"ok": count.fields()}


_ANSWERS: Final[dict[type, Callable[[Session, Any], Json]]] = {
    protocol.HelloRequest: Session.hello,
    protocol.OpenRequest: Session.open,
    protocol.LegalRequest: Session.legal,
    protocol.ProbeRequest: Session.probe,
    protocol.StepRequest: Session.step,
    protocol.ObserveRequest: Session.observe,
    protocol.EventRequest: Session.event,
    protocol.ReplayRequest: Session.replay,
    protocol.EnumerateRequest: Session.enumerate,
}


class _UnknownOpError(Exception):
    """Raised for an op that is not in the protocol but may be in a later version."""


def _read(line: bytes) -> protocol.Request:
    try:
        request: protocol.Request = wire.decode(line, protocol.Request)  # type: ignore[arg-type]  # a union is not a class
    except Malformed:
        plain = parsing.parse_line(line)
        op = plain.get("op") if isinstance(plain, dict) else None
        if isinstance(op, str) and op not in protocol.OPS:
            raise _UnknownOpError(f"{op!r:.40}") from None
        raise
    return request


def _with_seq(line: bytes, answer: Json) -> Json:
    """Add to an answer the `seq` of a request that could not be read, if it has one."""
    try:
        plain = parsing.parse_line(line)
    except Malformed:
        return answer
    seq = plain.get("seq") if isinstance(plain, dict) else None
    return {"seq": seq, **answer} if type(seq) is int else answer


def _replayed(read: shapes.BareTrace) -> Json:
    """What happens at each step of a trace, up to the first act that is refused.

    The result also says what can be seen at the end.
    """
    trace = call_with_place("trace", trace_of, read)
    state = call_with_place("trace", State.open, trace.ruleset, trace.start)
    steps: list[Json] = []
    drew: tuple[Card, ...] | None = None
    for place, step in enumerate(trace.steps):
        verdict, found = call_with_place(f"trace.steps[{place}]", _asked, state, step)
        steps.append(found)
        if isinstance(verdict, Refused):
            break
        before, state = state, applied(state, step.act, verdict)
        drew = drawn_by(before, step.act, state)
        found["then"] = state_fields(state, drew)
    return {"steps": steps, "end": state_fields(state, drew)}


def _asked(state: State, step: Step) -> tuple[Verdict, Json]:
    """The verdict on the act of a step, and the answers to all that the step asks."""
    legal = due_fields(state.legal.due)
    del legal["turn"]
    verdict = state.verdict(step.act)
    found: Json = {"legal": legal, "answer": answer_of_verdict(verdict)}
    for name, probes in (("refuse", step.refuse), ("irregular", step.irregular)):
        if probes:
            verdicts = verdicts_beside(state, step, name, probes)
            found[name] = [answer_of_verdict(one) for one in verdicts]
    return verdict, found


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests one by one until `bye` or the end of the stream.

    A byte order mark before the first request is dropped.
    """
    session = Session()
    for number, line in enumerate(wire.lines_of(requests)):
        if number == 0 and isinstance(line, bytes):
            line = line.removeprefix(BOM)
        if isinstance(line, Malformed):
            answer: bytes | None = wire.encode({"error": str(line)})
        else:
            answer = session.handle(line)
        if answer is None:
            return
        answers.write(answer + b"\n")
        answers.flush()
