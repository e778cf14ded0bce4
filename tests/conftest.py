"""Fixtures for all tests, and hooks that choose which tests a mode runs."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from coverage import Coverage
from hypothesis import settings

import refengine
from refengine.lawbook.book import SPEC
from tests.support import costs, places
from tests.support.commands import Run, Runner, run_command
from tests.support.depth import FOLLOWED

settings.register_profile("ci", derandomize=True, database=None, deadline=None)
settings.register_profile("local", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))

# What is kept for other runs lies in the checkout, and not where the user has theirs.
os.environ.setdefault("XDG_CACHE_HOME", str(places.ROOT / "build" / "cache"))

MODES = ("interpreted", "compiled")
HERE = Path(__file__).resolve().parent
# A program that imports its neighbours, where an adapter starts it: it has no doctests.
collect_ignore = ["support/skeletons/game.py"]
# Why the tests of a whole folder need no second run on the compiled wheel. A single
# file says so by `pytestmark`, a single test by its marker. Those of them that nothing
# measures are run there and not interpreted, because it takes a fraction of the time.
INTERPRETED = {
    "comparison": "about comparing rulesets; their rules run elsewhere",
    "jobs": "about processes",
    "conformance/adapters": "about engines of other authors, which are not compiled",
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
# The rooms that are compiled, and those that take their values apart. What the tests of
# the other rooms find on the wheel is left to `make heavy`, and so is what nothing
# measures and the wheel alone runs.
NEAR = tuple(
    HERE / room
    for room in ("chapters", "machine", "game", "formats", "worlds", "learning")
)
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
FASTER = "pytest.mark.unmeasured"


def is_interpreted(path: Path) -> bool:
    """Whether all tests of a file, or all but a few, run only on the Python source.

    The file is read, not imported, since a compiled run may lack what it imports.
    """
    return MARKED.search(path.read_text("utf-8")) is not None


def in_interpreted_room(path: Path) -> bool:
    """Whether the file is in a folder whose tests need no run on the compiled wheel."""
    return any(HERE / folder in path.parents for folder in INTERPRETED)


def pytest_make_parametrize_id(
    config: pytest.Config, val: object, argname: str
) -> str | None:
    """Keep bytes out of the names of tests, since gzip writes the time into its output.

    Two workers that collect in different seconds would otherwise find different tests.
    """
    return argname if isinstance(val, bytes) else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--mode", choices=MODES, default=MODES[0], help="The mode this run is of."
    )
    parser.addoption(
        "--compiled-next",
        action="store_true",
        help="A compiled run follows: what nothing measures is left to it.",
    )
    parser.addoption(
        "--measure",
        type=Path,
        metavar="FILE",
        help="Write the processor time of each test to this file.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set an environment variable if a compiled run follows this one.

    Tests read it when they are imported. Also start to measure them if asked.
    """
    if config.getoption("compiled_next"):
        os.environ[FOLLOWED] = "yes"
    if path := config.getoption("measure"):
        config.pluginmanager.register(costs.Measuring(path))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """In a compiled run, skip files whose tests do not depend on compilation.

    A folder that contains only such files is skipped too, with its `conftest.py`.
    """
    if config.getoption("mode") != "compiled":
        return None
    if collection_path.is_dir():
        files = list(collection_path.rglob("test_*.py"))
        return (bool(files) and all(map(_is_left_to_the_source, files))) or None
    return (
        collection_path.suffix == ".py" and _is_left_to_the_source(collection_path)
    ) or None


def _is_left_to_the_source(path: Path) -> bool:
    """Whether the compiled run takes no test from this file."""
    return is_interpreted(path) or (
        in_interpreted_room(path) and FASTER not in path.read_text("utf-8")
    )


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by the marker
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Put the test of the mode first, and deselect the tests left to other runs."""
    deep, heavy = costs.deep_names(), costs.heavy_costs()
    met = costs.mark(items, deep, heavy)
    whole = not any("::" in word for word in config.args)
    if whole and (gone := costs.lost(items, met, {*deep, *heavy})):
        raise pytest.UsageError(f"deep.txt or heavy.txt names what is no test: {gone}")
    items.sort(key=lambda item: item.path.stem != "test_mode")
    if config.getoption("mode") == "compiled":
        kept = [item for item in items if _is_for_the_wheel(item)]
        for item in kept:
            if _is_far(item):
                item.add_marker("heavy")
    elif config.getoption("compiled_next"):
        kept = [item for item in items if not _is_left_to_the_wheel(item)]
    else:
        return
    left = set(items) - set(kept)
    items[:] = kept
    config.hook.pytest_deselected(items=list(left))


def _is_for_the_wheel(item: pytest.Item) -> bool:
    """Whether compilation may change the result of a test, or makes it much faster."""
    if item.get_closest_marker("interpreted") is not None:
        return False
    faster = item.get_closest_marker("unmeasured") is not None
    return faster or not in_interpreted_room(item.path)


def _is_far(item: pytest.Item) -> bool:
    """Whether a test runs from source in `make test` and compiled in `make heavy`."""
    return not (
        any(room in item.path.parents for room in NEAR)
        or item.path.stem == "test_mode"
        or item.get_closest_marker("deep") is not None
    )


def _is_left_to_the_wheel(item: pytest.Item) -> bool:
    """Whether a test is left to the faster compiled run, as nothing measures it."""
    return (
        item.get_closest_marker("unmeasured") is not None
        and item.get_closest_marker("interpreted") is None
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    """A function that runs a command here, and returns its exit code and output."""
    return partial(run_command, capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, made the current directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def judge(run: Runner, tmp_path: Path) -> Runner:
    """A function that runs `judge` on a text; FILE replaces its path in the output."""

    def call(text: str | bytes, *flags: str) -> Run:
        path = tmp_path / "friday.hearts"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        code, out, err = run("judge", str(path), *shlex.split(" ".join(flags)))
        return code, out.replace(str(path), "FILE"), err.replace(str(path), "FILE")

    return call


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A copy of the law book, which a test may change."""
    return Path(shutil.copytree(SPEC, tmp_path / "spec"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the source of `refengine`, which a test may change."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    source, folder = Path(refengine.__path__[0]), tmp_path / "refengine"
    return Path(shutil.copytree(source, folder, ignore=ignored))


@pytest.fixture(scope="module")
def worker() -> Iterator[Executor]:
    """A process that can load the rules as a mutant, shared by a module's tests."""
    from refengine_conformance.mutants.loading import mutant_workers  # late: few need

    with mutant_workers(1) as executor:
        yield executor


@pytest.fixture(autouse=True)
def unmeasured(request: pytest.FixtureRequest) -> Iterator[None]:
    """Do not measure `unmeasured` tests, nor child processes that run mutants."""
    playing = request.node.get_closest_marker("unmeasured") is not None
    measuring = Coverage.current() if playing else None
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        if playing or request.path.parent in UNMEASURED:
            patch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
        if measuring is not None:
            measuring.stop()
            stack.callback(measuring.start)
        yield
