"""Reads what a module defines, which the translator must know beforehand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import attrs

_ERRORS: Final = frozenset(
    ("Exception", "ValueError", "TypeError", "AssertionError", "LookupError")
)
LEFT_OUT: Final = frozenset(  # methods that only Python calls
    (
        *("__reduce__", "__hash__", "__copy__", "__deepcopy__", "__match_args__"),
        *("__format__", "__slots__"),
        *("__rand__", "__ror__", "__rsub__", "__rxor__"),
        *("_repr_svg_", "_repr_pretty_"),
    )
)
_WITHOUT_VALUES: Final = frozenset(("Protocol", "TypedDict"))


@attrs.frozen
class Signature:
    """The parameters of a function, in the order in which JavaScript has them.

    `names` are the named parameters; the first `places` of them may be passed by
    position. `by_name` says whether the function takes `**kwargs`, which JavaScript
    passes as a table after the named parameters. `rest` says whether it takes `*args`,
    which come last.
    """

    names: tuple[str, ...]
    places: int
    by_name: bool = False
    rest: bool = False

    def without_first(self) -> Signature:
        """The same signature without its first parameter, `self` or `cls`."""
        return attrs.evolve(self, names=self.names[1:], places=self.places - 1)


@attrs.frozen
class Module:
    """A module to carry over: its name, its tree, and what the names in it mean."""

    name: str
    tree: ast.Module
    names: dict[str, str]
    """Names in JavaScript, by the name in this module."""
    modules: dict[str, str]
    """Names of other modules in JavaScript, by the name in this module."""
    known: Known


@attrs.frozen
class Known:
    """What is known about all the modules that are carried over together."""

    signatures: dict[str, Signature]
    """The signature of each function and class, by its name in JavaScript."""
    methods: dict[tuple[str, str], Signature]
    """The signature of each method, by the name of its class and its own."""
    classes: frozenset[str]
    enums: frozenset[str]
    fields: dict[str, tuple[str, ...]]
    """The fields of each class in order, for a pattern that matches by position."""


def own_names(short: str, tree: ast.Module) -> dict[str, str]:
    """The names that a module defines, each with its name in JavaScript."""
    return {name: f"{short}${name}" for node in tree.body for name in defined_by(node)}


def defined_by(node: ast.stmt) -> list[str]:
    """The names that a statement at the top of a module defines."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [one.id for one in targets if isinstance(one, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def bases_of(node: ast.ClassDef) -> list[str]:
    """The names of the direct base classes of a class."""
    return [ast.unparse(one).partition("[")[0] for one in node.bases]


def is_error(node: ast.ClassDef) -> bool:
    """Whether the class derives directly from one of Python's exceptions."""
    return not _ERRORS.isdisjoint(bases_of(node))


def has_no_value(node: ast.ClassDef) -> bool:
    """Whether the class is only for the type checker: a Protocol or a TypedDict."""
    return not _WITHOUT_VALUES.isdisjoint(bases_of(node))


def decorators_of(node: ast.ClassDef | ast.FunctionDef) -> dict[str, ast.expr]:
    """The decorators of a class or function, by their names without arguments."""
    return {
        ast.unparse(one.func if isinstance(one, ast.Call) else one): one
        for one in node.decorator_list
    }


def is_attrs(node: ast.ClassDef) -> bool:
    """Whether the class is decorated with `attrs.frozen`."""
    return "attrs.frozen" in decorators_of(node)


def makes_init(node: ast.ClassDef) -> bool:
    """Whether `attrs.frozen` makes the `__init__` of the class too."""
    given = decorators_of(node).get("attrs.frozen")
    return is_attrs(node) and not (
        isinstance(given, ast.Call)
        and any(
            one.arg == "init" and ast.unparse(one.value) == "False"
            for one in given.keywords
        )
    )


def is_constant(node: ast.AnnAssign) -> bool:
    """Whether an annotation in a class declares a class variable, not a field."""
    return ast.unparse(node.annotation).partition("[")[0] == "ClassVar"


def fields_of(node: ast.ClassDef) -> Iterator[ast.AnnAssign]:
    """The annotations that declare the fields of an `attrs.frozen` class."""
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and not is_constant(one):
            yield one


def field_names(node: ast.ClassDef) -> tuple[str, ...]:
    """The field names in order; for a plain class, the parameters of its `__init__`."""
    if is_attrs(node):
        return tuple(ast.unparse(one.target) for one in fields_of(node))
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            return signature_of(one).names[1:]
    return ()


def signature_of(node: ast.FunctionDef) -> Signature:
    """The signature of a function, with `self` if it has one."""
    given = node.args
    return Signature(
        tuple(one.arg for one in (*given.args, *given.kwonlyargs)),
        len(given.args),
        given.kwarg is not None,
        given.vararg is not None,
    )


def signatures_in(
    short: str, tree: ast.Module
) -> Iterator[tuple[str | tuple[str, str], Signature]]:
    """The signatures of the functions, classes and methods of a module, by name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield f"{short}${node.name}", signature_of(node)
        if isinstance(node, ast.ClassDef):
            if makes_init(node):
                names = field_names(node)
                yield f"{short}${node.name}", Signature(names, len(names))
            for one in node.body:
                if isinstance(one, ast.FunctionDef):
                    given = signature_of(one)
                    static = "staticmethod" in decorators_of(one)
                    rest = given if static else given.without_first()
                    if one.name == "__init__":
                        yield f"{short}${node.name}", rest
                    yield (f"{short}${node.name}", one.name), rest
