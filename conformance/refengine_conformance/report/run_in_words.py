"""What every report says about a run: figures, what went wrong, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import attrs

from refengine.errors import MOST_TOLD, harmless, more_unreadable
from refengine_conformance.report.table_words import clause_figure, too_few_asked
from refengine_conformance.runner.driver import quoted_stderr
from refengine_conformance.runner.results import KINDS, Outcome
from refengine_conformance.runner.runs import Run

_MOST_REASONS: Final = 5


def percent(part: int, whole: int) -> str:
    """A share in percent, rounded down to a tenth; `none` if the whole is nothing."""
    if not whole:
        return "none"
    share = 1000 * part // whole / 10
    return f"{share:g}%"


def figures(run: Run) -> list[str]:
    """The pass rate, the coverage, and how many clauses of a table were asked."""
    return [
        f"pass rate {percent(run.passed, run.scored)}"
        f" ({run.passed} of {run.scored} scored cases)",
        f"coverage {percent(run.scored, run.applicable)}"
        f" ({run.scored} of {run.applicable} applicable cases)",
        *clause_figure(run),
    ]


def troubles(run: Run, every: bool = False) -> Iterator[str]:
    """What went wrong apart from the cases, one sentence each.

    Of the lines that cannot be read, only the first few are listed unless `every` is
    true; the others are counted.
    """
    for bug in run.bugs:
        yield f"a fault of ours, please report it: {bug}"
    if run.stopped:
        yield f"the run was stopped: {run.stopped}"
    told = len(run.unreadable) if every else MOST_TOLD
    yield from (f"unreadable: {one}" for one in run.unreadable[:told])
    if run.unreadable[told:]:
        yield more_unreadable(len(run.unreadable) - told)
    yield from (f"promised but missing: {one}" for one in run.short)
    if not run.scored and not (run.stopped and run.card is None):
        yield "no case was scored"
    yield from too_few_asked(run)
    yield from (f"the conversation: {one}" for one in run.faults)
    yield from (f"known failures: {one}" for one in run.stale)
    if run.unwritten:
        yield f"not written: {run.unwritten}"


def adapter_errors(run: Run) -> list[str]:
    """The adapter's own errors, one sentence each, and their meaning; empty if none."""
    told = [one.sentence for one in run.adapter_errors]
    meaning = (
        "such a game ends there: no clause is blamed, and the rest is not scored; an "
        "act that the engine does not allow is answered with `refused`"
    )
    return [*told, meaning] if told else []


def unscored(run: Run) -> list[str]:
    """Why cases were not scored: the commonest reasons, each with a count."""
    reasons = Counter(
        case.note
        for case in run.cases
        if case.outcome is Outcome.UNSUPPORTED and case.applicable
    )
    ranked = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        f"{count} {'case' if count == 1 else 'cases'} not scored: {reason}"
        for reason, count in ranked[:_MOST_REASONS]
    ]


def capabilities(run: Run) -> Iterator[tuple[str, int, int, int]]:
    """For each kind of case in a run: its name, cases passed, scored, applicable."""
    for kind in KINDS:
        cases = tuple(case for case in run.cases if case.kind == kind)
        if cases:
            of_kind = attrs.evolve(run, cases=cases)
            yield kind, of_kind.passed, of_kind.scored, of_kind.applicable


def stderr_lines(run: Run) -> list[str]:
    """The lines of `stderr_if_lost`, as a report quotes them."""
    return quoted_stderr(stderr_if_lost(run))


def stderr_if_lost(run: Run) -> str:
    """The end of the adapter's stderr if it was lost or the run stopped, else empty."""
    return run.stderr if run.broken or run.stopped else ""


def partial(run: Run) -> str:
    """What narrowed the games that were asked for; empty if nothing did."""
    chosen = (f"{name} {value}" for name, value in run.selection.items())
    return harmless(", ".join(chosen))
