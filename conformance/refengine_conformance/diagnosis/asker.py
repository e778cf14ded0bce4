"""Asks an adapter again and again whether a game shows a given fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import attrs

from refengine.formats.trace import Trace
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, transport_of
from refengine_conformance.runner.results import (
    LOST,
    Case,
    EngineCard,
    Fault,
    Limits,
    Outcome,
    either_way,
)
from refengine_conformance.runner.run_time import ENDLESS, RunTime
from refengine_conformance.runner.runner import judge_line
from refengine_conformance.runner.selection import Selected
from refengine_conformance.runner.signatures import share_a_wrong_answer
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.transcripts import Judged, Transcript

BOTH: Final = ("step", "replay")
_CITING: Final = ("clause", "clauses")

Shows = Callable[[Trace], bool]
"""Whether the same fault shows in a trace."""


class Asker:
    """An adapter kept ready for many traces, and restarted whenever it is lost.

    Used as a context manager, it ends the adapter on exit. `losses` counts how often
    the adapter was lost, and `stderr` is the end of what the last one that was lost
    wrote to its standard error. `card` is what it says of itself, None before it is
    asked; `heard` is what it said to the last trace. Every method that asks raises
    RunOverError once the `time` is up.
    """

    def __init__(
        self,
        command: tuple[str, ...],
        limits: Limits | None = None,
        time: RunTime = ENDLESS,
    ) -> None:
        self.command: Final = command
        self.time: Final = time
        self.limits: Final = limits or Limits()
        self.losses = 0
        self.stderr = ""
        self.card: EngineCard | None = None
        self.heard: Transcript | None = None
        self._adapter: Adapter | None = None

    def __enter__(self) -> Asker:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the adapter, if one is running."""
        if self._adapter is not None:
            self._adapter.kill()
            self._adapter = None

    def can(self, capability: str) -> bool:
        """Whether the adapter declares it; raises CannotRunError without an adapter."""
        return self._ready().card.can(capability)

    def cases(
        self, trace: Trace, ways: tuple[str, ...] = ("step",)
    ) -> tuple[Case, ...]:
        """The cases of a trace; raises CannotRunError if the adapter does not start."""
        return self._kept(trace_cases(self._ready(), trace, ways))

    def cases_of_line(self, line: Selected) -> tuple[Case, ...]:
        """The cases of a line: of a trace, asked in both ways, or of a mini-deal."""
        return self._kept(judge_line(self._ready(), line, BOTH))

    def _ready(self) -> Adapter:
        if self._adapter is None:
            transport = transport_of(self.command)
            self._adapter = Adapter(transport, self.limits, self.time)
            self.card = self._adapter.card
        return self._adapter

    def _kept(self, judged: Judged) -> tuple[Case, ...]:
        """The cases; a lost adapter is forgotten."""
        self.heard = judged.heard
        if judged.gone:
            self.stderr = self._ready().stderr
            self._adapter = None
            self.losses += 1
        return judged.cases


@attrs.frozen
class Sought:
    """What a smaller game must show too.

    For a wrong answer: the question, the clause it goes against, and whether the
    verdict is wrong or only the clauses named for it. For a lost conversation: how it
    was lost, and over which question.
    """

    clause: str
    question: str
    kind: str
    outcome: Outcome = Outcome.FAIL

    @property
    def root(self) -> str:
        """The question without the field it is about."""
        return self.question.partition(".")[0]

    def found_in(self, cases: Iterable[Case]) -> Fault | None:
        """The same fault among these cases; None if it does not show."""
        for case in cases:
            if self.outcome in LOST:
                same = either_way(case.kind) == either_way(self.kind)
                if case.outcome is self.outcome and same:
                    return case.loss
            elif case.outcome is Outcome.FAIL:
                same = (case.kind in _CITING) is (self.kind in _CITING)
                for fault in case.faults if same else ():
                    if self._is(fault):
                        return fault
        return None

    def _is(self, fault: Fault) -> bool:
        named = self.clause in fault.clauses if self.clause else not fault.clauses
        return (
            named
            and fault.root == self.root
            and (fault.question == self.question or self.root != "view")
        )


def find_same_fault(asker: Asker, trace: Trace, sought: Sought) -> Fault | None:
    """The fault as a trace shows it, asked in both ways; None if it does not show."""
    return sought.found_in(asker.cases(trace, BOTH))


def same_fault_test(
    asker: Asker,
    sought: Sought,
    twin: Asker | None = None,
    table: Table | None = None,
) -> Shows:
    """Whether an adapter shows the same fault in a trace.

    Given a `twin`, an adapter whose fault is known, both have to answer alike. Given a
    `table`, an adapter is asked nothing that cannot be played at it.
    """

    def shows(trace: Trace) -> bool:
        if table is not None and not table.admits(trace.ruleset, trace.start):
            return False
        cases = asker.cases(trace, BOTH)
        if sought.found_in(cases) is None:
            return False
        return twin is None or share_a_wrong_answer(cases, twin.cases(trace))

    return shows
