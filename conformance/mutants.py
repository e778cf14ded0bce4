"""Mutants: the engine with one clause off, inverted, one option misread, or one bug.

A mutant is a change of one or a few functions of `refengine`, kept as text: `off:5.4`
(the clause neutralised), `inverted:5.4`, `always:score.shot_the_sun` and `never:` (a
condition that holds whatever is the case, or never), `swap:ties=shared>play_on` (one
value of an option read as another) and `bug:first_seat_wins_tie` (a fault seen in real
engines, or a reading of the book that comes easily).
What cannot be derived from the shape of a function stands in `corpus/mutants.toml`.

A mutant runs in an interpreter process of its own, a worker, in which `load` has put a
hook before the import system that takes `refengine` from source, also where the package
that is installed is compiled. So this module must not import `refengine` itself.
`python -m conformance.mutants serve ID` is the mutant behind the adapter protocol.
"""

from __future__ import annotations

import argparse
import ast
import dis
import importlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
import threading
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing import get_context, parent_process
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import attrs

CORPUS: Final = Path(__file__).resolve().parent / "corpus"
TABLE: Final = CORPUS / "mutants.toml"
UNCHANGED: Final = "none"
JUDGED: Final = ("permit", "forbid", "effect")
_PACKAGE: Final = "refengine"
REGISTRY: Final = "lawbook/registry.json"  # in its folder


class UnknownMutantError(LookupError):
    """There is no mutant of this id."""


class HangsError(Exception):
    """A mutant has run for too long."""


@attrs.frozen
class Edit:
    """A change of one function: `old`, found once in it, becomes `new`.

    The text is that of `ast.unparse`, so that layout and comments do not count. Where
    `old` is empty `new` replaces the whole body; in both, lines of `new` are indented
    like the line that they replace. Where `function` is a module or a class, `old` is
    one whole statement at its top.
    """

    function: str
    old: str
    new: str


@attrs.frozen
class Mutant:
    """A mutant by its id: what is wrong with it, and the clauses it offends."""

    id: str
    text: str
    clauses: tuple[str, ...]
    edits: tuple[Edit, ...]


# The list


@cache
def package_folder() -> Path:
    """The folder of `refengine`, found without importing it."""
    spec = importlib.util.find_spec(_PACKAGE)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(next(iter(spec.submodule_search_locations)))


@cache
def clauses() -> tuple[dict[str, Any], ...]:
    """The entries of the registry of clauses, as its file has them."""
    text = (package_folder() / REGISTRY).read_text("utf-8")
    return tuple(json.loads(text)["clauses"])


@cache
def mutants() -> tuple[Mutant, ...]:
    """All mutants: clauses off, inverted, conditions decided, swaps, bugs."""
    data = tomllib.loads(TABLE.read_text("utf-8"))
    found: list[Mutant] = [
        *_switched_off(data["off"]),
        *_inverted(),
        *_decided(data["off"]),
        *_swaps(data["swap"]),
    ]
    for name, entry in data["bug"].items():
        found.append(_mutant(f"bug:{name}", tuple(entry["clauses"]), entry))
    return tuple(found)


def mutant(name: str) -> Mutant:
    """The mutant of this id; `none` is the engine as it is.

    Raises UnknownMutantError if there is none.
    """
    if name == UNCHANGED:
        return Mutant(UNCHANGED, "the engine as it is", (), ())
    if name.startswith("tree:"):
        found: Mutant = importlib.import_module("conformance.mutation").variant(name)
        return found
    if name.startswith("planted:"):
        error: Mutant = importlib.import_module("conformance.planted").error(name)
        return error
    for one in mutants():
        if one.id == name:
            return one
    raise UnknownMutantError(f"no mutant {name!r}; `list` shows all of them")


def _mutant(name: str, numbers: tuple[str, ...], entry: dict[str, Any]) -> Mutant:
    edits = tuple(
        Edit(one["in"], one.get("old", ""), one["new"]) for one in entry["edits"]
    )
    return Mutant(name, entry["text"], numbers, edits)


def judged_clauses() -> Iterator[dict[str, Any]]:
    """The clauses that permit, forbid or bring something about."""
    return (entry for entry in clauses() if entry["kind"] in JUDGED)


def _switched_off(table: dict[str, Any]) -> Iterator[Mutant]:
    """One mutant a clause: from the table, else by the shape of its one function."""
    for entry in judged_clauses():
        number = entry["number"]
        if number in table:
            yield _mutant(f"off:{number}", (number,), table[number])
            continue
        for name in entry["functions"]:
            neutral = _neutral(name)
            if neutral:
                text = f"{entry['title']}: the clause is not applied"
                edit = Edit(name, "", neutral)
                yield Mutant(f"off:{number}", text, (number,), (edit,))
                break


def _inverted() -> Iterator[Mutant]:
    """Each condition negated; of each narrowing clause the other cards kept."""
    for entry in judged_clauses():
        for name in entry["functions"]:
            if not _neutral(name):
                continue
            node = _function(name)
            narrows = "allowed" in [one.arg for one in node.args.args]
            for one in ast.walk(node):
                if isinstance(one, ast.Return) and one.value is not None:
                    old = ast.unparse(one.value)
                    new = (
                        f"(allowed & ~({old}) or allowed)"
                        if narrows
                        else f"not ({old})"
                    )
                    one.value = ast.parse(f"({new})", mode="eval").body
            body = "\n".join(ast.unparse(line) for line in node.body)
            number = entry["number"]
            text = f"{entry['title']}: {name} answers the opposite"
            edit = Edit(name, "", body)
            suffix = "" if _only_claim(entry, name) else f":{name}"
            yield Mutant(f"inverted:{number}{suffix}", text, (number,), (edit,))


def _decided(table: dict[str, Any]) -> Iterator[Mutant]:
    """Each condition that always holds, and each that never does and is not off so."""
    claims: dict[str, list[dict[str, Any]]] = {}
    never: set[str] = set()
    for entry in judged_clauses():
        conditions = [name for name in entry["functions"] if _is_condition(name)]
        for name in conditions:
            claims.setdefault(name, []).append(entry)
        switched = table.get(entry["number"], {"edits": ()})["edits"]
        never |= {one["in"] for one in switched if one["new"] == "return False"}
        if entry["number"] not in table:
            never |= {*conditions[:1]}
    for name, entries in claims.items():
        numbers = tuple(entry["number"] for entry in entries)
        title = entries[0]["title"]
        edit = Edit(name, "", "return True")
        yield Mutant(
            f"always:{name}", f"{title}: {name} always holds", numbers, (edit,)
        )
        if name not in never:
            edit = Edit(name, "", "return False")
            text = f"{title}: {name} never holds"
            yield Mutant(f"never:{name}", text, numbers, (edit,))


def _is_condition(name: str) -> bool:
    return _neutral(name) == "return False"


def _only_claim(entry: dict[str, Any], name: str) -> bool:
    return [one for one in entry["functions"] if _neutral(one)] == [name]


def _neutral(name: str) -> str:
    """The body that decides nothing; of a function of another shape none."""
    if name.count(".") != 1:
        return ""
    node = _function(name)
    returns = ast.unparse(node.returns) if node.returns else ""
    if "allowed" in [one.arg for one in node.args.args] and returns == "Mask":
        return "return allowed"
    return "return False" if returns == "bool" else ""


def _swaps(table: dict[str, Any]) -> Iterator[Mutant]:
    """Each value of an option read as each other one, each number as another."""
    reading: dict[str, list[str]] = {}
    for entry in clauses():
        for name in entry["options"]:
            reading.setdefault(name, []).append(entry["number"])
    for name, values in table["words"].items():
        for old in values:
            for new in values:
                if old == new:
                    continue
                read = f"{new!r} if values[{name!r}] == {old!r} else values[{name!r}]"
                if name == "pass_cycle":
                    entries = f"for entry in values[{name!r}]"
                    read = f"tuple({new!r} if entry == {old!r} else entry {entries})"
                yield _swap(name, _word(old), _word(new), read, reading)
    for name, value in table["numbers"].items():
        read = f"values[{name!r}] if isinstance(values[{name!r}], str) else {value!r}"
        yield _swap(name, "number", _word(value), read, reading)


def _swap(
    name: str, old: str, new: str, read: str, reading: dict[str, list[str]]
) -> Mutant:
    lowered = f"return lowered(players, {{**values, {name!r}: {read}}})"
    return Mutant(
        f"swap:{name}={old}>{new}",
        f"{name}: {old} is read as {new}",
        tuple(reading.get(name, ())),
        (Edit("rulesets.checked_rules", "return rules", lowered),),
    )


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# Syntax trees


@cache
def _paths() -> dict[str, Path]:
    """The file of each module of refengine by its name, which no other room has.

    Raises ValueError where two rooms have a module of one name.
    """
    found: dict[str, Path] = {}
    for path in sorted(package_folder().rglob("*.py")):
        if path.stem == "__init__" and path.parent != package_folder():
            continue  # a room, which has no code of its own
        if path.stem in found:
            raise ValueError(f"{path} and {found[path.stem]} have one name")
        found[path.stem] = path
    return found


@cache
def modules() -> tuple[str, ...]:
    """The modules of refengine, by name."""
    return tuple(sorted(_paths()))


def dotted(module: str) -> str:
    """The name by which a module of refengine is imported."""
    path = _paths()[module].relative_to(package_folder().parent)
    return ".".join(path.with_suffix("").parts)


def file_of(module: str) -> str:
    """The file of a module of refengine, from the folder of the package."""
    return _paths()[module].relative_to(package_folder()).as_posix()


@cache
def _source(module: str) -> str:
    return _paths()[module].read_text("utf-8")


def tree_of(module: str) -> ast.Module:
    """A fresh tree of the module."""
    return ast.parse(_source(module))


def definition(name: str) -> ast.Module | ast.ClassDef | ast.FunctionDef:
    """A fresh tree of a module, class or function, a function without docstring.

    Raises ValueError if there is none.
    """
    module, *inner = name.split(".")
    node: ast.Module | ast.ClassDef | ast.FunctionDef = tree_of(module)
    for part in inner:
        named = [
            one
            for one in node.body
            if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == part
        ]
        if not named:
            raise ValueError(f"there is no function {name}")
        node = named[0]
    if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    return node


def _function(name: str) -> ast.FunctionDef:
    node = definition(name)
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(f"there is no function {name}")
    return node


def edited(edit: Edit) -> ast.FunctionDef:
    """The function as the edit leaves it.

    Raises ValueError if `old` is not there exactly once.
    """
    node = _function(edit.function)
    lines = ast.unparse(ast.Module(body=list(node.body), type_ignores=[]))
    if not edit.old:
        lines = edit.new
    elif lines.count(edit.old) != 1:
        times = lines.count(edit.old)
        raise ValueError(f"{edit.function}: {edit.old!r} is there {times} times")
    else:
        before = lines[: lines.index(edit.old)].rpartition("\n")[2]
        margin = before[: len(before) - len(before.lstrip())]
        new = edit.new.strip("\n").replace("\n", f"\n{margin}")
        lines = lines.replace(edit.old, new)
    node.body = ast.parse(lines).body
    return ast.fix_missing_locations(node)


def changed_source(module: str, edits: Iterable[Edit]) -> ast.Module:
    """The tree of a module with those of the edits that are its own."""
    tree = tree_of(module)
    for edit in edits:
        home, *inner = edit.function.split(".")
        if home != module:
            continue
        scope = tree.body
        for part in inner:
            named = [
                (place, one)
                for place, one in enumerate(scope)
                if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == part
            ]
            place, node = named[0]
            if isinstance(node, ast.FunctionDef):
                scope[place] = edited(edit)
                break
            scope = node.body
        else:
            _put_statement(scope, edit)
    return ast.fix_missing_locations(tree)


def _put_statement(scope: list[ast.stmt], edit: Edit) -> None:
    """Exchange a statement at the top of a module or class.

    Raises ValueError if it is not there exactly once.
    """
    found = [place for place, one in enumerate(scope) if ast.unparse(one) == edit.old]
    if len(found) != 1:
        raise ValueError(f"{edit.function}: {edit.old!r} is there {len(found)} times")
    scope[found[0]] = ast.parse(edit.new).body[0]


# The worker: refengine from source


class _Loader(SourceFileLoader):
    """Loads one module from source, with the edits in it."""

    def __init__(self, name: str, path: str, edits: tuple[Edit, ...]) -> None:
        super().__init__(name, path)
        module = name.rpartition(".")[2]
        self.own = tuple(
            edit for edit in edits if edit.function.split(".")[0] == module
        )

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module; where it is changed no stored one is used."""
        if not self.own:
            return super().get_code(fullname)
        tree = changed_source(fullname.rpartition(".")[2], self.own)
        return compile(tree, self.path, "exec", dont_inherit=True)


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of refengine as source, before any compiled ones."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        self.edits = edits
        self.home = package_folder().parent  # asked now: the answer would be ours later

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """The spec of a module of refengine; of any other module none."""
        if fullname.partition(".")[0] != _PACKAGE:
            return None
        file = self.home.joinpath(*fullname.split("."))
        inside = None
        if (file / "__init__.py").is_file():
            inside = [str(file)]
            file = file / "__init__"
        source = str(file.with_suffix(".py"))
        loader = _Loader(fullname, source, self.edits)
        return importlib.util.spec_from_file_location(
            fullname, source, loader=loader, submodule_search_locations=inside
        )


def load(name: str) -> None:
    """Make this process a worker: refengine is this mutant from now on.

    Raises UnknownMutantError, and RuntimeError where refengine is already loaded.
    """
    wanted = mutant(name)
    if _PACKAGE in sys.modules:
        raise RuntimeError(
            "a mutant is loaded in a process of its own, before all else"
        )
    sys.meta_path.insert(0, Finder(wanted.edits))
    importlib.import_module(_PACKAGE)


# Many mutants in one worker: the code of functions exchanged


def function_named(name: str) -> FunctionType:
    """The function of this name in the engine that is loaded."""
    module, *inner = name.split(".")
    found: Any = importlib.import_module(dotted(module))
    for part in inner:
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    assert isinstance(found, FunctionType), f"{name} is not interpreted"
    return found


def code_of(edit: Edit) -> CodeType:
    """The code of the function as the edit leaves it, to run in its module."""
    node = edited(edit)
    node.decorator_list = []
    node.returns = None
    rest = [one for one in (node.args.vararg, node.args.kwarg) if one is not None]
    for argument in [*node.args.args, *node.args.kwonlyargs, *rest]:
        argument.annotation = None
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [ast.Constant(None) for _ in node.args.kw_defaults]
    ast.fix_missing_locations(node)
    module = ast.Module(body=[node], type_ignores=[])
    scope: dict[str, Any] = {}
    path = f"<{edit.function}>"
    exec(compile(module, path, "exec", dont_inherit=True), scope)
    code: CodeType = scope[node.name].__code__
    return code


@cache
def _codes(name: str) -> tuple[tuple[FunctionType, CodeType], ...]:
    found = tuple(
        (function_named(one.function), code_of(one)) for one in mutant(name).edits
    )
    for function, code in found:
        for line in dis.get_instructions(code):
            known = line.argval in function.__globals__ or hasattr(
                function.__globals__["__builtins__"], str(line.argval)
            )
            known = known or line.argval in vars(importlib.import_module("builtins"))
            if line.opname == "LOAD_GLOBAL" and not known:
                raise NameError(f"{name} reads {line.argval}, which there is not")
    return found


def unusable(names: Iterable[str]) -> list[str]:
    """Those of the mutants that no longer fit the source, and why; in a worker."""
    found = []
    for name in names:
        try:
            _codes(name)
        except (AssertionError, KeyError, NameError, ValueError) as error:
            found.append(f"{name}: {error}")
    return found


@contextmanager
def switched(name: str) -> Iterator[None]:
    """The loaded engine as this mutant for a while; only in a worker."""
    pairs = _codes(name)
    kept = [function.__code__ for function, _ in pairs]
    try:
        for function, code in pairs:
            function.__code__ = code
        yield
    finally:
        for (function, _), code in zip(pairs, kept, strict=True):
            function.__code__ = code


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """What runs for longer inside ends with HangsError; in a main thread only."""
    if threading.current_thread() is not threading.main_thread():
        with nullcontext():
            yield
        return

    def ring(number: int, frame: object) -> None:
        raise HangsError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)  # what swallows one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def replaying() -> ModuleType:
    """`conformance.evidence`, which imports refengine: only in a worker."""
    return importlib.import_module("conformance.evidence")


@attrs.frozen
class Kill:
    """The first line of a corpus under which a mutant shows, and where it does.

    `line` counts from 0, and is -1 where the mutant survives; `place` says at which
    step and question, or how it crashed.
    """

    mutant: str
    line: int
    place: str


def first_kill(name: str, lines: Sequence[bytes]) -> Kill:
    """The first of these traces and mini-deals that the mutant fails; in a worker."""
    evidence = replaying()
    cases = [evidence.case_of(line) for line in lines]
    with switched(name):
        for number, case in enumerate(cases):
            if evidence.may_matter(name, case):
                place = evidence.first_divergence(case)
                if place:
                    return Kill(name, number, place)
    return Kill(name, -1, "")


def workers(jobs: int) -> ProcessPoolExecutor:
    """An executor of so many workers, each with the engine from source.

    They end with the process that made them, however it ends.
    """
    context = get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work)


def _begin_work() -> None:
    """Make this process a worker that does not outlive its parent."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load(UNCHANGED)


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def kills(
    names: Sequence[str], lines: Sequence[bytes], executor: Executor
) -> list[Kill]:
    """For each of these mutants the first of the lines that kills it."""
    shares = [names[start::8] for start in range(8)]
    results = executor.map(_kills_of, shares, [lines] * len(shares))
    found = {kill.mutant: kill for share in results for kill in share}
    return [found[name] for name in names]


def _kills_of(names: Sequence[str], lines: Sequence[bytes]) -> list[Kill]:
    return [first_kill(name, lines) for name in names]


# Commands


def main(arguments: Sequence[str] | None = None) -> int:
    """List the mutants, or serve one of them; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m conformance.mutants")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="all mutants, one a line")
    serve = commands.add_parser("serve", help="the adapter protocol, by a mutant")
    serve.add_argument("id")
    asked = parser.parse_args(arguments)
    if asked.command == "list":
        for one in mutants():
            print(f"{one.id}\t{' '.join(one.clauses)}\t{one.text}")
        return 0
    try:
        load(asked.id)
    except UnknownMutantError as error:
        print(error, file=sys.stderr)
        return 3
    speak = importlib.import_module("refengine.formats.serve").serve
    speak(sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
