"""A description of the rules at a table, with every option, and of all profiles."""

from __future__ import annotations

from typing import Any

from refengine.game.rulesets import Ruleset
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import OPTIONS, value_text
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.spoken import option_name, profile_name, value_name
from refengine.rulings.words import option_meaning


def described(ruleset: Ruleset) -> dict[str, Any]:
    """What this table plays, as plain values: profile, title, players and options.

    Each option comes with its value as typed, the everyday names of option and value,
    the meaning of the value, and the clause that says the most about the option.
    """
    return {
        "profile": ruleset.profile,
        "title": profile_name(ruleset.profile),
        "players": ruleset.players,
        "options": [
            {
                "option": option.name,
                "value": value_text(ruleset.options[option.name]),
                "name": option_name(option.name),
                "said": value_name(option.name, ruleset.options[option.name]),
                "meaning": option_meaning(option.name, ruleset.options[option.name]),
                "clause": main_clauses()[option.name][0],
            }
            for option in OPTIONS
        ],
    }


def described_profiles() -> list[dict[str, Any]]:
    """Every profile as plain values: its names, summary and numbers of players."""
    return [
        {
            "profile": one.name,
            "title": profile_name(one.name),
            "summary": one.summary,
            "players": list(one.players),
            "players_with_kitty": list(one.players_with_kitty),
            "usual_players": one.usual_players,
        }
        for one in [profile(name) for name in profile_names()]
    ]
