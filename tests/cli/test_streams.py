"""Standard input and output that are closed, full, or that nobody reads to the end."""

import subprocess
import sys
from pathlib import Path

import pytest

from refengine.cli.main import main
from refengine_conformance.jobs.progress import progress_bar

FULL = Path("/dev/full")
CLOSED = "found standard input closed; allowed: standard input that is open\n"


def by_shell(command: str) -> tuple[int, str, str]:
    """The exit code and output of `refengine` with these words and redirections."""
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


@pytest.mark.parametrize("command", ["profiles", "adapter --language js"])
def test_a_reader_who_stops_is_no_fault(command: str) -> None:
    assert by_shell(f"{command} | (exec <&-)")[2] == ""


def test_a_command_that_asks_for_no_input_does_without() -> None:
    code, out, said = by_shell("play --deals 1 <&-")
    assert (code, "totals" in out, said) == (0, True, "")


def test_messages_that_nobody_can_see_change_nothing() -> None:
    assert by_shell("nonsense 2>&-") == (3, "", "")
    code, out, said = by_shell("diff gamerules-domino gamerules-domino 2>&-")
    assert (code, out, said) == (0, "options that differ: 0\n", "")


# In this process


def test_without_standard_input_nothing_is_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SystemExit) as ended:
        main.main(["serve"])
    assert ended.value.code == 3
    assert capsys.readouterr().err == f"refengine: -: {CLOSED}"


def test_without_standard_output_nothing_is_begun(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as ended:
        main.main(["replay", "no such file"])
    assert ended.value.code == 3
    assert capsys.readouterr().err == "refengine: standard output is closed\n"


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a disk that is full")
def test_what_is_left_of_lost_output_is_dropped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with FULL.open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main.main(["profiles"])
    assert ended.value.code == 3
    assert "output is lost: No space left" in capsys.readouterr().err


def test_a_text_that_nobody_reads_to_its_end_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Pipe:
        def write(self, _: bytes) -> int:
            raise BrokenPipeError

    class Output:
        buffer = Pipe()

        def fileno(self) -> int:
            raise OSError

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr(sys, "stdout", Output())
    with pytest.raises(SystemExit) as ended:
        main.main(["adapter", "--language", "js"])
    assert ended.value.code == 0


def test_a_bar_needs_a_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with progress_bar("deals", 10) as moved:
        moved(10)
