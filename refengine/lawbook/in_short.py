"""What each clause means at most tables, in one sentence of plain talk.

The sentences stand in `in_short.toml`, bind nobody, and are frozen by no edition.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from refengine.lawbook.book import clause

FILE: Final = Path(__file__).with_suffix(".toml")


@cache
def all_in_short() -> Mapping[str, str]:
    """The sentence of every clause by its number, in the order of the book."""
    found: Mapping[str, str] = tomllib.loads(FILE.read_text("utf-8"))
    return found


def in_short(number: str) -> str:
    """What the clause with this number means at most tables.

    Raises Malformed if the book has no such clause.
    """
    return all_in_short()[clause(number).number]
