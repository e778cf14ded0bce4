"""Files of text, and what a file is that turns out to be none."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Final

from refengine.errors import Malformed, unusable_file

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
_POINTER: Final = "a pointer of Git LFS, not the file itself"
KINDS: Final = (
    (b"\xff\xfe\x00\x00", "text in UTF-32"),
    (b"\x00\x00\xfe\xff", "text in UTF-32"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
    (b"{\x00", "text in UTF-16"),
    (b"\x00{", "text in UTF-16"),
    (b"\xfd7zXZ", "a file packed by xz"),
    (b"BZh", "a file packed by bzip2"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x04\x22\x4d\x18", "a file packed by lz4"),
    (b"%PDF", "a PDF"),
    (b"SQLite", "an SQLite database"),
    (b"\x80\x04\x95", "a pickle of Python"),
    (b"\x80\x05\x95", "a pickle of Python"),
    (b"<!DOC", "a page in HTML"),
    (b"<!doc", "a page in HTML"),
    (b"<html", "a page in HTML"),
    (b"versio", _POINTER),
)
"""Other files by their first bytes; a longer beginning stands before a shorter one."""
_PACKED: Final = (
    (GZIP, "a file packed by gzip"),
    (ZSTD, "a file packed by zstd"),
)
TAR: Final = "a tar archive"
_TAR_SAYS: Final = slice(257, 262)  # where it says that it is one


def kind_of_file(head: bytes) -> str:
    """What another file is, by its first bytes; empty if they do not show it."""
    if head[_TAR_SAYS] == b"ustar":
        return TAR
    return next((kind for begun, kind in KINDS if head.startswith(begun)), "")


def text_of_file(path: str | PathLike[str]) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    Raises Malformed if it cannot be read or is no such text, and says what it is
    instead, where that can be told.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise unusable_file(error, "read") from None
    except ValueError as error:  # a name that no file can have
        raise Malformed(str(error), "the name of a file") from None
    return text_of_bytes(content)


def text_of_bytes(content: bytes) -> str:
    """The same text, where its bytes have been read."""
    kind = kind_of_file(content) or next(
        (kind for begun, kind in _PACKED if content.startswith(begun)), ""
    )
    if not kind and b"\x00" in content[:2]:
        kind = "text in UTF-16"
    if kind and (kind != _POINTER or b"git-lfs" in content):
        raise Malformed(kind, "text in UTF-8")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError:
        raise Malformed("text in another encoding, or no text", "UTF-8") from None
