"""Why a designed mutant survives at a table: what it changes has no effect there.

Most reasons can be read off the table: the mutant's clauses are empty or left out, or
the value that an option is read as is the one it has. The others are written down in
`conformance/tables/survivors.toml`, each with the options for which it holds.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any, Final

from refengine_conformance.data import data
from refengine_conformance.mutants.source_edits import Mutant
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.askable import (
    ABLE,
    asked_of_anybody,
    clauses_of_table,
    why_left_out,
)

FILE: Final = data("tables") / "survivors.toml"


def why_survives(mutant: Mutant, table: Table, unreached: tuple[str, ...] = ()) -> str:
    """Why no game of the table shows the mutant; empty if nobody has said so.

    `unreached` are clauses of the table that no game was found for.
    """
    options = {name: _written(value) for name, value in table.ruleset.options.items()}
    options["players"] = str(table.ruleset.players)
    if mutant.id.startswith("swap:"):
        option, _, values = mutant.id.removeprefix("swap:").partition("=")
        if options[option] == values.partition(">")[2]:
            return f"{option} has this value at the table anyway"
    for entry in _entries().get(mutant.id, ()):
        if all(options[name] in some for name, some in entry["where"].items()):
            return str(entry["why"])
    asked = clauses_of_table(table)
    if not {*mutant.clauses} & {*asked}:
        return "; ".join(_why_not(clause, table) for clause in mutant.clauses)
    if {*mutant.clauses} & {*asked} <= {*unreached}:
        return f"{', '.join(unreached)}: no game was found that needs it"
    return ""


def _why_not(clause: str, table: Table) -> str:
    if clause not in asked_of_anybody():
        return f"no game needs {clause}, which is judged as a game is opened"
    left_out = why_left_out(clause, table, ABLE)
    return f"{clause} is {f'left out: {left_out}' if left_out else 'empty here'}"


@cache
def _entries() -> dict[str, list[dict[str, Any]]]:
    """What is written down, by mutant; an option's values are texts."""
    return tomllib.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
