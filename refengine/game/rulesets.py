"""Rulesets: a profile of the book, a number of players, and changes to its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import attrs

from refengine.chapters.deal import (
    leaves_cards_over,
    removal_beside_talon,
    stock_without_hand_size,
    too_few_cards,
)
from refengine.chapters.match import (
    moon_without_limit,
    play_off_without_limit,
    reset_not_below_limit,
    reset_without_limit,
)
from refengine.chapters.play import (
    ends_early_beside_no_trick,
    ends_early_beside_sun,
    ends_early_beside_talon,
    opening_card_beside_left,
)
from refengine.chapters.score import moon_without_penalties, sun_without_moon
from refengine.chapters.settings import Rules
from refengine.chapters.table import wrong_number_of_players
from refengine.errors import Malformed, shown, whole_number
from refengine.game.acts import MOST
from refengine.game.verdicts import Refused
from refengine.lawbook.options import OPTIONS, Value, lowered, option_named
from refengine.lawbook.profiles import Profile, profile

_COMBINATIONS: Final[tuple[tuple[str, Callable[[Rules], bool]], ...]] = (
    ("3.9", leaves_cards_over),
    ("3.9a", stock_without_hand_size),
    ("3.9b", removal_beside_talon),
    ("3.9c", too_few_cards),
    ("5.2a", opening_card_beside_left),
    ("5.14b", ends_early_beside_talon),
    ("5.14c", ends_early_beside_sun),
    ("5.14d", ends_early_beside_no_trick),
    ("8.10", moon_without_penalties),
    ("8.10a", sun_without_moon),
    ("9.8a", reset_not_below_limit),
    ("9.8b", reset_without_limit),
    ("9.8c", play_off_without_limit),
    ("9.8d", moon_without_limit),
)

_profile_named = profile  # a parameter of `Ruleset` shadows it


@attrs.frozen(init=False, repr=False, eq=False)
class Ruleset:
    """The rules of one table: a profile, a number of players, and changed options.

    >>> ruleset = Ruleset("spot-hearts", options={"limit": 50})
    >>> ruleset.players, ruleset.changed, ruleset.options["moon"]
    (4, {'limit': 50}, 'self_minus')

    If `players` is not given, it is the profile's usual number. The attribute `options`
    holds a value for every option; those not given are the profile's. Two rulesets are
    equal if their profiles, numbers of players and all option values are.
    Raises Malformed for a name or value that is not in the book, a number of players
    that is not a whole number or options that are not a mapping, and Refused for a
    number of players or a combination of options that a clause forbids.
    """

    profile: str
    players: int
    options: Mapping[str, Value]
    rules: Rules

    def __init__(
        self,
        profile: str,
        players: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        base = _profile_named(profile)
        values = values_of(base, changes_given(options))
        number = base.usual_players if players is None else players
        rules = checked_rules(base, number, values)
        players = int(rules.players)
        self.__attrs_init__(base.name, players, MappingProxyType(values), rules)

    @property
    def changed(self) -> dict[str, Value]:
        """The options that differ from the profile, with their values."""
        base = profile(self.profile).options
        return {
            name: value for name, value in self.options.items() if value != base[name]
        }

    @property
    def citation(self) -> str:
        """The ruleset's citation, such as `estmesh-hearts/4@1.0.0~8a411677 limit=50`.

        Clause 0.5.
        """
        # Imported only now: rulesets are made far more often than cited.
        from refengine.lawbook.ruleset_citation import citation_of

        return str(citation_of(self.profile, self.players, self.changed))

    @property
    def without_effect(self) -> tuple[str, ...]:
        """The options whose value makes no difference, given the other options.

        This depends on the option values alone, not on the number of players.
        """
        return tuple(
            option.name for option in OPTIONS if not option.bites(self.options)
        )

    def having(self, **options: object) -> Ruleset:
        """The same ruleset with these options changed; raises what `Ruleset` raises."""
        return Ruleset(self.profile, self.players, {**self.options, **options})

    def _key(self) -> tuple[object, ...]:
        return (self.profile, self.players, tuple(self.options.items()))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        more = f", {self.changed!r}" if self.changed else ""
        return f"Ruleset({self.profile!r}, {self.players}{more})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.profile, self.players, self.changed)


def changes_given(options: object) -> Mapping[str, object]:
    """The changes to options that were given as an argument; None is no changes.

    Raises Malformed for anything else that is not a mapping.
    """
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise Malformed(shown(options)[:40], "names of options and values", "options")
    return options


def values_of(base: Profile, options: Mapping[str, object]) -> dict[str, Value]:
    """The value of every option, by name: as given, or otherwise as in the profile.

    Raises Malformed for a name or a value that is not in the book.
    """
    values = dict(base.options)
    for name, value in options.items():
        if name in values and values[name] is value:
            continue  # the profile's own, which was read with the profile
        option = option_named(name)
        values[option.name] = option.read(value)
    return values


def checked_rules(base: Profile, players: object, values: Mapping[str, Value]) -> Rules:
    """The rules with these option values for this number of players.

    Raises Refused, with every clause that is broken, for a number of players or a
    combination of options that the book forbids, and Malformed if `players` is not a
    whole number.
    """
    number = whole_number(players)
    if number is None:
        raise Malformed(shown(players)[:80], "a whole number", "players")
    kitty = values["undealt"] == "kitty"
    allowed = base.players_with_kitty if kitty else base.players
    # MOST bounds the number first: once compiled, the clause counts in 64 bits.
    if abs(number) > MOST or wrong_number_of_players(number, allowed):
        what = f"{base.name} for {shown(players)[:40]} players"
        raise Refused(("2.6",), what, (base, number, values))
    rules = lowered(number, values)
    broken = tuple(clause for clause, is_broken in _COMBINATIONS if is_broken(rules))
    if broken:
        raise Refused(broken, "this combination of options", (base, number, values))
    return rules


def refusal_of(
    base: Profile, players: object, values: Mapping[str, Value]
) -> Refused | None:
    """Why the book refuses these values for this number of players, if it does.

    Raises Malformed if `players` is not a whole number.
    """
    try:
        checked_rules(base, players, values)
    except Refused as refused:
        return refused
    return None
