"""Keeps the results of long work in a file, so that a later run can continue it.

Long work (exhaustion, mutants, the whole corpus) is divided into items whose ids stay
the same from run to run. `gather_results` gives each item to an executor, and adds each
result to a `Journal`. A run that is ended, even by `kill -9`, loses only the items in
progress; the next run with the same journal continues from there.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from refengine.jobs.executors import (
    LostWorkerError,
    cancel,
    checked,
    malformed,
    result_of,
    source_digest,
    submitted,
)
from refengine_conformance.jobs.tool_arguments import positive

T = TypeVar("T")

_FORMAT: Final = 1
_BEGINNING: Final = b'{"journal"'
_HANDED_OUT: Final = 256  # the most items in progress or waiting for a worker
_GOES_ON: Final = (
    "what is done stands in the journal, "
    "and a run with the same --resume FILE goes on from there"
)


class Journal:
    """Results by key, one to a line in a file that is only added to, or in memory.

    A line that a killed run left unfinished is removed, and its work is done again. The
    file belongs to one run at a time, and to one `scope`: a digest of the work
    requested and of everything that the results depend on (`scope_digest`).

    Raises Malformed if the file cannot be opened or written, is not a journal, has a
    different scope, or is in use by another run.
    """

    def __init__(self, path: Path | None, scope: str) -> None:
        self.done: dict[str, Any] = {}
        self._path = path
        self._file: Any = None
        if path is not None:
            try:
                self._open(path, {"journal": _FORMAT, "scope": scope})
            except OSError as error:
                raise self._unwritable(error) from None
            except BaseException:
                self.close()
                raise

    def _open(self, path: Path, head: Mapping[str, Any]) -> None:
        """Lock the file, read its results, and write the head if there is none yet."""
        self._file = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found = "a journal that another run is using"
            raise malformed(found, "one run at a time", str(path)) from None
        self._file.seek(0)
        content = self._file.read()
        whole_lines = content[: content.rfind(b"\n") + 1]
        self.done = _results_in(whole_lines, head, path)
        if not whole_lines and not _BEGINNING.startswith(content[: len(_BEGINNING)]):
            raise malformed("not a journal", "a journal, or a new file", str(path))
        if whole_lines != content:
            self._file.truncate(len(whole_lines))
        if not whole_lines:
            self._append(json.dumps(head))

    @property
    def in_file(self) -> bool:
        """Whether the results are in a file, from which a later run can go on."""
        return self._file is not None

    def add(self, key: str, result: Any) -> Any:
        """Record a result, and return it as a later run would read it.

        If the journal has a file, the result is on the disk before this returns.

        Raises ValueError if the key already has a result. If the file cannot be
        written, it is closed, and Malformed is raised.
        """
        if key in self.done:
            raise ValueError(f"{key} is already done")
        text = json.dumps({"key": key, "result": result})
        if self._file is not None:
            try:
                self._append(text)
            except OSError as error:
                raise self._unwritable(error) from None
        self.done[key] = json.loads(text)["result"]
        return self.done[key]

    def _append(self, text: str) -> None:
        """Write a line to the file, and wait until it is on the disk."""
        self._file.write(text.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _unwritable(self, error: OSError) -> Exception:
        """Close the file, and return an error saying that it could not be written."""
        # late: a worker loads the rules itself
        from refengine.errors import unusable_file

        with suppress(OSError):  # closing tries to write the rest again
            self.close()
        return unusable_file(error, "written", str(self._path))

    def close(self) -> None:
        """Close the file, if there is one, so that another run can use it."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_journal(place: Path | None, what: str, scope: str) -> Journal:
    """Open the journal in this file; without a file, results are kept in memory.

    If `place` is a folder, the file is in it, named after `what` and the scope. Raises
    Malformed as `Journal` does.
    """
    if place is not None and place.is_dir():
        place = place / f"{what}-{scope}.jsonl"
    return Journal(place, scope)


def _results_in(lines: bytes, head: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The results in the lines of a journal, by key.

    The first line must be the head; if there are no lines, there are no results. Raises
    Malformed if the lines are not a journal, have a different head, or repeat a key.
    """
    try:
        read = [json.loads(line) for line in lines.splitlines()]
        results = {line["key"]: line["result"] for line in read[1:]}
    except (ValueError, KeyError, TypeError, RecursionError):
        found = "lines that do not belong to a journal"
        raise malformed(found, "a journal", str(path)) from None
    if read and read[0] != head:
        found = "a journal of other work, or of another state of the engine"
        raise malformed(found, "the journal of this run", str(path))
    if len(results) != len(read[1:]):
        raise malformed("a key twice", "each key once", str(path))
    return results


def scope_digest(*parts: object) -> str:
    """The scope of a journal: a digest of the source and of the reprs of `parts`."""
    text = "\n".join([source_digest(), *map(repr, parts)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# The work


def gather_results(
    items: Mapping[str, T],
    work: Callable[[T], Any],
    journal: Journal,
    executor: Executor | None = None,
    advance: Callable[[int], None] = lambda done: None,
) -> dict[str, Any]:
    """Do the work on all items; return the results by id, in the order of the items.

    `work` takes an item and returns plain JSON values. If the executor uses other
    processes, `work` and the items must be picklable. Items that are already in the
    journal are not done again. Without an executor, the work is done in this process,
    item by item. `advance` is called with the number of items done, including those of
    earlier runs.

    Raises whatever `work` raises, LostWorkerError if workers ended too early,
    OtherSourceError if a worker has another version of the source, and Malformed if the
    journal cannot be written.
    """
    left = [key for key in items if key not in journal.done]
    done = len(items) - len(left)
    advance(done)
    if executor is None:
        for key in left:
            journal.add(key, work(items[key]))
            done += 1
            advance(done)
        return {key: journal.done[key] for key in items}
    guarded = checked(work)
    running: dict[Future[Any], str] = {}
    waiting = iter(left)
    try:
        while True:
            for key in islice(waiting, _HANDED_OUT - len(running)):
                running[submitted(executor, guarded, items[key])] = key
            if not running:
                return {key: journal.done[key] for key in items}
            ended = wait(running, return_when=FIRST_COMPLETED).done
            # what was done is recorded before a failure ends the run
            for future in sorted(ended, key=lambda one: one.exception() is not None):
                journal.add(running.pop(future), result_of(future))
                done += 1
                advance(done)
    except LostWorkerError as lost:
        if not journal.in_file:  # no run can go on from there
            raise
        raise LostWorkerError(f"{lost}; {_GOES_ON}") from lost
    finally:
        cancel(executor, running)


# The options of a command


def add_worker_arguments(parser: argparse.ArgumentParser, jobs: int = 1) -> None:
    """Add `--jobs` and `--scheduler` to a parser."""
    parser.add_argument("--jobs", type=positive, default=jobs, help="processes to use")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster"
    )


def add_job_arguments(parser: argparse.ArgumentParser, jobs: int = 1) -> None:
    """Add `--jobs`, `--scheduler` and `--resume` to a parser."""
    add_worker_arguments(parser, jobs)
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="the journal, new or existing; or its folder",
    )
