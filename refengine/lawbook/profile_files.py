"""Reading TOML files, above all those of profiles and clubs: keys and value types."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any, Final

from refengine.errors import Malformed, did_you_mean, shown

MOST_PLAYERS: Final = 52  # since each needs a card
_NUMBER: Final = f"a whole number from 1 to {MOST_PLAYERS}"
_NUMBERS: Final = f"a list of whole numbers from 1 to {MOST_PLAYERS}"
_TEXTS: Final = "a list of texts"
_PLACE: Final = re.compile(
    r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", re.DOTALL
)
_BEGINS: Final = re.compile(r"^\[|=")  # in a line that begins a table or a value
_MEANT: Final = {
    "Expected '=' after": 'key = value, such as name = "friday"',
    "Invalid value": "text in quotation marks, a number, true, false or a list",
    "Expected newline": "one key and its value on a line, and text in quotation marks",
}
"""What was probably meant, by the first words of the parser's message."""


def keys_and_values(text: str, keys: Iterable[str], what: str) -> dict[str, Any]:
    """The keys and values in a file with this text.

    Raises Malformed if the text is not TOML, or has a key that is not among `keys`;
    `what` says in the error what the file should be.
    """
    try:
        text.encode()
        data = tomllib.loads(text)
    except ValueError as error:  # bad TOML, bad encoding, or a number that is too long
        raise _no_toml(text, str(error), what) from error
    except RecursionError:
        raise Malformed("TOML that is nested too deeply", what) from None
    names = list(keys)
    for key in data:
        if key not in names:
            allowed = f"{', '.join(names)}{did_you_mean(names, key)}"
            raise Malformed(f"the key {key!r:.60}", allowed)
    return data


def _no_toml(text: str, said: str, what: str) -> Malformed:
    """The error for text that is not TOML, with the line at fault if it is known."""
    place = _PLACE.fullmatch(said)
    twice = said.startswith("Cannot ")
    if place is None or not (place[2] or twice):
        return Malformed(said, what)
    lines = [line.strip() for line in text.split("\n")]  # as tomllib counts lines
    number = int(place[2] or len(lines))
    if twice:
        # The parser stops after the value, which may begin on an earlier line.
        while number > 1 and not _BEGINS.search(lines[number - 1]):
            number -= 1
        key = lines[number - 1].partition("=")[0].strip()
        return Malformed(f"{key} a second time", "each once", f"line {number}")
    allowed = next(
        (words for begun, words in _MEANT.items() if place[1].startswith(begun)),
        f"{what} ({place[1][:1].lower()}{place[1][1:]})",
    )
    return Malformed(lines[number - 1] or "nothing", allowed, f"line {number}")


def in_toml(value: object) -> str:
    """The text of a value in a TOML file, on one line."""
    if isinstance(value, date | time):  # a file has these without quotation marks
        return str(value)
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # more digits than `sys.get_int_max_str_digits` allows
        return shown(value)


def given(data: Mapping[str, Any], key: str, kind: type, allowed: str) -> Any:
    """The value of a key; raises Malformed if it is missing or of the wrong type."""
    if key not in data:
        raise Malformed(f"no {key}", f"{key}, which must be given")
    if not isinstance(data[key], kind):
        raise Malformed(in_toml(data[key])[:80], allowed, key)
    return data[key]


def given_texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The strings listed under a key; raises Malformed for anything else."""
    found = tuple(given(data, key, list, _TEXTS))
    for one in found:
        if not isinstance(one, str):
            raise Malformed(in_toml(one)[:80], _TEXTS, key)
    return found


def given_number(data: Mapping[str, Any], key: str) -> int:
    """The number of players under a key; raises Malformed for anything else."""
    found = given(data, key, int, _NUMBER)
    if not _is_number(found):
        raise Malformed(in_toml(found)[:80], _NUMBER, key)
    return int(found)


def given_numbers(data: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """The numbers of players listed under a key; raises Malformed for anything else."""
    found = tuple(given(data, key, list, _NUMBERS))
    for one in found:
        if not _is_number(one):
            raise Malformed(in_toml(one)[:80], _NUMBERS, key)
    return found


def _is_number(found: object) -> bool:
    whole = isinstance(found, int) and not isinstance(found, bool)
    return whole and 1 <= found <= MOST_PLAYERS  # type: ignore[operator]  # an int here


def is_profile_file(text: str) -> bool:
    """Whether this text describes a profile like those of the book, and not a club.

    A profile of the book always names its `sources`, and it has no `base` because it
    is not based on another profile.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return "sources" in data and "base" not in data
