"""Decoding and encoding the lines of every format, and reading those of a stream.

A line is decoded by msgspec alone if all of it went into the decoded value. Every other
line then goes through the slower `parsing`, which finds faults that msgspec misses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from refengine.errors import Malformed, whole_number
from refengine.formats.form_errors import explain_form_error
from refengine.formats.parsing import parse_line
from refengine.formats.shapes import (
    LogObject,
    MiniAsked,
    MiniObject,
    RulesetObject,
    TraceObject,
)
from refengine.lawbook.packed_files import BREAKS, broken_off

LONGEST_LINE: Final = 16 * 1024 * 1024
_RARE: Final = (b"\t", b"\r", b"\n")  # white space inside a line

_CLOSED: Final = (RulesetObject, TraceObject, LogObject, MiniObject, MiniAsked)

T = TypeVar("T")
_ENCODER: Final = msgspec.json.Encoder()


_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    return _DECODERS[kind]


def encode(line: object) -> bytes:
    """The line as bytes, without the line ending."""
    return _ENCODER.encode(line)


def convert_to_kind(kind: type[T], value: object) -> T:
    """Convert a plain value to a line of the type `kind`.

    Raises Malformed if the value does not fit that type.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise explain_form_error(error, value, kind) from None


def line_of(data: object) -> bytes:
    """The bytes of a line that is given as bytes, as text or as plain values.

    Raises Malformed if it is none of these.
    """
    if isinstance(data, bytes):
        return data
    try:
        text = data if isinstance(data, str) else json.dumps(data, default=_plain)
    except Malformed:
        raise
    except (TypeError, ValueError, RecursionError):
        found = f"a value of type {type(data).__name__}"
        raise Malformed(found, "plain values, or JSON as text") from None
    return text.encode("utf-8", "surrogatepass")


def _plain(value: object) -> int:
    """Convert a whole number of another type, such as one of NumPy's, to an `int`.

    Raises Malformed if the value is not a whole number.
    """
    number = whole_number(value)
    if number is None:
        found = f"a value of type {type(value).__name__}"
        raise Malformed(found, "plain values, or JSON as text")
    return number


def decode(line: bytes, kind: type[T]) -> T:
    """Decode a line into a value of the type `kind`.

    Raises Malformed if the line does not fit that type; the error says where, what was
    found there, and what is allowed.
    """
    line = line.rstrip(b"\r\n")
    try:
        decoded: T = _decoder(kind).decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return convert_to_kind(kind, parse_line(line))
    if line.find(b'"x-') < 0 and _is_whole(decoded, line):
        return decoded
    return convert_to_kind(kind, parse_line(line))


def _is_whole(decoded: object, line: bytes) -> bool:
    """Whether the decoded value holds everything that the line contains.

    It does if encoding it again gives the same line. For a type without a field of type
    `Any`, in which no number can become longer, it is enough that the new line is as
    long as the old one apart from white space: then no key was repeated or skipped, and
    none was filled in by a default.
    """
    again = _ENCODER.encode(decoded)
    if again == line:
        return True
    if not isinstance(decoded, _CLOSED):
        return False
    # The new line has no white space except spaces, and those only within strings.
    more = len(line) - len(again) - line.count(b" ") + again.count(b" ")
    return more == 0 or more == sum([line.count(one) for one in _RARE])


def in_our_layout(line: bytes, kind: Any) -> bytes:
    """The line with its keys and white space as the engine's writer would write them.

    Raises Malformed if it is not a line of this kind.
    """
    return encode(decode(line, kind))


def lines_of(stream: BinaryIO) -> Iterator[bytes | Malformed]:
    """Yield the lines of a stream; a line that is too long is replaced by an error.

    This is for lines sent by another program; files are read by `file_lines`.
    Raises Malformed if the stream itself ends too early, as a truncated gzip file does.
    """
    try:
        while line := stream.readline(LONGEST_LINE + 1):
            if len(line) <= LONGEST_LINE:
                yield line
                continue
            size = len(line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST_LINE)
                size += len(line)
            yield Malformed(f"a line of {size} bytes", "at most 16 MiB a line")
    except BREAKS as error:
        raise broken_off(error) from None
