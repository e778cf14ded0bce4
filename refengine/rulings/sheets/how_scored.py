"""How a deal can have had the scores on a sheet, with or without claimed revokes."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

import attrs

from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack
from refengine.chapters.revoke import penalty
from refengine.game.rulesets import Ruleset
from refengine.rulings.sheets.deal_scores import (
    DealScore,
    can_be_scored,
    deal_scores,
    deal_ways,
    way_to_score,
)

_MOST_REVOKES: Final = 2  # in one deal, to explain a score


@attrs.frozen
class HowScored:
    """How a deal can have a score: a way to it, and who may have revoked in it.

    `way` is None if a revoke ended the deal (7.9). `revokers` holds the revokers of
    each possible way, each once for each revoke; it is empty if no revoke is needed.
    """

    way: DealScore | None
    revokers: tuple[tuple[int, ...], ...] = ()


@lru_cache(maxsize=4096)
def how_scored(ruleset: Ruleset, score: tuple[int, ...]) -> HowScored | None:
    """How a deal can have this score, with as few revokes as possible.

    The result is None if no deal gives the score.
    """
    found = deal_scores(ruleset).get(tuple(sorted(score)))
    if found is not None:
        return HowScored(found)
    rules = ruleset.rules
    if not rules.revokes_penalised:
        return None
    seats = range(len(score))
    if rules.revoke_ends_deal:  # one revoker, as no claim follows (7.7b)
        ends = [(at,) for at in seats if can_be_scored(ruleset, score, (at,))]
        return HowScored(None, tuple(ends)) if ends else None
    for number in range(1, _MOST_REVOKES + 1):
        ways: dict[tuple[int, ...], DealScore] = {}
        for revokers in combinations_with_replacement(seats, number):
            found = way_to_score(ruleset, score, revokers)
            if found is not None:
                ways[revokers] = found
        if ways:
            return HowScored(next(iter(ways.values())), tuple(ways))
    return None


def ways_without_revoke(ruleset: Ruleset, way: DealScore) -> list[DealScore]:
    """The ways to reach the score of `way` without a moon barred by a revoke (8.3b)."""
    return [one for one in deal_ways(ruleset)[way.score] if one.barred < 0]


def points_too_many(ruleset: Ruleset, score: tuple[int, ...]) -> int:
    """How far the sum of a score is from the nearest sum possible without a revoke.

    The result is positive if the score has too many points, and negative if too few.
    """
    total = sum(score)
    sums = {sum(one) for one in deal_scores(ruleset)}
    return total - min(sums, key=lambda one: (abs(one - total), -one))


def has_sum_with_revokes(ruleset: Ruleset, total: int) -> bool:
    """Whether a deal with claimed revokes can give scores of this sum (7.9, 7.10)."""
    rules = ruleset.rules
    if not rules.revokes_penalised:
        return False
    cost = int(penalty(rules, match_pack(rules, EMPTY)))
    if rules.revoke_ends_deal:
        return total == cost
    before = {total - number * cost for number in range(1, _MOST_REVOKES + 1)}
    return any(sum(score) in before for score in deal_ways(ruleset))


def most_in_a_deal(ruleset: Ruleset) -> int:
    """The most points for a seat in one deal, or a few more, with claimed revokes."""
    rules = ruleset.rules
    cost = int(penalty(rules, match_pack(rules, EMPTY)))
    revokes = _MOST_REVOKES * cost if rules.revokes_penalised else 0
    return max(map(max, deal_ways(ruleset))) + revokes
