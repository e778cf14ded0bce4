"""Games for a table as self-contained lines, for users who have their own runner.

Every option is written out, so that nobody has to look up a profile. A line keeps the
id that it has when only the options that differ from the profile are written.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import json

from refengine.errors import Malformed
from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import write_trace
from refengine.game.rulesets import Ruleset
from refengine_conformance.generators.strategies import recorded
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.aimed_games import AimedSet, aimed_set
from refengine_conformance.tables.askable import clauses_of_table
from refengine_conformance.tables.candidates import random_game


def deal_lines(
    table: Table, seed: int, deals: int | None = None, clause: str = ""
) -> Iterator[bytes]:
    """The lines of games for a table: the aimed games, then random ones.

    The number of lines is `deals`; by default there are only the aimed games. If a
    clause is given, the only aimed games are those that were built for it. Raises
    Malformed if no game of this table was built for the clause, or if no random game
    can be made for the table.
    """
    aimed = aimed_set(table, clauses_of_table(table), seed)
    lines = lines_aimed_at(aimed, table.ruleset, clause)
    if clause and not lines:
        allowed = "a clause that decides something at this table"
        reason = aimed.unreached.get(clause, "no game is built for it at this table")
        raise Malformed(f"{clause}: {reason}", allowed, "--clause")
    if deals is None:
        yield from lines
        return
    yield from lines[:deals]
    for number in range(deals - len(lines)):
        trace = recorded(random_game(table, seed, number), f"random game {number}")
        yield with_every_option(write_trace(trace), table.ruleset)


def lines_aimed_at(aimed: AimedSet, ruleset: Ruleset, clause: str = "") -> list[bytes]:
    """The aimed games, or those built for a clause, as lines with every option."""
    return [
        with_every_option(game.line, ruleset)
        for game in aimed.lines
        if not clause or clause in game.shows
    ]


def with_every_option(line: bytes, ruleset: Ruleset) -> bytes:
    """The line of a trace, with the value of every option added but the same id."""
    plain = json.decode(line)
    plain["ruleset"] = ruleset_fields(ruleset, every=True)
    return json.encode(plain)
