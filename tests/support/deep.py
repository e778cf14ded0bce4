"""The tests that `make test` leaves to `make deep`: `tests/deep.txt` names them."""

from collections.abc import Collection, Iterable
from typing import Final

import pytest

from tests.support import places

NAMES: Final = frozenset(
    line
    for line in (places.ROOT / "tests/deep.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
)
"""Node ids; one without a parameter stands for all of its parameters."""


def mark(items: Iterable[pytest.Item], names: Collection[str] = NAMES) -> set[str]:
    """Mark the tests that are named; the names that were met."""
    met = set()
    for item in items:
        found = {item.nodeid, item.nodeid.partition("[")[0]} & {*names}
        if found:
            item.add_marker("deep")
            met |= found
    return met


def lost(
    items: Iterable[pytest.Item], met: Collection[str], names: Iterable[str] = NAMES
) -> list[str]:
    """The names of which no test was met although their file was read."""
    files = {item.nodeid.partition("::")[0] for item in items}
    return [
        name
        for name in sorted(names)
        if name not in met and name.partition("::")[0] in files
    ]
