"""Questions typed on the command line as options, each turned into a JSON value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from refengine.errors import Malformed
from refengine.formats.fields import ruleset_fields
from refengine.game.clubs import club_rules, names_file
from refengine.game.openings_in_words import opening_in_words
from refengine.game.typed import (
    RULESET_FLAGS,
    each_once,
    naming_flags,
    read_said_option,
)
from refengine.game.verdicts import Refused
from refengine.lawbook.spoken import profile_meant
from refengine.machine.cards_typed import cards_typed
from refengine.rulings.asking.questions import KINDS

# The kind of a question, by the flag that asks it.
_BY_FLAG: Final = {
    "passing": "pass",
    "score": "score",
    "end": "end",
    "revoke": "revoke",
    "turn": "turn",
    "opening": "opening",
    "table": "table",
    "draw": "draw",
}
# The keys of a question, by flag, for the flags that have a different name.
_KEYS: Final = {"score": "taken", "revoke": "when", "table": "number"}
QUESTION_FLAGS: Final = {
    **{key: f"--{key.replace('_', '-')}" for keys in KINDS.values() for key in keys},
    **{key: f"--{flag}" for flag, key in _KEYS.items()},
    "revokes": "--revoked",
    "answers": "--answer",
    **RULESET_FLAGS,
}
"""The flags with which a question is typed, by the keys of the question."""
_CARDS: Final = ("hand", "trick", "card", "drew", "cards")
_NUMBERS: Final = ("tricks", "totals", "out", "hands")


def kinds_asked(asked: Mapping[str, Any]) -> list[str]:
    """The kinds of question that the typed options ask; there should be only one.

    `--hand` asks a question of its own, alone or with `--card`. But with `--pass`, or
    with `--draw` and no `--card`, it only gives the hand for the question of that
    option.
    """
    kinds = [
        kind for flag, kind in _BY_FLAG.items() if asked[flag] not in (None, False)
    ]
    about_card = asked["card"] is not None
    if asked["hand"] is None or kinds == ["pass"]:
        return kinds
    if kinds == ["draw"] and not about_card:
        return kinds
    return [*kinds, "card" if about_card else "hand"]


def fields_of(kind: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The question of this kind as plain values, from the typed options.

    The rules are not included. Raises Malformed if cards, a list of numbers or an
    answer cannot be read.
    """
    fields: dict[str, Any] = {"ask": kind}
    for name, value in asked.items():
        if value is None or value is False or value == ():
            continue
        if name in _BY_FLAG and name not in _KEYS:
            continue  # the flag says the kind, and nothing else
        if name in _NUMBERS:
            fields[name] = _numbers(value, name)
        elif name == "score":
            fields["taken"] = [_cards(one, name) for one in value.split("/")]
        elif name in _CARDS:
            fields[name] = _cards(value, name)
        elif name == "revoked":
            fields["revokes"] = _numbers(value, name)
        elif name == "answers":
            fields["answers"] = each_once(_pair, value, "--answer")
        elif name == "choice":
            fields["choice"] = _choice(value)
        else:
            fields[_KEYS.get(name, name)] = value
    return fields


def _cards(text: str, name: str) -> str:
    """The cards that the text names in any usual way, in the notation of the book."""
    try:
        return cards_typed(text)
    except Malformed as error:
        raise error.within(f"--{name}") from None


def _numbers(text: str, name: str) -> list[int]:
    """The whole numbers in the text, separated by spaces or commas."""
    try:
        return [int(one) for one in text.replace(",", " ").split()]
    except ValueError:
        raise Malformed(f"{text!r:.60}", "whole numbers", f"--{name}") from None


def _choice(text: str) -> str | int:
    """A way to settle a moon: a word, or the number of a seat."""
    return int(text) if text.isdecimal() and len(text) <= 3 else text


def _pair(text: str) -> tuple[str, str]:
    name, equals, answer = text.partition("=")
    if not equals:
        raise Malformed(f"{text!r:.60}", "NAME=ANSWER", "--answer")
    return name, answer


def rules_typed(
    profile: str, players: int | None, options: tuple[str, ...]
) -> dict[str, Any]:
    """The rules of a question as typed or, for a club, as read from its file.

    Raises Malformed if an option or the file cannot be read, an option is given twice,
    or the book does not allow the club's rules.
    """
    with naming_flags(RULESET_FLAGS):
        changed = each_once(read_said_option, options)
    if names_file(profile):
        club = club_rules(profile)
        try:
            return dict(ruleset_fields(club.ruleset(players, changed)))
        except Refused as refused:
            raise opening_in_words(refused) from None
    rules: dict[str, Any] = {"profile": profile_meant(profile), "options": changed}
    if players is not None:
        rules["players"] = players
    return rules


def read_json(text: str) -> object:
    """The value that this JSON text holds.

    Raises Malformed if the text is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        at = f"; {error.msg.lower()}" if isinstance(error, json.JSONDecodeError) else ""
        wanted = """an object such as {"ask": "turn", "leader": 2, "trick": "5C 9C"}"""
        raise Malformed(f"no JSON: {text!r:.40}{at}", wanted, "--question") from None
