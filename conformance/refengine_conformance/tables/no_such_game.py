"""Clauses that no game of a table can ask about, by the rules of the table alone.

A search that finds no game proves nothing. For the clauses here there is a reason in
the rules: what would have to differ without the clause is the same in every game of the
table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from refengine.chapters.deal import removed_cards
from refengine.chapters.passing import cycle_at_table
from refengine.chapters.settings import (
    CHOICE_ALL,
    CHOICE_ONE,
    HOLD,
    LOWEST_NO_HEARTS,
    SCATTER,
)
from refengine.game.rulesets import Ruleset
from refengine_conformance.runner.table import Table


def _has_one_deal(table: Table) -> bool:
    """Whether every match ends with its first deal, so that nothing follows it."""
    rules = table.ruleset.rules
    return not rules.has_limit and int(rules.deals) == 1


def _passes_alike(table: Table) -> bool:
    """Whether all entries of the cycle are the same pass, or the cycle is empty."""
    return len({*cycle_at_table(table.ruleset.rules)}) <= 1


def _holds(table: Table) -> bool:
    """Whether no cards are passed in any deal."""
    return {*cycle_at_table(table.ruleset.rules)} <= {HOLD}


def _removes_nothing(table: Table) -> bool:
    """Whether no card is taken out of the 52."""
    return not removed_cards(table.ruleset.rules)


def _spares_no_heart(table: Table) -> bool:
    """Whether the cards taken out are the same as if hearts were not spared.

    False if hearts are not spared, since then the clause is empty.
    """
    ruleset = table.ruleset
    if ruleset.rules.removal != LOWEST_NO_HEARTS:
        return False
    options = {**ruleset.changed, "removal": "lowest"}
    lowest = Ruleset(ruleset.profile, ruleset.players, options)
    return bool(removed_cards(lowest.rules) == removed_cards(ruleset.rules))


_NO_GAME_WHERE: Final[Mapping[str, Callable[[Table], bool]]] = {
    "3.1d": _has_one_deal,
    "3.2": _has_one_deal,
    "3.3": _removes_nothing,
    "3.3a": _spares_no_heart,
    "3.10a": lambda table: table.whole,
    "3.11": _has_one_deal,
    "4.1": _passes_alike,
    "4.6a": lambda table: SCATTER not in cycle_at_table(table.ruleset.rules),
    "5.1b": _holds,
    "8.6b": lambda table: table.ruleset.rules.moon not in (CHOICE_ALL, CHOICE_ONE),
}


def has_no_such_game(clause: str, table: Table) -> bool:
    """Whether no game of the table can ask about the clause; False if not known."""
    condition = _NO_GAME_WHERE.get(clause)
    return condition is not None and condition(table)
