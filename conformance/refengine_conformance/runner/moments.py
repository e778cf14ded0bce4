"""When a fault shows: at which step, before or after the act, and in which field."""

from __future__ import annotations

from typing import Final

from refengine_conformance.runner.results import Fault

_BEFORE: Final = ("legal", "turn", "refuse", "irregular", "purity")
_END: Final = 1 << 30  # later than any step
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
    """When a wrong answer shows, as a sort key: its step, its stage and its field.

    The stage is 0 before the act of the step, 1 for the act itself and 2 after it. The
    field is given by its place among those of an observation: -1 if it is not one of
    them, and 0 before the act, where no field is asked about.
    """
    if fault.question == "open":
        return 0, 0, 0
    step = fault.step or _END
    if fault.question in _BEFORE:
        return step, 0, 0
    stage = 1 if fault.question == "act" else 2
    name = fault.field
    place = FIELDS_FIRST_TO_LAST.index(name) if name in FIELDS_FIRST_TO_LAST else -1
    return step, stage, place
