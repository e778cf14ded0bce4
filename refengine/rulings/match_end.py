"""What is said of a deal that was played after the match was over."""

from __future__ import annotations

from collections.abc import Sequence

from refengine.game.rulesets import Ruleset
from refengine.rulings.sentences import Said


def past_the_end(
    ruleset: Ruleset, totals: Sequence[int], names: Sequence[str], what: str
) -> Said:
    """That the match was over before `what`, at these totals of the players named."""
    if ruleset.options["limit"] == "none":
        return Said(f"the match was over before this {what}", ("9.4",))
    highest = max(range(len(totals)), key=totals.__getitem__)
    stood = f"{names[highest]} stood at {totals[highest]}"
    return Said(f"the match was over before this {what}: {stood}", ("9.3",))
