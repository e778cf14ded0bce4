"""Finds the source code that given code may use, by following the names in it.

The files are read, not run. A name leads to the statements at the top level of its
module that bind it, through imports if need be, and the names in those statements lead
further. If any statement of a module is reached, so are those of its statements that
bind no name. More is reached in this way than is really run, but what is looked up by a
name in a string is missed.
"""

from __future__ import annotations

import ast
import copy
import symtable
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

import attrs

from refengine_conformance.jobs.imported import file_of

Place = tuple[str, str]
"""A module, and either a name at its top level or `ALL`."""
ALL: Final = "*"
_LATE: Final = "__getattr__"  # called for a name that a module does not bind
_Importing: Final = (ast.Import, ast.ImportFrom)


def code_reached(
    starts: Iterable[Place], package: str, functions: bool = True
) -> frozenset[str]:
    """All statements of a package that may be used from these places, each as text.

    The text has no comments or docstrings. Anything imported from another package is
    represented by its name alone. If `functions` is false, only what is outside
    functions is included, such as constants, and classes without their methods.
    """
    found: set[str] = set()
    left, seen = [*starts], set[Place]()
    while left:
        place = left.pop()
        if place in seen:
            continue
        seen.add(place)
        module, name = place
        if module.partition(".")[0] != package:
            found.add(f"{module}.{name}")
            continue
        for statement in _at(module, name):
            if isinstance(statement, _Importing):
                left += _imported(statement, name, ALL)
            elif functions or not isinstance(statement, ast.FunctionDef):
                text, leading_to = _read(module, statement, functions)
                found.add(text)
                left += leading_to
    return frozenset(found)


@cache
def _read(
    module: str, statement: ast.stmt, functions: bool
) -> tuple[str, tuple[Place, ...]]:
    """A statement of a module as text, and the places to which the names in it lead."""
    tree = copy.deepcopy(statement)
    if not functions:
        tree = _WithoutFunctions().visit(tree)
    leading_to = tuple(places_named(module, tree))
    return without_docstrings(tree), leading_to


def places_named(module: str, tree: ast.AST) -> Iterator[Place]:
    """The places to which the names in a tree from this module lead."""
    inside = _bound_in(node for node in ast.walk(tree) if isinstance(node, _Importing))
    bound = _module(module).bound
    used = _names_from_outside(tree)
    for name, attribute in _names_in(tree):
        leading = bound.get(name, []) if name in used else []
        for statement in [*inside.get(name, ()), *leading]:
            if isinstance(statement, _Importing):
                yield from _imported(statement, name, attribute)
            else:
                yield module, name


def _names_from_outside(tree: ast.AST) -> set[str]:
    """The names used in a tree, except those that are local to a function in it."""
    tables = [symtable.symtable(ast.unparse(tree), "", "exec")]
    found = set()
    for table in tables:
        tables += table.get_children()
        in_function = table.get_type() == "function"
        for one in table.get_symbols():
            if one.is_referenced() and (one.is_global() or not in_function):
                found.add(one.get_name())
    return found


def _names_in(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Each name in a tree, with the attribute after it, or `ALL` if there is none."""
    if isinstance(tree, ast.Attribute) and isinstance(tree.value, ast.Name):
        yield tree.value.id, tree.attr
        return
    if isinstance(tree, ast.Name):
        yield tree.id, ALL
    for child in ast.iter_child_nodes(tree):
        yield from _names_in(child)


def _imported(statement: ast.stmt, name: str, attribute: str) -> Iterator[Place]:
    """What a name that this statement imports refers to, as places.

    If the name is known to refer to a module, the place is `attribute` in that module.
    For the name `a` in `import a.b`, it is `ALL` in the module `a.b`.
    """
    if isinstance(statement, ast.ImportFrom):
        for one in statement.names:
            if name == (one.asname or one.name):
                inner = f"{statement.module}.{one.name}"
                is_module = file_of(inner) is not None
                thing = str(statement.module), one.name
                yield (inner, attribute) if is_module else thing
    elif isinstance(statement, ast.Import):
        for one in statement.names:
            if name == one.asname:
                yield one.name, attribute
            elif name == one.name.partition(".")[0]:
                yield one.name, attribute if name == one.name else ALL


# Modules


@attrs.frozen
class _Module:
    """A module's statements: those that bind each name, and those that bind none."""

    bound: dict[str, list[ast.stmt]]
    loose: list[ast.stmt]


@cache
def _module(name: str) -> _Module:
    """The module with this name, or an empty one if the project has no such module."""
    path = file_of(name)
    tree = ast.parse(path.read_text("utf-8") if path else "")
    body = [one for one in tree.body if not _is_text(one) and not _is_for_main(one)]
    return _Module(_bound_in(body), [one for one in body if not _bound_in([one])])


def _at(module: str, name: str) -> Iterator[ast.stmt]:
    """The statements to which a name in a module leads, and all that bind no name."""
    parts = _module(module)
    yield from parts.loose
    if name != ALL:
        yield from parts.bound.get(name, parts.bound.get(_LATE, ()))
        return
    for statements in parts.bound.values():
        yield from (one for one in statements if not isinstance(one, _Importing))


def _bound_in(statements: Iterable[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """A map from each name to the statements that bind it.

    A name that a nested import binds is mapped to the import itself.
    """
    found: dict[str, list[ast.stmt]] = {}
    for statement in statements:
        for one, name in _binding(statement, statement):
            found.setdefault(name, []).append(one)
    return found


def _binding(node: ast.AST, whole: ast.stmt) -> Iterator[tuple[ast.stmt, str]]:
    """The names that are bound in this node, each as a pair (statement, name).

    The statement is `whole` or, for an import, the import itself.
    """
    if isinstance(node, ast.Import | ast.ImportFrom):
        for one in node.names:
            yield node, one.asname or one.name.partition(".")[0]
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield whole, node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield whole, node.id
    else:
        for child in ast.iter_child_nodes(node):
            yield from _binding(child, whole)


# Trees


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is only a string, such as a docstring."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_for_main(node: ast.stmt) -> bool:
    """Whether a statement runs only when its module is run as a program."""
    return isinstance(node, ast.If) and "__name__" in _names_from_outside(node.test)


class _WithoutWords(ast.NodeTransformer):
    """Removes docstrings, and other strings that are statements, from a syntax tree."""

    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:  # the name is `ast`'s
        return None if _is_text(node) else node


class _WithoutFunctions(ast.NodeTransformer):
    """Removes functions from a syntax tree."""

    def visit_FunctionDef(self, _: ast.FunctionDef) -> None:  # the name is `ast`'s
        return None

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Put `pass` into a class or an `if` whose body would be empty."""
        super().generic_visit(node)
        if isinstance(node, ast.ClassDef | ast.If) and not node.body:
            node.body = [ast.Pass()]
        return node


def without_docstrings(tree: ast.AST) -> str:
    """Remove the docstrings from a tree, and return it as text without positions."""
    return ast.dump(_WithoutWords().visit(tree))
