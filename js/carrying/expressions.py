"""Translates expressions of the subset of Python into JavaScript."""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Final

from carrying.modules import Module, Signature
from carrying.types import (
    ANYTHING,
    CLASS,
    FLAG,
    FUNCTION,
    NOTHING,
    NUMBER,
    ROW,
    SET,
    STREAM,
    TABLE,
    TEXT,
    VALUE,
    Checked,
)

_BITS: Final = {
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
}
_OF_SETS: Final = {
    ast.BitAnd: "shared",
    ast.BitOr: "joined",
    ast.BitXor: "differing",
    ast.Sub: "without",
}
_OF_VALUES: Final = {
    ast.BitAnd: "__and__",
    ast.BitOr: "__or__",
    ast.BitXor: "__xor__",
    ast.Sub: "__sub__",
}
_ARITHMETIC: Final = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Pow: "**"}
_ORDER: Final = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_ORDER_OF_VALUES: Final = {
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}
_PLAIN: Final = frozenset({NUMBER, FLAG, TEXT})
_BUILT_IN: Final = {  # functions of Python as values
    name: f"$.{name}"
    for name in ("str", "int", "len", "repr", "sum", "min", "max", "sorted", "abs")
}
_KINDS: Final = {  # what `isinstance` may test for besides the project's classes
    name: f'"{name}"'
    for name in (
        *("int", "str", "bool", "list", "tuple", "dict", "set", "frozenset"),
        *("Mapping", "Iterable", "Sequence", "AnySet", "bytes"),
    )
}
_WORDS: Final = frozenset(  # which JavaScript reserves and Python does not
    (
        *("arguments", "case", "catch", "const", "default", "delete", "do", "enum"),
        *("eval", "export", "extends", "function", "implements", "instanceof"),
        *("interface", "let", "new", "null", "package", "private", "protected"),
        *("public", "static", "super", "switch", "this", "throw", "typeof", "var"),
        *("void", "true", "false", "undefined", "await"),
    )
)
# Methods of strings that differ in JavaScript only in their names.
_RENAMED: Final = {
    "upper": "toUpperCase",
    "lower": "toLowerCase",
    "casefold": "toLowerCase",
    "rstrip": "trimEnd",
    "lstrip": "trimStart",
    "strip": "trim",
}
_OF_TEXTS: Final = frozenset(
    (
        *("split", "partition", "rpartition", "replace", "removeprefix"),
        *("removesuffix", "startswith", "endswith", "isdigit", "isdecimal", "isascii"),
        *("isprintable", "isalpha", "splitlines", "strip", "rstrip", "lstrip"),
        *("count", "find", "index", "ljust", "rjust"),
    )
)
_OF_ROWS: Final = frozenset(("insert", "remove", "index", "count", "sort", "clear"))
_OF_TABLES: Final = frozenset(("setdefault", "pop", "update"))
_OF_SETS_BY_NAME: Final = {
    "union": "joined",
    "intersection": "shared",
    "difference": "without",
    "isdisjoint": "disjoint",
    "issubset": "within",
}


class Unsupported(Exception):
    """Something is outside the subset; the message gives the place and the code."""


class Expressions:
    """Translates the expressions of one module into JavaScript."""

    def __init__(self, module: Module, checked: Checked) -> None:
        self.module: Final = module
        self.checked: Final = checked
        self.local: set[str] = set()
        self.imported: dict[str, str] = {}
        """The JavaScript names of what the current function imports, by Python name."""

    def expr(self, node: ast.expr) -> str:
        """The expression in JavaScript, in parentheses where precedence needs them."""
        match node:
            case ast.Constant(value=value):
                return self._constant(node, value)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return f"[{', '.join(map(self.expr, parts))}]"
            case ast.Set(elts=parts):
                return f"new Set([{', '.join(map(self._key, parts))}])"
            case ast.Starred(value=value):
                return f"...{self._each(value)}"
            case ast.Dict(keys=keys, values=values):
                pairs = [
                    f"...{self.expr(value)}"
                    if key is None
                    else f"[{self._key(key)}, {self.expr(value)}]"
                    for key, value in zip(keys, values, strict=True)
                ]
                return f"new Map([{', '.join(pairs)}])"
            case ast.BinOp():
                return self._operation(node)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.truth(operand)}"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self.expr(operand)})"
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return f"(-{self.expr(operand)} - 1)"
            case ast.BoolOp():
                return self._either(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=one, orelse=other):
                return f"({self.truth(test)} ? {self.expr(one)} : {self.expr(other)})"
            case ast.Subscript():
                return self._item(node)
            case ast.Call():
                return self._call(node)
            case ast.Lambda():
                return self._lambda(node)
            case ast.ListComp() | ast.GeneratorExp():
                return self._comprehension(node.elt, node.generators)
            case ast.SetComp():
                self._key(node.elt, node.generators)
                return f"new Set({self._comprehension(node.elt, node.generators)})"
            case ast.DictComp(key=key, value=value, generators=every):
                self._key(key, every)
                pair = ast.copy_location(ast.List(elts=[key, value]), node)
                return f"new Map({self._comprehension(pair, every)})"
            case ast.JoinedStr(values=parts):
                said = "".join(map(self._part_of_text, parts))
                return f"`{said}`"
            case ast.NamedExpr(target=target, value=value):
                return f"({self.expr(target)} = {self.expr(value)})"
            case ast.Yield(value=ast.expr() as value):
                return f"yield {self.expr(value)}"
            case ast.YieldFrom(value=value):
                return f"yield* {self.expr(value)}"
        raise self.unsupported(node)

    def _key(self, node: ast.expr, inside: Sequence[ast.comprehension] = ()) -> str:
        """A key of a table or a member of a set, translated.

        JavaScript finds keys by identity, so Unsupported is raised if another object
        could be equal to this one. If `inside` holds the loops of a comprehension, the
        expression is only checked, and the text is empty.
        """
        if isinstance(node, ast.Starred):
            return self.expr(node)
        kinds = self._kinds(node)
        classes = (
            self.checked.classes_of(self.module.name, node) if (VALUE in kinds) else []
        )
        if kinds & {ROW, TABLE, SET, STREAM} or not (
            VALUE not in kinds or self.module.known.enums & {*classes}
        ):
            raise self.unsupported(node)
        return "" if inside else self.expr(node)

    def _lambda(self, node: ast.Lambda) -> str:
        given = node.args
        if given.vararg or given.kwarg or given.defaults or given.kwonlyargs:
            raise self.unsupported(node)
        before = self.local
        names = [one.arg for one in given.args]
        self.local = before | set(names)
        said = f"(({', '.join(map(safe, names))}) => {self.expr(node.body)})"
        self.local = before
        return said

    def _constant(self, node: ast.expr, value: object) -> str:
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            if value > 2**53:
                raise self.unsupported(node)
            return str(value)
        if isinstance(value, float):
            return str(value)
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        raise self.unsupported(node)

    def _name(self, node: ast.expr, name: str) -> str:
        if name in ("self", "cls"):
            return "this"
        if name in self.imported:
            return self.imported[name]
        if name in self.local:
            return safe(name)
        if name in self.module.names:
            return self.module.names[name]
        if name in _BUILT_IN:
            return _BUILT_IN[name]
        if name == "NotImplemented":
            return "null"
        raise self.unsupported(node)

    def _attribute(self, node: ast.Attribute) -> str:
        if isinstance(node.value, ast.Name) and self._is_module(node.value):
            return f"{self.module.modules[node.value.id]}${node.attr}"
        if node.attr == "__name__":
            return f"$.name_of({self.expr(node.value)})"
        owner = self.expr(node.value)
        if FUNCTION in self._kinds(node) and self._has_method(node):
            return f"$.bound({owner}, {json.dumps(node.attr)})"
        return f"{owner}.{node.attr}"

    def _has_method(self, node: ast.Attribute) -> bool:
        methods = self.module.known.methods
        classes = self.checked.classes_of(self.module.name, node.value)
        return any((one, node.attr) in methods for one in classes)

    def _part_of_text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str() as value):
                plain = value.replace("\\", "\\\\").replace("`", "\\`")
                return plain.replace("${", "\\${").replace("\n", "\\n")
            case ast.FormattedValue(value=value, conversion=kind, format_spec=spec):
                if kind == ord("a"):
                    raise self.unsupported(node)
                said = self.expr(value)
                if kind == ord("r"):
                    said = f"$.repr({said})"
                elif self._kinds(value) != {TEXT} and spec is None:
                    said = f"$.str({said})"
                if spec is not None:
                    said = f"$.formatted({said}, {self.expr(spec)})"
                return f"${{{said}}}"
        raise self.unsupported(node)

    # What a value is

    def _kinds(self, node: ast.expr) -> frozenset[str]:
        match node:  # these need no type checker, which counts brackets differently
            case ast.BinOp(left=left, right=right):
                kinds = self._kinds(left) | self._kinds(right)
                return frozenset({NUMBER}) if kinds <= {NUMBER, FLAG} else kinds
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return frozenset({FLAG})
            case ast.UnaryOp(operand=operand):
                return self._kinds(operand)
            case ast.GeneratorExp() | ast.ListComp() | ast.List() | ast.Tuple():
                return frozenset({ROW})
            case ast.Set() | ast.SetComp():
                return frozenset({SET})
            case ast.Dict() | ast.DictComp():
                return frozenset({TABLE})
            case ast.JoinedStr():
                return frozenset({TEXT})
            case ast.Constant(value=None):
                return frozenset({NOTHING})
            case ast.Constant(value=str()):
                return frozenset({TEXT})
            case ast.Constant(value=int()):
                return frozenset({FLAG if isinstance(node.value, bool) else NUMBER})
            case ast.IfExp(body=one, orelse=other):
                return self._kinds(one) | self._kinds(other)
            case ast.NamedExpr(value=value):
                return self._kinds(value)
        return self.checked.kinds_of(self.module.name, node)

    def truth(self, node: ast.expr) -> str:
        """The expression as a condition, true or false as it is in Python."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"!{self.truth(operand)}"
            case ast.BoolOp(op=op, values=values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return f"({sign.join(map(self.truth, values))})"
            case ast.Compare():
                return self._comparison(node)
        kinds = self._kinds(node) - {NOTHING}
        if STREAM in kinds:
            raise self.unsupported(node)
        if kinds <= _PLAIN:
            return self.expr(node)
        return f"$.truth({self.expr(node)})"

    def _either(self, node: ast.BoolOp) -> str:
        """An expression with `and` or `or`, whose result is one of its operands."""
        first, *others = node.values
        said = self.expr(first)
        plain = True
        for before, one in zip(node.values, others, strict=False):
            plain = plain and self._kinds(before) - {NOTHING} <= _PLAIN
            if plain:
                sign = "&&" if isinstance(node.op, ast.And) else "||"
                said = f"({said} {sign} {self.expr(one)})"
            else:
                name = "both" if isinstance(node.op, ast.And) else "either"
                said = f"$.{name}({said}, () => {self.expr(one)})"
        return said

    # Comparisons and operations

    def _comparison(self, node: ast.Compare) -> str:
        parts = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self._compared(node, left, op, right))
            left = right
            between = right is not node.comparators[-1]
            if between and not _is_cheap(right):
                raise self.unsupported(node)  # it would be evaluated twice
        return f"({' && '.join(parts)})"

    def _compared(
        self, node: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr
    ) -> str:
        one, other = self.expr(left), self.expr(right)
        if type(op) in _ORDER:
            return self._ordered(node, left, op, right)
        match op:
            case ast.Is():
                return f"{one} === {other}"
            case ast.IsNot():
                return f"{one} !== {other}"
            case ast.Eq() | ast.NotEq():
                sign = "" if isinstance(op, ast.Eq) else "!"
                kinds = self._kinds(left) | self._kinds(right)
                if kinds <= {NUMBER} or kinds <= {FLAG} or kinds <= {TEXT}:
                    return f"{one} {sign or '='}== {other}"
                return f"{sign}$.equal({one}, {other})"
            case ast.In():
                return f"$.has({other}, {one})"
            case ast.NotIn():
                return f"!$.has({other}, {one})"
        raise self.unsupported(node)

    def _ordered(
        self, node: ast.expr, left: ast.expr, op: ast.cmpop, right: ast.expr
    ) -> str:
        one, other = self.expr(left), self.expr(right)
        kinds = self._kinds(left) | self._kinds(right)
        sign = _ORDER[type(op)]
        if kinds <= {NUMBER, FLAG}:
            return f"{one} {sign} {other}"
        if kinds <= {SET}:
            low, high = (one, other) if "<" in sign else (other, one)
            proper = "" if "=" in sign else f" && {low}.size < {high}.size"
            return f"($.within({low}, {high}){proper})"
        if self._kinds(left) == {VALUE}:
            return f"{one}.{_ORDER_OF_VALUES[sign]}({other})"
        raise self.unsupported(node)

    def _operation(self, node: ast.BinOp) -> str:
        left, right = self.expr(node.left), self.expr(node.right)
        kind = type(node.op)
        kinds = self._kinds(node.left), self._kinds(node.right)
        both = kinds[0] | kinds[1]
        if both <= {NUMBER, FLAG}:
            if kind in _BITS:
                return f"$.{_BITS[kind]}({left}, {right})"
            if kind is ast.FloorDiv:
                return f"Math.floor({left} / {right})"
            if kind is ast.Mod:
                return f"$.mod({left}, {right})"
            if kind in _ARITHMETIC:
                return f"({left} {_ARITHMETIC[kind]} {right})"
        if kind is ast.Add and both == {ROW}:
            return f"[...{left}, ...{right}]"
        if kind is ast.Mult and kinds[0] == {ROW} and kinds[1] == {NUMBER}:
            return f"$.repeated({left}, {right})"
        if kind is ast.Add and both == {TEXT}:
            return f"({left} + {right})"
        if kind is ast.Mult and kinds[0] == {TEXT} and kinds[1] == {NUMBER}:
            return f"{left}.repeat({right})"
        if kind is ast.BitOr and both == {TABLE}:
            return f"new Map([...{left}, ...{right}])"
        if kind in _OF_VALUES and kinds[0] == {VALUE}:
            return f"{left}.{_OF_VALUES[kind]}({right})"
        if kind in _OF_SETS and kinds[0] == {SET}:
            return f"$.{_OF_SETS[kind]}({left}, {right})"
        raise self.unsupported(node)

    def _item(self, node: ast.Subscript) -> str:
        value = self.expr(node.value)
        kinds = self._kinds(node.value)
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None or not kinds <= {ROW, TEXT}:
                raise self.unsupported(node)
            ends = [node.slice.lower or ast.Constant(0), node.slice.upper]
            said = ", ".join(self.expr(one) for one in ends if one is not None)
            return (
                f"$.part({value}, {said})"
                if TEXT in kinds
                else f"{value}.slice({said})"
            )
        place = self.expr(node.slice)
        if TABLE in kinds:
            return f"$.looked_up({value}, {self._key(node.slice)})"
        return f"$.item({value}, {place})"

    # Calls

    def _call(self, node: ast.Call) -> str:
        match node.func:
            case ast.Name(id="i64" | "Mask"):
                return self._as_number(node)
            case ast.Name(id="int") if node.args and TEXT not in self._kinds(
                node.args[0]
            ):
                return self._as_number(node)
            case ast.Name(id="cast"):
                return self.expr(node.args[1])
            case ast.Name(id="assert_never"):
                return f"$.check(false, {self.expr(node.args[0])})"
            case ast.Name(id="cls"):
                return f"new this({self._given(node, self._own_signature())})"
            case ast.Name(id=name) if not self._knows(name):
                return self._builtin(node, name)
            case ast.Attribute(value=ast.Name(id="attrs"), attr="evolve"):
                changed = ", ".join(
                    f"{one.arg}: {self.expr(one.value)}" for one in node.keywords
                )
                return f"$.evolved({self.expr(node.args[0])}, {{ {changed} }})"
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                return self._of_base(node, name)
            case ast.Attribute(value=value, attr=name) if not self._is_module(value):
                return self._method(node, value, name)
            case ast.Call(func=ast.Name(id="type")):
                signature = self._signature_of_type(node.func.args[0])
                return f"new ({self.expr(node.func)})({self._given(node, signature)})"
        called = self.expr(node.func)
        known = self.module.known
        if called in known.enums:
            return f"$.member({called}, {self.expr(node.args[0])})"
        new = "new " if called in known.classes else ""
        return f"{new}{called}({self._given(node, known.signatures.get(called))})"

    def _knows(self, name: str) -> bool:
        return name in self.local or name in self.module.names or name in self.imported

    def _is_module(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Name)
            and node.id in self.module.modules
            and node.id not in self.local
        )

    def _own_signature(self) -> Signature | None:
        return None

    def _signature_of_type(self, node: ast.expr) -> Signature | None:
        known = self.module.known.signatures
        found = self.checked.classes_of(self.module.name, node)
        return known.get(found[0]) if found else None

    def _as_number(self, node: ast.Call) -> str:
        kinds = self._kinds(node.args[0])
        said = self.expr(node.args[0])
        if not kinds <= {NUMBER, FLAG}:
            raise self.unsupported(node)
        return f"Number({said})" if FLAG in kinds else said

    def _of_base(self, node: ast.Call, name: str) -> str:
        given = ", ".join(map(self.expr, node.args))
        if name == "__init__":
            return f"this.args = [{given}]"  # only errors have a base with one
        return f"super.{name}({given})"

    def _given(self, node: ast.Call, signature: Signature | None) -> str:
        """The arguments in JavaScript, in the order of the parameters."""
        if signature is None or not (
            node.keywords or signature.by_name or signature.rest
        ):
            if node.keywords:
                raise self.unsupported(node)
            return ", ".join(map(self.expr, node.args))
        placed = node.args[: signature.places]
        said = [self.expr(one) for one in placed]
        others = [self.expr(one) for one in node.args[signature.places :]]
        if (others and not signature.rest) or any(
            isinstance(one, ast.Starred) for one in placed
        ):
            raise self.unsupported(node)
        by_name = {one.arg: self.expr(one.value) for one in node.keywords if one.arg}
        merged = [self.expr(one.value) for one in node.keywords if one.arg is None]
        rest = signature.names[len(said) :]
        table = [
            f"[{json.dumps(name)}, {text}]"
            for name, text in by_name.items()
            if name not in rest
        ]
        if (table or merged) and not signature.by_name:
            raise self.unsupported(node)
        if not (signature.by_name or others):
            while rest and rest[-1] not in by_name:
                rest = rest[:-1]
        said += [by_name.get(name, "undefined") for name in rest]
        if signature.by_name:
            pairs = [*table, *(f"...{one}" for one in merged)]
            said.append(f"new Map([{', '.join(pairs)}])")
        return ", ".join([*said, *others])

    def _builtin(self, node: ast.Call, name: str) -> str:
        given = [self.expr(one) for one in node.args if not self._is_kind(name, node)]
        kinds = [
            self._kinds(one)
            for one in node.args
            if not isinstance(one, ast.Starred) and not self._is_kind(name, node)
        ]
        options = {one.arg: one.value for one in node.keywords}
        match name, given:
            case "len", [one]:
                if kinds[0] <= {TABLE, SET}:
                    return f"{one}.size"
                return f"{one}.length" if kinds[0] <= {ROW} else f"$.len({one})"
            case "tuple" | "list", [_]:
                return f"[...{self._each(node.args[0])}]"
            case "tuple" | "list", []:
                return "[]"
            case "set" | "frozenset", []:
                return "new Set()"
            case "set" | "frozenset", [_]:
                return f"new Set({self._each(node.args[0])})"
            case "dict", [one]:
                return f"new Map({one})"
            case "dict", []:
                return "new Map()"
            case "sorted" | "min" | "max", _ if options.keys() <= {
                "key",
                "reverse",
                "default",
            }:
                return self._picked(node, name, options)
            case "range" | "enumerate" | "zip" | "sum" | "reversed" | "abs", _:
                if not options.keys() <= {"strict"}:
                    raise self.unsupported(node)
                strict = options.get("strict")
                if isinstance(strict, ast.Constant) and strict.value is False:
                    name = "zip_shortest"
                return f"$.{name}({', '.join(given)})"
            case "any" | "all" | "repr" | "id" | "iter", [one]:
                return f"$.{name}({one})"
            case "next", [one] if isinstance(node.args[0], ast.GeneratorExp):
                return f"$.first({one})"
            case "next", [one] | [one, _]:
                return f"$.first({', '.join(given)})"
            case "str" | "int" | "chr" | "ord", [one]:
                return (
                    one if name == "str" and kinds[0] == {TEXT} else f"$.{name}({one})"
                )
            case "bool", [_]:
                return f"Boolean({self.truth(node.args[0])})"
            case "type", [one]:
                return f"$.type({one})"
            case "map" | "filter", _:
                return self._mapped(node, name)
            case "isinstance", _:
                return self._is_instance(node)
            case "TypeError" | "ValueError", [one]:
                return f"new TypeError({one})"
            case "getattr", [one, key]:
                return f"{one}[{key}]"
        raise self.unsupported(node)

    @staticmethod
    def _is_kind(name: str, node: ast.Call) -> bool:
        """Whether this built-in takes a type or a function by position."""
        return name in ("isinstance", "map", "filter")

    def _picked(
        self, node: ast.Call, name: str, options: dict[str | None, ast.expr]
    ) -> str:
        """Translate a call of `sorted`, `min` or `max`."""
        given = [self.expr(one) for one in node.args]
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        if len(given) > 1 and not options and name != "sorted":
            kinds = map(self._kinds, node.args)
            if not starred and all(one <= {NUMBER, FLAG} for one in kinds):
                return f"Math.{name}({', '.join(given)})"
            given = [f"[{', '.join(given)}]"]
        elif len(given) == 1 and not starred:
            given = [self._each(node.args[0])]
        else:
            raise self.unsupported(node)
        key = self._function(options["key"]) if "key" in options else "null"
        more = []
        if name == "sorted":
            more = [self.expr(options["reverse"])] if "reverse" in options else []
        elif "default" in options:
            more = [self.expr(options["default"])]
        plain = not more and key == "null"
        rest = "" if plain else ", ".join(["", key, *more])
        return f"$.{name}({given[0]}{rest})"

    def _mapped(self, node: ast.Call, name: str) -> str:
        function, *rows = node.args
        over = [f"[...{self._each(one)}]" for one in rows]
        if name == "filter":
            if isinstance(function, ast.Constant) and function.value is None:
                return f"{over[0]}.filter($.truth)"
            return f"{over[0]}.filter(($one) => {self._function(function)}($one))"
        said = self._function(function)
        if len(over) > 1:
            return f"$.zip_shortest({', '.join(over)}).map(($one) => {said}(...$one))"
        return f"{over[0]}.map(($one) => {said}($one))"

    def _function(self, node: ast.expr) -> str:
        """The expression as a function, even if it names a class."""
        match node:
            case ast.Attribute(value=ast.Name(id="str"), attr=name):
                renamed = _RENAMED.get(name)
                if renamed:
                    return f"(($one) => $one.{renamed}())"
        said = self.expr(node)
        if said in self.module.known.enums:
            return f"(($one) => $.member({said}, $one))"
        if said in self.module.known.classes:
            return f"(($one) => new {said}($one))"
        return said

    def _is_instance(self, node: ast.Call) -> str:
        value, kind = node.args
        said = self.expr(value)
        every = self._each_kind(kind)
        if len(every) == 1 and every[0] in self.module.known.classes:
            return f"({said} instanceof {every[0]})"
        return f"$.isinstance({said}, {', '.join(every)})"

    def _each_kind(self, node: ast.expr) -> list[str]:
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return [*self._each_kind(left), *self._each_kind(right)]
            case ast.Tuple(elts=parts):
                return [one for part in parts for one in self._each_kind(part)]
            case ast.Name(id=name) if name in _KINDS and not self._knows(name):
                return [_KINDS[name]]
            case ast.Call(func=ast.Name(id="type")):
                return [self.expr(node)]
        said = self.expr(node)
        if said in self.module.known.classes or CLASS in self._kinds(node):
            return [said]
        return [f"...{said}"]  # the name of several kinds together

    def _method(self, node: ast.Call, value: ast.expr, name: str) -> str:
        if isinstance(value, ast.Name) and value.id == "dict" and name == "fromkeys":
            keys, *value_of = node.args
            every = self.expr(value_of[0]) if value_of else "null"
            if self._item_kinds(keys) & {VALUE, ROW}:
                each = self._each(keys)
                return f"new Map($.differing_in({each}).map(($one) => [$one, {every}]))"
            return f"new Map([...{self._each(keys)}].map(($one) => [$one, {every}]))"
        owner = self.expr(value)
        kinds = self._kinds(value) - {NOTHING}
        found = None
        if kinds == {TEXT}:
            found = self._of_text(node, owner, name)
        elif kinds == {ROW}:
            found = self._of_row(node, owner, name)
        elif kinds == {TABLE}:
            found = self._of_table(node, owner, name)
        elif kinds == {SET}:
            found = self._of_set(node, owner, name)
        elif kinds <= {VALUE, CLASS}:
            signature = self._signature_of_method(value, owner, name)
            found = f"{owner}.{name}({self._given(node, signature)})"
        if found is None:
            raise self.unsupported(node)
        return found

    def _signature_of_method(
        self, value: ast.expr, owner: str, name: str
    ) -> Signature | None:
        known = self.module.known
        if owner in known.classes:
            return known.methods.get((owner, name))
        for one in self.checked.classes_of(self.module.name, value):
            if (one, name) in known.methods:
                return known.methods[one, name]
        return None

    def _of_text(self, node: ast.Call, owner: str, name: str) -> str | None:
        given = [self.expr(one) for one in node.args]
        if name == "join":
            return f"[...{self._each(node.args[0])}].join({owner})"
        if name == "format":
            by_name = [
                f"[{json.dumps(one.arg)}, {self.expr(one.value)}]"
                if one.arg
                else f"...{self.expr(one.value)}"
                for one in node.keywords
            ]
            facts = f"[{', '.join(given)}], new Map([{', '.join(by_name)}])"
            return f"$.filled({owner}, {facts})"
        if node.keywords:
            return None
        if name in _RENAMED and not given:
            return f"{owner}.{_RENAMED[name]}()"
        if name in _OF_TEXTS:
            return f"$.{name}({', '.join([owner, *given])})"
        return None

    def _of_row(self, node: ast.Call, owner: str, name: str) -> str | None:
        given = [self.expr(one) for one in node.args]
        if node.keywords:
            return None
        match name, given:
            case "append", [one]:
                return f"{owner}.push({one})"
            case "extend", [_]:
                return f"{owner}.push(...{self._each(node.args[0])})"
            case "reverse" | "pop", []:
                return f"{owner}.{name}()"
            case "copy", []:
                return f"[...{owner}]"
        if name in _OF_ROWS:
            return f"$.{name}_in({', '.join([owner, *given])})"
        return None

    def _of_table(self, node: ast.Call, owner: str, name: str) -> str | None:
        given = [self.expr(one) for one in node.args]
        match name, given:
            case "get", [one]:
                return f"({owner}.get({one}) ?? null)"
            case "get", [one, other]:
                return f"$.got({owner}, {one}, {other})"
            case "items", []:
                return f"[...{owner}]"
            case "keys", []:
                return f"new Set({owner}.keys())"
            case "values", []:
                return f"[...{owner}.values()]"
            case "copy", []:
                return f"new Map({owner})"
            case "clear", []:
                return f"{owner}.clear()"
        if name in _OF_TABLES and not node.keywords:
            return f"$.{name}({', '.join([owner, *given])})"
        return None

    def _of_set(self, node: ast.Call, owner: str, name: str) -> str | None:
        given = [self.expr(one) for one in node.args]
        match name, given:
            case "add", [_]:
                one = self._key(node.args[0])
                return f"{owner}.add({one})"
            case "discard", [one]:
                return f"{owner}.delete({one})"
            case "update", [_]:
                each = self._each(node.args[0])
                return f"$.add_all({owner}, {each})"
        if name in _OF_SETS_BY_NAME and len(given) == 1:
            return f"$.{_OF_SETS_BY_NAME[name]}({owner}, {self._each(node.args[0])})"
        return None

    def _item_kinds(self, node: ast.expr) -> frozenset[str]:
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._kinds(node.elt)
        return self.checked.item_kinds_of(self.module.name, node)

    # Iteration

    def _each(self, node: ast.expr) -> str:
        """The expression as something that JavaScript can iterate over."""
        kinds = self._kinds(node)
        if kinds == {TABLE}:
            return f"{self.expr(node)}.keys()"
        if kinds & {TABLE, STREAM, ANYTHING}:
            return f"$.each({self.expr(node)})"
        return self.expr(node)

    def _comprehension(self, part: ast.expr, every: Sequence[ast.comprehension]) -> str:
        first, *others = every
        before = self.local
        over = self._each(first.iter)
        names = {one.id for one in ast.walk(first.target) if isinstance(one, ast.Name)}
        self.local = before | names
        target = f"({self.target(first.target)})"
        said = f"[...{over}]"
        for one in first.ifs:
            said += f".filter({target} => {self.truth(one)})"
        if others:
            said += f".flatMap({target} => {self._comprehension(part, others)})"
        elif ast.unparse(part) != ast.unparse(first.target):
            said += f".map({target} => {self.expr(part)})"
        self.local = before
        return said

    def target(self, node: ast.expr) -> str:
        """The target of an assignment: a name, an attribute, or several of them."""
        match node:
            case ast.Name(id=name):
                return safe(name)
            case ast.Starred(value=value):
                return f"...{self.target(value)}"
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return f"[{', '.join(map(self.target, parts))}]"
            case ast.Attribute(value=value, attr=name):
                return f"{self.expr(value)}.{name}"
        raise self.unsupported(node)

    def unsupported(self, node: ast.AST) -> Unsupported:
        """The error for a node outside the subset, with its place and its code."""
        line = getattr(node, "lineno", 0)
        said = ast.unparse(node).partition("\n")[0][:80]
        return Unsupported(f"{self.module.name}:{line}: {said}")


def _is_cheap(node: ast.expr) -> bool:
    """Whether an expression can be evaluated twice with the same result."""
    if isinstance(node, ast.Attribute):
        return _is_cheap(node.value)
    return isinstance(node, ast.Name | ast.Constant)


def safe(name: str) -> str:
    """The name in JavaScript, with `$` after it if the word is reserved there."""
    return f"{name}$" if name in _WORDS else name
