"""Files packed with gzip or zstd, unpacked as they are read."""

from __future__ import annotations

import gzip
import io
import zlib
from importlib import import_module
from typing import Any, BinaryIO, Final, cast

from refengine.errors import Malformed

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"

BREAKS: Final = (EOFError, OSError, zlib.error)
"""The errors that are raised if a stream cannot be read to its end."""

_Packed = io.RawIOBase | io.BufferedIOBase

_BITE: Final = 512
"""Packed bytes read at a time: zstd may make 16 MiB of them, the limit of a line."""


def broken_off(error: Exception) -> Malformed:
    """The Malformed to raise for an error that came from a packed stream."""
    found = str(error)
    if found.startswith("Not a gzipped file"):
        found = "something other than gzip after the end of a gzip file"
    return Malformed(found, "a file that can be read to its end")


def unpacked_as(head: bytes, packed: _Packed) -> BinaryIO:
    """The content of a stream that begins with `head` and is packed with gzip or zstd.

    Raises Malformed for zstd if the extra for it is not installed. Reading the result
    may raise one of `BREAKS`.
    """
    if head.startswith(GZIP):
        return cast(BinaryIO, gzip.GzipFile(fileobj=cast(Any, packed), mode="rb"))
    return _unzstd(packed)


def _unzstd(packed: _Packed) -> BinaryIO:
    """The content of a zstd stream; raises Malformed if the extra is not installed."""
    try:
        # By name, as mypyc follows what the rules import and a build lacks the extra.
        zstandard = import_module("zstandard")
    except ImportError:
        allowed = "gzip, or zstd with the extra: pip install 'refengine[zstd]'"
        raise Malformed("a file packed by zstd", allowed) from None
    return io.BufferedReader(_Unzstd(packed, zstandard))


class _Unzstd(io.RawIOBase):
    """The content of a stream packed with zstd, in any number of frames."""

    def __init__(self, packed: _Packed, zstandard: Any) -> None:
        self._packed = packed
        self._error = zstandard.ZstdError
        self._new_frame = zstandard.ZstdDecompressor().decompressobj
        self._frame: Any = None
        self._rest = b""  # the packed bytes that follow the frame
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Return True, since the stream can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Put unpacked bytes into the buffer and return how many; 0 means the end."""
        while not self._ready:
            packed = self._rest or self._packed.read(_BITE)
            if not packed:
                if self._frame is not None:
                    raise EOFError("a packed file that is cut short")
                return 0
            self._unpack(packed)
        found = self._ready[: len(buffer)]
        buffer[: len(found)] = found
        self._ready = self._ready[len(found) :]
        return len(found)

    def _unpack(self, packed: bytes) -> None:
        if self._frame is None:
            self._frame = self._new_frame()
        try:
            self._ready = memoryview(self._frame.decompress(packed))
        except self._error as error:
            raise OSError(str(error)) from None
        self._rest = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None
