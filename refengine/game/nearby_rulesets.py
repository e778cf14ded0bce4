"""Changing some options of a ruleset, and finding values worth trying for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.options import Option, Value

Change = Mapping[str, Value]
"""The options to change, by name, with their new values."""


def changed(ruleset: Ruleset, change: Change) -> Ruleset | None:
    """The ruleset with these options changed; None if the book does not allow it."""
    try:
        return ruleset.having(**change)
    except (Refused, Malformed):
        return None


def options_that_differ(one: Ruleset, other: Ruleset) -> tuple[str, ...]:
    """The options that differ between two rulesets and affect at least one of them."""
    idle = set(one.without_effect) & set(other.without_effect)
    return tuple(
        name
        for name, value in one.options.items()
        if value != other.options[name] and name not in idle
    )


_CYCLES: Final = (
    (),
    ("left",),
    ("right",),
    ("across",),
    ("scatter",),
    ("mix",),
    ("left", "right", "across"),
    ("left", "right", "across", "hold"),
    ("left", "right", "across", "scatter"),
    ("left", "right", "across", "scatter", "hold"),
)
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    "hand_size": (1, 2, 3, 4, 5, 6, 12, 13),
    "pass_count": (0, 1, 2, 3, 4),
    "heart_points": (0, 1, 2),
    "queen_points": (0, 1, 5, 12, 13),
    "king_points": (0, 10),
    "ace_points": (0, 7),
    "bonus_points": (-10, -5, 5, 10),
    "sun_points": (0, 52),
    "no_trick_points": (0, -5, 5),
    "revoke_points": (0, 13, 26),
    "limit": (13, 26, 31, 50, 100),
    "exact_limit_becomes": (0, 50),
    "deals": (1, 2, 3, 4),
}


def values_to_try(
    option: Option, now: Value, numbers: Iterable[int] = ()
) -> list[Value]:
    """Values of an option to try: `now`, then common ones, and any valid `numbers`."""
    found: list[Value] = [now]
    if isinstance(option.base, bool):
        found += [False, True]
    elif isinstance(now, tuple):  # a cycle: others, an entry changed, added or dropped
        found += list(_CYCLES)
        for place in range(len(now)):
            for way in option.words:
                found.append((*now[:place], way, *now[place + 1 :]))
        found += [(*now, way) for way in option.words] + [now[:-1]]
    else:
        found += list(option.words)
        if option.least is not None:
            wanted = (*_NUMBERS.get(option.name, ()), *numbers)
            found += [one for one in wanted if option.least <= one <= option.most]
    return list({(type(one), one): one for one in found}.values())  # True is not 1
