"""Python processes that run this project's code, whatever folder they are started in.

`python -m` and `python -c` look for every module in that folder first, where a user may
have a `types.py`, a `queue.py` or a `refengine.py`. With `-P` they do not. An adapter
is somebody else's program, and is started without `-P`.

This module imports none of the rules: a process may load them in its own way.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_SAFE_PATH: Final = "PYTHONSAFEPATH"
_OURS: Final = ("refengine", "refengine_conformance")


def own_command(*words: str) -> tuple[str, ...]:
    """The command for a Python process that imports nothing from its current folder."""
    return (sys.executable, "-P", *words)


def our_packages() -> dict[str, Path]:
    """The folder of each package of the project that is present, by package name."""
    specs = {name: importlib.util.find_spec(name) for name in _OURS}
    return {
        name: Path(next(iter(spec.submodule_search_locations)))
        for name, spec in specs.items()
        if spec is not None and spec.submodule_search_locations
    }


def own_environment() -> dict[str, str]:
    """The environment for a process that has to find our packages, installed or not."""
    ours = dict.fromkeys(str(folder.parent) for folder in our_packages().values())
    path = os.pathsep.join(filter(None, (*ours, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path}


@contextmanager
def starting_workers() -> Iterator[None]:
    """Return a context in which multiprocessing starts its workers as if with `-P`.

    Only an environment variable can make it do so; in a worker, `set_safe_path`
    restores the variable.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        set_safe_path(before)


def safe_path() -> str | None:
    """The value of PYTHONSAFEPATH, if set; `set_safe_path` restores it in a worker."""
    return os.environ.get(_SAFE_PATH)


def set_safe_path(value: str | None) -> None:
    """Set PYTHONSAFEPATH, or unset it for None; adapters then inherit this value."""
    if value is None:
        os.environ.pop(_SAFE_PATH, None)
    else:
        os.environ[_SAFE_PATH] = value
