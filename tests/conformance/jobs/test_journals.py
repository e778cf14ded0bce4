"""Tests that a journal gives the same result however the work is done.

The work is done in one process, in several, on a cluster, and after an interruption.
"""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from refengine.errors import Malformed
from refengine.jobs import executors
from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from refengine_conformance.exhaustion.scope import (
    Unit,
    deal_shapes,
    group_into_families,
)
from refengine_conformance.exhaustion.small_deals import walk_unit
from refengine_conformance.jobs import journals
from refengine_conformance.jobs.journals import (
    Journal,
    gather_results,
    open_journal,
    scope_digest,
)
from tests.support import long_work, places
from tests.support.commands import run_process
from tests.support.long_work import ITEMS, WORK, marked, squared

WANTED = {key: item * item for key, item in ITEMS.items()}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


# The journal


def test_a_journal_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, "one") as journal:
        assert journal.add("a", (1, 2)) == [1, 2]
        assert gather_results({"a": 0, "b": 3}, squared, journal) == {
            "a": [1, 2],
            "b": 9,
        }
    with Journal(path, "one") as journal:
        assert journal.done == {"a": [1, 2], "b": 9}
    assert [line["key"] for line in lines(path)[1:]] == ["a", "b"]


def test_nothing_counts_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, "one") as journal:
        journal.add("a", 1)
        with pytest.raises(ValueError, match="already done"):
            journal.add("a", 1)
    text = path.read_bytes()
    path.write_bytes(text + text.splitlines(keepends=True)[1])
    with pytest.raises(Malformed, match="a key twice"):
        Journal(path, "one")


@pytest.mark.parametrize("torn", [b"", b"{", b'{"key": "c", "res', b"\xff"])
def test_a_torn_line_is_cut_off(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal"
    with Journal(path, "one") as journal:
        journal.add("a", 1)
        journal.add("b", 2)
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    with Journal(path, "one") as journal:
        assert journal.done == {"a": 1, "b": 2}
        assert path.read_bytes() == whole
        journal.add("c", 3)
    assert lines(path)[-1] == {"key": "c", "result": 3}


@pytest.mark.parametrize("torn", [b"", b"{", b'{"journal": 1, "sco'])
def test_a_torn_head_is_written_anew(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(torn)
    with Journal(path, "one") as journal:
        assert journal.done == {}
    assert lines(path) == [{"journal": 1, "scope": "one"}]


@pytest.mark.parametrize(
    "text",
    [
        b'{"journal": 1, "scope": "other"}\n',
        b'{"journal": 0, "scope": "one"}\n',
        b"my only copy",
        b"my\nonly copy\n",
        b'{"journal": 1, "scope": "one"}\n{"key": "a"}\n',
        b'{"journal": 1, "scope": "one"}\n{"key": [], "result": 1}\n',
        b'{"journal": 1, "scope": "one"}\n[]\n',
        pytest.param(b"[" * 200_000 + b"\n", id="deep"),
    ],
)
def test_another_file_is_refused_and_not_touched(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    with pytest.raises(Malformed, match="file"):
        Journal(path, "one")
    assert path.read_bytes() == text


def test_a_journal_is_of_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, "one"), pytest.raises(Malformed, match="another run"):
        Journal(path, "one")
    Journal(path, "one").close()


def test_a_journal_that_cannot_be_written_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be written: "):
        Journal(tmp_path, "one")


def test_a_result_for_which_there_is_no_room_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(tmp_path / "journal", "one") as journal:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(Malformed, match="journal: cannot be written: no space"):
            gather_results({"a": 3}, squared, journal)
        assert journal.done == {}


def test_the_scope_is_of_the_source_and_of_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work: list[tuple[object, ...]] = [("a", 1), ("a", 2), ("a",), ()]
    scopes = {scope_digest(*parts) for parts in work}
    assert len(scopes) == len(work)
    assert scope_digest("a", 1) in scopes
    monkeypatch.setattr(journals, "source_digest", lambda: "another source")
    assert scope_digest("a", 1) not in scopes


def test_a_run_that_is_killed_loses_nothing_and_counts_nothing_twice(
    tmp_path: Path,
) -> None:
    path, marks = tmp_path / "journal", tmp_path / "marks"
    command = [sys.executable, "-m", "tests.support.long_work", str(path), str(marks)]
    for wanted in (3, 6, 9):  # killed three times, each time at another place
        with subprocess.Popen(
            command, cwd=places.ROOT, stdout=subprocess.DEVNULL
        ) as running:
            while running.poll() is None:
                if path.exists() and path.read_bytes().count(b"\n") > wanted:
                    running.kill()
                    break
                time.sleep(0.002)
        assert running.returncode == -signal.SIGKILL
    kept = [line["key"] for line in lines(path)[1:]]
    made = run_process(*command, cwd=places.ROOT)
    assert (made.returncode, json.loads(made.stdout)) == (0, WANTED)
    keys = [line["key"] for line in lines(path)[1:]]
    assert keys[: len(kept)] == kept
    assert sorted(keys) == sorted(ITEMS)
    began = marks.read_text().split()
    assert len(began) <= len(ITEMS) + 3  # at each kill at most one was at work


# Here, in threads, in processes


def test_every_executor_gives_the_same(tmp_path: Path) -> None:
    told: list[int] = []
    here = gather_results(ITEMS, squared, Journal(None, ""), None, told.append)
    assert list(here.items()) == list(WANTED.items())
    assert told == list(range(len(ITEMS) + 1))
    with ThreadPoolExecutor(3) as threads:
        assert gather_results(ITEMS, squared, Journal(None, ""), threads) == WANTED
    marks = tmp_path / "marks"
    with open_executor(2, first=long_work.begin, arguments=(str(marks),)) as processes:
        assert processes is not None
        assert gather_results(ITEMS, marked, Journal(None, ""), processes) == WANTED
    assert sorted(marks.read_text().split()) == sorted([*ITEMS, "begun", "begun"])
    with open_executor() as nothing:
        assert nothing is None


def test_more_items_than_are_handed_out_at_a_time() -> None:
    items = {str(number): number for number in range(1000)}
    with ThreadPoolExecutor(3) as threads:
        found = gather_results(items, squared, Journal(None, ""), threads)
    assert found == {key: item * item for key, item in items.items()}


def test_what_work_raises_is_raised_and_what_is_done_is_kept(tmp_path: Path) -> None:
    def work(item: int) -> int:
        return 1 // (4 - item)

    path = tmp_path / "journal"
    with Journal(path, "") as journal, ThreadPoolExecutor(1) as threads:
        with pytest.raises(ZeroDivisionError):
            gather_results(ITEMS, work, journal, threads)
        assert journal.done.keys() >= {"item-0", "item-1", "item-2", "item-3"}
        assert "item-4" not in journal.done


def test_a_local_worker_that_dies_is_reported_and_the_rest_done_later(
    tmp_path: Path,
) -> None:
    path = tmp_path / "journal"
    with (
        Journal(path, "") as journal,
        open_executor(2) as processes,
        pytest.raises(LostWorkerError, match="--resume"),
    ):
        gather_results(ITEMS, long_work.dies_at_five, journal, processes)
    with Journal(path, "") as journal:
        assert len(journal.done) < len(ITEMS)
        assert gather_results(ITEMS, squared, journal) == WANTED


def test_workers_that_died_while_a_result_was_recorded_are_reported_too(
    tmp_path: Path,
) -> None:
    class Broken(ThreadPoolExecutor):
        def submit(self, *_: object, **__: object) -> Future[Any]:
            raise BrokenProcessPool

    with (
        Broken() as pool,
        Journal(tmp_path / "journal", "") as journal,
        pytest.raises(LostWorkerError, match="--resume"),
    ):
        gather_results({"a": 1}, squared, journal, pool)
    with Broken() as pool, pytest.raises(LostWorkerError) as raised:
        gather_results({"a": 1}, squared, Journal(None, ""), pool)
    # without a file, there is nothing to go on from
    assert str(raised.value) == "workers ended before their time"
    with Broken() as pool, pytest.raises(LostWorkerError) as raised:
        next(executors.results_in_order([1], squared, pool))
    assert str(raised.value) == "workers ended before their time"


def test_a_worker_with_another_source_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = iter(["ours", "theirs", "theirs"])
    monkeypatch.setattr(executors, "source_digest", lambda: next(sources))
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(OtherSourceError, match="theirs"),
    ):
        gather_results({"a": 1}, squared, Journal(None, ""), threads)


# A cluster


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler on loopback: its address and the process ids of its workers."""
    file = folder / "scheduler.json"
    program = [sys.executable, "-m", "distributed.cli"]
    quiet: dict[str, Any] = {
        "cwd": places.ROOT,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    scheduler = [
        *("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
        *("--scheduler-file", str(file)),
    ]
    started = [subprocess.Popen(_module(program, scheduler), **quiet)]
    try:
        while not file.exists() or not file.read_bytes():
            assert started[0].poll() is None
            time.sleep(0.02)
        address = json.loads(file.read_text())["address"]
        worker = ["dask_worker", address, "--nthreads", "1", "--no-nanny"]
        worker += ["--no-dashboard", "--local-directory", str(folder)]
        for _ in range(workers):
            started.append(subprocess.Popen(_module(program, worker), **quiet))
        yield address, [one.pid for one in started[1:]]
    finally:
        for one in reversed(started):
            one.kill()
        for one in started:
            one.wait()


def _module(program: list[str], arguments: list[str]) -> list[str]:
    name, *rest = arguments
    return [*program[:2], f"{program[2]}.{name}", *rest]


@pytest.mark.unmeasured
def test_a_cluster_gives_the_same_also_when_a_worker_is_killed(tmp_path: Path) -> None:
    marks, path = tmp_path / "marks", tmp_path / "journal"
    killed: list[int] = []
    with (
        cluster(tmp_path, 2) as (address, workers),
        open_executor(
            scheduler=address, first=long_work.begin, arguments=(str(marks),)
        ) as pool,
        Journal(path, "") as journal,
    ):

        def advance(done: int) -> None:
            if done >= 3 and not killed and len(seen()) == 2:
                os.kill(workers[0], signal.SIGKILL)
                killed.append(done)

        def seen() -> set[str]:
            return set((tmp_path / "marks.pids").read_text().split())

        assert gather_results(WORK, long_work.slow, journal, pool, advance) == {
            key: item * item for key, item in WORK.items()
        }
    assert killed
    assert killed[0] < len(WORK)
    keys = [line["key"] for line in lines(path)[1:]]
    assert sorted(keys) == sorted(WORK)
    assert marks.read_text().split().count("begun") == 2


def output(*command: str) -> list[str]:
    ended = run_process(sys.executable, "-m", *command, cwd=places.ROOT)
    assert ended.returncode == 0, ended.stderr
    return [line for line in ended.stdout.splitlines() if " s, " not in line]


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("refengine", "replay", "conformance/corpus/smoke.jsonl", "--json"),
        ("refengine_conformance.exhaustion.small_deals", "--only", "hearts 2x1"),
    ],
)
def test_a_command_says_the_same_on_a_cluster(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    with cluster(tmp_path, 2) as (address, _):
        assert output(*command, "--scheduler", address) == output(*command)


@pytest.mark.slow
def test_the_corpus_is_put_to_an_adapter_from_a_cluster(tmp_path: Path) -> None:
    words = "conform", "run", "--no-shrink", "--tier", "smoke", "--format", "jsonl"
    given = ("refengine", *words)
    with cluster(tmp_path, 2) as (address, _):
        found = output(*given, "--scheduler", address, "--", "builtin:reference")
    assert found == output(*given, "--", "builtin:reference")


@pytest.mark.slow
def test_two_workers_are_faster_than_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (family,) = group_into_families(
        [shape for shape in deal_shapes(False) if WALKED in str(shape)]
    )
    items = {str(part): Unit(family, part, 24, False) for part in range(24)}
    seconds: list[float] = []
    found = []
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        with (
            cluster(folder, workers) as (address, _),
            open_executor(scheduler=address) as pool,
        ):
            there: set[int] = set()
            while len(there) < workers:
                asked = gather_results(ITEMS, long_work.who, Journal(None, ""), pool)
                there |= set(asked.values())
            start = time.perf_counter()
            found.append(gather_results(items, walk_unit, Journal(None, ""), pool))
            seconds.append(time.perf_counter() - start)
    with capsys.disabled():
        one, two = seconds
        print(f"\n1 worker {one:.1f} s, 2 workers {two:.1f} s: {one / two:.2f} times")
    assert found[0] == found[1]
    assert two < one


WALKED = "gamerules-domino 2x2+2"


def test_in_a_folder_a_journal_is_named_after_its_work_and_scope(
    tmp_path: Path,
) -> None:
    with open_journal(tmp_path, "deals", "one") as journal:
        journal.add("a", 1)
    with open_journal(tmp_path, "deals", "other") as journal:
        assert not journal.done
    with open_journal(tmp_path / "deals-one.jsonl", "deals", "one") as journal:
        assert journal.done == {"a": 1}
    with open_journal(None, "deals", "one") as journal:
        assert not journal.done


FULL = """
import resource, sys
from pathlib import Path
from refengine.errors import Malformed
from refengine_conformance.jobs.journals import Journal
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
try:
    Journal(Path(sys.argv[1]), "one")
except Malformed as error:
    sys.exit(0 if "cannot be written: " in str(error) else 1)
"""


def test_a_journal_for_which_there_is_no_room_is_one_message(tmp_path: Path) -> None:
    made = run_process(sys.executable, "-c", FULL, str(tmp_path / "journal"))
    assert (made.returncode, made.stderr) == (0, "")
