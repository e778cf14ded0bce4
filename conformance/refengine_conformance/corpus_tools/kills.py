"""Which lines kill which mutants, in workers."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import attrs

from refengine_conformance.mutants.loading import run_as_mutant


@attrs.frozen
class Kill:
    """The first line of a corpus under which a mutant shows, and where it does.

    `line` counts from 0, and is -1 where the mutant survives; `place` says at which
    step and question, or how it crashed.
    """

    mutant: str
    line: int
    place: str


def first_kill(name: str, lines: Sequence[bytes]) -> Kill:
    """The first of these traces and mini-deals that the mutant fails; in a worker."""
    from refengine_conformance.corpus_tools import evidence

    cases = [evidence.case_of(line) for line in lines]
    with run_as_mutant(name):
        for number, case in enumerate(cases):
            if evidence.may_matter(name, case):
                place = evidence.first_divergence(case)
                if place:
                    return Kill(name, number, place)
    return Kill(name, -1, "")


def first_kills(
    names: Sequence[str], lines: Sequence[bytes], executor: Executor
) -> list[Kill]:
    """For each of these mutants, the first line that kills it."""
    shares = [names[start::8] for start in range(8)]
    results = executor.map(_kills_of, shares, [lines] * len(shares))
    found = {kill.mutant: kill for share in results for kill in share}
    return [found[name] for name in names]


def _kills_of(names: Sequence[str], lines: Sequence[bytes]) -> list[Kill]:
    return [first_kill(name, lines) for name in names]
