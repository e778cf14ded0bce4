"""Replaying lines to find what is wrong with each, singly or in batches in a pool."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from typing import Any, Final

import attrs

from refengine.errors import Malformed
from refengine.formats import minideals, parsing, shapes, wire
from refengine.formats.trace import (
    Finding,
    agreed_log,
    agreed_trace,
    read_log,
    read_trace,
    replay,
    replay_log,
)

Numbered = tuple[str, bytes | Malformed]
"""A line with its place; in place of a line that cannot be read what is wrong."""

_KINDS: Final = (("log", b'{"log":'), ("trace", b'{"trace":'), ("mini", b'{"mini":'))
_LINES: Final = 500  # the most in a batch
_BYTES: Final = 1_000_000  # in a batch, before its last line
CLUSTER: Final = 64  # processes that a cluster may have


@attrs.frozen(kw_only=True)
class LineJudgement:
    """What replaying a line found: its kind and id, and what is wrong with it."""

    kind: str
    id: str
    findings: Sequence[Finding]


_AGREED_LOG: Final = LineJudgement(kind="log", id="log", findings=())


def kind_of(line: bytes) -> str:
    """What a line is: `trace`, `log` or `mini`.

    Raises Malformed if it is none of them.
    """
    for kind, beginning in _KINDS:
        if line.startswith(beginning):
            return kind
    plain = parsing.parse_line(line)
    if isinstance(plain, dict):
        for kind, _ in _KINDS:
            if kind in plain:
                return kind
    found = "no such key" if isinstance(plain, dict) else "no object"
    raise Malformed(found, 'a line with the key "trace", "log" or "mini"')


def judge_line(line: bytes) -> LineJudgement:
    """What replaying a line finds.

    The fast reader checks the line as it is, or as our writer would have written it;
    only if something in it is not so does the reader that explains replay it.
    Raises Malformed if it cannot be read.
    """
    kind = kind_of(line)
    if kind == "trace":
        agreed = agreed_trace(line) or agreed_trace(
            wire.in_our_layout(line, shapes.TraceObject)
        )
        if agreed:
            return LineJudgement(kind=kind, id=agreed, findings=())
        trace = read_trace(line)
        return LineJudgement(kind=kind, id=trace.id, findings=replay(trace))
    if kind == "log":
        if agreed_log(line) or agreed_log(wire.in_our_layout(line, shapes.LogObject)):
            return _AGREED_LOG
        findings, _ = replay_log(read_log(line))
        return LineJudgement(kind=kind, id="log", findings=findings)
    mini = minideals.read_mini(line)
    return LineJudgement(kind=kind, id=mini.id, findings=minideals.check_mini(mini))


def _fields(place: str, judgement: LineJudgement) -> dict[str, Any]:
    return {
        "line": place,
        "kind": judgement.kind,
        "id": judgement.id,
        "outcome": "fail" if judgement.findings else "pass",
        "findings": [attrs.asdict(finding) for finding in judgement.findings],
    }


# Many lines


@attrs.frozen(kw_only=True)
class Replayed:
    """The outcome of replaying some lines: counts, and what is to be printed."""

    passed: int
    failed: int
    unreadable: int
    said: tuple[str, ...]
    complaints: tuple[str, ...]


def replay_batch(lines: Iterable[Numbered], as_json: bool) -> Replayed:
    """The outcome of replaying these lines."""
    said: list[str] = []
    complaints: list[str] = []
    passed = failed = 0
    for place, line in lines:
        try:
            if isinstance(line, Malformed):
                raise line
            judgement = judge_line(line)
        except Malformed as error:
            complaints.append(f"{place}: {error}\n")
            continue
        failed += bool(judgement.findings)
        passed += not judgement.findings
        if as_json:
            said.append(json.dumps(_fields(place, judgement)) + "\n")
            continue
        said += [f"{place}: {judgement.id}: {one}\n" for one in judgement.findings]
    return Replayed(
        passed=passed,
        failed=failed,
        unreadable=len(complaints),
        said=tuple(said),
        complaints=tuple(complaints),
    )


def in_batches(lines: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """The lines in batches large enough to be worth sending to another process."""
    batch: list[Numbered] = []
    size = 0
    for numbered in lines:
        batch.append(numbered)
        size += len(numbered[1]) if isinstance(numbered[1], bytes) else 0
        if len(batch) >= _LINES or size >= _BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def replay_lines(
    lines: Iterable[Numbered], as_json: bool, pool: Executor | None, jobs: int
) -> Iterator[Replayed]:
    """The outcomes of replaying these lines, in their order.

    Without a pool they are replayed one by one. With a pool they go in batches, no more
    at once than keep its processes busy, so that never all lines are in memory.
    """
    if pool is None:
        for numbered in lines:
            yield replay_batch([numbered], as_json)
        return
    waiting: deque[Future[Replayed]] = deque()
    for batch in in_batches(lines):
        waiting.append(pool.submit(replay_batch, batch, as_json))
        if len(waiting) > 2 * jobs:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()
