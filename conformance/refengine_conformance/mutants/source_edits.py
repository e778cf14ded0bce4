"""Changes to the source of `refengine`, stored as text and applied to its syntax trees.

This module reads `refengine` as text and does not import it, so that a process can
still load it with a change.
"""

from __future__ import annotations

import ast
import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from refengine_conformance.data import data

CORPUS: Final = data("corpus")
JUDGING_KINDS: Final = ("permit", "forbid", "effect")
PACKAGE: Final = "refengine"
REGISTRY: Final = "lawbook/registry.json"  # in the folder of the package
_ROOMS_OF_RULES: Final = ("chapters", "machine")


@attrs.frozen
class Edit:
    """A change to one function, in which `old` is replaced by `new`.

    `old` must occur exactly once in the body of the function as `ast.unparse` writes
    it, so layout and comments do not matter. If `old` is empty, `new` replaces the
    whole body. In either case, the lines of `new` are indented like the line that they
    replace. If `function` is a module or a class, `old` is one whole statement at its
    top level.
    """

    function: str
    old: str
    new: str


@attrs.frozen
class Mutant:
    """A mutant: its id, what is wrong with it, the clauses it breaks, and its edits."""

    id: str
    text: str
    clauses: tuple[str, ...]
    edits: tuple[Edit, ...]


def edits_in(entry: Mapping[str, Any]) -> tuple[Edit, ...]:
    """The edits in an entry of a table of mutants."""
    return tuple(
        Edit(one["in"], one.get("old", ""), one["new"]) for one in entry["edits"]
    )


# The source


@cache
def package_folder() -> Path:
    """The folder of `refengine`, found without importing it."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(next(iter(spec.submodule_search_locations)))


@cache
def spec_folder() -> Path:
    """The folder of the book: inside the installed package, or next to it."""
    inside = package_folder() / "spec"
    return inside if inside.is_dir() else package_folder().parent / "spec"


@cache
def clause_entries() -> tuple[dict[str, Any], ...]:
    """The entries of the registry of clauses, in the order of its file."""
    text = (package_folder() / REGISTRY).read_text("utf-8")
    return tuple(json.loads(text)["clauses"])


def version_of_book() -> str:
    """The version of the book, from the registry of its clauses as it is now."""
    text = (package_folder() / REGISTRY).read_text("utf-8")
    version: str = json.loads(text)["version"]
    return version


def judging_clauses() -> Iterator[dict[str, Any]]:
    """The entries of the clauses that permit, forbid or bring something about."""
    return (entry for entry in clause_entries() if entry["kind"] in JUDGING_KINDS)


@cache
def _paths() -> dict[str, Path]:
    """A map from the name of each module of refengine, without packages, to its file.

    Raises ValueError if two modules have the same name.
    """
    found: dict[str, Path] = {}
    for path in sorted(package_folder().rglob("*.py")):
        if path.stem == "__init__" and path.parent != package_folder():
            continue  # a room has no code of its own
        if path.stem in found:
            raise ValueError(f"{path} and {found[path.stem]} have the same name")
        found[path.stem] = path
    return found


@cache
def module_names() -> tuple[str, ...]:
    """The names of the modules of refengine, sorted."""
    return tuple(sorted(_paths()))


def modules_of_rules() -> list[str]:
    """The names of the modules that contain the rules: the chapters and the machine."""
    return [
        name
        for name in module_names()
        if file_of_module(name).partition("/")[0] in _ROOMS_OF_RULES
    ]


def import_name(module: str) -> str:
    """The name by which a module of refengine is imported."""
    path = _paths()[module].relative_to(package_folder().parent)
    return ".".join(path.with_suffix("").parts)


def file_of_module(module: str) -> str:
    """The file of a module of refengine, relative to the folder of the package."""
    return _paths()[module].relative_to(package_folder()).as_posix()


@cache
def _source(module: str) -> str:
    return _paths()[module].read_text("utf-8")


def tree_of_module(module: str) -> ast.Module:
    """A new syntax tree of the module, which the caller may change."""
    return ast.parse(_source(module))


def definitions_in(
    tree: ast.Module | ast.ClassDef, name: str
) -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef]]:
    """The full name and the tree of each class and function in a module or class.

    They come in source order, and what is in a class comes after the class.
    `name` is that of the module or class itself.
    """
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            inner = f"{name}.{node.name}"
            yield inner, node
            if isinstance(node, ast.ClassDef):
                yield from definitions_in(node, inner)


def definition_tree(name: str) -> ast.Module | ast.ClassDef | ast.FunctionDef:
    """A new syntax tree of a module, class or function; a function's has no docstring.

    Raises ValueError if nothing has this name.
    """
    module, *inner = name.split(".")
    if module not in module_names():
        raise ValueError(f"there is no module {module}")
    node: ast.Module | ast.ClassDef | ast.FunctionDef = tree_of_module(module)
    for part in inner:
        node = _definition_in(node, part, name)
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return node


def _definition_in(
    scope: ast.Module | ast.ClassDef | ast.FunctionDef, part: str, wanted: str
) -> ast.ClassDef | ast.FunctionDef:
    """The class or function called `part` that is defined in this scope.

    Raises ValueError if there is none; the message contains the full name, `wanted`.
    """
    for one in scope.body:
        if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == part:
            return one
    raise ValueError(f"there is no class or function {wanted}")


def function_at(name: str) -> ast.FunctionDef:
    """A new syntax tree of a function, without its docstring.

    Raises ValueError if no function has this name.
    """
    node = definition_tree(name)
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(f"there is no function {name}")
    return node


def edited_function(edit: Edit) -> ast.FunctionDef:
    """A new syntax tree of the function after the edit.

    Raises ValueError unless `old` is empty or occurs exactly once.
    """
    node = function_at(edit.function)
    lines = ast.unparse(ast.Module(body=list(node.body), type_ignores=[]))
    if not edit.old:
        lines = edit.new
    elif lines.count(edit.old) != 1:
        times = lines.count(edit.old)
        raise ValueError(f"{edit.function}: {edit.old!r} occurs {times} times")
    else:
        before = lines[: lines.index(edit.old)].rpartition("\n")[2]
        margin = before[: len(before) - len(before.lstrip())]
        new = edit.new.strip("\n").replace("\n", f"\n{margin}")
        lines = lines.replace(edit.old, new)
    node.body = ast.parse(lines).body
    return ast.fix_missing_locations(node)


def changed_module_tree(module: str, edits: Iterable[Edit]) -> ast.Module:
    """A new syntax tree of a module after those of the edits that concern it.

    A function is replaced as a whole, so it can have only one edit. Raises ValueError
    for a name that is not in the module, and for an edit that does not fit.
    """
    tree = tree_of_module(module)
    for edit in edits:
        home, *inner = edit.function.split(".")
        if home != module:
            continue
        node: ast.Module | ast.ClassDef | ast.FunctionDef = tree
        for part in inner:
            scope, node = node, _definition_in(node, part, edit.function)
        if isinstance(node, ast.FunctionDef):
            scope.body[scope.body.index(node)] = edited_function(edit)
        else:
            _put_statement(node.body, edit)
    return ast.fix_missing_locations(tree)


def _put_statement(scope: list[ast.stmt], edit: Edit) -> None:
    """Replace the statement `edit.old` at the top level of a module or class.

    Raises ValueError unless it occurs exactly once.
    """
    found = [place for place, one in enumerate(scope) if ast.unparse(one) == edit.old]
    if len(found) != 1:
        raise ValueError(f"{edit.function}: {edit.old!r} occurs {len(found)} times")
    scope[found[0]] = ast.parse(edit.new).body[0]
