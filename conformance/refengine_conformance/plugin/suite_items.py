"""The tests of pytest, one for each trace or clause, and what each says of a failure.

It is imported only where an adapter is given.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

import pytest

from refengine.lawbook import book
from refengine_conformance.plugin.asked_adapter import AskedAdapter, NotRunError
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import (
    LOST,
    SCORED,
    WRONG_OUTCOMES,
    Case,
    Outcome,
)
from refengine_conformance.runner.selection import Selected

NOT_RUN: Final = "hearts not run"
"""The property of a test that was not run because the adapter was lost."""
LIMITS: Final = ("hello", "op")
"""The limits that can be typed, as in `--hearts-limit-op`."""


class Suite(pytest.Collector):
    """All tests of the suite, or those `wanted`, with `hearts` in their ids."""

    def __init__(
        self, *, asked: AskedAdapter, wanted: frozenset[str], **more: Any
    ) -> None:
        super().__init__(**more)
        self.asked: Final = asked
        self.wanted: Final = wanted

    def collect(self) -> Iterator[LinesItem]:
        """One test for each trace, or for each clause that some trace is about."""
        for item in self._all():
            if not self.wanted or item.name in self.wanted:
                item.add_marker("hearts")
                yield item

    def _all(self) -> Iterator[LinesItem]:
        found = self.asked.chosen
        if self.config.getoption("--hearts-by") == "trace":
            for line in found.lines:
                yield TraceItem.from_parent(
                    self, name=line.id, lines=[line], asked=self.asked
                )
            return
        for clause, some in found.clauses.items():
            yield ClauseItem.from_parent(
                self, name=clause, lines=some, asked=self.asked
            )


class LinesItem(pytest.Item):
    """A test that asks some traces."""

    def __init__(
        self,
        *,
        lines: list[Selected],
        asked: AskedAdapter,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.lines = lines
        self.asked = asked

    def again(self, case: Case) -> str:
        """The command that asks for the game of a case again, and makes it smaller."""
        words = [*self.asked.chosen.source[case.trace], "--trace", case.trace]
        if known := self.config.getoption("--hearts-known"):
            words += ["--known", known]
        for name in LIMITS:
            if seconds := self.config.getoption(f"--hearts-limit-{name}"):
                words += [f"--limit-{name}", f"{seconds:g}"]
        adapter = self.config.getoption("--hearts-adapter")
        return f"refengine conform run {shlex.join(words)} -- {adapter}"

    def cases(self) -> tuple[list[Case], str]:
        """What the adapter said to the traces of this test, and why not to all.

        Raises WrongError if the adapter, once lost, does not start again.
        """
        found: list[Case] = []
        try:
            for line in self.lines:
                found += self.asked.cases(line)
        except NotRunError as error:
            return found, str(error)
        except CannotRunError as error:
            again = f"the adapter could not be started again: {error.explained}"
            lost = [case for case in found if case.outcome in LOST]
            raise WrongError(
                "\n".join([self.explained(lost), again] if lost else [again])
            ) from None
        return found, ""

    def wrong(self) -> list[Case]:
        """The wrong cases; skips the test if nothing could be asked.

        It is skipped too if nothing is wrong, and not all could be asked. Where what is
        wrong is known, the test is expected to fail. Raises WrongError if a game ended
        at an error of the adapter's own.
        """
        cases, not_run = self.cases()
        wrong = [case for case in cases if case.outcome in WRONG_OUTCOMES]
        if told := [_thrown(case) for case in cases if case.thrown is not None]:
            told += [self.explained(wrong)] if wrong else []
            raise WrongError("\n".join(told))
        if not_run and not wrong:
            self.user_properties.append((NOT_RUN, not_run))
            pytest.skip(f"not run: {not_run}")
        if not any(case.outcome in SCORED for case in cases):
            reasons = sorted({case.note for case in cases if case.note})
            pytest.skip("; ".join(reasons) or "nothing to ask")
        if not wrong and any(case.outcome is Outcome.KNOWN for case in cases):
            pytest.xfail("a known failure")  # the file of known failures has why
        return wrong

    def explained(self, wrong: list[Case], clause: str = "") -> str:
        """What is wrong, by one clause if that is given, and how to ask it again.

        The first line says it all in short: it is what summaries of pytest show.
        """
        stderr = self.asked.stderr_of(wrong)
        again = f"the smallest game that shows it: {self.again(wrong[0])}"
        return "\n".join((*_explained(wrong, clause), *stderr, again))

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """What was asked, expected and got, without any traceback of ours."""
        if isinstance(excinfo.value, WrongError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[str, None, str]:
        """The name of the test in headings."""
        return "hearts", None, f"hearts {self.name}"


class TraceItem(LinesItem):
    """One trace, with every capability that the adapter declares."""

    def runtest(self) -> None:
        """Raise WrongError if the adapter disagrees with the book."""
        if wrong := self.wrong():
            raise WrongError(self.explained(wrong))


class ClauseItem(LinesItem):
    """One clause: no answer to the traces about it may go against it."""

    def runtest(self) -> None:
        """Raise WrongError if an answer goes against the clause, or none came."""
        wrong = [
            case
            for case in self.wrong()
            if not case.faults
            or any(self.name in fault.clauses for fault in case.faults)
        ]
        if wrong:
            raise WrongError(self.explained(wrong, self.name))


class WrongError(Exception):
    """An adapter disagrees with the book; `str` explains how."""


def _thrown(case: Case) -> str:
    """The error of the adapter's own that ended a game."""
    assert case.thrown is not None
    return f"{case.thrown.note}: {case.id}; no rule is at fault for it"


NOTHING = "nothing was scored"


class NothingItem(pytest.Item):
    """The test that fails where no test of the suite scored anything."""

    def runtest(self) -> None:
        """Raise WrongError."""
        raise WrongError(
            "no game of the suite could be scored: every test was skipped, or there "
            "was none.\nThe reasons for skipping (-rs) say what is not declared; a "
            "table (--hearts-hands full --hearts-starts deal, and the like) makes the "
            "games fit the engine."
        )

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """What is to be done, without any traceback of ours."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[str, None, str]:
        """The name of the test in headings."""
        return "hearts", None, f"hearts {self.name}"


def _in_short(case: Case, clause: str) -> str:
    """What is wrong with a case, in one line."""
    faults = (one for one in case.faults if not clause or clause in one.clauses)
    if (fault := next(faults, None)) is None:
        return f"{case.outcome}: {case.note}" if case.note else str(case.outcome)
    found = f"{fault.asked}: expected {fault.expected}, got {fault.got}"
    cited = [one for one in fault.clauses if one not in found]
    return f"{found} [{', '.join(cited)}]" if cited else found


def _explained(cases: list[Case], clause: str) -> list[str]:
    """The wrong answers, the first of them in short before."""
    lines = [_in_short(cases[0], clause)]
    for case in cases:
        lines.append(f"{case.outcome}: {case.id}, profile {case.profile}")
        if case.note:
            lines.append(f"  {case.note}")
        for fault in case.faults:
            if clause and clause not in fault.clauses:
                continue
            where = f"step {fault.step}" if fault.step else "the whole"
            lines.append(f"  {where}: {fault.asked}")
            lines.append(f"    expected {fault.expected}")
            lines.append(f"    got      {fault.got}")
            named = [f"{one} {book.title(one)}".strip() for one in fault.clauses]
            lines += [f"    {one}" for one in named]
    return lines[:60]
