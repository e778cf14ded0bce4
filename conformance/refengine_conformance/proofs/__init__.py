"""Theorems about the clause functions, proved by z3 from their real source.

`refengine conform proofs` prints a table with a row for each theorem: its title, its
clauses, the number of paths through the functions, the seconds it took, and either
`proved`, a small example that breaks it, or the reason it is not proved. The exit
status is 1 if a theorem is broken or left undecided, and 2 if nothing can be proved in
this installation.

A decision is one seat at one moment, with symbols for any hand, trick and flags, and
any values of the options. Everything else (other seats' hands, the cards taken, the
scores) is `Unread`, so each theorem about decisions also says that legality depends on
none of it. Each formal line of the book is expressed in the same symbols.

A deal is a position with a given number of seats, and all its parts are symbolic. The
invariant is that hands, stock and kitty make up the pack, that each card played lies in
one place, on the table or in a pile, and that every seat still to play to the trick
holds a card. Every transition (pass, scatter, mix, draw, play, end of a trick, a card
taken back) keeps the invariant, so it holds in every position. "Something legal
remains, or a draw is due", which is proved for every hand with a card, therefore holds
as long as play lasts. At the end, each card counts for one seat or lies where it counts
for nobody, and the points of disjoint sets of cards add up, so no points are lost.

If a transition calls a function that would fork for every seat or card, a stand-in
returns anything that the function's contract allows (`deal.transition_contracts`); that
the function meets the contract is a theorem of its own. A count of cards is either
known only through lemmas about finite sets (`passing.Counting`) or taken as a sum over
the cards (`scoring.cards_counted`).

A deal knows only the fields of a ruleset that `settings.MOVING` lists, so each theorem
about plays and draws also says that they depend on no other options.
"""

from __future__ import annotations

import sys
import time

from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.proofs import (
    claims,
    enumerated,
    holding,
    legality,
    lines,
    moves,
    passing,
    scoring,
    tightening,
)
from refengine_conformance.proofs.lines import book_theorem, functions_by_clause
from refengine_conformance.proofs.symbolic import why_no_proofs
from refengine_conformance.proofs.theorem import (
    ALL_SEATS,
    BROKEN,
    SEATS,
    Outcome,
    Theorem,
    prove,
)

__all__ = [
    "Outcome",
    "Theorem",
    "book_theorem",
    "functions_by_clause",
    "main",
    "prove",
    "theorems",
]


def theorems() -> list[Theorem]:
    """All theorems, in the order of the table."""
    modules = (
        legality,
        tightening,
        lines,
        moves,
        holding,
        passing,
        scoring,
        claims,
        enumerated,
    )
    return [theorem for module in modules for theorem in module.theorems()]


def main(arguments: list[str] | None = None) -> int:
    """Prove the theorems chosen, print the table and return the exit status."""
    parser = ToolArguments(prog="refengine conform proofs")
    parser.add_argument("--deep", action="store_true", help="tables of 2 to 13 seats")
    parser.add_argument("--only", default="", help="theorems whose title contains this")
    given = parser.parse_args(arguments)
    hindrance = why_no_proofs()
    if hindrance:
        print(hindrance, file=sys.stderr)
        return 2
    chosen = [theorem for theorem in theorems() if given.only in theorem.title]
    if not chosen:
        parser.error(f"no theorem has {given.only!r} in its title")
    seats = ALL_SEATS if given.deep else SEATS
    start = time.perf_counter()
    outcomes: list[Outcome] = []
    for theorem in chosen:
        outcomes.append(prove(theorem, seats))
        print(outcomes[-1], flush=True)
    failures = [one.failure for one in outcomes if one.failure]
    broken = sum(failure.startswith(BROKEN) for failure in failures)
    unproved = len(failures) - broken
    rest = f", {unproved} not proved" if unproved else ""
    seconds = time.perf_counter() - start
    paths = sum(outcome.paths for outcome in outcomes)
    print(
        f"{len(outcomes)} theorems, {paths} paths, {seats[0]} to {seats[-1]} seats, "
        f"{seconds:.0f} s: {len(outcomes) - len(failures)} proved, {broken} broken"
        f"{rest}"
    )
    return 1 if failures else 0
