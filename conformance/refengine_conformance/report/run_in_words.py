"""What every report says about a run: its figures, its problems, what it left out.

For a run at a table, it also says which clauses were asked about, which were not and
why, and which games were used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

import attrs

from refengine.errors import MOST_TOLD, counted, harmless, more_unreadable
from refengine.lawbook import book
from refengine_conformance.runner.driver import quoted_stderr
from refengine_conformance.runner.results import KINDS, Outcome
from refengine_conformance.runner.runs import Run

_MOST_REASONS: Final = 5


def percent(part: int, whole: int) -> str:
    """A part as a percentage of the whole, rounded down to a tenth.

    The text is `none` if `whole` is 0.
    """
    if not whole:
        return "none"
    share = 1000 * part // whole / 10
    return f"{share:g}%"


def games_said(number: int) -> str:
    """A number of games in words: `one game`, `2 games` and so on."""
    return "one game" if number == 1 else f"{number} games"


def figures(run: Run) -> list[str]:
    """The pass rate, the coverage, and how many clauses of a table were asked about."""
    return [words for _, words in figures_with_shares(run)]


def figures_with_shares(run: Run) -> list[tuple[str, str]]:
    """The figures of a run in words, each after its percentage."""
    rate = percent(run.passed, run.scored)
    coverage = percent(run.scored, run.applicable)
    of_scored = f"({run.passed} of {run.scored} scored cases)"
    of_applicable = f"({run.scored} of {run.applicable} applicable cases)"
    found = [
        (rate, f"pass rate {rate} {of_scored}"),
        (coverage, f"coverage {coverage} {of_applicable}"),
    ]
    if run.at_table is not None:
        asked, askable = len(run.at_table.asked), len(run.at_table.askable)
        words = f"clauses of this table asked: {asked} of {askable}"
        found.append((percent(asked, askable), words))
    return found


def troubles(run: Run, every: bool = False) -> Iterator[str]:
    """Yield a sentence on each thing that went wrong outside the cases.

    Unless `every` is true, only the first few unreadable lines are listed, and the
    others are counted.
    """
    for bug in run.bugs:
        yield f"an internal error, please report it: {bug}"
    if run.stopped:
        yield f"the run was stopped: {run.stopped}"
    told = len(run.unreadable) if every else MOST_TOLD
    yield from (f"unreadable: {one}" for one in run.unreadable[:told])
    if run.unreadable[told:]:
        yield more_unreadable(len(run.unreadable) - told)
    yield from (f"promised but missing: {one}" for one in run.short)
    if not run.scored and not (run.stopped and run.card is None):
        yield "no case was scored"
    table = run.at_table
    if table is not None and table.too_few:
        yield (
            f"{len(table.asked)} of {len(table.askable)} clauses asked; wanted at "
            f"least {table.least:g} percent (--at-least)"
        )
    yield from (f"the conversation: {one}" for one in run.faults)
    yield from (f"known failures: {one}" for one in run.stale)
    if run.unwritten:
        yield f"not written: {run.unwritten}"


def adapter_errors(run: Run) -> list[str]:
    """A sentence on each error that the adapter itself reported.

    One more sentence says what such errors mean. The list is empty if there were none.
    """
    told = [one.sentence for one in run.adapter_errors]
    meaning = (
        "such a game ends there: no clause is blamed, and the rest is not scored; an "
        "act that the engine does not allow is answered with `refused`"
    )
    return [*told, meaning] if told else []


def unscored(run: Run) -> list[str]:
    """The most common reasons why cases were not scored, each with a count.

    Cases that are not applicable are counted only if none is. Cases that ended in an
    error of the adapter's own are not counted here; `adapter_errors` reports them.
    """
    some = any(case.applicable for case in run.cases)
    reasons = Counter(
        case.note
        for case in run.cases
        if case.outcome in (Outcome.UNSUPPORTED, Outcome.NOT_RUN)
        if case.applicable or not some
    )
    ranked = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        f"{counted(count, 'case')} not scored: {reason}"
        for reason, count in ranked[:_MOST_REASONS]
    ]


class Level(NamedTuple):
    """A capability, with the numbers of its cases passed, scored and applicable."""

    capability: str
    passed: int
    scored: int
    applicable: int


def levels(run: Run) -> Iterator[Level]:
    """The level of each capability for which the run has cases."""
    for kind in KINDS:
        cases = tuple(case for case in run.cases if case.kind == kind)
        if cases:
            of_kind = attrs.evolve(run, cases=cases)
            yield Level(kind, of_kind.passed, of_kind.scored, of_kind.applicable)


def stderr_lines(run: Run) -> list[str]:
    """The lines of `stderr_if_lost`, as a report quotes them."""
    return quoted_stderr(stderr_if_lost(run))


def stderr_if_lost(run: Run) -> str:
    """The end of the adapter's stderr; empty unless it was lost or the run stopped."""
    return run.stderr if run.broken or run.stopped else ""


def partial(run: Run) -> str:
    """What limited the choice of games; empty if nothing did."""
    chosen = (f"{name} {value}" for name, value in run.selection.items())
    return harmless(", ".join(chosen))


_FEW: Final = 5


def table_name(run: Run) -> str:
    """The table of a run in words; empty if the run was not at a table."""
    return "" if run.at_table is None else run.at_table.table.said


def table_lines(run: Run) -> list[str]:
    """Lines on the clauses not asked about, on how to add some, and on the games used.

    The list is empty if the run was not at a table.
    """
    table = run.at_table
    if table is None:
        return []
    found = [f"not asked: {one}" for one in _by_reason(table.not_asked)]
    if table.left_out:
        found += [f"left out: {'; '.join(_by_reason(table.left_out, few=0))}"]
    found += [
        f"tell {field}: then {', '.join(clauses)} can be judged"
        for field, clauses in table.untold
    ]
    for offer in table.offers:
        named = "clause" if len(offer.clauses) == 1 else "clauses"
        clauses = ", ".join(offer.clauses)
        more = f"up to {counted(offer.games, 'game')} more, {named} {clauses}"
        found.append(f"declare {offer.declare}: {more}")
    if table.funnel:
        (whole, games), *rest = table.funnel
        parts = [f"{number} {why}" for why, number in rest if number]
        found.append(f"of {games} {whole}: {', '.join(parts)}")
    return found


def _by_reason(pairs: Iterable[tuple[str, str]], few: int = _FEW) -> Iterator[str]:
    """For each reason, a text with the clauses to which it applies.

    The clauses are given their titles if there are at most `few`.
    """
    listed = sorted(pairs, key=lambda pair: pair[1])
    for reason, some in groupby(listed, key=lambda pair: pair[1]):
        clauses = [clause for clause, _ in some]
        if len(clauses) <= few:
            clauses = [f"{one} {book.title(one)}" for one in clauses]
        yield f"{', '.join(clauses)} ({reason})"
