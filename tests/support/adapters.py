"""Adapters put to the test: spoken to line by line, or asked whole games."""

import json
import subprocess
from collections.abc import Callable, Iterable
from typing import Any, Self

from refengine import Ruleset, State
from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import Trace, trace_id, write_trace
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.runner.results import Run
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import Selected, Selection

Json = dict[str, Any]


class Talk:
    """A conversation with an adapter, which ends well with the `with` it is in."""

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
        """Open a `setup` or a `match`; these options may be none of the book."""
        fields = ruleset_fields(ruleset, every=True)
        fields["options"] |= options or {}
        return self.ask("open", ruleset=fields, **start)

    def passes(self, seat: int, cards: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"pass": cards})

    def plays(self, seat: int, card: str, op: str = "step") -> Json:
        return self.ask(op, seat=seat, act={"play": card})

    def end(self) -> tuple[int, str]:
        """Say goodbye; the exit code, and what went to standard error."""
        out, err = self.process.communicate(b'{"seq":0,"op":"bye"}\n', 10)
        assert out == b""
        return self.process.returncode, err.decode()


def asked(games: Iterable[Trace], command: Iterable[str]) -> Run:
    """What a run says of these games, each asked in every way the adapter has."""
    lines = [Selected(trace_id(game), write_trace(game)) for game in games]
    return run(Selection(tuple(lines)), Settings(command=tuple(command)))


def directed(state: State, direct: Callable[[State], Move | None]) -> Trace:
    """The game from here on, directed move by move until there is none."""
    moves, begun = list[Move](), state
    while move := direct(state):
        moves.append(move)
        state = state.apply(move.act)
    return recorded(Script(begun.ruleset, begun.start, tuple(moves)))
