"""The games that engines are asked, for those who read of a wrong answer."""

from __future__ import annotations

from refengine.cli.files import line_with_id
from refengine_conformance.runner.selection import BESIDE, CORPUS
from refengine_conformance.tables.table_run import games_of_report


def game_of_case(head: bytes, name: str) -> bytes | None:
    """The line of the game with this id that a run asked, from its report's head.

    It is a game of the table where the run was at one, or else a published one. None
    if there is no such game.

    Raises Malformed for a table that does not exist.
    """
    found = games_of_report(head).get(name)
    if found is not None:
        return found
    published = [*sorted(CORPUS.glob("*.jsonl")), *sorted(BESIDE.glob("*.jsonl"))]
    return line_with_id(name, map(str, published))
