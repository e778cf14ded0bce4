"""Tests of the house style, such as short modules and short functions for clauses."""

import ast
import re
import shutil
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median
from types import ModuleType

import grimp
import pytest

import refengine
import refengine_conformance
from refengine.lawbook.book import registry
from refengine_conformance.mutants.source_edits import definition_tree
from tests.support import places
from tests.support.commands import run_process

MEDIAN_LINES = 7  # of a function that claims a clause, its docstring apart
LONGEST = {refengine: 576, refengine_conformance: 625}

pytestmark = pytest.mark.interpreted("it measures the source")


def is_function(name: str) -> bool:
    """Whether a dotted name is that of a function, not of a class or a module."""
    return isinstance(definition_tree(name), ast.FunctionDef)


def lines_of(function: str) -> int:
    """The number of lines in the body of a function, without its docstring."""
    node = definition_tree(function)
    return (node.body[-1].end_lineno or 0) - node.body[0].lineno + 1


def test_functions_that_claim_a_clause_are_short() -> None:
    claimed = {name for entry in registry()["clauses"] for name in entry["functions"]}
    functions = [*filter(is_function, claimed)]
    assert len(functions) > 100
    assert median(map(lines_of, functions)) <= MEDIAN_LINES


@pytest.mark.parametrize("room", LONGEST, ids=lambda room: room.__name__)
def test_no_module_is_long(room: ModuleType) -> None:
    sources = Path(room.__path__[0]).rglob("*.py")
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sources}
    assert len(lengths) > 50
    assert {path: n for path, n in lengths.items() if n > LONGEST[room]} == {}


# Who may import whom

# Every other import is a statement, which mypy and the contracts can see.
BY_STRING = {
    "refengine/__init__.py": "the public names, each imported when it is asked for",
    "refengine/public.py": "the public names and their older spellings",
    "refengine_conformance/mutants/loading.py": "a worker loads the rules from source",
}
NAMED = BY_STRING | {
    "refengine_conformance/commands/conform_command.py": "tools are processes",
    "refengine_conformance/fuzz/coverage_guided.py": "what the fuzzer has to watch",
    "refengine_conformance/plugin/pytest_entry.py": "pytest imports plugins by name",
    "refengine_conformance/runner/driver.py": "a mutant is a process of its own",
    "refengine_conformance/selftest/identified_engines.py": "an adapter is a process",
    "refengine_conformance/selftest/selftest.py": "a bad adapter is a process",
    "refengine_conformance/strength/killed_by_corpus.py": "what outlives the engine",
    "refengine_conformance/strength/recorded.py": "where the names of a trial begin",
    "refengine_conformance/tables/aimed_games.py": "a search is a process of its own",
}
PACKAGES = {
    "refengine": Path(refengine.__path__[0]),
    "refengine_conformance": Path(refengine_conformance.__path__[0]),
}


def sources() -> Iterator[tuple[str, Path]]:
    """Every module of the project, preceded by its path in a wheel."""
    for package, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            yield f"{package}/{path.relative_to(folder).as_posix()}", path


def code_strings(tree: ast.Module) -> Iterator[str]:
    """The string literals of a module that are values rather than docstrings."""
    documented = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in documented
        ):
            yield node.value


def names_a_module(text: str, modules: set[str]) -> bool:
    """Whether a string names one of our modules, with or without its package."""
    words = re.findall(r"[A-Za-z_]+(?:\.\w+)+", text)
    return any(
        word in modules or word.partition(".")[2] in modules
        for word in words
        if word.partition(".")[0] in PACKAGES or word == text
    )


def test_no_two_test_files_have_the_same_name() -> None:
    """Pytest imports test files by their bare names, so two of one name would clash."""
    names = [path.name for path in places.ROOT.glob("tests/**/test_*.py")]
    assert len(names) > 60
    assert len(names) == len({*names})


# What is imported late, when it is asked for: how a value shows or explains itself, and
# what an error may have meant. Each is built upon the module that asks for it.
LATE = {
    ("refengine.game.values.cardset", "refengine.pictures"),
    ("refengine.game.values.state", "refengine.pictures"),
    ("refengine.game.values.state", "refengine.rulings.explain"),
    ("refengine.game.tricks", "refengine.pictures"),
    ("refengine.game.verdicts", "refengine.game.openings_in_words"),
    ("refengine.rulings.explain", "refengine.rulings.ruling_text"),
    ("refengine.rulings.asking.answers", "refengine.rulings.asking.answer_text"),
    ("refengine.lawbook.options", "refengine.lawbook.spoken"),
    ("refengine.machine.notation", "refengine.machine.cards_typed"),
}


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True)
    for importer, imported in LATE:
        graph.remove_import(importer=importer, imported=imported)
    needs = {
        one: graph.find_modules_directly_imported_by(one) - {one}
        for one in graph.modules
    }
    TopologicalSorter(needs).prepare()  # raises CycleError, which names the circle
    for importer, imported in LATE:  # and none of them is there for nothing
        with pytest.raises(CycleError):
            TopologicalSorter(
                needs | {importer: {*needs[importer], imported}}
            ).prepare()


def test_no_module_of_ours_is_imported_or_named_by_a_string() -> None:
    names = {name.removesuffix(".py").replace("/", ".") for name, _ in sources()}
    rooms = {name.partition(".")[2] for name in names}
    modules = names | {name for name in rooms if "." in name}
    imported: set[str] = set()
    named: set[str] = set()
    for name, path in sources():
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("import_module", "__import__")
            ):
                asked = node.args[0]
                if not isinstance(asked, ast.Constant) or names_a_module(
                    str(asked.value), modules
                ):
                    imported.add(name)
        if any(names_a_module(text, modules) for text in code_strings(tree)):
            named.add(name)
    assert imported == {*BY_STRING}
    assert named - imported == {*NAMED} - {*BY_STRING}


@pytest.mark.parametrize(
    ("importer", "line", "broken"),
    [
        ("refengine/chapters/play.py", "from refengine.machine import due", "room"),
        ("refengine/chapters/table.py", "from refengine.chapters import play", "order"),
        ("refengine/game/world.py", "import refengine_conformance.data", "never"),
        ("refengine/formats/trace.py", "import refengine.cli.main", "room"),
        (
            "conformance/refengine_conformance/jobs/journals.py",
            "import refengine_conformance.strength.measure",
            "conformance",
        ),
        (
            "conformance/refengine_conformance/report/reports.py",
            "import refengine.cli.main",
            "command line",
        ),
    ],
)
def test_a_wall_that_is_broken_through_turns_the_check_red(
    importer: str, line: str, broken: str, tmp_path: Path
) -> None:
    for name in ("refengine", "conformance/refengine_conformance"):
        shutil.copytree(
            places.ROOT / name,
            tmp_path / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.json"),
        )
    shutil.copy(places.ROOT / "pyproject.toml", tmp_path)
    path = tmp_path / importer
    path.write_text(f"{path.read_text('utf-8')}\n{line}\n", "utf-8")
    check = Path(sys.executable).with_name("lint-imports")
    env = {"PYTHONPATH": f"{tmp_path}:{tmp_path / 'conformance'}", "COLUMNS": "200"}
    found = run_process(check, "--no-logo", "--no-cache", cwd=tmp_path, env=env)
    assert found.returncode == 1, found.stdout + found.stderr
    wrong = [line for line in found.stdout.splitlines() if " BROKEN" in line]
    assert wrong
    assert any(broken in line for line in wrong), wrong
