"""How strong a published set is against mutants of syntax, beside random games.

`refengine conform at-a-table NAME --games N` tries every mutant of syntax of the rules
whose function runs at the table: first against the lines of the published set, then
those left against random games. It writes nothing; the designed mutants are the matter
of `refengine conform tables`.

This module imports nothing of `refengine`: its workers load the engine from source.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import loading, operators
from refengine_conformance.strength.killed_by_corpus import can_exchange_code
from refengine_conformance.strength.measure import rule_mutants
from refengine_conformance.tables.publish import FOLDER, Trials, named_tables


def syntactic_figures(
    pool: Executor, table: Any, lines: Sequence[bytes], games: int
) -> tuple[int, int, dict[str, int], list[str]]:
    """The mutants of syntax in use, those killed by the lines, by games, and by none.

    Those killed by games alone come with the number of the first game that does.
    """
    every = rule_mutants()
    trees = {name: every[name] for name in every if name.startswith(operators.PREFIX)}
    trials = Trials(pool, table.fields(), games, trees)
    idle = trials.idle()
    in_use = [name for name in trees if name not in idle]
    tried = [name for name in in_use if can_exchange_code(name, frozenset())]
    unusable = pool.submit(loading.find_unusable_mutants, tried).result()
    without = {one.partition(": ")[0] for one in unusable}
    tried = [name for name in tried if name not in without]
    killed = trials.killed_by_lines(lines, tried)
    left = [name for name in tried if name not in killed]
    by_games = trials.killed_by_random_games(left)
    alive = [name for name in left if name not in by_games]
    return len(tried), len(killed), by_games, alive


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of one table; 3 if there is no such table, else 0."""
    parser = ToolArguments(prog="refengine conform at-a-table", description=__doc__)
    parser.add_argument("name", help="a published table, such as commonest-4")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    asked = parser.parse_args(arguments)
    tables = dict(named_tables())
    if asked.name not in tables:
        known = ", ".join(tables)
        print(f"no table {asked.name!r}; there are {known}", file=sys.stderr)
        return 3
    lines = (asked.folder / f"{asked.name}.jsonl").read_bytes().splitlines()
    with loading.mutant_workers(asked.jobs) as pool:
        tried, killed, by_games, alive = syntactic_figures(
            pool, tables[asked.name], lines, asked.games
        )
    print(f"{tried} mutants of syntax whose functions run at the table")
    print(f"{killed} killed by the {len(lines)} games of the set")
    print(f"{len(by_games)} by {asked.games} random games alone:")
    for name, number in by_games.items():
        print(f"  {name} (game {number})")
    print(f"{len(alive)} by none")
    return 0


if __name__ == "__main__":
    # by its own name: a worker cannot import what is in __main__
    from refengine_conformance.strength.at_a_table import main as run

    sys.exit(run())
