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
    """The function whose syntax tree this mutant changes; "" for a designed mutant."""
    return name.split(":")[1] if name.startswith(operators.PREFIX) else ""


def survivor_arguments(path: Path = ARGUMENTS) -> tuple[Argument, ...]:
    """The arguments about survivors: those in `path`, then those of the corpus.

    Raises ArgumentError for an unknown verdict, and for an argument without a reason.
    """
    return (*_arguments_in(path), *_arguments_of_corpus())


def _arguments_in(path: Path) -> Iterator[Argument]:
    """The arguments in a file laid out like `survivors.toml`.

    Raises ArgumentError if the file cannot be read, and for an argument that has
    another form, an unknown verdict or no reason.
    """
    entries = _entries(path).get("argument", [])
    if not isinstance(entries, list):
        raise ArgumentError(f"{path}: found one table; write [[argument]]")
    for entry in entries:
        if not isinstance(entry, dict):
            raise ArgumentError(f"{path}: {entry!r} is no table")
        why = entry.get("why", "")
        named = [entry.get(key, []) for key in ("mutants", "functions")]
        if not isinstance(why, str) or not all(map(_is_names, named)):
            raise ArgumentError(f"{path}: {entry}: wanted a text and lists of names")
        mutants, functions = map(tuple, named)
        verdict = entry.get("verdict", "")
        argument = Argument(verdict, " ".join(why.split()), mutants, functions)
        if argument.verdict not in VERDICTS or not argument.why:
            raise ArgumentError(f"{path}: {entry}: no such verdict, or no reason")
        yield argument


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _arguments_of_corpus() -> Iterator[Argument]:
    """The reasons in the corpus, as arguments about the mutants that they explain."""
    for name, entry in _entries(_REASONS).items():
        verdict = "equivalent" if name == "equivalent" else "accepted"
        numbers = entry.get("clauses", ())
        mutants = (
            *entry.get("mutants", ()),
            *[f"{designed.OFF}{number}" for number in numbers],
            *[f"inverted:{number}" for number in numbers],
        )
        yield Argument(verdict, _reason_in(entry), mutants, ())


def reasons_of_clauses() -> dict[str, str]:
    """The written reasons for clauses that the corpus cannot show in full, by clause.

    Raises ArgumentError for an entry without a reason.
    """
    written = [*_entries(_REASONS).values(), *_entries(ARGUMENTS).get("clause", ())]
    return {
        number: _reason_in(entry)
        for entry in written
        for number in entry.get("clauses", ())
    }


def check_arguments() -> None:
    """Raise ArgumentError if a file of arguments or reasons cannot be used."""
    survivor_arguments()
    reasons_of_clauses()


def _reason_in(entry: Mapping[str, Any]) -> str:
    """The reason in an entry; raises ArgumentError if there is none."""
    reason = " ".join(entry.get("reason", "").split())
    if not reason:
        raise ArgumentError(f"{entry}: no reason")
    return reason


def _entries(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; raises ArgumentError if it is anything else."""
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ArgumentError(f"{path}: {error}") from error
    for name, entry in found.items():
        if not isinstance(entry, dict | list):
            raise ArgumentError(f"{path}: {name} is no table")
    return found


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
