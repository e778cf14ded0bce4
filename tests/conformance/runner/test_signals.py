"""Tests that a signal soon ends a run together with all processes that it started."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from refengine_conformance.runner.driver import BrokenError, Process

pytestmark = pytest.mark.interpreted("about processes")

SOON = 2.0
# In the background of a shell Ctrl-C would be ignored, under nohup a hangup.
COMMAND = """
import faulthandler
import signal
faulthandler.register(signal.SIGUSR1, all_threads=True)
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from refengine.cli.main import main
main()
"""
ADAPTER = """
import json, os, signal, subprocess, sys, time
pids = open(sys.argv[1], "a")
def note(pid):
    pids.write(f"{pid}\\n")
    pids.flush()
SLEEP = (sys.executable, "-S", "-c", "import time; time.sleep(300)")
def hang():
    if "deaf" in sys.argv:
        for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(one, signal.SIG_IGN)
    if "parent" in sys.argv:
        for apart in (False, True):
            note(subprocess.Popen(SLEEP, start_new_session=apart).pid)
        if not os.fork():
            os.setsid()
            if child := os.fork():
                note(child)
                os._exit(0)
            os.closerange(0, 3)
            time.sleep(300)
    note(os.getpid())
    while True:
        time.sleep(300)
for line in sys.stdin:
    request = json.loads(line)
    answer = {"error": "no"}
    if request["op"] == "hello":
        answer = {"ok": {"protocol": 1, "name": "n", "version": "1",
                         "language": "Python", "profiles": "any", "players": "any",
                         "capabilities": ["step"]}}
    if request["op"] == "open":
        hang()
    print(json.dumps({"seq": request["seq"], **answer}), flush=True)
"""
PIDS = {"deaf": 1, "parent": 4}
"""The number of processes that an adapter of this manner consists of."""
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
"""The exit codes of a run that a signal ends."""


def is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie, which has ended, does not."""
    try:
        os.kill(pid, 0)
        return (
            Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        )
    except (ProcessLookupError, FileNotFoundError):
        return False


def alive_after(seconds: float, pids: list[int]) -> list[int]:
    """The processes that still run after this time; none, and early, if all ended."""
    end = time.monotonic() + seconds
    while any(map(is_alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return [pid for pid in pids if is_alive(pid)]


def pids_in(path: Path, number: int) -> list[int]:
    """The process ids that adapters wrote to this file, once there are `number`."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and len(found := path.read_text().split()) >= number:
            return [int(pid) for pid in found]
        time.sleep(0.02)
    raise AssertionError(path.read_text() if path.exists() else "no adapter began")


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "pids"
    yield path
    for pid in path.read_text().split() if path.exists() else ():
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def started(pids: Path, manner: str, *words: str) -> subprocess.Popen[str]:
    """A run in its own session; its adapter hangs when the first game is opened."""
    adapter = (sys.executable, "-S", "-c", ADAPTER, str(pids), manner)
    limits = ("--limit-op", "100", "--limit-batch", "100")
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, "conform", "run", *limits, *words, *adapter],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=pids.parent,
    )


def ended(run: subprocess.Popen[str]) -> tuple[str, str]:
    """The output of a run when it ends; AssertionError with its stack if it hangs."""
    try:
        return run.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGUSR1)
        time.sleep(1)
        run.kill()
        raise AssertionError(run.communicate()[1]) from None


@pytest.mark.parametrize("manner", PIDS)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", CODES, ids=["INT", "TERM", "HUP"])
def test_a_signal_ends_the_run_and_all_that_it_started(
    number: signal.Signals, jobs: int, manner: str, pids: Path
) -> None:
    run = started(pids, manner, "--jobs", str(jobs), "--")
    found = pids_in(pids, jobs * PIDS[manner])
    assert all(map(is_alive, found))
    before = time.monotonic()
    run.send_signal(number)
    out, err = ended(run)
    assert alive_after(SOON - (time.monotonic() - before), found) == []
    assert time.monotonic() - before < SOON
    assert run.returncode == CODES[number]
    assert len(err.splitlines()) <= 1, err
    assert out == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP], ids=["INT", "HUP"])
def test_a_terminal_tells_the_workers_too_and_none_of_them_complains(
    number: signal.Signals, pids: Path
) -> None:
    run = started(pids, "deaf", "--jobs", "2", "--")
    found = pids_in(pids, 2)
    os.killpg(run.pid, number)
    _, err = ended(run)
    assert alive_after(SOON, found) == []
    assert run.returncode == CODES[number]
    assert len(err.splitlines()) <= 1, err


def test_what_left_its_session_is_swept(pids: Path) -> None:
    adapter = Process((sys.executable, "-S", "-c", ADAPTER, str(pids), "parent"))
    with pytest.raises(BrokenError, match="no answer"):
        adapter.exchange(b'{"op":"open","seq":1}\n', 1.0)
    found = pids_in(pids, PIDS["parent"])
    adapter.kill()
    assert alive_after(SOON, found) == []


@pytest.mark.parametrize("number", CODES, ids=["INT", "TERM", "HUP"])
def test_the_plugin_leaves_no_adapter_behind(
    number: signal.Signals, pids: Path
) -> None:
    adapter = shlex.join([sys.executable, "-S", "-c", ADAPTER, str(pids), "parent"])
    script = COMMAND.replace("refengine.cli.main import main", "pytest import main")
    script = script.replace("main()", "raise SystemExit(main())")
    options = ("-p", "no:cacheprovider", "--rootdir", str(pids.parent))
    tests = subprocess.Popen(
        [sys.executable, "-c", script, *options, "--hearts-adapter", adapter],
        cwd=pids.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    found = pids_in(pids, PIDS["parent"])
    tests.send_signal(number)
    tests.communicate(timeout=30)
    assert alive_after(SOON, found) == []
    assert tests.returncode == (2 if number == signal.SIGINT else CODES[number])
