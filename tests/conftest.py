"""A run states its mode; Hypothesis is the same from run to run where it says ci."""

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import settings

from tests.support import deep

settings.register_profile("ci", derandomize=True, database=None, deadline=None)
settings.register_profile("local", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))

MODES = ("interpreted", "compiled")
HERE = Path(__file__).resolve().parent
# Why the tests of a whole folder need no second run on the compiled wheel. A single
# file says so by `pytestmark`, a single test by its marker.
INTERPRETED = {
    "conformance/adapters": "about engines of other authors, which are not compiled",
    "conformance/comparison": "about comparing rulesets; their rules run elsewhere",
    "conformance/corpus_tools": "about the files of the corpus, which conform replays",
    "conformance/diagnosis": "about telling one fault from another",
    "conformance/exhaustion": "about its bookkeeping; test_minideals counts compiled",
    "conformance/identify": "about telling one ruleset from another",
    "conformance/jobs": "about processes",
    "conformance/lawbook_checks": "about the text of the book and of the source",
    "conformance/mutants": "a mutant is always loaded from source",
    "conformance/plugin": "about pytest",
    "conformance/proofs": "proofs run the source on symbols",
    "conformance/report": "about reports",
    "conformance/selftest": "about adapters that are wrong",
    "conformance/tables": "games are looked for by a process that loads the source",
    "site": "about pages",
}
# Folders whose tests start workers that search, or run mutants: measured, they take
# four times as long, and the lines are those that other tests measure.
UNMEASURED = tuple(
    HERE / "conformance" / room
    for room in (
        "adapters",
        "corpus_tools",
        "diagnosis",
        "mutants",
        "plugin",
        "selftest",
        "strength",
        "tables",
    )
)
MARKED = re.compile(
    r"^pytestmark = (?:\[\s*)?pytest\.mark\.interpreted\(", re.MULTILINE
)


def is_interpreted(path: Path) -> bool:
    """Whether the tests of a file or folder are for the source alone.

    A file is read, not imported: what it imports need not be there compiled.
    """
    if path.suffix == ".py":
        return MARKED.search(path.read_text("utf-8")) is not None
    return path in {HERE / folder for folder in INTERPRETED}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mode", choices=MODES, default=MODES[0], help="The mode this run is of."
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Compiled, folders and files that the mode cannot change are left out."""
    compiled = config.getoption("mode") == "compiled"
    return True if compiled and is_interpreted(collection_path) else None


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by the marker
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """The test of the mode comes first; compiled, single tests are left out as well."""
    named = deep.mark(items)
    if not any("::" in word for word in config.args) and (
        lost := deep.lost(items, named)
    ):
        raise pytest.UsageError(f"tests/deep.txt names what is no test: {lost}")
    items.sort(key=lambda item: item.path.stem != "test_mode")
    if config.getoption("mode") == "compiled":
        left = [item for item in items if item.get_closest_marker("interpreted")]
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


@pytest.fixture(autouse=True)
def unmeasured(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where mutants run, no other process is measured; where deals are played, none."""
    playing = request.node.get_closest_marker("unmeasured") is not None
    measuring = Coverage.current() if playing else None
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        if playing or request.path.parent in UNMEASURED:
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        if measuring is not None:
            measuring.stop()
            stack.callback(measuring.start)
        yield
