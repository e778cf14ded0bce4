"""`--log FILE` keeps the whole conversation, as it goes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from refengine.cli.main import main
from refengine_conformance.data import data
from refengine_conformance.runner.conversation_log import VARIABLE

pytestmark = pytest.mark.interpreted("about processes")

# The reference, which says something to stderr, and ends at the ninth request.
TALKING = r"""
import sys
from refengine.formats.serve import Session
session = Session()
for number, line in enumerate(sys.stdin.buffer, 1):
    print("\x1b[31mrequest", number, file=sys.stderr, flush=True)
    if number == 9:
        sys.exit(3)
    answer = session.handle(line)
    if answer is None:
        break
    sys.stdout.buffer.write(answer + b"\n")
    sys.stdout.flush()
"""
QUIETLY = ("--no-shrink", "--no-infer", "--format", "none", "--tier", "smoke")


@pytest.fixture
def talking(tmp_path: Path) -> tuple[str, ...]:
    program = tmp_path / "talking.py"
    program.write_text(TALKING)
    return (sys.executable, str(program))


def run(*words: str) -> object:
    with pytest.raises(SystemExit) as ended:
        main(["conform", *words])
    return ended.value.code


def longest_game() -> str:
    """The id of the longest game of the smoke tier, which has the most requests."""
    longest = max(
        data("corpus", "smoke.jsonl").read_text("utf-8").splitlines(), key=len
    )
    return str(json.loads(longest)["id"])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_both_directions_stderr_and_the_loss_are_there_in_order(
    tmp_path: Path, talking: tuple[str, ...]
) -> None:
    path = tmp_path / "said.jsonl"
    assert run("run", "--log", str(path), *QUIETLY, "--", *talking) == 2
    head, *said = lines(path)
    assert head["log"] == 1
    first = [one for one in said if one["process"] == said[0]["process"]]
    assert "started" in first[0]
    assert "ended" in first[-1]
    sent = [json.loads(one["sent"]) for one in first if "sent" in one]
    got = [json.loads(one["got"]) for one in first if "got" in one]
    assert [one["seq"] for one in sent] == list(range(1, 10))
    assert [one["seq"] for one in got] == list(range(1, 9))
    assert sent[0]["op"] == "hello"
    stderr = "".join(one["stderr"] for one in first if "stderr" in one)
    assert "request 9" in stderr
    (lost,) = (one["lost"] for one in first if "lost" in one)
    assert "exit code 3" in lost
    assert all(one["time"] >= head["time"] for one in said)
    assert b"\x1b" not in path.read_bytes()


@pytest.mark.parametrize("last", [30, 31, 32, 33, 34, 35])
def test_a_loss_is_shown_at_its_step_with_the_request_as_sent(
    last: int, tmp_path: Path
) -> None:
    """The step is counted from the log, where the reader of a report would look."""
    program, path, report = (tmp_path / one for one in ("it.py", "log", "report"))
    program.write_text(TALKING.replace("number == 9", f"number == {last}"))
    adapter = (sys.executable, str(program))
    words = ("--log", str(path), "--report", f"jsonl:{report}", *QUIETLY)
    asked = ("--ways", "step", "--trace", longest_game())
    assert run("run", *words, *asked, "--", *adapter) == 1
    said = [
        one for one in lines(path)[1:] if one["process"] == lines(path)[1]["process"]
    ]
    sent = [json.loads(one["sent"]) for one in said if "sent" in one]
    got = [json.loads(one["got"]) for one in said if "got" in one]
    lost = sent[-1]
    opened = max(place for place, one in enumerate(sent) if one["op"] == "open")
    made = sum(
        asked["op"] == "step" and ("ok" in told or "irregular" in told)
        for asked, told in zip(sent[opened:], got[opened:], strict=False)
    )
    found = next(one for one in lines(report) if one.get("outcome") == "crash")
    assert json.loads(found["request"]) == lost
    # The state is looked at after an act, and around probes before it.
    around = {made, made + 1} if lost["op"] in ("observe", "event") else {made + 1}
    assert found.get("step", 0) in ({0} if lost["op"] == "open" else around)


def test_workers_write_to_the_same_file(
    tmp_path: Path, talking: tuple[str, ...]
) -> None:
    path = tmp_path / "said.jsonl"
    words = (*QUIETLY, "--jobs", "2")
    assert run("run", "--log", str(path), *words, "--", *talking) == 2
    said = lines(path)[1:]
    begun = [one["process"] for one in said if "started" in one]
    assert len(begun) > 1
    assert sorted(begun) == sorted(one["process"] for one in said if "ended" in one)


def test_an_engine_inside_the_process_is_written_down_too(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    words = ("--tier", "smoke", "--clause", "5.3", "--format", "none")
    assert run("run", "--log", str(path), *words, "--", "builtin:reference") == 0
    assert {one["process"] for one in lines(path)[1:]} == {os.getpid()}
    assert VARIABLE not in os.environ


def test_a_file_that_is_no_log_stays_as_it_is(
    tmp_path: Path, talking: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("my thesis\n")
    assert run("identify", "--log", str(path), "--", *talking) == 3
    assert "a file that is no log" in capsys.readouterr().err
    assert path.read_text() == "my thesis\n"
    assert run("run", "--log", str(tmp_path / "no" / "log"), "--", *talking) == 3


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a device that is always full"
)
def test_a_full_disk_ends_no_run() -> None:
    code = (
        "import os; from refengine_conformance.runner import conversation_log as log;"
        "os.environ[log.VARIABLE] = '/dev/full'; one = log.ConversationLog(1);"
        "one.note('sent', b'x'); one.close()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
