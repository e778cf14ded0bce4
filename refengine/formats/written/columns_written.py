"""A table of tricks, with a column for each player, as `formats.showing` prints it."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.written.cards_written import laid_cards
from refengine.formats.written.names_written import seat_named
from refengine.formats.written.written_match import Laid

_HEADING: Final = re.compile(r"[\s|]*(?:tricks?|tr\.)[\s|]+([^\d\s].*)", re.IGNORECASE)
IN_TURN: Final = re.compile(
    r"(?:card|play)\s*\d{1,2}|1st|2nd|3rd|\d{1,2}th|"
    r"first|second|third|fourth|fifth|sixth|seventh|eighth",
    re.IGNORECASE,
)
"""A heading for cards in the order played, whoever played them."""

_APART: Final = re.compile(r"[|\t]")
_LABEL: Final = re.compile(r"\S+(?: \S+)*")
_WORD: Final = re.compile(r"[^\s:]+")
_CELL: Final = re.compile(r">?\+*[^\s>+!]*!?")
_SHOWN: Final = re.compile(r">?\+*(?:[2-9TJQKA][CDSH]!?)?")
_RULER: Final = re.compile(r"(?=.*(?:--|==|:-))[\s|:=+-]+")


@attrs.frozen
class Columns:
    """The columns of a table: the names above them, and the places where they begin.

    If `places` is empty, the cells of a row are separated by `|` or a tab instead, and
    `framed` says whether a row also begins and ends with `|`.
    """

    labels: tuple[str, ...]
    places: tuple[int, ...] = ()
    framed: bool = False


@attrs.frozen
class Row:
    """A row of a table of tricks: the number, the cells by column, and the winner."""

    number: str
    cells: tuple[str, ...]
    winner: str


def columns_headed(line: str) -> Columns | None:
    """The columns of a table with the heading `line`; None if it is not a heading.

    A heading names a player, or a seat, over each column.
    """
    found = _HEADING.fullmatch(line)
    if not found:
        return None
    if _APART.search(found[1]):
        texts = [one.strip() for one in _APART.split(found[1].strip(" |\t"))]
        return _columns(texts, (), line.strip().startswith("|"))
    labels = list(_LABEL.finditer(line, found.start(1)))
    if len(labels) == 1:
        labels = list(_WORD.finditer(line, found.start(1)))
    return _columns([one[0] for one in labels], tuple(one.start() for one in labels))


def _columns(
    texts: list[str], places: tuple[int, ...], framed: bool = False
) -> Columns | None:
    """The columns of the players, without a last column for the winner of the trick.

    The result is None if fewer than two columns are left, or if the columns are not
    those of players.
    """
    for words in (1, 2):  # the heading for the winner may be two words
        if " ".join(texts[-words:]).lower() in ("winner", "won by", "taken by", "wins"):
            texts = texts[:-words]
            break
    if len(texts) < 2 or any(map(IN_TURN.fullmatch, texts)):
        return None
    return Columns(tuple(texts), places, framed)


def row_of(columns: Columns, line: str) -> Row | None:
    """The row in a line, or None for a ruler of dashes.

    Raises Malformed if the cells of the row cannot be told apart.
    """
    if _RULER.fullmatch(line):
        return None
    wanted = len(columns.labels)
    if not columns.places:
        bare = line.strip(" ")
        if columns.framed:
            bare = bare.removeprefix("|").removesuffix("|")
        cells = [one.strip() for one in _APART.split(bare)]
        if not wanted + 1 <= len(cells) <= wanted + 2:
            raise Malformed(f"{len(cells)} cells", f"{wanted + 1}, with the number")
        cells.append("")
        return Row(cells[0], tuple(cells[1 : wanted + 1]), cells[wanted + 1])
    return _by_place(columns.places, wanted, line) or _filled(wanted, line)


def keeps_to(columns: Columns, line: str) -> bool:
    """Whether a line has the layout of the columns, so that it may be a row of them.

    A ruler of dashes also counts if the columns begin at fixed places.
    """
    if not columns.places:
        return _APART.search(line) is not None
    if _RULER.fullmatch(line):
        return True
    return _by_place(columns.places, len(columns.labels), line) is not None


def _by_place(places: tuple[int, ...], wanted: int, line: str) -> Row | None:
    """Read a row whose cells begin where their columns do; None if they do not.

    A cell as wide as its column, or wider, pushes the others to the right.
    """
    at, cells = places[0], []
    widths = [other - one for one, other in pairwise(places)]
    for width in [*widths, widths[-1]][:wanted]:
        found = _CELL.match(line, at)
        if found and len(found[0]) > width:  # it runs into the next cell
            found = _SHOWN.match(line, at)
        cell = found[0] if found else ""
        if line[at + len(cell) : at + width].strip():
            return None
        cells.append(cell)
        at += max(width, len(cell))
    number = line[: places[0]].strip()
    if number and not number.rstrip(".):").isdecimal():
        return None
    return Row(number.rstrip(".):"), tuple(cells), line[at:].strip())


def _filled(wanted: int, line: str) -> Row:
    """Read a row in which every cell holds a card, without regard to alignment."""
    words = line.split(maxsplit=wanted + 1)
    number = words[0].rstrip(".):")
    if len(words) <= wanted or not number.isdecimal():
        allowed = "a number and a card under the name of each player"
        raise Malformed(f"{line.strip()!r:.60}", allowed)
    return Row(number, tuple(words[1 : wanted + 1]), "".join(words[wanted + 1 :]))


def cards_of_row(cells: tuple[str, ...]) -> tuple[int | None, tuple[Laid, ...]]:
    """The leader, marked by `>`, and the cards of a row, each with its seat.

    The leader is None if there is no `>`. A cell holds at most one card. Raises
    Malformed if a cell holds anything else, or if two cells are marked by `>`.
    """
    leader: int | None = None
    cards: list[Laid] = []
    for seat, cell in enumerate(cells):
        text = cell.strip()
        if text.startswith(">"):
            if leader is not None:
                raise Malformed("'>' twice", "'>' before the card that was led")
            leader = seat
        if text in ("", "-", "--"):
            continue
        laid = laid_cards(text.removeprefix(">"), seat)
        if len(laid) != 1:
            raise Malformed(f"{text!r:.60}", "one card under the name of a player")
        cards += laid
    return leader, tuple(cards)


def drawn_only(cell: str) -> int:
    """The number of draws that a cell shows, or 0 if it also shows a play."""
    return len(cell) if cell and not cell.strip("+") else 0


def seats_over(columns: Columns, names: tuple[str, ...]) -> bool:
    """Whether the names above the columns are those of the seats, in order from 0.

    A seat may be named by its player, by its number, or by a side such as North, unless
    that is the name of a player. Raises Malformed for seats in another order.
    """
    found: list[int | None] = []
    for one in columns.labels:
        seat = seat_named(one, names)
        found.append(seat_named(one, ()) if seat is None else seat)
    order = list(range(len(found)))
    if None not in found and found != order:
        told = ", ".join(names) or "seat 0, seat 1 and so on, or N, E, S and W"
        raise Malformed("columns in another order", told)
    return found == order
