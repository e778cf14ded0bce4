"""The suite in one run of pytest, from the adapter's greeting to the reports.

This module is imported only if an adapter is given.
"""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections import Counter
from collections.abc import Generator
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from refengine.errors import Malformed, counted, harmless
from refengine.exit_codes import UNREADABLE
from refengine.formats.files_to_write import check_written
from refengine.formats.protocol import TableObject
from refengine.game.clubs import names_file
from refengine_conformance.plugin.asked_adapter import AskedAdapter
from refengine_conformance.plugin.chosen_games import Chosen, chosen_games
from refengine_conformance.plugin.suite_items import (
    LIMITS,
    NOT_RUN,
    NOTHING,
    NothingItem,
    Suite,
)
from refengine_conformance.report.reports import read_target, write_report
from refengine_conformance.runner.conversation_log import begin_log, end_log
from refengine_conformance.runner.driver import Adapter, CannotRunError, transport_of
from refengine_conformance.runner.known_failures import Entry, read_known, sort_known
from refengine_conformance.runner.results import Limits
from refengine_conformance.tables.flags import TABLE_FLAGS
from refengine_conformance.tables.typed_table import TableFlags

_LOG: Final = "--hearts-log"
_OURS: Final = "hearts::"
_READ: Final = ("--hearts-corpus", "--hearts-known", "--hearts-profile")
_REPORT: Final = "--hearts-report"
_TABLES: Final = "hearts_tables"  # the key under which workers are sent the tables
_CAPABILITIES: Final = "hearts_capabilities"  # the key for the capabilities
_DESELECTED: Final = "hearts_deselected"  # the key under which a worker answers


class SuiteRun:
    """The suite as a pytest plugin, for one run, in one process.

    In a worker of pytest-xdist, `sent` is what the process that started the worker has
    sent to it; in any other process it is None.
    """

    def __init__(self, session: pytest.Session) -> None:
        """Greet the adapter and choose its games.

        Raises UsageError if either fails, if an option is wrong, or if a file cannot be
        read or written.
        """
        self.config: Final = session.config
        self.session: Final = session
        self.sent: Final = getattr(session.config, "workerinput", None)
        self.collected = self.scored = self.deselected = False
        self.unwritten: list[str] = []
        if empty := [one for one in (*_READ, _LOG) if self._typed(one) == ""]:
            why = "is empty: give it a value, or leave it out"
            raise pytest.UsageError(f"{empty[0]} {why}")
        try:
            self._begin()
        except CannotRunError as error:
            raise pytest.UsageError(error.explained) from None
        except Malformed as error:
            raise pytest.UsageError(str(error)) from None

    def _typed(self, flag: str) -> Any:
        return self.config.getoption(flag)

    def _begin(self) -> None:
        """Read the options, begin the log, greet the adapter, and choose its games."""
        command = _read_command(self._typed("--hearts-adapter"))
        typed_limits = {name: self._typed(f"--hearts-limit-{name}") for name in LIMITS}
        limits = Limits(
            **{name: one for name, one in typed_limits.items() if one is not None}
        )
        self.targets = [read_target(one, _REPORT) for one in self._typed(_REPORT)]
        if self.sent is None:
            self._check_written(command)
        known = _read_known(self._typed("--hearts-known"))
        if self.sent is None and (log := self._typed(_LOG)):
            begin_log(Path(log), sys.argv, _LOG)
            self.config.add_cleanup(end_log)
        self.tables, self.capabilities = self._declared(command, limits)
        typed = {one.field: self._typed(f"--hearts-{one.name}") for one in TABLE_FLAGS}
        chosen = chosen_games(
            self.tables,
            self.capabilities,
            TableFlags(prefix="hearts-", **typed),
            self._typed("--hearts-tier") or "",
            self._typed("--hearts-corpus") or "",
            self._typed("--hearts-by") == "clause",
        )
        # Which test reports a wrong answer does not depend on which tests were typed.
        self.asked = AskedAdapter(command, limits, chosen, known)
        self.config.add_cleanup(self.asked.close)
        self._keep_typed_tests(chosen)
        _end_with_signals()

    @property
    def _spreads(self) -> bool:
        """Whether this process leaves the running of the tests to other processes."""
        option = self.config.option
        spreads = getattr(option, "dist", "no") != "no" and getattr(option, "tx", None)
        return bool(spreads) and not option.collectonly

    def _check_written(self, command: tuple[str, ...]) -> None:
        """Check, before any test is run, that the reports and the log may be written.

        The processes that this one starts also write to the log. Raises UsageError if
        reports are requested while tests are spread over processes, and Malformed for a
        file that must not be written.
        """
        if self.targets and self._spreads:
            why = "one process must run all tests"
            raise pytest.UsageError(f"{_REPORT} cannot be used with -n: {why}")
        written = [(_REPORT, file) for _, file in self.targets]
        if log := self._typed(_LOG):
            written.append((_LOG, log))
        profile = self._typed("--hearts-profile") or ""
        # A profile of the book is not a file, even if a folder has the same name.
        club = profile if names_file(profile) else ""
        read = (self._typed("--hearts-corpus"), self._typed("--hearts-known"), club)
        check_written(written, filter(None, read), command)

    def _declared(
        self, command: tuple[str, ...], limits: Limits
    ) -> tuple[tuple[TableObject, ...], tuple[str, ...]]:
        """The tables and the capabilities that the adapter declares.

        A worker has been sent these; any other process starts the adapter to ask it.
        """
        if self.sent is not None:
            tables = msgspec.convert(self.sent[_TABLES], tuple[TableObject, ...])
            return tables, tuple(self.sent[_CAPABILITIES])
        adapter = Adapter(transport_of(command), limits)
        adapter.kill()
        return adapter.tables, adapter.card.capabilities

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Send what the adapter declares to a process that pytest-xdist starts."""
        node.workerinput[_TABLES] = [msgspec.to_builtins(one) for one in self.tables]
        node.workerinput[_CAPABILITIES] = [*self.capabilities]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note whether the user deselected the suite, which only a worker can tell."""
        sent_back = getattr(node, "workeroutput", {})
        self.deselected = self.deselected or sent_back.get(_DESELECTED, False)

    def _keep_typed_tests(self, chosen: Chosen) -> None:
        """Keep only the tests whose ids were typed, if any were.

        The ids are then removed from the arguments, since pytest would look for files
        with those names; a process that spreads tests leaves them in, because its
        workers are sent the arguments. Raises UsageError for a test that is not in the
        suite.
        """
        typed = [one for one in self.config.args if one.startswith(_OURS)]
        wanted = {one.removeprefix(_OURS) for one in typed}
        if unknown := sorted(wanted - chosen.tests.keys()):
            raise pytest.UsageError(f"{_OURS}{unknown[0]}: the suite has no such test")
        if wanted:
            for name in chosen.tests.keys() - wanted:
                del chosen.tests[name]
        if not self._spreads:
            self.config.args[:] = [one for one in self.config.args if one not in typed]

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Collect the suite after everything else."""
        report = yield
        if collector is self.session and report.passed:
            suite: Suite = Suite.from_parent(
                collector, name="hearts", nodeid="hearts", asked=self.asked
            )
            report.result.append(suite)
        return report

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note whether the suite has any test at all."""
        self.collected = self.collected or item.nodeid.startswith(_OURS)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether any test of the suite was run rather than skipped."""
        ours = report.nodeid.startswith(_OURS) and report.when == "call"
        skipped = report.skipped and not hasattr(report, "wasxfail")
        self.scored = self.scored or (ours and not skipped)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """If no test of the suite scored anything, run one more test, which fails.

        That test is not run in a worker, if tests are only collected, or if the user
        has deselected the whole suite.
        """
        selected = any(item.nodeid.startswith(_OURS) for item in self.session.items)
        self.deselected = self.collected and not selected
        getattr(self.config, "workeroutput", {})[_DESELECTED] = self.deselected
        only_collected = self.config.option.collectonly or self.sent is not None
        outcome = yield
        if not (only_collected or self.deselected or self.scored):
            item = NothingItem.from_parent(
                self.session, name=NOTHING, nodeid=f"{_OURS}{NOTHING}"
            )
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return outcome

    def pytest_sessionfinish(self) -> None:
        """Write the reports; pytest ends with UNREADABLE if one cannot be written."""
        for name, file in self.targets:
            try:
                write_report(self.asked.as_run(), name, file, print)
            except Malformed as error:
                self.unwritten.append(str(error))
                self.session.exitstatus = UNREADABLE

    @pytest.hookimpl(trylast=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was not run, and which reports could not be written."""
        said = [*self.unwritten]
        skipped = terminalreporter.getreports("skipped")
        # A module that is skipped as a whole has a report without properties.
        properties = chain.from_iterable(
            getattr(report, "user_properties", ()) for report in skipped
        )
        reasons = Counter(why for name, why in properties if name == NOT_RUN)
        for why, number in reasons.items():
            said.append(f"{counted(number, 'test')} of hearts not run: {why}")
        for one in said:
            terminalreporter.write_line(f"ERROR: {one}", red=True)


def _read_command(given: str) -> tuple[str, ...]:
    """The words of the adapter's command, without a `--` before them.

    Raises UsageError if they cannot be read or if there are none, as when a variable
    was never set: a suite that runs no tests would seem to pass.
    """
    try:
        words = tuple(shlex.split(given))
    except ValueError as error:  # an unclosed quotation mark
        why = str(error).lower()
        raise pytest.UsageError(f"--hearts-adapter {given!r:.200}: {why}") from None
    words = words[1:] if words[:1] == ("--",) else words
    if any(words):
        return words
    raise pytest.UsageError(
        "--hearts-adapter is empty: give it the command of your adapter, such as "
        "'node my_adapter.mjs'"
    )


def _read_known(path: str | None) -> tuple[Entry, ...]:
    """The known failures in a file, if one is given.

    Raises UsageError if an entry is out of date, and Malformed if the file cannot be
    read.
    """
    entries = read_known(Path(path)) if path else ()
    if stale := sort_known((), entries, date.today(), partial=True).stale:
        raise pytest.UsageError(harmless(f"{path}: {'; '.join(stale)}"))
    return entries


def _end_with_signals() -> None:
    """Have SIGTERM and SIGHUP end the tests, and so the adapter, as Ctrl-C does."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _exit)


def _exit(number: int, frame: object) -> None:
    pytest.exit(f"ended by {signal.Signals(number).name}", 128 + number)
