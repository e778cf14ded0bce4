"""What to do when standard input or output is closed, or the disk is full.

A reader that stops is handled in `refengine.jobs.unread_output`.
"""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from typing import Final

import click

from refengine.errors import Malformed
from refengine.jobs.unread_output import write_nowhere

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_input(where: str = "-") -> None:
    """Raise Malformed if standard input is closed."""
    if sys.stdin is None:
        found = "standard input closed"
        raise Malformed(found, "standard input that is open", where)


def check_output() -> None:
    """Raise ClickException if standard output is closed: all output would be lost.

    Python would say nothing, and the next file opened would take the place of stdout.
    """
    if sys.stdout is None:
        raise click.ClickException("standard output is closed")


def is_out_of_room(error: OSError) -> bool:
    """Whether the error says that there was no room to write the output."""
    return error.errno in _NO_ROOM


def discard_output() -> None:
    """Drop what has been printed but not yet written.

    Otherwise Python would try to write it again at exit, and fail again.
    """
    with suppress(OSError):  # a stream without a file has nothing to write at exit
        write_nowhere(sys.stdout.fileno())


def print_text(text: str) -> None:
    """Print text, whatever the encoding of the terminal."""
    print_bytes(text.encode("utf-8", "replace"))


def print_bytes(content: bytes) -> None:
    """Print bytes as they are."""
    sys.stdout.buffer.write(content)
    sys.stdout.flush()
