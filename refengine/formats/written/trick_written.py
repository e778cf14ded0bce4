"""Writing a trick of a record on one line, in words that the reader knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import count_cards
from refengine.game.values.cardset import CARDS

Line = tuple[int, str]

_NUMBERED: Final = re.compile(r"(\d{1,2})\.\s")
_OF_HANDS: Final = re.compile(r"\s*(?:hand|held|position)\b", re.IGNORECASE)


@attrs.define
class TrickBegun:
    """A trick that is being read: its number, cards, leader, winner and points so far.

    `at` is the number of its first line. `cards` holds pairs of player and card; the
    player is empty if the text does not name one. `apart` says whether each play has a
    line of its own, as in a log; if so, the plays are in the order in which they were
    made.
    """

    at: int
    number: str = ""
    cards: list[tuple[str, str]] = attrs.field(factory=list)
    leader: str = ""
    winner: str = ""
    points: str = ""
    apart: bool = False

    def led_by(self, who: str, number: int) -> None:
        """Record who led; raises Malformed, with the line, if another player did."""
        if self.leader not in ("", who):
            found = f"{self.leader} and {who} lead"
            raise Malformed(found, "one leader of a trick", f"line {number}")
        self.leader = who

    def has_card_of(self, who: str) -> bool:
        """Whether the trick already has a card of this player."""
        return who in [one for one, _ in self.cards]

    def line(self) -> str:
        """The text of the line for the trick."""
        number = f"{self.number}. " if self.number else ""
        told = [f"{who}: {card}" if who else card for who, card in self.cards]
        who, card = self.cards[0]
        if who and who == self.leader:
            told[0] = f"{who} leads {card}"
        leader = f"{self.leader}: " if self.leader not in ("", who) else ""
        winner = f" -> {self.winner}" if self.winner else ""
        points = f" ({self.points})" if self.points else ""
        between = (", then " if self.apart else ", ") if who else " "
        return f"{number}{leader}{between.join(told)}{winner}{points}"


def from_the_first_trick(
    lines: Sequence[Line], players: int
) -> tuple[tuple[Line, ...], str]:
    """The lines, with unknown tricks added before the first, and a phrase that says so.

    The number of the first trick written shows how many are unknown. None are added,
    and the phrase is empty, if that trick is not whole, if hands precede it, or if no
    pack has that many cards.
    """
    for at, (number, text) in enumerate(lines):
        first = _NUMBERED.match(text)
        if _OF_HANDS.match(text) or (first and count_cards(text) < players):
            break
        if first:
            skipped, unknown = int(first[1]) - 1, " ".join(["??"] * players)
            if (skipped + 1) * players > len(CARDS):
                break
            before = [(number, f"{one}. {unknown}") for one in range(1, skipped + 1)]
            which = f"tricks 1 to {skipped} are" if skipped > 1 else "trick 1 is"
            said = f"{which} not written down" if skipped else ""
            return (*lines[:at], *before, *lines[at:]), said
    return tuple(lines), ""
