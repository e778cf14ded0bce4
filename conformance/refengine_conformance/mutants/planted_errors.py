"""Errors planted in the engine to see which nets catch them, from `planted.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Final

from refengine_conformance.data import data
from refengine_conformance.mutants.source_edits import Edit, Mutant

TABLE: Final = data("planted.toml")
PREFIX: Final = "planted:"


@cache
def all_planted_errors() -> tuple[Mutant, ...]:
    """The errors, in the order of the file."""
    found = []
    for number, entry in enumerate(tomllib.loads(TABLE.read_text("utf-8"))["error"], 1):
        edits = tuple(Edit(one["in"], one["old"], one["new"]) for one in entry["edits"])
        name = f"{PREFIX}{number}"
        found.append(Mutant(name, entry["text"], tuple(entry["clauses"]), edits))
    return tuple(found)


def planted_error_with_id(name: str) -> Mutant | None:
    """The error with this id; None if there is none."""
    return next((one for one in all_planted_errors() if one.id == name), None)
