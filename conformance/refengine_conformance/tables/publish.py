"""Makes the published sets: games for the tables that people play, to copy and keep.

`refengine conform tables` makes `conformance/tables/` anew, with the same result every
time. It writes a file of lines for each profile and each number of players that the
profile allows, with full hands, and one for the rules that are most often played. A set
kills every designed mutant that a thousand random games of its table kill: if its aimed
games miss a mutant, the random game that kills it is added. `index.json` says for each
set which clauses it can test, which it cannot, and which mutants survive. For two of
the tables, `rows/` also holds the rows of each kind.

The engine is imported only inside functions, since workers load it from source.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import repeat
from pathlib import Path
from typing import Any, Final

from msgspec import json

from refengine_conformance.data import data
from refengine_conformance.jobs.tool_arguments import (
    ToolArguments,
    not_negative,
    positive,
)
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.loading import mutant_workers
from refengine_conformance.mutants.source_edits import Mutant
from refengine_conformance.tables.flags import SEED

FOLDER: Final = data("tables")  # only in a checkout: a wheel has no sets
INDEX: Final = "index.json"
ROWS: Final = "rows"
WITH_ROWS: Final = ("commonest-4", "gamerules-domino-4")  # these also have rows
_STARTS: Final = ("deal", "match-dealer")  # of the games of every set
_RANDOM_GAMES: Final = 1000
COMMONEST: Final = (
    "estmesh-hearts",
    {"first_trick_points": "barred", "moon": "others_plus"},
)
_OF_PLAIN_DEAL: Final = {"dealer", "deal", "hands", "stock", "kitty"}
_CALLING: Final = 12  # random games that show which functions run at a table
_GAMES_IN_A_TASK: Final = 50
_SHARES_OF_MUTANTS: Final = 8  # tasks among which the mutants are divided


def named_tables() -> Iterator[tuple[str, Any]]:
    """The tables for which sets are published, each with the name of its files."""
    from refengine.game.rulesets import Ruleset  # late: see above
    from refengine.lawbook.profiles import profile, profile_names
    from refengine_conformance.runner.table import Table

    def whole(ruleset: Ruleset) -> Table:
        return Table(ruleset=ruleset, hands="full", starts=_STARTS)

    name, options = COMMONEST
    yield "commonest-4", whole(Ruleset(name, None, options))
    for name in profile_names():
        for players in profile(name).players:
            yield f"{name}-{players}", whole(Ruleset(name, players))


def published_set(
    pool: Executor, table: Any, games: int, jobs: int
) -> tuple[list[bytes], dict[str, Any]]:
    """The lines of a set, and its entry in the index.

    `games` is the number of random games to try.
    """
    from refengine_conformance.tables.aimed_games import aimed_set
    from refengine_conformance.tables.askable import clauses_of_table
    from refengine_conformance.tables.deals import lines_aimed_at, with_every_option

    clauses = clauses_of_table(table)
    aimed = aimed_set(table, clauses, SEED, jobs)
    lines = lines_aimed_at(aimed, table.ruleset)
    more, mutants = _mutants_tried(pool, table, lines, games, tuple(aimed.unreached))
    lines += [with_every_option(line, table.ruleset) for line in more]
    shown = {
        clause: [game.id for game in aimed.lines if clause in game.shows]
        for clause in clauses
    }
    return lines, {
        "table": table.fields(),
        "games": len(lines),
        "plain": sum(map(_is_plain, lines)),
        "clauses": {clause: ids for clause, ids in shown.items() if ids},
        "unreached": dict(aimed.unreached),
        "unseen": list(aimed.unseen),
        "mutants": mutants,
    }


def _mutants_tried(
    pool: Executor,
    table: Any,
    lines: Sequence[bytes],
    games: int,
    unreached: tuple[str, ...],
) -> tuple[list[bytes], dict[str, Any]]:
    """The random games to add to a set, and what the index says of the mutants.

    The games are those that kill mutants which the `lines` of the set do not kill.
    `unreached` are the clauses of the table for which no game was found.
    """
    from refengine_conformance.tables.survivor_reasons import why_survives

    trials = Trials(pool, table.fields(), games)
    idle = trials.idle(lines)
    in_use = tuple(name for name in trials.names if name not in idle)
    killed = trials.killed_by_lines(lines, in_use)
    left = tuple(name for name in in_use if name not in killed)
    by_chance = trials.killed_by_random_games(left)
    return trials.random_lines(by_chance), {
        "idle": len(idle),
        "in_use": len(in_use),
        "killed": len(killed) + len(by_chance),
        "random_games": games,
        "killed_by_random_games_alone": sorted(by_chance),
        "survive_both": {
            name: why_survives(trials.mutants[name], table, unreached)
            for name in left
            if name not in by_chance
        },
    }


def _is_plain(line: bytes) -> bool:
    """Whether the setup of a game has dealer 0, deal 1, and only cards besides."""
    setup: dict[str, Any] = json.decode(line).get("setup", {})
    first = (setup.get("dealer"), setup.get("deal", 1)) == (0, 1)
    return first and setup.keys() <= _OF_PLAIN_DEAL


class Trials:
    """Tries mutants at one table, on the lines of a set and on random games.

    `fields` describes the table; `games` is the number of random games to try.
    """

    def __init__(
        self,
        pool: Executor,
        fields: dict[str, Any],
        games: int,
        mutants: Mapping[str, Mutant] | None = None,
    ) -> None:
        """Prepare to try these mutants, given by id; by default the designed ones."""
        if mutants is None:
            mutants = {one.id: one for one in designed_mutants()}
        self.pool = pool
        self.fields = fields
        self.games = games
        self.mutants = mutants
        self.names = tuple(mutants)

    def idle(self, lines: Sequence[bytes]) -> dict[str, str]:
        """The mutants that are idle at the table, as `idle_mutants` finds them.

        The `lines` are games of the table; a few random games are tried besides.
        """
        from refengine_conformance.tables import mutant_trials  # late: see above

        games = mutant_trials.RandomGames(self.fields, SEED, 0, _CALLING)
        texts = tuple(line.decode() for line in lines)
        return self.pool.submit(
            mutant_trials.idle_mutants, games, self.names, texts
        ).result()

    def killed_by_lines(
        self, lines: Sequence[bytes], names: Sequence[str]
    ) -> dict[str, str]:
        """The given mutants that the lines kill.

        Each is mapped to the id of the first line that kills it.
        """
        from refengine_conformance.tables import mutant_trials  # late: see above

        texts = tuple(line.decode() for line in lines)
        shares = [
            tuple(names[at::_SHARES_OF_MUTANTS]) for at in range(_SHARES_OF_MUTANTS)
        ]
        killers: dict[str, str] = {}
        for some in self.pool.map(mutant_trials.killed_by_lines, repeat(texts), shares):
            killers |= some
        return killers

    def killed_by_random_games(self, names: Sequence[str]) -> dict[str, int]:
        """The given mutants that a random game kills.

        Each is mapped to the number of the first game that kills it.
        """
        from refengine_conformance.tables import mutant_trials  # late: see above

        tasks = [
            mutant_trials.RandomGames(
                self.fields, SEED, start, min(start + _GAMES_IN_A_TASK, self.games)
            )
            for start in range(0, self.games, _GAMES_IN_A_TASK)
        ]
        killers: dict[str, int] = {}
        for some in self.pool.map(
            mutant_trials.killed_by_random_games, tasks, repeat(tuple(names))
        ):
            for name, number in some.items():
                killers.setdefault(name, number)
        return killers

    def random_lines(self, killers: Mapping[str, int]) -> list[bytes]:
        """The random games that kill these mutants, as slim lines in number order."""
        from refengine_conformance.tables import mutant_trials  # late: see above

        by_number: dict[int, list[str]] = {}
        for name, number in killers.items():
            by_number.setdefault(number, []).append(name)
        numbers = sorted(by_number)
        lines = self.pool.map(
            mutant_trials.slim_random_game,
            repeat(self.fields),
            repeat(SEED),
            numbers,
            [tuple(by_number[number]) for number in numbers],
        )
        return [line.encode() for line in lines]


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the published sets and rows.

    Unless only rows are made, sets of tables that are no longer published are removed.
    Returns 3 for a table that does not exist or a folder that cannot be made, 1 if a
    mutant survives without a reason or an earlier set is not in the index of this
    edition, and otherwise 0.
    """
    asked = _parser().parse_args(arguments)
    tables = dict(named_tables())
    if unknown := [name for name in asked.names if name not in tables]:
        print(
            f"no table {unknown[0]!r}; there are {', '.join(tables)}", file=sys.stderr
        )
        return 3
    try:
        asked.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        from refengine.errors import unusable_file  # late: see above

        print(unusable_file(error, "written", str(asked.out)), file=sys.stderr)
        return 3
    indexed, current = _index_of(asked.out)
    index = {
        name: entry for name, entry in indexed.items() if name in tables and current
    }
    with mutant_workers(asked.jobs) as pool:
        for name, table in tables.items():
            if asked.names and name not in asked.names:
                continue
            if name in WITH_ROWS:
                _write_rows(asked.out / ROWS, name, table, asked.jobs)
            if not asked.rows:
                games, size, index[name] = _write_set(pool, name, table, asked)
                in_order = {one: index[one] for one in tables if one in index}
                _write_index(asked.out, in_order)
                print(f"{name}: {games} games, {size:,} bytes", flush=True)
    wrong = _unexplained(index)
    if not asked.rows:
        for name in indexed.keys() - tables.keys():
            (asked.out / f"{name}.jsonl").unlink(missing_ok=True)
        wrong += [
            f"not in the index of this edition, and not made again: {name}"
            for name in tables
            if name not in index
            and (name in indexed or (asked.out / f"{name}.jsonl").exists())
        ]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def _write_set(
    pool: Executor, name: str, table: Any, asked: Namespace
) -> tuple[int, int, dict[str, Any]]:
    """Make and write the set of a table.

    Returns the number of its games, its size in bytes and its entry in the index.
    """
    from refengine.formats.whole_files import write_file  # late: see above

    lines, entry = published_set(pool, table, asked.games, asked.jobs)
    text = b"".join(line + b"\n" for line in lines)
    write_file(asked.out / f"{name}.jsonl", text)
    return len(lines), len(text), entry


def _parser() -> ToolArguments:
    parser = ToolArguments(prog="refengine conform tables")
    parser.add_argument(
        "names", nargs="*", help="only these tables, such as gamerules-domino-4"
    )
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--jobs", type=positive, default=2)
    parser.add_argument("--games", type=not_negative, default=_RANDOM_GAMES)
    parser.add_argument("--rows", action="store_true", help="only the rows, no sets")
    return parser


def _unexplained(index: Mapping[str, Any]) -> list[str]:
    """A message for each mutant that survives at a table for no known reason."""
    return [
        f"survives without a reason in survivors.toml: {name}: {mutant}"
        for name, entry in index.items()
        for mutant, why in entry["mutants"]["survive_both"].items()
        if not why
    ]


def _write_rows(folder: Path, name: str, table: Any, jobs: int) -> None:
    """Write the rows of a table, one file for each kind of row that it has.

    The file of a kind that the table no longer has is removed.
    """
    from refengine.formats.whole_files import write_file  # late: see above
    from refengine_conformance.tables.row_kinds import KINDS
    from refengine_conformance.tables.rows import MOST, as_csv, rows_for_table

    folder.mkdir(exist_ok=True)
    for kind in KINDS:
        path = folder / f"{name}-{kind}.csv"
        rows = rows_for_table(table, kind, SEED, MOST, jobs)
        if rows:
            text = "".join([f"{line}\n" for line in as_csv(kind, rows)])
            write_file(path, text.encode())
        else:
            path.unlink(missing_ok=True)


def _index_of(folder: Path) -> tuple[dict[str, Any], bool]:
    """The index in this folder, by table, and whether it is up to date.

    It is up to date if it was made for the edition of the current book. If there is no
    index, there are no entries, and that counts as up to date.
    """
    from refengine.formats.trace import spec_version  # late: see above

    path = folder / INDEX
    if not path.exists():
        return {}, True
    whole: dict[str, Any] = json.decode(path.read_bytes())
    return whole["tables"], whole.get("spec") == spec_version()


def _write_index(folder: Path, tables: Mapping[str, Any]) -> None:
    from refengine.formats.trace import spec_version  # late: see above
    from refengine.formats.whole_files import write_file

    whole = {"index": 1, "spec": spec_version(), "seed": SEED, "tables": tables}
    text = json.format(json.encode(whole), indent=1) + b"\n"
    write_file(folder / INDEX, text)


if __name__ == "__main__":
    # under its own name: a worker cannot import what is in __main__
    from refengine_conformance.tables.publish import main as run

    sys.exit(run())
