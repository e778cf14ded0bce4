"""Which options make a difference, so that rulesets alike in effect count as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.chapters.passing import cycle_at_table
from refengine.chapters.settings import ACROSS, HOLD, LEFT, RIGHT
from refengine.game.nearby_rulesets import Change, changed, values_to_try
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import BY_NAME, Value
from refengine.lawbook.pass_words import passes_at_table

Key = tuple[object, ...]

OF_THE_DEAL: Final = frozenset({"removal", "hand_size"})
"""Options that make no difference once the cards are dealt."""


def options_without_effect(ruleset: Ruleset) -> frozenset[str]:
    """The options that make no difference to a ruleset once the cards are dealt.

    Only the passes that exist at its table count (4.1a). Two players sit opposite each
    other, so it does not matter which way round they play.
    """
    cycle = passes_at_table(ruleset.options["pass_cycle"], ruleset.players)
    values = {**ruleset.options, "pass_cycle": cycle}
    idle = {option.name for option in OPTIONS if not option.bites(values)}
    if ruleset.players == 2:
        idle.add("direction")
    return OF_THE_DEAL.union(idle)


def effects_of(ruleset: Ruleset) -> dict[str, object]:
    """The value of each option by name; None if it has no effect in a deal as found.

    The cycle of passes is given as numbers, as it works at the table: passes that do
    not exist there are left out, and the cycle is cut to the part that repeats; it is
    empty if nothing is passed. Two players pass to each other, whatever the direction
    is called.
    """
    idle = options_without_effect(ruleset)
    ways = [int(way) for way in cycle_at_table(ruleset.rules)]
    if ruleset.players == 2:
        ways = [LEFT if way in (RIGHT, ACROSS) else way for way in ways]
    cycle = _repeated_part(tuple(ways))
    found: dict[str, object] = {
        name: None if name in idle else value for name, value in ruleset.options.items()
    }
    passes = any(way != HOLD for way in cycle)
    return found | {"pass_cycle": cycle if passes else ()}


def _repeated_part(cycle: tuple[int, ...]) -> tuple[int, ...]:
    """The part of a cycle that repeats, such as `across` in `across, across`.

    It is the whole cycle if no part repeats.
    """
    for length in range(1, len(cycle)):
        part = cycle[:length]
        if part * (len(cycle) // length) == cycle:
            return part
    return cycle


def key_of(ruleset: Ruleset) -> Key:
    """A key that two rulesets share if they have the same effect in a deal as found.

    Only keys of rulesets for the same number of players can be compared.
    """
    return tuple(effects_of(ruleset).values())


@attrs.frozen
class Neighbour:
    """A ruleset that differs from another in one option, and in effect.

    Options that shape the deal change along with that option if they must: if there is
    no longer a stock, for instance, the hands are larger.
    """

    option: str
    ruleset: Ruleset


def one_option_away(
    ruleset: Ruleset, numbers: Iterable[int] = ()
) -> Iterator[Neighbour]:
    """The neighbours of a ruleset, one for each different effect.

    Options whose values are numbers are also tried with these `numbers`.
    """
    given = [*numbers]
    seen = {key_of(ruleset)}
    for option in OPTIONS:
        for value in values_to_try(option, ruleset.options[option.name], given):
            one = _neighbour(ruleset, option.name, value)
            if one is not None and (key := key_of(one.ruleset)) not in seen:
                seen.add(key)
                yield one


_TOGETHER: Final = (
    ("limit", "limit_rule"),
    ("limit", "exact_limit_becomes"),
    ("bonus_card", "bonus_points"),
    ("moon", "sun_points"),
    ("revoke_until", "revoke_ends_deal"),
    ("revoke_points", "revoke_ends_deal"),
)
"""Pairs of options in which a change to one may hide a change to the other."""


def two_options_away(ruleset: Ruleset) -> Iterator[Ruleset]:
    """The rulesets that differ from this one in two related options, and in effect.

    There is one for each different effect.
    """
    seen = {key_of(ruleset)}
    for names in _TOGETHER:
        values = [
            values_to_try(BY_NAME[name], ruleset.options[name])[1:] for name in names
        ]
        for pair in product(*values):
            one = changed(ruleset, dict(zip(names, pair, strict=True)))
            if one is not None and (key := key_of(one)) not in seen:
                seen.add(key)
                yield one


def _neighbour(ruleset: Ruleset, option: str, value: Value) -> Neighbour | None:
    """The neighbour with this value, its deal changed if the book requires that.

    None if the book forbids the value with every deal tried.
    """
    for deal in _DEALS:
        found = changed(ruleset, {**deal, option: value})
        if found is not None:
            return Neighbour(option, found)
    return None


_DEALS: Final[tuple[Change, ...]] = (
    {},
    {"hand_size": "all"},
    {"hand_size": "all", "removal": "none"},
    {"hand_size": "all", "removal": "lowest"},
)
