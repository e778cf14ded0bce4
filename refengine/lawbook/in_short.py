"""What each clause means at most tables, in one sentence of everyday language.

The sentences are in `spoken.toml`. They are not binding, and no edition freezes them.
"""

from __future__ import annotations

from refengine.lawbook.book import clause
from refengine.lawbook.spoken import clauses_in_short


def in_short(number: str) -> str:
    """What the clause with this number means at most tables.

    Raises Malformed if the book has no such clause.
    """
    return clauses_in_short()[clause(number).number]
