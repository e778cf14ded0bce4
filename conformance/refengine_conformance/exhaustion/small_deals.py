"""Every deal of a few cards from the pack of twelve, and every position in its play.

`refengine conform exhaustion [--deep] [--jobs N] [--scheduler ADDRESS] [--resume FILE]`
walks all deals of one and of two cards a hand for every profile, with a stock or a
kitty of at most two cards if the profile has one. Deals of one card a hand are walked
at 2, 3 and 4 seats, and deals of two at 2 and 3, as far as the profile allows; if it
allows none of these numbers, they are walked at the smallest it allows. For every
pair of options that one decision reads, and every pair of their values, it walks all
deals of at most two cards a hand at 2 and 3 seats, with a stock of at most two cards.
(Costs of the king or ace of spades, and hearts that cost their face, are paired only
with barred points, since it is proved that, at a decision, only the clause that bars
points reads costs.) With each value of these options, it also walks deals that may end
early and each way of winning a kitty; with every pair of values that a score depends
on, it walks all deals of one card a hand.

It checks that in each position a card is legal exactly if no clause is named for it,
that something is legal or a draw is due until play has ended, and that what is legal,
due or named agrees with the formal lines of the book. It also checks that each play and
draw moves one card, keeps the pack complete, gives the next seat and the winner that a
plain reading of chapter 5 gives, and brings the end closer. If no part of the past is
forgotten, who takes the rest of the stock, who shot the moon and every score are worked
out a second time, straight from the book. If revokes are penalised, they are walked
too. Pairs of clauses that forbid something at one decision are collected, and
`--pairs FILE` records where each pair met. For a pair that did not, it records the
theorem that the two never do, or else that the question is open.

What is left out by default, and why nothing is lost:

- All dealers but one. The rules know seats only by left and right, so a deal with
  another dealer is one of the deals walked, with its seats turned.
- Deals that differ only in the cards of a suit, and not in the order of their ranks.
  The lowest clubs, diamonds and hearts are used, and the lowest spades or, if the queen
  is in play, the lowest spades above her and below her. The rules compare ranks only
  within a suit, and name no cards but the queen, the two above her and the bonus card.
  A suit is left as it is if its king or ace costs points and, when there is a score to
  check, if it contains the bonus card or its cards cost their face. (The ten of
  diamonds, which may also be the bonus card, is in no deal.)
- What was played before this trick. Legality and what follows do not depend on it, so
  deals that reach the same cards continue as one position, which is walked once.
- The same plays under many rulesets. Rulesets under which plays and draws have the same
  effect are walked together, each position with the rulesets that reach it; what that
  effect depends on is proved in `refengine_conformance.proofs`.
- Decisions judged before. A judgement is looked up if the hand, the suit led, the ace
  and king of spades on the table, the flags and whether the stock holds cards are the
  same as at an earlier decision. It is proved that nothing else is read.

With `--deep`, nothing under the first three points is left out, and deals of two cards
a hand are also walked at four seats.

The units of work go through `jobs.journals`: a run can be resumed from its journal.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from refengine.errors import Malformed, unusable_file
from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from refengine.lawbook.book import SPEC
from refengine_conformance.exhaustion.scope import (
    DRAWING,
    NARROWING,
    Unit,
    deal_shapes,
    split_into_units,
)
from refengine_conformance.exhaustion.walk import Tally, Verdicts, Walk
from refengine_conformance.jobs.journals import (
    Journal,
    add_job_arguments,
    gather_results,
    open_journal,
    scope_digest,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.lawbook_checks.book_check import LINES

NEVER: Final = {
    **dict.fromkeys(
        ("5.2+5.3", "5.2+5.6", "5.3+5.4", "5.4+5.6", "5.5b+5.6"),
        "5.2 and 5.4 never meet 5.3 or 5.6, nor does 5.5b meet 5.6",
    ),
    **{
        f"{narrowing}+{drawing}": "the judge of a play: turn, conditions, then legality"
        for narrowing in NARROWING
        for drawing in DRAWING
    },
    "6.1+6.2": "the judge of a play: turn, conditions, then legality",
}
"""The pairs of clauses that never meet, each with the title of the theorem on it."""
_verdicts: Verdicts = {}


def walk_unit(unit: Unit) -> dict[str, Any]:
    """Walk one unit, and return the fields of its tally."""
    return Walk(unit, _verdicts).tally().fields()


def walk_units(
    work: Sequence[Unit], journal: Journal, executor: Executor | None = None
) -> Tally:
    """The total tally of these units; only units that the journal lacks are walked."""
    items = {str(unit): unit for unit in work}
    total = Tally()
    for fields in gather_results(items, walk_unit, journal, executor).values():
        total += Tally.of_fields(fields)
    return total


def journal_scope(only: str = "") -> str:
    """What a journal depends on: a digest of the source, formal lines and profiles.

    It includes `only`, by which shapes are selected, because a unit with fewer rulesets
    has a different result.
    """
    lines = [one.line for lines in LINES.values() for one in lines]
    profiles = [
        path.read_bytes() for path in sorted((SPEC / "profiles").glob("*.toml"))
    ]
    return scope_digest("exhaustion", only, *lines, *profiles)


def all_clause_pairs() -> list[str]:
    """Every pair of clauses consulted at a decision, such as `5.2+5.3`, in order."""
    return ["+".join(pair) for pair in combinations((*NARROWING, *DRAWING), 2)]


def clause_pairs_met(total: Tally) -> dict[str, list[str]]:
    """For each pair of clauses that met, the labels of the rulesets under which it did.

    A label is the name of a profile or, for rulesets made up of option values,
    `options`.
    """
    met: dict[str, list[str]] = {}
    for entry in sorted(total.pairs):
        pair, where = entry.split(" ")
        met.setdefault(pair, []).append(where)
    return met


def clause_pairs_fields(total: Tally) -> dict[str, Any]:
    """All pairs of clauses as plain JSON values, by whether they met.

    For a pair that met, the rulesets are listed; for one that is proved never to meet,
    the theorem. All other pairs are listed under `open`.
    """
    met = clause_pairs_met(total)
    return {
        "pairs": 1,
        "meet": {pair: met[pair] for pair in all_clause_pairs() if pair in met},
        "never": {
            pair: NEVER[pair]
            for pair in all_clause_pairs()
            if pair in NEVER and pair not in met
        },
        "open": [
            pair for pair in all_clause_pairs() if pair not in met and pair not in NEVER
        ],
    }


def report_lines(work: Sequence[Unit], total: Tally, seconds: float) -> list[str]:
    """The lines of the terminal report on a walk of these units."""
    met = clause_pairs_met(total)
    unmet = [pair for pair in all_clause_pairs() if pair not in met]
    disproved = disproved_pairs(total)
    shapes = {shape for unit in work for shape in unit.family.shapes}
    return [
        *total.faults,
        *disproved,
        f"pairs of clauses that meet at one decision: {' '.join(met)}",
        f"pairs that did not meet: {' '.join(unmet)}",
        f"{len(shapes)} rulesets and sizes, {total.deals:,} deals walked for "
        f"{total.games:,}, {total.positions:,} positions, {total.ends:,} ends, "
        f"{total.decisions:,} decisions, {seconds:.0f} s, "
        f"faults: {len(total.faults) + len(disproved)}",
    ]


def disproved_pairs(total: Tally) -> list[str]:
    """A sentence about each pair of clauses that met although it is proved never to."""
    met = clause_pairs_met(total)
    both = (pair for pair in met if pair in NEVER)
    return [f"{pair} met, and is proved never to: {NEVER[pair]}" for pair in both]


def units_named_in(path: Path, work: Sequence[Unit]) -> list[Unit]:
    """The units of `work` that are named in a file, one on each line.

    Raises Malformed if the file cannot be read, names no unit, or names one that is not
    in `work`.
    """
    try:
        listed = path.read_text("utf-8", "replace")
    except OSError as error:
        raise unusable_file(error, "read", str(path)) from error
    wanted = {line for line in listed.splitlines() if line.strip()}
    if not wanted:
        raise Malformed(f"{path} names no units", "")
    chosen = [unit for unit in work if str(unit) in wanted]
    if len(chosen) < len(wanted):
        raise Malformed(f"{path} names units that do not exist", "")
    return chosen


def main(arguments: list[str] | None = None) -> int:
    """Walk the units, print the report and return the exit status.

    It is 1 if there are faults, 2 if a worker was lost or has a different source, and 3
    if an argument or a file cannot be used.
    """
    parser = ToolArguments(prog="refengine conform exhaustion")
    parser.add_argument("--deep", action="store_true", help="without any reduction")
    parser.add_argument("--only", default="", help="shapes whose name contains this")
    units = "a file with the units to walk, one on each line"
    parser.add_argument("--units", type=Path, metavar="FILE", help=units)
    parser.add_argument("--pairs", type=Path, metavar="FILE", help="write the pairs")
    add_job_arguments(parser)
    given = parser.parse_args(arguments)
    start = time.perf_counter()
    chosen = [shape for shape in deal_shapes(given.deep) if given.only in str(shape)]
    if not chosen:
        parser.error(f"no shape has {given.only!r} in its name")
    work = split_into_units(chosen, given.deep)
    try:
        if given.units is not None:
            work = units_named_in(given.units, work)
        with (
            open_journal(given.resume, "deals", journal_scope(given.only)) as journal,
            open_executor(given.jobs, given.scheduler) as pool,
        ):
            total = walk_units(work, journal, pool)
    except (Malformed, LostWorkerError, OtherSourceError) as fault:
        print(fault, file=sys.stderr)
        return 3 if isinstance(fault, Malformed) else 2
    print("\n".join(report_lines(work, total, time.perf_counter() - start)))
    if given.pairs is not None:
        text = json.dumps(clause_pairs_fields(total), indent=1)
        try:
            given.pairs.write_text(text + "\n", "utf-8")
        except OSError as error:
            print(unusable_file(error, "written", str(given.pairs)), file=sys.stderr)
            return 3
    return 1 if total.faults or disproved_pairs(total) else 0


if __name__ == "__main__":
    # imported by name, since a worker elsewhere cannot import what is in __main__
    from refengine_conformance.exhaustion.small_deals import main as run

    sys.exit(run())
