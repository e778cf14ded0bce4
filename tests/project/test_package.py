"""Tests that the package is quick to import and defines its public names."""

import ast
import importlib
import sys
from pathlib import Path

import pytest

import refengine
from refengine import public
from tests.support.commands import run_python

FRESH = """
import sys
import refengine
loaded = [name for name in sys.modules if name.startswith("refengine.")]
assert loaded == ["refengine.public"], loaded
import refengine.chapters.cards
assert refengine.cards("2C QS") == refengine.CardSet("2C QS")
"""


def test_importing_the_package_imports_nothing_of_it() -> None:
    done = run_python(FRESH)
    assert done.returncode == 0, done.stderr


def test_every_public_name_has_a_home() -> None:
    assert sorted(refengine._HOME) == sorted(refengine.__all__)
    for name, home in refengine._HOME.items():
        value = getattr(refengine, name)
        assert getattr(sys.modules[f"refengine.{home}"], name) is value


def test_dir_shows_the_public_names() -> None:
    assert {*refengine.__all__, "__mode__", "__version__"} <= set(dir(refengine))


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'another'"):
        getattr(refengine, "another")  # noqa: B009  # no type checker lets it pass


def test_type_checkers_are_told_the_same_names_from_the_same_modules() -> None:
    tree = ast.parse(Path(str(refengine.__file__)).read_text("utf-8"))
    told = {
        name.name: str(node.module).partition(".")[2]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != "refengine"
        for name in node.names
        if name.name != "import_module"
    }
    assert told == refengine._HOME


@pytest.mark.parametrize(
    "name", [one for names in public.MODULES.values() for one in names]
)
def test_type_checkers_can_read_what_a_public_module_exports(name: str) -> None:
    path = Path(str(refengine.__file__)).parent / f"{name.replace('.', '/')}.py"
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            assert isinstance(node.value, ast.List)
            assert all(isinstance(one, ast.Constant) for one in node.value.elts)


@pytest.mark.interpreted("compiled modules have no docstrings")
@pytest.mark.parametrize(
    "name",
    [
        *(f"refengine.{one}" for names in public.MODULES.values() for one in names),
        *(f"refengine_conformance.{one}" for one in public.EVIDENCE),
        *(f"refengine_conformance.{one}" for one in public.FOR_TESTS),
    ],
)
def test_a_public_module_says_what_it_is_for(name: str) -> None:
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("old", public.OLD_NAMES)
def test_an_older_name_still_works_and_says_the_new_one(old: str) -> None:
    new = public.OLD_NAMES[old]
    with pytest.warns(DeprecationWarning, match=rf"refengine\.{old} is .*{new} now"):
        assert getattr(refengine, old) is getattr(refengine, new)


@pytest.mark.parametrize("old", public.OLD_MODULES)
def test_an_older_module_still_works_and_says_the_new_one(old: str) -> None:
    sys.modules.pop(f"refengine.{old}", None)
    with pytest.warns(DeprecationWarning, match=rf"refengine\.{old} is ") as warned:
        module = importlib.import_module(f"refengine.{old}")
    for home in public.OLD_MODULES[old]:
        assert f"refengine.{home}" in str(warned[0].message)
        for name, value in vars(importlib.import_module(f"refengine.{home}")).items():
            if not name.startswith("_"):
                assert vars(module)[name] is value


def test_the_warning_names_the_line_that_imports_an_older_module() -> None:
    command = "import warnings; warnings.simplefilter('always'); import refengine.bulk"
    done = run_python(command)
    assert done.stderr.startswith("<string>:1: DeprecationWarning: refengine.bulk is ")
    assert done.returncode == 0
