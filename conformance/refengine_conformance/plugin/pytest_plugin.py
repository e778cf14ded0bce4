"""The conformance suite as tests of pytest: `pytest --hearts-adapter "node my.js"`.

One test for each trace, or with `--hearts-by clause` for each clause; the ids stay the
same from release to release. Nothing of ours is imported unless the option is given.
"""

from __future__ import annotations

import json
import shlex
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from refengine_conformance.diagnosis.asker import Asker
    from refengine_conformance.runner.results import Case
    from refengine_conformance.runner.selection import Selected

_ASKED = pytest.StashKey["_Asked"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the suite, none of which has an effect by itself."""
    group = parser.getgroup("hearts", "conformance with the Hearts Family Rules")
    group.addoption(
        "--hearts-adapter",
        metavar="COMMAND",
        help="the adapter of the engine under test, such as 'node my.js'",
    )
    group.addoption(
        "--hearts-by",
        choices=("trace", "clause"),
        default="trace",
        help="one test for each trace (the default) or for each clause",
    )
    group.addoption(
        "--hearts-tier",
        choices=("smoke", "core"),
        default="smoke",
        help="smoke takes seconds (the default), core a minute",
    )
    group.addoption("--hearts-profile", default="", help="only traces of this profile")
    group.addoption(
        "--hearts-corpus",
        metavar="PATH",
        help="a corpus folder or a file of traces in place of the bundled corpus",
    )


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the tests of the suite if an adapter is given."""
    command = config.getoption("--hearts-adapter")
    if not command:
        return
    suite: Suite = Suite.from_parent(session, name="hearts", nodeid="hearts")
    config.stash[_ASKED] = _Asked(tuple(shlex.split(command)))
    _end_with_signals()
    items.extend(suite.collect())


def _end_with_signals() -> None:
    """Have SIGTERM and SIGHUP end the tests as Ctrl-C does, and so the adapter."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit)


def _exit(number: int, frame: object) -> None:
    pytest.exit(f"ended by {signal.Signals(number).name}", 128 + number)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the adapter."""
    asked = config.stash.get(_ASKED, None)
    if asked is not None:
        asked.close()


class _Asked:
    """The adapter, and what it said to each trace, asked only once."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.command = command
        self._asker: Asker | None = None
        self._cases: dict[str, tuple[Case, ...]] = {}

    def cases(self, line: Selected) -> tuple[Case, ...]:
        """The cases of a trace or a mini-deal."""
        from refengine_conformance.diagnosis.asker import Asker

        if self._asker is None:
            self._asker = Asker(self.command)
        if line.id not in self._cases:
            self._cases[line.id] = self._asker.cases_of_line(line.data, line.mini)
        return self._cases[line.id]

    def close(self) -> None:
        """End the adapter."""
        if self._asker is not None:
            self._asker.__exit__()


class Suite(pytest.Collector):
    """All tests of the suite, with `hearts` in their ids."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each trace, or for each clause that some trace is about."""
        lines, clauses = _selected(self.config)
        if self.config.getoption("--hearts-by") == "trace":
            for line in lines:
                yield TraceItem.from_parent(self, name=line.id, lines=[line])
            return
        for clause, some in clauses.items():
            yield ClauseItem.from_parent(self, name=clause, lines=some)


def _selected(
    config: pytest.Config,
) -> tuple[list[Selected], dict[str, list[Selected]]]:
    """The lines to ask, and for each clause the lines about it."""
    from refengine.errors import Malformed, harmless
    from refengine_conformance.runner.results import order_of
    from refengine_conformance.runner.selection import (
        CORPUS,
        Choice,
        of_corpus,
        of_files,
    )

    choice = Choice(
        profile=config.getoption("--hearts-profile"),
        tier=config.getoption("--hearts-tier"),
    )
    path = Path(config.getoption("--hearts-corpus") or CORPUS)
    try:
        found = of_corpus(path, choice) if path.is_dir() else of_files([path], choice)
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None
    if wrong := (*found.unreadable, *found.short):
        raise pytest.UsageError("; ".join(wrong[:3]))
    lines = [line for line in found.lines if not line.retired]
    clauses: dict[str, list[Selected]] = {}
    index = _necessary(path)
    for line in lines:
        for clause in index.get(line.id) or _clauses_in(json.loads(line.data)):
            clauses.setdefault(harmless(clause), []).append(line)
    return lines, dict(sorted(clauses.items(), key=lambda pair: order_of(pair[0])))


def _necessary(path: Path) -> dict[str, list[str]]:
    """For each trace of a corpus, the clauses for which it is necessary."""
    index = path / "index.jsonl"
    if not index.exists():
        return {}
    entries = [json.loads(line) for line in index.read_text("utf-8").splitlines()]
    return {entry["id"]: entry.get("necessary", []) for entry in entries}


def _clauses_in(value: object) -> set[str]:
    """The clauses that the refusals of a trace name."""
    if isinstance(value, list):
        return {clause for one in value for clause in _clauses_in(one)}
    if not isinstance(value, dict):
        return set()
    found = {*value.get("clauses", ()), *value.get("breaks", ())}
    return found.union(*(_clauses_in(one) for one in value.values()))


class _LinesItem(pytest.Item):
    """A test that asks some traces."""

    def __init__(self, *, lines: list[Selected], **more: Any) -> None:
        super().__init__(**more)
        self.lines = lines

    @property
    def command(self) -> str:
        """The command of the adapter, as it was given."""
        return str(self.config.getoption("--hearts-adapter"))

    def cases(self) -> list[Case]:
        """What the adapter said to the traces of this test."""
        asked = self.config.stash[_ASKED]
        return [case for line in self.lines for case in asked.cases(line)]

    def wrong(self) -> list[Case]:
        """The wrong cases; skips the test if nothing could be asked.

        Raises WrongError if a game ended at an error of the adapter's own.
        """
        from refengine_conformance.runner.results import SCORED, WRONG_OUTCOMES

        cases = self.cases()
        wrong = [case for case in cases if case.outcome in WRONG_OUTCOMES]
        if told := [_thrown(case) for case in cases if case.thrown is not None]:
            told += [_explained(wrong, "", self.command)] if wrong else []
            raise WrongError("\n".join(told))
        if not any(case.outcome in SCORED for case in cases):
            reasons = sorted({case.note for case in cases if case.note})
            pytest.skip("; ".join(reasons) or "nothing to ask")
        return wrong

    def repr_failure(self, excinfo: Any, style: Any = None) -> str:
        """What was asked, expected and got, without any traceback of ours."""
        if isinstance(excinfo.value, WrongError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo, style))

    def reportinfo(self) -> tuple[str, None, str]:
        """The name of the test in headings."""
        return "hearts", None, f"hearts {self.name}"


class TraceItem(_LinesItem):
    """One trace, with every capability that the adapter declares."""

    def runtest(self) -> None:
        """Raise WrongError if the adapter disagrees with the book."""
        if wrong := self.wrong():
            raise WrongError(_explained(wrong, "", self.command))


class ClauseItem(_LinesItem):
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
            raise WrongError(_explained(wrong, self.name, self.command))


class WrongError(Exception):
    """An adapter disagrees with the book; `str` explains how."""


def _thrown(case: Case) -> str:
    """The error of the adapter's own that ended a game."""
    assert case.thrown is not None
    return f"{case.thrown.note}: {case.id}; no rule is at fault for it"


def _explained(cases: list[Case], clause: str, command: str) -> str:
    """The wrong answers, and the command that makes the first game smaller."""
    from refengine.lawbook import book

    smaller = f"refengine conform run --trace {cases[0].trace} -- {command}"
    lines = [f"the smallest game that shows it: {smaller}"]
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
    return "\n".join(lines[:60])
