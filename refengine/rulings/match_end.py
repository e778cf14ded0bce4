"""The clause that decides when a match ends, and a sentence on deals after its end."""

from __future__ import annotations

from collections.abc import Sequence

from refengine.game.rulesets import Ruleset
from refengine.rulings.sentences import Said


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
