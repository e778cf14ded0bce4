"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
import tempfile
from pathlib import Path
from threading import Lock
from typing import Final


def write_file(name: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole: a reader finds either the old file or the new, never a part.

    Raises OSError if it cannot be written; the file is then left as it was.
    """
    path = Path(name)
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or a device has no old content to keep
        return
    # Resolved only now, since a pipe such as /dev/stdout resolves to no file.
    path = Path(os.path.realpath(path))
    if path.is_symlink():  # a loop of links, which leads to no file
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(name))
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "No such folder", str(path.parent))
    try:
        _replace(path, content)
    except OSError as error:
        if error.filename is None:
            raise
        # The error names the temporary file, which means nothing to the caller.
        raise OSError(error.errno, error.strerror, os.fspath(name)) from None


def _replace(path: Path, content: bytes) -> None:
    handle, made = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    try:
        with open(handle, "wb") as stream:
            stream.write(content)
            # It must be on the disk before the name leads to it: otherwise, a crash
            # could leave neither file.
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(made, path.stat().st_mode if path.exists() else _usual_mode())
        os.replace(made, path)
    except BaseException:
        os.unlink(made)
        raise


PACKED: Final = ".gz"
"""The ending of the name of a file that is packed with gzip."""


def packed_as_named(name: str | os.PathLike[str], content: bytes) -> bytes:
    """The content to write to a file, packed with gzip if the name asks for it."""
    packed = os.fspath(name).endswith(PACKED)
    return gzip.compress(content, mtime=0) if packed else content


def _usual_mode() -> int:
    """The permissions that `open` gives a new file; those of `mkstemp` are stricter."""
    # The mask can only be read by setting it: two threads at once would leave it at 0.
    with _READING_MASK:
        mask = os.umask(0)
        os.umask(mask)
    return 0o666 & ~mask


_READING_MASK: Final = Lock()
