"""Tells which options make a difference, so that equivalent rulesets count as one."""

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
from refengine.game.verdicts import Refused
from refengine.lawbook.options import BY_NAME, Value
from refengine.lawbook.pass_words import passes_at_table

Key = tuple[object, ...]

OF_THE_DEAL: Final = frozenset({"removal", "hand_size"})
"""Options that make no difference once the cards are dealt."""


def options_without_effect(ruleset: Ruleset) -> frozenset[str]:
    """The options that make no difference under a ruleset once the cards are dealt.

    In the cycle of passes, only those that exist for this number of players count
    (4.1a). Two players sit opposite each other, so the direction of play does not
    matter.
    """
    cycle = passes_at_table(ruleset.options["pass_cycle"], ruleset.players)
    values = {**ruleset.options, "pass_cycle": cycle}
    idle = {option.name for option in OPTIONS if not option.bites(values)}
    if ruleset.players == 2:
        idle.add("direction")
    return OF_THE_DEAL.union(idle)


def effects_of(ruleset: Ruleset) -> dict[str, object]:
    """The value of each option, or None if it has no effect once the cards are dealt.

    The cycle of passes is given as numbers, in its shortest form: passes that do not
    exist for this number of players are left out, a cycle that repeats is given once,
    and a cycle in which nothing is passed is empty. For two players, all directions of
    a pass are the same.
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


def without_change(ruleset: Ruleset, name: str) -> Ruleset | None:
    """The ruleset with a changed option reset to the value that its profile has.

    The result is None if the book refuses it.
    """
    kept = {one: value for one, value in ruleset.changed.items() if one != name}
    try:
        return Ruleset(ruleset.profile, ruleset.players, kept)
    except Refused:
        return None


def _repeated_part(cycle: tuple[int, ...]) -> tuple[int, ...]:
    """The shortest part that makes up the cycle when repeated, or else the whole.

    For `across, across`, for example, it is `across`.
    """
    for length in range(1, len(cycle)):
        part = cycle[:length]
        if part * (len(cycle) // length) == cycle:
            return part
    return cycle


def key_of(ruleset: Ruleset) -> Key:
    """A key that rulesets share if they have the same effect once the cards are dealt.

    Only keys of rulesets for the same number of players can be compared.
    """
    return tuple(effects_of(ruleset).values())


@attrs.frozen
class Neighbour:
    """A ruleset made from another by changing one option in a way that has an effect.

    Options that determine the deal are changed too if they must be: without a stock,
    for instance, the hands may have to be larger.
    """

    option: str
    ruleset: Ruleset


def one_option_away(
    ruleset: Ruleset, numbers: Iterable[int] = ()
) -> Iterator[Neighbour]:
    """The neighbours of a ruleset; of those with the same effect, only the first.

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
    """The rulesets made from this one by changing two related options, with an effect.

    Of those with the same effect, only the first is included.
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
    """The neighbour with this value, with its deal changed if the book requires it.

    The result is None if the book forbids the value with every deal tried.
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
