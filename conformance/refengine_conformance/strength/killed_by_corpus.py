"""Find out which mutants the corpus kills, as it would catch an outside engine.

Each mutant has its own process: a fork of a worker in which the unchanged engine and
the corpus are already loaded. For a mutant of a plain function, the code of the
function is exchanged there. An exchange has no effect on what is worked out only once,
when the engine is imported or a profile is read. For mutants of values, and of
functions that run at that time, the engine is therefore loaded again with the change.

For each mutant, the line that killed it in the last run comes first, then the lines in
which one of its clauses fires, then all others that call the function; the first kill
ends the trial. A mutant that does not end is stopped, and counts as killed.

This module does not import the rules: its work is done in workers that become
mutants.
"""

from __future__ import annotations

import ast
import gc
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, Final

import attrs
from msgspec import json

from refengine_conformance.corpus_tools.build import corpus_index, lines_of_corpus
from refengine_conformance.mutants import catalogue, loading, source_edits
from refengine_conformance.mutants.calls import functions_called
from refengine_conformance.strength import recorded

_LOADING: Final = 20.0  # seconds of processor time that an import may take
LONGEST: Final = 300.0  # seconds by the clock after which a mutant is stopped
# What stays when the engine is unloaded, because it does not import the rules: whole
# rooms, and these modules of other rooms.
_CONFORMANCE: Final = "refengine_conformance"
_STAYS: Final = ("jobs", "mutants")
_ALSO: Final = (
    "corpus_tools.build",
    "strength.killed_by_corpus",
    "strength.recorded",
)

Fate = list[str]  # the line that kills, by id, and where; both "" if none does


@attrs.frozen
class Trial:
    """A mutant to be tried, and the lines against which to try it, all by their ids.

    `last_killer` is what killed it in the last run, or "" if nothing did. If `lines` is
    empty, the mutant is tried against all lines.
    """

    mutant: str
    last_killer: str = ""
    lines: tuple[str, ...] = ()


# The corpus


@cache
def lines_cheapest_first() -> dict[str, bytes]:
    """The lines of the corpus, by id, with the cheapest to try first."""
    texts = [line.encode() for line in lines_of_corpus(source_edits.CORPUS)]
    ids = [entry["id"] for entry in corpus_index(source_edits.CORPUS)]
    return dict(sorted(zip(ids, texts, strict=True), key=_cost))


@cache
def lines_by_clause() -> dict[str, tuple[str, ...]]:
    """For each clause, the ids of the lines in which it fires, the cheapest first."""
    fires = {entry["id"]: entry["fires"] for entry in corpus_index(source_edits.CORPUS)}
    found: dict[str, list[str]] = {}
    for name in lines_cheapest_first():
        for number in fires[name]:
            found.setdefault(number, []).append(name)
    return {number: tuple(ids) for number, ids in found.items()}


def _cost(line: tuple[str, bytes]) -> tuple[bool, int, str]:
    """A sort key that puts short lines before long ones, and mini-deals after traces.

    A mini-deal costs more, since all its games are played.
    """
    name, text = line
    return name.startswith("m-"), len(text), name


def tried_in_order(trial: Trial) -> list[str]:
    """The ids of the lines of a trial, in the order in which they are tried.

    The line that killed the mutant last time comes first, then lines in which clauses
    of the mutant fire, then the others.
    """
    lines, firing = lines_cheapest_first(), lines_by_clause()
    order: dict[str, None] = {}
    if trial.last_killer in lines:
        order[trial.last_killer] = None
    for number in catalogue.mutant_with_id(trial.mutant).clauses:
        order |= dict.fromkeys(firing.get(number, ()))
    wanted = dict.fromkeys(trial.lines or lines)
    return [name for name in order | wanted if name in wanted]


# In a worker


def fate_of_mutant(trial: Trial) -> Fate:
    """Find out in a worker whether a line of the trial kills the mutant, and where.

    The result consists of the line's id and the place, both of which are "" if the
    mutant survives. If something other than a line ended the mutant, it is named in
    place of the line.
    """
    shared_by_forks()
    try:
        return run_in_fork(_fate, trial)
    except ForkEndedError as ended:
        return [ended.how, ended.detail]


class ForkEndedError(Exception):
    """Raised if a fork gave no answer.

    `how` is `time` or `crash`, and `detail` says more.
    """

    def __init__(self, how: str, detail: str) -> None:
        # Both stay in `args`, so that a worker can send the error to its parent.
        super().__init__(how, detail)
        self.how = how
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.how}: {self.detail}"


def run_in_fork(
    work: Callable[[Any], list[str]], item: Any, longest: float = LONGEST
) -> list[str]:
    """The result of `work(item)`, done in a fork of this process.

    Raises ForkEndedError if a signal ended the fork, or if the fork wrote nothing for
    `longest` seconds, and RuntimeError if the work raised an error.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status, text = 1, b""
        try:
            status, text = 0, json.encode(work(item))
        except BaseException as error:
            text = repr(error).encode()
        finally:
            with suppress(OSError), os.fdopen(writing, "wb") as out:
                out.write(text)
            os._exit(status)
    os.close(writing)
    found = _read_to_end(reading, longest)
    os.close(reading)
    if found is None:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if found is None:
        raise ForkEndedError("time", f"ended after {longest:.0f} seconds")
    if status < 0:
        raise ForkEndedError("crash", signal.Signals(-status).name)
    if status:
        raise RuntimeError(f"a fault of ours with {item}: {found.decode()}")
    decoded: list[str] = json.decode(found)
    return decoded


def _read_to_end(pipe: int, longest: float) -> bytes | None:
    """All that is written to a pipe; None if nothing comes for `longest` seconds."""
    found = b""
    while select.select([pipe], [], [], longest)[0]:
        part = os.read(pipe, 1 << 16)
        if not part:
            return found
        found += part
    return None


@attrs.frozen
class Calls:
    """Which functions of the engine are called, as each fork has to know.

    `at_import` holds those that run while the engine is loaded; `by_line` maps the id
    of each line to the functions that are called when the line is tried.
    """

    at_import: frozenset[str]
    by_line: dict[str, frozenset[str]]


@cache
def shared_by_forks() -> Calls:
    """Work out what all forks have to know, once in a worker with the unchanged engine.

    Raises ForkEndedError or RuntimeError if even the unchanged engine cannot be loaded.
    """
    from refengine_conformance.corpus_tools import evidence

    by_line = {
        name: frozenset(
            functions_called(evidence.first_divergence, evidence.case_of(line))
        )
        for name, line in lines_cheapest_first().items()
    }
    calls = Calls(frozenset(run_in_fork(functions_run_at_import, None)), by_line)
    lines_by_clause()  # kept for the forks
    gc.freeze()  # otherwise the garbage collector of each fork would copy it all
    return calls


def line_digests(_: object) -> dict[str, str]:
    """A digest for each line, by its id, that changes with the line or its functions.

    For use in a worker.
    """
    calls = shared_by_forks()
    return {
        name: recorded.digest_of_line(text, calls.by_line[name] | calls.at_import)
        for name, text in lines_cheapest_first().items()
    }


def functions_run_at_import(_: object) -> list[str]:
    """The functions of refengine that run while it and its profiles are loaded.

    The engine is unloaded first, so this may be called only in a fork.
    """

    def read() -> None:
        loading.become_mutant(catalogue.UNCHANGED)
        from refengine.lawbook import profiles  # late: in a worker

        for name in profiles.profile_names():
            profiles.profile(name)

    _unload()
    return functions_called(read)


def _fate(trial: Trial) -> Fate:
    """Try the mutant of this trial in a fork, and return its fate.

    It is as in `fate_of_mutant`, which also stops a mutant that takes too long. Raises
    ValueError if an edit of the mutant does not fit the source.
    """
    name = trial.mutant
    order = tried_in_order(trial)
    edits = catalogue.mutant_with_id(name).edits
    calls = shared_by_forks()
    if can_exchange_code(name, calls.at_import):
        functions = {edit.function for edit in edits}
        calling = [line for line in order if calls.by_line[line] & functions]
        with loading.run_as_mutant(name):
            return _first_kill(name, calling)
    # An edit that does not fit must raise here: below, it would count as a kill.
    for module in {edit.function.partition(".")[0] for edit in edits}:
        source_edits.changed_module_tree(module, edits)
    _unload()
    try:
        with loading.time_limit(_LOADING):
            loading.become_mutant(name)
            import refengine_conformance.corpus_tools.evidence  # noqa: F401  # may fail
    except (Exception, SystemExit) as error:  # a mutant may fail in any way
        return ["import", type(error).__name__]
    return _first_kill(name, order)


def _first_kill(name: str, order: list[str]) -> Fate:
    """The id of the first line that the mutant fails, and the place where it does.

    Both are "" if it fails none of the lines in `order`. The engine that is loaded must
    be this mutant.
    """
    from refengine_conformance.corpus_tools import evidence

    lines = lines_cheapest_first()
    for line in order:
        try:
            case = evidence.case_of(lines[line])
        except Exception as error:  # the mutant cannot even read the line
            return [line, f"unreadable: {type(error).__name__}"]
        if evidence.may_matter(name, case):
            place: str = evidence.first_divergence(case)
            if place:
                return [line, place]
    return ["", ""]


def _unload() -> None:
    """Forget the engine and all modules of conformance that have imported it."""
    sys.meta_path[:] = [
        one for one in sys.meta_path if not isinstance(one, loading.Finder)
    ]
    for name in list(sys.modules):
        package, _, rest = name.partition(".")
        if package == "refengine" or (package == _CONFORMANCE and not _stays(rest)):
            del sys.modules[name]
            # Otherwise `from room import module` would find the old one.
            home, _, module = name.rpartition(".")
            if home in sys.modules:
                vars(sys.modules[home]).pop(module, None)


def _stays(name: str) -> bool:
    """Whether a module or package of conformance stays when the engine is unloaded."""
    room, _, module = name.partition(".")
    if not module:
        return room != "proofs"  # the one room that is more than a folder
    return room in _STAYS or name in _ALSO


def can_exchange_code(name: str, at_import: frozenset[str]) -> bool:
    """Whether a mutant can be made by exchanging the code of its functions.

    It cannot if it changes a value, or if one of its functions runs while the engine is
    loaded (`at_import` lists these), has a decorator other than `property`, or calls
    `super()`, for which the code must be compiled within its class.
    """
    functions = {edit.function for edit in catalogue.mutant_with_id(name).edits}
    if functions & at_import:
        return False
    nodes = [source_edits.definition_tree(function) for function in functions]
    return all(
        isinstance(node, ast.FunctionDef)
        and {_decorator(each) for each in node.decorator_list} <= {"property"}
        and all(getattr(one, "id", "") != "super" for one in ast.walk(node))
        for node in nodes
    )


def _decorator(node: Any) -> str:
    """The name of a decorator, or `call` for a decorator that is written as a call."""
    return str(getattr(node, "id", getattr(node, "attr", "call")))
