"""Check the evidence that a change may have affected, before the change lands.

`refengine conform changed-evidence` checks again every result that rests on something
changed since `conformance/strength.json` was written, and some of the other results,
chosen by the hash of the commit. If too much has changed, only some of the changed
results are checked, chosen in the same way: as many as a budget of processor seconds
allows, judging by what each trial usually takes. The command says how many these were;
`make deep` checks the rest. Nothing is written, except that `--walk FILE` lists the
small deals to walk, one unit per line. `conform exhaustion --units FILE` then walks
these deals, and does so faster if the rules are compiled.

The exit status is 1 if a mutant survives without an argument, if a theorem is broken,
if OpenSpiel no longer reveals the omission of a clause that it used to reveal, or if a
record turns out to be false. After a false record of a mutant, all mutants are tried.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from refengine_conformance.jobs.journals import (
    Journal,
    add_worker_arguments,
    gather_results,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import catalogue, loading
from refengine_conformance.strength import measure, recorded
from refengine_conformance.strength.arguments import (
    ArgumentError,
    argument_of_each,
    check_arguments,
    survivor_arguments,
)
from refengine_conformance.strength.scores import committed_document

BUDGET: Final = 500.0
"""The processor seconds that trials of changed results may take in all."""
# What a trial usually takes, in processor seconds.
_KILLED, _ALIVE, _THEOREM, _OPINION, _UNIT = 0.05, 0.5, 6.0, 4.0, 8.0


@attrs.frozen
class Plan:
    """The trials to make, by kind, and how many recorded results are out of date.

    `changed` counts the results that are out of date. `tried` names the trials made for
    these, and `again` the trials made for some of the other results.
    """

    changed: Mapping[str, int]
    tried: Mapping[str, tuple[str, ...]]
    again: Mapping[str, tuple[str, ...]]

    def lines(self) -> list[str]:
        """One sentence for each kind of trial, saying how many are made."""
        return [
            f"{kind}: {len(self.tried[kind])} of {number} that changed are tried, "
            f"and {len(self.again[kind])} of the others"
            for kind, number in self.changed.items()
        ]


def planned(
    costs: Mapping[str, Mapping[str, float]],
    standing: Mapping[str, Iterable[str]],
    seed: str,
    budget: float = BUDGET,
) -> Plan:
    """Plan which trials to make for changed results, and for some of the others.

    `costs` gives the seconds that each trial takes, by its kind and name; those for
    changed results take at most `budget` seconds in all. `standing` names, for each
    kind, the results that are not out of date; some of these are tried again.
    """
    stands = {kind: {*standing.get(kind, ())} for kind in costs}
    changed = [
        (kind, name)
        for kind, names in costs.items()
        for name in names
        if name not in stands[kind]
    ]
    changed.sort(key=lambda one: _lot(seed, *one))
    tried: dict[str, list[str]] = {kind: [] for kind in costs}
    left = budget
    for kind, name in changed:
        if costs[kind][name] <= left:
            left -= costs[kind][name]
            tried[kind].append(name)
    return Plan(
        changed={kind: sum(one == kind for one, _ in changed) for kind in costs},
        tried={kind: tuple(names) for kind, names in tried.items()},
        again={
            kind: tuple(recorded.tried_again(sorted(names), f"{seed} {kind}"))
            for kind, names in stands.items()
        },
    )


def _lot(seed: str, kind: str, name: str) -> str:
    """A sort key that puts trials into an order drawn by lot, with this seed."""
    return hashlib.sha256(f"{seed} {kind} {name}".encode()).hexdigest()


def costs_of_trials(
    before: Mapping[str, Any], names: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """What each trial costs in seconds, by its kind and name.

    `names` lists the theorems and, if they are to be walked, the small deals. Without
    OpenSpiel there are no opinions.
    """
    fates = recorded.recorded_fates(before)
    opinions = measure.opinion_names() if measure.openspiel_is_there() else ()
    costs = {
        "mutants": {
            name: _KILLED if fates.get(name) else _ALIVE
            for name in measure.rule_mutants()
        },
        "theorems": dict.fromkeys(names["theorems"], _THEOREM),
        "opinions": dict.fromkeys(opinions, _OPINION),
    }
    if "deals" in names:
        costs["deals"] = dict.fromkeys(names["deals"], _UNIT)
    return costs


def results_up_to_date(
    before: Mapping[str, Any],
    digests: Mapping[str, str],
    costs: Mapping[str, Mapping[str, float]],
) -> dict[str, list[str]]:
    """The names of the trials in `costs` whose results are up to date, by kind.

    `digests` maps the id of each line of the corpus to its digest.
    """
    table = measure.rule_mutants()
    changed = {*recorded.changed_lines(before, digests)}
    standing = {
        "mutants": [
            name
            for name, (line, *_) in recorded.fates_taken_over(
                before, table, digests
            ).items()
            if line or not changed  # a changed line may kill a survivor
        ]
    }
    for stage in costs.keys() - {"mutants"}:
        same = before["rests"].get(stage) == recorded.digest_of_work(stage)
        standing[stage] = [*costs[stage]] if same else []
    return standing


# Trying


def mutants_wrong(
    before: Mapping[str, Any],
    standing: Iterable[str],
    plan: Plan,
    journal: Journal,
    pool: Any,
) -> list[str]:
    """Try mutants, and return a sentence for each gap and for each false record.

    A gap is a mutant that survives without an argument. If a record is false, all
    mutants are tried. `standing` names the mutants whose records are up to date: the
    records of other mutants cannot be false.
    """
    names = [*plan.tried["mutants"], *plan.again["mutants"]]
    found = measure.try_mutants(before, names, {}, journal, pool)
    old = recorded.recorded_fates(before)
    again = {name: [old[name]] for name in plan.again["mutants"]}
    false = recorded.false_records(again, found, ())
    if false:
        print("a record is false: all mutants are tried", flush=True)
        rest = [name for name in measure.rule_mutants() if name not in found]
        found |= measure.try_mutants(before, rest, {}, journal, pool)
        known = {name: [old[name]] for name in standing}
        false = recorded.false_records(known, found, ())
    alive = [name for name, fate in found.items() if not fate[0]]
    place = argument_of_each(alive, survivor_arguments())
    gaps = [f"gap: {name}" for name in alive if place[name] < 0]
    return [*gaps, *false]


def theorems_wrong(plan: Plan, journal: Journal, pool: Any) -> list[str]:
    """Prove the theorems of the plan, and return a sentence on each broken one."""
    titles = [*plan.tried["theorems"], *plan.again["theorems"]]
    found = measure.prove_theorems(titles, journal, pool)
    return [
        f"broken: {title}: {one['broken']}"
        for title, one in found.items()
        if one["broken"]
    ]


def opinions_wrong(
    before: Mapping[str, Any], plan: Plan, journal: Journal, pool: Any
) -> list[str]:
    """A sentence for each clause whose omission OpenSpiel no longer reveals."""
    names = [*plan.tried["opinions"], *plan.again["opinions"]]
    found = measure.second_opinions(names, journal, pool)
    known = before["opinions"]
    return [
        f"no second opinion any more: {name}"
        for name, what in found.items()
        if not what and name.partition(":")[2] in known
    ]


def _seconds(typed: str) -> float:
    """The number of seconds typed; raises ArgumentTypeError unless it is 0 or more.

    It may be `inf`, which sets no limit.
    """
    try:
        seconds = float(typed)
    except ValueError:
        seconds = nan
    if not seconds >= 0:  # also for nan, with which nothing would be tried
        said = f"found {typed!r:.60}; allowed: a number of 0 or more"
        raise argparse.ArgumentTypeError(said)
    return seconds


def main(asked: Sequence[str] | None = None) -> int:
    """Check what has changed and some of the rest, and return the exit status.

    It is 1 if something is wrong, 2 if the workers failed, and 3 if a command-line
    argument or a file of reasons cannot be used.
    """
    parser = ToolArguments("refengine conform changed-evidence", description=__doc__)
    parser.add_argument("--budget", type=_seconds, default=BUDGET, metavar="SECONDS")
    parser.add_argument("--walk", type=Path, metavar="FILE", help="units to walk")
    add_worker_arguments(parser, jobs=2)
    given = parser.parse_args(asked)
    from refengine.errors import Malformed  # late: workers load this before the rules

    workers = (loading.become_mutant, (catalogue.UNCHANGED,))
    try:
        check_arguments()  # before any work, not after it
        with open_executor(given.jobs, given.scheduler, *workers) as pool:
            wrong = _what_is_wrong(given.budget, given.walk, pool)
    except (Malformed, ArgumentError) as fault:
        print(fault, file=sys.stderr)
        return 3
    except (LostWorkerError, OtherSourceError) as fault:
        print(fault, file=sys.stderr)
        return 2
    print("\n".join(wrong) if wrong else "all that was tried is as recorded")
    return 1 if wrong else 0


def _what_is_wrong(budget: float, walk: Path | None, pool: Any) -> list[str]:
    """Plan trials, print the plan, make the trials; a sentence for each thing wrong.

    The small deals to walk are listed in the file `walk`; without one, nobody is going
    to walk any. Raises Malformed if it cannot be written.
    """
    before = committed_document()
    kept = Journal(None, "")
    digests = measure.digests_of_lines(kept, pool)
    names = gather_results({"theorems": None}, measure.theorem_titles, kept, pool)
    if walk is not None:
        names |= gather_results({"deals": None}, measure.unit_names, kept, pool)
    costs = costs_of_trials(before, names)
    standing = results_up_to_date(before, digests, costs)
    if not measure.openspiel_is_there():
        print(measure.NO_OPENSPIEL, file=sys.stderr)
    plan = planned(costs, standing, recorded.seed_of_commit(), budget)
    print("\n".join(plan.lines()), flush=True)
    if walk is not None:
        _write_units([*plan.tried["deals"], *plan.again["deals"]], walk)
    return [
        *mutants_wrong(before, standing["mutants"], plan, kept, pool),
        *theorems_wrong(plan, kept, pool),
        # in a separate journal: second opinions and mutants share their ids
        *opinions_wrong(before, plan, Journal(None, ""), pool),
    ]


def _write_units(units: Iterable[str], path: Path) -> None:
    """Write the units of small deals to a file, one per line.

    Raises Malformed if the file cannot be written.
    """
    try:
        path.write_text("".join(f"{one}\n" for one in units), "utf-8")
    except OSError as error:
        from refengine.errors import unusable_file  # late, as in `main`

        raise unusable_file(error, "written", str(path)) from None


if __name__ == "__main__":
    # by its own name: a worker elsewhere cannot import what is in __main__
    from refengine_conformance.strength.changed_evidence import main as run

    sys.exit(run())
