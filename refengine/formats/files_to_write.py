"""The files that a run is to write, checked before the run begins."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from refengine.errors import Malformed, unusable_file

_OWN = "a file of its own"


def check_written(
    written: Iterable[tuple[str, str]], read: Iterable[str], command: Iterable[str]
) -> None:
    """Raise Malformed if the run cannot write one of these files, or must not write it.

    `written` pairs each flag with the file that it names, where `-` means standard
    output. No file that the run reads may be overwritten, and no two flags may name the
    same file. `read` holds the files that the run reads, and folders of such files. A
    word of the adapter's `command` that names a file, such as the adapter's source,
    also counts as a file that is read; a word that names a folder does not.
    """
    named = filter(os.path.isfile, command)
    inputs = {os.path.realpath(path) for one in read for path in _files(Path(one))}
    inputs |= {os.path.realpath(one) for one in named}
    taken: dict[str, str] = {}
    for flag, name in written:
        path, real, where = Path(name), os.path.realpath(name), f"{flag} {name}"
        if name == "-" or _is_device(path, where):
            continue  # writing to a pipe or a device overwrites nothing
        if path.is_dir():
            raise Malformed("cannot be written: it is a folder", "", where)
        if not path.parent.is_dir():
            why = f"cannot be written: there is no folder {path.parent}"
            raise Malformed(why, "", where)
        if real in inputs:
            raise Malformed("a file that this run reads", _OWN, where)
        if real in taken:
            found = f"a file that {taken[real]} names too"
            raise Malformed(found, _OWN, where)
        taken[real] = flag


def _is_device(path: Path, where: str) -> bool:
    """Whether a path leads to something other than a file or a folder, such as a pipe.

    Raises Malformed if the system does not say where the path leads, as when it is too
    long.
    """
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise unusable_file(error, "written", where) from None
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_new(name: str, flag: str) -> None:
    """Raise Malformed if a file that should be new exists and is not empty."""
    path = Path(name)
    if path.is_file() and path.stat().st_size:
        found = "a file that is there already"
        raise Malformed(found, "a new file", f"{flag} {name}")


def _files(path: Path) -> Iterator[Path]:
    """The file at `path` or, if it is a folder, the files in it that a run would read.

    Those are its `.jsonl` files and, if the folder is a corpus, its manifest.
    """
    if os.path.isdir(path):  # Path.is_dir may raise; reading the file then says why
        yield from path.glob("*.jsonl")
        if os.path.exists(path / "index.jsonl"):
            yield path / "manifest.json"
    else:
        yield path
