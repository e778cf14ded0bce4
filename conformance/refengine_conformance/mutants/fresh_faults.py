"""Faults that were devised from the book alone, and then planted in the engine.

There are two lists of fifty. `fresh-faults.toml` and `meeting-faults.toml` say what
goes wrong, which clause is broken, and where it shows; each fault in the second list
forgets one rule where it meets another. `fresh-faults-planted.toml` and
`meeting-faults-planted.toml`, written by somebody else, contain the changes to the
source by which the faults are planted.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import attrs

from refengine_conformance.data import data
from refengine_conformance.mutants.source_edits import Mutant, edits_in


@attrs.frozen
class FaultList:
    """A list of faults: the prefix of the mutants' ids, and the name of its files."""

    prefix: str
    name: str

    @property
    def listed(self) -> Path:
        """The file that says what goes wrong with each fault."""
        return data(f"{self.name}.toml")

    @property
    def planted(self) -> Path:
        """The file that says how each fault is planted."""
        return data(f"{self.name}-planted.toml")

    @property
    def found(self) -> Path:
        """The file that records what a run reports about each fault."""
        return data(f"{self.name}-found.json")


FRESH: Final = FaultList("fresh:", "fresh-faults")
MEETING: Final = FaultList("meeting:", "meeting-faults")
PREFIXES: Final = (FRESH.prefix, MEETING.prefix)


@attrs.frozen
class FreshFault:
    """A fault in a list: the clause that it breaks, and what goes wrong.

    The clause that a verdict of the book cites may differ from the one that contains
    the broken sentence: `also` lists the clauses that a report may name instead.
    `table` holds the flags of the table that should find the fault; it is empty if the
    published corpus should find it.
    """

    id: str
    clause: str
    also: tuple[str, ...]
    wrong: str
    table: str = ""

    @property
    def accepted(self) -> tuple[str, ...]:
        """The clauses that a report about the fault may name first."""
        return (self.clause, *self.also)


@cache
def fresh_faults(of: FaultList = FRESH) -> tuple[FreshFault, ...]:
    """All faults of a list, in order."""
    return tuple(
        FreshFault(
            entry["id"],
            entry["clause"],
            tuple(entry.get("also", ())),
            entry["wrong"],
            entry.get("table", ""),
        )
        for entry in tomllib.loads(of.listed.read_text("utf-8"))["fault"]
    )


@cache
def planted_fresh_faults(of: FaultList = FRESH) -> tuple[Mutant, ...]:
    """The planted faults of a list as mutants, in order."""
    edits = tomllib.loads(of.planted.read_text("utf-8"))
    return tuple(
        Mutant(
            f"{of.prefix}{fault.id}",
            fault.wrong,
            (fault.clause,),
            edits_in(edits[fault.id]),
        )
        for fault in fresh_faults(of)
        if fault.id in edits
    )


def fresh_fault_with_id(name: str) -> Mutant | None:
    """The mutant with this id from either list of faults, or None if there is none."""
    planted = (*planted_fresh_faults(FRESH), *planted_fresh_faults(MEETING))
    return next((one for one in planted if one.id == name), None)
