"""The log of all conversations with adapters, written as they happen.

Each line after the first is a JSON object for one event. It holds the time in UTC, the
process id and a text, whose key names the kind of event: `started`, `sent`, `got`,
`stderr`, `lost` or `ended`. Each line is written whole, so that several processes can
share a file. JSON keeps anything an adapter says from reaching a terminal unescaped.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from refengine.errors import Malformed, unusable_file
from refengine.formats.wire import LONGEST_LINE

VARIABLE: Final = "REFENGINE_ADAPTER_LOG"
"""The environment variable that tells worker processes where to write."""

_FORMAT: Final = 1

_HEAD: Final = {"log", "time", "command"}
"""The keys of the first line of such a log; a compact log of games has other keys."""

_kept_open: Final[list[int]] = []
"""A descriptor of the log, kept open from `begin_log` to `end_log`."""


def begin_log(path: Path, command: Sequence[str], flag: str = "--log") -> None:
    """Start logging all conversations in a new file, including those of workers.

    An older log is replaced. Raises Malformed if the file cannot be written, or exists
    and is not a log; `flag` is the flag that named the file, for the message.
    """
    head = {"log": _FORMAT, "time": _now(), "command": shlex.join(command)}
    assert head.keys() == _HEAD
    try:
        if path.exists() and not _may_be_replaced(path):
            raise Malformed("a file that is not a log", "a new file, or a log", flag)
        with path.open("w", encoding="utf-8") as file:
            file.write(json.dumps(head) + "\n")
            file.flush()
            # Without a writer, a named pipe would end for its readers.
            _kept_open.append(os.dup(file.fileno()))
    except OSError as error:
        raise unusable_file(error, "written", f"{flag} {path}") from None
    # Not resolved: a pipe such as /dev/stderr resolves to no file.
    os.environ[VARIABLE] = str(path.absolute())


def log_file() -> str:
    """The path of the log; empty if conversations are not logged."""
    return os.environ.get(VARIABLE, "")


def end_log() -> None:
    """Stop logging: conversations that begin after this are not logged."""
    os.environ.pop(VARIABLE, None)
    while _kept_open:
        os.close(_kept_open.pop())


def _may_be_replaced(path: Path) -> bool:
    """Whether a log may replace this file: whether it is empty or a log itself."""
    if path.stat().st_size == 0:
        return True
    with suppress(ValueError, RecursionError), path.open(encoding="utf-8") as file:
        first = json.loads(file.readline(LONGEST_LINE))
        return isinstance(first, dict) and first.keys() == _HEAD
    return False


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _opened(path: str) -> int:
    """The descriptor of the log, open for appending, or -1 if it cannot be opened."""
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    except OSError:
        return -1


class ConversationLog:
    """The part of the log that this process writes about one adapter."""

    def __init__(self, process: int) -> None:
        """Open the log for an adapter with this process id.

        For a built-in adapter, it is the id of this process.
        """
        self.process: Final = process
        self._file: Final = _opened(os.environ[VARIABLE])

    def note(self, what: str, text: str | bytes) -> None:
        """Add a line for one event; if it cannot be written, the run goes on anyway."""
        if isinstance(text, bytes):
            text = text.decode("utf-8", "backslashreplace")
        line = {"time": _now(), "process": self.process, what: text.rstrip("\n")}
        with suppress(OSError):
            os.write(self._file, json.dumps(line).encode() + b"\n")

    def close(self) -> None:
        """Add the event `ended`, and close the file."""
        self.note("ended", "")
        with suppress(OSError):
            os.close(self._file)
