"""When a fault shows: at which step, before or after the act, and in which field."""

from __future__ import annotations

from typing import Final

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


def moment_of(question: str, step: int | None) -> tuple[int, int, int]:
    """When a fault in this answer shows: step; before, by or after the act; field."""
    if question == "open":
        return 0, 0, 0
    at = step or 1 << 30
    if question in _BEFORE:
        return at, 0, 0
    field = question.partition(".")[2]
    root = FIELDS_FIRST_TO_LAST.index(field) if field in FIELDS_FIRST_TO_LAST else -1
    return at, 1 if question == "act" else 2, root
