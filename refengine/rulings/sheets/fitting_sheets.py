"""Finding the rules under which a score sheet is possible when none are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import profile
from refengine.rulings.judge import profiles_for
from refengine.rulings.sheets.judging_sheets import SheetJudgement, judge_sheet
from refengine.rulings.sheets.reading_sheets import Sheet

MOST_PLAYED: Final = "common-hearts"
"""The profile that is tried first, and the one whose house rules are varied."""
_CHANGED: Final = ("moon", "bonus_card")


def judge_under_all_rules(
    sheet: Sheet, running: bool | None = None
) -> list[SheetJudgement]:
    """The sheet judged under every profile for its number of players, best fit first.

    `running` says whether the numbers are totals, as in `judge_sheet`. If no profile
    fits, Hearts as most people play it is also tried with each way to settle a moon and
    each bonus card. Raises Malformed if there is no profile for that number of players.
    """
    profiles = sorted(
        profiles_for(len(sheet.names)), key=lambda one: one.profile != MOST_PLAYED
    )
    found = [judge_sheet(sheet, one, running) for one in profiles]
    if not found:
        players = f"{len(sheet.names)} players"
        raise Malformed(players, "a number of players for which there is a profile")
    if not any(one.possible for one in found):
        changed = _with_house_rules(len(sheet.names))
        found += [judge_sheet(sheet, one, running) for one in changed]
    return sorted(found, key=lambda one: one.faults)


def _with_house_rules(players: int) -> Iterator[Ruleset]:
    """The most widely played game with other values of its house rules."""
    if players not in profile(MOST_PLAYED).players:
        return
    moon, bonus = (BY_NAME[name].words for name in _CHANGED)
    for moons in moon:
        for card in bonus:
            changed = {"moon": moons, "bonus_card": card}
            ruleset = Ruleset(MOST_PLAYED, players, changed)
            if ruleset.changed:
                yield ruleset
