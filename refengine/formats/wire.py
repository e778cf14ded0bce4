"""The lines of every format: decoding, encoding, the lines of a stream.

A line that our own writer could have written is decoded by msgspec alone. Every other
line takes a second, slower way by `parsing`, which finds what msgspec lets pass.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from refengine.errors import Malformed
from refengine.formats.form_errors import explained
from refengine.formats.parsing import parsed
from refengine.formats.shapes import (
    LogObject,
    MiniAsked,
    MiniObject,
    RulesetObject,
    TraceObject,
)

LONGEST_LINE: Final = 16 * 1024 * 1024

_CLOSED: Final = (RulesetObject, TraceObject, LogObject, MiniObject, MiniAsked)

T = TypeVar("T")
_ENCODER: Final = msgspec.json.Encoder()


_DECODERS: Final[dict[Any, msgspec.json.Decoder[Any]]] = {}


def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    if kind not in _DECODERS:
        _DECODERS[kind] = msgspec.json.Decoder(kind)
    return _DECODERS[kind]


def encode(line: object) -> bytes:
    """The line as it is written, without its end."""
    return _ENCODER.encode(line)


def made(kind: type[T], value: object) -> T:
    """The plain value as a line of this kind.

    Raises Malformed where it is none.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise explained(error, value, kind) from None


def decode(line: bytes, kind: type[T]) -> T:
    """The line as a value of this kind.

    Raises Malformed, which says where, what was found and what is allowed.
    """
    line = line.rstrip(b"\r\n")
    try:
        decoded: T = _decoder(kind).decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return made(kind, parsed(line))
    if b'"x-' not in line and _is_whole(decoded, line):
        return decoded
    return made(kind, parsed(line))


def _is_whole(decoded: object, line: bytes) -> bool:
    """Whether all of the line went into what was decoded.

    Written again it is the same; or in a type without `Any`, where no number can become
    longer, it has the size that the line has without the space between its parts. So
    nothing was repeated, skipped or left to a default.
    """
    again = _ENCODER.encode(decoded)
    if again == line:
        return True
    if not isinstance(decoded, _CLOSED):
        return False
    return len(again) == len(msgspec.json.format(line, indent=-1))


def laid_out(line: bytes, kind: Any) -> bytes:
    """The line with the keys and the space that our writer gives it.

    Raises Malformed where it is no line of this kind.
    """
    return encode(decode(line, kind))


def lines_of(stream: BinaryIO) -> Iterator[bytes | Malformed]:
    """The lines of a stream one by one, in place of one that is too long what is wrong.

    Raises Malformed where the stream itself cannot be read on: a truncated gzip file.
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
    except (EOFError, OSError, zlib.error) as error:
        raise Malformed(f"{error}", "a file that can be read to its end") from None
