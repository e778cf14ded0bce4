"""Lines for the corpus that kill what has survived it.

`refengine conform survivor-lines` takes the mutants that `strength.json` calls gaps,
plays the games of the shards of `corpus_tools.build` from other seeds, and for each
mutant that one of them kills writes the game, shrunk, to `conformance/hunted.jsonl`.
Lines of that file are part of the corpus whenever it is made. What no game kills is
left for a person: either it is equivalent, or the games of the shards are too tame and
a game directed by hand goes into the same file. `refengine conform corpus --add` takes
new lines in.

Only mutants of functions that do not run when the engine is read can be hunted here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from refengine_conformance.corpus_tools.build import FAMILIES, PROFILES
from refengine_conformance.jobs.executors import (
    Journal,
    add_job_arguments,
    gather_results,
    open_executor,
    scope_digest,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import catalogue, loading
from refengine_conformance.mutants.calls import functions_called
from refengine_conformance.strength import killed_by_corpus, measure

FILE: Final = measure.FOLDER / "hunted.jsonl"
GAMES: Final = (
    "games"  # from refengine_conformance.generators.directed_games, for all profiles
)
_TAME: Final = ("written", "whole")


@attrs.frozen
class Ground:
    """Where to hunt, and for what: the games of a profile and a family from a seed."""

    profile: str
    family: str
    seed: int
    depth: int
    names: tuple[str, ...]


def hunt_for_lines(ground: Ground) -> list[list[str]]:
    """The lines found, each with the mutants that it kills; in a worker."""
    from refengine import errors  # late: in a worker
    from refengine.game import verdicts  # late: in a worker
    from refengine_conformance.corpus_tools import evidence
    from refengine_conformance.corpus_tools import shards as shards
    from refengine_conformance.generators import directed_games

    left = dict.fromkeys(ground.names)
    found: list[list[str]] = []
    made_here: Iterable[Any] = (
        directed_games.play_directed_games(ground.seed, ground.depth)
        if ground.family == GAMES
        else shards.candidate_games(
            ground.profile, ground.family, ground.seed, ground.depth
        )
    )
    for made in made_here:
        try:
            line = shards.line_of_candidate(made)
        except (errors.Malformed, verdicts.Refused):
            continue
        case = evidence.case_of(line)
        called = set(functions_called(evidence.first_divergence, case))
        kills = [
            name
            for name in left
            if called & {edit.function for edit in catalogue.mutant_with_id(name).edits}
            and evidence.diverges(name, case)
        ]
        if not kills:
            continue
        for name in kills:
            if name not in left:  # an earlier line of this game kills it
                continue
            if hasattr(made, "moves"):
                line = shards.line_of_candidate(shards.shrink_script(made, (name,), ()))
            case = evidence.case_of(line)
            also = [
                one for one in kills if one in left and evidence.diverges(one, case)
            ]
            for one in also:
                del left[one]
            found.append([line.decode(), *also])
        evidence.case_of.cache_clear()
    return found


def fewest_lines(found: Sequence[Sequence[str]]) -> list[str]:
    """Lines that together kill all that was killed: a greedy cover of short ones."""
    left = {name for one in found for name in one[1:]}
    chosen: list[str] = []
    while left:
        best = max(
            found, key=lambda one: (len(left & set(one[1:])) / (300 + len(one[0])), one)
        )
        chosen.append(best[0])
        left -= set(best[1:])
    return chosen


def gaps_to_hunt() -> list[str]:
    """The mutants to hunt: gaps in the code of plain functions."""
    document = measure.committed_document()
    known = document.get("arguments", [])
    alive = [
        one["id"]
        for one in document.get("survivors", [])
        if one["argument"] < 0 or known[one["argument"]]["verdict"] == "gap"
    ]
    once = frozenset(
        killed_by_corpus.run_in_fork(killed_by_corpus.functions_run_at_import, None)
    )
    return [name for name in alive if killed_by_corpus.can_exchange_code(name, once)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Hunt, add what was found to the file, and return the exit status."""
    parser = ToolArguments(prog="refengine conform survivor-lines")
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--deeper", type=int, default=3, help="times as many games")
    parser.add_argument("--out", type=Path, default=FILE)
    add_job_arguments(parser)
    asked = parser.parse_args(arguments)
    names = tuple(gaps_to_hunt())
    grounds = {
        f"{profile} {family}": Ground(
            profile, family, asked.seed, depth * asked.deeper, names
        )
        for family, depth in FAMILIES.items()
        if family not in _TAME
        for profile in PROFILES
    }
    grounds[GAMES] = Ground("", GAMES, asked.seed, asked.deeper, names)
    scope = scope_digest("hunting", asked.seed, asked.deeper, names)
    with (
        Journal(asked.resume, scope) as journal,
        open_executor(
            asked.jobs, asked.scheduler, loading.become_mutant, ("none",)
        ) as pool,
    ):
        results = gather_results(grounds, hunt_for_lines, journal, pool)
    found = [one for lines in results.values() for one in lines]
    before = asked.out.read_text("utf-8").splitlines() if asked.out.is_file() else []
    lines = list(dict.fromkeys([*before, *fewest_lines(found)]))
    asked.out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    killed = {name for one in found for name in one[1:]}
    print(f"{len(lines) - len(before)} lines for {len(killed)} of {len(names)} mutants")
    print("\n".join(name for name in names if name not in killed))
    return 0


if __name__ == "__main__":
    from refengine_conformance.strength.survivor_lines import main as run

    sys.exit(run())
