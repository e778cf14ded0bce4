"""Long work in many places: local processes or a Dask cluster, and one journal.

Whatever takes long (exhaustion, mutants, fuzzing, the whole corpus, large replays) is
cut into items with ids that stay the same from run to run, and goes through
`gather_results`: each item to an executor of `concurrent.futures`, each result into a
`Journal`. A run that is ended, even by `kill -9`, loses only the items at work at that
moment, and the next run with the same journal goes on from there.

`open_executor` gives the executor: this process, local processes, or with the address
of a scheduler the workers of a Dask cluster (`pip install 'refengine[cluster]'`; start
them with `dask scheduler` and `dask worker ADDRESS --nworkers N --nthreads 1`). If a
worker dies, the cluster gives its items to another; each result is counted once.

This module does not import `refengine`: a worker may have to load it in its own way.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import importlib
import importlib.util
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from math import inf
from multiprocessing import active_children, get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, TypeVar

from refengine_conformance.jobs import own_python, signals

T = TypeVar("T")
R = TypeVar("R")

_FORMAT: Final = 1
_HANDED_OUT: Final = 256  # items at work or waiting for a worker
_PATIENCE: Final = 10  # seconds to wait for the scheduler, and for a worker
_GRACE: Final = 0.8  # seconds for a worker to end its adapter
_ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|wss?)://)?[^\s/]+:[0-9]+")


class LostWorkerError(RuntimeError):
    """Workers ended too early; what is done is in the journal."""


class OtherSourceError(RuntimeError):
    """A worker of a cluster has another version of the source."""


# The journal


class Journal:
    """Results by key, one line each in a file that only grows, or in memory.

    A line that a killed run left unfinished is cut off, and its work is done again. The
    file belongs to one run at a time, and to one `scope`: a digest of the work
    requested and of everything that its results depend on (`scope_digest`).

    Raises Malformed for a file of another scope, for one that another run is using, and
    for one that is not a journal.
    """

    def __init__(self, path: Path | None, scope: str) -> None:
        self.done: dict[str, Any] = {}
        self._file: Any = None
        if path is not None:
            try:
                self._open(path, {"journal": _FORMAT, "scope": scope})
            except OSError as error:
                self.close()
                raise _unusable(error, path) from None
            except BaseException:
                self.close()
                raise

    def _open(self, path: Path, head: Mapping[str, Any]) -> None:
        self._file = path.open("a+b")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            found = "a journal that another run is using"
            raise _malformed(found, "one run at a time", str(path)) from None
        self._file.seek(0)
        text = self._file.read()
        whole = text[: text.rfind(b"\n") + 1]
        try:
            lines = [json.loads(line) for line in whole.splitlines()]
            self.done = {line["key"]: line["result"] for line in lines[1:]}
        except (ValueError, KeyError, TypeError):
            found = "lines that do not belong to a journal"
            raise _malformed(found, "a journal", str(path)) from None
        if lines and lines[0] != head:
            found = "a journal of other work, or of another state of the engine"
            raise _malformed(found, "the journal of this run", str(path))
        if len(self.done) != len(lines[1:]):
            raise _malformed("a key twice", "each key once", str(path))
        if not lines and text and not b'{"journal"'.startswith(text[:10]):
            raise _malformed("no journal", "a journal, or a new file", str(path))
        if whole != text:
            self._file.truncate(len(whole))
        if not lines:
            self._append(head)

    def add(self, key: str, result: Any) -> Any:
        """Record a result; it is on the disk before this returns.

        Returns the result as written, which is what a later run would read.

        Raises ValueError for a key that already has one: nothing counts twice.
        """
        if key in self.done:
            raise ValueError(f"{key} is already done")
        text = json.dumps({"key": key, "result": result})
        if self._file is not None:
            self._append(text)
        self.done[key] = json.loads(text)["result"]
        return self.done[key]

    def _append(self, line: str | Mapping[str, Any]) -> None:
        text = line if isinstance(line, str) else json.dumps(line)
        self._file.write(text.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let another run have the file."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_journal(place: Path | None, what: str, scope: str) -> Journal:
    """The journal in this file, or in a folder, in a file named after work and scope.

    Raises Malformed as `Journal` does.
    """
    inside = place is not None and place.is_dir()
    return Journal(
        place / f"{what}-{scope}.jsonl" if place and inside else place, scope
    )


def _unusable(error: OSError, path: Path) -> Exception:
    from refengine.errors import unusable_file  # as below

    return unusable_file(error, "written", str(path))


def _malformed(found: str, allowed: str, where: str) -> Exception:
    from refengine.errors import Malformed  # late: see the end of the docstring above

    return Malformed(found, allowed, where)


@cache
def source_digest() -> str:
    """A digest of the source of the engine, of its book and of this package."""
    known = hashlib.sha256()
    for package in ("refengine", "refengine_conformance"):
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.submodule_search_locations
        folder = Path(next(iter(spec.submodule_search_locations)))
        for path in sorted(folder.rglob("*.py")):
            if not (path.parent / "__init__.py").is_file():
                continue  # an example adapter, which lies among the data of a wheel
            known.update(f"{package}/{path.relative_to(folder)}\n".encode())
            known.update(path.read_bytes())
    return known.hexdigest()[:16]


def scope_digest(*parts: object) -> str:
    """A scope: a digest of the source and of these values, by their repr."""
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
    """The result of each item by its id, in the order of the items.

    `work` takes an item and returns plain JSON values; it and the items must be
    picklable if the executor has other processes. Items in the journal are not done
    again. Without an executor the work is done here, one item after the other.
    `advance` is called with the number done, earlier runs included.

    Raises whatever `work` raises; LostWorkerError if workers ended too early;
    OtherSourceError if a worker has another version of the source.
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
    checked = partial(_checked, source_digest(), work)
    running: dict[Future[Any], str] = {}
    waiting = iter(left)
    try:
        while True:
            for key in islice(waiting, _HANDED_OUT - len(running)):
                running[executor.submit(checked, items[key])] = key
            if not running:
                return {key: journal.done[key] for key in items}
            ended = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(ended, key=lambda one: one.exception() is not None):
                journal.add(running.pop(future), _result(future))
                done += 1
                advance(done)
    finally:
        _cancel(executor, running)


def results_in_order(
    items: Iterable[T], work: Callable[[T], R], executor: Executor, end: float = inf
) -> Iterator[R]:
    """The result of each item, in the order of the items; none of them is recorded.

    Results may be of any type that can be pickled. Raises as `gather_results` does, and
    TimeoutError if one is not there at `end` of the monotonic clock.
    """
    checked = partial(_checked, source_digest(), work)
    running = [executor.submit(checked, item) for item in items]
    try:
        for future in running:
            yield _result(future, end)
    finally:
        _cancel(executor, running)


def _cancel(executor: Executor, running: Iterable[Future[Any]]) -> None:
    """Take back work that is not wanted any more.

    Local processes take it back when they are shut down, which is soon: if one ends
    before that, Python's own thread stumbles over work that is already cancelled, and
    the run would wait for ever.
    """
    if not isinstance(executor, ProcessPoolExecutor):
        for future in running:
            future.cancel()


def _checked(source: str, work: Callable[[T], Any], item: T) -> Any:
    """Do the item, in a worker that has the same source."""
    if source_digest() != source:
        raise OtherSourceError(
            f"a worker has the source {source_digest()}, this run has {source}: "
            "start the workers with this version"
        )
    return work(item)


def _result(future: Future[Any], end: float = inf) -> Any:
    left = None if end == inf else max(0.0, end - monotonic())
    try:
        return future.result(left)
    except BrokenExecutor:
        lost: Exception | None = None
    except Exception as error:  # only Dask's own error is translated
        if type(error).__name__ != "KilledWorker":
            raise
        lost = error
    raise LostWorkerError(
        "workers ended before their time; what is done stands in the journal, "
        "and a run with the same --resume FILE goes on from there"
    ) from lost


# Where the work is done


@contextmanager
def open_executor(
    jobs: int = 1,
    scheduler: str = "",
    first: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Iterator[Executor | None]:
    """The executor of a run: a Dask cluster, local processes, or this process.

    With the address of a scheduler it is the cluster's. Otherwise it is None for one
    job without a `first`, or else one new process for each job, which inherits nothing.
    `first` is called with its arguments in each worker process before anything else; if
    it fails, no work is done there.

    Raises Malformed if the cluster cannot be reached or has no worker, or if
    dask.distributed is not installed.
    """
    if scheduler:
        with _cluster(scheduler, first, arguments) as found:
            yield found
    elif jobs == 1 and first is None:
        yield None
    else:
        safe_path = own_python.safe_path()
        with _starting():  # so that SIGHUP does not kill Python's resource tracker
            pool = _Pool(
                jobs,
                get_context("spawn"),
                initializer=_begin,
                initargs=(safe_path, first, arguments),
            )
        try:
            yield pool
        except Exception:
            raise
        except BaseException:  # interrupted: a worker would first finish its item
            _end_workers()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _end_workers() -> None:
    """End the workers now, and by force those that have not gone at once."""
    workers = active_children()
    for worker in workers:
        worker.terminate()
    end = monotonic() + _GRACE
    while monotonic() < end and any(worker.is_alive() for worker in workers):
        sleep(0.01)
    for worker in workers:
        worker.kill()


@contextmanager
def _starting() -> Iterator[None]:
    """Within this block, processes of Python's own making may be started."""
    with signals.blocked(), own_python.starting_workers():
        yield


def _begin(
    safe_path: str | None,
    first: Callable[..., None] | None,
    arguments: tuple[object, ...],
) -> None:
    """Begin a worker, in the environment that the run has."""
    own_python.set_safe_path(safe_path)
    signals.begin_worker(first, arguments)


class _Pool(ProcessPoolExecutor):
    """Local processes, none of which begins with a signal that is for the run."""

    def submit(self, *work: Any, **named: Any) -> Future[Any]:
        """Have this done; the worker for it may be started now."""
        with _starting():
            return super().submit(*work, **named)


@contextmanager
def _cluster(
    scheduler: str, first: Callable[..., None] | None, arguments: tuple[Any, ...]
) -> Iterator[Executor]:
    if importlib.util.find_spec("distributed") is None:
        raise _malformed(
            "no dask.distributed", "pip install 'refengine[cluster]'", "--scheduler"
        )
    distributed = importlib.import_module("distributed")
    allowed = "the address of a Dask scheduler that has workers, tcp://HOST:PORT"
    # Asked for a scheme that it does not know, the client may wait without end.
    if not _ADDRESS.fullmatch(scheduler):
        raise _malformed(f"{scheduler!r:.80}", allowed, "--scheduler")
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise _malformed(
            f"no answer from {scheduler!r:.80}", allowed, "--scheduler"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise _malformed(
                "a scheduler without workers", allowed, "--scheduler"
            ) from None
        if first is not None:
            _prepare(distributed, client, first, arguments)
        pool: Executor = client.get_executor(pure=False)
        try:
            yield pool
            pool.shutdown()
        except BaseException:
            pool.shutdown(wait=False)
            raise
    finally:
        client.close()


def _prepare(
    distributed: Any,
    client: Any,
    first: Callable[..., None],
    arguments: tuple[Any, ...],
) -> None:
    """Call this once in each worker of the cluster, including later ones."""
    name = f"{first.__module__}.{first.__qualname__}{arguments}"

    class First(distributed.WorkerPlugin):  # type: ignore[misc] # has no types here
        """Calls `first` when a worker starts."""

        def setup(self, worker: object) -> None:
            """Call it."""
            _once(name, first, arguments)

    client.register_plugin(First(), name=name)


_called: set[str] = set()


def _once(name: str, first: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Call a function unless an earlier run has called it in this process."""
    if name not in _called:
        first(*arguments)
        _called.add(name)


# The options of a command


def add_job_arguments(parser: argparse.ArgumentParser, jobs: int = 1) -> None:
    """Add `--jobs`, `--scheduler` and `--resume` to a parser."""
    parser.add_argument("--jobs", type=int, default=jobs, help="processes to use")
    parser.add_argument(
        "--scheduler", default="", metavar="ADDRESS", help="of a Dask cluster"
    )
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="the journal, new or existing; or its folder",
    )
