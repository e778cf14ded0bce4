"""The option values that matter to a verdict: what the verdict would be under others.

Every answer comes from the engine, which is asked about the same game under a ruleset
with one option changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import attrs

from refengine.errors import Malformed
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Legal, Refused, Verdict
from refengine.lawbook.options import OPTIONS, Value
from refengine.machine.core import Core
from refengine.rulings.words import other_values

_MOST_REPLAYED = 120


@attrs.frozen
class WhatIf:
    """One option with another value, and the verdict that it would bring."""

    option: str
    value: Value
    verdict: Verdict


def what_ifs(state: State, act: Act, replayed: bool = False) -> list[WhatIf]:
    """The changes of one option that change the verdict on an act, option by option.

    The moment itself stays the same. With `replayed`, the game is instead played again
    from its beginning under the changed ruleset, if that allows it and it is not long.
    """
    now = clauses_of(state.verdict(act))
    found = []
    for option, value, ruleset in _changed(state.ruleset):
        verdict = _under(state, ruleset, replayed).verdict(act)
        if clauses_of(verdict) != now or isinstance(verdict, Irregular) != isinstance(
            state.verdict(act), Irregular
        ):
            found.append(WhatIf(option, value, verdict))
    return found


def other_deal_ends(
    state: State, act: Act, after: State
) -> list[tuple[str, Value, State]]:
    """The states after an act that ends a deal, for option values that change them.

    What a card or a mistake is worth is not varied, and neither is the limit.
    """
    found = []
    for option, value, ruleset in _changed(state.ruleset):
        if option == "limit" or _both_numbers(value, state.ruleset.options[option]):
            continue
        before = _under(state, ruleset, True)
        if not isinstance(before.verdict(act), Refused):
            end = before.apply(act)
            ended = end.phase == "moon" or end.score is not None
            if ended and _ending(end) != _ending(after):
                found.append((option, value, end))
    return found


def _both_numbers(one: Value, other: Value) -> bool:
    return all(type(value) is int for value in (one, other))


def _ending(state: State) -> tuple[object, ...]:
    return state.phase == "moon", state.score, state.totals, state.winners


def clauses_of(verdict: Verdict) -> tuple[str, ...]:
    """The clauses that a verdict names; empty if the act is legal."""
    return () if isinstance(verdict, Legal) else verdict.clauses


@lru_cache(maxsize=64)
def _changed(ruleset: Ruleset) -> tuple[tuple[str, Value, Ruleset], ...]:
    return tuple(_each_changed(ruleset))


def _each_changed(ruleset: Ruleset) -> Iterator[tuple[str, Value, Ruleset]]:
    for option in OPTIONS:
        for value in other_values(option, ruleset.options[option.name]):
            try:
                yield option.name, value, ruleset.having(**{option.name: value})
            except Refused:
                continue  # the book allows no such ruleset


def _under(state: State, ruleset: Ruleset, replayed: bool) -> State:
    if replayed and len(state.acts) <= _MOST_REPLAYED:
        try:
            return State.open(ruleset, state.start).after(*state.acts)
        except (Refused, Malformed):
            pass  # another game would have been played: only the moment is asked about
    core = Core(ruleset.rules, *state.core.fields())  # type: ignore[arg-type]  # same
    return State(ruleset, state.start, core)
