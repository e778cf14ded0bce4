"""What both `profiles` and `profile` say about a profile."""

from __future__ import annotations

from typing import Any

import attrs

from refengine.lawbook.profiles import Profile


def number_range(numbers: tuple[int, ...]) -> str:
    """The numbers of players as text: `3-6`."""
    first, last = min(numbers), max(numbers)
    return str(first) if first == last else f"{first}-{last}"


def profile_fields(one: Profile) -> dict[str, Any]:
    """A profile as plain values."""
    return {**attrs.asdict(one, recurse=False), "options": dict(one.options)}
