"""The names that people use for options, option values and profiles.

Pages, commands and reports give these names first. They are in `spoken.toml` and
`spoken_profiles.toml`, which no edition freezes. `spoken.toml` also says what values
and clauses mean.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from refengine.lawbook.options import OPTIONS, Option, Value, option_named, value_text

FILE: Final = Path(__file__).with_suffix(".toml")
PROFILES_FILE: Final = FILE.with_stem("spoken_profiles")


@attrs.frozen
class Spoken:
    """The names that people use for an option and for its values.

    `also` holds other words for the option, in lower case. `values` maps the text typed
    for a value to its name, and `number` is a template for the name of any other
    number. `meant` maps values to what they mean, in words that can follow `at this
    table`, and `meant_otherwise` is a template for the meaning of all other values.
    """

    name: str
    also: tuple[str, ...] = attrs.field(converter=tuple)
    values: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    number: str = "{}"
    meant: Mapping[str, str] = attrs.field(factory=dict, hash=False)
    meant_otherwise: str = "{}"


@attrs.frozen
class SpokenProfile:
    """The name that people use for a profile, and other words for it in lower case."""

    name: str
    also: tuple[str, ...] = attrs.field(converter=tuple)


def spoken_fields() -> dict[str, dict[str, Any]]:
    """What `spoken.toml` says about each option, by identifier, as plain values."""
    found: dict[str, dict[str, Any]] = _file()["options"]
    return found


def clauses_in_short() -> Mapping[str, str]:
    """What `spoken.toml` says about each clause, by number, in book order."""
    found: dict[str, str] = _file()["clauses"]
    return found


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text("utf-8"))


@cache
def spoken_options() -> Mapping[str, Spoken]:
    """The names that people use for options, by identifier, in order of the book."""
    return {
        name: Spoken(
            fields["name"],
            fields["also"],
            fields.get("values", {}),
            fields.get("number", "{}"),
            fields.get("meant", {}),
            fields.get("meant_otherwise", "{}"),
        )
        for name, fields in spoken_fields().items()
    }


def spoken_profile_fields() -> dict[str, dict[str, Any]]:
    """What `spoken_profiles.toml` says about each profile, by identifier."""
    return tomllib.loads(PROFILES_FILE.read_text("utf-8"))


@cache
def spoken_profiles() -> Mapping[str, SpokenProfile]:
    """The names that people use for profiles, by identifier, in alphabetical order."""
    return {
        name: SpokenProfile(fields["name"], fields["also"])
        for name, fields in spoken_profile_fields().items()
    }


def words_for_options() -> dict[str, str]:
    """A mapping of words and phrases for options, in lower case, to identifiers."""
    found: dict[str, str] = {}
    for option, one in spoken_options().items():
        for word in (one.name.lower(), option.replace("_", " "), *one.also):
            found.setdefault(word, option)
    return found


def words_for_profiles() -> dict[str, str]:
    """A mapping of words and phrases for profiles, in lower case, to identifiers."""
    found: dict[str, str] = {}
    for profile, one in spoken_profiles().items():
        for word in (one.name.lower(), profile.replace("-", " "), *one.also):
            found.setdefault(word, profile)
    return found


def option_name(option: str) -> str:
    """The name that people use for an option, such as `Points on the first trick`.

    Raises Malformed if there is no such option.
    """
    return spoken_options()[option_named(option).name].name


def value_name(option: str, value: Value) -> str:
    """The name that people use for a value of an option, such as `no`.

    Raises Malformed if there is no such option.
    """
    said = spoken_options()[option_named(option).name]
    if isinstance(value, tuple) and value:
        return ", ".join([said.values[entry] for entry in value])
    text = value_text(value)
    return said.values.get(text, said.number.format(text))


def rule_words(option: str, value: Value) -> str:
    """The names of an option and its value, as in `Points on the first trick: no`.

    Raises Malformed if there is no such option.
    """
    return f"{option_name(option)}: {value_name(option, value)}"


def rule_said(option: str, value: Value, mark: str = "") -> str:
    """The names of an option and its value, followed by what is typed for both.

    `mark` is put before and after that text: a grave accent makes it code.
    Raises Malformed if there is no such option.
    """
    typed = f"{mark}{option}={value_text(value)}{mark}"
    return f"{rule_words(option, value)} ({typed})"


def table_said(
    profile: str, players: int, changed: Mapping[str, Value], mark: str = ""
) -> str:
    """A description of a table: the game, the number of players, and changed options.

    `mark` is used as in `rule_said`.
    """
    said = f"{profile_said(profile, mark)}, {players} players"
    rules = [rule_said(name, value, mark) for name, value in changed.items()]
    return "; ".join([said, *rules])


def profile_said(profile: str, mark: str = "") -> str:
    """The name that people use for a profile, followed by its identifier.

    `mark` is used as in `rule_said`.
    """
    return f"{profile_name(profile)} ({mark}{profile}{mark})"


def profile_name(profile: str) -> str:
    """The name that people use for a profile, or `profile` itself if it is unknown."""
    said = spoken_profiles().get(profile)
    return said.name if said else profile


def profile_meant(text: str) -> str:
    """The identifier of the profile that the text names, or else the text itself."""
    return words_for_profiles().get(" ".join(text.lower().split()), text)


def values_said(option: Option) -> str:
    """The values of an option, each followed by the name that people use for it.

    >>> from refengine.lawbook.options import option_named
    >>> values_said(option_named("bonus_card"))
    'none, JD (the jack of diamonds), TD (the ten of diamonds)'

    The result is empty if the option takes numbers or lists.
    """
    if option.least is not None or isinstance(option.base, tuple):
        return ""
    said = spoken_options()[option.name].values
    return ", ".join(
        typed if typed == name else f"{typed} ({name})" for typed, name in said.items()
    )


def option_meant(text: str) -> str:
    """The identifier of the option that the text names, or else the text itself.

    Only the name or the identifier of an option counts. Other words for an option do
    not count, since they may mean one of its values.
    """
    said = " ".join(text.lower().split())
    for option in OPTIONS:
        if said in (option_name(option.name).lower(), option.name.replace("_", " ")):
            return option.name
    return text


def value_meant(option: Option, text: str) -> str:
    """The text to type for the value that people call `text`, or `text` itself.

    Text that names no value is returned in lower case, with single spaces, and without
    the words that people say before a number.

    >>> from refengine.lawbook.options import option_named
    >>> value_meant(option_named("first_trick_points"), "no")
    'barred'
    """
    one = spoken_options()[option.name]
    said = one.values
    typed = {name.lower(): value for value, name in said.items()}
    whole = " ".join(text.lower().split()).removeprefix(one.number.partition("{}")[0])
    if isinstance(option.base, tuple) and whole not in typed:
        entries = [entry.strip() for entry in whole.split(",")]
        return ",".join([typed.get(entry, entry) for entry in entries])
    return text if text in said else typed.get(whole, whole)
