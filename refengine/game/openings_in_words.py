"""Why a table cannot be opened, in words: how many may play, and who else may."""

from __future__ import annotations

from collections.abc import Iterable

from refengine.errors import Malformed, shown
from refengine.game.verdicts import Refused
from refengine.lawbook.book import title
from refengine.lawbook.profiles import Profile, profile, profile_names


def opening_in_words(refused: Refused, name: object, players: object) -> Malformed:
    """What to raise where a ruleset is refused: in words if it is for its players."""
    if refused.clauses != ("2.6",):
        return Malformed(str(refused), "a ruleset of the book", "options")
    found = profile(name)
    clause = f"2.6 {title('2.6')}"
    allowed = f"{numbers_words(found)} for {found.name} ({clause})"
    others = profiles_for(players)
    if others:
        allowed = f"{allowed}; {shown(players)} can play {', '.join(others)}"
    return Malformed(f"{shown(players)[:40]} players", allowed, "players")


def profiles_for(players: object) -> tuple[str, ...]:
    """The profiles that this many people can play, without a kitty."""
    return tuple(name for name in profile_names() if players in profile(name).players)


def numbers_words(found: Profile) -> str:
    """For how many a profile is: `4 players (3 to 10 with a kitty)`."""
    said = f"{_numbers(found.players)} players"
    if found.players_with_kitty == found.players:
        return said
    return f"{said} ({_numbers(found.players_with_kitty)} with a kitty)"


def _numbers(numbers: Iterable[int]) -> str:
    *first, last = numbers
    if not first:
        return f"{last}"
    if len(first) > 2 and last - first[0] == len(first):
        return f"{first[0]} to {last}"
    return f"{', '.join(map(str, first))} or {last}"
