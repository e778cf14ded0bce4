"""What people type: acts (`QS`, `pass QS KH AH`) and options (`limit=50`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeVar

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
from refengine.game.clubs import club_rules, names_file
from refengine.game.openings_in_words import opening_in_words
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.options import option_named, value_text, value_typed
from refengine.lawbook.spoken import (
    option_meant,
    profile_meant,
    value_meant,
    values_said,
)
from refengine.machine.cards_typed import cards_typed

T = TypeVar("T")

_PLACE: Final = re.compile(r"(?:rules\.)?([a-z_-]+)(?:\.(\w+))?")
RULESET_FLAGS: Final = {
    "profile": "--profile",
    "players": "--players",
    "options": "--option",
}
"""The command-line flag for each part of a ruleset, by the part's name in errors."""
HELP: Final = (
    "a card such as QS; draw; pass QS KH AH; scatter 1:QS 2:KH 3:AH; forward; "
    "moon self_minus, moon others_plus or moon one 2; retract QS; turn over; "
    "claim SEAT TRICK; rule NUMBER; ? for this help"
)
HELP_LINES: Final = (
    "QS, 10h, Q♠ or queen of spades   play this card",
    "4C TC 4D                         pass these cards",
    "scatter 1:QS 2:KH 3:AH           pass one card to each of the others",
    "forward                          pass on incoming cards unseen",
    "draw                             take the top card of the stock",
    "moon self_minus                  take the points off your own score",
    "moon others_plus, moon one 2     give them to everybody else, or to seat 2",
    "retract QS                       take back a card that did not follow suit",
    "turn over                        turn the trick that you won face down",
    "claim 2 3                        say that seat 2 revoked in trick 3",
    "rule 5.3, rule renege            show a clause, by number or in words",
    "help, quit                       this help; leave the match",
)
"""What can be typed in a match, one line for each form."""


def read_act(seat: int, text: str, *, passing: bool = False) -> Act:
    """The act of this seat that the text describes, with cards as people write them.

    A card with no other words is played or, if `passing` is set, passed; several cards
    with no other words are always passed.
    Raises Malformed if the text is none of the acts that HELP lists.
    """
    words = text.split()
    given = words[1:]
    match [word.lower() for word in words]:
        case ["draw"]:
            return Draw(seat)
        case ["forward"]:
            return PassUnseen(seat)
        case ["quit"] | ["turn", "over"]:
            return QuitTrick(seat)
        case ["pass", *_]:
            return Pass(seat, cards_typed(" ".join(given)))
        case ["scatter", *_]:
            return Scatter(seat, [_pair(pair) for pair in given])
        case ["retract", *_]:
            return Retract(seat, cards_typed(" ".join(given)))
        case ["claim", against, trick]:
            return Claim(seat, _number(against), _number(trick))
        case ["moon", "one", other]:
            return MoonChoice(seat, _number(other))
        case ["moon", choice] if choice != "one":
            return MoonChoice(seat, choice)
        case []:
            raise Malformed("nothing", HELP)
        case ["draw" | "forward" | "quit" | "turn" | "claim" | "moon", *_]:
            raise Malformed(f"{text[:60]!r}", HELP)  # an act, but not one of its forms
    cards = cards_typed(text)
    return Pass(seat, cards) if passing or " " in cards else Play(seat, cards)


def _pair(text: str) -> tuple[int, str]:
    seat, _, card = text.partition(":")
    return _number(seat), cards_typed(card)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise Malformed(f"{text[:60]!r}", "a small whole number")
    return int(text)


def read_option(text: str) -> tuple[str, object]:
    """The name and value of an option given as `name=value`.

    Commas separate the items of a list.
    Raises Malformed if the text is not of this form or the book has no such option.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise Malformed(f"{text!r:.60}", "name=value", "options")
    return name, value_typed(option_named(name), value)


def read_said_option(text: str) -> tuple[str, object]:
    """The name and value of an option, as `name=value` or as people say them.

    Thus `first_trick_points=barred` may also be `Points on the first trick: no`.
    Raises Malformed if the text is not of this form, the book has no such option, or
    the option takes no such value; in the last case the error lists the values with
    their words.
    """
    sign = "=" if "=" in text else ":"
    name, equals, value = text.partition(sign)
    if not equals:
        raise Malformed(f"{text!r:.60}", "name=value", "options")
    option = option_named(option_meant(name))
    typed = value_typed(option, value_meant(option, value))
    try:
        option.read(typed)
    except Malformed as error:
        said = values_said(option) or error.allowed
        raise Malformed(f"{value.strip()!r:.80}", said, error.where) from None
    return option.name, typed


@contextmanager
def naming_flags(flags: Mapping[str, str]) -> Iterator[None]:
    """Return a context in which an error at a place in `flags` names the flag instead.

    `flags` maps places to flags of the command line. With `{"options": "--option"}`,
    for example, an error at `options.limit` becomes an error at `--option limit`.
    """
    try:
        yield
    except Malformed as error:
        place = _PLACE.fullmatch(error.where)
        if place is None or place[1] not in flags:
            raise
        where = " ".join(filter(None, (flags[place[1]], place[2])))
        raise Malformed(error.found, error.allowed, where) from None


def each_once(
    read: Callable[[str], tuple[str, T]], texts: Iterable[str], where: str = "options"
) -> dict[str, T]:
    """Call `read` on each text, and collect the names and values that it returns.

    Raises Malformed if a name occurs twice, since one of the two would be ignored.
    """
    found: dict[str, T] = {}
    for name, value in map(read, texts):
        if name in found:
            raise Malformed(f"{name} twice", "each once", where)
        found[name] = value
    return found


def read_ruleset(profile: str, players: int | None, options: Iterable[str]) -> Ruleset:
    """The ruleset of this profile and number of players, with options as typed.

    The profile is one of the book or the file of a club. Both the profile and the
    options may be given as people say them (`refengine.lawbook.spoken`).
    Raises Malformed if these do not name a ruleset, an option is given twice, or the
    book refuses the ruleset.
    """
    try:
        changed = each_once(read_said_option, options)
        if names_file(profile):
            return club_rules(profile).ruleset(players, changed)
        return Ruleset(profile_meant(profile), players, changed)
    except Refused as refused:
        raise opening_in_words(refused) from None


def ruleset_flags(ruleset: Ruleset) -> tuple[str, ...]:
    """The flags with which a command is given this ruleset, such as `--players 4`."""
    found = ["--profile", ruleset.profile, "--players", str(ruleset.players)]
    for name, value in ruleset.changed.items():
        found += ["--option", f"{name}={value_text(value)}"]
    return tuple(found)
