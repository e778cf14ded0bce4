"""Processes that are marked by a variable, and found by it wherever they stand."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

_ENVIRONMENTS: Final = Path("/proc")
_ROUNDS: Final = 4


def new_mark() -> str:
    """A name for an environment variable that no other process has."""
    return f"REFENGINE_ADAPTER_{os.urandom(8).hex()}"


def end_marked(mark: str) -> None:
    """End every process that has this variable, wherever it stands.

    Children inherit it, also those that have left their session or lost their parent.
    Only a process that was given another environment is missed; and all of them where
    there is no /proc.
    """
    sought = f"{mark}=".encode()
    for _ in range(_ROUNDS):
        found = [pid for pid in _processes() if sought in _environment(pid)]
        if not found:
            return
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir(_ENVIRONMENTS) if name.isdigit()]
    except OSError:
        return []


def _environment(pid: int) -> bytes:
    try:
        return (_ENVIRONMENTS / str(pid) / "environ").read_bytes()
    except OSError:  # it has ended, or is somebody else's
        return b""
