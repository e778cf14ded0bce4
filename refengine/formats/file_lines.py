"""Reading the lines of a file, however the file is packed and laid out.

The first bytes of a file show what it is, but reading does not wait for all of them. If
a line of one of the formats can begin with the first byte, reading goes on line by
line; otherwise, it waits for a few more bytes, to find out what the file is.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, cast

import msgspec

from refengine.errors import Malformed
from refengine.formats.wire import LONGEST_LINE, lines_of
from refengine.lawbook.packed_files import BREAKS, GZIP, ZSTD, broken_off, unpacked_as
from refengine.lawbook.text_files import KINDS, POINTER, TAR, kind_of_file

BOM: Final = b"\xef\xbb\xbf"

_LOOKED_AT: Final = 6
_OTHERS: Final = frozenset(
    begun[:1] for begun in (GZIP, ZSTD, BOM, *dict(KINDS)) if begun[:1] != b"{"
)
"""First bytes that make reading wait for more; no object begins with any of them."""
_ALLOWED: Final = "lines in UTF-8, plain or packed by gzip or zstd"

_OPEN_ENDS: Final = (b"{", b"[", b",", b":")
_NO_TOKEN: Final = (b"{", b"[", b",")
_LISTED: Final = re.compile(rb"\s*\[\s*\{")
_TEXTS: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?')  # perhaps without its end

Line = bytes | Malformed


def numbered_lines_of(stream: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Yield the lines of a file with their numbers, counted from 1.

    A line that is too long is replaced by the error that says so; an object or a list
    that the end of the file cuts short also gives an error. A file packed with gzip or
    zstd is unpacked, and a byte order mark is dropped. An object that a program has
    laid out over several lines counts as one line, with the number of its first line;
    each object in a list also counts as one line.
    Raises Malformed if the file is of a kind that cannot be read, if it ends too early,
    as a truncated gzip file does, or if it is packed with zstd but the extra for zstd
    is not installed.
    """
    try:
        text = _unpacked(stream)
    except BREAKS as error:
        raise broken_off(error) from None
    yield from _whole_objects(lines_of(text))


def lines_of_file(stream: BinaryIO) -> Iterator[Line]:
    """The lines of a file as `numbered_lines_of` reads them, without their numbers."""
    return (line for _, line in numbered_lines_of(stream))


# What the file is


def _unpacked(stream: BinaryIO, from_packed: bool = False) -> BinaryIO:
    """The text in a stream, unpacked if need be and without a byte order mark.

    `from_packed` says whether the stream is the content of a packed file. Raises
    Malformed if the stream is of a kind that cannot be read.
    """
    head, begun = _begun(stream)
    if head.startswith(BOM):
        return _continued(head[len(BOM) :], begun)
    if head.startswith((GZIP, ZSTD)) and not from_packed:
        whole = _Continued(head, begun)
        return _unpacked(unpacked_as(head, whole), from_packed=True)
    if head.startswith((GZIP, ZSTD)):
        raise Malformed("a packed file within a packed file", _ALLOWED)
    kind = kind_of_file(head)
    if kind and (kind != POINTER or b"git-lfs" in begun.peek(_LOOKED_AT)):
        raise Malformed(kind, _ALLOWED)
    return _continued(head, begun) if head[:1] in _OTHERS else begun


def _begun(stream: BinaryIO) -> tuple[bytes, io.BufferedReader]:
    """The first bytes of a stream, and the stream from which to go on reading.

    The bytes are taken out of the stream only if no line of any format can begin with
    the first of them. Raises Malformed for a tar archive.
    """
    if not hasattr(stream, "peek"):
        stream = io.BufferedReader(cast(io.RawIOBase, stream))
    buffered = cast(io.BufferedReader, stream)
    seen = buffered.peek(_LOOKED_AT)
    if kind_of_file(seen) == TAR:
        raise Malformed(TAR, _ALLOWED)
    head = seen[:_LOOKED_AT]
    return (buffered.read(_LOOKED_AT) if head[:1] in _OTHERS else head), buffered


class _Continued(io.RawIOBase):
    """The bytes taken out of a stream, followed by the rest of the stream."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = cast(io.BufferedReader, stream)

    def readable(self) -> bool:
        """Return True, since the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Put the next bytes into the buffer, and return how many."""
        found = self._head[: len(buffer)] or self._stream.read1(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(found)] = found
        return len(found)


def _continued(head: bytes, stream: BinaryIO) -> BinaryIO:
    return io.BufferedReader(_Continued(head, stream))


# Objects that span several lines


def _whole_objects(lines: Iterator[Line]) -> Iterator[tuple[int, Line]]:
    """Yield the lines with their numbers, the lines of each object joined into one.

    An object has the number of its first line. The objects may be in a list, either on
    one line or with its brackets on lines of their own. If an object is cut short, its
    lines up to the next object are joined.
    """
    begun: _OpenObject | None = None
    listed = False
    number = 0
    for number, line in enumerate(lines, 1):
        if begun is not None and _begins_anew(line, begun.margin, listed):
            yield begun.number, begun.joined(listed)
            begun = None
        if begun is not None:
            assert isinstance(line, bytes)
            begun.add(line)
        elif isinstance(line, Malformed) or line.endswith((b"}\n", b"}")):
            yield number, line  # the case for nearly every line
        elif line.strip() == (b"]" if listed else b"[") and (listed or number == 1):
            listed = not listed
        elif _goes_on(line):
            begun = _OpenObject(number, line)
        else:
            for one in _of_list(line):
                yield number, one
        if begun is not None and begun.depth <= 0:
            yield begun.number, begun.joined(listed)
            begun = None
    if begun is not None:
        yield begun.number, Malformed("the end of the file", "the end of its object, }")
    elif listed:
        yield number, Malformed("the end of the file", "the end of its list, ]")


class _OpenObject:
    """The lines read so far of an object that spans several lines.

    `number` is that of the first line, `margin` the white space before the brace that
    opens the object, and `depth` the number of braces and brackets still open.
    """

    def __init__(self, number: int, first: bytes) -> None:
        self.number: Final = number
        self.margin: Final = first[: len(first) - len(first.lstrip())]
        self.depth = 0
        self._size = 0
        self._parts: list[bytes] = []
        self.add(first)

    def add(self, line: bytes) -> None:
        """Add the next line; once the object is too long, no more are kept."""
        self._size += len(line)
        self.depth += _depth(line)
        if self._size <= LONGEST_LINE:
            self._parts.append(line)

    def joined(self, listed: bool) -> Line:
        """The lines joined into one, or an error if that is too long.

        If the object is in a list, the comma after it is left out.
        """
        if self._size > LONGEST_LINE:
            found = f"an object of {self._size} bytes"
            return Malformed(found, "at most 16 MiB a line")
        if len(self._parts) == 1 and not listed:
            return self._parts[0]
        # A space goes wherever two tokens could run together, as 1 and 2 with no comma.
        tight = [part.strip() for part in self._parts]
        whole = b"".join(
            [one if one.endswith(_NO_TOKEN) else one + b" " for one in tight]
        ).rstrip()
        return (whole.removesuffix(b",") if listed else whole) + b"\n"


def _begins_anew(line: Line, margin: bytes, listed: bool) -> bool:
    """Whether this line is no longer part of the object whose first line has `margin`.

    `margin` is the white space before the brace that opens the object. The contents of
    an object are indented further than that, so a brace after the same white space
    begins the next object. A bracket without white space before it ends the list,
    unless the objects are not indented either.
    """
    if isinstance(line, Malformed) or line.startswith(margin + b"{"):
        return True
    return listed and margin != b"" and line.startswith(b"]")


def _of_list(line: bytes) -> list[bytes]:
    """Split a line that holds a whole list into its objects; keep any other line."""
    if not (_LISTED.match(line) and line.rstrip().endswith(b"]")):
        return [line]
    try:
        found = msgspec.json.decode(line, type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return [line]
    return [bytes(one) + b"\n" for one in found]


def _goes_on(line: bytes) -> bool:
    """Whether a line begins an object that must continue on the next line."""
    return line.lstrip().startswith(b"{") and line.rstrip().endswith(_OPEN_ENDS)


def _depth(line: bytes) -> int:
    """By how many levels a line deepens the nesting, ignoring what is in strings."""
    bare = _TEXTS.sub(b"", line)
    opened = bare.count(b"{") + bare.count(b"[")
    return opened - bare.count(b"}") - bare.count(b"]")
