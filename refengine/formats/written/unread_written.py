"""Naming the parts of a file that a map does not read, to warn whoever uses it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from refengine.errors import harmless
from refengine.formats.written.names_written import listed

# Neither a literal nor the name of a function is a key
_NAMES: Final = re.compile(
    r"'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`"
    r'|"([^"]*)"|\b([^\W\d]\w*)\b(?!\s*\()'
)
_MOST: Final = 8  # the most keys that are named


def unread_said(items: Iterable[object], expressions: Iterable[str]) -> str:
    """A phrase naming the keys of these items that no expression of a map reads.

    The phrase is empty if all are read. If no expression names any key of an object,
    its keys are taken to be the names of players.
    """
    found = [
        name
        for text in expressions
        for pair in _NAMES.findall(text)
        for name in pair
        if name
    ]
    unread: dict[str, None] = {}
    for item in items:
        _look(item, frozenset(found), unread)
    if not unread:
        return ""
    shown = [f"'{harmless(one, 40)}'" for one in unread]
    if len(shown) > _MOST:
        shown[_MOST:] = [f"{len(shown) - _MOST} more"]
    return f"{listed(shown)} {'is' if len(unread) == 1 else 'are'} not read"


def _look(value: object, known: frozenset[str], unread: dict[str, None]) -> None:
    """Add to `unread` the keys of objects in a value that are not `known`."""
    if isinstance(value, dict):
        by_player = not known & {*value}
        for key, below in value.items():
            if key in known or by_player:
                _look(below, known, unread)
            elif below not in (None, "", [], {}):
                unread[str(key)] = None
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            _look(one, known, unread)
