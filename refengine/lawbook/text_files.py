"""Reading text files, and recognising other kinds of file that are given instead."""

from __future__ import annotations

import io
from itertools import pairwise
from os import PathLike, fsencode
from pathlib import Path
from typing import Final

from refengine.errors import Malformed, unusable_file
from refengine.lawbook.packed_files import BREAKS, GZIP, ZSTD, broken_off, unpacked_as

POINTER: Final = "a Git LFS pointer, not the file itself"
KINDS: Final = (
    (b"\xff\xfe\x00\x00", "text in UTF-32"),
    (b"\x00\x00\xfe\xff", "text in UTF-32"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
    (b"{\x00", "text in UTF-16"),
    (b"\x00{", "text in UTF-16"),
    (b"\xfd7zXZ", "a file packed by xz"),
    (b"BZh", "a file packed by bzip2"),
    (b"PK\x03\x04", "a zip archive, as a spreadsheet or a document is"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "a file packed by lz4"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"{\\rtf", "an RTF document, not plain text"),
    (b"\x1b[", "text with the colours of a terminal, which jq leaves out with -M"),
    (b"SQLite", "an SQLite database"),
    (b"\x80\x04\x95", "a Python pickle"),
    (b"\x80\x05\x95", "a Python pickle"),
    (b"<!DOC", "an HTML page"),
    (b"<!doc", "an HTML page"),
    (b"<html", "an HTML page"),
    (b"versio", POINTER),
)
"""Other kinds of file, by their first bytes; longer beginnings precede shorter ones."""
_LARGEST: Final = 16 * 1024 * 1024  # the most bytes of text that a packed file may hold
_NO_UTF_8: Final = "text in another encoding, or no text"
TAR: Final = "a tar archive"
_TAR_SAYS: Final = slice(257, 262)  # where a tar archive says that it is one


def kind_of_file(head: bytes) -> str:
    """The kind of file in KINDS, or TAR, that begins with these bytes; else empty."""
    if head[_TAR_SAYS] == b"ustar":
        return TAR
    return next((kind for begun, kind in KINDS if head.startswith(begun)), "")


def usable_path(path: str | PathLike[str]) -> str | PathLike[str]:
    """The path itself; raises Malformed for a name that no file can have."""
    try:
        if b"\0" in fsencode(path):
            raise Malformed("a name with a NUL byte", "the name of a file")
    except UnicodeEncodeError as error:
        raise Malformed(str(error), "the name of a file") from None
    return path


def text_of_file(path: str | PathLike[str]) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    Raises Malformed if the file cannot be read or is not such text; the error says what
    it is instead, if that is known.
    """
    try:
        content = Path(usable_path(path)).read_bytes()
    except OSError as error:
        raise unusable_file(error, "read") from None
    return text_of_bytes(content)


def text_of_bytes(content: bytes) -> str:
    """The text of a file with these bytes, which may be packed with gzip or zstd.

    Raises Malformed if it is not text in UTF-8; the error says what it is instead, if
    that is known.
    """
    if content.startswith((GZIP, ZSTD)):
        content = _unpacked(content)
    kind = kind_of_file(content)
    if not kind and b"\x00" in content[:2]:
        kind = "text in UTF-16" if _seems_utf_16(content) else _NO_UTF_8
    if kind and (kind != POINTER or b"git-lfs" in content):
        raise Malformed(kind, "text in UTF-8")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise Malformed(_NO_UTF_8, "UTF-8") from None


def _seems_utf_16(content: bytes) -> bool:
    """Whether NUL and other bytes alternate at first, as in ASCII text in UTF-16."""
    nul = [byte == 0 for byte in content[:8]]
    return len(content) % 2 == 0 and all(one != other for one, other in pairwise(nul))


def _unpacked(content: bytes) -> bytes:
    """The unpacked content of a file; raises Malformed if it cannot be used."""
    try:
        found = unpacked_as(content, io.BytesIO(content)).read(_LARGEST + 1)
    except BREAKS as error:
        raise broken_off(error) from None
    if len(found) > _LARGEST:
        raise Malformed("a packed file of more than 16 MiB", "at most 16 MiB of text")
    if found.startswith((GZIP, ZSTD)):
        raise Malformed("a packed file within a packed file", "text in UTF-8")
    return found
