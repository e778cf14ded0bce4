"""The pytest tests, one for each trace or clause, and what each says about a failure.

This module is imported only if an adapter is given.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

import pytest

from refengine.lawbook import book
from refengine.lawbook.reading import mentions
from refengine_conformance.plugin.asked_adapter import AskedAdapter
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import (
    LOST,
    SCORED,
    WRONG_OUTCOMES,
    Case,
    Fault,
    Outcome,
)

NOT_RUN: Final = "hearts not run"
"""The name of the property that says why a test was not run."""
LIMITS: Final = ("hello", "op")
"""The limits that can be typed, as in `--hearts-limit-op`."""
NOTHING: Final = "nothing was scored"
"""The name of the test that fails if no other test scored anything."""


class Suite(pytest.Collector):
    """All tests of the suite; the id of each begins with `hearts::`."""

    def __init__(self, *, asked: AskedAdapter, **more: Any) -> None:
        super().__init__(**more)
        self.asked: Final = asked
        self.add_marker("hearts")

    def collect(self) -> Iterator[SuiteItem]:
        """One test for each trace, or for each clause that some trace is about.

        With tests by clause, the games about no clause have a test of their own.
        """
        by_clause = self.config.getoption("--hearts-by") == "clause"
        kind = ClauseItem if by_clause else TraceItem
        for name in self.asked.chosen.tests:
            clause = name if by_clause else ""
            yield kind.from_parent(self, name=name, clause=clause, asked=self.asked)


class WrongError(Exception):
    """A test of the suite has failed; `str` explains why."""


class SuiteItem(pytest.Item):
    """A test of the suite, which fails by raising WrongError."""

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """A WrongError as plain text; any other error as pytest shows it."""
        if isinstance(excinfo.value, WrongError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[str, None, str]:
        """The location of the test, which has no real file or line, and its heading."""
        return "hearts", None, f"hearts {self.name}"


class NothingItem(SuiteItem):
    """The test that fails if no other test of the suite scored anything."""

    def runtest(self) -> None:
        """Raise WrongError, which says that nothing was scored."""
        raise WrongError(
            "no game of the suite could be scored: every test was skipped, or there "
            "was none.\nThe reasons for skipping (-rs) say what is not declared; a "
            "table (--hearts-hands full --hearts-starts deal, and the like) makes the "
            "games fit the engine."
        )


class TraceItem(SuiteItem):
    """A test of all that the adapter declares, on one trace or on a clause's traces."""

    def __init__(self, *, clause: str, asked: AskedAdapter, **more: Any) -> None:
        super().__init__(**more)
        self.clause: Final = clause
        self.asked: Final = asked

    def runtest(self) -> None:
        """Put the traces to the adapter.

        Raises WrongError if an answer that counts in this test goes against the book,
        if a known failure passes, if an error of the adapter's own ended a game, or if
        the adapter was lost or cannot be restarted. Otherwise the test is skipped if
        some traces were not put to the adapter or nothing was scored, and is an
        expected failure if there are known failures that count in it.
        """
        cases, not_run = self._cases()
        if wrong := self._wrong(cases):
            raise WrongError("\n".join(wrong))
        if not_run:
            self.user_properties.append((NOT_RUN, not_run))
            pytest.skip(f"not run: {not_run}")
        if not any(case.outcome in SCORED for case in cases):
            reasons = sorted({case.note for case in cases if case.note})
            pytest.skip("; ".join(reasons) or "nothing to ask")
        if any(case.outcome is Outcome.KNOWN for case in self._against(cases)):
            pytest.xfail("a known failure")  # the file of known failures says why

    def _against(self, cases: list[Case]) -> list[Case]:
        """The cases that count in this test.

        Cases whose only faults are answers that do not count in it are left out. A lost
        conversation counts in every test, whatever was wrong before it, even if it is a
        known failure.
        """
        return [
            case
            for case in cases
            # Among cases with wrong answers, only a loss, known or not, has a note.
            if case.note or not case.faults or self._counted(case)
        ]

    def _counted(self, case: Case) -> list[Fault]:
        """The wrong answers of a case that count in this test.

        In the test of a clause, these are the answers against the clause and those for
        which no clause is named. An answer against clauses whose tests do not use this
        game counts in the first of the tests that do, so that one test reports it.
        """
        if not self.clause:
            return [*case.faults]
        asking = self.asked.tests_of(case.trace)
        is_first = asking[:1] == (self.name,)
        return [
            one
            for one in case.faults
            if not one.clauses
            or self.clause in one.clauses
            or (is_first and not {*asking} & {*one.clauses})
        ]

    def _wrong(self, cases: list[Case]) -> list[str]:
        """What is wrong with these cases, the adapter's own errors first."""
        wrong = [
            case for case in self._against(cases) if case.outcome in WRONG_OUTCOMES
        ]
        thrown = [_thrown(case) for case in cases if case.thrown is not None]
        return [*thrown, *([self._explained(wrong)] if wrong else [])]

    def _cases(self) -> tuple[list[Case], str]:
        """The cases of this test's traces, and why some traces were not tried.

        The reason is empty if all were tried. Raises WrongError if the adapter cannot
        be started again.
        """
        found: list[Case] = []
        for line in self.asked.chosen.tests[self.name]:
            try:
                cases = self.asked.cases(line)
            except CannotRunError as error:
                again = f"the adapter could not be started again: {error.explained}"
                raise WrongError("\n".join([*self._wrong(found), again])) from None
            if cases is None:
                return found, self.asked.stopped
            found += cases
        return found, ""

    def _explained(self, wrong: list[Case]) -> str:
        """What is wrong with these cases, and how to repeat the first of them.

        Only answers that count in this test are listed. The first line sums up the
        first case, since pytest's own summary shows no other line.
        """
        lines = [_in_short(wrong[0], self._counted(wrong[0]))]
        for case in wrong:
            lines.append(f"{case.outcome}: {case.id}, profile {case.profile}")
            if case.note:
                lines.append(f"  {case.note}")
            for fault in self._counted(case):
                lines += _fault_lines(fault)
        lines = [*lines[:60], *self.asked.stderr_of(wrong)]
        if wrong[0].outcome is not Outcome.KNOWN_BUT_PASSES:
            lines.append(f"the smallest game that shows it: {self._again(wrong[0])}")
        return "\n".join(lines)

    def _again(self, case: Case) -> str:
        """The command that repeats the game of a case and shrinks it.

        It includes the known failures and the limits of this run.
        """
        words = [*self.asked.chosen.source[case.trace], "--trace", case.trace]
        if known := self.config.getoption("--hearts-known"):
            words += ["--known", known]
        for name in LIMITS:
            if seconds := self.config.getoption(f"--hearts-limit-{name}"):
                words += [f"--limit-{name}", f"{seconds:g}"]
        typed = self.config.getoption("--hearts-adapter")
        adapter = typed.lstrip().removeprefix("-- ")  # the command has its own `--`
        return f"refengine conform run {shlex.join(words)} -- {adapter}"


class ClauseItem(TraceItem):
    """A test of one clause, which fails if any answer may go against that clause.

    Answers that are wrong in another way fail it, too, if no other test reports them.
    """


def _thrown(case: Case) -> str:
    """The adapter's own error that ended a game, in one line."""
    assert case.thrown is not None
    return f"{case.thrown.note}: {case.id}; no rule is at fault for it"


def _in_short(case: Case, faults: list[Fault]) -> str:
    """What is wrong with a case, in one line: a loss, or else the first wrong answer.

    `faults` are the wrong answers of the case that count.
    """
    if case.outcome is Outcome.KNOWN_BUT_PASSES:
        return f"{case.id} passes, but is listed as a known failure: remove the entry"
    if case.outcome in LOST or not faults:
        return f"{case.outcome}: {case.note}" if case.note else str(case.outcome)
    fault = faults[0]
    found = f"{fault.asked}: expected {fault.expected}, got {fault.got}"
    cited = [one for one in fault.clauses if one not in mentions(found)]
    return f"{found} [{', '.join(cited)}]" if cited else found


def _fault_lines(fault: Fault) -> Iterator[str]:
    """A wrong answer and the clauses that it goes against, line by line."""
    where = f"step {fault.step}" if fault.step else "the whole game"
    yield f"  {where}: {fault.asked}"
    yield f"    expected {fault.expected}"
    yield f"    got      {fault.got}"
    for one in fault.clauses:
        yield f"    {one} {book.title(one)}".rstrip()
