"""Lines that report what was measured: scores, what is still to do, and faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from refengine_conformance.strength.arguments import (
    argument_of_each,
    idle_arguments,
    survivor_arguments,
)
from refengine_conformance.strength.scores import Score


def score_lines(found: Mapping[str, Any]) -> list[str]:
    """The score of each module, the total score and other counts, as lines."""
    rows = [("module", "mutants", "killed", "equivalent", "accepted", "gap", "of all")]
    scores = {**found["modules"], "all": found["score"]}
    for name, fields in scores.items():
        one = Score(**fields)
        if one.mutants:
            numbers = [f"{number:,}" for number in attrs.astuple(one)]
            rows.append((name, *numbers, f"{one.of_all:.2%}"))
    lines = [
        f"{row[0]:14}" + "".join(f"{cell:>11}" for cell in row[1:]) for row in rows
    ]
    total = Score(**found["score"])
    lines.append(
        f"killed by the corpus alone: {total.of_all:.2%} of those not equivalent, "
        f"{total.of_asked:.2%} of those that it can ask about"
    )
    proved = sum(bool(one) for one in found["theorems"].values())
    lines.append(f"theorems proved: {proved} of {len(found['theorems'])}")
    walk = found["exhaustion"]
    lines.append(
        f"small deals: {walk['deals']:,}, positions walked {walk['positions']:,}, "
        f"decisions {walk['decisions']:,}, faults {len(walk['faults'])}"
    )
    lines.append(f"clauses with a second opinion: {len(found['opinions'])}")
    return lines


def gaps_to_close(found: Mapping[str, Any]) -> list[str]:
    """A line for each gap, and for each argument about a mutant that does not survive.

    A gap is a mutant that survives and has no argument, or only the verdict `gap`.
    """
    known = survivor_arguments()
    alive = [one["id"] for one in found["survivors"]]
    place = argument_of_each(alive, known)
    gaps = [
        f"gap: {one['id']}  {one['change']}"
        for one in found["survivors"]
        if place[one["id"]] < 0 or known[place[one["id"]]].verdict == "gap"
    ]
    return gaps + [
        f"an argument about a mutant that does not survive: {name}"
        for name in idle_arguments(alive, known)
    ]


def faults_found(found: Mapping[str, Any]) -> list[str]:
    """A line for each theorem that fails, fault in a small deal, and false record."""
    broken = [title for title, one in found["theorems"].items() if not one]
    return [
        *[f"broken: {title}" for title in broken],
        *found["exhaustion"]["faults"],
        *found.get("false", ()),
    ]
