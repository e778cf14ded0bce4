"""Trying other values of the options, to find out which of them matter to a verdict.

Every answer comes from the engine, which judges the same game under a ruleset with one
option changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import attrs

from refengine.chapters.settings import SCATTER
from refengine.errors import Malformed
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.options import OPTIONS, Value
from refengine.machine.core import Core
from refengine.rulings.words import other_values

_MOST_REPLAYED: Final = 120  # acts; a longer game is not played again


@attrs.frozen
class WhatIf:
    """The verdict on an act if one option had another value."""

    option: str
    value: Value
    verdict: Verdict


@attrs.frozen
class Elsewhere:
    """A state under other rules, with the option and value in which these differ."""

    option: str
    value: Value
    state: State


def moment_otherwise(state: State, replayed: bool = False) -> list[Elsewhere]:
    """The state as it would be under each ruleset that `changed_rulesets` gives.

    If `replayed`, the game is played again from its beginning under that ruleset,
    provided that the ruleset allows it and the game is not too long.
    """
    return [
        Elsewhere(option, value, _under(state, ruleset, replayed))
        for option, value, ruleset in changed_rulesets(state.ruleset)
    ]


def what_ifs(
    state: State, act: Act, otherwise: list[Elsewhere], plain: Act | None = None
) -> list[WhatIf]:
    """The changes to a single option that alter the verdict on an act.

    Where no cards are scattered, the verdict is that on `plain`, if it is given.
    """
    now = state.verdict(act)
    found = []
    for one in otherwise:
        there = act
        if plain is not None and one.state.core.dealt.way != SCATTER:
            there = plain
        verdict = one.state.verdict(there)
        if clauses_of(verdict) != clauses_of(now) or (
            isinstance(verdict, Irregular) != isinstance(now, Irregular)
        ):
            found.append(WhatIf(one.option, one.value, verdict))
    return found


_NOT_VARIED: Final = ("limit", "heart_points")


def other_deal_ends(state: State, act: Act, after: State) -> list[Elsewhere]:
    """The changes to a single option that make an act end the deal differently.

    Each comes with the state after the act. What a card or a mistake is worth is not
    varied, and neither is the limit.
    """
    found = []
    for option, value, ruleset in changed_rulesets(state.ruleset):
        if not worth_varying(state.ruleset, option, value):
            continue
        before = _under(state, ruleset, True)
        if not isinstance(before.verdict(act), Refused):
            end = before.apply(act)
            ended = end.phase == "moon" or end.score is not None
            if ended and ending_of(end) != ending_of(after):
                found.append(Elsewhere(option, value, end))
    return found


def worth_varying(ruleset: Ruleset, option: str, value: Value) -> bool:
    """Whether changing an option to this value would do more than change an amount."""
    now = ruleset.options[option]
    both_numbers = type(value) is int and type(now) is int
    return option not in _NOT_VARIED and not both_numbers


def ending_of(state: State) -> tuple[object, ...]:
    """The end of a deal: whether a moon is unsettled, the score, totals and winners."""
    return state.phase == "moon", state.score, state.totals, state.winners


def clauses_of(verdict: Verdict) -> tuple[str, ...]:
    """The clauses that a verdict names; empty if the act is legal."""
    return () if isinstance(verdict, Legal) else verdict.clauses


@lru_cache(maxsize=64)
def changed_rulesets(ruleset: Ruleset) -> tuple[tuple[str, Value, Ruleset], ...]:
    """The rulesets that differ from this one in a single option, if worth trying.

    Each comes with the option and its new value. Options without effect are not
    changed, and rulesets that the book does not allow are left out.
    """
    return tuple(_each_changed(ruleset))


def _each_changed(ruleset: Ruleset) -> Iterator[tuple[str, Value, Ruleset]]:
    for option in OPTIONS:
        if not option.bites(ruleset.options):
            continue  # with the others as they are, it has no effect
        for value in other_values(option, ruleset.options[option.name]):
            try:
                yield option.name, value, ruleset.having(**{option.name: value})
            except Refused:
                continue  # the book allows no such ruleset


def _under(state: State, ruleset: Ruleset, replayed: bool) -> State:
    """The state under this ruleset; `replayed` is as in `moment_otherwise`."""
    if replayed and len(state.acts) <= _MOST_REPLAYED:
        try:
            return State.open(ruleset, state.start).after(*state.acts)
        except (Refused, Malformed):
            pass  # it would have been another game: judge this moment alone
    core = Core(ruleset.rules, *state.core.fields())  # type: ignore[arg-type]  # same
    return State(ruleset, state.start, core)
