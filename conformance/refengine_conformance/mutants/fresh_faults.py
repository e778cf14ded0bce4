"""Fifty faults thought out from the book alone, planted in the engine as edits.

`fresh-faults.toml` is the list: what goes wrong, by whose clause, and where it shows.
`fresh-faults-planted.toml` is how each is planted, written by somebody else.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Final

import attrs

from refengine_conformance.data import data
from refengine_conformance.mutants.source_edits import Edit, Mutant

LIST: Final = data("fresh-faults.toml")
TABLE: Final = data("fresh-faults-planted.toml")
PREFIX: Final = "fresh:"
_MARKS: Final = ("draw/lead marks", "correction_keeps_the_mark_of_the_leaders_draw")
_CLAUSE: Final = re.compile(r"\b\d+\.\d+[a-z]?\b")


@attrs.frozen
class FreshFault:
    """A fault of the list: its own clause, and others that are as right as a heading.

    Those are the ones that the head of the list names, for where a verdict of the book
    cites another number than the clause in which the broken sentence stands.
    """

    id: str
    clause: str
    also: tuple[str, ...]
    wrong: str

    @property
    def accepted(self) -> tuple[str, ...]:
        """The clauses that may head the report."""
        return (self.clause, *self.also)


@cache
def fresh_faults() -> tuple[FreshFault, ...]:
    """The faults, in the order of the list."""
    text = LIST.read_text("utf-8")
    entries = tomllib.loads(text)["fault"]
    near = _named_in_head(text, tuple(entry["id"] for entry in entries))
    return tuple(
        FreshFault(
            entry["id"],
            entry["clause"],
            tuple(n for n in near.get(entry["id"], ()) if n != entry["clause"]),
            entry["wrong"],
        )
        for entry in entries
    )


def _named_in_head(text: str, ids: tuple[str, ...]) -> dict[str, list[str]]:
    """The clauses that the head of the list names after each fault that it mentions."""
    head = text.partition("[[fault]]")[0].replace(*_MARKS)
    parts = re.split(rf"\b({'|'.join(map(re.escape, ids))})\b", head)
    return {
        name: _CLAUSE.findall(said)
        for name, said in zip(parts[1::2], parts[2::2], strict=True)
    }


@cache
def planted_fresh_faults() -> tuple[Mutant, ...]:
    """The faults as planted, in the order of the list."""
    edits = tomllib.loads(TABLE.read_text("utf-8"))
    return tuple(
        Mutant(
            f"{PREFIX}{fault.id}",
            fault.wrong,
            (fault.clause,),
            tuple(
                Edit(one["in"], one.get("old", ""), one["new"])
                for one in edits[fault.id]["edits"]
            ),
        )
        for fault in fresh_faults()
    )


def fresh_fault_with_id(name: str) -> Mutant | None:
    """The planted fault with this id; None if there is none."""
    return next((one for one in planted_fresh_faults() if one.id == name), None)
