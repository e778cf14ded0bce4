"""Make tables for tests, and games that fit them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refengine import Ruleset
from refengine.formats.trace import read_trace
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.mutants import loading
from refengine_conformance.runner.table import STARTS, Table
from refengine_conformance.tables.aiming import aimed_line
from refengine_conformance.tables.candidates import Candidate, candidate

SEED = 2026


def whole(
    profile: str,
    players: int | None = None,
    starts: Sequence[str] = STARTS,
    **options: Any,
) -> Table:
    """A table for this profile with whole hands and these ways to begin."""
    ruleset = Ruleset(profile, players, options)
    return Table(ruleset=ruleset, hands="full", starts=starts)


def barred(hands: int, *starts: str) -> Table:
    """A table with hands of this size; if they are small, a search takes seconds."""
    ruleset = Ruleset("estmesh-hearts", 4, {"first_trick_points": "barred"})
    return Table(ruleset=ruleset, hands=hands, starts=starts or ("deal",))


def candidate_at(table: Table, number: int, **more: Any) -> Candidate:
    """The candidate game with this number for the table, which must exist."""
    found = candidate(table, SEED, number, **more)
    assert found is not None
    return found


def is_shown(table: Table, number: int, fault: str) -> bool:
    """Whether this candidate game shows a fault; without the fault it must be right."""
    _, line, *_ = aimed_line(table.fields(), SEED, number, {}, ())
    trace = read_trace(line.encode())
    assert evidence.first_divergence(trace) == ""
    with loading.run_as_mutant(f"meeting:{fault}"):
        return bool(evidence.first_divergence(trace, cited=False))
