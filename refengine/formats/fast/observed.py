"""The fields of an observation that the fast reader knows, in the order of RFC 8785.

Tests make sure that the other readers know the same fields.
"""

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
