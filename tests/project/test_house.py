"""The house kept in order: functions of clauses stay short, and so do modules."""

import ast
from pathlib import Path
from statistics import median
from types import ModuleType

import pytest

import refengine
import refengine_conformance
from refengine.lawbook.book import registry
from refengine_conformance.mutants.source_edits import definition

MEDIAN_LINES = 7  # of a function that claims a clause, its docstring apart
LONGEST = {refengine: 576, refengine_conformance: 625}

pytestmark = pytest.mark.interpreted("it measures the source")


def is_function(name: str) -> bool:
    """Whether a clause is claimed by a function, not by a whole class or module."""
    return isinstance(definition(name), ast.FunctionDef)


def lines_of(function: str) -> int:
    """How many lines the body of a function has, without its docstring."""
    node = definition(function)
    return (node.body[-1].end_lineno or 0) - node.body[0].lineno + 1


def test_functions_that_claim_a_clause_are_short() -> None:
    claimed = {name for entry in registry()["clauses"] for name in entry["functions"]}
    functions = [
        name for name in claimed if isinstance(definition(name), ast.FunctionDef)
    ]
    assert len(functions) > 100
    assert median(map(lines_of, functions)) <= MEDIAN_LINES


@pytest.mark.parametrize("room", LONGEST, ids=lambda room: room.__name__)
def test_no_module_is_long(room: ModuleType) -> None:
    sources = Path(room.__path__[0]).rglob("*.py")
    lengths = {path.stem: len(path.read_text("utf-8").splitlines()) for path in sources}
    assert len(lengths) > 50
    assert {stem: n for stem, n in lengths.items() if n > LONGEST[room]} == {}
