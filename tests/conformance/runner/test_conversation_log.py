"""Tests of `--log FILE`, which writes the conversation with an adapter to a file."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from refengine.cli.main import main
from refengine.errors import Malformed
from refengine_conformance.data import data
from refengine_conformance.runner.conversation_log import (
    VARIABLE,
    ConversationLog,
    begin_log,
    end_log,
)
from refengine_conformance.runner.driver import Adapter, BrokenError, Logged, Process
from refengine_conformance.runner.results import Limits
from tests.support.commands import Runner, run_python

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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "said.jsonl"


def longest_game() -> str:
    """The id of the game with the longest line in the smoke tier."""
    longest = max(
        data("corpus", "smoke.jsonl").read_text("utf-8").splitlines(), key=len
    )
    return str(json.loads(longest)["id"])


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def said_by_the_first(path: Path) -> tuple[list[Any], list[Any], list[Any]]:
    """The lines of a log about its first process, its requests and its answers."""
    said = lines(path)[1:]
    first = [one for one in said if one["process"] == said[0]["process"]]
    sent, got = (
        [json.loads(one[name]) for one in first if name in one]
        for name in ("sent", "got")
    )
    return first, sent, got


@pytest.mark.parametrize(
    "text",
    ["[" * (1 << 16), '{"log":1,"ruleset":{"profile":"estmesh-hearts"}}\n'],
    ids=["brackets", "a log of games, as `refengine convert --log` writes it"],
)
def test_what_is_no_log_of_conversations_is_not_lost(text: str, path: Path) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(Malformed, match="not a log"):
        begin_log(path, ("x",))
    assert path.read_text("utf-8") == text


def test_the_log_of_a_long_command_is_a_log_too(path: Path) -> None:
    begin_log(path, ("x", "y" * (1 << 16)))
    end_log()
    begin_log(path, ("x",))
    end_log()
    assert [one["command"] for one in lines(path)] == ["x"]


def test_both_directions_stderr_and_the_loss_are_there_in_order(
    path: Path, talking: tuple[str, ...], run: Runner
) -> None:
    words = ("conform", "run", "--log", str(path), *QUIETLY)
    assert run(*words, "--", *talking)[0] == 2
    head, *said = lines(path)
    assert head["log"] == 1
    first, sent, got = said_by_the_first(path)
    assert "started" in first[0]
    assert "ended" in first[-1]
    assert [one["seq"] for one in sent] == list(range(1, 10))
    assert [one["seq"] for one in got] == list(range(1, 9))
    assert sent[0]["op"] == "hello"
    stderr = "".join(one["stderr"] for one in first if "stderr" in one)
    assert "request 9" in stderr
    (lost,) = (one["lost"] for one in first if "lost" in one)
    assert "exit code 3" in lost
    assert all(one["time"] >= head["time"] for one in said)
    assert b"\x1b" not in path.read_bytes()


def test_nothing_is_sent_to_an_adapter_that_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(path))
    command = (sys.executable, "-S", "-c", "print(input())")
    process = Process(command)
    adapter = Logged(process, command)
    adapter.exchange(b"{}\n", 9.0)
    process._process.wait()
    with pytest.raises(BrokenError):
        adapter.exchange(b"[]\n", 9.0)
    said = [[*one][-1] for one in lines(path)]
    assert said == ["started", "sent", "got", "lost", "ended"]


def test_no_bye_is_sent_to_an_adapter_that_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(path))
    hello = {"protocol": 1, "name": "n", "version": "1", "language": "Python"}
    hello |= {"profiles": "any", "players": "any", "capabilities": ["step"]}
    program = "".join(
        f"input(); print({json.dumps(said)!r}, flush=True)\n"
        for said in ({"seq": 1, "ok": hello}, {"seq": 2, "ok": {}})
    )
    command = (sys.executable, "-S", "-c", program)
    process = Process(command)
    adapter = Adapter(Logged(process, command), Limits())
    adapter.ask("step")
    process._process.wait()
    adapter.end()
    assert adapter.faults == ["the adapter ended with exit code 0"]
    said = [[*one][-1] for one in lines(path)]
    assert said == ["started", "sent", "got", "sent", "got", "lost", "ended"]


@pytest.mark.parametrize("last", [30, 31, 32, 33, 34, 35])
def test_a_loss_is_shown_at_its_step_with_the_request_as_sent(
    last: int, path: Path, tmp_path: Path, run: Runner
) -> None:
    """The step is counted in the log, where a reader of the report would look."""
    program, report = tmp_path / "it.py", tmp_path / "report"
    program.write_text(TALKING.replace("number == 9", f"number == {last}"))
    words = ("--log", str(path), "--report", f"jsonl:{report}", *QUIETLY)
    asked = ("--ways", "step", "--trace", longest_game())
    adapter = (sys.executable, str(program))
    assert run("conform", "run", *words, *asked, "--", *adapter)[0] == 1
    _, sent, got = said_by_the_first(path)
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
    path: Path, talking: tuple[str, ...], run: Runner
) -> None:
    words = ("conform", "run", "--log", str(path), *QUIETLY, "--jobs", "2")
    assert run(*words, "--", *talking)[0] == 2
    said = lines(path)[1:]
    begun = [one["process"] for one in said if "started" in one]
    assert len(begun) > 1
    assert sorted(begun) == sorted(one["process"] for one in said if "ended" in one)


def test_an_engine_inside_the_process_is_written_down_too(
    path: Path, run: Runner
) -> None:
    words = ("--tier", "smoke", "--clause", "5.3", "--format", "none")
    log = ("--log", str(path))
    assert run("conform", "run", *log, *words, "--", "builtin:reference")[0] == 0
    assert {one["process"] for one in lines(path)[1:]} == {os.getpid()}
    assert VARIABLE not in os.environ


def test_a_log_that_is_gone_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone" / "said.jsonl"))
    log = ConversationLog(1)
    log.note("asked", "hello")
    log.close()
    assert not [*tmp_path.iterdir()]


def test_a_file_that_is_no_log_stays_as_it_is(
    tmp_path: Path, talking: tuple[str, ...], run: Runner
) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("my thesis\n")
    code, _, said = run("conform", "identify", "--log", str(path), "--", *talking)
    assert code == 3
    assert "a file that is not a log" in said
    assert path.read_text() == "my thesis\n"
    nowhere = ("--log", str(tmp_path / "no" / "log"))
    assert run("conform", "run", *nowhere, "--", *talking)[0] == 3


@pytest.mark.parametrize(
    "words",
    [
        ("identify",),
        ("identify", "--hands", "some", "--", "builtin:reference"),
        ("run", "--jobs", "0", "--", "builtin:reference"),
        ("run", "--tier", "smoke", "--hands", "full", "--", "builtin:reference"),
        ("run", "--report", "poem:-", "--", "builtin:reference"),
        ("run", "--profile", "nosuch", "--", "builtin:reference"),
        ("run", "--option", "moon=foo", "--", "builtin:reference"),
        ("run", "--needs-card", "XX", "--", "builtin:reference"),
        ("run", "--tier", "smoke", "--at-least", "50", "--", "builtin:reference"),
    ],
)
def test_a_mistake_in_a_flag_replaces_no_log(
    words: tuple[str, ...], path: Path, run: Runner
) -> None:
    begin_log(path, ("an", "older", "run"))
    end_log()
    older = path.read_bytes()
    verb, *others = words
    assert run("conform", verb, "--log", str(path), *others)[0] == 3
    assert path.read_bytes() == older


def test_the_completion_of_a_word_replaces_no_log(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_log(path, ("an", "older", "run"))
    end_log()
    older = path.read_bytes()
    words = ["conform", "run", "--log", str(path)]
    completing = ShellComplete(main, {}, "refengine", "_REFENGINE_COMPLETE")
    found = {one.value for one in completing.get_completions(words, "--ti")}
    assert found == {"--tier"}
    assert path.read_bytes() == older


@pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a device that is always full"
)
def test_a_full_disk_ends_no_run() -> None:
    code = (
        "import os; from refengine_conformance.runner import conversation_log as log;"
        "os.environ[log.VARIABLE] = '/dev/full'; one = log.ConversationLog(1);"
        "one.note('sent', b'x'); one.close()"
    )
    assert run_python(code).returncode == 0


OUT_OF_STEP = TALKING.replace(
    "    sys.stdout.buffer.write(answer",
    "    if number == 5:\n"
    "        answer = answer.replace(b'\"seq\":5', b'\"seq\":999')\n"
    "    sys.stdout.buffer.write(answer",
)


def test_an_answer_out_of_step_is_how_the_conversation_was_lost(
    path: Path, tmp_path: Path, run: Runner
) -> None:
    program = tmp_path / "program.py"
    program.write_text(OUT_OF_STEP)
    words = ("conform", "run", "--log", str(path), *QUIETLY)
    run(*words, "--", sys.executable, str(program))
    first, _, _ = said_by_the_first(path)
    (lost,) = (one["lost"] for one in first if "lost" in one)
    assert "999" in lost
    assert "ended" in first[-1]


def test_a_named_pipe_does_not_end_between_two_conversations(path: Path) -> None:
    os.mkfifo(path)
    read = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        begin_log(path, ("x",))
        assert json.loads(os.read(read, 1 << 16))["command"] == "x"
        with pytest.raises(BlockingIOError):
            os.read(read, 1)
        end_log()
        assert os.read(read, 1) == b""
    finally:
        end_log()
        os.close(read)


def test_a_log_may_go_into_a_pipe() -> None:
    read, write = os.pipe()
    try:
        begin_log(Path(f"/dev/fd/{write}"), ("x",))
        ConversationLog(1).close()
    finally:
        end_log()
        os.close(write)
    with open(read, encoding="utf-8") as stream:
        assert len(stream.read().splitlines()) == 2
