"""Finds the game with a given id among the games with which engines are tested."""

from __future__ import annotations

from refengine.cli.files import line_with_id
from refengine_conformance.runner.selection import BESIDE, CORPUS
from refengine_conformance.tables.table_run import games_of_report


def game_of_case(head: bytes, name: str) -> bytes | None:
    """The game with the id `name`, as a line of JSON, or None if there is no such game.

    `head` is the first line of a run's report. If the run was at a table, the games of
    that table are searched before the published ones. Raises Malformed if the table
    does not exist.
    """
    at_table = games_of_report(head).get(name)
    if at_table is not None:
        return at_table
    published = [*sorted(CORPUS.glob("*.jsonl")), *sorted(BESIDE.glob("*.jsonl"))]
    return line_with_id(name, map(str, published))
