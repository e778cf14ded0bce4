"""After a run with disagreements: which rules explain what the engine did.

`inference` looks for options under which everything is right that it said to games in
which it went wrong, and to some in which it did not. Whether its author plays by them,
the answers do not tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.formats.trace import read_trace
from refengine.game.nearby_rulesets import Change, changed, values_to_try
from refengine.lawbook.options import Value
from refengine_conformance.diagnosis.fitting_rulesets import Heard, misfits
from refengine_conformance.diagnosis.inference import Inference, infer
from refengine_conformance.runner.results import Outcome
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.runs import Inferred, Run
from refengine_conformance.runner.selection import Selection
from refengine_conformance.runner.table import has_whole_pack

_NOT_PLAYED: Final = frozenset({"events", "openings", "enumerate"})
"""The kinds of case in which no game is played, or only to ask what is told."""
_SMALLEST: Final = 12
_FEW_WRONG: Final = 24
_FEW_RIGHT: Final = 32
_ROUNDS: Final = 4
_MOST_OPTIONS: Final = 6


def with_inference(run: Run, selection: Selection, time: RunTime = ENDLESS) -> Run:
    """The run, with the rules that explain it if an answer in it is wrong.

    Nothing is asked for it: what was said to at most 60 games that went wrong and 80
    that did not is in the run, and what was said to its smallest games. Games that
    ended at an error of the adapter's own are not among them. If the time for the run
    is up before anything is found, that is said instead.
    """
    wrong = {
        case.trace
        for case in run.cases
        if case.outcome is Outcome.FAIL and case.kind not in _NOT_PLAYED
    }
    if not wrong & run.heard.keys():
        return run
    try:
        time.check()
        records = [one for one in _records(run, selection) if one.tells]
        capped = not wrong <= run.heard.keys()
        return attrs.evolve(run, inferred=_inferred(records, capped, time))
    except RunOverError as error:
        said = f"{error} before rules that explain the disagreements were found."
        left_out = Inferred(games=0, wrong=0, left_out=f"{said[0].upper()}{said[1:]}")
        return attrs.evolve(run, inferred=left_out)


def _records(run: Run, selection: Selection) -> list[Heard]:
    """What the adapter said to the games that are kept, and to the smallest ones."""
    lines = {line.id: line.data for line in selection.lines}
    found = {
        name: Heard(read_trace(lines[name]), said) for name, said in run.heard.items()
    }
    for example in run.examples.values():
        if example.heard is not None:
            trace = read_trace(example.line.encode())
            found.setdefault(trace.id, Heard(trace, example.heard))
    return [*found.values()]


def _inferred(records: list[Heard], capped: bool, time: RunTime) -> Inferred | None:
    """What explains these records; None if there are none."""
    if not records:
        return None
    wrong = [one for one in records if misfits(one, one.trace.ruleset)]
    right = [one for one in records if not any(one is other for other in wrong)]
    games = Inferred(
        games=len(records),
        wrong=len(wrong),
        small=not any(has_whole_pack(one.trace) for one in wrong),
        capped=capped,
    )
    found = _explaining(records, wrong, right, time)
    if found is None:
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
    records: list[Heard], wrong: list[Heard], right: list[Heard], time: RunTime
) -> Inference | None:
    """What explains all records, found from a few of them; None if nothing does.

    Each record is one of the `wrong` or of the `right` ones. Records that the result
    does not explain are added to the few, and the search is repeated.
    """
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
    """The one-option change that does most good; how many it explains and spoils.

    The good is what it explains of the wrong ones, less what it spoils of the right.
    """
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
