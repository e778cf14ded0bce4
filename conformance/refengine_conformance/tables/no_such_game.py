"""Clauses that no game of a table can ask, as its ruleset alone tells.

A search that finds no game proves nothing. Here each clause has its reason in the
rules: what would have to differ without it is the same in every game of the table.
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
    """A match is over with its first deal, so that nothing follows it."""
    rules = table.ruleset.rules
    return not rules.has_limit and int(rules.deals) == 1


def _has_one_pass(table: Table) -> bool:
    """Every deal takes the same entry of the cycle, or there is none."""
    return len({*cycle_at_table(table.ruleset.rules)}) <= 1


def _holds(table: Table) -> bool:
    """No cards are passed in any deal."""
    return {*cycle_at_table(table.ruleset.rules)} <= {HOLD}


def _removes_nothing(table: Table) -> bool:
    """The 52 cards come out even."""
    return not removed_cards(table.ruleset.rules)


def _spares_no_heart(table: Table) -> bool:
    """Hearts or not, the same cards are taken out."""
    ruleset = table.ruleset
    if ruleset.rules.removal != LOWEST_NO_HEARTS:
        return False  # the clause is empty
    usual = Ruleset(
        ruleset.profile, ruleset.players, {**ruleset.changed, "removal": "lowest"}
    )
    return bool(removed_cards(usual.rules) == removed_cards(ruleset.rules))


_WHY: Final[Mapping[str, Callable[[Table], bool]]] = {
    "3.1d": _has_one_deal,
    "3.2": _has_one_deal,
    "3.3": _removes_nothing,
    "3.3a": _spares_no_heart,
    "3.10a": lambda table: table.whole,
    "3.11": _has_one_deal,
    "4.1": _has_one_pass,
    "4.6a": lambda table: SCATTER not in cycle_at_table(table.ruleset.rules),
    "5.1b": _holds,
    "8.6b": lambda table: table.ruleset.rules.moon not in (CHOICE_ALL, CHOICE_ONE),
}


def has_no_such_game(clause: str, table: Table) -> bool:
    """Whether no game of the table can ask this clause; False if that is not known."""
    derived = _WHY.get(clause)
    return derived is not None and derived(table)
