"""The TOML files that describe a profile or a club: which keys, and of which type."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from refengine.errors import Malformed, shown

MOST_PLAYERS: Final = 52  # since each needs a card
_NUMBER: Final = f"a whole number from 1 to {MOST_PLAYERS}"
_NUMBERS: Final = f"a list of whole numbers from 1 to {MOST_PLAYERS}"
_TEXTS: Final = "a list of texts"


def keys_and_values(text: str, keys: Iterable[str], what: str) -> dict[str, Any]:
    """What stands in a file with this text.

    Raises Malformed if it is not TOML, or has another key than these.
    """
    try:
        text.encode()
        data = tomllib.loads(text)
    except ValueError as error:  # bad TOML, bad encoding, or a number that is too long
        raise Malformed(str(error), what) from error
    for key in data:
        if key not in keys:
            raise Malformed(f"the key {key!r:.60}", ", ".join(keys))
    return data


def given(data: Mapping[str, Any], key: str, kind: type, allowed: str) -> Any:
    """The value of a key; raises Malformed if it is missing or of another type."""
    if key not in data:
        raise Malformed(f"no {key}", f"{key}, which must be given")
    if not isinstance(data[key], kind):
        raise Malformed(shown(data[key])[:80], allowed, key)
    return data[key]


def given_texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts of a list; raises Malformed for anything else."""
    found = tuple(given(data, key, list, _TEXTS))
    for one in found:
        if not isinstance(one, str):
            raise Malformed(shown(one)[:80], _TEXTS, key)
    return found


def given_number(data: Mapping[str, Any], key: str) -> int:
    """A number of players; raises Malformed for anything else."""
    found = given(data, key, int, _NUMBER)
    if not _is_number(found):
        raise Malformed(shown(found)[:80], _NUMBER, key)
    return int(found)


def given_numbers(data: Mapping[str, Any], key: str) -> tuple[int, ...]:
    """A list of numbers of players; raises Malformed for anything else."""
    found = tuple(given(data, key, list, _NUMBERS))
    for one in found:
        if not _is_number(one):
            raise Malformed(shown(one)[:80], _NUMBERS, key)
    return found


def _is_number(found: object) -> bool:
    whole = isinstance(found, int) and not isinstance(found, bool)
    return whole and 1 <= found <= MOST_PLAYERS  # type: ignore[operator]  # it is an int


def is_profile_file(text: str) -> bool:
    """Whether a file with this text is like those of the book rather than of a club.

    A profile of the book stands on no other, so it has no `base`; and every one names
    its sources.
    """
    try:
        data = tomllib.loads(text)
    except ValueError:
        return False
    return "sources" in data and "base" not in data
