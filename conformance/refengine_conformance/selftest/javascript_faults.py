"""Faults planted in the JavaScript example engine, to see whether a run finds them.

`refengine conform faults list` lists them,
`refengine conform faults adapter ID FOLDER` writes the adapter with one fault into
an empty folder, to be run as `refengine conform run -- node FOLDER/hearts_adapter.mjs`,
and `refengine conform faults table [ID…]` runs the corpus against each and says
which clause is named and by what game.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from refengine.formats.trace import read_trace
from refengine.lawbook.book import clauses
from refengine_conformance.data import data
from refengine_conformance.diagnosis.bare_games import game_up_to_fault, largest_hand
from refengine_conformance.diagnosis.examples import Bounds, with_examples
from refengine_conformance.runner.results import Group, Outcome, Run
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import CORPUS, Choice, of_corpus

ADAPTERS: Final = data("adapters")
ENGINE: Final = "hearts_engine.mjs"
ADAPTER: Final = "hearts_adapter.mjs"
TABLE: Final = ADAPTERS / "faults" / "hearts_engine.toml"


class NotPlantedError(Exception):
    """A fault does not fit the engine: its text does not occur exactly once."""


@attrs.frozen
class PlantedFault:
    """One fault: `old` in the engine becomes `new`.

    It offends the first of `clauses`, and no answer can tell it from the others;
    `shape` is the kind of bug in public engines that it stands for, empty if there is
    none.
    """

    id: str
    text: str
    clauses: tuple[str, ...]
    old: str
    new: str
    shape: str = ""

    @property
    def chapters(self) -> frozenset[str]:
        """The chapters of the clauses."""
        return frozenset(clause.partition(".")[0] for clause in self.clauses)

    @property
    def accepted(self) -> frozenset[str]:
        """The clauses, one of which a run must name.

        A definition shows only in what it bears on.
        """
        found = set(self.clauses)
        for number in self.clauses:
            entry = clauses()[number]
            if entry.kind == "define":
                found |= {*entry.bites}
        return frozenset(found)


@cache
def planted_faults() -> tuple[PlantedFault, ...]:
    """All faults, in the order of the book."""
    entries = tomllib.loads(TABLE.read_text("utf-8"))
    return tuple(
        PlantedFault(
            id=name,
            text=entry["text"],
            clauses=tuple(entry["clauses"]),
            old=entry["old"],
            new=entry["new"],
            shape=entry.get("shape", ""),
        )
        for name, entry in entries.items()
    )


def planted_fault_with_id(name: str) -> PlantedFault:
    """The fault with this id; raises LookupError if there is none."""
    for fault in planted_faults():
        if fault.id == name:
            return fault
    raise LookupError(f"no fault {name!r}")


def engine_source_with(fault: PlantedFault) -> str:
    """The text of the engine with this fault.

    Raises NotPlantedError unless the text of the fault is found exactly once.
    """
    engine = (ADAPTERS / ENGINE).read_text("utf-8")
    found = engine.count(fault.old)
    if found != 1:
        raise NotPlantedError(f"{fault.id}: its text is found {found} times")
    return engine.replace(fault.old, fault.new)


def write_faulty_adapter(fault: PlantedFault, folder: Path) -> Path:
    """The adapter to run, written to this folder along with the faulty engine."""
    (folder / ENGINE).write_text(engine_source_with(fault), "utf-8")
    adapter = folder / ADAPTER
    text = (ADAPTERS / ADAPTER).read_text("utf-8")
    corpus = CORPUS.resolve().as_uri()  # the base values are not beside that folder
    adapter.write_text(text.replace('"../corpus/', f'"{corpus}/'), "utf-8")
    return adapter


@attrs.frozen(kw_only=True)
class FaultRow:
    """What a run says about one fault; `clause` is empty if it was not found.

    `clause` heads the group with the most wrong `answers`, `cause` is the mutant of
    ours that answers as the engine does. `players`, `cards` and `acts` are of the
    smallest game that shows it: cards in the largest hand, acts up to where it shows.
    `tier` is the smallest tier that finds it.
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
        """Whether the clause is the one that the fault offends."""
        return self.clause in self.fault.accepted

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        chapter = self.fault.clauses[0].partition(".")[0]
        game = f"{self.players} x {self.cards}, {self.acts} acts"
        return (
            chapter,
            f"`{self.fault.id}`",
            self.fault.text,
            self.clause or "not found",
            f"`{self.cause}`" if self.cause else "",
            str(self.answers),
            game if self.clause else "",
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


def run_on_fault(
    fault: PlantedFault, folder: Path, bounds: Bounds | None = None, node: str = "node"
) -> FaultRow:
    """What a run of the published corpus says about a fault.

    The adapter is written to `folder` and run by `node`; without that program the row
    says that nothing was found.
    """
    command = (node, str(write_faulty_adapter(fault, folder)))
    found = run(of_corpus(CORPUS, Choice()), Settings(command=command))
    if not found.groups:
        return FaultRow(fault=fault)
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
        clause=group.clause,
        cause=_cause_of(found, group),
        answers=group.faults,
        players=game.ruleset.players,
        cards=largest_hand(game),
        acts=len(game.acts),
        tier=_tier_of(found),
    )


def _cause_of(found: Run, group: Group) -> str:
    """The mutant that explains most of the lines assigned to this clause."""
    mutants = Counter(
        cause.mutant for cause in found.causes.values() if cause.clause == group.clause
    )
    return mutants.most_common(1)[0][0] if mutants else ""


def _tier_of(found: Run) -> str:
    smoke = {one.id for one in of_corpus(CORPUS, Choice(tier="smoke")).lines}
    wrong = {case.trace for case in found.cases if case.outcome is Outcome.FAIL}
    return "smoke" if smoke & wrong else "core"


def table_lines(rows: Iterable[FaultRow]) -> Iterator[str]:
    """The rows as a table in Markdown, line by line."""
    yield _line(HEADINGS)
    yield _line(["---"] * len(HEADINGS))
    for row in rows:
        yield _line(row.cells)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rows(names: Iterable[str]) -> Iterator[FaultRow]:
    for fault in [planted_fault_with_id(name) for name in names] or planted_faults():
        with TemporaryDirectory() as folder:
            yield run_on_fault(fault, Path(folder))


def main(arguments: list[str]) -> int:
    """List the faults, write one adapter or show what is found; the exit code."""
    match arguments:
        case ["list"]:
            for fault in planted_faults():
                print(f"{fault.id:36} {' '.join(fault.clauses):22} {fault.text}")
        case ["adapter", name, folder]:
            print(write_faulty_adapter(planted_fault_with_id(name), Path(folder)))
        case ["table", *names]:
            rows: list[FaultRow] = []
            for line in table_lines(_kept(_rows(names), rows)):
                print(line, flush=True)
            return 0 if all(row.right for row in rows) else 1
        case _:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 3
    return 0


def _kept(rows: Iterable[FaultRow], kept: list[FaultRow]) -> Iterator[FaultRow]:
    for row in rows:
        kept.append(row)
        yield row


def _main() -> int:
    """Run the command; end quietly if the reader has seen enough."""
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


if __name__ == "__main__":
    sys.exit(_main())
