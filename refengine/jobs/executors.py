"""Executors for long work: in this process, in local ones or on a Dask cluster.

`open_executor` opens an executor as in `concurrent.futures`. Given the address of a
scheduler, it uses the workers of a Dask cluster (`pip install 'refengine[cluster]'`;
start it with `dask scheduler` and `dask worker ADDRESS --nworkers N --nthreads 1`).
If a worker dies, the cluster gives its items to another; each result is counted once.

This module imports none of the rules: a worker may have to load them in its own way.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import contextmanager
from functools import cache, partial
from math import inf
from multiprocessing import active_children, get_context
from time import monotonic, sleep
from typing import Any, Final, TypeVar

from refengine.jobs import own_python, signals

T = TypeVar("T")
R = TypeVar("R")

_PATIENCE: Final = 10  # seconds to wait for the scheduler, and for a worker
_GRACE: Final = 0.8  # how many seconds a worker has to end its adapter
_LOST: Final = "workers ended before their time"
_ADDRESS: Final = re.compile(r"(?:(?:tcp|tls|wss?)://)?[^\s/]+:[0-9]+")


class LostWorkerError(RuntimeError):
    """Raised if worker processes have ended before they finished their work."""


class OtherSourceError(RuntimeError):
    """Raised if a worker in a cluster has a different version of the source."""


def malformed(found: str, allowed: str, where: str) -> Exception:
    """A `Malformed` error, whose class is imported only when this is called."""
    from refengine.errors import Malformed  # late: see the docstring of the module

    return Malformed(found, allowed, where)


@cache
def source_digest() -> str:
    """A digest of the source of those packages of this project that can be imported."""
    known = hashlib.sha256()
    for package, folder in own_python.our_packages().items():
        for path in sorted(folder.rglob("*.py")):
            if not (path.parent / "__init__.py").is_file():
                continue  # an example adapter, which is only data in a wheel
            known.update(f"{package}/{path.relative_to(folder)}\n".encode())
            known.update(path.read_bytes())
    return known.hexdigest()[:16]


# The work


def results_in_order(
    items: Iterable[T], work: Callable[[T], R], executor: Executor, end: float = inf
) -> Iterator[R]:
    """Yield the result of `work` for each item, in the order of the items.

    `work`, the items and the results must be picklable. Raises as `result_of` does, and
    OtherSourceError if a worker has a different version of the source.
    """
    guarded = checked(work)
    running = [submitted(executor, guarded, item) for item in items]
    try:
        for future in running:
            yield result_of(future, end)
    finally:
        cancel(executor, running)


def submitted(executor: Executor, work: Callable[[T], R], item: T) -> Future[R]:
    """Submit work on an item; raises LostWorkerError if workers ended too early."""
    try:
        return executor.submit(work, item)
    except BrokenExecutor:
        raise LostWorkerError(_LOST) from None


def cancel(executor: Executor, running: Iterable[Future[Any]]) -> None:
    """Cancel work that is no longer wanted, unless it runs in local processes.

    The work of local processes is cancelled by the shutdown of their pool, which
    follows soon. If it were cancelled here and a process then ended, the thread that
    manages the pool would fail on the cancelled work, and the run would wait for ever.
    """
    if not isinstance(executor, ProcessPoolExecutor):
        for future in running:
            future.cancel()


def checked(work: Callable[[T], R]) -> Callable[[T], R]:
    """Return a function that does the same work, but first checks the worker's source.

    It raises OtherSourceError if that is not the source of the process that calls
    `checked`.
    """
    return partial(_checked, source_digest(), work)


def _checked(source: str, work: Callable[[T], R], item: T) -> R:
    if source_digest() != source:
        raise OtherSourceError(
            f"a worker has the source {source_digest()}, this run has {source}: "
            "start the workers with this version"
        )
    return work(item)


def result_of(future: Future[R], end: float = inf) -> R:
    """Wait for the result of a future, and return it.

    Raises whatever the work raised, LostWorkerError if workers ended too early, and
    TimeoutError if there is no result by the time `end` on the monotonic clock.
    """
    left = None if end == inf else max(0.0, end - monotonic())
    try:
        return future.result(left)
    except BrokenExecutor:
        lost: Exception | None = None
    except Exception as error:  # only Dask's own error is translated
        if type(error).__name__ != "KilledWorker":
            raise
        lost = error
    raise LostWorkerError(_LOST) from lost


# Where the work is done


@contextmanager
def open_executor(
    jobs: int = 1,
    scheduler: str = "",
    first: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Iterator[Executor | None]:
    """The executor for a run: a Dask cluster, a pool of local processes, or None.

    If the address of a scheduler is given, the executor is that of the cluster.
    Otherwise it is None, for work in this process, if `jobs` is 1 and there is no
    `first`; in all other cases it is a pool of at most `jobs` new processes, which
    inherit nothing. `first` is called with `arguments` in each worker process before
    any work; if it fails, no work is done there.

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
    """End the workers now, by force if they do not end within a moment."""
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
    """Return a context in which processes start with signals blocked and with `-P`."""
    with signals.blocked(), own_python.starting_workers():
        yield


def _begin(
    safe_path: str | None,
    first: Callable[..., None] | None,
    arguments: tuple[object, ...],
) -> None:
    """Set up this process as a worker, with the PYTHONSAFEPATH of the main process."""
    own_python.set_safe_path(safe_path)
    signals.begin_worker(first, arguments)


class _Pool(ProcessPoolExecutor):
    """A pool whose processes start while the signals that end a run are blocked."""

    def submit(self, *work: Any, **named: Any) -> Future[Any]:
        """Submit work, for which the pool may start another process."""
        with _starting():
            return super().submit(*work, **named)


@contextmanager
def _cluster(
    scheduler: str, first: Callable[..., None] | None, arguments: tuple[Any, ...]
) -> Iterator[Executor]:
    if importlib.util.find_spec("distributed") is None:
        raise malformed(
            "no dask.distributed", "pip install 'refengine[cluster]'", "--scheduler"
        )
    distributed = importlib.import_module("distributed")
    allowed = "the address of a Dask scheduler that has workers, tcp://HOST:PORT"
    # The client may wait for ever if it does not know the scheme.
    if not _ADDRESS.fullmatch(scheduler):
        raise malformed(f"{scheduler!r:.80}", allowed, "--scheduler")
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise malformed(
            f"no answer from {scheduler!r:.80}", allowed, "--scheduler"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            raise malformed(
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
    """Call `first` once in each worker of the cluster, including later ones."""
    name = f"{first.__module__}.{first.__qualname__}{arguments}"

    class First(distributed.WorkerPlugin):  # type: ignore[misc] # has no types here
        """A plugin that calls `first` when a worker starts."""

        def setup(self, worker: object) -> None:
            """Call `first` unless an earlier run has called it in this worker."""
            _once(name, first, arguments)

    client.register_plugin(First(), name=name)


_called: set[str] = set()


def _once(name: str, first: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    """Call `first`, unless it has been called under this `name` in this process."""
    if name not in _called:
        first(*arguments)
        _called.add(name)
