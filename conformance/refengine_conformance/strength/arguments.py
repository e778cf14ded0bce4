"""Arguments about mutants that survive: what `conformance/survivors.toml` says."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from refengine_conformance.data import data
from refengine_conformance.mutants import operators, source_edits

ARGUMENTS: Final = data() / "survivors.toml"
_REASONS: Final = source_edits.CORPUS / "reasons.toml"
VERDICTS: Final = ("equivalent", "accepted", "gap")


@attrs.frozen
class Argument:
    """Why some mutants survive: a verdict, a reason, and which they are.

    They are named one by one, or by the function that they are mutants of.
    """

    verdict: str
    why: str
    mutants: tuple[str, ...]
    functions: tuple[str, ...]

    def covers(self, name: str) -> bool:
        """Whether it is about this mutant."""
        if name in self.mutants:
            return True
        return (
            name.startswith(operators.PREFIX) and name.split(":")[1] in self.functions
        )


def survivor_arguments(path: Path = ARGUMENTS) -> tuple[Argument, ...]:
    """The arguments about survivors.

    Raises ValueError for an unknown verdict, or an argument without a reason.
    """
    found = []
    for entry in _entries(path).get("argument", ()):
        one = Argument(
            entry.get("verdict", ""),
            " ".join(entry.get("why", "").split()),
            tuple(entry.get("mutants", ())),
            tuple(entry.get("functions", ())),
        )
        if one.verdict not in VERDICTS or not one.why:
            raise ValueError(f"{entry}: no such verdict, or no reason")
        found.append(one)
    for name, entry in _entries(_REASONS).items():
        verdict = "equivalent" if name == "equivalent" else "accepted"
        numbers = entry.get("clauses", ())
        names = [*entry.get("mutants", ()), *[f"off:{one}" for one in numbers]]
        names += [f"inverted:{one}" for one in numbers]
        found.append(Argument(verdict, entry["reason"], tuple(names), ()))
    return tuple(found)


def reasons_of_clauses() -> dict[str, str]:
    """Why no line can judge a clause, for each of which that is written down."""
    written = [*_entries(_REASONS).values(), *_entries(ARGUMENTS).get("clause", ())]
    return {
        number: " ".join(entry["reason"].split())
        for entry in written
        for number in entry.get("clauses", ())
    }


def _entries(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def argument_of_each(alive: Iterable[str], known: Sequence[Argument]) -> dict[str, int]:
    """For each survivor, the place of the argument about it; -1 if there is none.

    An argument that names the mutant comes before one that names its function.
    """
    found = {}
    for name in alive:
        places = [place for place, one in enumerate(known) if name in one.mutants]
        places += [place for place, one in enumerate(known) if one.covers(name)]
        found[name] = (*places, -1)[0]
    return found


def idle_arguments(alive: Iterable[str], known: Sequence[Argument]) -> list[str]:
    """What the arguments name although it does not survive, or no longer exists."""
    names = set(alive)
    functions = {name.split(":")[1] for name in names if operators.PREFIX in name}
    tree = [name for one in known for name in one.mutants if operators.PREFIX in name]
    return [name for name in tree if name not in names] + [
        name for one in known for name in one.functions if name not in functions
    ]
