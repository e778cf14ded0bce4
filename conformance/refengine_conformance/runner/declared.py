"""What an adapter declares, and why it is not asked about something else."""

from __future__ import annotations

from collections.abc import Iterable

from refengine.game.rulesets import Ruleset
from refengine_conformance.runner.adapter_edition import why_later
from refengine_conformance.runner.results import EngineCard


def is_applicable(card: EngineCard, ruleset: Ruleset) -> bool:
    """Whether games under this ruleset are among those that an adapter declares."""
    declared = card.plays(ruleset.profile, ruleset.players)
    return declared and not why_later(ruleset, card.spec)


def why_not_asked(card: EngineCard, ruleset: Ruleset, needs: tuple[str, ...]) -> str:
    """Why an adapter is not asked a game with this ruleset and needs; else empty."""
    if reason := why_table_not_declared(card, ruleset.profile, ruleset.players):
        return reason
    if later := why_later(ruleset, card.spec):
        return later
    return why_not_able(card, needs)


def why_not_able(card: EngineCard, needs: Iterable[str]) -> str:
    """Which of these capabilities are not declared; empty if all are."""
    missing = [need for need in needs if not card.can(need)]
    return f"{', '.join(missing)} not declared" if missing else ""


def why_table_not_declared(card: EngineCard, profile: str, players: int) -> str:
    """Why this table is not among those an adapter declares; empty if it is."""
    if not card.knows(profile):
        return f"the profile {profile} is not declared"
    if not card.plays(profile, players):
        return f"{players} players are not declared"
    return ""
