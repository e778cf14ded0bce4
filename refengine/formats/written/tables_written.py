"""Reading tables of tricks, in any layout that has a column for each player."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from refengine.errors import Malformed
from refengine.formats.written.card_words_written import CARD, has_card
from refengine.formats.written.columns_written import IN_TURN
from refengine.formats.written.names_written import MARKS, PLAYERS_ARE, SIDES

_LEADER: Final = re.compile(r"(?:led|leads?|leader|lead by|led by)", re.IGNORECASE)
_WINNER: Final = re.compile(
    r"(?:winner|won|won by|wins|taken|taken by|took|takes|who)", re.IGNORECASE
)
_POINTS: Final = re.compile(r"(?:pts|points?)\.?", re.IGNORECASE)
_REMARK: Final = re.compile(r"(?<=[\s|])#(?!\d).*")
_NOTHING: Final = re.compile(r"[-–—]")
_NUMBER: Final = re.compile(r"[+-]?\d{1,3}")
_NO_PLAYER: Final = re.compile(
    r"(?:tricks?|tr\.?|#|no\.?|number|pts|points?|score|comments?|notes?|remarks?|deal|"
    r"cards?|(?:\w+\s+)?so\s+far|running(?:\s+\w+)?)",
    re.IGNORECASE,
)
_PLAYER: Final = re.compile(rf"[^\W\d_][\w{MARKS}.'\u2019 -]*")
_RULER: Final = re.compile(r"[\s|:=+-]*")
_ONE_CARD: Final = re.compile(rf">?[*_]*{CARD}[*_!]*|[-–—.]*")


@attrs.frozen
class Table:
    """A record whose table rows have become tricks, and the players named above them.

    If these are points of the compass, `players` is empty. `tricks` holds the numbers
    of the lines that are tricks, and `unread` the headings of the columns from which
    nothing is taken.
    """

    players: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]
    tricks: frozenset[int]
    unread: tuple[str, ...] = ()


@attrs.frozen
class _Columns:
    """The headings of a table, and the index of each kind of column, or None.

    `heading` is the line of the headings. The cells are separated by `mark`, a pattern;
    if they are `framed`, there is also a bar at both ends.
    """

    heading: str
    mark: str
    framed: bool
    head: tuple[str, ...]
    number: int | None
    leader: int | None
    winner: int | None
    points: int | None
    players: tuple[int, ...]

    @property
    def by_blanks(self) -> bool:
        """Whether only blanks separate the cells, so that none can be empty."""
        return self.mark.startswith(r"\s")

    @property
    def names(self) -> tuple[str, ...]:
        """The headings of the columns of players."""
        return tuple(self.head[one] for one in self.players)

    def others(self) -> tuple[str, ...]:
        """The headings of the columns that are of none of these kinds."""
        known = (self.number, self.leader, self.winner, self.points, *self.players)
        return tuple(one for at, one in enumerate(self.head) if one and at not in known)


def rows_as_tricks(lines: Sequence[tuple[int, str]]) -> Table:
    """The lines, with each row of a table in them turned into a trick.

    Without a table, the lines are unchanged and no players are named. There may be
    several tables, such as one for each deal; the players are those above the first.
    The leader is marked by `>`, or named in a separate column. If there is neither, the
    leader is not known: the order of the columns says nothing about who led. Raises
    Malformed for a row in which `>` occurs twice, or with a card under no player.
    """
    names: tuple[str, ...] = ()
    made: list[tuple[int, str]] = []
    tricks: set[int] = set()
    unread: dict[str, None] = {}
    at = 0
    while at < len(lines):
        found = _table_at(lines, at)
        at += 1
        if found is None:
            made.append(lines[at - 1])
            continue
        columns, rows = found
        names = names or columns.names
        unread.update(dict.fromkeys(columns.others()))
        tricks.update(number for number, row in rows.items() if row)
        while at < len(lines) and lines[at][0] in rows:
            number = lines[at][0]
            if rows[number]:  # not a ruler
                made.append((number, rows[number]))
            at += 1
    if {one.casefold() for one in names} <= {*SIDES, *"nesw"}:
        names = ()
    return Table(names, tuple(made), frozenset(tricks), tuple(unread))


def _table_at(
    lines: Sequence[tuple[int, str]], at: int
) -> tuple[_Columns, dict[int, str]] | None:
    """The columns and rows of the table that begins with the line at `at`.

    The result is None if that line is not the heading of a table. Raises Malformed as
    `_rows` does, unless another mark between the cells makes sense of the rows.
    """
    head = lines[at][1]
    if re.match(PLAYERS_ARE, head, re.IGNORECASE):
        return None
    others = (lines[one][1] for one in range(at + 1, len(lines)))
    below = next((text for text in others if not _RULER.fullmatch(text)), "")
    errors: list[Malformed] = []
    for mark in (r"\|", r"\t", r"\s{2,}", r"\s+"):
        columns = _columns(head, mark, below)
        if columns is None:
            continue
        try:
            rows = _rows(lines[at + 1 :], columns)
        except Malformed as error:
            errors.append(error)
            continue
        if rows:
            return columns, rows
    if errors:
        raise errors[0]
    return None


def _cells(text: str, mark: str, framed: bool) -> list[str]:
    """Split a line into cells at `mark`; if they are `framed`, drop bars at both ends.

    Without a frame, a bar at the beginning comes after an empty cell.
    """
    bare = text.strip(" ") if mark == r"\t" else text.strip()
    if framed:
        bare = bare.removeprefix("|").removesuffix("|")
    return [one.strip() for one in re.split(mark, bare)]


def _columns(heading: str, mark: str, below: str) -> _Columns | None:
    """Find out what each column holds; None if the heading does not name players.

    Two words may be a title, so two players are enough only if the row below has a `>`
    before the card that was led. If it begins with a number, whatever is above that is
    no player, unless only blanks separate the cells: then nothing may be above it.
    """
    number = leader = winner = points = None
    players: list[int] = []
    framed = _is_framed(heading, below)
    head = _cells(heading, mark, framed)
    marked = re.search(rf"(?:^|[\s|])>{CARD}", below)
    first = _cells(below, mark, framed)[0].rstrip(".):")
    counted = mark in (r"\|", r"\t") and first.isdecimal()
    for at, cell in enumerate(head):
        if _LEADER.fullmatch(cell):
            leader = at
        elif _WINNER.fullmatch(cell):
            winner = at
        elif _POINTS.fullmatch(cell) and points is None:
            points = at
        elif at == 0 and (counted or _NO_PLAYER.fullmatch(cell) or not cell):
            number = 0
        elif _NO_PLAYER.fullmatch(cell) or IN_TURN.fullmatch(cell) or not cell:
            continue
        elif winner is None and _PLAYER.fullmatch(cell) and not has_card(cell):
            players.append(at)
    least = 2 if marked else 3
    if len(players) < least or players[-1] - players[0] >= len(players):
        return None
    found = _Columns(
        heading,
        mark,
        framed,
        tuple(head),
        number,
        leader,
        winner,
        points,
        tuple(players),
    )
    return None if found.by_blanks and has_card(heading) else found


def _is_framed(heading: str, below: str) -> bool:
    """Whether a bar that begins a line is a frame, and not the end of an empty cell.

    If only one of the two lines begins with a bar, that is a frame if it makes one bar
    more than the other line has.
    """
    above, under = (text.strip().startswith("|") for text in (heading, below))
    more = heading.count("|") - below.count("|")
    return (above and (under or more > 0)) or (under and more < 0)


def _has_gap(columns: _Columns, row: str) -> bool:
    """Whether a row between blanks may lack a cell other than the last ones.

    It lacks none if single blanks separate the cells, or if no cell begins to the right
    of its heading.
    """
    if not re.search(r"^\s|\s\s", row.rstrip()):
        return False
    cell = r"\S+" if columns.mark == r"\s+" else r"\S+(?:\s\S+)*"
    above, under = (re.finditer(cell, text) for text in (columns.heading, row))
    # One to the right, for a `>` or an alignment
    return any(b.start() > a.start() + 1 for a, b in zip(above, under, strict=False))


def _rows(lines: Sequence[tuple[int, str]], columns: _Columns) -> dict[int, str]:
    """The rows below a heading as lines of tricks, keyed by line number.

    A ruler is kept as an empty string. The result is empty if there is no trick. Raises
    Malformed for a row in which `>` occurs twice, or that has a card under no player,
    or a gap where blanks separate the cells.
    """
    found: dict[int, str] = {}
    tricks = 0
    from_nought = False  # whether the tricks are numbered from 0 on
    for number, text in lines:
        if _RULER.fullmatch(text):
            found[number] = ""
            continue
        row = _REMARK.sub("", text)
        cells = _cells(row, columns.mark, columns.framed)
        # If blanks separate the cells, the number of the trick may have no heading
        bare = columns.by_blanks and columns.number is None
        shift = 1 if bare and cells[0].rstrip(".):").isdecimal() else 0
        counted = shift or columns.number == 0
        first = cells[0].rstrip(".):") if counted else ""
        cards = [_cell(cells, one, shift) for one in columns.players]
        apart = first.isdecimal() or (not columns.by_blanks and len(cells) > 1)
        least = 1 if tricks and apart else 2
        some = sum(map(has_card, cards)) >= least
        if not some or not all(map(_ONE_CARD.fullmatch, cards)):
            break
        short = columns.by_blanks and len(cells) - shift <= columns.players[-1]
        if short and (tricks or columns.mark != r"\s+"):
            short = _has_gap(columns, row)  # a trick may be unfinished
        if short or any(map(has_card, [first, *cells[len(columns.head) + shift :]])):
            if columns.mark == r"\s+" and not tricks:
                break  # the line above has another number of words, and is no heading
            allowed = "one card, or -, under the name of each player"
            raise Malformed(f"{text.strip()!r:.60}", allowed, f"line {number}")
        if sum(one.startswith(">") for one in cards) > 1:
            allowed = "'>' before the card that was led"
            raise Malformed("'>' twice", allowed, f"line {number}")
        tricks += 1
        count = int(first) if first.isdecimal() else tricks
        if tricks == 1:
            from_nought = count == 0
        told = f"{count + from_nought}. " if counted else ""
        found[number] = told + _trick(cells, shift, columns, cards)
    return found if tricks else {}


def _trick(
    cells: Sequence[str],
    shift: int,
    columns: _Columns,
    cards: Sequence[str],
) -> str:
    """A table row as the line of a trick, without its number.

    Each card comes after its player.
    """
    pairs = [*zip(columns.names, cards, strict=True)]
    led = [name for name, card in pairs if card[:1] == ">"]
    told = ", ".join(
        f"{name}={card.removeprefix('>')}"
        for name, card in pairs
        if re.search(CARD, card)
    )
    leader = led[0] if led else _cell(cells, columns.leader, shift)
    winner = _cell(cells, columns.winner, shift)
    before = f"{leader}: " if leader.strip("-–—") else ""
    after = f" -> {winner}" if winner.strip("-–—") else ""
    points = _cell(cells, columns.points, shift)
    if _NOTHING.fullmatch(points):
        points = "0"
    cost = f" ({points})" if _NUMBER.fullmatch(points) else ""
    return f"{before}{told}{after}{cost}"


def _cell(cells: Sequence[str], at: int | None, shift: int) -> str:
    """The cell of a column, which is empty if the row or the table does not have it.

    `shift` is 1 if a number without a heading comes before the cells, and otherwise 0.
    """
    return "" if at is None or at + shift >= len(cells) else cells[at + shift]
