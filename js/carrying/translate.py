"""Translates the syntax tree of a module of the rules into JavaScript.

The subset of Python is what the rules and the game are written in: functions and
classes with annotated parameters, plain values, loops, matches and comprehensions.
Whatever is outside it raises `Unsupported`, with its place, so that a build fails
instead of going wrong. Where the two languages differ, the translation depends on the
types that the type checker finds:

- bits: `&`, `|`, `^`, `<<` and `>>` are exact for masks of 52 bits (runtime.mjs);
- truth: an empty list, tuple, table or set is false in Python and true in JavaScript;
- `==` compares values by what they hold, and so do `in` and `!=`;
- `//` and `%` round down; an index into a row may be negative;
- `or` and `and` return values; arguments may be named, or left to their defaults;
- an f-string writes its values as Python does.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from typing import Final

from carrying.expressions import Expressions, Unsupported, safe
from carrying.modules import (
    LEFT_OUT,
    Module,
    Signature,
    bases_of,
    decorators_of,
    defined_by,
    field_names,
    fields_of,
    has_no_value,
    is_attrs,
    is_constant,
    is_error,
    makes_init,
)
from carrying.patterns import Patterns
from carrying.types import Checked

__all__ = ["Module", "Signature", "Translator", "Unsupported"]

_STATIC: Final = ("seal", "close", "AnySet.register")  # statements about Python alone
_KEPT: Final = frozenset(("cache", "lru_cache"))
_OF_CLASSES: Final = frozenset(("attrs.frozen", "final", "mypyc_attr"))
_OF_FUNCTIONS: Final = frozenset(("staticmethod", "classmethod", "property"))


class Translator(Patterns, Expressions):
    """Translates one module into JavaScript."""

    def __init__(self, module: Module, checked: Checked) -> None:
        super().__init__(module, checked)
        self.told: list[str] = []
        """The JavaScript names defined so far."""
        self._inside = ""  # the class being translated

    def text(self, wanted: frozenset[str] | None = None) -> str:
        """The module, or the wanted part of it, in the order of the source.

        Raises Unsupported, whose message lists every place outside the subset.
        """
        parts: list[str] = []
        outside: list[str] = []
        for node in self.module.tree.body:
            names = defined_by(node)
            if wanted is not None and wanted.isdisjoint(names):
                continue
            try:
                parts.append(self._at_top(node))
            except Unsupported as fault:
                outside.append(str(fault))
        if outside:
            raise Unsupported("\n".join(outside))
        return "\n".join(filter(None, parts)) + "\n"

    # At the top of a module

    def _at_top(self, node: ast.stmt) -> str:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                return ""
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return ""
            case ast.Expr(value=ast.Call(func=called)) if (
                ast.unparse(called) in _STATIC
            ):
                return ""
            case ast.FunctionDef():
                return self._function_at_top(node)
            case ast.ClassDef():
                return "" if has_no_value(node) else self._class(node)
            case ast.Assign(value=ast.Call(func=ast.Name(id="NewType" | "TypeVar"))):
                return ""
            case ast.Assign(value=ast.Subscript(value=ast.Name())):
                return ""  # a type
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value):
                return self._kinds_together(name, value)
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                return ""
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                return ""
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return f"const {self._defined(name)} = {self.expr(value)};"
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                return f"const {self._defined(name)} = {self.expr(value)};"
        raise self.unsupported(node)

    def _defined(self, name: str) -> str:
        self.told.append(self.module.names[name])
        return self.told[-1]

    def _kinds_together(self, name: str, node: ast.BinOp) -> str:
        """The definition of a name for a union of classes or the value of an operator.

        The text is empty for a union that only the type checker reads.
        """
        parts = _parts_of_union(node)
        if parts is None:
            return f"const {self._defined(name)} = {self.expr(node)};"
        classes = [self.module.names.get(one, one) for one in parts]
        if not self.module.known.classes.issuperset(classes):
            return ""  # only the type checker reads it
        return f"const {self._defined(name)} = [{', '.join(classes)}];"

    def _function_at_top(self, node: ast.FunctionDef) -> str:
        kinds = decorators_of(node).keys()
        if not kinds <= _KEPT:
            raise self.unsupported(node)
        name = self._defined(node.name)
        said = f"({self._parameters(node)}) {self._body(node)}"
        star = "*" if _yields(node) else ""
        if kinds:
            return f"const {name} = $.kept(function{star} {said});"
        return f"function{star} {name}{said}"

    # Classes

    def _class(self, node: ast.ClassDef) -> str:
        if not decorators_of(node).keys() <= _OF_CLASSES:
            raise self.unsupported(node)
        name = self._defined(node.name)
        self._inside = name
        bases = self._bases(node)
        parts = [f"static $name = {json.dumps(node.name)};"]
        if fields := field_names(node):
            parts.append(f"static $fields = {json.dumps(fields)};")
        if is_attrs(node):
            parts.append(self._made_init(node, "" if makes_init(node) else "__attrs"))
        members = []
        for one in node.body:
            match one:
                case ast.Expr() | ast.Pass():
                    continue
                case ast.FunctionDef() if one.name in LEFT_OUT:
                    continue
                case ast.FunctionDef():
                    parts.append(self._in_class(one, bool(bases)))
                case ast.AnnAssign(value=value) if is_constant(one):
                    assert value is not None
                    called = ast.unparse(one.target)
                    if called not in LEFT_OUT:
                        parts.append(f"get {called}() {{ return {self.expr(value)}; }}")
                case ast.AnnAssign():
                    continue  # a field
                case ast.Assign(targets=[ast.Name(id=called)], value=value) if (
                    name in self.module.known.enums
                ):
                    members.append(f"[{json.dumps(called)}, {self.expr(value)}]")
                case ast.Assign(targets=[ast.Name(id=called)]) if called in LEFT_OUT:
                    continue
                case _:
                    raise self.unsupported(one)
        self._inside = ""
        extends = f" extends {bases[0]}" if bases else ""
        said = f"class {name}{extends} {{\n" + "\n".join(parts) + "\n}"
        if members:
            said += f"\n$.members({name}, [{', '.join(members)}]);"
        return said

    def _bases(self, node: ast.ClassDef) -> list[str]:
        names = self.module.names
        found = ["$.Fault"] if is_error(node) else []
        found += [
            "$.Member" if one == "Enum" else names[one]
            for one in bases_of(node)
            if one == "Enum" or one in names
        ]
        if len(found) > 1:
            raise self.unsupported(node)  # a class of JavaScript extends one alone
        return found

    def _made_init(self, node: ast.ClassDef, kind: str) -> str:
        """The constructor that `attrs.frozen` makes from the fields of a class.

        If `kind` is `__attrs`, it is the method `__attrs_init__` instead.
        """
        given, lines = [], []
        for one in fields_of(node):
            field = ast.unparse(one.target)
            default, converter = self._field(one)
            given.append(safe(field) + (f" = {default}" if default else ""))
            value = f"{converter}({safe(field)})" if converter else safe(field)
            lines.append(f"this.{field} = {value};")
        head = f"{kind}_init__" if kind else "constructor"
        return f"{head}({', '.join(given)}) {{\n" + "\n".join(lines) + "\n}"

    def _field(self, node: ast.AnnAssign) -> tuple[str, str]:
        """The default value and the converter of a field, each empty if it has none."""
        match node.value:
            case None:
                return "", ""
            case ast.Call(func=ast.Attribute(value=ast.Name(id="attrs"), attr="field")):
                options = {one.arg: one.value for one in node.value.keywords}
            case value:
                return self.expr(value), ""
        default = self.expr(options["default"]) if "default" in options else ""
        if "factory" in options:
            empty = {"dict": "new Map()", "list": "[]", "set": "new Set()"}
            default = empty[ast.unparse(options["factory"])]
        converter = ""
        match options.get("converter"):
            case None:
                pass
            case ast.Name(id="tuple" | "list"):
                converter = "$.row"
            case function:
                converter = self._function(function)
        return default, converter

    def _in_class(self, node: ast.FunctionDef, derived: bool) -> str:
        kinds = decorators_of(node).keys()
        if not kinds <= _OF_FUNCTIONS:
            raise self.unsupported(node)
        start = "get " if "property" in kinds else ""
        if kinds & {"staticmethod", "classmethod"}:
            start = "static "
        star = "*" if _yields(node) else ""
        called = node.name
        first = False
        if called == "__init__":
            called, first = "constructor", derived
        if called == "__iter__":
            called = "[Symbol.iterator]"
        body = self._body(node, first)
        return f"{start}{star}{called}({self._parameters(node)}) {body}"

    # Functions

    def _parameters(self, node: ast.FunctionDef) -> str:
        given = node.args
        if given.posonlyargs:
            raise self.unsupported(node)
        every = [*given.args, *given.kwonlyargs]
        values: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
        values += [*given.defaults, *given.kw_defaults]
        said = [
            safe(one.arg) + (f" = {self.expr(value)}" if value is not None else "")
            for one, value in zip(every, values, strict=True)
            if one.arg not in ("self", "cls")
        ]
        if given.kwarg:
            said.append(safe(given.kwarg.arg))
        if given.vararg:
            said.append(f"...{safe(given.vararg.arg)}")
        return ", ".join(said)

    def _body(self, node: ast.FunctionDef, is_derived: bool = False) -> str:
        before, imported = self.local, self.imported
        arguments = {one.arg for one in (*node.args.args, *node.args.kwonlyargs)}
        arguments |= {one.arg for one in (node.args.vararg, node.args.kwarg) if one}
        set_here = _names_set(node.body)
        self.local = before | arguments | set_here
        self.imported = {
            name: called
            for name, called in imported.items()
            if name not in arguments | set_here
        }
        lines = []
        if is_derived:
            kept = "value" if self._inside in self.module.known.enums else ""
            lines.append(f"super({kept});")
        if set_here - arguments:
            lines.append(f"let {', '.join(map(safe, sorted(set_here - arguments)))};")
        lines += self._block(node.body)
        self.local, self.imported = before, imported
        return "{\n" + "\n".join(lines) + "\n}"

    def _block(self, body: Iterable[ast.stmt]) -> list[str]:
        return [line for node in body if (line := self._statement(node))]

    def _statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return ""
            case ast.Expr(value=value):
                return f"{self.expr(value)};"
            case ast.Return(value=None):
                return "return null;"
            case ast.Return(value=ast.expr() as value):
                return f"return {self.expr(value)};"
            case ast.Assign(targets=targets, value=value):
                said = self.expr(value)
                if len(targets) > 1 and not isinstance(value, ast.Name | ast.Constant):
                    raise self.unsupported(node)
                return "\n".join(self._set(one, value, said) for one in targets)
            case ast.AnnAssign(value=None):
                return ""
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._set(target, value, self.expr(value))
            case ast.AugAssign(target=target, op=op, value=value):
                changed = ast.BinOp(left=target, op=op, right=value)
                ast.copy_location(changed, node)
                return self._set(target, changed, self._operation(changed))
            case ast.If(test=test, body=body, orelse=other):
                said = f"if ({self.truth(test)}) {self._braced(body)}"
                return said + (f" else {self._braced(other)}" if other else "")
            case ast.While(test=test, body=body, orelse=[]):
                return f"while ({self.truth(test)}) {self._braced(body)}"
            case ast.For(target=target, iter=over, body=body, orelse=[]):
                head = f"for ({self.target(target)} of {self._each(over)})"
                return f"{head} {self._braced(body)}"
            case ast.Continue():
                return "continue;"
            case ast.Break():
                return "break;"
            case ast.Assert(test=test):
                return f"$.check({self.truth(test)});"
            case ast.Raise(exc=None):
                return "throw $error;"  # what was caught
            case ast.Raise(exc=ast.expr() as fault):
                return f"throw {self.expr(fault)};"
            case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
                return f"try {self._braced(body)} {self._caught(handlers)}"
            case ast.Match():
                return self._match(node)
            case ast.FunctionDef(decorator_list=[]) if not _yields(node):
                inner = f"({self._parameters(node)}) => {self._body(node)}"
                return f"{safe(node.name)} = {inner};"
            case ast.ImportFrom(names=names):
                return self._import(node, names)
        raise self.unsupported(node)

    def _import(self, node: ast.ImportFrom, names: list[ast.alias]) -> str:
        for one in names:
            known = self.module.names.get(f"{node.module}.{one.name}")
            if known is None:
                raise self.unsupported(node)
            self.imported = {**self.imported, one.asname or one.name: known}
        return ""

    def _set(self, target: ast.expr, value: ast.expr, said: str) -> str:
        match target:
            case ast.Subscript(value=row, slice=place) if not isinstance(
                place, ast.Slice
            ):
                return f"$.put({self.expr(row)}, {self.expr(place)}, {said});"
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._set_several(parts, value, said)
        return f"{self.target(target)} = {said};"

    def _set_several(self, parts: list[ast.expr], value: ast.expr, said: str) -> str:
        starred = [at for at, one in enumerate(parts) if isinstance(one, ast.Starred)]
        names = [one.value if isinstance(one, ast.Starred) else one for one in parts]
        each = self._each(value)
        if starred and starred[0] < len(parts) - 1:
            each = f"$.unpacked({each}, {starred[0]}, {len(parts) - 1})"
            return f"[{', '.join(map(self._place, names))}] = {each};"
        places = [self._place(one) for one in names]
        if starred:
            places[-1] = f"...{places[-1]}"
        if any(isinstance(one, ast.Subscript) for one in names):
            return self._exchanged(names, said)
        return f"[{', '.join(places)}] = {each};"

    def _place(self, node: ast.expr) -> str:
        return "" if isinstance(node, ast.Subscript) else self.target(node)

    def _exchanged(self, names: list[ast.expr], said: str) -> str:
        """Translate an assignment to several items at once.

        An example is `a[0], a[1] = a[1], a[0]`.
        """
        puts = [
            f"$.put({self.expr(one.value)}, {self.expr(one.slice)}, $new[{at}]);"
            for at, one in enumerate(names)
            if isinstance(one, ast.Subscript)
        ]
        if len(puts) < len(names):
            raise self.unsupported(names[0])
        return f"{{ const $new = {said}; {' '.join(puts)} }}"

    def _caught(self, handlers: list[ast.ExceptHandler]) -> str:
        tests = []
        for one in handlers:
            if one.type is None:
                raise self.unsupported(one)
            kinds = one.type.elts if isinstance(one.type, ast.Tuple) else [one.type]
            asked = " || ".join(
                f"$error instanceof {self._fault(kind)}" for kind in kinds
            )
            named = [f"{safe(one.name)} = $error;"] if one.name else []
            body = "\n".join([*named, *self._block(one.body)])
            tests.append(f"if ({asked}) {{\n{body}\n}}")
        return f"catch ($error) {{\n{' else '.join(tests)} else throw $error;\n}}"

    def _fault(self, node: ast.expr) -> str:
        called = self.expr(node)
        if called not in self.module.known.classes:
            raise self.unsupported(node)
        return called

    def _braced(self, body: list[ast.stmt]) -> str:
        return "{\n" + "\n".join(self._block(body)) + "\n}"

    def _own_signature(self) -> Signature | None:
        return self.module.known.signatures.get(self._inside)


def _parts_of_union(node: ast.expr) -> list[str] | None:
    """The names of the types that are joined by `|`; None for anything else."""
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            one, other = _parts_of_union(left), _parts_of_union(right)
            return None if one is None or other is None else one + other
        case ast.Name(id=name) if name[:1].isupper() or name in ("bool", "int", "str"):
            return [] if name.isupper() and len(name) > 1 else [name]
        case ast.Subscript(value=ast.Name(id=name)):
            return [name]
    return None


def _names_set(body: Iterable[ast.stmt]) -> set[str]:
    """The names that these statements assign, which are local to the whole function."""
    found: set[str] = set()
    todo: list[ast.AST] = list(body)
    while todo:
        one = todo.pop()
        match one:
            case ast.Assign(targets=targets):
                found |= {name for each in targets for name in _targets(each)}
            case ast.AnnAssign(target=each) | ast.AugAssign(target=each):
                found |= set(_targets(each))
            case ast.For(target=each):
                found |= set(_targets(each))
            case ast.NamedExpr(target=ast.Name(id=name)):
                found.add(name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                found.add(name)
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.FunctionDef(name=name):
                found.add(name)
                continue  # what it sets is its own
        todo += ast.iter_child_nodes(one)
    return found


def _targets(node: ast.expr) -> list[str]:
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Starred(value=value):
            return _targets(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return [name for one in parts for name in _targets(one)]
    return []


def _yields(node: ast.FunctionDef) -> bool:
    """Whether a function is a generator."""
    return any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node))
