"""Reading JSON that another program wrote, with a limit on how deeply it is nested."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

from refengine.errors import Malformed

_DEEPEST: Final = 100  # how deeply lists and objects may be nested


def json_of_a_stranger(text: str) -> Any:
    """Read JSON text that another program wrote, and return its value.

    Raises ValueError if the text is not JSON. Raises Malformed if it is nested too
    deeply for the recursive functions that go through the value later.
    """
    with suppress(RecursionError):
        value = json.loads(text)
        if not _is_deeper(value, _DEEPEST):
            return value
    allowed = "lists and objects nested only a few levels deep"
    raise Malformed("JSON that is nested too deeply", allowed)


def _is_deeper(value: object, levels: int) -> bool:
    """Whether lists and objects are nested more than this many levels deep."""
    level = [value]
    for _ in range(levels + 1):
        level = [
            below
            for one in level
            if isinstance(one, dict | list)
            for below in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True
