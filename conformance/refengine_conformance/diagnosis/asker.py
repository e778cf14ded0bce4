"""Plays many games with one adapter, to see in which of them a given fault occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import attrs

from refengine.formats.trace import Trace
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, transport_of
from refengine_conformance.runner.fault_dictionary import share_a_wrong_answer
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
from refengine_conformance.runner.table import Table
from refengine_conformance.runner.transcripts import Judged, Transcript

BOTH: Final = ("step", "replay")
_CITING: Final = ("clause", "clauses")

Shows = Callable[[Trace], bool]
"""A test of whether the same fault shows in a trace."""


class Asker:
    """An adapter that is kept running for many traces, and started again if it is lost.

    Used as a context manager, it ends the adapter on exit. `losses` counts how often
    the adapter was lost, and `stderr` is the end of what it had written to its standard
    error when that last happened. `card` is what the adapter says about itself, or None
    until it has started. `heard` holds its answers to the last line, or None if that
    line was not a trace or could not be put to it, and `last_cases` the cases of that
    line. Every method that puts something to the adapter raises RunOverError once the
    `time` is up.
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
        self.last_cases: tuple[Case, ...] = ()
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
        """Whether the adapter declares this capability.

        Raises CannotRunError if the adapter cannot be started.
        """
        return self._ready().card.can(capability)

    def cases(
        self, trace: Trace, ways: tuple[str, ...] = ("step",)
    ) -> tuple[Case, ...]:
        """Put a trace to the adapter, judge its answers, and return the cases.

        It is put in each of these `ways`: `step`, act by act, and `replay`, as a whole.
        Raises CannotRunError if the adapter cannot be started.
        """
        return self._kept_cases(trace_cases(self._ready(), trace, ways))

    def cases_of_line(self, line: Selected) -> tuple[Case, ...]:
        """Put a line of any kind to the adapter, and return the cases.

        A trace is put to it in both ways: act by act, and as a whole. Raises
        CannotRunError if the adapter cannot be started.
        """
        return self._kept_cases(judge_line(self._ready(), line, BOTH))

    def _ready(self) -> Adapter:
        """The running adapter; it is started first if necessary."""
        if self._adapter is None:
            transport = transport_of(self.command)
            self._adapter = Adapter(transport, self.limits, self.time)
            self.card = self._adapter.card
        return self._adapter

    def _kept_cases(self, judged: Judged) -> tuple[Case, ...]:
        """Keep the answers and the cases, take note of a loss, and return the cases."""
        self.heard, self.last_cases = judged.heard, judged.cases
        if judged.gone:
            self.stderr = self._ready().stderr
            self._adapter = None
            self.losses += 1
        return judged.cases


@attrs.frozen
class Sought:
    """The fault that a smaller game must show, too, to count as an example of it.

    A wrong answer is described by the `clause` that it violates, the `question`, and
    the `kind` of case, which says whether the answer itself is wrong or only the
    clauses that it names. A lost conversation is described by its `outcome` and by the
    `kind` of case in which it was lost.
    """

    clause: str
    question: str
    kind: str
    outcome: Outcome = Outcome.FAIL

    @property
    def root(self) -> str:
        """The question up to its first dot: `view` for `view.hand`, for instance."""
        return self.question.partition(".")[0]

    def found_in(self, cases: Iterable[Case]) -> Fault | None:
        """The first fault in these cases that matches the one sought, or None."""
        for case in cases:
            if case.outcome is not self.outcome:
                continue
            if self.outcome in LOST:
                if either_way(case.kind) == either_way(self.kind):
                    return case.loss
            elif (case.kind in _CITING) is (self.kind in _CITING):
                for fault in case.faults:
                    if self._matches(fault):
                        return fault
        return None

    def _matches(self, fault: Fault) -> bool:
        """Whether a fault violates the clause sought and concerns the question sought.

        If no clause is sought, the fault must name none. What follows the dot in a
        question is compared only for a view.
        """
        same_clause = self.clause in fault.clauses if self.clause else not fault.clauses
        if self.root == "view":
            return same_clause and fault.question == self.question
        return same_clause and fault.root == self.root


def find_same_fault(asker: Asker, trace: Trace, sought: Sought) -> Fault | None:
    """Put a trace to an adapter, and return the fault sought if it shows; else None.

    The trace is put both act by act and as a whole; either may show the fault.
    """
    return sought.found_in(asker.cases(trace, BOTH))


def same_fault_test(
    asker: Asker,
    sought: Sought,
    twin: Asker | None = None,
    table: Table | None = None,
) -> Shows:
    """A function that tells whether the adapter shows the fault sought in a trace.

    If there is a `twin`, an adapter whose fault is known, both must also give the same
    wrong answer to some question. If there is a `table`, a trace that cannot be played
    at that table is not put to the adapter, and the function returns False.
    """

    def shows(trace: Trace) -> bool:
        if table is not None and not table.admits(trace.ruleset, trace.start):
            return False
        cases = asker.cases(trace, BOTH)
        if sought.found_in(cases) is None:
            return False
        return twin is None or share_a_wrong_answer(cases, twin.cases(trace))

    return shows
