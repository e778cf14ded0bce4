"""The results of the last measurement, kept in `strength.json`, and their scores.

Nothing is measured here: that is done by `strength.measure`, which exists only in a
checkout.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import attrs
from msgspec import json

from refengine_conformance.data import data

FILE: Final = data("strength.json")


@attrs.frozen
class Score:
    """How many mutants there are, and how many of them had each fate."""

    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    accepted: int = 0
    gap: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(
            *(
                a + b
                for a, b in zip(attrs.astuple(self), attrs.astuple(other), strict=True)
            )
        )

    @property
    def of_all(self) -> float:
        """The share of mutants killed, among those that are not equivalent."""
        return self.killed / ((self.mutants - self.equivalent) or 1)

    @property
    def of_asked(self) -> float:
        """The share of mutants killed, not counting equivalent and accepted ones."""
        asked = self.mutants - self.equivalent - self.accepted
        return self.killed / (asked or 1)


def committed_document(path: Path = FILE) -> dict[str, Any]:
    """The document of the last run, or one in which nothing is measured."""
    found: dict[str, Any] = {
        "score": attrs.asdict(Score()),
        "modules": {},
        "clauses": {},
        "survivors": [],
        "kills": {},
        "rests": {},
        "meetings": [],
        "opinions": {},
        "theorems": {},
        "exhaustion": {
            "deals": 0,
            "positions": 0,
            "decisions": 0,
            "meet": {},
            "never": {},
            "faults": [],
        },
    }
    if path.is_file():
        found |= json.decode(path.read_bytes())
    return found
