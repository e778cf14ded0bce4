"""Explains why a designed mutant survives at a table: its change has no effect there.

Most reasons follow from the table: the clauses of the mutant have no effect or are left
out there, or the mutant reads an option as the value that the option has anyway. Others
are written down in `conformance/tables/survivors.toml`, each with the options for which
it holds.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any, Final

from refengine.lawbook.options import value_text
from refengine_conformance.data import data
from refengine_conformance.mutants.source_edits import Mutant
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.askable import (
    ABLE,
    clauses_needed_by_corpus,
    clauses_of_table,
    why_left_out,
)

FILE: Final = data("tables") / "survivors.toml"


def why_survives(mutant: Mutant, table: Table, unreached: tuple[str, ...] = ()) -> str:
    """The reason why no game of the table kills the mutant, or "" if none is known.

    `unreached` are the clauses of the table for which no game was found.
    """
    options = {name: value_text(value) for name, value in table.ruleset.options.items()}
    options["players"] = str(table.ruleset.players)
    if mutant.id.startswith("swap:"):
        option, _, values = mutant.id.removeprefix("swap:").partition("=")
        if options[option] == values.partition(">")[2]:
            return f"{option} has this value at the table anyway"
    for entry in _entries().get(mutant.id, ()):
        if all(options[name] in some for name, some in entry["where"].items()):
            return str(entry["why"])
    looked_for = clauses_of_table(table)
    asked = [clause for clause in mutant.clauses if clause in looked_for]
    if not asked:
        return "; ".join(_why_not_asked(clause, table) for clause in mutant.clauses)
    if {*asked} <= {*unreached}:
        return f"{', '.join(asked)}: no game was found that needs it"
    return ""


def _why_not_asked(clause: str, table: Table) -> str:
    """A phrase that says why no game that tests the clause is looked for."""
    if clause not in clauses_needed_by_corpus():
        return f"no game needs {clause}, which is judged as a game is opened"
    if left_out := why_left_out(clause, table, ABLE):
        return f"{clause} is left out: {left_out}"
    return f"{clause} is empty here"


@cache
def _entries() -> dict[str, list[dict[str, Any]]]:
    """The reasons in the file, by mutant; an empty mapping if there is no such file."""
    return tomllib.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
