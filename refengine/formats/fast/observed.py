"""The fields of an observation, in the order of RFC 8785: one list for both readers."""

from typing import Final

OBSERVED: Final = (
    "cut",
    "deal",
    "dealer",
    "drew",
    "hands",
    "hearts_broken",
    "kitty",
    "match",
    "out",
    "over",
    "phase",
    "points",
    "revokes",
    "score",
    "stock",
    "table",
    "taken",
    "totals",
    "trick",
    "tricks",
    "turn",
)
