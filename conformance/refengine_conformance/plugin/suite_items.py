"""The pytest tests of the suite, and the messages with which they fail.

There is one test for each trace or for each clause. This module is imported only if an
adapter is given.
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
        """Yield one test for each trace or, with `--hearts-by clause`, for each clause.

        If the tests are by clause, there is none for a clause that no game concerns,
        and all games that concern no clause share one test.
        """
        by_clause = self.config.getoption("--hearts-by") == "clause"
        kind = ClauseItem if by_clause else TraceItem
        for name in self.asked.chosen.tests:
            clause = name if by_clause else ""
            yield kind.from_parent(self, name=name, clause=clause, asked=self.asked)


class WrongError(Exception):
    """Raised when a test of the suite fails; its text explains why."""


class SuiteItem(pytest.Item):
    """A test of the suite, which fails by raising WrongError."""

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """Show a WrongError as plain text, and any other error as pytest shows it."""
        if isinstance(excinfo.value, WrongError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[str, None, str]:
        """The path, line and title that pytest reports; the test has no real file."""
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
    """A test that plays one trace, or all traces of a clause, with the adapter."""

    def __init__(self, *, clause: str, asked: AskedAdapter, **more: Any) -> None:
        super().__init__(**more)
        self.clause: Final = clause
        self.asked: Final = asked

    def runtest(self) -> None:
        """Put the traces to the adapter.

        Raises WrongError if an answer that counts in this test goes against the book,
        if a known failure now passes, if the adapter reported an error of its own that
        ended a game, or if the adapter was lost or cannot be restarted. Otherwise the
        test is skipped if some traces were not put to the adapter or if nothing was
        scored, and counts as an expected failure if a known failure counts in it.
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

        A case is left out if it has wrong answers but none of them counts in this test.
        If the adapter was lost, the case counts in every test that plays it, even if
        it has such answers or is a known failure.
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
        """Explain what is wrong with these cases, and how to repeat the first of them.

        Of the wrong answers, only those that count in this test are listed. The first
        line sums up the first case, since pytest's own summary shows no other line.
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
        """The command that repeats the game of a case and shortens it to a minimum.

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
    """A test of one clause, which fails if a wrong answer may be due to that clause.

    It also fails if no clause is known for a wrong answer. One that goes only against
    clauses whose tests do not use the game fails the first test that does.
    """


def _thrown(case: Case) -> str:
    """One line about the error of the adapter's own that ended a game."""
    assert case.thrown is not None
    return f"{case.thrown.note}: {case.id}; no rule is at fault for it"


def _in_short(case: Case, faults: list[Fault]) -> str:
    """Say in one line what is wrong with a case.

    If the adapter was lost, the line says so; otherwise it quotes the first of
    `faults`, which are the wrong answers of the case that count. If a known failure
    passes, the line says that its entry has to be removed.
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
    """Yield the lines that show a wrong answer and the clauses it goes against."""
    where = f"step {fault.step}" if fault.step else "the whole game"
    yield f"  {where}: {fault.asked}"
    yield f"    expected {fault.expected}"
    yield f"    got      {fault.got}"
    for one in fault.clauses:
        yield f"    {one} {book.title(one)}".rstrip()
