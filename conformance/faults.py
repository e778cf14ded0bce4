"""Faults planted in the JavaScript example engine, to see whether a run finds them.

`python -m conformance.faults list` shows the table, and
`python -m conformance.faults adapter ID FOLDER` writes the adapter with one fault into
an empty folder, to be run as `refengine conform run -- node FOLDER/hearts_adapter.mjs`.
"""

from __future__ import annotations

import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import attrs

ADAPTERS: Final = Path(__file__).resolve().parent / "adapters"
ENGINE: Final = "hearts_engine.mjs"
ADAPTER: Final = "hearts_adapter.mjs"
TABLE: Final = ADAPTERS / "faults" / "hearts_engine.toml"


class NotPlantedError(Exception):
    """A fault does not fit the engine: its text is not there exactly once."""


@attrs.frozen
class PlantedFault:
    """One fault: `old` in the engine becomes `new`.

    A run must name one of `clauses`; `shape` is the kind of bug of public engines that
    it stands for, empty where it stands for none.
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


def planted(name: str) -> PlantedFault:
    """The fault of this id; raises LookupError if there is none."""
    for fault in planted_faults():
        if fault.id == name:
            return fault
    raise LookupError(f"no fault {name!r}")


def engine_with(fault: PlantedFault) -> str:
    """The text of the engine with this fault.

    Raises NotPlantedError unless the text of the fault is found exactly once.
    """
    engine = (ADAPTERS / ENGINE).read_text("utf-8")
    found = engine.count(fault.old)
    if found != 1:
        raise NotPlantedError(f"{fault.id}: its text is found {found} times")
    return engine.replace(fault.old, fault.new)


def faulty_adapter(fault: PlantedFault, folder: Path) -> Path:
    """The adapter to run, written with the faulty engine into this folder."""
    (folder / ENGINE).write_text(engine_with(fault), "utf-8")
    adapter = folder / ADAPTER
    adapter.write_text((ADAPTERS / ADAPTER).read_text("utf-8"), "utf-8")
    return adapter


def main(arguments: list[str]) -> int:
    """Show the table, or write one adapter; the exit code."""
    match arguments:
        case ["list"]:
            for fault in planted_faults():
                print(f"{fault.id:36} {' '.join(fault.clauses):22} {fault.text}")
        case ["adapter", name, folder]:
            print(faulty_adapter(planted(name), Path(folder)))
        case _:
            print((__doc__ or "").strip(), file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":  # pragma: no cover  # the door itself
    sys.exit(main(sys.argv[1:]))
