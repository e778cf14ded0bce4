"""Tests of executors, which do long work in this process, in others or on a cluster."""

import importlib.util
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed
import pytest
from distributed import LocalCluster

from refengine.errors import Malformed
from refengine.jobs import executors
from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from tests.support import long_work
from tests.support.commands import Runner
from tests.support.long_work import squared

pytestmark = pytest.mark.interpreted("about processes")


def test_results_in_order_are_those_of_the_items_in_order() -> None:
    with ThreadPoolExecutor(3) as threads:
        found = executors.results_in_order(range(300), squared, threads)
        assert list(found) == [item * item for item in range(300)]
    with open_executor(2) as processes:
        assert processes is not None
        found_some = executors.results_in_order(
            range(10), long_work.dies_at_five, processes
        )
        with pytest.raises(LostWorkerError):
            list(found_some)


def test_a_scheduler_that_is_none_is_one_clear_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 0.2)
    for address in ("tcp://127.0.0.1:1", "nothing at all", "http://127.0.0.1:1"):
        with (
            pytest.raises(Malformed, match="--scheduler"),
            open_executor(scheduler=address),
        ):
            pass


def test_without_dask_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with (
        pytest.raises(Malformed, match=r"refengine\[cluster\]"),
        open_executor(scheduler="tcp://127.0.0.1:1"),
    ):
        pass


def test_python_among_the_data_of_a_wheel_is_no_part_of_the_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "module.py").write_text("A = 1\n")
    spec = importlib.util.spec_from_file_location(
        "ours", tmp_path / "__init__.py", submodule_search_locations=[str(tmp_path)]
    )
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: spec)
    digest = executors.source_digest.__wrapped__
    before = digest()
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / "plain_engine.py").write_text("B = 2\n")
    assert digest() == before
    (tmp_path / "module.py").write_text("A = 2\n")
    assert digest() != before


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """The address of a cluster with this many workers, all threads of this process."""
    named = {"protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}
    with LocalCluster(  # type: ignore[no-untyped-call]  # it has no types
        n_workers=workers, threads_per_worker=1, processes=False, **named
    ) as found:
        yield found.scheduler_address


def test_each_worker_of_a_cluster_is_begun_once(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    begun = long_work.begin, (str(marks),)
    with cluster(1) as address:
        for _ in range(2):
            with open_executor(1, address, *begun) as pool:
                assert pool is not None
                found = executors.results_in_order(range(4), squared, pool)
                assert [*found] == [0, 1, 4, 9]
        with pytest.raises(ZeroDivisionError), open_executor(1, address):
            raise ZeroDivisionError
    assert marks.read_text().split() == ["begun"]


def test_a_scheduler_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 0.5)
    with (
        cluster(0) as address,
        pytest.raises(Malformed, match="a scheduler without workers"),
        open_executor(1, address),
    ):
        pass


def test_what_a_worker_begins_with_is_done_once_in_each_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []

    def register(plugin: Any, name: str) -> None:
        plugin.setup(None)
        plugin.setup(None)  # as for a second run in the same worker

    client = SimpleNamespace(register_plugin=register)
    executors._prepare(distributed, client, begun.append, ("here",))
    assert begun == ["here"]


def test_work_is_not_done_by_a_worker_with_another_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guarded = executors.checked(squared)
    assert guarded(3) == 9
    monkeypatch.setattr(executors, "source_digest", lambda: "theirs")
    with pytest.raises(OtherSourceError, match="a worker has the source theirs"):
        guarded(3)


def test_a_worker_that_the_cluster_gave_up_is_lost() -> None:
    class KilledWorker(Exception):  # as Dask calls it
        pass

    future: Future[int] = Future()
    future.set_exception(KilledWorker())
    with pytest.raises(LostWorkerError, match="workers ended before their time"):
        executors.result_of(future)


def test_what_goes_wrong_beside_the_workers_is_raised() -> None:
    with pytest.raises(ZeroDivisionError), open_executor(2):
        raise ZeroDivisionError


def test_a_run_that_is_interrupted_waits_for_no_worker() -> None:
    def interrupted() -> None:
        with open_executor(1, first=time.sleep, arguments=(0,)) as pool:
            assert pool is not None
            pool.submit(time.sleep, 300)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()


def test_a_worker_lost_in_a_replay_is_no_fault_of_ours(
    run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Broken(Executor):
        def submit(self, *work: Any, **named: Any) -> Future[Any]:
            raise BrokenExecutor

    path = tmp_path / "games.jsonl"
    path.write_bytes(b"{}\n")
    monkeypatch.setattr(executors, "open_executor", lambda *_: nullcontext(Broken()))
    code, _, err = run("replay", "--jobs", "2", str(path))
    assert (code, err) == (2, "refengine: workers ended before their time\n")
