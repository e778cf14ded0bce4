"""The profiles of the book: its named rulesets, each read from a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import attrs

from refengine.errors import Malformed, shown
from refengine.lawbook.book import SPEC
from refengine.lawbook.options import OPTIONS, Value, option_named

_TEXTS: Final = ("name", "title", "summary")
_KEYS: Final = (
    *_TEXTS,
    *("sources", "players", "players_with_kitty", "usual_players", "rulings"),
    "options",
)

_MOST_PLAYERS: Final = 52  # since each needs a card
_ALLOWED: Final = {
    "usual_players": f"a whole number from 1 to {_MOST_PLAYERS}",
    "players": f"a list of whole numbers from 1 to {_MOST_PLAYERS}",
    "texts": "a list of texts",
}


@attrs.frozen
class Profile:
    """One profile of the book: a name for one value of every option.

    `players` holds the numbers of players it allows and `players_with_kitty` those it
    allows if the option `undealt` is `kitty` (the same unless the profile says
    otherwise). `rulings` names the options on which the profile's source is silent.
    """

    name: str
    title: str
    summary: str
    sources: tuple[str, ...]
    players: tuple[int, ...]
    players_with_kitty: tuple[int, ...]
    usual_players: int
    rulings: tuple[str, ...]
    options: Mapping[str, Value]


@cache
def profile_names() -> tuple[str, ...]:
    """The names of all profiles, in alphabetical order."""
    return tuple(sorted(path.stem for path in (SPEC / "profiles").glob("*.toml")))


def profile(name: object) -> Profile:
    """The profile with this name, as its file in `spec/profiles` describes it.

    Raises Malformed if there is none.
    """
    if not isinstance(name, str) or name not in profile_names():
        raise Malformed(
            shown(name)[:80], f"one of {', '.join(profile_names())}", "profile"
        )
    return _read_profile(name)


@cache
def _read_profile(name: str) -> Profile:
    text = (SPEC / "profiles" / f"{name}.toml").read_text("utf-8")
    return profile_of_toml(text)


def profile_of_toml(text: str) -> Profile:
    """The profile that a file with this text describes.

    An option that the file does not state has its base value.
    Raises Malformed if the text is not TOML, if a key is missing, unknown or of the
    wrong type, or if an option is unknown or has a wrong value.
    """
    try:
        text.encode()
        data = tomllib.loads(text)
    except ValueError as error:  # bad TOML, bad encoding, or a number that is too long
        raise Malformed(str(error), "a profile in TOML") from error
    for key in data:
        if key not in _KEYS:
            raise Malformed(f"the key {key!r:.60}", ", ".join(_KEYS))
    values = {option.name: option.read(option.base) for option in OPTIONS}
    for name, value in _given(data, "options", dict, "a table of options").items():
        values[option_named(name).name] = option_named(name).read(value)
    players = _players(data, "players")
    usual = _given(data, "usual_players", int, _ALLOWED["usual_players"])
    if isinstance(usual, bool) or not 1 <= usual <= _MOST_PLAYERS:
        raise Malformed(shown(usual)[:80], _ALLOWED["usual_players"], "usual_players")
    return Profile(
        **{key: _given(data, key, str, "text") for key in _TEXTS},
        sources=_texts(data, "sources"),
        players=players,
        players_with_kitty=_players(data, "players_with_kitty")
        if "players_with_kitty" in data
        else players,
        usual_players=usual,
        rulings=_texts(data, "rulings") if "rulings" in data else (),
        options=MappingProxyType(values),
    )


def _given(data: Mapping[str, Any], key: str, kind: type, allowed: str) -> Any:
    """The value of a key that must be given and of this type."""
    if key not in data:
        raise Malformed(f"no {key}", f"{key}, which must be given")
    if not isinstance(data[key], kind):
        raise Malformed(shown(data[key])[:80], allowed, key)
    return data[key]


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = tuple(_given(data, key, list, _ALLOWED["texts"]))
    for one in found:
        if not isinstance(one, str):
            raise Malformed(shown(one)[:80], _ALLOWED["texts"], key)
    return found


def _players(data: Mapping[str, Any], key: str) -> tuple[int, ...]:
    found = tuple(_given(data, key, list, _ALLOWED["players"]))
    for one in found:
        whole = isinstance(one, int) and not isinstance(one, bool)
        if not whole or not 1 <= one <= _MOST_PLAYERS:
            raise Malformed(shown(one)[:80], _ALLOWED["players"], key)
    return found
