"""Tests of closed or full standard streams, and of readers that stop early."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from refengine import Ruleset
from refengine.formats.generate import Manner, random_traces
from refengine.formats.trace import write_trace
from refengine.jobs.progress import progress_bar
from tests.support.commands import Run, Runner

FULL = Path("/dev/full")
CLOSED = "found standard input closed; allowed: standard input that is open\n"


def by_shell(command: str) -> Run:
    """The exit code and output of `refengine`, called by a shell with this text."""
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" -m refengine {command}', sys.executable],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


# In a process of its own, as in a shell


@pytest.mark.parametrize(
    ("command", "out", "said"),
    [
        ("replay - <&-", "0 as expected, 0 not\n", f"-: {CLOSED}"),
        ("judge - <&-", "", f"-: {CLOSED}"),
        ("explain - <&-", "", f"refengine: -: {CLOSED}"),
        ("serve <&-", "", f"refengine: -: {CLOSED}"),
        ("play --human 0 <&-", "", f"refengine: --human: {CLOSED}"),
        ("profiles >&-", "", "refengine: standard output is closed\n"),
        ("--help >&-", "", "refengine: standard output is closed\n"),
        ("conform registry --check >&-", "", "refengine: standard output is closed\n"),
    ],
)
def test_a_closed_stream_is_one_clear_line_and_exit_code_3(
    command: str, out: str, said: str
) -> None:
    assert by_shell(command) == (3, out, said)


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a disk that is full")
@pytest.mark.parametrize(
    "command", ["profiles", "--help", "generate", "adapter --language js"]
)
def test_output_without_room_is_one_clear_line_and_exit_code_3(command: str) -> None:
    said = "refengine: output is lost: No space left on device\n"
    assert by_shell(f"{command} >{FULL}") == (3, "", said)


def unread(*words: str, stderr_too: bool = False) -> tuple[int, str]:
    """The exit code and standard error of `refengine` when nobody reads its output."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "refengine", *words],
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=writer if stderr_too else subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writer)
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize("stderr_too", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        "profiles",
        "profiles --json",
        "adapter --language js",
        "rule 5.3",
        "schema",
        "--help",
        "--version",
        "replay --help",
        "conform run --help",
        "conform mutants list",
        "conform proofs --help",
    ],
)
def test_a_command_that_only_prints_stops_with_0_when_its_reader_does(
    command: str, stderr_too: bool
) -> None:
    assert unread(*command.split(), stderr_too=stderr_too) == (0, "")


def test_a_command_stops_at_once_when_its_reader_does() -> None:
    # All of these games would take an hour.
    assert unread("generate", "--matches", "1000000") == (0, "")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of three games, a copy with an error, and a score sheet.

    The error is in the score of the first game.
    """
    folder = tmp_path_factory.mktemp("games")
    random = random_traces(Ruleset("estmesh-hearts"), 3, 1, Manner())
    made = [write_trace(one) for one in random]
    (folder / "right.jsonl").write_bytes(b"\n".join(made) + b"\n")
    first = re.sub(rb'"score":\[\d+', b'"score":[99', made[0], count=1)
    assert first != made[0]
    (folder / "wrong.csv.jsonl").write_bytes(b"A,B,C,D\n13,5,8,1\n")
    (folder / "wrong.jsonl").write_bytes(b"\n".join([first, *made[1:]]) + b"\n")
    return folder


@pytest.mark.parametrize("stderr_too", [False, True])
@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("replay right.jsonl", 0),
        ("replay wrong.jsonl", 1),
        ("replay --json wrong.jsonl", 1),
        ("replay --jobs 2 wrong.jsonl", 1),
        ("replay --at-least 4 right.jsonl", 4),
        ("judge --profile estmesh-hearts right.jsonl", 0),
        ("judge --profile estmesh-hearts wrong.jsonl", 1),
        ("scores wrong.csv.jsonl", 1),
        ("stamp --check wrong.jsonl", 1),
        ("conform run --corpus right.jsonl --no-shrink -- builtin:reference", 0),
        ("conform run --corpus right.jsonl -- no-such-adapter", 2),
        ("conform selftest --only accepts_all", 0),
        ("conform registry --check", 0),
    ],
)
def test_a_command_that_judges_ends_with_its_verdict_though_nobody_reads(
    games: Path, command: str, verdict: int, stderr_too: bool
) -> None:
    words = [str(games / one) if ".jsonl" in one else one for one in command.split()]
    assert unread(*words, stderr_too=stderr_too)[0] == verdict


def test_a_citation_whose_wording_has_changed_is_a_verdict_too() -> None:
    assert unread("cite", "HFR 7.7@1.0.0") == (1, "")


def test_an_error_that_nobody_reads_keeps_its_exit_code() -> None:
    assert unread("rule", "99.99", stderr_too=True)[0] == 3
    assert unread("replay", "no such file", stderr_too=True)[0] == 3


def test_a_command_that_asks_for_no_input_does_without() -> None:
    code, out, said = by_shell("play --deals 1 <&-")
    assert (code, "totals" in out, said) == (0, True, "")


def test_messages_that_nobody_can_see_change_nothing() -> None:
    assert by_shell("nonsense 2>&-") == (3, "", "")
    code, out, said = by_shell("diff gamerules-domino gamerules-domino 2>&-")
    assert (code, out, said) == (0, "options that differ: 0\n", "")


NAMES = ["Łuk", "Ben", "♥", "\U0001f600"]


def encoded(games: Path, encoding: str, command: str) -> bytes:
    """The output of a command in this encoding, run in the folder of games."""
    (games / "names.csv").write_bytes(f"{','.join(NAMES)}\n0,26,26,26\n".encode())
    done = subprocess.run(
        [sys.executable, "-m", "refengine", *command.split()],
        cwd=games,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp1252:replace"])
@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("scores names.csv", "shot the moon"),
        ("profile common-hearts", "queen of spades"),
        ("play --deals 1 --seed 3", "totals"),
        ("judge --profile estmesh-hearts right.jsonl", "against these rules"),
    ],
)
def test_what_a_terminal_cannot_show_is_escaped(
    games: Path, command: str, shown: str, encoding: str
) -> None:
    text = encoded(games, encoding, command).decode(encoding.partition(":")[0])
    assert shown in text
    if command == "scores names.csv":
        name = "?uk" if encoding.endswith(":replace") else "\\u0141uk"
        assert f"{name} shot the moon" in text


def test_json_is_json_in_every_encoding(games: Path) -> None:
    told = json.loads(
        encoded(games, "latin-1", "scores names.csv --json").decode("ascii")
    )
    assert told["names"] == NAMES


# In this process


def test_without_standard_input_nothing_is_read(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert run("serve") == (3, "", f"refengine: -: {CLOSED}")


def test_without_standard_output_nothing_is_begun(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    said = "refengine: standard output is closed\n"
    assert run("replay", "no such file") == (3, "", said)


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a disk that is full")
def test_what_is_left_of_lost_output_is_dropped(
    run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        code, _, err = run("profiles")
    assert (code, "output is lost: No space left" in err) == (3, True)


def test_a_bar_needs_a_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress_bar("deals", 10) as moved:
        moved(10)
