"""Finds a mutant of any kind by its id."""

from __future__ import annotations

from typing import Final

from refengine_conformance.mutants import designed, fresh_faults, operators
from refengine_conformance.mutants.source_edits import Mutant

UNCHANGED: Final = "none"


class UnknownMutantError(LookupError):
    """Raised for an id that no mutant has."""


def mutant_with_id(name: str) -> Mutant:
    """The mutant with this id; the one with the id `none` changes nothing.

    Raises UnknownMutantError if there is no such mutant.
    """
    if name == UNCHANGED:
        return Mutant(UNCHANGED, "the engine as it is", (), ())
    if name.startswith(operators.PREFIX):
        found = operators.variant_with_id(name)
    elif name.startswith(fresh_faults.PREFIXES):
        found = fresh_faults.fresh_fault_with_id(name)
    else:
        found = next(
            (one for one in designed.designed_mutants() if one.id == name), None
        )
    if found is None:
        raise UnknownMutantError(f"no mutant {name!r}; `list` shows the designed ones")
    return found
