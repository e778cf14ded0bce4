"""The conformance suite as tests of pytest: `pytest --hearts-adapter "node my.js"`.

One test for each trace, or with `--hearts-by clause` for each clause; the ids of the
published corpus stay the same from release to release. With a table, named by options
or declared in `hello`, its games are asked. Where nothing could be scored, one more
test fails. Nothing of ours is imported unless an adapter is given.
"""

from __future__ import annotations

import shlex
import signal
import threading
from collections.abc import Generator, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from refengine_conformance.diagnosis.asker import Asker
    from refengine_conformance.plugin.chosen_games import Chosen
    from refengine_conformance.runner.known_failures import Entry
    from refengine_conformance.runner.results import Case, Run
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
        default="",
        help="the published corpus, whatever tables the adapter declares: smoke takes "
        "seconds (usual where there is no table), core a minute",
    )
    group.addoption(
        "--hearts-corpus",
        metavar="PATH",
        default="",
        help="a corpus folder or a file of traces in place of the bundled corpus",
    )
    group.addoption(
        "--hearts-known",
        metavar="FILE",
        default="",
        help="a file of known failures: tests in which nothing else is wrong are xfail",
    )
    group.addoption(
        "--hearts-report",
        metavar="FORMAT:FILE",
        action="append",
        default=[],
        help="write a report at the end, repeatable: text, jsonl, junit, markdown or "
        "html",
    )
    group.addoption(
        "--hearts-profile",
        metavar="NAME",
        help="the profile of the table, or the file of a club; beside a tier or a "
        "corpus, only the traces of the profile",
    )
    _add_table_options(group)


def _add_table_options(group: pytest.OptionGroup) -> None:
    """Add the flags of a table, those of `refengine conform run`."""
    for name, metavar, kind, said in (
        ("players", "NUMBER", int, "the players at the table"),
        ("hands", "full|N|any", str, "cards in a hand; full is a whole pack dealt out"),
        ("starts", "LIST", str, "how games begin: deal, position, match, match-dealer"),
        ("pack", "full|any", str, "whether every game is a whole pack"),
        ("seed", "NUMBER", int, "the seed of the games"),
    ):
        group.addoption(f"--hearts-{name}", metavar=metavar, type=kind, help=said)
    for name, metavar, said in (
        ("option", "NAME=VALUE", "change an option of the table; repeatable"),
        ("needs-card", "CARD", "a card that must be in play; repeatable"),
    ):
        group.addoption(
            f"--hearts-{name}", metavar=metavar, action="append", default=[], help=said
        )


def pytest_configure(config: pytest.Config) -> None:
    """Watch over the suite if an adapter is given."""
    targets = _targets(config)
    if not config.getoption("--hearts-adapter"):
        if targets:
            raise pytest.UsageError("--hearts-report needs --hearts-adapter")
        return
    if targets and getattr(config.option, "numprocesses", None):
        why = "one process must run all tests"
        raise pytest.UsageError(f"--hearts-report cannot be used with -n: {why}")
    config.pluginmanager.register(_Watch(config), "hearts-watch")


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the tests of the suite if an adapter is given."""
    command = config.getoption("--hearts-adapter")
    if not command:
        return
    suite: Suite = Suite.from_parent(session, name="hearts", nodeid="hearts")
    known = _known(config.getoption("--hearts-known"))
    config.stash[_ASKED] = asked = _Asked(tuple(shlex.split(command)), known)
    found = [*suite.collect()]
    asked.collected = len(found)
    asked.sources = {one for item in found for one in item.source.values()}
    _end_with_signals()
    items.extend(found)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the reports; pytest ends with 3 if that cannot be done, and says why."""
    asked = session.config.stash.get(_ASKED, None)
    if asked is None:
        return
    from refengine.errors import Malformed
    from refengine_conformance.report.reports import write_report
    from refengine_conformance.runner.results import BAD_INPUT

    for name, file in _targets(session.config):
        try:
            write_report(asked.run(), name, file, print)
        except Malformed as error:
            asked.unwritten.append(str(error))
            session.exitstatus = BAD_INPUT


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say which reports could not be written, beside what the tests found."""
    asked = config.stash.get(_ASKED, None)
    for said in asked.unwritten if asked is not None else ():
        terminalreporter.write_line(f"ERROR: {said}", red=True)


def _targets(config: pytest.Config) -> list[tuple[str, str]]:
    """The formats and files of the reports; raises UsageError for a wrong one."""
    if not (given := config.getoption("--hearts-report")):
        return []
    from refengine.errors import Malformed
    from refengine_conformance.report.reports import read_target

    try:
        return [read_target(one, "--hearts-report") for one in given]
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None


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


class _Watch:
    """Fails a run in which tests of the suite were there, and none scored anything.

    Where tests are spread over processes, it watches in the one that hears of all.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.scored = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether a test of the suite was more than skipped."""
        ours = report.nodeid.startswith("hearts::") and report.when == "call"
        scored = not report.skipped or hasattr(report, "wasxfail")
        self.scored = self.scored or (ours and scored)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, None]:
        """Run one more test, which fails, if nothing was scored."""
        wanted = self._wanted(session)
        outcome = yield
        if wanted and not self.scored and outcome.excinfo is None:
            suite: Suite = Suite.from_parent(session, name="hearts", nodeid="hearts")
            item = NothingItem.from_parent(suite, name=NOTHING)
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _wanted(self, session: pytest.Session) -> bool:
        """Whether tests of the suite should run here: not if all were deselected."""
        if self.config.option.collectonly or hasattr(self.config, "workerinput"):
            return False
        asked = self.config.stash.get(_ASKED, None)
        left = any(isinstance(item, _LinesItem) for item in session.items)
        return left or asked is None or not asked.collected


class _Asked:
    """The adapter, and what it said to each trace, asked only once."""

    def __init__(self, command: tuple[str, ...], known: tuple[Entry, ...]) -> None:
        self.command = command
        self.known = known
        self.collected = 0
        self.sources: set[tuple[str, ...]] = set()
        self.unwritten: list[str] = []
        self._asker: Asker | None = None
        self._cases: dict[str, tuple[Case, ...]] = {}
        self._lines: dict[str, str] = {}

    def cases(self, line: Selected) -> tuple[Case, ...]:
        """The cases of a trace or a mini-deal, those known to fail marked."""
        from refengine_conformance.diagnosis.asker import Asker
        from refengine_conformance.runner.known_failures import sort_known

        if self._asker is None:
            self._asker = Asker(self.command)
        if line.id not in self._cases:
            cases = tuple(self._asker.cases_of_line(line.data, line.mini))
            marked = sort_known(cases, self.known, date.today(), partial=True)
            self._cases[line.id] = marked.cases
            self._lines[line.id] = line.data.decode()
        return self._cases[line.id]

    def run(self) -> Run:
        """All that was asked, as a run from which a report is made."""
        from refengine.formats.trace import spec_version
        from refengine_conformance.runner.results import Limits, Run

        sources = [*self.sources]
        return Run(
            adapter=self.command,
            spec=spec_version(),
            selection={"tests": "that ran"},
            limits=Limits(),
            card=self._asker.card if self._asker is not None else None,
            cases=tuple(case for cases in self._cases.values() for case in cases),
            lines=self._lines,
            # Several tables are those of `hello`, which the runner finds by itself.
            source=sources[0] if len(sources) == 1 else (),
        )

    def close(self) -> None:
        """End the adapter."""
        if self._asker is not None:
            self._asker.__exit__()


class Suite(pytest.Collector):
    """All tests of the suite, with `hearts` in their ids."""

    def collect(self) -> Iterator[_LinesItem]:
        """One test for each trace, or for each clause that some trace is about."""
        found = _chosen(self.config)
        if self.config.getoption("--hearts-by") == "trace":
            for line in found.lines:
                yield TraceItem.from_parent(
                    self, name=line.id, lines=[line], source=found.source
                )
            return
        for clause, some in found.clauses.items():
            yield ClauseItem.from_parent(
                self, name=clause, lines=some, source=found.source
            )


def _chosen(config: pytest.Config) -> Chosen:
    """The games to ask; raises UsageError if the options do not name any."""
    from refengine.errors import Malformed
    from refengine_conformance.plugin.chosen_games import chosen_games
    from refengine_conformance.tables.typed_table import TableFlags

    flags = TableFlags(
        profile=config.getoption("--hearts-profile"),
        players=config.getoption("--hearts-players"),
        options=tuple(config.getoption("--hearts-option")),
        hands=config.getoption("--hearts-hands"),
        starts=config.getoption("--hearts-starts"),
        cards=tuple(config.getoption("--hearts-needs-card")),
        pack=config.getoption("--hearts-pack"),
        seed_given=config.getoption("--hearts-seed"),
    )
    command = tuple(shlex.split(config.getoption("--hearts-adapter")))
    tier, corpus = (config.getoption(f"--hearts-{one}") for one in ("tier", "corpus"))
    try:
        return chosen_games(command, flags, tier, corpus)
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None


def _known(path: str) -> tuple[Entry, ...]:
    """The known failures in a file; raises UsageError if one is out of date."""
    if not path:
        return ()
    from refengine.errors import Malformed
    from refengine_conformance.runner.known_failures import read_known, sort_known

    try:
        entries = read_known(Path(path))
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None
    if stale := sort_known((), entries, date.today(), partial=True).stale:
        raise pytest.UsageError(f"{path}: {'; '.join(stale)}")
    return entries


class _LinesItem(pytest.Item):
    """A test that asks some traces."""

    def __init__(
        self,
        *,
        lines: list[Selected],
        source: dict[str, tuple[str, ...]],
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.lines = lines
        self.source = source

    def again(self, case: Case) -> str:
        """The command that asks for the game of a case again, and makes it smaller."""
        words = [*self.source[case.trace], "--trace", case.trace]
        if known := self.config.getoption("--hearts-known"):
            words += ["--known", known]
        adapter = self.config.getoption("--hearts-adapter")
        return f"refengine conform run {shlex.join(words)} -- {adapter}"

    def cases(self) -> list[Case]:
        """What the adapter said to the traces of this test."""
        asked = self.config.stash[_ASKED]
        return [case for line in self.lines for case in asked.cases(line)]

    def wrong(self) -> list[Case]:
        """The wrong cases; skips the test if nothing could be asked.

        Where what is wrong is known, the test is expected to fail. Raises WrongError
        if a game ended at an error of the adapter's own.
        """
        from refengine_conformance.runner.results import (
            SCORED,
            WRONG_OUTCOMES,
            Outcome,
        )

        cases = self.cases()
        wrong = [case for case in cases if case.outcome in WRONG_OUTCOMES]
        if told := [_thrown(case) for case in cases if case.thrown is not None]:
            told += [_explained(wrong, "", self.again(wrong[0]))] if wrong else []
            raise WrongError("\n".join(told))
        if not any(case.outcome in SCORED for case in cases):
            reasons = sorted({case.note for case in cases if case.note})
            pytest.skip("; ".join(reasons) or "nothing to ask")
        if not wrong and any(case.outcome is Outcome.KNOWN for case in cases):
            pytest.xfail("a known failure")  # the file of known failures has why
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
            raise WrongError(_explained(wrong, "", self.again(wrong[0])))


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
            raise WrongError(_explained(wrong, self.name, self.again(wrong[0])))


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


def _explained(cases: list[Case], clause: str, again: str) -> str:
    """The wrong answers, and the command that makes the first game smaller."""
    from refengine.lawbook import book

    lines = [f"the smallest game that shows it: {again}"]
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
