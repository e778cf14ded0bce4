"""Profiles and clubs as plain values, for the commands `profiles` and `profile`."""

from __future__ import annotations

from typing import Any

import attrs

from refengine.game.clubs import ClubRules
from refengine.lawbook.profiles import Profile


def number_range(numbers: tuple[int, ...]) -> str:
    """The numbers of players as text: `3-6`, or `3, 5` if there is a gap."""
    first, last = min(numbers), max(numbers)
    if len(numbers) not in (1, last - first + 1):
        return ", ".join(map(str, numbers))
    return str(first) if first == last else f"{first}-{last}"


def profile_fields(one: Profile) -> dict[str, Any]:
    """A profile as plain values."""
    return {**attrs.asdict(one, recurse=False), "options": dict(one.options)}


def club_fields(one: ClubRules) -> dict[str, Any]:
    """A club as plain values, with the value of every option."""
    found = attrs.asdict(one, recurse=False)
    ruleset = one.ruleset()
    return {
        **found,
        "options": dict(ruleset.options),
        "changed": [*one.options],
        "citation": str(ruleset.citation),
    }
