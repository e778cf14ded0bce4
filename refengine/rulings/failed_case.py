"""The wrong answers in a failed case of a report, with rulings on the acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import attrs
from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import decode

from refengine.errors import Malformed, harmless
from refengine.formats.trace import Trace
from refengine.game.acts import Act
from refengine.rulings.explain import Ruling, explain
from refengine.rulings.submitted_game import moments_of_game

_OPEN: Final = "open"


class _Fault(Struct, frozen=True):
    step: int
    question: str
    asked: str
    expected: str
    got: str


class _Case(Struct, frozen=True):
    """Those fields of a line in a report that are read in this module.

    Of these, the first line of a report has only `report`.
    """

    report: int = 0
    case: str = ""
    faults: list[_Fault] = []


@attrs.frozen
class Failure:
    """A wrong answer: the question, the right answer, the answer given, and a ruling.

    `ruling` is on the act that the question was about, or on the act after which the
    question was asked. It is None if there is no such act: if the question was how many
    games a mini-deal has, whether a game may begin, or what holds in a game without
    acts. All text to be shown is made safe to print, since anybody may have written the
    report.
    """

    trace: str = attrs.field(converter=harmless)
    step: int
    asked: str = attrs.field(converter=harmless)
    expected: str = attrs.field(converter=harmless)
    got: str = attrs.field(converter=harmless)
    ruling: Ruling | None
    question: str = ""

    @property
    def where(self) -> str:
        """The moment of the game that was asked about, in words such as `step 3`."""
        if self.step:
            return f"step {self.step}"
        return "the beginning" if self.question == _OPEN else "the end"


def is_report(line: bytes) -> bool:
    """Whether a line belongs to a report: its first line, or the line of a case."""
    try:
        found = _read(line)
    except Malformed:
        return False
    return found is not None and bool(found.report or found.case)


def wrong_answers(
    line: bytes, trace_named: Callable[[str], Trace | None]
) -> list[Failure]:
    """The wrong answers in one case of a report; empty for any other line.

    `trace_named` returns the trace with a given id, or None if the game cannot begin.
    Raises Malformed if the line is not JSON, or if a fault names a step that the trace
    does not have.
    """
    case = _read(line)
    if case is None or not case.faults:
        return []
    name = case.case.partition("/")[0]
    trace = None if name.startswith("m-") else trace_named(name)
    if trace is None:
        return [_failure(case, fault, None) for fault in case.faults]
    return list(_failures(case, trace))


def _read(line: bytes) -> _Case | None:
    """The fields of a line of a report; None for JSON that does not fit `_Case`.

    Raises Malformed if the line is not JSON, as happens if a report is cut short.
    """
    try:
        return decode(line, type=_Case)
    except ValidationError:
        return None
    except (DecodeError, RecursionError, UnicodeDecodeError):
        found = line[:40].decode("utf-8", "replace")
        raise Malformed(f"no JSON: {found!r}", "a line of a report", "report") from None


def _failures(case: _Case, trace: Trace) -> Iterator[Failure]:
    found = list(moments_of_game(trace))
    for fault in case.faults:
        if not 0 <= fault.step <= len(found):
            allowed = f"a step from 0 to {len(found)} of {case.case}"
            raise Malformed(f"step {fault.step}", allowed, "faults")
        if fault.question == _OPEN or not found:
            yield _failure(case, fault, None)
            continue
        moment = found[fault.step - 1]
        act = _asked_act(trace, fault) or moment.act
        ruling = explain(moment.state, act)
        yield _failure(case, fault, ruling)


def _failure(case: _Case, fault: _Fault, ruling: Ruling | None) -> Failure:
    said = fault.asked, fault.expected, fault.got
    return Failure(case.case, fault.step, *said, ruling, fault.question)


def _asked_act(trace: Trace, fault: _Fault) -> Act | None:
    """The act that a probe asked about; None if the question was a different one.

    No probe is asked at the end of a game, which is step 0.
    """
    if not fault.step:
        return None
    step = trace.steps[fault.step - 1]
    for probe in (*step.refuse, *step.irregular):
        if fault.asked == f"may seat {probe.act.seat} {probe.act.phrase}?":
            return probe.act
    return None
