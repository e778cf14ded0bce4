"""Theorems about the clause functions, proved by z3 from their real source.

`python -m conformance.proofs` prints a table: each theorem, its clauses, the number of
paths through the functions, the seconds, and `proved` or the smallest hand found that
breaks it. Exit status 1 if one is broken, 2 if nothing can be proved here.

A decision is one moment of one seat in symbols: any hand, any trick, each flag, every
value of every option. What the functions are not given (the hands of others, what was
taken, the scores) is `_Unread`, so each of these theorems also says that legality
depends on nothing else. Each formal line of the book is put into the same symbols.

A deal is a position of a number of seats with all its parts in symbols. The invariant
is that hands, stock and kitty make up the pack, and that what was played lies on the
table or is taken, once each. Every transition keeps it, so it holds in every position,
and the points in play, a sum over these parts, are kept with it. Where a transition
calls a function that would fork for every seat, it meets the contract of that function
instead (`_contracts`), and that the function keeps it is a theorem of its own.
"""

from __future__ import annotations

import argparse
import sys
import time

from conformance.proofs import legality, lines, moves, passing, tightening
from conformance.proofs.lines import book_theorem, functions
from conformance.proofs.theorem import ALL_SEATS, SEATS, Proved, Theorem, prove
from conformance.symbolic import why_not

__all__ = [
    "Proved",
    "Theorem",
    "book_theorem",
    "functions",
    "main",
    "prove",
    "theorems",
]


def theorems() -> list[Theorem]:
    """All theorems, in the order of the table."""
    chapters = (legality, tightening, lines, moves, passing)
    return [theorem for chapter in chapters for theorem in chapter.theorems()]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m conformance.proofs")
    parser.add_argument("--deep", action="store_true", help="tables of 2 to 13 seats")
    parser.add_argument("--only", default="", help="theorems whose title has this")
    given = parser.parse_args(arguments)
    if why_not():
        print(why_not(), file=sys.stderr)
        return 2
    seats = ALL_SEATS if given.deep else SEATS
    start = time.perf_counter()
    outcomes: list[Proved] = []
    for theorem in theorems():
        if given.only in theorem.title:
            outcomes.append(prove(theorem, seats))
            print(outcomes[-1], flush=True)
    broken = sum(1 for outcome in outcomes if outcome.counterexample)
    seconds = time.perf_counter() - start
    number = sum(outcome.paths for outcome in outcomes)
    print(
        f"{len(outcomes)} theorems, {number} paths, {seats[0]} to {seats[-1]} seats, "
        f"{seconds:.0f} s: {len(outcomes) - broken} proved, {broken} broken"
    )
    return 1 if broken else 0
