"""Tests of the search for our files that a module imports, directly or not."""

from pathlib import Path

import pytest

from refengine_conformance.jobs import imported
from refengine_conformance.jobs.imported import digest_of_imported, files_imported
from tests.support.commands import run_python

NEEDED = """
import sys, importlib
importlib.import_module(sys.argv[1])
for module in list(sys.modules.values()):
    name = module.__name__.partition(".")[0]
    if name in ("refengine", "refengine_conformance") and module.__file__:
        print(module.__file__)
"""


@pytest.mark.parametrize(
    "name",
    [
        "refengine.chapters.play",
        "refengine_conformance.tables.aiming",
        "refengine_conformance.tables.search_process",
    ],
)
def test_every_file_that_python_loads_is_named(name: str) -> None:
    loaded = {*map(Path, run_python(NEEDED, name).stdout.split())}
    assert len(loaded) > 3
    assert loaded <= {*files_imported(name)}


def test_what_is_not_needed_is_not_named() -> None:
    rooms = {path.parent.name for path in files_imported("refengine.chapters.play")}
    assert "chapters" in rooms
    assert not rooms & {"cli", "rulings", "formats", "worlds"}


def test_the_digest_follows_what_is_needed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "a": (
            "from refengine import b\n"
            "if TYPE_CHECKING:\n    import refengine.c\n"
            "else:\n    import refengine.d\n"
        ),
        "b": "X = 1\n",
        "c": "",
        "d": "",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)

    def file_of(name: str) -> Path | None:
        path = tmp_path / f"{name.rpartition('.')[2]}.py"
        return path if path.is_file() else None

    monkeypatch.setattr(imported, "file_of", file_of)
    for_types = {tmp_path / "c.py"}
    assert {*files_imported("refengine.a")}.isdisjoint(for_types)
    assert for_types < {*files_imported("refengine.a", typed=True)}

    def digest() -> str:
        digest_of_imported.cache_clear()
        return digest_of_imported("refengine.a")

    try:
        before = digest()
        (tmp_path / "c.py").write_text("Y = 1\n")
        assert digest() == before
        for name in ("b", "d"):
            before = digest()
            (tmp_path / f"{name}.py").write_text("X = 2\n")
            assert digest() != before
    finally:
        digest_of_imported.cache_clear()
