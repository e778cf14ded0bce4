"""Club rules, read from a file: a profile, and the options that the club changes."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from os.path import exists  # unlike Path.exists, false for any odd name
from typing import Final

import attrs

from refengine.errors import Malformed, harmless, one_of, shown
from refengine.game.openings_in_words import malformed_opening
from refengine.game.rulesets import Ruleset, changes_given, refusal_of, values_of
from refengine.lawbook.options import Value
from refengine.lawbook.profile_files import (
    given,
    given_numbers,
    in_toml,
    keys_and_values,
)
from refengine.lawbook.profiles import (
    Profile,
    fields_to_pickle,
    profile,
    profile_names,
    read_only,
)
from refengine.lawbook.spoken import profile_meant
from refengine.lawbook.text_files import text_of_file

_KEYS: Final = ("name", "title", "base", "players", "options")


@attrs.frozen
class ClubRules:
    """The rules of a club, from which `ruleset` makes the ruleset of a table.

    `base` names a profile of the book, and `options` holds the values in which the club
    differs from it. `players` holds the possible numbers of players. If the file does
    not list them, they are the profile's numbers for which the book allows these
    options. `usual_players` is the usual number of the profile if it is among them, and
    otherwise the first of them.
    """

    name: str
    title: str
    base: str
    players: tuple[int, ...]
    usual_players: int
    options: Mapping[str, Value] = attrs.field(converter=read_only, hash=False)

    def __reduce__(self) -> tuple[object, ...]:
        return ClubRules, fields_to_pickle(self)

    def ruleset(
        self, players: int | None = None, options: Mapping[str, object] | None = None
    ) -> Ruleset:
        """The club's ruleset, derived from its base; `options` change it further.

        Raises Malformed for a number of players that the club does not allow, a name or
        value that is not in the book or options that are not a mapping, and Refused for
        a combination of options that a clause forbids.
        """
        changes = changes_given(options)
        number = self.usual_players if players is None else players
        if number not in self.players:
            numbers = " or ".join(map(str, self.players))
            raise Malformed(f"{shown(number)[:40]} players", numbers, self.name)
        return Ruleset(self.base, number, {**self.options, **changes})


def club_rules(path: str | PathLike[str]) -> ClubRules:
    """The club that the file at this path describes.

    Raises Malformed, with the path as its place, if the file cannot be read or is not
    of the form that `club_rules_of_toml` reads.
    """
    try:
        return club_rules_of_toml(text_of_file(path))
    except Malformed as error:
        raise error.in_file(str(path)) from None


def club_rules_of_toml(text: str) -> ClubRules:
    """The club that a file with this text describes.

    The file has `name`, `title` and `base` and, optionally, `players` and a table
    `options`. Raises Malformed if the text is not TOML; if a key is missing, unknown or
    of the wrong type; if `base` is not a profile of the book; if `name` is empty or is
    such a profile; if `players` is empty or contains a number that the base does not
    allow; or if the book does not know an option or its value, or refuses the options.
    If the options are refused, the message names the clauses.
    """
    data = keys_and_values(text, _KEYS, "the rules of a club in TOML")
    name, title, base = (given(data, key, str, "text") for key in _KEYS[:3])
    if not name or name in profile_names():
        allowed = "a name of your own, which no profile of the book has"
        raise Malformed(in_toml(name)[:80], allowed, "name")
    if base not in profile_names():
        raise Malformed(in_toml(base)[:80], one_of(profile_names(), base), "base")
    found = profile(base)
    options = given(data, "options", dict, "a table") if "options" in data else {}
    values = _values(found, options)
    players = _numbers(data, found, values)
    usual = found.usual_players
    return ClubRules(
        name=harmless(name, 80),
        title=harmless(title, 200),
        base=base,
        players=players,
        usual_players=usual if usual in players else players[0],
        options={
            key: value for key, value in values.items() if value != found.options[key]
        },
    )


def _values(base: Profile, options: Mapping[str, object]) -> Mapping[str, Value]:
    """The value of every option at the club; an error shows a value as TOML."""
    try:
        return values_of(base, options)
    except Malformed as error:
        name = error.where.partition(".")[2]  # empty if the name itself is unknown
        if not name or name not in options:
            raise
        found = in_toml(options[name])[:80]
        raise Malformed(found, error.allowed, error.where) from None


def _numbers(
    data: Mapping[str, object], base: Profile, values: Mapping[str, Value]
) -> tuple[int, ...]:
    """The numbers of players that a club with these option values allows."""
    kitty = values["undealt"] == "kitty"
    allowed = base.players_with_kitty if kitty else base.players
    if "players" not in data:
        numbers = tuple(one for one in allowed if refusal_of(base, one, values) is None)
        if not numbers:
            _check(base, base.usual_players, values)
        return numbers
    numbers = tuple(dict.fromkeys(given_numbers(data, "players")))
    if not numbers:
        raise Malformed("an empty list", "at least one number of players", "players")
    for one in numbers:
        if one not in allowed:
            said = ", ".join(map(str, allowed))
            raise Malformed(f"{one}", f"{said}, which {base.name} allows", "players")
        _check(base, one, values)
    return numbers


def _check(base: Profile, players: int, values: Mapping[str, Value]) -> None:
    """Raise Malformed if the book refuses these values for this number of players."""
    refusal = refusal_of(base, players, values)
    if refusal is not None:
        raise malformed_opening(refusal, "options")


# What people type


def names_file(typed: str) -> bool:
    """Whether what was typed as a profile names a file, not a profile of the book.

    The name of a profile never counts as a file. Anything else does if it ends in
    `.toml` or is the path of something that exists.
    """
    if profile_meant(typed) in profile_names():
        return False
    return typed.endswith(".toml") or exists(typed)


def base_of(typed: str) -> str:
    """The profile of the book that was typed, or the base if a club's file was typed.

    Raises Malformed if `typed` is neither a profile nor a club's file.
    """
    if names_file(typed):
        return club_rules(typed).base
    return profile(profile_meant(typed)).name
