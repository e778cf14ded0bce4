"""When a fault shows: at which step, before or after the act, and in which field."""

from __future__ import annotations

from typing import Final

from refengine_conformance.runner.results import Fault

_BEFORE: Final = ("legal", "turn", "refuse", "irregular", "purity")
FIELDS_FIRST_TO_LAST: Final = (
    "cut",
    "trick",
    "hearts_broken",
    "drew",
    "stock",
    "kitty",
    "hands",
    "taken",
    "tricks",
    "revokes",
    "points",
    "phase",
    "dealer",
    "deal",
    "out",
    "turn",
    "table",
    "score",
    "totals",
    "match",
    "over",
)
"""The fields of an observation, starting with those from which the others follow."""


def moment_of(fault: Fault) -> tuple[int, int, int]:
    """When a wrong answer shows: step; before, by or after the act; field."""
    if fault.question == "open":
        return 0, 0, 0
    at = fault.step or 1 << 30
    if fault.question in _BEFORE:
        return at, 0, 0
    name = fault.field
    place = FIELDS_FIRST_TO_LAST.index(name) if name in FIELDS_FIRST_TO_LAST else -1
    return at, 1 if fault.question == "act" else 2, place
