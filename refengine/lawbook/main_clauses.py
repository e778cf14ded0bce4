"""The clauses that say most about each option: the last column of the table in 0.4."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from refengine.lawbook.book import SPEC, clause
from refengine.lawbook.options import Value, value_text
from refengine.lawbook.reading import read_chapter

_FILE: Final = "0-reading.md"
_COLUMN: Final = "main clauses"


@cache
def main_clauses() -> dict[str, tuple[str, ...]]:
    """The main clauses of each option, by option name, in the order of the book."""
    passages = read_chapter((SPEC / _FILE).read_text("utf-8"), _FILE)
    tables = [table for passage in passages for table in passage.tables]
    table = next(one for one in tables if _COLUMN in one.header)
    at = table.header.index(_COLUMN)
    return {row[0]: tuple(row[at].split(", ")) for row in table.rows}


def clauses_of_value(option: str, value: Value) -> tuple[str, ...]:
    """The main clauses of an option that mention a value, or all of them if none do."""
    numbers = main_clauses()[option]
    typed = re.escape(value_text(value))
    said = re.compile(rf"(?:{option}|it) is (?:`\w+` or )?`{typed}`")
    return tuple(one for one in numbers if said.search(clause(one).text)) or numbers
