"""Finds rules that explain what an engine did in a run with wrong answers.

`infer` looks for options under which every answer is right, in games that went wrong
and in some that did not. The answers cannot tell whether the engine's author intended
these options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.formats.trace import read_trace
from refengine.game.nearby_rulesets import Change, values_to_try
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import BY_NAME, Value
from refengine.rulings.words import capital
from refengine_conformance.diagnosis.fitting_rulesets import Heard
from refengine_conformance.diagnosis.inference import ChangeFit, Inference, infer
from refengine_conformance.runner.opening_cases import OPENINGS
from refengine_conformance.runner.results import Outcome
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.runs import Inferred, Run
from refengine_conformance.runner.selection import Selection
from refengine_conformance.runner.table import has_whole_pack

_NOT_PLAYED: Final = frozenset({"events", "enumerate"})
"""The kinds of case that play no game, or play one only to hear what is told."""
_SMALLEST: Final = 12
_FEW_WRONG: Final = 24
_FEW_RIGHT: Final = 32
_ROUNDS: Final = 4
_MOST_OPTIONS: Final = 6


def with_inference(run: Run, selection: Selection, time: RunTime = ENDLESS) -> Run:
    """Add to a run the rules that explain it, if any of its answers is wrong.

    The adapter is not questioned again: the run holds its answers to at most 60 games
    that went wrong and 80 that did not, and to the smallest games found. Games that the
    adapter did not begin, or that ended with an error in it, are left out, and so are
    games that must be refused, whatever clauses it names for them. If the time for the
    run is up before the search is over, the run says so instead.
    """
    wrong = {
        case.trace
        for case in run.cases
        if case.outcome is Outcome.FAIL and case.kind not in _NOT_PLAYED
    }
    # All cases of a game that must be refused are left out, whatever their kind.
    wrong -= {case.trace for case in run.cases if case.kind == OPENINGS}
    if not wrong & run.heard.keys():
        return run
    try:
        time.check()
        kept = _records(run, selection)
        records = {name: one for name, one in kept.items() if one.tells}
        capped = not wrong <= records.keys()
        found = _inferred(ChangeFit(records.values(), time), capped)
        return attrs.evolve(run, inferred=found)
    except RunOverError as error:
        why = f"{error} before rules that explain the disagreements were found."
        return attrs.evolve(run, inferred=Inferred(0, 0, left_out=capital(why)))


def _records(run: Run, selection: Selection) -> dict[str, Heard]:
    """The adapter's answers that the run has kept, by the id of the game."""
    lines = {line.id: line.data for line in selection.lines}
    found = {
        name: Heard(read_trace(lines[name]), said) for name, said in run.heard.items()
    }
    for example in run.examples.values():
        if example.heard is not None:
            trace = read_trace(example.line.encode())
            found.setdefault(trace.id, Heard(trace, example.heard))
    return found


def _inferred(fit: ChangeFit, capped: bool) -> Inferred | None:
    """The rules that explain all or some of the records; None without records."""
    records = fit.records
    if not records:
        return None
    wrong: list[Heard] = []
    right: list[Heard] = []
    for one in records:
        (right if fit.explained(one, {}) else wrong).append(one)
    games = Inferred(
        games=len(records),
        wrong=len(wrong),
        small=not any(has_whole_pack(one.trace) for one in wrong),
        capped=capped,
    )
    found = _explaining(wrong, right, fit)
    if found is None:
        best = _most_useful(wrong, right, fit)
        return attrs.evolve(
            games, partly=best.change, explained=best.explained, spoilt=best.spoilt
        )
    changes = [one for one in found.changes if fit.explains(one)]
    # The search begins with the rules of the first wrong game.
    first = [*wrong, *right][0].trace.ruleset
    open_to = _open_to(found, changes[0], first, fit)
    return attrs.evolve(games, changes=tuple(changes), open_to=open_to)


def _open_to(
    found: Inference, change: Change, first: Ruleset, fit: ChangeFit
) -> dict[str, tuple[Value, ...]]:
    """For each option, the other values with which the change also explains everything.

    "Other" means other than the value under this change or, if the change does not set
    the option, the value in `first`, the ruleset of the first record from which `found`
    was inferred. Options without such values are left out.
    """
    open_to: dict[str, tuple[Value, ...]] = {}
    for name, values in found.open_to.items():
        now = change.get(name, first.options[name])
        others = tuple(
            value
            for value in values
            if value != now and fit.explains({**change, name: value})
        )
        if others:
            open_to[name] = others
    return open_to


def _explaining(
    wrong: list[Heard], right: list[Heard], fit: ChangeFit
) -> Inference | None:
    """Look for changes that explain all records; None if no such change is found.

    `wrong` and `right` together contain every record. The search uses only a few of
    them. If its first change does not explain all records, some of those left
    unexplained are added to the few, and the search is repeated, for a few rounds at
    most. The first change of the result explains all records.
    """
    few = wrong[:_FEW_WRONG] + right[:_FEW_RIGHT]
    for _ in range(_ROUNDS):
        found = infer(few, most=_MOST_OPTIONS, time=fit.time)
        if not found.changes:
            return None
        if fit.explains(found.changes[0]):
            return found
        for change in found.changes:
            left = (one for one in fit.records if not fit.explained(one, change))
            few += islice(left, _FEW_WRONG)
    return None


@attrs.frozen
class _Useful:
    """A change to one option, and how many games with wrong answers it explains.

    `spoilt` is the number of games without wrong answers that it does not explain.
    """

    change: Change = attrs.field(factory=dict)
    explained: int = 0
    spoilt: int = 0

    @property
    def good(self) -> int:
        """How many more games the change explains than it spoils."""
        return self.explained - self.spoilt


def _most_useful(
    wrong: Sequence[Heard], right: Sequence[Heard], fit: ChangeFit
) -> _Useful:
    """The change to one option with the most games explained, less those spoilt.

    The change is empty if there is none that explains more games than it spoils. Values
    near the best one are tried as well: in a cycle of passes, two may have changed
    places.
    """
    best = _Useful()
    for change in _hopeful(wrong, fit):
        best = _better(best, change, wrong, right, fit)
    for name, value in best.change.items():
        for other in values_to_try(BY_NAME[name], value):
            best = _better(best, {name: other}, wrong, right, fit)
    return best


def _better(
    best: _Useful,
    change: Change,
    wrong: Sequence[Heard],
    right: Sequence[Heard],
    fit: ChangeFit,
) -> _Useful:
    """The best so far, or this change if it does more good."""
    explained = sum(fit.explained(one, change) for one in wrong)
    if explained <= best.good:  # it cannot do more good than the best
        return best
    spoilt = sum(not fit.explained(one, change) for one in right)
    found = _Useful(change, explained, spoilt)
    return found if found.good > best.good else best


def _hopeful(wrong: Sequence[Heard], fit: ChangeFit) -> Iterator[Change]:
    """The changes to one option that explain at least one of the shortest wrong games.

    Only the twelve shortest games are tried.
    """
    shortest = sorted(wrong, key=lambda one: len(one.trace.steps))[:_SMALLEST]
    seen: list[Change] = []
    for record in shortest:
        now = record.trace.ruleset.options
        for option in OPTIONS:
            for value in values_to_try(option, now[option.name]):
                change = {option.name: value}
                if change not in seen and fit.explained(record, change):
                    seen.append(change)
                    yield change
