"""Finds what to carry over from each module: the names asked for, and all they need."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from carrying.data import GIVEN, IN_PARTS, Given
from carrying.modules import (
    LEFT_OUT,
    Known,
    Module,
    Signature,
    bases_of,
    defined_by,
    field_names,
    has_no_value,
    own_names,
    signatures_in,
)

# What JavaScript has in runtime.mjs, by its name in Python.
STANDARD: Final = {
    "refengine.sealing.Value": "$.Value",
    "refengine.errors.shown": "$.repr",
    "refengine.errors.whole_number": "$.whole_number",
    "refengine.errors.values_in": "$.values_in",
    "itertools.combinations": "$.combinations",
    "itertools.permutations": "$.permutations",
    "itertools.product": "$.product",
    "itertools.chain": "$.chain",
    "math.comb": "$.comb",
    "types.MappingProxyType": "$.same",
    "difflib.get_close_matches": "$.get_close_matches",
}
# Methods that are called only in Python: they draw, explain, or make or read text.
ONLY_PYTHON: Final = frozenset(
    {
        "state$State.random_act",
        "state$State.explain",
        "ruleset_citation$RulesetCitation.read",
        "reading$Citation.read",
        "explain$Ruling.text",
        "explain$Ruling.__str__",
        "answers$Answer.cited",
        "answers$Answer.text",
        "answers$Answer.__str__",
    }
)


class Reached:
    """The modules that are needed, in order, and the names that are needed in each."""

    def __init__(self, root: Path, whole: Iterable[str], asked: Iterable[str]) -> None:
        self._root: Final = root
        self._trees: Final[dict[str, ast.Module]] = {}
        self.wanted: Final[dict[str, frozenset[str]]] = {}
        self.data: Final[dict[str, list[Given]]] = {}
        todo = [
            (name, own)
            for name in whole
            for node in self._tree(name).body
            for own in defined_by(node)
        ]
        todo += [self._home(*name.rpartition(".")[::2]) for name in asked]
        self._follow(todo)
        self.order: Final = self._ordered()
        self._known: Final = self._all_known()

    def module(self, name: str) -> Module:
        """The module with this name, and what the names in it mean."""
        tree = self._tree(name)
        names = {
            own: STANDARD.get(f"{name}.{own}", called)
            for own, called in own_names(_short(name), tree).items()
        }
        modules: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node in tree.body
                for one in node.names:
                    called = self._called(node.module, one.name)
                    key = one.asname or one.name
                    if called is None and self._is_module(f"{node.module}.{one.name}"):
                        modules[key] = one.name
                    elif called is not None:
                        names[key if top else f"{node.module}.{one.name}"] = called
        return Module(name, tree, names, modules, self._known)

    # Following

    def _follow(self, todo: list[tuple[str, str]]) -> None:
        seen: set[tuple[str, str]] = set()
        parts: set[str] = set()
        while todo:
            module, own = todo.pop()
            if (module, own) in seen or f"{module}.{own}" in STANDARD:
                continue
            seen.add((module, own))
            self.wanted.setdefault(module, frozenset())
            self.data.setdefault(module, [])
            if f"{module}.{own}" in GIVEN:
                continue
            self.wanted[module] |= {own}
            todo += self._needs(module, own)
            parts.update(self._parts(module, own))
        for module, own in sorted(seen):
            if (source := f"{module}.{own}") in GIVEN:
                called = f"{_short(module)}${own}"
                self.data[module].append(Given(called, source, frozenset(parts)))

    def _parts(self, module: str, own: str) -> Iterator[str]:
        """The keys that a definition looks up in the tables of `IN_PARTS`."""
        for node in self._definitions(module)[own]:
            for one in ast.walk(node):
                match one:
                    case ast.Subscript(
                        value=ast.Call(func=ast.Name(id=name)),
                        slice=ast.Constant(value=str() as part),
                    ) if ".".join(self._imports(module)[0].get(name, ())) in IN_PARTS:
                        yield part

    def _needs(self, module: str, own: str) -> Iterator[tuple[str, str]]:
        imports, modules = self._imports(module)
        defined = self._definitions(module)
        for node in defined[own]:
            for one in _names_in(node):
                match one:
                    case ast.Name(id=name) if name in defined and name != own:
                        yield module, name
                    case ast.Name(id=name) if name in imports:
                        yield imports[name]
                    case ast.Attribute(value=ast.Name(id=name), attr=attr) if (
                        name in modules
                    ):
                        yield modules[name], attr
                    case ast.ImportFrom(module=str() as where, names=names):
                        for each in names:
                            if self._is_ours(where, each.name):
                                yield self._home(where, each.name)

    @cache  # noqa: B019  # one short-lived object
    def _definitions(self, module: str) -> dict[str, list[ast.stmt]]:
        found: dict[str, list[ast.stmt]] = {}
        for node in self._tree(module).body:
            for name in defined_by(node):
                found.setdefault(name, []).append(node)
        return found

    @cache  # noqa: B019  # the same
    def _imports(
        self, module: str
    ) -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
        """The names that a module imports at its top, and the modules that it imports.

        Each is mapped to where it is defined.
        """
        names: dict[str, tuple[str, str]] = {}
        modules: dict[str, str] = {}
        for node in self._tree(module).body:
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            for one in node.names:
                key = one.asname or one.name
                if self._is_module(f"{node.module}.{one.name}"):
                    modules[key] = f"{node.module}.{one.name}"
                elif self._is_ours(node.module, one.name):
                    names[key] = self._home(node.module, one.name)
        return names, modules

    def _is_module(self, name: str) -> bool:
        return self._path(name).is_file()

    def _is_ours(self, module: str, name: str) -> bool:
        """Whether a name is one of the project's that must be carried over.

        It is not if runtime.mjs has it, or if only Python needs it.
        """
        return (
            f"{module}.{name}" not in STANDARD
            and module.partition(".")[0] != "mypy_extensions"
            and self._is_module(module)
            and module != "refengine.sealing"
        )

    def _home(self, module: str, name: str) -> tuple[str, str]:
        """Where a name in `module` is defined: its module, and its name there."""
        if name in self._definitions(module):
            return module, name
        names, _ = self._imports(module)
        return names[name]

    def _called(self, module: str, name: str) -> str | None:
        if f"{module}.{name}" in STANDARD:
            return STANDARD[f"{module}.{name}"]
        if not self._is_ours(module, name):
            return None
        try:
            home, own = self._home(module, name)
        except KeyError:
            return None
        return f"{_short(home)}${own}"

    # What is found

    def _ordered(self) -> list[str]:
        needs = {
            name: {
                home
                for home, _ in self._imports(name)[0].values()
                if home in self.wanted
            }
            | {one for one in self._imports(name)[1].values() if one in self.wanted}
            for name in sorted(self.wanted)
        }
        order = list(TopologicalSorter(needs).static_order())
        shorts = [_short(name) for name in order]
        twice = sorted({one for one in shorts if shorts.count(one) > 1})
        if twice:
            raise ValueError(f"several modules are called {', '.join(twice)}")
        return order

    def _all_known(self) -> Known:
        signatures: dict[str, Signature] = {}
        methods: dict[tuple[str, str], Signature] = {}
        classes: set[str] = set()
        enums: set[str] = set()
        fields: dict[str, tuple[str, ...]] = {}
        for name in self.order:
            tree, short = self._tree(name), _short(name)
            for key, signature in signatures_in(short, tree):
                if isinstance(key, str):
                    signatures[key] = signature
                else:
                    methods[key] = signature
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and not has_no_value(node):
                    called = f"{short}${node.name}"
                    classes.add(called)
                    fields[called] = field_names(node)
                    if any(
                        one == "Enum" or f"{short}${one}" in enums
                        for one in bases_of(node)
                    ):
                        enums.add(called)
        return Known(signatures, methods, frozenset(classes), frozenset(enums), fields)

    def _tree(self, name: str) -> ast.Module:
        if name not in self._trees:
            tree = ast.parse(self._path(name).read_bytes())
            self._trees[name] = _without_what_only_python_asks(_short(name), tree)
        return self._trees[name]

    def _path(self, name: str) -> Path:
        return self._root.joinpath(*name.split(".")).with_suffix(".py")


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _without_what_only_python_asks(short: str, tree: ast.Module) -> ast.Module:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            node.body = [
                one
                for one in node.body
                if not isinstance(one, ast.FunctionDef)
                or f"{short}${node.name}.{one.name}" not in ONLY_PYTHON
            ]
    return tree


def _names_in(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement that are carried over, except names that it assigns.

    Annotations, decorators, the keywords of a class and methods that only Python calls
    are not carried over.
    """
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        if isinstance(node, ast.ClassDef) and field in ("keywords", "decorator_list"):
            continue
        if isinstance(node, ast.FunctionDef) and field == "decorator_list":
            continue
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, ast.FunctionDef) and one.name in LEFT_OUT:
                continue
            if isinstance(one, ast.AST):
                yield from _names_in(one)
