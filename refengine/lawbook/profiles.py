"""The profiles of the book: its named rulesets, each read from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import attrs

from refengine.errors import Malformed, one_of, shown
from refengine.lawbook.book import SPEC
from refengine.lawbook.options import BY_NAME, OPTIONS, Value, option_named
from refengine.lawbook.profile_files import (
    given,
    given_number,
    given_numbers,
    given_texts,
    keys_and_values,
)

_TEXTS: Final = ("name", "title", "summary")
_KEYS: Final = (
    *_TEXTS,
    *("sources", "players", "players_with_kitty", "usual_players", "rulings"),
    "options",
)


def read_only(options: Mapping[str, Value]) -> Mapping[str, Value]:
    """The values of options, in a read-only mapping."""
    return MappingProxyType(dict(options))


def fields_to_pickle(record: attrs.AttrsInstance) -> tuple[object, ...]:
    """The fields of a record, with read-only mappings as dicts that can be pickled."""
    return tuple(
        dict(one) if isinstance(one, MappingProxyType) else one
        for one in attrs.astuple(record, recurse=False)
    )


@attrs.frozen
class Profile:
    """One profile of the book: a named set of values, one for every option.

    `players` holds the numbers of players that it allows, and `players_with_kitty`
    those that it allows if the option `undealt` is `kitty`; these are the same unless
    the profile's file says otherwise. `rulings` names the options on which the
    profile's sources are silent, and also `players` if they do not say how many can
    play.
    """

    name: str
    title: str
    summary: str
    sources: tuple[str, ...]
    players: tuple[int, ...]
    players_with_kitty: tuple[int, ...]
    usual_players: int
    rulings: tuple[str, ...]
    options: Mapping[str, Value] = attrs.field(converter=read_only, hash=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Profile, fields_to_pickle(self)


@cache
def profile_names() -> tuple[str, ...]:
    """The names of all profiles, in alphabetical order."""
    return tuple(sorted(path.stem for path in (SPEC / "profiles").glob("*.toml")))


def profile(name: object) -> Profile:
    """The profile with this name, as its file in `spec/profiles` describes it.

    Raises Malformed if there is none.
    """
    if not isinstance(name, str) or name not in profile_names():
        from refengine.lawbook.spoken import words_for_profiles  # late: it reads a file

        allowed = one_of(profile_names(), name, words_for_profiles())
        raise Malformed(shown(name)[:80], allowed, "profile")
    return _read_profile(name)


@cache
def _read_profile(name: str) -> Profile:
    return _profile_of(fields_in_file(name))


def fields_in_file(name: str) -> dict[str, Any]:
    """The fields in the file of the profile with this name, as plain values."""
    return _fields_of_toml((SPEC / "profiles" / f"{name}.toml").read_text("utf-8"))


def profile_of_toml(text: str) -> Profile:
    """The profile that a file with this text describes.

    An option that the file does not state has its base value.
    Raises Malformed if the text is not TOML, if a key is missing, unknown or of the
    wrong type, if an option is unknown or has a wrong value, if `rulings` names an
    unknown option, or if `usual_players` is not among `players`.
    """
    fields = _fields_of_toml(text)
    players, usual = fields["players"], fields["usual_players"]
    if usual not in players:
        allowed = f"one of players, {', '.join(map(str, players)) or 'which has none'}"
        raise Malformed(str(usual), allowed, "usual_players")
    known = ("players", *BY_NAME)
    for one in fields["rulings"]:
        if one not in known:
            raise Malformed(shown(one)[:80], one_of(known, one), "rulings")
    return _profile_of(fields)


def _fields_of_toml(text: str) -> dict[str, Any]:
    data = keys_and_values(text, _KEYS, "a profile in TOML")
    players = given_numbers(data, "players")
    with_kitty = "players_with_kitty"
    return {
        **{key: given(data, key, str, "text") for key in _TEXTS},
        "sources": given_texts(data, "sources"),
        "players": players,
        with_kitty: given_numbers(data, with_kitty) if with_kitty in data else players,
        "usual_players": given_number(data, "usual_players"),
        "rulings": given_texts(data, "rulings") if "rulings" in data else (),
        "options": given(data, "options", dict, "a table of options"),
    }


def _profile_of(fields: Mapping[str, Any]) -> Profile:
    values = {option.name: option.read(option.base) for option in OPTIONS}
    changed: Mapping[str, object] = fields["options"]
    for name, value in changed.items():
        option = option_named(name)
        values[option.name] = option.read(value)
    return Profile(
        name=fields["name"],
        title=fields["title"],
        summary=fields["summary"],
        sources=fields["sources"],
        players=fields["players"],
        players_with_kitty=fields["players_with_kitty"],
        usual_players=fields["usual_players"],
        rulings=fields["rulings"],
        options=values,
    )
