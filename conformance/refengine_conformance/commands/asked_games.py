"""The games that are put to engines, looked up by the id that a report names."""

from __future__ import annotations

from refengine.cli.files import line_with_id
from refengine_conformance.runner.selection import BESIDE, CORPUS
from refengine_conformance.tables.table_run import games_of_report


def game_of_case(head: bytes, name: str) -> bytes | None:
    """The line of the game with this id, in a run whose report begins with `head`.

    If the run was at a table, the table's games are searched before the published ones.
    Returns None if no game has this id.

    Raises Malformed for a table that does not exist.
    """
    at_table = games_of_report(head).get(name)
    if at_table is not None:
        return at_table
    published = [*sorted(CORPUS.glob("*.jsonl")), *sorted(BESIDE.glob("*.jsonl"))]
    return line_with_id(name, map(str, published))
