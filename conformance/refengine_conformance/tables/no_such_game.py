"""Lists clauses that no game of a table can test, because of the rules of the table.

If a search finds no game, that proves nothing. For the clauses here there is a reason
in the rules: whatever would differ without the clause is the same in every game of the
table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from refengine.chapters.deal import removed_cards
from refengine.chapters.passing import cycle_at_table, pass_of_deal
from refengine.chapters.revoke import no_quitting
from refengine.chapters.settings import (
    CHOICE_ALL,
    CHOICE_ONE,
    HOLD,
    KITTY,
    LOWEST_NO_HEARTS,
    SCATTER,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card
from refengine_conformance.runner.table import Table


def _has_one_deal(table: Table) -> bool:
    """Whether every match ends with its first deal, so that nothing follows it."""
    rules = table.ruleset.rules
    return not rules.has_limit and int(rules.deals) == 1


def _kinds_of_pass(table: Table) -> set[int]:
    """The different entries of the cycle at the table, holds included."""
    return {*cycle_at_table(table.ruleset.rules)}


def _passes_alike(table: Table) -> bool:
    """Whether all entries of the cycle are the same pass, or the cycle is empty."""
    return len(_kinds_of_pass(table)) <= 1


def _holds(table: Table) -> bool:
    """Whether no cards are passed in any deal."""
    return _kinds_of_pass(table) <= {HOLD}


def _removes_nothing(table: Table) -> bool:
    """Whether no card is taken out of the 52."""
    return not removed_cards(table.ruleset.rules)


def _spares_no_heart(table: Table) -> bool:
    """Whether sparing hearts makes no difference to which cards are taken out.

    False if the ruleset does not spare hearts, since then the clause has no effect.
    """
    ruleset = table.ruleset
    if ruleset.rules.removal != LOWEST_NO_HEARTS:
        return False
    options = {**ruleset.changed, "removal": "lowest"}
    lowest = Ruleset(ruleset.profile, ruleset.players, options)
    return bool(removed_cards(lowest.rules) == removed_cards(ruleset.rules))


def _passes_in_every_later_deal(table: Table) -> bool:
    """Whether there is a pass in every deal of a match, except perhaps in the first.

    The mutant of 3.11 leaves hearts broken only in a deal without a pass.
    """
    rules = table.ruleset.rules
    # The deals from the second on, until each entry of the cycle has had its turn.
    last = 1 + max(1, len(cycle_at_table(rules)))
    if not rules.has_limit:
        last = min(last, int(rules.deals))  # the match ends with this deal (9.4)
    return all(int(pass_of_deal(rules, deal)) != HOLD for deal in range(2, last + 1))


def _passes_no_low_club(table: Table) -> bool:
    """Whether nobody can pass the two of clubs, which the mutant of 5.1b forbids."""
    return _holds(table) or (table.whole and Card("2C") not in table.whole_pack)


def _deals_the_same_anyway(table: Table) -> bool:
    """Whether `hand_size` deals the same hands as `all` would (3.4, 3.4a).

    False if the option does not give a number, or if the pack is not whole.
    """
    rules = table.ruleset.rules
    if not (table.whole and rules.hand_size):
        return False
    kitty_of_four = rules.undealt == KITTY and rules.players == 4
    every = 12 if kitty_of_four else len(table.whole_pack) // int(rules.players)
    return table.full_hand == every


def _has_two_seats(table: Table) -> bool:
    """Whether the table has two seats; play then ends as soon as one is out (5.14)."""
    return table.ruleset.players == 2


def _quits_no_trick(table: Table) -> bool:
    """Whether no act turns a trick face down (7.6a)."""
    return bool(no_quitting(table.ruleset.rules))


def _claims_end_no_deal(table: Table) -> bool:
    """Whether no claim ends a deal (7.9)."""
    return not table.ruleset.rules.revoke_ends_deal


_NO_GAME_WHERE: Final[Mapping[str, Callable[[Table], bool]]] = {
    "3.1d": _has_one_deal,
    "3.2": _has_one_deal,
    "3.3": _removes_nothing,
    "3.3a": _spares_no_heart,
    "3.4": _deals_the_same_anyway,
    "3.10a": lambda table: table.whole,
    "3.11": _passes_in_every_later_deal,
    "4.1": _passes_alike,
    "4.6a": lambda table: SCATTER not in _kinds_of_pass(table),
    "4.6b": lambda table: _kinds_of_pass(table) <= {SCATTER, HOLD},
    "5.1b": _passes_no_low_club,
    "5.8": lambda table: bool(table.ruleset.rules.hearts_free),
    "5.12": _has_two_seats,
    "6.7": _has_two_seats,
    "7.6a": lambda table: not _quits_no_trick(table),
    "7.6b": _quits_no_trick,
    "7.6c": _quits_no_trick,
    "7.6d": _quits_no_trick,
    "7.6e": lambda table: _quits_no_trick(table) or _claims_end_no_deal(table),
    "7.7b": _claims_end_no_deal,
    "8.6b": lambda table: table.ruleset.rules.moon not in (CHOICE_ALL, CHOICE_ONE),
}


def has_no_such_game(clause: str, table: Table) -> bool:
    """Whether it is known that no game of the table can test the clause."""
    condition = _NO_GAME_WHERE.get(clause)
    return condition is not None and condition(table)
