"""Tables, and the games that are played at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refengine import Ruleset
from refengine_conformance.runner.table import STARTS, Table
from refengine_conformance.tables.candidates import Candidate, candidate

SEED = 2026


def whole(
    profile: str,
    players: int | None = None,
    starts: Sequence[str] = STARTS,
    **options: Any,
) -> Table:
    """The table of this profile with whole hands, begun in these ways."""
    ruleset = Ruleset(profile, players, options)
    return Table(ruleset=ruleset, hands="full", starts=starts)


def barred(hands: int, *starts: str) -> Table:
    """A table with so few cards a hand that a search at it takes seconds."""
    ruleset = Ruleset("estmesh-hearts", 4, {"first_trick_points": "barred"})
    return Table(ruleset=ruleset, hands=hands, starts=starts or ("deal",))


def candidate_at(table: Table, number: int, **more: Any) -> Candidate:
    """The game of this number that is looked at for the table; there is one."""
    found = candidate(table, SEED, number, **more)
    assert found is not None
    return found
