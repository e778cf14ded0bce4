"""The files that commands read line by line, and the exit code that results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from refengine.cli.shared import TOO_FEW, UNREADABLE, WRONG, NamedPath
from refengine.cli.streams import check_input
from refengine.errors import (
    MOST_TOLD,
    Malformed,
    harmless,
    more_unreadable,
    unusable_file,
)
from refengine.formats import file_lines

files_argument = click.argument("files", nargs=-1, required=True, type=NamedPath())


@contextmanager
def open_for_reading(name: str) -> Iterator[BinaryIO]:
    """The bytes of a file as they stand there; `-` is standard input."""
    if name == "-":
        check_input()
        yield sys.stdin.buffer
        return
    try:
        with open(name, "rb") as stream:
            yield stream
    except OSError as error:
        raise unusable_file(error, "read", name) from None


def lines_of_file(name: str) -> Iterator[bytes]:
    """The lines of a file; `-` is standard input.

    Raises Malformed at the first line that cannot be read.
    """
    with open_for_reading(name) as stream:
        try:
            yield from map(_readable, file_lines.lines_of_file(stream))
        except Malformed as error:
            raise error.within(name) from None


def _readable(line: bytes | Malformed) -> bytes:
    """The line; raises Malformed if it is none."""
    if isinstance(line, Malformed):
        raise line
    return line


def numbered_lines(name: str) -> Iterator[tuple[str, bytes | Malformed]]:
    """The lines of a file, each with its place; a line that is bad is its error."""
    number, shown = 0, harmless(name)
    try:
        with open_for_reading(name) as stream:
            for number, line in file_lines.numbered_lines_of(stream):
                yield f"{shown}:{number}", line
    except Malformed as error:
        place = shown if error.where else f"{shown}:{number + 1}"
        yield place, Malformed(error.found, error.allowed)


class Complaints:
    """What is said of lines that cannot be read: each of the first, and how many more.

    With `every`, each of all.
    """

    def __init__(self, every: bool) -> None:
        self._every = every
        self._told = 0

    def tell(self, complaints: Iterable[str]) -> None:
        """Say what is wrong with these lines."""
        for one in complaints:
            self._told += 1
            if self._every or self._told <= MOST_TOLD:
                click.echo(one, err=True)

    def end(self) -> None:
        """Say how many there were beyond those."""
        more = self._told - MOST_TOLD
        if more > 0 and not self._every:
            click.echo(more_unreadable(more), err=True)


class ExitCode:
    """The exit code of a command; of several, the first in the order of the formats."""

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def leave(self) -> None:
        """End the command with this exit code."""
        for code in (UNREADABLE, TOO_FEW, WRONG):
            if code in self.codes:
                click.get_current_context().exit(code)


def each_line(
    files: tuple[str, ...], do: Callable[[str, bytes], None], every: bool = False
) -> ExitCode:
    """Call `do` for each line of each file; lines that cannot be read are reported.

    With `every`, each of them is.
    """
    ending = ExitCode()
    complaints = Complaints(every)
    for name in files:
        place = ""
        for place, line in numbered_lines(name):
            try:
                if isinstance(line, Malformed):
                    raise line
                do(place, line)
            except Malformed as error:
                ending.codes.add(UNREADABLE)
                complaints.tell([f"{place}: {error}"])
        if not place:
            click.echo(f"{harmless(name)}: there is no line in it", err=True)
    complaints.end()
    return ending
