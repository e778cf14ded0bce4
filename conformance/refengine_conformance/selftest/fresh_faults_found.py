"""Run the suite against faults that were devised from the law book alone.

`refengine conform fresh-faults [ID…]` plants each fault of `fresh-faults.toml` in the
reference and runs the published corpus against it, as if it were an outside engine.
With `--meeting` it plants the faults of `meeting-faults.toml` and runs the games of
each fault's own table. For each fault it prints whether the fault is caught, by which
game, and which clauses head the report. `--write` records this, fault by fault, in
`fresh-faults-found.json` or `meeting-faults-found.json`, and leaves the records of
faults that were not chosen as they are. A fault is headed by its own clause if that
clause, or another that the list accepts for it, comes first and at most one other
follows. The exit code is 0 if at least 48 faults are caught and at least 45 are headed
by their own clause, and 1 if not; each fault not chosen lowers both numbers by one.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from refengine.errors import Malformed
from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from refengine.lawbook.book import SPEC
from refengine_conformance.jobs.journals import (
    add_job_arguments,
    gather_results,
    open_journal,
    scope_digest,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants.fresh_faults import (
    FRESH,
    MEETING,
    FaultList,
    FreshFault,
    fresh_faults,
)
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from refengine_conformance.selftest.engine_runs import (
    errors_in,
    headings_of,
    headings_text,
    is_headed,
    run_of_games,
)
from refengine_conformance.tables.flags import TABLE_FLAGS
from refengine_conformance.tables.typed_table import TableFlags

CAUGHT: Final = 48
HEADED: Final = 45
_LIMITS: Final = Limits(op=60.0, batch=300.0, hello=120.0, bye=60.0)  # a busy machine

Fate = dict[str, Any]


def fate_of(name: str, choice: Choice | None = None) -> Fate:
    """Run the published corpus against the fault with this id, and sum up the result.

    `caught` says whether anything was wrong. `headings` are the clauses in the order of
    the report, or outcomes for lost conversations; `lines` counts the lines under each.
    `game` is the smallest example under the first heading, with the `step` and the
    `question` at which the fault shows there. `stopped`, if present, says what cut the
    run short or else what went wrong in the suite itself.
    """
    settings = _settings(FRESH, name)
    return fate_of_run(run(of_corpus(CORPUS, choice or Choice()), settings))


def fate_at_table(name: str) -> Fate:
    """Run the meeting fault with this id on the games of its own table.

    The result is as for `fate_of`. Meeting faults are those of `meeting-faults.toml`.
    """
    (fault,) = (one for one in fresh_faults(MEETING) if one.id == name)
    flags = flags_of(fault)
    settings = _settings(MEETING, name)
    return fate_of_run(run_of_games(flags.table(), settings, flags.seed))


def flags_of(fault: FreshFault) -> TableFlags:
    """The flags that describe the fault's own table, read like a command line."""
    parser = ToolArguments(fault.id)
    for one in TABLE_FLAGS:
        parser.add_argument(f"--{one.name}", dest=one.field, **one.reading())
    return TableFlags(**vars(parser.parse_args(shlex.split(fault.table))))


def _settings(fault_list: FaultList, name: str) -> Settings:
    """The settings for a run of the reference with this fault planted in it."""
    command = (f"builtin:mutant:{fault_list.prefix}{name}",)
    return Settings(command=command, limits=_LIMITS)


def fate_of_run(found: Run) -> Fate:
    """What a run found out about the fault in its engine, in the form of `fate_of`."""
    groups = found.groups
    fate: Fate = {
        "caught": bool(groups or errors_in(found)),
        "headings": [*headings_of(found)],
        "lines": [len(one.lines) for one in groups],
    }
    if groups:
        first = groups[0]
        fate["game"] = first.case.trace
        fate["step"] = first.fault.step
        fate["question"] = first.fault.question
    if found.stopped or found.bugs:
        fate["stopped"] = found.stopped or found.bugs[0]
    return fate


def headed(fault: FreshFault, fate: Mapping[str, Any]) -> bool:
    """Whether the report has at most two headings, the first of which is accepted."""
    return is_headed(fate["headings"], fault.accepted)


def recorded(fault_list: FaultList = FRESH) -> dict[str, Fate]:
    """What was recorded about the faults of a list, by the id of the fault."""
    fates: dict[str, Fate] = json.loads(fault_list.found.read_text("utf-8"))["faults"]
    return fates


def _lines(faults: Iterable[FreshFault], fates: Mapping[str, Fate]) -> Iterator[str]:
    """Yield a line to print about each of these faults and what was found."""
    for fault in faults:
        fate = fates[fault.id]
        mark = "ok " if headed(fault, fate) else "---"
        said = "not caught"
        if fate["headings"]:
            named = headings_text(fate["headings"], fate["lines"])
            said = f"{named}; {fate['game']} step {fate['step']}"
        elif fate["caught"]:
            said = "only errors of the engine's own"
        if "stopped" in fate:
            said += f"; stopped: {fate['stopped']}"
        own = " ".join(fault.accepted)
        yield f"{mark} {fault.id:52} {own:12} {said}"


def _write(fault_list: FaultList, fates: Mapping[str, Fate]) -> None:
    """Record what was found about faults, and keep what is recorded about others.

    `headed` is worked out again for all faults; faults no longer listed are dropped.
    """
    old = recorded(fault_list) if fault_list.found.is_file() else {}
    both = {**old, **fates}
    kept = {
        one.id: {**both[one.id], "headed": headed(one, both[one.id])}
        for one in fresh_faults(fault_list)
        if one.id in both
    }
    rows = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(fate)}" for name, fate in kept.items()
    )
    flags = "--meeting --write" if fault_list is MEETING else "--write"
    fault_list.found.write_text(
        f'{{"command": "refengine conform fresh-faults {flags}", "faults": {{\n'
        f"{rows}\n}}}}\n",
        "utf-8",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant the faults, print what is found, and return the exit code."""
    parser = ToolArguments("refengine conform fresh-faults", description=__doc__)
    parser.add_argument("ids", nargs="*", metavar="ID")
    parser.add_argument(
        "--meeting", action="store_true", help="the faults where two rules meet"
    )
    parser.add_argument("--write", action="store_true", help="keep what is found")
    add_job_arguments(parser)
    asked = parser.parse_args(arguments)
    fault_list = MEETING if asked.meeting else FRESH
    listed = fresh_faults(fault_list)
    unknown = {*asked.ids} - {one.id for one in listed}
    if unknown:
        print(f"not in the list: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 3
    chosen = [one for one in listed if not asked.ids or one.id in asked.ids]
    try:
        fates = _fates(fault_list, chosen, asked)
    except (Malformed, LostWorkerError, OtherSourceError) as error:
        print(error, file=sys.stderr)
        return 3 if isinstance(error, Malformed) else 2
    print("\n".join(_lines(chosen, fates)))
    caught = sum(fate["caught"] for fate in fates.values())
    right = sum(headed(one, fates[one.id]) for one in chosen)
    print(f"{len(chosen)} faults, {caught} caught, {right} headed by their own clause")
    unasked = len(listed) - len(chosen)
    return 0 if caught >= CAUGHT - unasked and right >= HEADED - unasked else 1


def _fates(
    fault_list: FaultList, chosen: Iterable[FreshFault], asked: argparse.Namespace
) -> dict[str, Fate]:
    """Run against each fault, and return what is found, by the id of the fault.

    With `--write`, this is recorded as soon as it is known.
    """
    rests_on = (
        fault_list.planted,
        fault_list.listed,
        CORPUS / "manifest.json",
        *sorted((SPEC / "profiles").glob("*.toml")),
    )
    scope = scope_digest(fault_list.name, *[path.read_bytes() for path in rests_on])
    with (
        open_journal(asked.resume, fault_list.name, scope) as journal,
        open_executor(asked.jobs, asked.scheduler) as pool,
    ):
        items = {one.id: one.id for one in chosen}

        def keep(done: int) -> None:
            """With `--write`, record what is known so far about the chosen faults."""
            if asked.write and done:
                known = journal.done
                _write(fault_list, {one: known[one] for one in items if one in known})

        work = fate_at_table if fault_list is MEETING else fate_of
        return gather_results(items, work, journal, pool, keep)


if __name__ == "__main__":
    # by its own name: a worker cannot import what is in __main__
    from refengine_conformance.selftest.fresh_faults_found import main as begin

    sys.exit(begin())
