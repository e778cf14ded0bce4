"""The types that the type checker finds for the expressions of a module, by place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mypy import build, nodes, options, patterns
from mypy import types as kinds
from mypy.modulefinder import BuildSource

Place = tuple[int, int, int, int]

NUMBER: Final = "number"
FLAG: Final = "flag"
TEXT: Final = "text"
ROW: Final = "row"  # a list or a tuple
TABLE: Final = "table"  # a dict
SET: Final = "set"
STREAM: Final = "stream"  # what can only be iterated over, such as a generator
VALUE: Final = "value"  # an object of any other class
FUNCTION: Final = "function"
CLASS: Final = "class"
NOTHING: Final = "nothing"
ANYTHING: Final = "anything"  # what the type checker calls `object` or `Any`

_BY_NAME: Final = {
    "builtins.int": NUMBER,
    "mypy_extensions.i64": NUMBER,
    "builtins.bool": FLAG,
    "builtins.str": TEXT,
    "builtins.list": ROW,
    "builtins.tuple": ROW,
    "builtins.range": ROW,
    "typing.Sequence": ROW,
    "builtins.dict": TABLE,
    "typing.Mapping": TABLE,
    "types.MappingProxyType": TABLE,
    "builtins.set": SET,
    "builtins.frozenset": SET,
    "typing.AbstractSet": SET,
    "typing.Iterable": STREAM,
    "builtins.type": CLASS,
}


class Unknown(Exception):
    """The type of an expression is not known well enough to carry it over."""


class Checked:
    """The modules of the package as the type checker sees them."""

    def __init__(self, root: Path, modules: Iterable[str]) -> None:
        chosen = options.Options()
        chosen.export_types = True
        chosen.preserve_asts = True
        chosen.incremental = False
        chosen.mypy_path = [str(root)]
        sources = [BuildSource(None, one, None) for one in modules]
        made = build.build(sources, chosen)
        if made.errors:
            raise ValueError("\n".join(made.errors))
        self._made = made
        self._by_place: dict[str, dict[Place, kinds.Type]] = {}

    def kinds_of(self, module: str, node: ast.expr) -> frozenset[str]:
        """The kinds of value that an expression may have, several for a union.

        Raises Unknown if the type checker does not know.
        """
        return _kinds(self._type_of(module, node))

    def classes_of(self, module: str, node: ast.expr) -> list[str]:
        """The classes whose methods the value may have, each before its base classes.

        Each name begins with the last part of the module's name, as in JavaScript.
        Raises Unknown if the type checker does not know.
        """
        return _classes(self._type_of(module, node))

    def item_kinds_of(self, module: str, node: ast.expr) -> frozenset[str]:
        """The kinds of item that a row or another iterable may contain.

        Raises Unknown if the type checker does not know.
        """
        return _item_kinds(self._type_of(module, node))

    def _type_of(self, module: str, node: ast.expr) -> kinds.Type:
        if module not in self._by_place:
            self._by_place[module] = self._gather(module)
        try:
            return self._by_place[module][_place_of(node)]
        except KeyError:
            raise Unknown(f"{module}:{node.lineno}: {ast.unparse(node)}") from None

    def _gather(self, module: str) -> dict[Place, kinds.Type]:
        types = self._made.types
        return {
            (one.line, one.column, one.end_line or 0, one.end_column or 0): types[one]
            for one in _expressions(self._made.files[module])
            if one in types
        }


_ELSEWHERE: Final = ("node", "info", "names", "imports", "type", "plugin_deps")
_PARTS: Final = (
    nodes.Expression,
    nodes.Statement,
    nodes.Block,
    nodes.Argument,
    nodes.FuncItem,
    nodes.MypyFile,
    patterns.Pattern,
)


def _expressions(root: nodes.Node) -> Iterator[nodes.Expression]:
    """All expressions in a tree of mypy, whose own visitors cannot be subclassed."""
    seen: set[int] = set()
    todo: list[object] = [root]
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo.extend(one)
        elif isinstance(one, _PARTS) and id(one) not in seen:
            seen.add(id(one))
            if isinstance(one, nodes.Expression):
                yield one
            names = {
                name
                for kind in type(one).__mro__
                for name in getattr(kind, "__mypyc_attrs__", ())
            }
            for name in names.difference(_ELSEWHERE):
                todo.append(getattr(one, name, None))


def _place_of(node: ast.expr) -> Place:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _kinds(one: kinds.Type) -> frozenset[str]:
    one = kinds.get_proper_type(one)
    match one:
        case kinds.UnionType():
            return frozenset().union(*map(_kinds, one.items))
        case kinds.NoneType():
            return frozenset({NOTHING})
        case kinds.TupleType():
            return frozenset({ROW})
        case kinds.LiteralType():
            return _kinds(one.fallback)
        case kinds.TypeVarType():
            return _kinds(one.upper_bound)
        case kinds.CallableType() | kinds.Overloaded():
            return frozenset({CLASS if one.is_type_obj() else FUNCTION})
        case kinds.TypeType():
            return frozenset({CLASS})
        case kinds.Instance():
            for base in one.type.mro:
                if base.fullname in _BY_NAME:
                    return frozenset({_BY_NAME[base.fullname]})
            if one.type.fullname == "builtins.object":
                return frozenset({ANYTHING})
            return frozenset({VALUE})
        case kinds.UninhabitedType():
            return frozenset()
    return frozenset({ANYTHING})


def _item_kinds(one: kinds.Type) -> frozenset[str]:
    one = kinds.get_proper_type(one)
    match one:
        case kinds.UnionType():
            return frozenset().union(*map(_item_kinds, one.items))
        case kinds.TupleType():
            return frozenset().union(*map(_kinds, one.items))
        case kinds.Instance() if one.args:
            return _kinds(one.args[0])
        case kinds.Instance() if one.type.fullname == "builtins.range":
            return frozenset({NUMBER})
    return frozenset({ANYTHING})


def _classes(one: kinds.Type) -> list[str]:
    one = kinds.get_proper_type(one)
    match one:
        case kinds.UnionType():
            return [name for part in one.items for name in _classes(part)]
        case kinds.TypeVarType():
            return _classes(one.upper_bound)
        case kinds.Instance():
            return [
                f"{base.module_name.rpartition('.')[2]}${base.name}"
                for base in one.type.mro
            ]
        case kinds.TypeType():
            return _classes(one.item)
        case kinds.CallableType() if one.is_type_obj():
            return _classes(one.ret_type)
    return []
