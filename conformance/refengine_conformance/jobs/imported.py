"""Finds the files of this project that a module imports, directly or through others.

The files are read, not run. A digest of their names and contents shows whether what the
module does may have changed.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from refengine.jobs.own_python import our_packages


@cache
def file_of(name: str) -> Path | None:
    """The file of the module with this name; None if the project has no such module."""
    package, *inner = name.split(".")
    folder = our_packages().get(package)
    if folder is None:
        return None
    place = folder.joinpath(*inner)
    for path in (place.with_suffix(".py"), place / "__init__.py"):
        if path.is_file():
            return path
    return None


def names_imported(node: ast.AST, typed: bool) -> Iterator[str]:
    """The names of the modules that the code in a syntax tree imports when it runs.

    A name imported from a module is among them, since it may itself be a module. If
    `typed` is true, so are the modules that are imported for type checkers alone.
    """
    if isinstance(node, ast.Import):
        yield from (one.name for one in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module
        yield from (f"{node.module}.{one.name}" for one in node.names)
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and not typed and _is_for_types(node):
        children = node.orelse
    for child in children:
        yield from names_imported(child, typed)


def _is_for_types(node: ast.If) -> bool:
    """Whether an `if` tests for type checking, so that its body is never run."""
    return ast.unparse(node.test) == "TYPE_CHECKING"


def files_imported(*names: str, typed: bool = False) -> list[Path]:
    """The files of these modules and of all project modules that they import in turn.

    If `typed` is true, files imported only for type checkers are included. The
    `__init__` of every package on the way is always included. A module that is imported
    by a name in a string is not found.
    """
    found: dict[Path, None] = {}
    waiting = [*names]
    while waiting:
        parts = waiting.pop().split(".")
        for end in range(1, len(parts) + 1):
            path = file_of(".".join(parts[:end]))
            if path is not None and path not in found:
                found[path] = None
                tree = ast.parse(path.read_text("utf-8"))
                waiting += names_imported(tree, typed)
    return sorted(found)


@cache
def digest_of_imported(name: str) -> str:
    """A digest of this module and of all project modules that it imports in turn."""
    found = hashlib.sha256()
    for path in files_imported(name):
        found.update(f"{path.name}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()
