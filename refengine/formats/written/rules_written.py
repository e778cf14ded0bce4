"""The rules of a written game: a profile, a number of players, and any options."""

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
_OPTION: Final = re.compile(
    r"([a-z_]+)(?:\s*=\s*|\s+|$)(.*)", re.DOTALL | re.IGNORECASE
)


def is_rules(text: str) -> bool:
    """Whether a line without a keyword is a ruleset: a profile and a number of players.

    Only the identifier of a profile counts: `Hearts, 4 players` is a title.
    """
    profile, _, rest = text.partition(",")
    named = profile.strip().lower() in profile_names()
    return named and bool(_PLAYERS.match(rest.strip()))


def rules_written(text: str, players: int | None) -> Ruleset:
    """The ruleset that a line names, for `players` if the line gives no number.

    Parts are separated by commas, and so are the members of a value that is a list.
    Raises Malformed if there are no such rules, or if something is given twice.
    """
    # A list may be written as it used to be shown: pass_cycle ('left', 'hold')
    profile, *parts = re.sub(r"[()'\"]", "", text).split(",")
    number = None
    options: dict[str, list[str]] = {}
    name = ""  # of the option at hand
    for part in map(str.strip, parts):
        found = _PLAYERS.fullmatch(part)
        option = _OPTION.fullmatch(part)
        if found:
            if number is not None:
                raise Malformed(f"{part} after {number}", "one number of players")
            number = int(found[1])
        elif option and (option[1].lower() in BY_NAME or "=" in part):
            name = option[1].lower()
            if name in options:
                raise Malformed(f"{name} a second time", "each option once")
            options[name] = [option[2]]
        elif name:
            options[name] += [part] if part else []  # nothing after the last comma
        elif part:
            raise Malformed(f"{part!r:.60}", "an option, such as limit=50")
    said = [f"{name}={','.join(values)}" for name, values in options.items()]
    changed = dict(map(read_said_option, said))
    chosen = profile_meant(profile.strip().lower())
    number = players if number is None else number
    try:
        return Ruleset(chosen, number, changed)
    except Refused as refused:
        raise opening_in_words(refused) from None


def rules_text(ruleset: Ruleset) -> str:
    """The ruleset as text: its profile, number of players and any changed options."""
    changed = [f"{name}={value_text(value)}" for name, value in ruleset.changed.items()]
    return ", ".join([ruleset.profile, f"{ruleset.players} players", *changed])
