"""The conformance suite as tests of pytest: `pytest --hearts-adapter "node my.js"`.

One test for each trace, or with `--hearts-by clause` for each clause; the ids of the
published corpus stay the same from release to release. With a table, named by options
or declared in `hello`, its games are asked. Where nothing could be scored, one more
test fails. Nothing of ours is imported unless an adapter is given.

The adapter says hello before anything is collected, and if it does not, that is an
error of usage. Where tests are spread over processes, all of this happens in the one
that starts the others, which are sent the tables that it declared.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import threading
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from refengine.formats.protocol import TableObject
    from refengine_conformance.plugin.asked_adapter import AskedAdapter
    from refengine_conformance.plugin.chosen_games import Chosen
    from refengine_conformance.runner.known_failures import Entry
    from refengine_conformance.runner.results import Limits

_ASKED: pytest.StashKey[AskedAdapter] = pytest.StashKey()
_SENT: pytest.StashKey[list[Any]] = pytest.StashKey()
_WORKER_TABLES = "hearts_tables"
_WANTED: pytest.StashKey[frozenset[str]] = pytest.StashKey()
_OURS = "hearts::"
_PATHS = ("--hearts-corpus", "--hearts-known", "--hearts-log", "--hearts-profile")


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
        help="a corpus folder or a file of traces in place of the bundled corpus",
    )
    group.addoption(
        "--hearts-known",
        metavar="FILE",
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
        "--hearts-log",
        metavar="FILE",
        help="write the whole conversation with the adapter to this file, as it goes",
    )
    group.addoption(
        "--hearts-profile",
        metavar="NAME",
        help="the profile of the table, or the file of a club; beside a tier or a "
        "corpus, only the traces of the profile",
    )
    for name, said in (("hello", "hello"), ("op", "a request")):
        group.addoption(
            f"--hearts-limit-{name}",
            metavar="SECONDS",
            type=_seconds,
            help=f"seconds for {said}, as --limit-{name} of refengine conform run",
        )
    _add_table_options(group)


def _seconds(text: str) -> float:
    """The seconds of a limit; raises ArgumentTypeError for anything else."""
    from refengine_conformance.runner.run_time import is_limit

    with suppress(ValueError):
        if is_limit(seconds := float(text)):
            return seconds
    wanted = "a number of seconds above 0 and at most a week"
    raise argparse.ArgumentTypeError(f"got {text!r:.40}; wanted {wanted}")


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
    config.addinivalue_line("markers", "hearts: a test of --hearts-adapter")
    if config.getoption("--hearts-adapter") is None:
        if given := _without_effect(config):
            raise pytest.UsageError(f"{given} needs --hearts-adapter")
        return
    if not _is_worker(config):
        from refengine_conformance.plugin.output_files import begin_writing

        begin_writing(config, _command(config), _is_spread(config))
    config.pluginmanager.register(_Watch(config), "hearts-watch")


_DEFAULTS = {"hearts_by": "trace"}


def _without_effect(config: pytest.Config) -> str:
    """An option of the suite that was given, though no adapter was; empty if none."""
    for name, value in vars(config.option).items():
        given = value not in (None, "", [], _DEFAULTS.get(name))
        if name.startswith("hearts_") and given:
            return f"--{name.replace('_', '-')}"
    return ""


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Greet the adapter if one is given, and choose its games.

    Raises UsageError if either cannot be done.
    """
    config = session.config
    if config.getoption("--hearts-adapter") is None:
        return
    if empty := [flag for flag in _PATHS if config.getoption(flag) == ""]:
        raise pytest.UsageError(f"{empty[0]} is empty: give it a path, or leave it out")
    from refengine_conformance.plugin.asked_adapter import (
        AskedAdapter,
        received_tables,
        sent_tables,
    )

    command, limits = _command(config), _limits(config)
    known = _known(config.getoption("--hearts-known"))
    if _is_worker(config):
        tables = received_tables(_worker_input(config)[_WORKER_TABLES])
    else:
        tables = _declared(command, limits)
        config.stash[_SENT] = sent_tables(tables)
    chosen = _chosen(config, tables)
    config.stash[_ASKED] = AskedAdapter(command, limits, chosen, known)
    _take_ids(config, chosen)
    _end_with_signals()


def _take_ids(config: pytest.Config, chosen: Chosen) -> None:
    """Take the ids of our tests out of what was typed: pytest would look for files.

    Raises UsageError for one that the suite does not have.
    """
    typed = [one for one in config.args if one.startswith(_OURS)]
    wanted = {one.removeprefix(_OURS) for one in typed}
    by_trace = config.getoption("--hearts-by") == "trace"
    names = {one.id for one in chosen.lines} if by_trace else {*chosen.clauses}
    if unknown := sorted(wanted - names):
        raise pytest.UsageError(f"{_OURS}{unknown[0]}: the suite has no such test")
    config.stash[_WANTED] = frozenset(wanted)
    if _is_worker(config) or not _is_spread(config):
        config.args[:] = [one for one in config.args if one not in typed]


def _is_spread(config: pytest.Config) -> bool:
    """Whether the tests are spread over processes by this one."""
    return bool(getattr(config.option, "numprocesses", None))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Send the tables of the adapter to a process that pytest-xdist starts."""
    if (tables := node.config.stash.get(_SENT, None)) is not None:
        node.workerinput[_WORKER_TABLES] = tables


def _is_worker(config: pytest.Config) -> bool:
    """Whether another process has started this one, to run some of the tests."""
    return bool(_worker_input(config))


def _worker_input(config: pytest.Config) -> dict[str, Any]:
    """What the process that has started this one sent it; empty if none has."""
    return getattr(config, "workerinput", {})


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add the tests of the suite if an adapter is given, before others look at them."""
    if (asked := config.stash.get(_ASKED, None)) is None:
        return
    from refengine_conformance.plugin.suite_items import Suite

    suite: Suite = Suite.from_parent(
        session,
        name="hearts",
        nodeid="hearts",
        asked=asked,
        wanted=config.stash[_WANTED],
    )
    found = [*suite.collect()]
    asked.collected = len(found)
    items.extend(found)
    # The terminal counts what is reported; other items have been by now.
    report = pytest.CollectReport(suite.nodeid, "passed", None, [*found])
    config.hook.pytest_collectreport(report=report)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the reports; pytest ends with 3 if that cannot be done, and says why."""
    asked = session.config.stash.get(_ASKED, None)
    if asked is None:
        return
    from refengine.errors import Malformed
    from refengine.exit_codes import UNREADABLE
    from refengine_conformance.plugin.output_files import report_targets
    from refengine_conformance.report.reports import write_report

    for name, file in report_targets(session.config):
        try:
            write_report(asked.run(), name, file, print)
        except Malformed as error:
            asked.unwritten.append(str(error))
            session.exitstatus = UNREADABLE


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what was not run, and which reports could not be written."""
    asked = config.stash.get(_ASKED, None)
    if asked is None:
        return
    for said in asked.unwritten:
        terminalreporter.write_line(f"ERROR: {said}", red=True)
    for why, number in Counter(_not_run(terminalreporter)).items():
        tests = "1 test" if number == 1 else f"{number} tests"
        said = f"ERROR: {tests} of hearts not run: {why}"
        terminalreporter.write_line(said, red=True)


def _not_run(terminalreporter: Any) -> Iterator[str]:
    """For each test that was not run because the adapter was lost, how it was lost."""
    from refengine_conformance.plugin.suite_items import NOT_RUN

    for report in terminalreporter.getreports("skipped"):
        yield from (why for name, why in report.user_properties if name == NOT_RUN)


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
        ours = report.nodeid.startswith(_OURS) and report.when == "call"
        scored = not report.skipped or hasattr(report, "wasxfail")
        self.scored = self.scored or (ours and scored)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, Any, None]:
        """Run one more test, which fails, if nothing was scored."""
        wanted = self._wanted(session)
        outcome = yield
        if wanted and not self.scored and outcome.excinfo is None:
            from refengine_conformance.plugin.suite_items import NOTHING, NothingItem

            item = NothingItem.from_parent(
                session, name=NOTHING, nodeid=f"{_OURS}{NOTHING}"
            )
            self.config.hook.pytest_runtest_protocol(item=item, nextitem=None)

    def _wanted(self, session: pytest.Session) -> bool:
        """Whether tests of the suite should run here: not if all were deselected."""
        if self.config.option.collectonly or _is_worker(self.config):
            return False
        asked = self.config.stash.get(_ASKED, None)
        left = any(item.nodeid.startswith(_OURS) for item in session.items)
        return left or asked is None or not asked.collected


def _command(config: pytest.Config) -> tuple[str, ...]:
    """The words of the adapter's command.

    Raises UsageError if they cannot be read, or there are none, as where a variable was
    never set: tests that do not exist cannot fail. A `--` before them, as on our
    command line, is passed over.
    """
    given = config.getoption("--hearts-adapter")
    try:
        words = tuple(shlex.split(given))
        words = words[1:] if words[:1] == ("--",) else words
        if any(words):
            return words
    except ValueError as error:  # a quotation mark without its twin
        why = f"{error}".lower()
        raise pytest.UsageError(f"--hearts-adapter {given!r:.200}: {why}") from None
    raise pytest.UsageError(
        "--hearts-adapter is empty: give it the command of your adapter, such as "
        "'node my_adapter.mjs'"
    )


def _limits(config: pytest.Config) -> Limits:
    """The limits of a run, those that were given among them."""
    from refengine_conformance.plugin.suite_items import LIMITS
    from refengine_conformance.runner.results import Limits

    typed = {name: config.getoption(f"--hearts-limit-{name}") for name in LIMITS}
    return Limits(**{name: one for name, one in typed.items() if one is not None})


def _declared(command: tuple[str, ...], limits: Limits) -> tuple[TableObject, ...]:
    """The tables that the adapter declares; raises UsageError if it cannot be run."""
    from refengine.errors import Malformed
    from refengine_conformance.plugin.asked_adapter import declared_tables
    from refengine_conformance.runner.driver import CannotRunError

    try:
        return declared_tables(command, limits)
    except CannotRunError as error:
        raise pytest.UsageError(error.explained) from None
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None


def _chosen(config: pytest.Config, declared: tuple[TableObject, ...]) -> Chosen:
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
        prefix="hearts-",
    )
    tier, corpus = (config.getoption(f"--hearts-{one}") for one in ("tier", "corpus"))
    try:
        return chosen_games(declared, flags, tier, corpus or "")
    except Malformed as error:
        raise pytest.UsageError(str(error)) from None


def _known(path: str | None) -> tuple[Entry, ...]:
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
