"""Handling output whose reader may stop before the end.

`refengine profiles | grep -q tiles` closes the pipe as soon as it has seen enough.
That is not an error: a command that only prints stops at once, with exit code 0, and
one that has yet to reach a verdict goes on silently and ends with that verdict's exit
code.

This module imports none of the rules: a tool may have to load them in its own way.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_FAILS: Final = ("strict", "surrogateescape")
_ESCAPE: Final = "backslashreplace"
"""How a character missing from a terminal's encoding is written: as in `\\u2660`."""


class _Unread(io.FileIO):
    """A standard stream that drops what is written after its reader has stopped."""

    def __init__(self, number: int, goes_on: bool) -> None:
        super().__init__(number, "w", closefd=False)
        self.goes_on = goes_on

    def write(self, content: ReadableBuffer, /) -> int:
        """Write the content; if nobody reads it, raise SystemExit unless `goes_on`."""
        try:
            return super().write(content)
        except BrokenPipeError:
            write_nowhere(self.fileno())
        if not self.goes_on:
            raise SystemExit(0)
        return memoryview(content).nbytes


def write_nowhere(number: int) -> None:
    """Make this file descriptor drop everything that is written to it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


@contextmanager
def unread_output(goes_on: bool = False) -> Iterator[None]:
    """Return a context in which it is not an error if a reader of output stops reading.

    If the reader of standard output stops, the program ends with exit code 0, unless
    `goes_on` is true or `finish_unread` has been called. If the reader of standard
    error stops, messages are dropped and the program goes on, so that an error keeps
    its exit code.
    """
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _wrapped(before[0], goes_on), _wrapped(before[1], True)
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    finally:
        sys.stdout, sys.stderr = before


def _wrapped(stream: TextIO, goes_on: bool) -> TextIO:
    """Wrap a stream, so that it is not an error if its reader stops reading.

    If `stream` is None, is closed or is not a file, it is returned as it is.
    """
    try:
        raw = _Unread(stream.fileno(), goes_on)
    except (AttributeError, OSError, ValueError):  # closed, or not a file at all
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=_ESCAPE if stream.errors in _FAILS else stream.errors,
        line_buffering=stream.isatty(),
    )


def finish_unread() -> None:
    """Make the program go on even if its reader stops: its exit code is a verdict."""
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    if isinstance(raw, _Unread):
        raw.goes_on = True
