"""Standard input and output: where they are closed, full, or nobody reads on."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import Final

import click

from refengine.errors import Malformed

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def check_input(where: str = "-") -> None:
    """Raise Malformed if standard input is closed."""
    if sys.stdin is None:
        found = "standard input closed"
        raise Malformed(found, "standard input that is open", where)


def check_output() -> None:
    """Raise ClickException if standard output is closed: all output would be lost.

    Python would let it pass in silence, and the next file opened would take its place.
    """
    if sys.stdout is None:
        raise click.ClickException("standard output is closed")


def no_room(error: OSError) -> bool:
    """Whether the error says that there is no room for what was to be written."""
    return error.errno in _NO_ROOM


def discard_output() -> None:
    """Drop what is printed but not written yet.

    Otherwise Python tries to write it once more when it ends, which goes wrong again.
    """
    with suppress(OSError):  # a stream that is no file has nothing to try again
        stdout = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stdout)
        os.close(nowhere)


def print_text(text: str) -> None:
    """Print a text; whoever reads it may stop before its end."""
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
