"""JSON from strangers, as it is."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Final

from refengine.errors import Malformed

_DEEPEST: Final = 100  # the most lists and objects that may lie in each other


def json_of_a_stranger(text: str) -> Any:
    """The value; raises ValueError if it is not JSON, and Malformed if too deep.

    What is read here is walked by functions that call themselves for every level.
    """
    with suppress(RecursionError):
        value = json.loads(text)
        if not _is_deeper(value, _DEEPEST):
            return value
    allowed = "lists and objects nested only a few levels deep"
    raise Malformed("JSON that is nested too deeply", allowed)


def _is_deeper(value: object, levels: int) -> bool:
    """Whether lists and objects lie in each other on more than so many levels."""
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
