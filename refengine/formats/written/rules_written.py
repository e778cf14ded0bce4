"""The rules of a written game: a profile, a number of players, options."""

from __future__ import annotations

import re
from typing import Final

from refengine.errors import Malformed
from refengine.game.openings_in_words import opening_in_words
from refengine.game.rulesets import Ruleset
from refengine.game.typed import read_said_option
from refengine.game.verdicts import Refused
from refengine.lawbook.options import BY_NAME, value_text
from refengine.lawbook.profiles import profile_names
from refengine.lawbook.spoken import profile_meant

_PLAYERS: Final = re.compile(r"(\d{1,2}) players", re.IGNORECASE)
_OPTION: Final = re.compile(r"\s*([a-z_]+)(?:\s*=\s*|\s+|$)(.*)", re.DOTALL)


def is_rules(text: str) -> bool:
    """Whether a line without a word before it is a profile and a number of players."""
    profile, _, rest = text.partition(",")
    return profile.strip() in profile_names() and bool(_PLAYERS.match(rest.strip()))


def rules_written(text: str, players: int | None) -> Ruleset:
    """The ruleset that a line names, for this number of players if it names none.

    Parts are separated by commas, and a value that is a list has spaces between its
    members, or commas. Raises Malformed if there are no such rules.
    """
    # A list as it was shown once: pass_cycle ('left', 'hold')
    profile, *parts = re.sub(r"[()'\"]", "", text).split(",")
    number = players
    options: list[str] = []
    for part in parts:
        found = _PLAYERS.fullmatch(part.strip())
        if found:
            number = int(found[1])
        elif _names_option(part):
            options.append(part.strip())
        elif options and part.strip():
            options[-1] += f",{part.strip()}"
        elif options:
            continue  # behind the last comma of a list
        else:
            raise Malformed(f"{part.strip()!r:.60}", "an option, such as limit=50")
    changed = dict(map(_option, options))
    name = profile_meant(profile.strip())
    try:
        return Ruleset(name, number, changed)
    except Refused as refused:
        raise opening_in_words(refused, name, number) from None


def _names_option(text: str) -> bool:
    found = _OPTION.fullmatch(text)
    return found is not None and found[1] in BY_NAME


def _option(text: str) -> tuple[str, object]:
    found = _OPTION.fullmatch(text)
    assert found is not None
    return read_said_option(f"{found[1]}={found[2].strip()}")


def rules_text(ruleset: Ruleset) -> str:
    """The ruleset as we write it."""
    changed = [f"{name}={value_text(value)}" for name, value in ruleset.changed.items()]
    return ", ".join([ruleset.profile, f"{ruleset.players} players", *changed])
