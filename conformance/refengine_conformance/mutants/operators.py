"""Makes mutants by applying general operators to the syntax trees of `refengine`.

Each variant is a `source_edits.Mutant` with one edit: an operator, applied at one place
in a function, or in a value assigned at the top level of a module or class. Its id,
`tree:FUNCTION:OPERATOR:HASH`, stays the same as long as its statement does. The hash
covers the statement before and after the change, or only the first line of a compound
statement, so an argument about a variant holds only as long as that text does.

The operators are written here because no maintained tool offers them: mutmut and
cosmic-ray delete no statement, negate no branch and drop no operand of a set operation;
cosmic-ray replaces `==` with `is` hundreds of times, which changes nothing for small
numbers.

The operator `forget` replaces a field that a function reads, or a call of a function of
the rules, with an empty value: False, 0, no cards, an empty tuple or None, according to
its annotation. These fields and functions are taken from the modules of the chapters
and the machine.

Messages, annotations, decorators, docstrings and assertions are left out. A variant of
a function does not count if the function or an earlier variant has the same byte code.
"""

from __future__ import annotations

import ast
import hashlib
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Any, Final

import attrs

from refengine_conformance.mutants import source_edits
from refengine_conformance.mutants.renames import first_name
from refengine_conformance.mutants.source_edits import Edit, Mutant

VERSION: Final = 2  # of the operators; scores from two versions cannot be compared
PREFIX: Final = "tree:"

_WORD: Final = re.compile(r"[0-9A-Za-z_.]+")
_COMPARED: Final[dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COUNTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_OTHER: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
_LEFT_OUT_FIELDS: Final = (  # except in a call, whose arguments count
    "annotation",
    "returns",
    "decorator_list",
    "args",
    "keywords",
)
_SILENT: Final = {"Malformed", "EngineBug"}  # their text is for people to read
# What `forget` puts in place of a field or a call, by its type.
_NOTHING_OF: Final = {"bool": "False", "i64": "0", "int": "0", "Mask": "0"}
# What `return` puts in place of a result, by its type.
_EMPTY_OF: Final = {
    "int": "0",
    "i64": "0",
    "Mask": "0",
    "str": "''",
    "tuple": "()",
    "list": "[]",
    "dict": "{}",
}

Change = tuple[str, ast.AST]


@attrs.frozen
class Spot:
    """A node that may be changed, and the field of its parent that contains it."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int  # -1 if the field does not hold a list
    statement: ast.stmt

    def put(self, node: ast.AST) -> None:
        """Put another node in this spot."""
        if self.index < 0:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


# Where


def changeable_spots(
    scope: ast.AST, statement: ast.stmt | None = None
) -> Iterator[Spot]:
    """The nodes under `scope` that may be changed, in the order of the syntax tree."""
    for field, value in ast.iter_fields(scope):
        if field in _LEFT_OUT_FIELDS and not isinstance(scope, ast.Call):
            continue
        several = isinstance(value, list)
        for index, node in enumerate(value if several else [value]):
            if not isinstance(node, ast.AST) or _left_out(node):
                continue
            own = node if isinstance(node, ast.stmt) else statement
            assert own is not None
            yield Spot(node, scope, field, index if several else -1, own)
            yield from changeable_spots(node, own)


def _left_out(node: ast.AST) -> bool:
    """Whether a node is left unchanged, with everything inside it."""
    if isinstance(node, ast.Assert | ast.JoinedStr | ast.expr_context):
        return True
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Global):
        return True
    if isinstance(node, ast.Call):
        return _name_of(node.func) in _SILENT | {"assert_never", "cast", "TypeVar"}
    return False


def _name_of(node: ast.expr) -> str:
    """The name that this expression reads, or `b` for `a.b`; "" for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


# What


def changes_at_spot(spot: Spot, function: ast.FunctionDef | None) -> Iterator[Change]:
    """The nodes that may replace a node, each with the name of the operator.

    `function` encloses the node; it is None at the top level of a module or class. A
    change that drops `:=` is left out, since code that reads the name could only fail.
    """
    bound = _names_bound(spot.node)
    for operator, other in _changes_of_any_kind(spot, function):
        if bound <= _names_bound(other):
            yield operator, other


def _names_bound(node: ast.AST) -> set[str]:
    """The names that `:=` binds within a node."""
    named = (one for one in ast.walk(node) if isinstance(one, ast.NamedExpr))
    return {one.target.id for one in named}


def _changes_of_any_kind(
    spot: Spot, function: ast.FunctionDef | None
) -> Iterator[Change]:
    """All changes to a node, including those that drop `:=`."""
    node = spot.node
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp):
        yield from _joined(node)
    elif isinstance(node, ast.BinOp):
        yield from _computed(node)
    elif isinstance(node, ast.UnaryOp):
        yield "unary", node.operand
    elif isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in _OTHER:
            yield "twin", ast.Name(_OTHER[node.id], ast.Load())
    elif isinstance(node, ast.Call):
        yield from _swapped(node)
    elif isinstance(node, ast.AugAssign) and type(node.op) in _COUNTED:
        op = _COUNTED[type(node.op)]()
        yield "arithmetic", ast.AugAssign(node.target, op, node.value)
    if spot.field == "test":
        assert isinstance(node, ast.expr)
        yield from _branches(spot.parent, node)
    elif spot.field == "ifs":
        assert isinstance(node, ast.expr)
        yield "negate", _not(node)
        yield "branch", ast.Constant(True)
    elif spot.field == "iter":
        yield "loop", ast.Tuple([], ast.Load())
    if function is not None and isinstance(node, ast.stmt):
        yield from _statements(node, function)
    # Last: if another operator makes the same variant, that operator names it.
    if function is not None and spot.field != "func":
        yield from _forgotten(node)


def _forgotten(node: ast.AST) -> Iterator[Change]:
    """The changes by the operator `forget`: an empty value for a field or a call."""
    known: dict[str, tuple[str, ...]] = {}
    name = ""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        known, name = nothing_of_fields(), node.attr
    elif isinstance(node, ast.Call):
        known, name = nothing_of_functions(), _name_of(node.func)
    for text in known.get(name, ()):
        yield "forget", ast.parse(text, mode="eval").body


@cache
def nothing_of_fields() -> dict[str, tuple[str, ...]]:
    """For each field of the rules' classes, the empty values that may replace it.

    The values are written as expressions. A name has several of them if fields of
    different types share it.
    """
    found: dict[str, dict[str, None]] = {}
    for module in source_edits.modules_of_rules():
        for node in ast.walk(source_edits.tree_of_module(module)):
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                for one in [*node.args.args, *node.args.kwonlyargs]:
                    if text := _nothing(one.annotation):
                        found.setdefault(one.arg, {})[text] = None
    return {name: tuple(texts) for name, texts in found.items()}


@cache
def nothing_of_functions() -> dict[str, tuple[str, ...]]:
    """For each function of the rules, the empty values that may replace a call.

    The values are written as expressions. A name has several of them if functions of
    different types share it; a function whose return type has none is left out.
    """
    found: dict[str, dict[str, None]] = {}
    for module in source_edits.modules_of_rules():
        for node in source_edits.tree_of_module(module).body:
            if isinstance(node, ast.FunctionDef) and (text := _nothing(node.returns)):
                found.setdefault(node.name, {})[text] = None
    return {name: tuple(texts) for name, texts in found.items()}


def _nothing(annotation: ast.expr | None) -> str:
    """The empty value of an annotated type, as an expression; "" if there is none."""
    declared = ast.unparse(annotation) if annotation else ""
    if declared.endswith(" | None"):
        return "None"
    return "()" if declared.startswith("tuple[") else _NOTHING_OF.get(declared, "")


def _not(node: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), node)


def _compared(node: ast.Compare) -> Iterator[Change]:
    """Negate a comparison; also exchange `<` with `<=`, and `>` with `>=`."""
    for place, op in enumerate(node.ops):
        for other in _COMPARED[type(op)]:
            ops = [*node.ops]
            ops[place] = other()
            yield "compare", ast.Compare(node.left, ops, node.comparators)


def _joined(node: ast.BoolOp) -> Iterator[Change]:
    """Exchange `and` and `or`; also drop each of the operands."""
    other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "boolean", ast.BoolOp(other, node.values)
    for place in range(len(node.values)):
        rest = node.values[:place] + node.values[place + 1 :]
        yield "operand", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _computed(node: ast.BinOp) -> Iterator[Change]:
    """Replace an operation, unless it is a power, by another and by each operand."""
    other = _COUNTED.get(type(node.op))
    if other is not None:
        yield "arithmetic", ast.BinOp(node.left, other(), node.right)
    if not isinstance(node.op, ast.Pow):
        yield "operand", node.left
        yield "operand", node.right


def _constants(node: ast.Constant) -> Iterator[Change]:
    """Invert a flag, change a number by one in either direction, or change a word."""
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", ast.Constant(value + 1)
        yield "constant", ast.Constant(value - 1)
    elif isinstance(value, str) and _WORD.fullmatch(value):
        yield "constant", ast.Constant(f"{value}x")


def _swapped(node: ast.Call) -> Iterator[Change]:
    """Exchange two neighbouring arguments, positional or named; each pair in turn."""
    if any(isinstance(one, ast.Starred) for one in node.args):
        return
    by_place = len(node.args)
    names = [one.arg for one in node.keywords]
    values = [*node.args, *[one.value for one in node.keywords]]
    single = [True] * by_place + [name is not None for name in names]
    for place in range(len(values) - 1):
        if single[place] and single[place + 1]:
            rest = [*values]
            rest[place : place + 2] = reversed(rest[place : place + 2])
            named = map(ast.keyword, names, rest[by_place:])
            yield "swap", ast.Call(node.func, rest[:by_place], [*named])


def _branches(parent: ast.AST, node: ast.expr) -> Iterator[Change]:
    """Negate a test, or make it always false or, except in a `while`, always true."""
    yield "negate", _not(node)
    yield "branch", ast.Constant(False)
    if not isinstance(parent, ast.While):
        yield "branch", ast.Constant(True)


def _statements(node: ast.stmt, function: ast.FunctionDef) -> Iterator[Change]:
    """Replace a jump or a result, delete a statement if possible, or drop an `else`."""
    if isinstance(node, ast.Return):
        for value in _returns(node, function):
            yield "return", ast.Return(value)
        if node is not function.body[-1]:
            yield "delete", ast.Pass()
    elif isinstance(node, ast.Break):
        yield "loop", ast.Continue()
    elif isinstance(node, ast.Continue):
        yield "loop", ast.Break()
    elif (
        isinstance(node, ast.Raise | ast.AugAssign | ast.Delete)
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.Assign) and _can_do_without(node, function))
    ):
        yield "delete", ast.Pass()
    if isinstance(node, ast.If) and node.orelse:
        yield "branch", ast.If(node.test, node.body, [])


def _returns(node: ast.Return, function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The values that may be returned instead, according to the annotated type.

    They are True and False for a bool, and an empty value or zero for some other types.
    For most types there are none.
    """
    if node.value is None or function.returns is None:
        return
    declared = ast.unparse(function.returns)
    if declared == "bool":
        yield ast.Constant(True)
        yield ast.Constant(False)
    elif declared.partition("[")[0] in _EMPTY_OF:
        text = _EMPTY_OF[declared.partition("[")[0]]
        yield ast.parse(text, mode="eval").body


def _can_do_without(node: ast.Assign, function: ast.FunctionDef) -> bool:
    """Whether the code may still run if this assignment is deleted.

    It may if the names are also set elsewhere, or if a target is an attribute or an
    item.
    """
    own = {*map(id, ast.walk(node))}
    names = set()
    for target in node.targets:
        for one in ast.walk(target):
            if isinstance(one, ast.Attribute | ast.Subscript):
                return True
            if isinstance(one, ast.Name):
                names.add(one.id)
    known = {one.arg for one in [*function.args.args, *function.args.kwonlyargs]}
    for other in ast.walk(function):
        if (
            isinstance(other, ast.Name)
            and isinstance(other.ctx, ast.Store)
            and id(other) not in own
        ):
            known.add(other.id)
    return names <= known


# All of them


@cache
def variants_of_module(module: str) -> tuple[Mutant, ...]:
    """All variants of one module, in the order of its source."""
    found: list[Mutant] = []
    claims = _claims()
    tree = source_edits.tree_of_module(module)
    inner = [name for name, _ in source_edits.definitions_in(tree, module)]
    for name in (module, *inner):
        numbers = claims.get(name, ())
        node = source_edits.definition_tree(name)
        if isinstance(node, ast.FunctionDef):
            found += _of_function(name, node, numbers)
        else:
            found += _of_values(name, node.body, numbers)
    return tuple(found)


@cache
def _claims() -> dict[str, tuple[str, ...]]:
    """The clauses that each function claims, by the function's name."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in source_edits.clause_entries():
        for name in entry["functions"]:
            found[name] = (*found.get(name, ()), entry["number"])
    return found


def _of_function(
    name: str, node: ast.FunctionDef, numbers: tuple[str, ...]
) -> Iterator[Mutant]:
    """The variants of a function that change its byte code, each in a different way."""
    seen = {_code(node)}
    times: Counter[str] = Counter()
    for spot in list(changeable_spots(node)):
        for operator, other in list(changes_at_spot(spot, node)):
            before = statement_text(spot.statement)
            spot.put(other)
            changed = isinstance(other, ast.stmt)
            after = statement_text(other if changed else spot.statement)
            body = ast.unparse(ast.Module(node.body, type_ignores=[]))
            code = _code(node)
            spot.put(spot.node)
            if code is None or code in seen:
                continue
            seen.add(code)
            edit = Edit(name, "", body)
            yield _variant(name, operator, before, after, times, numbers, edit)


def _of_values(
    name: str, body: list[ast.stmt], numbers: tuple[str, ...]
) -> Iterator[Mutant]:
    """The variants of a module or class in which an assigned value is changed."""
    times: Counter[str] = Counter()
    for statement in body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            continue
        before = ast.unparse(statement)
        for spot in list(changeable_spots(statement, statement)):
            for operator, other in list(changes_at_spot(spot, None)):
                spot.put(other)
                after = ast.unparse(statement)
                spot.put(spot.node)
                if after == before:
                    continue  # two equal values exchanged
                edit = Edit(name, before, after)
                yield _variant(name, operator, before, after, times, numbers, edit)


def _variant(
    name: str,
    operator: str,
    before: str,
    after: str,
    times: Counter[str],
    numbers: tuple[str, ...],
    edit: Edit,
) -> Mutant:
    """A variant with its id; `times` counts earlier variants with the same text."""
    text = f"{before}  ->  {after}"
    key = f"{first_name(name)}|{text}|{times[text]}"
    times[text] += 1
    short = hashlib.sha256(key.encode()).hexdigest()[:8]
    return Mutant(f"{PREFIX}{name}:{operator}:{short}", text, numbers, (edit,))


def statement_text(node: ast.AST) -> str:
    """The source of a statement; for a compound one, such as `if`, its first line."""
    text = ast.unparse(node)
    compound = isinstance(
        node, ast.If | ast.For | ast.While | ast.Match | ast.With | ast.FunctionDef
    )
    return text.partition("\n")[0] if compound else text


def _code(node: ast.FunctionDef) -> tuple[Any, ...] | None:
    """A function's byte code without line numbers; None if it does not compile.

    Code that Python warns about, such as `0 is None`, counts as not compiling.
    """
    body = ast.unparse(ast.Module(node.body, type_ignores=[])).replace("\n", "\n ")
    arguments = ast.unparse(node.args)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            module = compile(f"def f({arguments}):\n {body}", "f", "exec")
    except (SyntaxError, TypeError, ValueError):
        return None
    code = next(one for one in module.co_consts if isinstance(one, CodeType))
    return _plain(code)


def _plain(code: CodeType) -> tuple[Any, ...]:
    """Those parts of a code object that determine what it does."""
    constants = tuple(
        _plain(one) if isinstance(one, CodeType) else (type(one), repr(one))
        for one in code.co_consts
    )
    return code.co_code, constants, code.co_names, code.co_varnames


def variant_with_id(name: str) -> Mutant | None:
    """The variant with this id, or None if there is none."""
    module = name.removeprefix(PREFIX).partition(".")[0].partition(":")[0]
    if module not in source_edits.module_names():
        return None
    return next((one for one in variants_of_module(module) if one.id == name), None)
