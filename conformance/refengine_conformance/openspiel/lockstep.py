"""Compares this engine with OpenSpiel's game `hearts` in many deals.

The deals go through all combinations of the game's parameters.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import attrs

from refengine_conformance.jobs.parallel import results_of
from refengine_conformance.openspiel.deals import COMBINATIONS, PROFILE, SEED
from refengine_conformance.openspiel.one_deal import (
    RARE,
    Disagreement,
    Walked,
    new_library_game,
    play_in_both_engines,
)

_CHUNK: Final = 25  # how many deals a process plays at a time


@attrs.frozen
class LockstepReport:
    """The results of all deals that were compared; `seconds` does not affect equality.

    `least` is the number of deals with the rarest combination of parameters, and
    `plays` the number of decisions during play that were compared.
    """

    library: str
    seed: int
    deals: int
    combinations: int
    least: int
    plays: int
    passes: int
    tricks: int
    moons: int
    rare: tuple[tuple[str, int], ...]
    disagreements: tuple[Disagreement, ...]
    seconds: float = attrs.field(eq=False)

    def lines(self) -> list[str]:
        """The report for a terminal: a table, and a line for each disagreement."""
        counted = (
            ("deals", f"{self.deals:,}"),
            ("parameter combinations", f"{self.combinations} of {COMBINATIONS}"),
            ("deals of the rarest combination", f"{self.least:,}"),
            ("plays compared", f"{self.plays:,}"),
            ("passes", f"{self.passes:,}"),
            ("tricks", f"{self.tricks:,}"),
            ("moons", f"{self.moons:,}"),
            *((kind, f"{number:,}") for kind, number in self.rare),
            ("disagreements", f"{len(self.disagreements):,}"),
            ("seconds", f"{self.seconds:.1f}"),
        )
        title = f"{self.library} beside {PROFILE}, seed {self.seed}"
        table = [f"  {name:<48}{value:>12}" for name, value in counted]
        return [title, *table, *map(str, self.disagreements)]

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        fields = attrs.asdict(self, recurse=False)
        fields["rare"] = dict(self.rare)
        fields["disagreements"] = [
            {
                **attrs.asdict(one),
                "parameters": dict(one.parameters),
                "clauses": list(one.clauses),
            }
            for one in self.disagreements
        ]
        return fields


def _play(deals: range, seed: int) -> list[Walked]:
    """Play the deals with these numbers in both engines, and return the results."""
    return [play_in_both_engines(deal, seed) for deal in deals]


def lockstep(
    deals: int,
    seed: int = SEED,
    progress: Callable[[int], None] = lambda done: None,
    jobs: int = 1,
) -> LockstepReport:
    """Compare this many deals; the report is the same for any number of processes.

    `progress` is called with the number of deals done. Raises NotInstalled if OpenSpiel
    is missing, and LostWorkerError if a worker is lost.
    """
    started = time.perf_counter()
    new_library_game(0)  # raises NotInstalled before a process is started
    walked: list[Walked] = []
    chunks = [range(deals)[at : at + _CHUNK] for at in range(0, deals, _CHUNK)]
    for chunk in results_of(chunks, partial(_play, seed=seed), jobs):
        walked.extend(chunk)
        progress(len(walked))
    return _report(walked, seed, time.perf_counter() - started)


def _library() -> str:
    """The name of OpenSpiel, with its version if it was installed as a package."""
    try:
        return f"OpenSpiel {version('open_spiel')}"
    except PackageNotFoundError:
        return "OpenSpiel"


def _report(walked: list[Walked], seed: int, seconds: float) -> LockstepReport:
    """Make a report from the results; the comparison took this many seconds."""
    covered = Counter(one.combination for one in walked)
    rare = Counter(kind for one in walked for kind in one.rare)
    differs = (one.disagreement for one in walked)
    return LockstepReport(
        library=_library(),
        seed=seed,
        deals=len(walked),
        combinations=len(covered),
        least=min(covered[number] for number in range(COMBINATIONS)),
        plays=sum(one.plays for one in walked),
        passes=sum(one.passes for one in walked),
        tricks=sum(one.tricks for one in walked),
        moons=sum(one.moon for one in walked),
        rare=tuple((kind, rare[kind]) for kind in RARE),
        disagreements=tuple(one for one in differs if one is not None),
        seconds=seconds,
    )
