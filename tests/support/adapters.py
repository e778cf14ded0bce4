"""Adapters for tests, which can talk to them line by line or run whole games."""

import json
import subprocess
import sys
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from typing import Any, Self

import msgspec

from refengine import Ruleset, State
from refengine.formats.fields import ruleset_fields
from refengine.formats.minideals import Mini
from refengine.formats.openings import RefusedOpening
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, trace_id, write_trace
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, BrokenError, Builtin
from refengine_conformance.runner.mini_cases import mini_cases
from refengine_conformance.runner.opening_cases import opening_cases
from refengine_conformance.runner.results import Case, Limits, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Selected, Selection
from refengine_conformance.selftest import planted_faults
from refengine_conformance.selftest.bad_adapters import Habit, good

Json = dict[str, Any]
Spoil = Callable[[Json, Json], Json | None]
"""It changes the answer to a request in place, or returns another answer."""


def spoiling(spoil: Spoil) -> Habit:
    """A habit that applies this fault to every answer."""

    def habit(session: Session, request: Json, answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        other = spoil(request, plain)
        return msgspec.json.encode(plain if other is None else other)

    return habit


def answering(op: str, **said: Any) -> Spoil:
    """A fault: every request for this op gets this answer."""
    return lambda request, answer: (
        {"seq": answer["seq"], **said} if request["op"] == op else None
    )


def names_one(request: Json, answer: Json) -> None:
    """A fault: a refusal names only the first of its clauses."""
    if "refused" in answer:
        answer["refused"]["clauses"] = answer["refused"]["clauses"][:1]


def names_none(request: Json, answer: Json) -> None:
    """A fault: a refusal names no clauses."""
    if "refused" in answer:
        answer["refused"] = {}


def names_also(clause: str) -> Spoil:
    """A fault: every refusal names this clause in addition to its own."""

    def spoil(request: Json, answer: Json) -> None:
        if "refused" in answer:
            answer["refused"]["clauses"].append(clause)

    return spoil


class Planted:
    """Our engine as an adapter with a habit, which also records its requests.

    It can change a request before handling it, leave capabilities undeclared, and give
    other values in its answer to `hello`, where None leaves a key out.
    """

    def __init__(
        self,
        habit: Habit = good,
        without: Container[str] = (),
        mishear: Callable[[Json], object] = lambda request: None,
        **hello: Any,
    ) -> None:
        self.session = Session()
        self.habit = habit
        self.without = without
        self.mishear = mishear
        self.hello = hello
        self.requests: list[Json] = []

    def handle(self, line: bytes) -> bytes | None:
        request = msgspec.json.decode(line)
        self.mishear(request)
        self.requests.append(request)
        answer = self.session.handle(msgspec.json.encode(request))
        if answer is not None and request["op"] == "hello":
            answer = self._introduced(msgspec.json.decode(answer))
        return answer and self.habit(self.session, request, answer)

    def _introduced(self, answer: Json) -> bytes:
        said = answer["ok"] | self.hello
        declared = [one for one in said["capabilities"] if one not in self.without]
        said["capabilities"] = declared
        told = {key: one for key, one in said.items() if one is not None}
        return msgspec.json.encode({**answer, "ok": told})

    @property
    def ops(self) -> list[str]:
        """The ops of all requests so far except `hello`."""
        return [one["op"] for one in self.requests if one["op"] != "hello"]

    def adapter(self) -> Adapter:
        return Adapter(Builtin(self.handle), Limits())

    def cases(self, line: Trace | Mini | RefusedOpening, *ways: str) -> dict[str, Case]:
        """The cases of a line by kind; a trace is asked step by step by default."""
        adapter = self.adapter()
        if isinstance(line, Trace):
            judged = trace_cases(adapter, line, ways or ("step",))
        elif isinstance(line, Mini):
            judged = mini_cases(adapter, line)
        else:
            judged = opening_cases(adapter, line)
        assert not judged.gone
        return {case.kind: case for case in judged.cases}


def outcomes(cases: dict[str, Case]) -> dict[str, str]:
    return {kind: str(case.outcome) for kind, case in cases.items()}


class Crashing(Builtin):
    """Our engine as an adapter that crashes when a message contains this word.

    The word may be in a request or in its answer.
    """

    def __init__(self, word: bytes) -> None:
        super().__init__(Session().handle)
        self.word = word

    def exchange(self, line: bytes, limit: float) -> bytes:
        answer = super().exchange(line, limit)
        if self.word in line + answer:
            raise BrokenError(Outcome.CRASH, "illegal move")
        return answer


class Talk:
    """A conversation with an adapter process, which must end well with the `with`."""

    def __init__(self, command: Iterable[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [*command], stdin=pipe, stdout=pipe, stderr=pipe
        )
        self.seq = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        if self.process.poll() is None:
            assert self.end()[0] == 0

    def say(self, line: bytes) -> Json:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        answer: Json = json.loads(self.process.stdout.readline())
        return answer

    def ask(self, op: str, **fields: object) -> Json:
        self.seq += 1
        answer = self.say(json.dumps({"seq": self.seq, "op": op, **fields}).encode())
        assert answer.pop("seq") == self.seq
        assert len(answer) == 1
        return answer

    def open(
        self, ruleset: Ruleset, options: Json | None = None, **start: Json
    ) -> Json:
        """Open a `setup` or a `match`, with options that the book may not know."""
        fields = ruleset_fields(ruleset, every=True)
        fields["options"] |= options or {}
        return self.ask("open", ruleset=fields, **start)

    def passes(self, seat: int, cards: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"pass": cards})

    def plays(self, seat: int, card: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"play": card})

    def end(self) -> tuple[int, str]:
        """Send `bye`; return the exit code and what went to standard error."""
        out, err = self.process.communicate(b'{"seq":0,"op":"bye"}\n', 10)
        assert out == b""
        return self.process.returncode, err.decode()


def asked(games: Iterable[Trace], command: Iterable[str]) -> Run:
    """A run of these games, asked in every way that the adapter declares."""
    lines = [Selected(trace_id(game), write_trace(game)) for game in games]
    return run(Selection(tuple(lines)), Settings(command=tuple(command)))


_CAPABLE = """
import json, sys
from refengine.formats.serve import Session
session = Session()
for line in sys.stdin.buffer:
    answer = session.handle(line)
    if answer is None:
        break
    if json.loads(line)["op"] == "hello":
        said = json.loads(answer)
        said["ok"]["capabilities"] = sys.argv[1:]
        answer = json.dumps(said).encode()
    sys.stdout.buffer.write(answer.rstrip() + b"\\n")
    sys.stdout.flush()
"""


def capable_engine(folder: Path, capabilities: Iterable[str]) -> tuple[str, ...]:
    """The command of our engine as an adapter that declares only these capabilities."""
    program = folder / "capable.py"
    program.write_text(_CAPABLE, "utf-8")
    return (sys.executable, str(program), *capabilities)


def faulty_engine(fault: str, folder: Path) -> tuple[str, ...]:
    """The command of a copy of the example engine, made in a folder, with one fault."""
    example = planted_faults.engine_with_name("hearts_engine")
    planted = planted_faults.fault_with_id(example, fault)
    return planted_faults.write_engine(example, folder, planted)


def directed(state: State, direct: Callable[[State], Move | None]) -> Trace:
    """The trace of a game from this state on, whose moves `direct` chooses.

    The game ends when `direct` returns None.
    """
    moves, begun = list[Move](), state
    while move := direct(state):
        moves.append(move)
        state = state.apply(move.act)
    return recorded(Script(begun.ruleset, begun.start, tuple(moves)))
