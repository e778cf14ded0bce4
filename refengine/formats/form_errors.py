"""Error messages, in the engine's own words, for values that do not fit their type."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect

from refengine.errors import Malformed
from refengine.formats.parsing import place_inside

# The last one in the message: a key that somebody made up may look like a place.
_PLACE: Final = re.compile(r"^(.*) - at `\$([^`]*)`$", re.DOTALL)
_LIMIT: Final = re.compile(r"Expected `int` (<=|>=) (-?\d+)$")
_STEP: Final = re.compile(r"\.([^.\[]+)|\[(\d+)\]|\[\.\.\.\]")
_JSON_TYPES: Final[dict[str, type]] = {
    "int": int,
    "float": float,
    "str": str,
    "array": list,
    "object": dict,
    "bool": bool,
    "null": type(None),
}
_CARDS: Final = {"x-is": "cards"}
_WORDS: Final = {
    "int": "a whole number",
    "str": "text",
    "array": "a list",
    "object": "an object",
    "bool": "true or false",
}


def explain_form_error(
    error: msgspec.ValidationError, value: object, kind: Any
) -> Malformed:
    """The error that msgspec raised, as a Malformed in the engine's own words."""
    said, place, found = str(error), "", [(value, "")]
    match = _PLACE.match(said)
    if match is not None:
        named = list(_at_steps(value, list(_STEP.finditer(match[2])), ""))
        if named:  # else it is part of a key, and the place is the root
            said, place, found = match[1], match[2], named
    if isinstance(error.__cause__, Malformed):
        where = place.lstrip(".")
        return error.__cause__.within(where) if where else error.__cause__
    types = _types_at(kind, value, list(_STEP.finditer(place)))
    inner, where = _meant(found, said)
    key = re.search(r"`(.*)`", said, re.DOTALL)
    if said.startswith("Object contains unknown field") and key:
        keys = ", ".join(sorted(_keys_of(types)))
        return Malformed(f"the key {key[1]!r:.60}", f"{keys}, or x- and more", where)
    if said.startswith("Object missing required field") and key:
        return Malformed(f"no {key[1]}", f"{key[1]}, which must be given", where)
    return Malformed(_shown(inner), _allowed(said, types), where)


def _meant(found: list[tuple[object, str]], said: str) -> tuple[object, str]:
    """Return the pair in `found`, a value and its place, that msgspec complained about.

    `said` is the message of msgspec. If no value fits it, the first pair is returned.
    """
    if limit := _LIMIT.match(said):
        fitting = [one for one in found if _beyond(one[0], limit)]
    else:
        got = re.search(r"got `(.*)`", said)
        wanted = _JSON_TYPES.get(got[1]) if got else None
        fitting = [one for one in found if type(one[0]) is wanted]
    return (fitting or found)[0]


def _beyond(value: object, limit: re.Match[str]) -> bool:
    """Whether a value is a whole number beyond the limit that msgspec named."""
    bound = int(limit[2])
    return isinstance(value, int) and (
        value > bound if limit[1] == "<=" else value < bound
    )


def _at_steps(
    value: Any, steps: list[re.Match[str]], where: str
) -> Iterator[tuple[object, str]]:
    """Yield each value inside `value` that these steps may lead to, with its place.

    Each step is a key, any key, or an index. There may be no such value.
    """
    if not steps:
        yield value, where.lstrip(".")
    elif steps[0][2]:
        place = int(steps[0][2])
        if isinstance(value, list | tuple) and place < len(value):
            yield from _at_steps(value[place], steps[1:], f"{where}[{place}]")
    elif isinstance(value, dict):
        for key in [steps[0][1]] if steps[0][1] else value:
            if key in value:
                yield from _at_steps(value[key], steps[1:], place_inside(where, key))


class _Cards(inspect.StrType):
    """The type of a string that consists of cards."""


def _types_at(
    kind: Any, value: object, steps: list[re.Match[str]]
) -> list[inspect.Type]:
    """The types that these steps into a value of the type `kind` lead to.

    If `kind` is a union of requests, only the one that `value` names as its op counts.
    """
    types = [
        one
        for one in _plain([inspect.type_info(kind)])
        if not isinstance(one, inspect.StructType)
        or one.tag is None
        or (isinstance(value, dict) and value.get("op") == one.tag)
    ]
    for step in steps:
        inner: list[inspect.Type] = []
        for one in types:
            if isinstance(one, inspect.StructType) and step[1]:
                inner += [f.type for f in one.fields if f.encode_name == step[1]]
            elif isinstance(one, inspect.DictType) and not step[1]:
                inner.append(one.value_type)
            elif isinstance(one, inspect.ListType) and not step[1]:
                inner.append(one.item_type)
        types = _plain(inner)
    return types


def _plain(types: list[inspect.Type]) -> list[inspect.Type]:
    """Return the types without metadata, and with each union split into its members."""
    found: list[inspect.Type] = []
    for one in types:
        if isinstance(one, inspect.Metadata):
            of_cards = one.extra_json_schema == _CARDS
            found += [_Cards()] if of_cards else _plain([one.type])
        elif isinstance(one, inspect.UnionType):
            found += _plain(list(one.types))
        else:
            found.append(one)
    return found


def _keys_of(types: list[inspect.Type]) -> list[str]:
    """The keys of the objects among these types."""
    found: list[str] = []
    for one in types:
        if isinstance(one, inspect.StructType):
            found += [field.encode_name for field in one.fields]
    return found


def _shown(value: object) -> str:
    """How a message names a value: its kind or its JSON text, cut to 80 characters."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    return f"{json.dumps(value, ensure_ascii=False, default=str):.80}"


def _beside(one: inspect.Type) -> str:
    """A name for the type of an object, a list or a whole number; otherwise empty."""
    match one:
        case inspect.StructType():
            return "an object"
        case inspect.ListType():
            return "a list"
        case inspect.IntType(ge=int(least)):
            return f"a whole number, at least {least}"
        case inspect.IntType():
            return "a whole number"
        case _:
            return ""


def _allowed(said: str, types: list[inspect.Type]) -> str:
    """Describe what these types allow or, if that is not clear, return `said`.

    `said` is the message of msgspec.
    """
    literals = [
        json.dumps(value)
        for one in types
        if isinstance(one, inspect.LiteralType)
        for value in one.values
    ]
    if literals:
        beside = dict.fromkeys(filter(None, map(_beside, types)))
        return " or ".join([*literals, *beside])
    if limit := _LIMIT.match(said):
        side = "at most" if limit[1] == "<=" else "at least"
        return f"a whole number, {side} {limit[2]}"
    expected = re.match(r"Expected `([^`]+)`", said)
    words = expected[1].split(" | ") if expected else []
    text = "cards as a string, such as 'QS 2H'"
    named = _WORDS | (
        {"str": text} if any(isinstance(t, _Cards) for t in types) else {}
    )
    return " or ".join(named.get(word, word) for word in words) or said
