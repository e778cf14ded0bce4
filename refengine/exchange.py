"""A failed exchange with an adapter in words: a case of a report, and its game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs
from msgspec import Struct, ValidationError, convert

from refengine import wire
from refengine.acts import Act
from refengine.errors import Malformed
from refengine.explain import Ruling, explain
from refengine.games import moments
from refengine.trace import Trace


class _Fault(Struct, frozen=True):
    step: int
    question: str
    asked: str
    expected: str
    got: str
    clauses: list[str] = []


class _Case(Struct, frozen=True):
    case: str
    outcome: str
    faults: list[_Fault] = []


@attrs.frozen
class Failure:
    """One wrong answer: what was asked, what the book says, what was said, and why.

    `ruling` is that on the act that was asked about, or on the last act before it was
    asked what holds then.
    """

    trace: str
    step: int
    asked: str
    expected: str
    got: str
    ruling: Ruling


def is_report(line: bytes) -> bool:
    """Whether a line is one of a report: its head, a case, what it tells, its foot."""
    plain = wire.parsed(line)
    return isinstance(plain, dict) and not _OF_REPORT.isdisjoint(plain)


_OF_REPORT: Final = {"report", "case", "finding", "inference", "end"}


def failures(line: bytes, trace_named: Callable[[str], Trace]) -> list[Failure]:
    """The wrong answers of a case of a report; none for another line or a case passed.

    `trace_named` gives the trace of an id. Raises Malformed where the line cannot be
    read, or is about a mini-deal.
    """
    plain = wire.parsed(line)
    if not isinstance(plain, dict) or "case" not in plain:
        return []
    case = _case(plain)
    if not case.faults:
        return []
    name = case.case.partition("/")[0]
    if name.startswith("m-"):
        raise Malformed(f"{name}, a mini-deal", "a case of a trace", "case")
    return list(_failures(case, trace_named(name)))


def _case(plain: dict[str, Any]) -> _Case:
    try:
        return convert(plain, _Case)
    except ValidationError as error:
        raise Malformed(str(error), "a case of a report", "case") from None


def _failures(case: _Case, trace: Trace) -> Iterator[Failure]:
    found = list(moments(trace))
    for fault in case.faults:
        if not 0 <= fault.step <= len(found) or not found:
            allowed = f"a step from 0 to {len(found)} of {case.case}"
            raise Malformed(f"step {fault.step}", allowed, "faults")
        moment = found[fault.step - 1]
        act = _asked_act(trace, fault) or moment.act
        ruling = explain(moment.state, act)
        said = fault.asked, fault.expected, fault.got
        yield Failure(case.case, fault.step, *said, ruling)


def _asked_act(trace: Trace, fault: _Fault) -> Act | None:
    """The act that a probe asked about; None where it was another question."""
    step = trace.steps[fault.step - 1]
    for probe in (*step.refuse, *step.irregular):
        if fault.asked == f"may seat {probe.act.seat} {probe.act.phrase}?":
            return probe.act
    return None
