"""Chooses the ruleset with which to begin every game of an unknown engine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.profiles import profile, profile_names
from refengine_conformance.runner.declared import why_later
from refengine_conformance.runner.results import EngineCard
from refengine_conformance.runner.table import COMMON_PROFILE, USUAL_PROFILE, Table


def ruleset_to_send(
    card: EngineCard, tables: Sequence[Table], players: int | None
) -> tuple[Ruleset, int | str]:
    """The ruleset with which every game is begun, and the hands of its table.

    The ruleset is that of the adapter's first table or, if `players` is given, of its
    first table for that number. If there is no such table, the hands are `any`, and the
    ruleset is that of the first profile that the adapter's edition allows. It is for
    `players` or, by default, for the profile's usual number of players, or else for one
    that the adapter declares. The profiles tried are those that the adapter declares,
    or all profiles if none of those declared is known. Raises Malformed if no profile
    fits.
    """
    for table in tables:
        if players in (None, table.ruleset.players):
            return table.ruleset, table.hands
    known = [name for name in card.profiles if name in profile_names()]
    names = known or [USUAL_PROFILE, COMMON_PROFILE, *profile_names()]
    later: list[str] = []
    for name in names:
        numbers = _usual_players(card, name) if players is None else [players]
        for number in numbers:
            with suppress(Refused):
                ruleset = Ruleset(name, number)
                if not (why := why_later(ruleset, card.spec)):
                    return ruleset, "any"
                later.append(why)
    if later:
        raise Malformed(later[0], "a profile of the edition in `spec`", "hello")
    allowed = f"a number of players for {' or '.join(dict.fromkeys(names))}"
    raise Malformed("none" if players is None else str(players), allowed, "--players")


def _usual_players(card: EngineCard, name: str) -> list[int]:
    """The profile's usual number of players, unless the adapter declares only others.

    In that case, the numbers that it declares are returned.
    """
    usual = profile(name).usual_players
    declared = sorted(one for one in card.players if isinstance(one, int))
    return declared if declared and usual not in declared else [usual]
