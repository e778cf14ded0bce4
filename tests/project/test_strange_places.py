"""Tests that the commands work in any folder and for any user."""

import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from refengine import Ruleset
from refengine.jobs.executors import open_executor, results_in_order
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import aimed_games
from tests.support.commands import run_process

pytestmark = pytest.mark.interpreted("about processes and where they are started")

COMMAND = str(Path(sys.executable).with_name("refengine"))
TAKEN = ("types", "queue", "enum", "typing", "random", "json", "refengine")
WHOLE_HANDS = ("--profile", "estmesh-hearts", "--hands", "2", "--starts", "deal")
RIGHT = ("--format", "none", "--no-shrink", "--", "builtin:reference")
NEIGHBOUR = """
import os, sys
import neighbour
assert "PYTHONSAFEPATH" not in os.environ
sys.path[:0] = sys.argv[1:]
from refengine.formats.serve import Session, serve
serve(sys.stdin.buffer, sys.stdout.buffer)
"""


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    """A folder of files that are named like modules and exit when imported."""
    folder = tmp_path / "crowded"
    folder.mkdir()
    for name in TAKEN:
        (folder / f"{name}.py").write_text(f"raise SystemExit('{name} is mine')\n")
    package = folder / "refengine_conformance"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('the package is mine')\n")
    return folder


def started(folder: Path, *words: str, **environment: str) -> CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", **environment}
    return run_process(*words, cwd=folder, env=env)


@pytest.mark.parametrize(
    "words",
    [
        ("conform", "run", "--jobs", "2", "--tier", "core", "--clause", "5.3", *RIGHT),
        ("conform", "run", *WHOLE_HANDS, *RIGHT),
        ("conform", "selftest", "--only", "good", "--only", "accepts_all"),
        ("conform", "mutants", "list"),
        ("conform", "registry", "--check"),
        ("conform", "strength", "--help"),  # loads the rules from their source
        ("conform", "deals", *WHOLE_HANDS),
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_files_called_like_modules_are_not_imported(
    crowded: Path, words: tuple[str, ...]
) -> None:
    found = started(crowded, COMMAND, *words, XDG_CACHE_HOME=str(crowded / "cache"))
    assert "is mine" not in found.stdout + found.stderr
    assert found.returncode == 0, found.stderr


def test_the_plugin_imports_none_of_them_either(crowded: Path) -> None:
    table = [word.replace("--", "--hearts-") for word in WHOLE_HANDS]
    found = started(
        crowded,
        str(Path(sys.executable).with_name("pytest")),
        *("-p", "no:cacheprovider", "--hearts-adapter", "builtin:reference", *table),
        XDG_CACHE_HOME=str(crowded / "cache"),
    )
    assert "is mine" not in found.stdout + found.stderr
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_adapter_imports_from_its_own_folder_as_ever(
    tmp_path: Path, jobs: str
) -> None:
    (tmp_path / "neighbour.py").write_text("")
    (tmp_path / "adapter.py").write_text(NEIGHBOUR)
    adapter = ("env", "-C", str(tmp_path), sys.executable, "-m", "adapter", *sys.path)
    words = ("conform", "run", "--tier", "core", "--clause", "5.3", "--jobs", jobs)
    found = started(tmp_path, COMMAND, *words, "--format", "text", "--", *adapter)
    assert found.returncode == 0, found.stdout + found.stderr


def safe_path_in_worker(_: int) -> str | None:
    from refengine.jobs.own_python import safe_path

    return safe_path()


@pytest.mark.parametrize("before", [None, "1"])
def test_a_worker_has_the_environment_of_its_run(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", before)
    with open_executor(2) as pool:
        assert pool is not None
        found = [*results_in_order(range(3), safe_path_in_worker, pool)]
    assert found == [before] * 3


def test_a_user_without_a_home_goes_on_without_a_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    searched: list[object] = []

    def search(*asked: object) -> dict[str, object]:
        searched.append(asked)
        return {"lines": [], "unreached": {}, "unseen": []}

    monkeypatch.setenv("XDG_CACHE_HOME", "cache")  # ignored, since it is relative
    monkeypatch.setattr(Path, "home", nowhere)
    monkeypatch.setattr(aimed_games, "_searched", search)
    table = Table(ruleset=Ruleset("estmesh-hearts", 4))
    for times in (1, 2):  # nothing is kept
        assert aimed_games.aimed_set(table, ["5.3"]).lines == ()
        assert len(searched) == times
