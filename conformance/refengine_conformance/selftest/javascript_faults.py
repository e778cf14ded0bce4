"""Faults planted in engines, and whether a run finds those of the example.

`refengine conform faults list` lists the faults of the example in JavaScript or, with
`--engine NAME`, of another engine. `refengine conform faults adapter ID FOLDER` writes
the engine with one fault to an empty folder, and prints the command that runs it.
`refengine conform faults table [ID…]` runs the corpus against each fault of the
example, and prints the clause that is named and the size of the smallest game that
shows the fault. The other engines play one ruleset each: `refengine conform engines`
runs them.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed, unusable_file
from refengine.formats.trace import read_trace
from refengine_conformance.diagnosis.bare_games import game_up_to_fault, largest_hand
from refengine_conformance.diagnosis.examples import Bounds, with_examples
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.runner.results import WRONG_OUTCOMES, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus
from refengine_conformance.selftest.engine_runs import (
    errors_in,
    heading_of,
    table_line,
)
from refengine_conformance.selftest.planted_faults import (
    EXAMPLE,
    Engine,
    NoFaultError,
    NoToolError,
    NotPlantedError,
    PlantedFault,
    engine_with_name,
    engines,
    fault_with_id,
    faults_of,
    write_engine,
    written_engine,
)


@attrs.frozen(kw_only=True)
class FaultRow:
    """What a run says about one fault; `clause` is empty if the fault was not found.

    `clause` is the heading of the group with the most wrong `answers`. It is an outcome
    instead of a clause if the engine was lost, or if the fault shows only in errors of
    the engine's own. `cause` is the mutant that explains the most answers. `players`,
    `cards` and `acts` give the size of the smallest game that shows the fault: its
    players, the cards of its largest hand, and the acts up to the fault; all are 0 if
    no game was sought. `tier` is the smallest tier that finds the fault.
    """

    fault: PlantedFault
    clause: str = ""
    cause: str = ""
    answers: int = 0
    players: int = 0
    cards: int = 0
    acts: int = 0
    tier: str = ""

    @property
    def right(self) -> bool:
        """Whether the clause is one of those that a run may name for the fault."""
        return self.clause in self.fault.accepted

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the row, in the order of HEADINGS."""
        chapter = self.fault.clauses[0].partition(".")[0]
        game = f"{self.players} x {self.cards}, {self.acts} acts"
        return (
            chapter,
            f"`{self.fault.id}`",
            self.fault.text,
            self.clause or "not found",
            f"`{self.cause}`" if self.cause else "",
            str(self.answers),
            game if self.players else "",
            self.tier,
        )


HEADINGS: Final = (
    "chapter",
    "fault",
    "what is wrong",
    "clause named",
    "as",
    "wrong answers",
    "smallest game",
    "tier",
)


def run_on_fault(fault: PlantedFault, bounds: Bounds | None = None) -> FaultRow:
    """Run the published corpus against a fault of the example; sum up the result."""
    with written_engine(engine_with_name(EXAMPLE), fault.id) as command:
        found = run(of_corpus(CORPUS, Choice()), Settings(command=command))
        if not found.groups:
            if not errors_in(found):
                return FaultRow(fault=fault)
            error, tier = str(Outcome.ERROR), _tier_of(found)
            return FaultRow(fault=fault, clause=error, tier=tier)
        group = max(found.groups, key=lambda one: one.faults)
        traces = {case.trace for case, _ in group.examples}
        cases = tuple(case for case in found.cases if case.trace in traces)
        small = with_examples(attrs.evolve(found, cases=cases), bounds=bounds)
    example = small.examples.get(group.key)
    line = example.line if example else found.lines[group.case.trace]
    shown = example.fault if example else group.fault
    game = game_up_to_fault(read_trace(line.encode()), shown)
    return FaultRow(
        fault=fault,
        clause=heading_of(group),
        cause=group.cause,
        answers=group.faults,
        players=game.ruleset.players,
        cards=largest_hand(game),
        acts=len(game.acts),
        tier=_tier_of(found),
    )


def _tier_of(found: Run) -> str:
    """The smallest tier in which the fault shows.

    It shows in a wrong answer, a lost conversation or an error of the engine's own.
    """
    smoke = {one.id for one in of_corpus(CORPUS, Choice(tier="smoke")).lines}
    amiss = WRONG_OUTCOMES | {Outcome.ERROR}
    wrong = {case.trace for case in found.cases if case.outcome in amiss}
    return "smoke" if smoke & wrong else "core"


def _print_table(names: Iterable[str]) -> bool:
    """Print a Markdown table of faults of the example: those named, or else all.

    It is printed row by row. Returns whether every row is right. Raises NoFaultError
    before anything is printed if the example has no fault with one of these names.
    """
    example = engine_with_name(EXAMPLE)
    faults = [fault_with_id(example, one) for one in names] or faults_of(example)
    right = True
    print(table_line(HEADINGS))
    print(table_line(["---"] * len(HEADINGS)), flush=True)
    for fault in faults:
        row = run_on_fault(fault)
        right = right and row.right
        print(table_line(row.cells), flush=True)
    return right


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out the command in these arguments, and return the exit code."""
    asked = _arguments().parse_args(arguments)
    try:
        return _run_command(asked.engine, asked)
    except (Malformed, NoFaultError, NoToolError, NotPlantedError) as error:
        print(error, file=sys.stderr)
        return 3


def _arguments() -> ToolArguments:
    """The parser of the arguments; `--engine` may come before or after the command."""
    engine = ToolArguments(add_help=False)
    engine.add_argument(
        "--engine", metavar="NAME", type=_engine, default=argparse.SUPPRESS
    )
    parser = ToolArguments(prog="refengine conform faults", description=__doc__)
    parser.add_argument("--engine", metavar="NAME", type=_engine, default=EXAMPLE)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", parents=[engine])
    adapter = commands.add_parser("adapter", parents=[engine])
    adapter.add_argument("fault", metavar="ID")
    adapter.add_argument("folder", metavar="FOLDER")
    commands.add_parser("table").add_argument("faults", metavar="ID", nargs="*")
    return parser


def _engine(name: str) -> Engine:
    """The engine with this name; raises ArgumentTypeError if there is none."""
    try:
        return engine_with_name(name)
    except LookupError as error:
        known = ", ".join(engine.name for engine in engines())
        said = f"{error.args[0]}; the engines are {known}"
        raise argparse.ArgumentTypeError(said) from None


def _run_command(engine: Engine, asked: argparse.Namespace) -> int:
    """List faults, write an engine or print the table, and return the exit code.

    Raises Malformed if the folder of the engine cannot be written or the table is asked
    of an engine that is not the example, NoFaultError for an unknown fault, and
    NoToolError or NotPlantedError as `write_engine` does.
    """
    if asked.command == "adapter":
        return _write_adapter(engine, asked.fault, asked.folder)
    if asked.command == "list":
        for fault in faults_of(engine):
            print(f"{fault.id:36} {' '.join(fault.clauses):22} {fault.text}")
        return 0
    if engine.name != EXAMPLE:
        raise Malformed(engine.name, f"{EXAMPLE} only, for the table", "--engine")
    return 0 if _print_table(asked.faults) else 1


def _write_adapter(engine: Engine, fault_id: str, folder: str) -> int:
    """Write an engine with a fault, and print its command; return the exit code.

    Raises as `_run_command` does.
    """
    fault = fault_with_id(engine, fault_id)
    place = Path(folder)
    try:
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            why = "is not an empty folder; name a new one"
            print(f"{folder} {why}", file=sys.stderr)
            return 3
        command = write_engine(engine, place, fault)
    except shutil.Error:  # of several files at once
        why = "cannot be written: the engine's files cannot be copied there"
        raise Malformed(why, "", folder) from None
    except OSError as error:
        raise unusable_file(error, "written", folder) from None
    print(shlex.join(command))
    return 0


if __name__ == "__main__":
    sys.exit(main())
