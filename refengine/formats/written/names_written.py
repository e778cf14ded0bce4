"""The names of players in a written game, and the seats that they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from refengine.chapters.table import SEATS
from refengine.errors import Malformed
from refengine.machine.cards_typed import as_written

SIDES: Final = ("north", "east", "south", "west")
_SEAT: Final = re.compile(r"seat\s*#?(\d{1,2})", re.IGNORECASE)
# For a set in a pattern: marks within words that \w leaves out, which are accents apart
# from their letters, and vowel signs of Hebrew, Arabic, the scripts of India, and Thai
MARKS: Final = (
    r"\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f"
    r"\u0900-\u0963\u0966-\u0e4e"
)
_A_WORD: Final = rf"[^\W\d_](?:[\w{MARKS}-]|['\u2019](?!s\b))*"
A_NAME: Final = rf"(?:(?:player|seat)\s*[=#]?\s*\d{{1,2}}|{_A_WORD})"
# Without commas, these are a sentence, or the seats of players named elsewhere
_ALONE: Final = rf"(?!(?:and|are|at|is|of|the|us|we|with)\b){_A_WORD}"
_NO_SIDE: Final = r"(?!(?:[nesw]|north|east|south|west)\b)"
PLAYERS_ARE: Final = (
    r"\s*(?:players|names|(?:table\s+|seats\s+)?clockwise|seats)\s*[:=]"
)
PLAYERS: Final = re.compile(
    rf"{PLAYERS_ARE}\s*((?:(?:{_A_WORD}\.?\s+){{0,3}}{A_NAME}(?:\s*\([^)]*\))?"
    rf"\s*(?:[,;|/]\s*|$)){{2,}}|{_NO_SIDE}{_ALONE}(?:\s+{_ALONE}){{2,}}|\d{{1,2}})\s*",
    re.IGNORECASE,
)
_NAME: Final = re.compile(rf"[^\W_](?:[\w{MARKS}.'\u2019 -]*[\w{MARKS}.'\u2019])?")
_LONGEST_NAME: Final = 40
# If one of these is next to a name, it continues the name or is part of a card
_GOES_ON: Final = rf"\w{MARKS}.'\u2019♣♧♦♢♥♡♠♤\ufe0e\ufe0f-"


def check_names(names: Iterable[str]) -> None:
    """Check that these can be the names of players in a written game.

    Raises Malformed for a name that is not of the right form, for one that could be
    taken for something else, and for one that two players share.
    """
    seen: set[str] = set()
    for name in names:
        plain = " ".join(name.split())
        if plain != name or len(name) > _LONGEST_NAME or not _NAME.fullmatch(name):
            allowed = (
                "letters, digits, dots, apostrophes, blanks and hyphens, at most 40"
            )
            raise Malformed(f"the name {name!r:.60}", allowed)
        if _SEAT.fullmatch(name) or name.isdecimal() or as_written(name):
            allowed = "a name that is not a seat, a number or a card"
            raise Malformed(f"the name {name!r:.60}", allowed)
        if name.casefold() in seen:
            raise Malformed(f"the name {name!r:.60} twice", "another name for each")
        seen.add(name.casefold())


def seat_named(text: str, names: tuple[str, ...], bare: bool = False) -> int | None:
    """The seat that this text names, or None if it names none.

    The text may be a name, `seat 0` or, if no player has a name, a point of the
    compass, north being seat 0. With `bare`, it may also be just a number.
    """
    plain = " ".join(text.split()).casefold()
    for seat, name in enumerate(names):
        if name.casefold() == plain:
            return seat
    found = _SEAT.fullmatch(plain)
    digits = found[1] if found else plain if bare and plain.isdecimal() else ""
    if digits and len(digits) <= 2 and int(digits) < SEATS:
        return int(digits)
    if not names and plain:
        for seat, word in enumerate(SIDES):
            if plain in (word, word[0]):
                return seat
    return None


def seat_given(text: str, names: tuple[str, ...]) -> int:
    """The seat that this text names or numbers; raises Malformed if there is none."""
    seat = seat_named(text, names, bare=True)
    if seat is None:
        known = ", ".join(names) or "seat 0, seat 1, or N, E, S and W"
        raise Malformed(f"{text.strip()!r:.60}", f"a player: {known}")
    return seat


def players_declared(lines: Iterable[tuple[int, str]]) -> tuple[tuple[str, ...], int]:
    """The names of the players and their number, as far as the lines state them.

    If there are no commas or such between the names, each is one word.
    """
    number = 0
    for _, text in lines:
        found = PLAYERS.fullmatch(text)
        said = re.sub(r"\([^)]*\)", "", found[1]) if found else ""
        between = r"[,;|/]" if re.search(r"[,;|/]", said) else r"\s"
        names = tuple(one.strip() for one in re.split(between, said) if one.strip())
        if len(names) > 1:
            return names, len(names)
        number = int(said) if said.strip().isdecimal() else number
    return (), number


def in_this_order(names: Sequence[str]) -> str:
    """The remark that the players are assumed to sit in the order of these names."""
    return f"{listed(names)} sit in this order"


def remarks_said(lines: Sequence[int]) -> str:
    """A phrase that says which lines are remarks; empty if there are none."""
    if not lines:
        return ""
    numbers = listed([str(one) for one in lines])
    if len(lines) == 1:
        return f"line {numbers} is a remark"
    return f"lines {numbers} are remarks"


def listed(words: Sequence[str]) -> str:
    """One or more words as a list: `Ann`, or `Ann, Ben and Carl`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def labels(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for a seat before a card: a name, `seat 0`, or a side such as `N:`.

    The `A` of `A♣` is not a name, even if somebody is called A.
    """
    known = sorted(map(re.escape, names), key=len, reverse=True)
    words = [r"seat\s*#?\d{1,2}", *known]
    if not names:
        words += [
            rf"(?:{word}|{word[0]})(?=\s*(?:[:=]|leads\b|led\b))" for word in SIDES
        ]
    return re.compile(
        rf"(?<![{_GOES_ON}])({'|'.join(words)})(?![{_GOES_ON}])\s*(leads|led|[:=])?",
        re.IGNORECASE,
    )
