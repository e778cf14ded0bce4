"""Chapter 9, The match: totals, limits, the end and the winners."""

from mypy_extensions import i64

from refengine.chapters.score import MINUS, PLUS, UNSETTLED
from refengine.chapters.settings import (
    OTHERS_PLUS,
    OTHERS_PLUS_UNLESS_LOSING,
    SELF_MINUS,
    Rules,
)
from refengine.chapters.table import SEAT


def new_totals(
    rules: Rules, totals: tuple[int, ...], score: tuple[int, ...]
) -> tuple[int, ...]:
    """The totals after a deal with this score.

    If the ruleset so provides, a total of exactly the limit is reset.

    Clauses 9.1, 9.2.
    """
    after: list[int] = []
    for seat, before in enumerate(totals):
        total = before + score[seat]
        if rules.has_reset and total == rules.limit:
            total = int(rules.reset_to)
        after.append(total)
    return tuple(after)


def limit_is_reached(rules: Rules, totals: tuple[int, ...], before: bool) -> bool:
    """Whether the limit has been reached, now or, if `before`, in an earlier deal.

    Clauses 9.3, 9.6.
    """
    if before:
        return True
    if not rules.has_limit:
        return False
    highest = max(totals)
    return highest > rules.limit or (
        highest == rules.limit and not rules.limit_exceeded
    )


def lowest_totals(totals: tuple[int, ...]) -> i64:
    """The set of seats with the lowest total, which win the match if it is over.

    Clause 9.5.
    """
    seats: i64 = 0
    least = min(totals)
    for seat, total in enumerate(totals):
        if total == least:
            seats |= SEAT[seat]
    return seats


def match_is_over(
    rules: Rules, totals: tuple[int, ...], reached: bool, deal: i64
) -> bool:
    """Whether the match ends with deal number `deal`, at these totals.

    Clauses 9.3, 9.4, 9.6.
    """
    if not rules.has_limit:
        return deal >= rules.deals
    if not reached:
        return False
    winners = lowest_totals(totals)
    return not rules.ties_played_on or (winners & (winners - 1)) == 0


def plus_loses_match(
    rules: Rules,
    totals: tuple[int, ...],
    plus: tuple[int, ...],
    shooter: i64,
    reached: bool,
    deal: i64,
) -> bool:
    """Whether a plus for the others ends the match without the shooter as sole winner.

    `plus` is the score of the deal if the moon counts as plus points for the others.
    Clause 9.7.
    """
    after = new_totals(rules, totals, plus)
    reached_then = limit_is_reached(rules, after, reached)
    if not match_is_over(rules, after, reached_then, deal):
        return False
    return lowest_totals(after) != SEAT[shooter]


def settled_by_rule(
    rules: Rules,
    totals: tuple[int, ...],
    plus: tuple[int, ...],
    shooter: i64,
    reached: bool,
    deal: i64,
) -> i64:
    """MINUS or PLUS, as the ruleset settles a moon; UNSETTLED if the shooter chooses.

    `plus` is the score of the deal if the moon counts as plus points for the others.
    Clauses 8.5a, 9.7.
    """
    if rules.moon == SELF_MINUS:
        return MINUS
    if rules.moon == OTHERS_PLUS:
        return PLUS
    if rules.moon != OTHERS_PLUS_UNLESS_LOSING:
        return UNSETTLED
    if plus_loses_match(rules, totals, plus, shooter, reached, deal):
        return MINUS
    return PLUS


def reset_without_limit(rules: Rules) -> bool:
    """Whether a total of exactly the limit is reset even though there is no limit.

    Clause 9.8b.
    """
    return rules.has_reset and not rules.has_limit


def play_off_without_limit(rules: Rules) -> bool:
    """Whether a tie at the limit is played off even though there is no limit.

    Clause 9.8c.
    """
    return rules.ties_played_on and not rules.has_limit


def moon_without_limit(rules: Rules) -> bool:
    """Whether the moon depends on who would win at the limit, though there is no limit.

    Clause 9.8d.
    """
    return rules.moon == OTHERS_PLUS_UNLESS_LOSING and not rules.has_limit


def reset_not_below_limit(rules: Rules) -> bool:
    """Whether a total of exactly the limit would be reset to a value not below it.

    Clause 9.8a.
    """
    return rules.has_limit and rules.has_reset and rules.reset_to >= rules.limit
