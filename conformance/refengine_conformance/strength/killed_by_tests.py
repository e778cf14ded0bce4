"""Which of some mutants the project's own tests kill.

Run as a module with TRIALS JOURNAL, it collects the tests once. Each mutant then has a
fork of this process, in which the code of its function is exchanged: the test that
killed it in the last run goes first, then the tests of files that mention its function
or are named after its module, then all others. The first failure ends it, and so does
its time limit; a mutant that lasts longer counts as alive. A test that also fails in a
fork of the unchanged engine has killed nothing and is left out.

Only mutants of functions are tried, and only tests that run in this very process can
see them, so the score is lower than that of all tests together would be.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
from msgspec import json

from refengine_conformance.data import data
from refengine_conformance.jobs.executors import Journal, scope_digest
from refengine_conformance.jobs.own_python import own_command, own_environment
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import catalogue, loading
from refengine_conformance.strength import killed_by_corpus

TESTS: Final = data().parent / "tests"
SECONDS: Final = 6.0  # of processor time for one mutant; its known killer goes first
_PATIENCE: Final = 10.0  # for one test
_OPTIONS: Final = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"),
    *("-o", "timeout=0"),  # each mutant has a limit of its own
    *("-o", "addopts=", "-m", "not slow", "--capture=no"),
    # Our pytest plugin is in this package, which is already running.
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)


@attrs.frozen
class TestTrial:
    """A mutant, the test that killed it in the last run, and its seconds."""

    mutant: str
    known: str = ""
    seconds: float = SECONDS


# In pytest


class Loop:
    """A plugin that runs the tests once for each mutant, each time in a fork."""

    def __init__(self, wanted: Sequence[TestTrial], journal: Journal) -> None:
        self.wanted = wanted
        self.journal = journal
        self.failed = ""
        self.fit: dict[str, bool] = {}

    def pytest_runtestloop(self, session: Any) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted("the tests could not be collected")
        for one in self.wanted:
            while one.mutant not in self.journal.done:
                items = [item for item in session.items if self.fit.get(item.nodeid, 1)]
                fate = _in_fork(self._fate, likely_killers_first(items, one), one)
                if self._is_fit(fate[0], items):
                    self.journal.add(one.mutant, fate)
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note the first test that fails."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def _is_fit(self, name: str, items: Sequence[Any]) -> bool:
        """Whether the test that killed the mutant passes without it."""
        own = [item for item in items if item.nodeid == name]
        if own and name not in self.fit:
            fate = _in_fork(self._fate, own, TestTrial(catalogue.UNCHANGED))
            self.fit[name] = not fate[0]
        return self.fit.get(name, True)

    def _fate(self, items: Sequence[Any], one: TestTrial) -> list[str]:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        began = time.process_time()
        with loading.run_as_mutant(one.mutant):
            for item, following in zip(items, [*items[1:], None], strict=True):
                signal.setitimer(signal.ITIMER_VIRTUAL, _PATIENCE)
                item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    return [self.failed, ""]
                if time.process_time() - began > one.seconds:
                    return ["", "outlasted its time"]
        return ["", ""]


def _in_fork(work: Any, items: Sequence[Any], one: TestTrial) -> list[str]:
    wall = 10 * (one.seconds + _PATIENCE)
    return killed_by_corpus.run_in_fork(lambda it: list(work(items, it)), one, wall)


def likely_killers_first(items: Sequence[Any], one: TestTrial) -> list[Any]:
    """The tests: the known killer, those nearest to the function, the others."""
    functions = [edit.function for edit in catalogue.mutant_with_id(one.mutant).edits]
    module, *inner = (functions or [""])[0].split(".")
    words = [word for word in inner if not word.startswith("__")]

    def far(item: Any) -> tuple[bool, bool, int]:
        named = item.path.stem == f"test_{module}"
        text = _text(item.path)
        known = item.nodeid.rpartition("/")[2] == one.known.rpartition("/")[2]
        return not known, not named, -sum(map(text.count, words))

    return sorted(items, key=far)


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _ring(number: int, frame: object) -> None:
    raise loading.HangsError("the test runs for too long")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests against the mutants in a file, and return the exit status."""
    parser = ToolArguments(
        prog="python -m refengine_conformance.strength.killed_by_tests"
    )
    parser.add_argument("trials", type=Path)
    parser.add_argument("journal", type=Path)
    parser.add_argument("tests", nargs="*", default=[str(TESTS)])
    asked = parser.parse_args(arguments)
    import pytest  # late: it need not be installed where nothing is tested

    trials = [TestTrial(**fields) for fields in json.decode(asked.trials.read_bytes())]
    signal.signal(signal.SIGVTALRM, _ring)
    with Journal(asked.journal, scope_digest("tested")) as journal:
        return int(pytest.main([*_OPTIONS, *asked.tests], [Loop(trials, journal)]))


def fates_under_tests(
    names: Sequence[str],
    known: Mapping[str, str],
    jobs: int,
    folder: Path,
    seconds: float = SECONDS,
    paths: Sequence[str] = (),
) -> dict[str, list[str]]:
    """How these mutants fare against the tests, in the given number of processes.

    Each process keeps a journal in the folder. Raises RuntimeError if one fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    running = []
    for share in range(jobs):
        share_of = names[share::jobs]
        part = [TestTrial(name, known.get(name, ""), seconds) for name in share_of]
        trials = folder / f"trials-{share}.json"
        trials.write_bytes(json.encode([attrs.asdict(one) for one in part]))
        journal = folder / f"tested-{share}-of-{jobs}-{scope_digest(names)}.jsonl"
        module = "refengine_conformance.strength.killed_by_tests"
        command = own_command("-m", module, str(trials), str(journal), *paths)
        settled = {**own_environment(), "HYPOTHESIS_PROFILE": "ci"}  # derandomized
        process = subprocess.Popen(command, env=settled)
        running.append((journal, process))
    found: dict[str, list[str]] = {}
    for journal, process in running:
        if process.wait():
            raise RuntimeError("the tests could not be run: see above")
        with Journal(journal, scope_digest("tested")) as done:
            found |= done.done
    return {name: found[name] for name in names}


if __name__ == "__main__":
    sys.exit(main())
