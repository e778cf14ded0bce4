"""The files that commands read line by line, and the exit code that results."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from refengine.cli.shared import TOO_FEW, UNREADABLE, WRONG
from refengine.cli.streams import check_input
from refengine.errors import Malformed, harmless
from refengine.formats import wire

files_argument = click.argument("files", nargs=-1, required=True)


@contextmanager
def open_for_reading(name: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked if it is a .gz file; `-` is standard input."""
    if name == "-":
        check_input()
        yield sys.stdin.buffer
        return
    try:
        with gzip.open(name) if name.endswith(".gz") else open(name, "rb") as stream:
            yield stream  # type: ignore[misc]  # a gzip file reads like any other
    except OSError as error:
        raise Malformed(f"{error.strerror}", "a file to read", name) from None


def lines_of_file(name: str) -> Iterator[bytes]:
    """The lines of a file; `-` is standard input.

    Raises Malformed at the first line that cannot be read.
    """
    with open_for_reading(name) as stream:
        for line in wire.lines_of(stream):
            if isinstance(line, Malformed):
                raise line.within(name)
            yield line


def numbered_lines(name: str) -> Iterator[tuple[str, bytes | Malformed]]:
    """The lines of a file, each with its place; a line that is bad is its error."""
    number, shown = 0, harmless(name)
    try:
        with open_for_reading(name) as stream:
            for line in wire.lines_of(stream):
                number += 1
                yield f"{shown}:{number}", line
    except Malformed as error:
        place = shown if error.where else f"{shown}:{number + 1}"
        yield place, Malformed(error.found, error.allowed)


class ExitCode:
    """The exit code of a command; of several, the first in the order of the formats."""

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def leave(self) -> None:
        """End the command with this exit code."""
        for code in (UNREADABLE, TOO_FEW, WRONG):
            if code in self.codes:
                click.get_current_context().exit(code)


def each_line(files: tuple[str, ...], do: Callable[[str, bytes], None]) -> ExitCode:
    """Call `do` for each line of each file; lines that cannot be read are reported."""
    ending = ExitCode()
    for name in files:
        for place, line in numbered_lines(name):
            try:
                if isinstance(line, Malformed):
                    raise line
                do(place, line)
            except Malformed as error:
                ending.codes.add(UNREADABLE)
                click.echo(f"{place}: {error}", err=True)
    return ending
