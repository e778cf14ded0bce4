"""The wrong keys of a view that an adapter gives, and the clauses that they break."""

from __future__ import annotations

from typing import Final

import msgspec

from refengine.formats import shapes
from refengine.formats.normal_form import Json
from refengine.formats.trace import Trace, written_alike
from refengine.rulings.broken_clauses import named_clauses

_MANDATORY_IN_VIEW: Final = {
    field.name for field in msgspec.structs.fields(shapes.WholeView) if field.required
}

_OF_VIEW: Final = {
    "hand": "hands",
    "held": "hands",
    "kitty": "kitty",
    "hearts_broken": "hearts_broken",
    "points": "points",
    "totals": "totals",
    "table": "table",
}
"""The field of the game that each of these keys of a view shows to the seat."""


def wrong_view_keys(view: Json, got: Json) -> list[str]:
    """The keys of a view whose values in an answer are not as expected.

    If the expected view has every key that a view must have, it is complete, and the
    answer must not have any other. A key that is left out counts as empty.
    """
    names = list(view)
    if view.keys() >= _MANDATORY_IN_VIEW:
        names += [name for name in got if name not in view]
    return [
        name
        for name in names
        if not written_alike(view.get(name), got.get(name))
        and (view.get(name) or got.get(name) or name in view.keys() & got.keys())
    ]


def clauses_of_view_key(
    trace: Trace, step: int, name: str, value: object, given: object
) -> tuple[str, ...]:
    """The clauses that a wrong key of a view goes against, the likeliest first.

    `value` is what a seat sees under the key after this step, or at the end if `step`
    is 0, and `given` what the answer has there; each is None if there is no such key.
    """
    if _tells_more(value, given) and _shows_something(given):
        return ("2.7a",)
    if value is None or given is None or name not in _OF_VIEW:
        return ("2.7",)
    named = named_clauses.clauses_of_field(trace, step, _OF_VIEW[name])
    # Everyone may see a number: if it is wrong, something was counted wrongly.
    counts = isinstance(value, int) and isinstance(given, int)
    return (*named, "2.7") if counts else ("2.7", *named)


def _tells_more(expected: object, got: object) -> bool:
    """Whether a value in a view gives away cards that the expected value does not.

    Only texts are compared card by card: a flag or a count reveals no card, and of
    anything else, only whether it should be empty is considered.
    """
    if isinstance(expected, int):
        return False
    if not expected:
        return bool(got)
    if isinstance(expected, str) and isinstance(got, str):
        return bool(set(got.split()) - set(expected.split()))
    return False


def _shows_something(value: object) -> bool:
    """Whether there is any text, such as that of a card, in a value of a view."""
    if isinstance(value, dict):
        return any(map(_shows_something, value.values()))
    if isinstance(value, list):
        return any(map(_shows_something, value))
    return isinstance(value, str) and bool(value)
