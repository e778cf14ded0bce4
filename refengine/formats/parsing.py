"""A strict reader of lines from other programs, which returns plain Python values.

Keys that begin with `x-` are skipped. Repeated keys, numbers out of range, deep nesting
and halves of surrogate pairs are errors here, although the fast reader accepts them.
"""

from __future__ import annotations

import json
from typing import Any, Final

from refengine.errors import Malformed
from refengine.formats.shapes import LARGEST

DEEPEST: Final = 16


class _Object(list[tuple[str, object]]):
    """The key–value pairs of a JSON object, including any repeated keys."""


class _Wrong:
    """A number that no format allows."""

    def __init__(self, text: str) -> None:
        self.text = text


def _whole(text: str) -> int | _Wrong:
    if len(text) > 11 or not -LARGEST - 1 <= int(text) <= LARGEST:
        return _Wrong(text)
    return int(text)


def parse_line(line: bytes) -> Any:
    """Read a line of JSON as plain values, without keys that begin with `x-`.

    Raises Malformed if it is not JSON, or is JSON that no format allows.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte {line[error.start]:#04x} at place {error.start + 1}"
        raise Malformed(byte, "UTF-8") from None
    if text.startswith("\ufeff"):
        raise Malformed("a byte order mark", "UTF-8 without one")
    if not text.strip(" \t\r\n"):
        raise Malformed("an empty line", "one JSON object a line")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Object,
            parse_float=_Wrong,
            parse_int=_whole,
            parse_constant=_Wrong,
        )
    except RecursionError:
        raise Malformed("nesting too deep", f"at most {DEEPEST} levels") from None
    except json.JSONDecodeError as error:
        said = error.msg.removesuffix(" at").removesuffix(" starting")
        if said == "Extra data":
            said = "more after the first value,"
        found = _known(text) or f"no JSON: {said} at character {error.pos + 1}"
        raise Malformed(found, "one JSON object a line") from None
    return _cleaned(value, "", 1)


_BEGINNINGS: Final = {
    "//": "a comment, which JSON does not have",
    "/*": "a comment, which JSON does not have",
    "#": "a comment, which JSON does not have",
    "<<<<<<< ": "the marker of an unresolved merge conflict",
    "=======": "the marker of an unresolved merge conflict",
    "||||||| ": "the marker of an unresolved merge conflict",
    ">>>>>>> ": "the marker of an unresolved merge conflict",
    "```": "the fence of a code block",
    "\0": "NUL bytes, as a crash may leave them in a file",
}
"""What people's files contain other than JSON, by the beginning of the line."""


def _known(text: str) -> str:
    """A phrase for what a line that is not JSON seems to be; empty if unknown."""
    plain = text.strip()
    said = (what for begin, what in _BEGINNINGS.items() if plain.startswith(begin))
    return next(said, "")


def _cleaned(value: object, where: str, depth: int) -> Any:
    """Return the value without `x-` keys; raises Malformed if a part is not allowed."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed(f"{value!r:.80}", "whole characters", where) from None
        return value
    if isinstance(value, bool | int):
        return value
    if value is None:
        under_a_key = where and not where.endswith("]")
        raise Malformed("null", "the key left out" if under_a_key else "a value", where)
    if isinstance(value, _Wrong):
        allowed = "a whole number from -2147483648 to 2147483647"
        raise Malformed(f"{value.text:.40}", allowed, where)
    if depth > DEEPEST:
        raise Malformed("deeper nesting", f"at most {DEEPEST} levels", where)
    if isinstance(value, _Object):
        return _cleaned_object(value, where, depth)
    assert isinstance(value, list)
    return [
        _cleaned(one, f"{where}[{place}]", depth + 1) for place, one in enumerate(value)
    ]


def _cleaned_object(pairs: _Object, where: str, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key.startswith("x-"):
            _check_depth_of_skipped(value, place_inside(where, key), depth + 1)
            continue
        inner = place_inside(where, _cleaned(key, where, depth))
        if key in found:
            raise Malformed(f"the key {key!r:.40} twice", "each key once", where)
        found[key] = _cleaned(value, inner, depth + 1)
    return found


def place_inside(where: str, key: str) -> str:
    """The place of the value of `key` in the object at `where`, such as `setup.hands`.

    The key is cut to 40 characters, and is escaped if it is not printable.
    """
    shown = key[:40]
    return f"{where}.{shown if shown.isprintable() else repr(shown)}".lstrip(".")


def _check_depth_of_skipped(value: object, where: str, depth: int) -> None:
    """Raise Malformed if the value of a skipped key is nested too deeply."""
    if not isinstance(value, list):
        return
    if depth > DEEPEST:
        raise Malformed("deeper nesting", f"at most {DEEPEST} levels", where)
    for one in value:
        inner = one[1] if isinstance(value, _Object) else one
        _check_depth_of_skipped(inner, where, depth + 1)
