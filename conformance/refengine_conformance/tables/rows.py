"""Rows for tests in the user's own framework, as CSV or JSON.

A row is one small question with its right answer: for example, a trick and who takes
it. A first test of an engine then takes three lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import json

from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import spec_version
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.aimed_games import WORKERS, searched_once
from refengine_conformance.tables.askable import clauses_of_table
from refengine_conformance.tables.row_kinds import KINDS

MOST: Final = 100
"""The usual number of rows of a kind; fewer if too few questions are found."""

Row = dict[str, Any]


def rows_for_table(
    table: Table, kind: str, seed: int, most: int = MOST, jobs: int = WORKERS
) -> list[Row]:
    """The rows of a kind for a table, at most `most`, the same on every machine.

    A row has the columns of its kind (`KINDS`), and `clauses`, which lists the clauses
    that it tests. There are no rows if the question does not arise at the table: for
    example, if no cards are passed there.
    """
    asked = {
        "table": table.fields(),
        "clauses": clauses_of_table(table),
        "seed": seed,
        "rows": kind,
        "most": most,
    }
    return searched_once(asked, jobs, lambda found: msgspec.convert(found, list[Row]))


def columns(kind: str, rows: list[Row]) -> tuple[str, ...]:
    """The columns of the kind that occur in any of these rows, and then `clauses`."""
    known = (*KINDS[kind].given, *KINDS[kind].right)
    return (*(name for name in known if any(name in row for row in rows)), "clauses")


def as_csv(kind: str, rows: list[Row]) -> Iterator[str]:
    """The rows as lines of CSV, the names of the columns first.

    No field contains a quotation mark or a comma: cards and numbers are separated by
    spaces, and the cards taken by different seats by vertical bars. Yes and no are
    written as words. A field is empty if the row has no value for it.
    """
    heads = columns(kind, rows)
    yield ",".join(heads)
    for row in rows:
        yield ",".join([_field_text(name, row.get(name)) for name in heads])


def _field_text(name: str, value: object) -> str:
    """A CSV field: the value of the column with this name, as text, or "" for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        separator = "|" if name == "taken" else " "
        return separator.join(map(str, value))
    return str(value)


def as_json(kind: str, rows: list[Row], table: Table) -> Iterator[str]:
    """The lines of one JSON object: the rules first, and then a line for each row."""
    head: Mapping[str, object] = {
        "what": kind,
        "spec": spec_version(),
        "ruleset": ruleset_fields(table.ruleset, every=True),
    }
    heads = columns(kind, rows)
    yield json.encode(head).decode().removesuffix("}") + ',"rows":['
    for number, row in enumerate(rows, 1):
        ordered = {name: row[name] for name in heads if name in row}
        yield json.encode(ordered).decode() + ("," if number < len(rows) else "")
    yield "]}"
