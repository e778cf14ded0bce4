"""What decides whether a match goes on, and what is said of a deal after the end."""

from __future__ import annotations

from collections.abc import Sequence

from refengine.game.rulesets import Ruleset
from refengine.rulings.sentences import Said


def clause_of_the_end(ruleset: Ruleset, reached: bool) -> str:
    """The clause that says when a match that goes on will end.

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
    """The sentence saying that the match was over before this `what`, a deal or a row.

    `played_on` says whether the limit had been reached in an earlier deal and a tie
    was played on until the end (9.6).
    """
    if ruleset.options["limit"] == "none":
        return Said(f"the match was over before this {what}", ("9.4",))
    if played_on:
        won = names[min(range(len(totals)), key=totals.__getitem__)]
        text = (
            f"the match was over before this {what}: {won} alone had the lowest total"
        )
        return Said(text, ("9.6",))
    highest = max(range(len(totals)), key=totals.__getitem__)
    stood = f"{names[highest]} stood at {totals[highest]}"
    return Said(f"the match was over before this {what}: {stood}", ("9.3",))
