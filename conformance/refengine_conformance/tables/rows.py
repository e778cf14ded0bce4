"""Rows for tests in a framework of one's own, as CSV or JSON.

A row is one small question with its right answer, such as a trick and who takes it, so
that a first test of an engine has three lines.
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
"""Rows of a kind for a table, where that many questions differ."""

Row = dict[str, Any]


def rows_for_table(
    table: Table, kind: str, seed: int, most: int = MOST, jobs: int = WORKERS
) -> list[Row]:
    """The rows of a kind for a table: the same on every machine.

    A row has what its kind says (`KINDS`), and `clauses`, those that it decides. Where
    a table knows nothing of the kind, such as a pass, there are none.
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
    """The columns of these rows: those of the kind that any has, and the clauses."""
    known = (*KINDS[kind].given, *KINDS[kind].right)
    return (*(name for name in known if any(name in row for row in rows)), "clauses")


def as_csv(kind: str, rows: list[Row]) -> Iterator[str]:
    """The rows as lines of CSV, without a quotation mark or a comma in any field.

    Cards and numbers of a field stand apart by a space, the cards of different seats by
    a stroke; yes and no are written as words, and what a row does not say is empty.
    """
    heads = columns(kind, rows)
    yield ",".join(heads)
    for row in rows:
        yield ",".join([_text(name, row.get(name)) for name in heads])


def _text(name: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ("|" if name == "taken" else " ").join(map(str, value))
    return str(value)


def as_json(kind: str, rows: list[Row], table: Table) -> Iterator[str]:
    """The rows as one JSON object, each on a line, with the rules that they are for."""
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
