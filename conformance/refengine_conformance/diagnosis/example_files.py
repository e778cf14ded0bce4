"""Writes the smallest games of a run to files, without touching the user's own files.

Next to the games is a list of all files ever written there: each name with its SHA-256,
in the format of `sha256sum`. A file that is not on the list, or that somebody has
changed since, belongs to the user: it is neither removed nor replaced. Lines are only
added to the list, never removed, so that runs at the same time do not remove each
other's lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.whole_files import write_file
from refengine_conformance.runner.blame import noted_line
from refengine_conformance.runner.results import LOSS_QUESTIONS, LOST
from refengine_conformance.runner.runs import UNNAMED, Run

LIST: Final = ".written-by-refengine"
_NAMED: Final = "|".join((r"[0-9]+\.[0-9]+[a-z]?", UNNAMED))
_LOSSES: Final = "|".join(sorted(LOST))
_OVER: Final = "|".join(LOSS_QUESTIONS)
_OF_TABLE: Final = re.compile(r"table-[0-9]+").fullmatch
_GAME: Final = re.compile(rf"(?:{_NAMED}|(?:{_LOSSES})-(?:{_OVER}))\.jsonl")
"""The names that a run may give to its files: after a clause, or after a loss."""


def folder_of_table(folder: Path, place: int) -> Path:
    """The folder for the games of table number `place`, counted from 0.

    The first table uses `folder` itself, and each of the others a folder inside it.
    """
    return folder / f"table-{place + 1}" if place else folder


def check_folder(folder: Path) -> None:
    """Raise Malformed if one of the user's files is where a run may have to write.

    Such a file has a name that a run might give to a game, or it is in place of this
    folder, of a folder above it, or of the folder for a table.
    """
    of_tables = _folders_of_tables(folder)
    for part in (folder, *folder.parents, *of_tables):
        if part.exists() and not part.is_dir():
            raise Malformed(f"{part}, a file", "a folder", "--counterexamples")
    for part in (folder, *of_tables):
        listed = _listed(part)
        for path in _named_like_games(part):
            if not _is_own(path, listed):
                raise Malformed(
                    "a file of yours",
                    "another folder, or that file under another name: "
                    "a game of this run might have to take its place",
                    f"--counterexamples {path}",
                )


def _folders_of_tables(folder: Path) -> list[Path]:
    """The folders inside this one that hold games of the second and further tables."""
    return sorted(one for one in folder.glob("table-*") if _OF_TABLE(one.name))


def write_games(run: Run, folder: Path, is_first: bool = True) -> Run:
    """Write each group's smallest game to a file; return the run with the file names.

    A file is named after its clause, or after how the adapter was lost, and replaces
    one that an earlier run wrote. A run that tried every game, and none from the user's
    files, first removes the games of earlier runs; at the first table, it also removes
    those of all further tables, whose folders are inside this one. Files from which
    this run took its games stay as they are. If a file cannot be written, the run
    returned says so, and names the files written before it.
    """
    written, unwritten = {}, ""
    try:
        if not (run.partial or run.stopped or "--corpus" in run.source):
            _remove_games(folder)
            if is_first:
                for other in _folders_of_tables(folder):
                    _remove_games(other)
        for key, example in run.examples.items():
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / f"{key.replace(' ', '-')}.jsonl"
            if _is_source(path, run):
                continue
            if path.exists() and not _is_own(path, _listed(folder)):
                unwritten = f"{path}: not written by refengine"
                break
            content = f"{noted_line(example.line, key)}\n".encode()
            # In this order, a killed run leaves no file that looks like the user's.
            path.unlink(missing_ok=True)
            _add_to_list(folder, _entry(path.name, content))
            write_file(str(path), content)
            written[key] = attrs.evolve(example, file=str(path))
    except OSError as error:
        unwritten = f"{folder}: {error.strerror}"
    return attrs.evolve(run, examples={**run.examples, **written}, unwritten=unwritten)


def _is_source(path: Path, run: Run) -> bool:
    """Whether this file exists and the run took games from it."""
    if not path.exists():
        return False
    words = pairwise(run.source)
    sources = [Path(value) for flag, value in words if flag == "--corpus"]
    file = path.resolve()
    return any(file in map(Path.resolve, (one, *one.glob("*"))) for one in sources)


def _remove_games(folder: Path) -> None:
    """Remove the games that earlier runs wrote, unless they have been changed since."""
    listed = _listed(folder)
    for path in _named_like_games(folder):
        if _is_own(path, listed):
            path.unlink()


def _named_like_games(folder: Path) -> Iterator[Path]:
    """The entries of a folder with names of the kind that a run gives to its games."""
    if folder.is_dir():
        yield from sorted(one for one in folder.iterdir() if _GAME.fullmatch(one.name))


def _is_own(path: Path, listed: Container[str]) -> bool:
    """Whether a run has written this file and nobody has changed it since.

    `listed` holds the lines of the list in its folder.
    """
    return path.is_file() and _entry(path.name, path.read_bytes()) in listed


def _entry(name: str, content: bytes) -> str:
    """The line that the list contains for a file with this name and content."""
    return f"{hashlib.sha256(content).hexdigest()}  {name}"


def _listed(folder: Path) -> frozenset[str]:
    """The lines of a folder's list; none if the list is missing or cannot be read."""
    try:
        return frozenset((folder / LIST).read_text("utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def _add_to_list(folder: Path, entry: str) -> None:
    """Add an entry to the list in a folder, unless it is already there."""
    if entry not in _listed(folder):
        with (folder / LIST).open("a+b") as stream:
            stream.seek(max(0, stream.tell() - 1))
            is_cut = stream.read() not in (b"", b"\n")  # an unfinished last line
            before = "\n" if is_cut else ""
            stream.write(f"{before}{entry}\n".encode())
