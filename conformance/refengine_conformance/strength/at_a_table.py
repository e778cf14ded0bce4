"""Find out how many syntactic mutants a set kills, compared with random games.

`refengine conform at-a-table NAME --games N` tries every syntactic mutant of the rules
that changes a function that is called at the table and whose code can be exchanged.
Each mutant is tried first against the lines of the published set and then, if it
survives, against random games. The command writes no file; the designed mutants are
tried by `refengine conform tables`.

This module imports nothing from the rules: its workers load the engine from source.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import attrs

from refengine_conformance.jobs.tool_arguments import (
    ToolArguments,
    not_negative,
    positive,
)
from refengine_conformance.mutants import loading, operators
from refengine_conformance.strength.killed_by_corpus import can_exchange_code
from refengine_conformance.strength.measure import rule_mutants
from refengine_conformance.tables.publish import FOLDER, Trials, named_tables


@attrs.frozen
class SyntacticFigures:
    """How many syntactic mutants were killed at a table, and by what.

    `tried` is the number of mutants, and `by_lines` the number of these that the lines
    of the set killed. `by_games` maps each mutant that only random games killed to the
    number of the first game that did so; `alive` lists those that nothing killed.
    """

    tried: int
    by_lines: int
    by_games: dict[str, int]
    alive: list[str]


def syntactic_figures(
    pool: Executor, table: Any, lines: Sequence[bytes], games: int
) -> SyntacticFigures:
    """Try the syntactic mutants that change a function in use at this table.

    They are tried against these `lines`, and the survivors against at most `games`
    random games. Mutants that cannot be made by exchanging code are left out.
    """
    every = rule_mutants()
    trees = {name: every[name] for name in every if name.startswith(operators.PREFIX)}
    trials = Trials(pool, table.fields(), games, trees)
    idle = trials.idle(lines)
    in_use = [name for name in trees if name not in idle]
    exchangeable = [name for name in in_use if can_exchange_code(name, frozenset())]
    unusable = pool.submit(loading.find_unusable_mutants, exchangeable).result()
    tried = [name for name in exchangeable if name not in unusable]
    killed = trials.killed_by_lines(lines, tried)
    left = [name for name in tried if name not in killed]
    by_games = trials.killed_by_random_games(left)
    alive = [name for name in left if name not in by_games]
    return SyntacticFigures(len(tried), len(killed), by_games, alive)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures for one table, and return 0.

    Returns 3 if there is no such table, or if its set cannot be read or tried.
    """
    parser = ToolArguments(prog="refengine conform at-a-table", description=__doc__)
    parser.add_argument("name", help="a published table, such as commonest-4")
    parser.add_argument("--games", type=not_negative, default=1000)
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args(arguments)
    tables = dict(named_tables())
    if asked.name not in tables:
        known = ", ".join(tables)
        print(f"no table {asked.name!r}; there are {known}", file=sys.stderr)
        return 3
    path = asked.folder / f"{asked.name}.jsonl"
    try:
        content = path.read_bytes()
        content.decode()  # workers are given the lines as text
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    except UnicodeDecodeError:
        print(f"{path}: not text in UTF-8", file=sys.stderr)
        return 3
    lines = content.splitlines()
    from refengine.errors import Malformed  # late: workers load this before the rules

    try:
        with loading.mutant_workers(asked.jobs) as pool:
            figures = syntactic_figures(pool, tables[asked.name], lines, asked.games)
    except Malformed as error:
        print(f"{asked.name}: {error}", file=sys.stderr)
        return 3
    _print_figures(figures, len(lines), asked.games)
    return 0


def _print_figures(figures: SyntacticFigures, lines: int, games: int) -> None:
    """Print what was found with this many lines of the set and random games."""
    print(f"{figures.tried} mutants of syntax that can be tried at the table")
    print(f"{figures.by_lines} killed by the {lines} games of the set")
    print(f"{len(figures.by_games)} by {games} random games alone:")
    for name, number in figures.by_games.items():
        print(f"  {name} (game {number})")
    print(f"{len(figures.alive)} by none")


if __name__ == "__main__":
    # by its own name: a worker cannot import what is in __main__
    from refengine_conformance.strength.at_a_table import main as run

    sys.exit(run())
