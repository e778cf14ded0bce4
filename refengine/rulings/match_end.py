"""How a match stands after a deal, the clause for its end, and deals after that."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from refengine.chapters.match import limit_is_reached, lowest_totals, match_is_over
from refengine.chapters.settings import Rules
from refengine.game.rulesets import Ruleset
from refengine.machine.due import seats_of
from refengine.rulings.sentences import Said


@attrs.frozen
class MatchStands:
    """How a match stands after a deal.

    `reached` says whether the limit has been reached in this deal or an earlier one,
    and `winners` holds the seats that have won, if the match is `over`.
    """

    reached: bool
    over: bool
    winners: tuple[int, ...]

    @classmethod
    def after(
        cls, rules: Rules, totals: tuple[int, ...], reached: bool, number: int
    ) -> MatchStands:
        """How the match stands after deal `number`, with these totals.

        `reached` says whether the limit had been reached before this deal.
        """
        now = limit_is_reached(rules, totals, reached)
        over = match_is_over(rules, totals, now, number)
        won = seats_of(lowest_totals(totals)) if over else ()
        return cls(bool(now), bool(over), tuple(int(seat) for seat in won))


def clause_of_the_end(ruleset: Ruleset, reached: bool) -> str:
    """The clause that says when a match still in progress will end.

    It is 9.4 if there is no limit; otherwise it is 9.3, or 9.6 if the limit has been
    `reached` and a tie is being played off.
    """
    if ruleset.options["limit"] == "none":
        return "9.4"
    return "9.6" if reached else "9.3"


def past_the_end(
    ruleset: Ruleset,
    totals: Sequence[int],
    names: Sequence[str],
    what: str,
    played_on: bool,
) -> Said:
    """A sentence saying that the match was over before this deal or row.

    `what` is the word `deal` or `row`. `played_on` says whether the limit had been
    reached in an earlier deal and a tie was then played off (9.6).
    """
    over = f"the match was over before this {what}"
    if ruleset.options["limit"] == "none":
        return Said(over, ("9.4",))
    if played_on:
        won = names[min(range(len(totals)), key=totals.__getitem__)]
        return Said(f"{over}: {won} alone had the lowest total", ("9.6",))
    highest = max(range(len(totals)), key=totals.__getitem__)
    return Said(f"{over}: {names[highest]} stood at {totals[highest]}", ("9.3",))
