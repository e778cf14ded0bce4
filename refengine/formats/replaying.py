"""Replaying lines to find their mistakes, one by one or in a pool of processes."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from typing import Any, Final

import attrs
import msgspec

from refengine.errors import Malformed
from refengine.formats import minideals, parsing, shapes, wire
from refengine.formats.logs import agreed_log, read_log, replay_log
from refengine.formats.openings import (
    may_hold_opening,
    read_opening,
    replay_opening,
)
from refengine.formats.trace import Finding, agreed_trace, read_trace, replay_all

Numbered = tuple[str, bytes | Malformed]
"""The place of a line, and the line itself or, if it cannot be read, the error."""

_LOG: Final = b'{"log":'
_KINDS: Final = (("log", _LOG), ("trace", b'{"trace":'), ("mini", b'{"mini":'))


class _Keys(msgspec.Struct):
    """The keys by which the kind of a line is recognised; other keys are skipped."""

    log: Any = msgspec.UNSET
    trace: Any = msgspec.UNSET
    mini: Any = msgspec.UNSET


_KEYS: Final = msgspec.json.Decoder(_Keys)
_LINES: Final = 500  # the most lines in a batch
_BYTES: Final = 1_000_000  # the most bytes in a batch before its last line
CLUSTER: Final = 64  # the number of processes to expect in a cluster


@attrs.frozen(kw_only=True)
class LineJudgement:
    """What replaying a line found: the line's kind and id, and what is wrong with it.

    A log has no id: its `id` is `log`. `changed` holds the expectations decided by a
    clause that has changed since the line's edition: they count as neither right nor
    wrong.
    """

    kind: str
    id: str
    findings: Sequence[Finding]
    changed: Sequence[Finding] = ()

    @property
    def outcome(self) -> str:
        """`fail` if anything is wrong, and otherwise `changed` or `pass`.

        It is `changed` if an expectation is decided by a clause that has changed.
        """
        if self.findings:
            return "fail"
        return "changed" if self.changed else "pass"


_AGREED_LOG: Final = LineJudgement(kind="log", id="log", findings=())


def _begun_as(line: bytes) -> str:
    """The kind of a line that begins as in the engine's own files; otherwise empty."""
    for kind, beginning in _KINDS:
        if line.startswith(beginning):
            return kind
    return ""


def kind_of(line: bytes) -> str:
    """The kind of a line: `trace`, `log` or `mini`.

    Raises Malformed if it is none of them.
    """
    if begun := _begun_as(line):
        return begun
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        keys = _KEYS.decode(line)
        for kind, _ in _KINDS:
            if getattr(keys, kind) is not msgspec.UNSET:
                return kind
    plain = parsing.parse_line(line)  # raises Malformed if it cannot be read
    if isinstance(plain, dict):
        for kind, _ in _KINDS:
            if kind in plain:
                return kind
    allowed = (
        'a line with the key "trace", "log" or "mini"; for a file of another program '
        "see `refengine convert --map`"
    )
    raise Malformed(_instead(plain), allowed)


def _instead(plain: object) -> str:
    """Describe, for an error message, the value of a line that holds no game."""
    if not isinstance(plain, dict):
        return "no object"
    keys = " and ".join(f'"{key}"' for key in [*plain][:2])
    more = " and others" if len(plain) > 2 else ""
    return f"an object with {keys}{more}" if plain else "an object without keys"


def judge_line(line: bytes) -> LineJudgement:
    """Replay a line, and return what was found.

    The fast reader checks the line as it is, or as the engine's writer would have
    written it; only if that fails does the slower reader replay the line, to explain
    what is wrong. Raises Malformed if the line cannot be read, or if its game cannot
    begin or be counted.
    """
    if line.startswith(_LOG) and agreed_log(line):
        return _AGREED_LOG
    kind = _begun_as(line)
    if kind in ("", "log") and _is_agreed_log_of_others(line):
        return _AGREED_LOG
    kind = kind or kind_of(line)
    if kind == "trace":
        return _judge_trace(line)
    if kind == "log":
        findings, _ = replay_log(read_log(line))
        return LineJudgement(kind=kind, id="log", findings=findings)
    mini = minideals.read_mini(line)
    return LineJudgement(kind=kind, id=mini.id, findings=minideals.check_mini(mini))


def _judge_trace(line: bytes) -> LineJudgement:
    agreed = agreed_trace(line) or agreed_trace(
        wire.in_our_layout(line, shapes.TraceObject)
    )
    if agreed:
        return LineJudgement(kind="trace", id=agreed, findings=())
    opening = read_opening(line) if may_hold_opening(line) else None
    if opening is not None:
        found = replay_opening(opening)
        return LineJudgement(kind="trace", id=opening.id, findings=found)
    trace = read_trace(line)
    found = replay_all(trace)
    return LineJudgement(
        kind="trace",
        id=trace.id,
        findings=[one for one in found if not one.changed],
        changed=[one for one in found if one.changed],
    )


def _is_agreed_log_of_others(line: bytes) -> bool:
    """Whether a line is a log, in any layout, that a fast check finds to be all true.

    If the result is False, the line may still be a log without a mistake.
    """
    if line.find(b'"log"') < 0:
        return False
    try:
        return agreed_log(wire.in_our_layout(line, shapes.LogObject))
    except Malformed:
        return False


def _fields(place: str, judgement: LineJudgement) -> dict[str, Any]:
    """A judgement as the object that is printed for a line."""
    changed = [_finding_fields(one) for one in judgement.changed]
    return {
        "line": place,
        "kind": judgement.kind,
        "id": judgement.id,
        "outcome": judgement.outcome,
        "findings": [_finding_fields(one) for one in judgement.findings],
        **({"changed": changed} if changed else {}),
    }


def _finding_fields(finding: Finding) -> dict[str, Any]:
    found = attrs.asdict(finding)
    if not finding.changed:
        del found["changed"]
    return found


# Many lines


@attrs.frozen(kw_only=True)
class Replayed:
    """The outcome of replaying some lines: counts of lines, and the text to print.

    `changed` counts the lines in which nothing is wrong, but in which some expectation
    depends on a clause that has changed since the edition of the line. `said` holds the
    lines that report what was found, and `complaints` an error, without a line ending,
    for each line that cannot be read.
    """

    passed: int
    failed: int
    changed: int
    unreadable: int
    said: tuple[str, ...]
    complaints: tuple[str, ...]


def replay_batch(lines: Iterable[Numbered], as_json: bool) -> Replayed:
    """The outcome of replaying these lines, reported in words or, if asked, as JSON."""
    said: list[str] = []
    complaints: list[str] = []
    outcomes = Counter[str]()
    for place, line in lines:
        try:
            if isinstance(line, Malformed):
                raise line
            judgement = judge_line(line)
        except Malformed as error:
            complaints.append(f"{place}: {error}")
            continue
        outcomes[judgement.outcome] += 1
        if as_json:
            said.append(json.dumps(_fields(place, judgement)) + "\n")
            continue
        told = [*judgement.findings, *judgement.changed]
        said += [f"{place}: {judgement.id}: {one}\n" for one in told]
    return Replayed(
        passed=outcomes["pass"],
        failed=outcomes["fail"],
        changed=outcomes["changed"],
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
    """The outcomes of replaying these lines, in the order of the lines.

    If there is no pool, the lines are replayed one by one. If there is one, they are
    sent to it in batches, only as many at a time as keep its `jobs` processes busy, so
    that the lines are never all in memory. Raises LostWorkerError if workers end too
    early, and OtherSourceError if one has a different version of the source.
    """
    if pool is None:
        for numbered in lines:
            yield replay_batch([numbered], as_json)
        return
    from refengine.jobs import executors  # late: the system may lack its signals

    work: Callable[[list[Numbered]], Replayed]
    work = executors.checked(partial(replay_batch, as_json=as_json))
    waiting: deque[Future[Replayed]] = deque()
    try:
        for batch in in_batches(lines):
            waiting.append(executors.submitted(pool, work, batch))
            if len(waiting) > 2 * jobs:
                yield executors.result_of(waiting.popleft())
        while waiting:
            yield executors.result_of(waiting.popleft())
    finally:
        executors.cancel(pool, waiting)
