"""What each clause means at most tables, in one sentence of plain talk.

The sentences stand in `spoken.toml`, bind nobody, and are frozen by no edition.
"""

from __future__ import annotations

from refengine.lawbook.book import clause
from refengine.lawbook.spoken import clauses_in_short


def in_short(number: str) -> str:
    """What the clause with this number means at most tables.

    Raises Malformed if the book has no such clause.
    """
    return clauses_in_short()[clause(number).number]
