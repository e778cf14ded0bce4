"""Marks processes with an environment variable, so that they can be found and ended."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_ROUNDS: Final = 4  # since a process may start another while it is being ended


def new_mark() -> str:
    """A new random name for the environment variable that marks processes."""
    return f"REFENGINE_ADAPTER_{os.urandom(8).hex()}"


def end_marked(mark: str) -> None:
    """Kill every process that has this variable in its environment.

    Children inherit it, even those that have left their session or lost their parent. A
    process that was given another environment is missed, and if there is no /proc, no
    process is found.
    """
    variable = f"{mark}=".encode()
    for _ in range(_ROUNDS):
        marked = [pid for pid in _processes() if variable in _environment(pid)]
        if not marked:
            return
        for pid in marked:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _processes() -> list[int]:
    """The ids of all processes; empty if there is no /proc."""
    try:
        return [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    except OSError:
        return []


def _environment(pid: int) -> bytes:
    """The environment with which a process was started; empty if it cannot be read."""
    try:
        return (_PROC / str(pid) / "environ").read_bytes()
    except OSError:  # it has ended, or belongs to another user
        return b""
