"""After a run with disagreements: which rules explain what the engine did.

Games in which it went wrong, and some in which it did not, are put to it once more;
`inference` then looks for options under which everything it said is right. Whether its
author plays by them, the answers do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.formats.openings import opening_of
from refengine.formats.trace import Trace, read_trace
from refengine.game.nearby_rulesets import Change, changed, values_to_try
from refengine.lawbook.options import Value
from refengine_conformance.diagnosis.asker import Asker
from refengine_conformance.diagnosis.fitting_rulesets import Heard, misfits
from refengine_conformance.diagnosis.inference import Inference, infer
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import Inferred, Outcome, Run
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.selection import Selected, Selection
from refengine_conformance.runner.table import WHOLE, cards_in_play

MOST_WRONG: Final = 60
MOST_RIGHT: Final = 80
SECONDS: Final = 20.0
_MOST_LOSSES: Final = 3
_SMALLEST: Final = 12
_LONG: Final = 2_500
_FEW_WRONG: Final = 24
_FEW_RIGHT: Final = 32
_ROUNDS: Final = 4
_MOST_OPTIONS: Final = 6


def with_inference(
    run: Run, selection: Selection, seconds: float = SECONDS, time: RunTime = ENDLESS
) -> Run:
    """The run, with the rules that explain it if an answer in it is wrong.

    At most 60 games that went wrong and 80 that did not are put to a fresh adapter, and
    none once half the seconds are over; what follows takes seconds. Games that ended at
    an error of the adapter's own are left out. If the time for the run is up before
    anything is found, that is said instead.
    """
    playable = {line.id for line in selection.lines if not line.mini}
    playable -= {line.id for line in selection.lines if line.opening}
    wrong = {
        case.trace
        for case in run.cases
        if case.outcome is Outcome.FAIL and case.kind != "events"
    } & playable
    thrown = {case.trace for case in run.cases if case.thrown is not None}
    if not wrong - thrown:
        return run
    end = monotonic() + min(seconds, time.left) / 2
    try:
        time.check()
        chosen, capped = _chosen(run, selection, wrong, thrown)
        records = list(_heard(run, chosen, end, time))
        return attrs.evolve(run, inferred=_inferred(records, capped, time))
    except CannotRunError:
        return run
    except RunOverError as error:
        said = f"{error} before rules that explain the disagreements were found."
        left_out = Inferred(games=0, wrong=0, left_out=f"{said[0].upper()}{said[1:]}")
        return attrs.evolve(run, inferred=left_out)


def _chosen(
    run: Run, selection: Selection, wrong: set[str], thrown: set[str]
) -> tuple[list[Trace], bool]:
    """The traces to ask again, and whether more of them went wrong."""
    right_ones = {
        case.trace
        for case in run.cases
        if case.outcome is Outcome.PASS and case.trace not in wrong
    }
    lines = [
        line
        for line in selection.lines
        if not (line.mini or line.opening or line.id in thrown)
    ]
    bad = [line for line in lines if line.id in wrong]
    good = [line for line in lines if line.id in right_ones]
    some = _spread(bad, MOST_WRONG) + _spread(good, MOST_RIGHT)
    traces = [read_trace(line.data) for line in some]
    known = {trace.id for trace in traces}
    for example in run.examples.values():
        line = example.line.encode()
        if not (line.startswith(b'{"mini"') or opening_of(line)):
            trace = read_trace(line)
            if trace.id not in known:
                traces.append(trace)
    return traces, len(bad) > MOST_WRONG or bool(wrong & thrown)


def _spread(lines: list[Selected], most: int) -> list[Selected]:
    """At most this many lines: half of them the shortest, the others of every length.

    Long ones are left out if there are enough others: they cost much and add little.
    """
    by_length = sorted(lines, key=lambda line: len(line.data))
    short = [line for line in by_length if len(line.data) <= _LONG]
    if len(short) >= most // 2:
        by_length = short
    shortest, others = by_length[: most // 2], by_length[most // 2 :]
    step = max(1, -(-len(others) // (most - most // 2)))
    return shortest + others[::step]


def _heard(run: Run, traces: list[Trace], end: float, time: RunTime) -> Iterator[Heard]:
    """What the adapter says to these, as long as it answers and time is left."""
    with Asker(run.adapter, run.limits, time) as asker:
        for trace in traces:
            if asker.losses >= _MOST_LOSSES or monotonic() > end:
                return
            record = asker.record(trace)
            if record.tells:
                yield record


def _inferred(records: list[Heard], capped: bool, time: RunTime) -> Inferred | None:
    """What explains these records; None if there are none."""
    if not records:
        return None
    wrong = [one for one in records if misfits(one, one.trace.ruleset)]
    games = Inferred(
        games=len(records),
        wrong=len(wrong),
        small=all(cards_in_play(one.trace) < WHOLE for one in wrong),
        capped=capped,
    )
    found = _explaining(records, wrong, time)
    if found is None:
        right = [one for one in records if not any(one is other for other in wrong)]
        partly, explained, spoilt = _partly(wrong, right, time)
        return attrs.evolve(games, partly=partly, explained=explained, spoilt=spoilt)
    changes = [
        change
        for change in found.changes
        if all(_explained(one, change, time) for one in records)
    ]
    first = changes[0]
    base = records[0].trace.ruleset.options
    open_to = {
        name: tuple(
            value
            for value in values
            if value != first.get(name, base[name])
            and all(_explained(one, {**first, name: value}, time) for one in records)
        )
        for name, values in found.open_to.items()
    }
    return attrs.evolve(
        games,
        changes=tuple(changes),
        open_to={name: values for name, values in open_to.items() if values},
    )


def _explaining(
    records: list[Heard], wrong: list[Heard], time: RunTime
) -> Inference | None:
    """What explains all records, found from a few of them; None if nothing does.

    Records that the result does not explain are added to the few, and the search is
    repeated.
    """
    right = [one for one in records if not any(one is other for other in wrong)]
    few = wrong[:_FEW_WRONG] + right[:_FEW_RIGHT]
    for _ in range(_ROUNDS):
        found = infer(few, most=_MOST_OPTIONS, time=time)
        if not found.changes:
            return None
        left: list[Heard] = []
        for change in found.changes:
            left = [one for one in records if not _explained(one, change, time)]
            if not left:
                return found
        few += left[:_FEW_WRONG]
    return None


def _partly(
    wrong: Sequence[Heard], right: Sequence[Heard], time: RunTime
) -> tuple[dict[str, Value], int, int]:
    """The one-option change that explains most, how many, and how many it spoils."""
    best: tuple[dict[str, Value], int, int] = ({}, 0, 0)
    for change in _hopeful(wrong, time):
        number = sum(_explained(one, change, time) for one in wrong)
        if number > best[1] - best[2]:
            spoilt = sum(not _explained(one, change, time) for one in right)
            if number - spoilt > best[1] - best[2]:
                best = change, number, spoilt
    return best


def _hopeful(wrong: Sequence[Heard], time: RunTime) -> Iterator[dict[str, Value]]:
    """Changes that explain one of the shortest of these."""
    shortest = sorted(wrong, key=lambda one: len(one.trace.steps))[:_SMALLEST]
    seen: list[dict[str, Value]] = []
    for record in shortest:
        now = record.trace.ruleset.options
        for option in OPTIONS:
            for value in values_to_try(option, now[option.name]):
                change: dict[str, Value] = {option.name: value}
                if change not in seen and _explained(record, change, time):
                    seen.append(change)
                    yield change


def _explained(record: Heard, change: Change, time: RunTime) -> bool:
    time.check()
    ruleset = changed(record.trace.ruleset, change)
    return ruleset is not None and not misfits(record, ruleset)
