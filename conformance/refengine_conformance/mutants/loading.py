"""Loads `refengine` from its source, unchanged or as a mutant, in a worker process.

`become_mutant` hooks the import system so that it loads `refengine` from source, even
if the installed package is compiled. So neither this module nor any that it imports may
import the rules, and code that runs in a worker imports them late. `refengine conform
mutants serve ID` serves a mutant over the adapter protocol.
"""

from __future__ import annotations

import ast
import builtins
import dis
import importlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec, SourceFileLoader
from multiprocessing import get_context, parent_process
from types import CodeType, FunctionType
from typing import Any, Final

from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants.catalogue import (
    UNCHANGED,
    UnknownMutantError,
    mutant_with_id,
)
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.source_edits import (
    PACKAGE,
    Edit,
    changed_module_tree,
    edited_function,
    import_name,
    package_folder,
)


class HangsError(Exception):
    """Raised when a mutant has run for too long."""


# From source


class _Loader(SourceFileLoader):
    """Loads one module from source, after making the edits that concern it."""

    def __init__(self, name: str, path: str, edits: tuple[Edit, ...]) -> None:
        super().__init__(name, path)
        module = name.rpartition(".")[2]
        self.own = tuple(
            edit for edit in edits if edit.function.split(".")[0] == module
        )

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module; for a changed module, no cached code is used."""
        if not self.own:
            return super().get_code(fullname)
        tree = changed_module_tree(fullname.rpartition(".")[2], self.own)
        return compile(tree, self.path, "exec", dont_inherit=True)


class Finder(importlib.abc.MetaPathFinder):
    """An import hook that loads refengine from source, even if it is compiled."""

    def __init__(self, edits: tuple[Edit, ...]) -> None:
        self.edits = edits
        self.home = package_folder().parent  # found now, before this finder takes over

    def find_spec(
        self, fullname: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """The spec of a module of refengine that has a source file; else None."""
        if fullname.partition(".")[0] != PACKAGE:
            return None
        file = self.home.joinpath(*fullname.split("."))
        inside = None
        if (file / "__init__.py").is_file():
            inside = [str(file)]
            file = file / "__init__"
        source = str(file.with_suffix(".py"))
        if not os.path.isfile(source):
            return None  # an older name of a module, which the package itself serves
        loader = _Loader(fullname, source, self.edits)
        return importlib.util.spec_from_file_location(
            fullname, source, loader=loader, submodule_search_locations=inside
        )


def _is_of_the_rules(module: str) -> bool:
    """Whether this is the name of a module of the rules, which a mutant may change.

    The package itself, `public` and `jobs` do not count as rules: a worker needs them
    to run.
    """
    package, *inner = module.split(".")
    return package == PACKAGE and inner[:1] not in ([], ["public"], ["jobs"])


def become_mutant(name: str) -> None:
    """Make this process a worker, in which `import refengine` imports this mutant.

    Raises UnknownMutantError if there is no such mutant, and RuntimeError if the rules
    are already loaded.
    """
    wanted = mutant_with_id(name)
    if any(map(_is_of_the_rules, sys.modules)):
        raise RuntimeError(
            "a mutant is loaded in a process of its own, before all else"
        )
    sys.meta_path.insert(0, Finder(wanted.edits))
    importlib.import_module(PACKAGE)


# Many mutants in one worker, by exchanging the code of functions


def function_named(name: str) -> FunctionType:
    """The function with this name in the loaded engine."""
    module, *inner = name.split(".")
    found: Any = importlib.import_module(import_name(module))
    for part in inner:
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    assert isinstance(found, FunctionType), f"{name} is not interpreted"
    return found


def compile_edit(edit: Edit) -> CodeType:
    """Compile the edited function, to run with the globals of the unchanged one."""
    node = edited_function(edit)
    node.decorator_list = []
    node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    node.args.kw_defaults = [ast.Constant(None) for _ in node.args.kw_defaults]
    module = ast.fix_missing_locations(ast.Module(body=[node], type_ignores=[]))
    scope: dict[str, Any] = {}
    # No annotation is evaluated, since this scope lacks the names used in it.
    flags = annotations.compiler_flag
    exec(compile(module, f"<{edit.function}>", "exec", flags, dont_inherit=True), scope)
    code: CodeType = scope[node.name].__code__
    return code


@cache
def codes_of(name: str) -> tuple[tuple[FunctionType, CodeType], ...]:
    """The functions that a mutant changes, each with the code that replaces its own.

    Raises ValueError if an edit does not fit the source, UnknownMutantError if there is
    no such mutant, and NameError if that code reads a global that does not exist: else
    the fault would show only when a game reached that code.
    """
    found = tuple(
        (function_named(one.function), compile_edit(one))
        for one in mutant_with_id(name).edits
    )
    for function, code in found:
        known = function.__globals__.keys() | vars(builtins).keys()
        for read in globals_read(code):
            if read not in known:
                raise NameError(f"{name} reads {read}, which does not exist")
    return found


def globals_read(code: CodeType) -> Iterator[str]:
    """The names of the globals that this code, or any code within it, reads."""
    for one in dis.get_instructions(code):
        if one.opname == "LOAD_GLOBAL":
            yield one.argval
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from globals_read(inner)


def function_with_code(function: FunctionType, code: CodeType) -> FunctionType:
    """A function like `function`, with this code in place of its own."""
    made = FunctionType(
        code, function.__globals__, None, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


@contextmanager
def codes_exchanged(pairs: Iterable[tuple[FunctionType, CodeType]]) -> Iterator[None]:
    """A context in which each of these functions has the code paired with it."""
    listed = list(pairs)
    kept = [(function, function.__code__) for function, _ in listed]
    try:
        for function, code in listed:
            function.__code__ = code
        yield
    finally:
        for function, code in kept:
            function.__code__ = code


@contextmanager
def calls_hooked(
    hook: str, called: Callable[..., Any], keys: Mapping[FunctionType, object]
) -> Iterator[None]:
    """A context in which calls of some functions go to `called` instead.

    `called` gets the key of the function, then the arguments of the call. Meanwhile it
    is a global named `hook` of every module that has one of the functions; what had
    that name before has it again afterwards.
    """
    scopes = {id(one.__globals__): one.__globals__ for one in keys}.values()
    before = [(scope, scope.get(hook)) for scope in scopes]
    try:
        for scope, _ in before:
            scope[hook] = called
        hooked = [(one, _calling_code(hook, key)) for one, key in keys.items()]
        with codes_exchanged(hooked):
            yield
    finally:
        for scope, other in before:
            if other is None:
                del scope[hook]
            else:
                scope[hook] = other


def _calling_code(hook: str, key: object) -> CodeType:
    """The code of a function that calls a hook with this key and its own arguments.

    The code is meant to replace that of another function. Such code cannot have free
    variables, so the name of the hook and the key are written into its source.
    """
    scope: dict[str, Any] = {}
    exec(f"def watched(*some, **named): return {hook}({key!r}, *some, **named)", scope)
    code: CodeType = scope["watched"].__code__
    return code


_UNUSABLE: Final = (AssertionError, LookupError, NameError, SyntaxError, ValueError)


def find_unusable_mutants(names: Iterable[str]) -> dict[str, str]:
    """The mutants among these that no longer fit the source, each with the reason.

    For use in a worker.
    """
    found = {}
    for name in names:
        try:
            codes_of(name)
        except _UNUSABLE as error:
            found[name] = f"{type(error).__name__}: {error}"
    return found


@contextmanager
def run_as_mutant(name: str) -> Iterator[None]:
    """A context in which the loaded engine is this mutant; for use in a worker."""
    with codes_exchanged(codes_of(name)):
        yield


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """A context that raises HangsError after this many seconds of processor time.

    Outside the main thread there is no limit. Limits do not nest: when an inner limit
    ends, so does the outer one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: object) -> None:
        raise HangsError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGVTALRM, ring)
    # The timer repeats, since an error that is raised in a finalizer is lost.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def differs(work: Callable[[], object], expected: object, seconds: float) -> bool:
    """Do some work, and return whether the result is other than expected.

    A failure of any kind counts as different. Raises HangsError if the work takes more
    than this many seconds of processor time.
    """
    try:
        with time_limit(seconds):
            return work() != expected
    except HangsError:
        raise
    except Exception:  # a mutant may fail in any way
        return True


def mutant_workers(jobs: int) -> ProcessPoolExecutor:
    """An executor with this many worker processes, which load the engine from source.

    The workers end with the process that made them, however that process ends.
    """
    context = get_context("spawn")
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_work)


def _begin_work() -> None:
    """Load the engine from source in this worker, which ends when its parent does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    become_mutant(UNCHANGED)


def _end_with_parent() -> None:
    """Wait for the parent to end, and then end this process at once."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# Commands


def main(arguments: Sequence[str] | None = None) -> int:
    """List the designed mutants or serve any mutant, and return the exit status."""
    parser = ToolArguments(prog="refengine conform mutants")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list the designed mutants, one a line")
    serve = commands.add_parser("serve", help="a mutant behind the adapter protocol")
    serve.add_argument("id")
    asked = parser.parse_args(arguments)
    if asked.command == "list":
        for one in designed_mutants():
            print(f"{one.id}\t{' '.join(one.clauses)}\t{one.text}")
        return 0
    try:
        become_mutant(asked.id)
    except UnknownMutantError as error:
        print(error, file=sys.stderr)
        return 3
    from refengine.formats.serve import serve as speak  # late: the mutant is loaded

    speak(sys.stdin.buffer, sys.stdout.buffer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
