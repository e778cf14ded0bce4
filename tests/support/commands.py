"""Run commands for tests, within the process of the tests or in one of their own."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refengine.cli import main

Run = tuple[int, str, str]
"""An exit code, and what was printed on standard output and standard error."""

Runner = Callable[..., Run]
"""A function that runs a command, given as words or as one line to be split."""


def run_command(capsys: pytest.CaptureFixture[str], *words: str) -> Run:
    """The exit code and the output of a command run in this process."""
    typed = shlex.split(words[0]) if len(words) == 1 else [*words]
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main.main(typed)
    shown = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, shown.out, shown.err


def error_of(run: Runner, *words: object, **more: object) -> str:
    """The error message of a command, which must exit with 3 and print nothing else."""
    code, out, err = run(*words, **more)
    assert (code, out, err.count("\n")) == (3, "", 1), (code, out, err)
    return err


def run_given(*words: object, given: bytes = b"") -> Run:
    """The exit code and the output of a command with these bytes as standard input."""
    result = CliRunner().invoke(main.main, [str(word) for word in words], input=given)
    return result.exit_code, result.stdout, result.stderr


def run_process(
    *command: str | Path, cwd: Path | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    """The finished process of a command, which may take two minutes by default."""
    how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 120}
    how["check"] = False
    return subprocess.run(command, cwd=cwd, **{**how, **more})


def run_python(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The finished process of a Python program, given as source and arguments."""
    return run_process(sys.executable, "-c", program, *words)
