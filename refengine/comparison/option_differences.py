"""Compares two rulesets option by option, by the shortest game for each difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.comparison.differences import (
    BUDGET,
    Comparison,
    check_same_players,
    differences,
)
from refengine.game.nearby_rulesets import changed
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import Value

_KINDS: Final = ("forbid", "effect", "permit")


@attrs.frozen
class OptionDifference:
    """One option in which two rulesets differ.

    `between` holds the two rulesets that were compared: one of the original two, and
    the same ruleset with this option taken from the other; both are for fewer players
    if a difference was found only there. `between` and `found` are None if the option
    has no effect in either of the original two, or if the book does not allow the
    exchange without other changes.
    """

    option: str
    values: tuple[Value, Value]
    clauses: tuple[str, ...]
    has_effect: bool
    between: tuple[Ruleset, Ruleset] | None = None
    found: Comparison | None = None


def clauses_reading(option: str) -> tuple[str, ...]:
    """The clauses that read an option and forbid, permit or bring about something."""
    return tuple(
        number
        for number, clause in book.clauses().items()
        if option in clause.options and clause.kind in _KINDS
    )


def options_apart(first: Ruleset, second: Ruleset) -> tuple[str, ...]:
    """The options in which two rulesets differ, including any that have no effect.

    Raises Malformed if the rulesets are for different numbers of players.
    """
    check_same_players(first, second)
    values = second.options
    return tuple(
        option.name
        for option in OPTIONS
        if first.options[option.name] != values[option.name]
    )


def option_differences(
    first: Ruleset, second: Ruleset, most_cards: int = 2
) -> Iterator[OptionDifference]:
    """Each option in which two rulesets differ, with a game that shows it."""
    for option in options_apart(first, second):
        yield option_difference(first, second, option, most_cards)


def option_difference(
    first: Ruleset,
    second: Ruleset,
    option: str,
    most_cards: int = 2,
    budget: int = BUDGET,
) -> OptionDifference:
    """One option in which two rulesets differ, with the shortest game that shows it.

    Deals of up to `most_cards` cards a seat are tried, at most `budget` of each size.
    If none shows a difference, deals with the fewest players are tried too.
    `differences` does the search.
    """
    values = first.options[option], second.options[option]
    # If only definitions read the option, these are its main clauses
    clauses = clauses_reading(option) or main_clauses()[option]
    idle = option in first.without_effect and option in second.without_effect
    between = None if idle else _apart_in_one(first, second, option)
    found = None
    if between is not None:
        found = differences(*between, most_cards=most_cards, budget=budget)
        fewer = _with_fewer(*between) if found.difference is None else None
        if fewer is not None:
            smaller = differences(*fewer, most_cards=most_cards, budget=budget)
            if smaller.difference is not None:
                between, found = fewer, smaller
    return OptionDifference(option, values, clauses, not idle, between, found)


def _with_fewer(first: Ruleset, second: Ruleset) -> tuple[Ruleset, Ruleset] | None:
    """Both rulesets for the fewest players that both allow.

    None if they do not both allow any smaller number than at present.
    """
    for players in range(2, first.players):
        try:
            return (
                Ruleset(first.profile, players, first.options),
                Ruleset(second.profile, players, second.options),
            )
        except Refused:  # not for so few, or the cards do not come out even
            continue
    return None


def _apart_in_one(
    first: Ruleset, second: Ruleset, option: str
) -> tuple[Ruleset, Ruleset] | None:
    """Two rulesets that differ only in this option; one of them is `first` or `second`.

    None if the book allows no such pair.
    """
    if option not in first.without_effect:
        other = changed(first, {option: second.options[option]})
        if other is not None:
            return first, other
    other = changed(second, {option: first.options[option]})
    return None if other is None else (other, second)
