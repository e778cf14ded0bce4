"""Measure how long tests take, and list those too slow for `make test`.

`tests/deep.txt` names the tests that only `make deep` runs, each group with its reason.
`tests/heavy.txt` has every other test that takes `HEAVY` seconds of processor time or
more; `make heavy` runs these. `make deep` measures all tests and rewrites
`tests/heavy.txt` by `python -m tests.support.costs MEASURED...`, which exits with 1 if
a test of `make test` took more than `TOO_DEAR` seconds.
"""

import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.support import places

HEAVY: Final = 0.5
"""The seconds of processor time from which a test is left to `make heavy`."""
TOO_DEAR: Final = 3.0
"""The most seconds of processor time that a test of `make test` may take."""

DEEP_FILE: Final = places.ROOT / "tests" / "deep.txt"
HEAVY_FILE: Final = places.ROOT / "tests" / "heavy.txt"
_HEAD: Final = """\
# Seconds of processor time, and the test that took them: `make deep` measures them all
# and writes this file. `make test` leaves these to `make heavy`.
"""
_BEGAN: Final = pytest.StashKey[float]()
_COST: Final = "cpu seconds"

Costs = Mapping[str, float]


# The two lists


def _lines(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def deep_names() -> frozenset[str]:
    """The node ids in `deep.txt`; an id without parameters covers all of its tests."""
    return frozenset(_lines(DEEP_FILE))


def heavy_costs() -> dict[str, float]:
    """The node ids in `heavy.txt`, with the seconds that each test took."""
    pairs = (line.partition(" ") for line in _lines(HEAVY_FILE))
    return {name: float(seconds) for seconds, _, name in pairs}


def names_of(item: str) -> set[str]:
    """The names that a list may use for a test: its own and that of its function."""
    return {item, item.partition("[")[0]}


def mark(
    items: Iterable[pytest.Item], deep: Collection[str], heavy: Collection[str]
) -> set[str]:
    """Mark the tests named in the lists, with `deep` rather than `heavy` if in both.

    Return the names that were found.
    """
    met: set[str] = set()
    for item in items:
        for marker, names in (("deep", deep), ("heavy", heavy)):
            if found := names_of(item.nodeid).intersection(names):
                item.add_marker(marker)
                met |= found
                break
    return met


def lost(
    items: Iterable[pytest.Item], met: Collection[str], names: Iterable[str]
) -> list[str]:
    """The names without a test, although the file of the test was collected."""
    files = {item.nodeid.partition("::")[0] for item in items}
    return [
        name
        for name in sorted(names)
        if name not in met and name.partition("::")[0] in files
    ]


# Measuring


def processor_seconds() -> float:
    """The processor time of this process and of the children that it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Measuring:
    """A pytest plugin that records the seconds that each test takes with its set-up."""

    def __init__(self, path: Path) -> None:
        """Set the file to which the seconds are written, as JSON, after the run."""
        self.path = path
        self.costs: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Record when a test begins."""
        item.stash[_BEGAN] = processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Iterator[None]:
        """Attach the seconds to the report, which may come from a worker."""
        try:
            return (yield)
        finally:
            took = processor_seconds() - item.stash[_BEGAN]
            item.user_properties.append((_COST, took))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the seconds of a test from its report."""
        for name, took in report.user_properties:
            if name == _COST:
                self.costs[report.nodeid] = float(str(took))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the file, unless this process is one of several test workers."""
        if not hasattr(session.config, "workerinput"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.costs, indent=0), "utf-8")


def heavy_list(measured: Costs, before: Collection[str], deep: Collection[str]) -> str:
    """The new text of `heavy.txt` after this measurement, the slowest test first.

    A test that was listed stays as long as it exists. Tests may share a search or
    a corpus, whose cost falls on whichever runs first. So a test may seem cheap only
    because another ran before it.
    """
    listed = {
        name: seconds
        for name, seconds in measured.items()
        if (seconds >= HEAVY or name in before) and names_of(name).isdisjoint(deep)
    }
    rows = sorted(listed.items(), key=lambda row: (-row[1], row[0]))
    return _HEAD + "".join(f"{seconds:.1f} {name}\n" for name, seconds in rows)


def too_dear(measured: Costs, left_out: Collection[str]) -> list[str]:
    """A sentence for each test that `make test` should have left out."""
    return [
        f"{name} took {seconds:.1f} s of processor time, and is in make test"
        for name, seconds in measured.items()
        if seconds > TOO_DEAR and names_of(name).isdisjoint(left_out)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write `heavy.txt` from the measurements of the runs in each mode.

    Return the exit code. It is 2, and the file stays as it is, if nothing was measured.
    """
    measured: dict[str, float] = {}
    for path in sys.argv[1:] if arguments is None else arguments:
        for name, seconds in json.loads(Path(path).read_text("utf-8")).items():
            measured[name] = max(seconds, measured.get(name, 0.0))
    if not measured:
        print(f"no test was measured: {HEAVY_FILE.name} stays as it is")
        return 2
    deep, heavy = deep_names(), heavy_costs()
    wrong = too_dear(measured, deep | heavy.keys())
    HEAVY_FILE.write_text(heavy_list(measured, heavy, deep), "utf-8")
    print(f"{len(measured)} tests measured, {len(heavy_costs())} of them heavy")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
