"""What people type: acts (`QS`, `pass QS KH AH`) and options (`limit=50`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from refengine.errors import Malformed
from refengine.game.acts import (
    Act,
    Claim,
    Draw,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.options import option_named

HELP: Final = (
    "a card such as QS; draw; pass QS KH AH; scatter 1:QS 2:KH 3:AH; forward; "
    "moon self_minus, moon others_plus or moon one 2; retract QS; quit; "
    "claim SEAT TRICK; rule NUMBER; ? for this help"
)


def read_act(seat: int, text: str) -> Act:
    """The act of this seat that the text describes.

    Raises Malformed if the text has none of the forms that HELP lists.
    """
    words = text.split()
    match words:
        case ["draw"]:
            return Draw(seat)
        case ["forward"]:
            return PassUnseen(seat)
        case ["quit"]:
            return QuitTrick(seat)
        case ["pass", *cards]:
            return Pass(seat, " ".join(cards))
        case ["scatter", *pairs]:
            return Scatter(seat, dict(_pair(pair) for pair in pairs))
        case ["retract", card]:
            return Retract(seat, card)
        case ["claim", against, trick]:
            return Claim(seat, _number(against), _number(trick))
        case ["moon", "one", other]:
            return MoonChoice(seat, _number(other))
        case ["moon", choice]:
            return MoonChoice(seat, choice)
        case [card]:
            return Play(seat, card)
    raise Malformed(f"{text[:60]!r}", HELP)


def _pair(text: str) -> tuple[int, str]:
    seat, _, card = text.partition(":")
    return _number(seat), card


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise Malformed(f"{text[:60]!r}", "a small whole number")
    return int(text)


def read_option(text: str) -> tuple[str, object]:
    """The name and value of an option, from `name=value`; commas separate a list.

    Raises Malformed if the text is not of this form, or the book has no such option.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise Malformed(f"{text!r:.60}", "name=value", "--option")
    option = option_named(name)
    if isinstance(option.base, bool):
        flags: dict[str, object] = {"true": True, "false": False}
        return name, flags.get(value, value)
    if isinstance(option.base, tuple):
        return name, value.split(",") if value else []
    digits = value.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) < 12:
        return name, int(value)
    return name, value


def read_ruleset(profile: str, players: int | None, options: Iterable[str]) -> Ruleset:
    """The ruleset of this profile and number of players, with options as typed.

    Raises Malformed if they do not name one, or name one that the book refuses.
    """
    try:
        return Ruleset(profile, players, dict(map(read_option, options)))
    except Refused as refused:
        raise Malformed(str(refused), "a ruleset of the book", "--option") from None
