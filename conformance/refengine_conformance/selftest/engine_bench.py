"""Run a bench of engines, as people write them, without faults and with one at a time.

`refengine conform engines` runs each engine on the games of the table that it declares,
first without any fault (clean) and then with each of its faults, and prints the clauses
that the run names. `refengine conform engines NAME…` takes only these engines,
`--faults ID,ID` only these faults, and `--draw TEXT` one fault of each engine, chosen
by the text.

The exit code is 0 if nothing is wrong with any clean engine, every fault is found, at
least nine in ten clauses of the tables are asked about, and at least 95 faults in a
hundred are headed by their own clause: the run names that clause first, and at most one
other. Otherwise the exit code is 1. Faults that are drawn need only be found.

Then `identify` has to find out what each clean engine and the two examples play and,
with `--masked N`, what N engines with random rulesets play; the exit code is also 1 if
any of them is not identified. `--jobs N` runs N engines at a time; `--markdown` prints
only the table for the README, and leaves out `identify`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs

from refengine.jobs.executors import LostWorkerError, OtherSourceError
from refengine_conformance.jobs.parallel import results_of
from refengine_conformance.jobs.tool_arguments import (
    ToolArguments,
    not_negative,
    positive,
)
from refengine_conformance.runner.declared import tables_in_hello
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.table import Table
from refengine_conformance.selftest.engine_runs import (
    errors_in,
    games_of,
    headings_of,
    headings_text,
    is_headed,
    run_of_games,
    table_line,
)
from refengine_conformance.selftest.identified_engines import identified_rows
from refengine_conformance.selftest.planted_faults import (
    Engine,
    NoToolError,
    NotPlantedError,
    engine_with_name,
    engines,
    fault_with_id,
    faults_of,
    written_engine,
)
from refengine_conformance.tables.flags import SEED

RIGHT_SHARE: Final = 0.95
ASKED_SHARE: Final = 0.9


@attrs.frozen(kw_only=True)
class BenchRow:
    """What a run says about one engine, with one of its faults or without any.

    `fault` is empty if there is no fault. `headings` are the clauses named in the
    report, in order, with the outcome in place of a clause for lost conversations;
    `answers` gives the number of wrong answers under each heading, and `errors` the
    number of games that the adapter ended with an error of its own. `accepted` are the
    clauses that may come first for the fault. `amiss` says what was wrong with the run
    as a whole, such as why it stopped. `bugs` are errors of the suite itself, not of
    the engine. `asked` and `askable` count clauses of the table.
    """

    engine: str
    fault: str = ""
    accepted: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()
    errors: int = 0
    amiss: tuple[str, ...] = ()
    bugs: tuple[str, ...] = ()
    asked: int = 0
    askable: int = 0

    @property
    def found(self) -> bool:
        """Whether the report has a heading, or a game ended in an adapter error."""
        return bool(self.headings or self.errors)

    @property
    def headed(self) -> bool:
        """Whether an accepted clause is named first, and at most one other after it."""
        return is_headed(self.headings, self.accepted)

    @property
    def right(self) -> bool:
        """Whether the run is as it should be.

        An engine with a fault must have an accepted clause as its first heading, and at
        most one other; with an engine without a fault, nothing may be wrong. The suite
        itself must not have failed.
        """
        if self.bugs:
            return False
        return self.headed if self.fault else not (self.found or self.amiss)


def declared_table(engine: Engine) -> Table:
    """The one table that an engine declares in `hello`."""
    with written_engine(engine) as command:
        (table,) = tables_in_hello(command, Limits())
    return table


@attrs.frozen
class BenchTask:
    """What to run: an engine, with the fault of this id or with none, at a table."""

    engine: str
    fault: str
    table: Table


def row_of(task: BenchTask) -> BenchRow:
    """Run an engine on the games of a table, and sum up what the run says."""
    engine, fault = engine_with_name(task.engine), task.fault
    with written_engine(engine, fault) as command:
        run = run_of_games(task.table, Settings(command=command))
    accepted = fault_with_id(engine, fault).accepted if fault else ()
    figures = run.at_table
    assert figures is not None
    return BenchRow(
        engine=engine.name,
        fault=fault,
        accepted=tuple(sorted(accepted)),
        headings=headings_of(run),
        answers=tuple(group.faults for group in run.groups),
        errors=errors_in(run),
        amiss=tuple(filter(None, (run.stopped, *run.faults))),
        bugs=run.bugs,
        asked=len(figures.asked),
        askable=len(figures.askable),
    )


def drawn_fault(engine: Engine, text: str) -> str:
    """The id of one fault of the engine, always the same for the same text."""

    def digest(name: str) -> str:
        return hashlib.sha256(f"{text} {engine.name} {name}".encode()).hexdigest()

    return min((fault.id for fault in faults_of(engine)), key=digest)


def rows_of(
    chosen: Sequence[Engine],
    faults: Iterable[str] = (),
    jobs: int = 1,
    draw: str = "",
) -> Iterator[BenchRow]:
    """Run each of these engines first without a fault and then with each of its faults.

    If `faults` are given, only these are planted; if `draw` is given, only the fault of
    each engine that this text draws. If both are given, all of these are planted.
    """
    wanted = {*faults}
    tasks = []
    for engine in chosen:
        table = declared_table(engine)
        # searched for here, so that workers find them in the cache
        games_of(table, SEED)
        planted = _to_plant(engine, wanted, draw)
        tasks += [BenchTask(engine.name, name, table) for name in ("", *planted)]
    return results_of(tasks, row_of, jobs)


def _to_plant(engine: Engine, wanted: set[str], draw: str) -> list[str]:
    """The ids of the faults that are wanted or drawn, or of all if neither is given."""
    names = [fault.id for fault in faults_of(engine)]
    if not wanted and not draw:
        return names
    drawn = drawn_fault(engine, draw) if draw else ""
    return [name for name in names if name in wanted or name == drawn]


def table_lines(rows: Sequence[BenchRow]) -> Iterator[str]:
    """The results as a table in Markdown, one row per engine."""
    yield "| engine | clauses asked | clean | faults | found | headed by their clause |"
    yield "|---|---|---|---|---|---|"
    for engine in engines():
        own = [row for row in rows if row.engine == engine.name]
        if not own:
            continue
        clean = next(row for row in own if not row.fault)
        faulty = [row for row in own if row.fault]
        cells = (
            engine.title,
            f"{clean.asked} of {clean.askable}",
            "green" if clean.right else "red",
            str(len(faulty)),
            str(sum(row.found for row in faulty)),
            str(sum(row.headed for row in faulty)),
        )
        yield table_line(cells)


def troubles(rows: Sequence[BenchRow], drawn: bool = False) -> list[str]:
    """A sentence for each result of the bench that is not as it should be.

    The share of faults headed by their own clause is not judged if the faults were
    `drawn`, since these are too few.
    """
    faulty = [row for row in rows if row.fault]
    clean = [row for row in rows if not row.fault]
    found = [
        f"{row.engine} {row.fault or '(clean)'}: an internal error: {bug}"
        for row in rows
        for bug in row.bugs[:1]
    ]
    found += [
        f"{row.engine} is clean, and red at "
        f"{', '.join((*row.headings, *row.amiss)) or 'its own errors'}"
        for row in clean
        if row.found or row.amiss
    ]
    asked = sum(row.asked for row in clean)
    askable = sum(row.askable for row in clean)
    if asked < ASKED_SHARE * askable:
        found.append(f"{asked} of {askable} clauses asked")
    found += [f"{row.engine} {row.fault}: not found" for row in faulty if not row.found]
    right = sum(row.headed for row in faulty)
    if not drawn and right < RIGHT_SHARE * len(faulty):
        found.append(f"{right} of {len(faulty)} faults are headed by their own clause")
    return found


def _shown(row: BenchRow) -> str:
    mark = "ok " if row.right else "BAD"
    named = headings_text(row.headings, row.answers)
    errors = f" errors {row.errors}" if row.errors else ""
    name = f"{row.engine} {row.fault or '(clean)'}"
    return f"{mark} {name:58} {' '.join(row.accepted):14} {named}{errors}"


def _not_identified(chosen: Sequence[Engine], masked: int, jobs: int) -> list[str]:
    """Print what `identify` says about these engines, the examples and masked ones.

    Returns a sentence for each engine that is not identified.
    """
    bad = []
    for row in identified_rows(chosen, masked, jobs):
        print(row, flush=True)
        if not row.right:
            bad.append(f"{row.engine} is not identified: it plays {row.own}")
    return bad


def _engines_with_tables(names: Sequence[str]) -> list[Engine]:
    """The engines with these names, or all that declare a table.

    An engine named twice counts once. Raises LookupError for an unknown name, and for
    an engine that declares no table.
    """
    if not names:
        return [engine for engine in engines() if engine.declares_table]
    chosen = [engine_with_name(name) for name in dict.fromkeys(names)]
    for engine in chosen:
        if not engine.declares_table:
            raise LookupError(f"{engine.name} declares no table")
    return chosen


def _fault_ids(text: str, chosen: Sequence[Engine]) -> set[str]:
    """The ids in `--faults`; raises LookupError for one that no chosen engine has."""
    ids = {*filter(None, text.split(","))}
    known = {fault.id for engine in chosen for fault in faults_of(engine)}
    if unknown := ", ".join(sorted(ids - known)):
        raise LookupError(f"no fault {unknown}")
    return ids


def _bench(
    chosen: Sequence[Engine], faults: Iterable[str], given: argparse.Namespace
) -> list[str]:
    """Run the bench and, unless only the table is wanted, `identify`; print results.

    Returns a sentence for each result that is not as it should be; each is also printed
    on standard error.
    """
    rows = []
    for row in rows_of(chosen, faults, given.jobs, given.draw):
        rows.append(row)
        if not given.markdown:
            print(_shown(row), flush=True)
    for line in table_lines(rows):
        print(line)
    bad = troubles(rows, drawn=bool(given.draw))
    for sentence in bad:
        print(sentence, file=sys.stderr, flush=True)
    if given.markdown:
        return bad
    unknown = _not_identified(chosen, given.masked, given.jobs)
    for sentence in unknown:
        print(sentence, file=sys.stderr)
    return [*bad, *unknown]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench, and return the exit code.

    It is 1 if a result is not as it should be; 2 if a worker was lost or has a
    different source, or if an engine does not start; and 3 for an unknown name, a
    missing tool, or a fault that does not fit its engine.
    """
    parser = ToolArguments("refengine conform engines", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--faults", default="")
    parser.add_argument("--draw", default="", metavar="TEXT")
    parser.add_argument("--jobs", type=positive, default=1)
    parser.add_argument("--masked", type=not_negative, default=0)
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args(arguments)
    try:
        chosen = _engines_with_tables(given.names)
        faults = _fault_ids(given.faults, chosen)
    except LookupError as error:
        print(error, file=sys.stderr)
        return 3
    try:
        bad = _bench(chosen, faults, given)
    except (NoToolError, NotPlantedError) as error:
        print(error, file=sys.stderr)
        return 3
    except (LostWorkerError, OtherSourceError, CannotRunError) as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
