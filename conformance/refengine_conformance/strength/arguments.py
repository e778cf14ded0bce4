"""Arguments about mutants that survive, from `survivors.toml` and the corpus."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from refengine_conformance.data import data
from refengine_conformance.mutants import designed, operators, source_edits

ARGUMENTS: Final = data() / "survivors.toml"
_REASONS: Final = source_edits.CORPUS / "reasons.toml"
VERDICTS: Final = ("equivalent", "accepted", "gap")


class ArgumentError(ValueError):
    """A file of arguments cannot be read, or an entry in it lacks what it must have."""


@attrs.frozen
class Argument:
    """Why some mutants survive: a verdict, and the reason for it.

    The mutants are named one by one, or by the function whose syntax tree they change.
    """

    verdict: str
    why: str
    mutants: tuple[str, ...]
    functions: tuple[str, ...]

    def covers(self, name: str) -> bool:
        """Whether the argument is about this mutant."""
        return name in self.mutants or function_changed(name) in self.functions


def function_changed(name: str) -> str:
    """The function, class or module whose syntax tree this mutant changes.

    It is "" for a designed mutant.
    """
    return name.split(":")[1] if name.startswith(operators.PREFIX) else ""


def survivor_arguments(path: Path = ARGUMENTS) -> tuple[Argument, ...]:
    """The arguments about survivors: those in `path`, then those of the corpus.

    Raises ArgumentError if a file cannot be read, and for an argument that has another
    form, an unknown verdict or no reason.
    """
    return (*_arguments_in(path), *_arguments_of_corpus())


def _arguments_in(path: Path) -> Iterator[Argument]:
    """The arguments in a file laid out like `survivors.toml`."""
    for entry in _tables(path, "argument"):
        verdict = entry.get("verdict", "")
        why = _reason_in(path, entry, "why")
        mutants = _names_in(path, entry, "mutants")
        functions = _names_in(path, entry, "functions")
        if verdict not in VERDICTS:
            raise ArgumentError(f"{path}: {entry}: no such verdict")
        yield Argument(verdict, why, mutants, functions)


def _arguments_of_corpus() -> Iterator[Argument]:
    """The reasons in the corpus, as arguments about the mutants that they explain."""
    for name, entry in _reasons_of_corpus().items():
        verdict = "equivalent" if name == "equivalent" else "accepted"
        numbers = _names_in(_REASONS, entry, "clauses")
        mutants = (
            *_names_in(_REASONS, entry, "mutants"),
            *[f"{designed.OFF}{number}" for number in numbers],
            *[f"inverted:{number}" for number in numbers],
        )
        yield Argument(verdict, _reason_in(_REASONS, entry, "reason"), mutants, ())


def reasons_of_clauses() -> dict[str, str]:
    """The written reasons for clauses that the corpus cannot show in full, by clause.

    Raises ArgumentError if a file cannot be read, and for an entry that has another
    form or no reason.
    """
    written = [
        *((_REASONS, entry) for entry in _reasons_of_corpus().values()),
        *((ARGUMENTS, entry) for entry in _tables(ARGUMENTS, "clause")),
    ]
    return {
        number: _reason_in(path, entry, "reason")
        for path, entry in written
        for number in _names_in(path, entry, "clauses")
    }


def check_arguments() -> None:
    """Raise ArgumentError if a file of arguments or reasons cannot be used."""
    survivor_arguments()
    reasons_of_clauses()


# Reading the files; each of these raises ArgumentError for what has another form


def _reason_in(path: Path, entry: Mapping[str, Any], key: str) -> str:
    """The reason under this key of an entry, on one line; there has to be one."""
    reason = entry.get(key, "")
    if not isinstance(reason, str):
        raise ArgumentError(f"{path}: {entry}: {key} is no text")
    if not reason.strip():
        raise ArgumentError(f"{path}: {entry}: no reason")
    return " ".join(reason.split())


def _names_in(path: Path, entry: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The names listed under this key of an entry; none if it lacks the key."""
    names = entry.get(key, [])
    if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
        raise ArgumentError(f"{path}: {entry}: {key} is no list of names")
    return tuple(names)


def _tables(path: Path, key: str) -> list[dict[str, Any]]:
    """The tables that a TOML file lists under this key; none if it lacks the key."""
    entries = _entries(path).get(key, [])
    if not isinstance(entries, list):
        raise ArgumentError(f"{path}: found one table; write [[{key}]]")
    for entry in entries:
        if not isinstance(entry, dict):
            raise ArgumentError(f"{path}: {entry!r} is no table")
    return entries


def _reasons_of_corpus() -> dict[str, dict[str, Any]]:
    """The tables of reasons in the corpus, by their names."""
    entries = _entries(_REASONS)
    for name, entry in entries.items():
        if not isinstance(entry, dict):
            raise ArgumentError(f"{_REASONS}: found a list; write [{name}]")
    return entries


def _entries(path: Path) -> dict[str, Any]:
    """The tables and lists of a TOML file, by name; it may have nothing else."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ArgumentError(f"{path}: {error}") from error
    for name, entry in found.items():
        if not isinstance(entry, dict | list):
            raise ArgumentError(f"{path}: {name} is no table")
    return found


# Which argument is about which mutant


def argument_of_each(alive: Iterable[str], known: Sequence[Argument]) -> dict[str, int]:
    """For each surviving mutant, the index in `known` of the argument about it.

    The index is -1 if there is none. An argument that names the mutant is preferred to
    one that names its function.
    """
    found = {}
    for name in alive:
        naming = [place for place, one in enumerate(known) if name in one.mutants]
        covering = [place for place, one in enumerate(known) if one.covers(name)]
        found[name] = next(iter([*naming, *covering]), -1)
    return found


def idle_arguments(alive: Iterable[str], known: Sequence[Argument]) -> list[str]:
    """The syntactic mutants and functions named in arguments that they do not need.

    First come the syntactic mutants that do not survive, then the functions of which no
    syntactic mutant survives.
    """
    survivors = set(alive)
    functions = {function_changed(name) for name in survivors}
    mutants = [name for one in known for name in one.mutants if function_changed(name)]
    return [name for name in mutants if name not in survivors] + [
        name for one in known for name in one.functions if name not in functions
    ]
