"""Reading a score sheet of the usual form, in which rows are deals and columns players.

CSV, TSV, text in columns and Markdown are recognised without being named, and so are
the columns for the number of the deal, the pass, the sum of a row, and remarks. The
remaining columns are those of the players, who have points, running totals or both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from refengine.errors import Malformed, counted, harmless
from refengine.lawbook.pass_words import PASS_WORDS
from refengine.rulings.sheets.named_numbers import cells_by_name
from refengine.rulings.sheets.one_cell import (
    DAY_OR_TIME,
    NO_NAMES,
    NUMBER,
    OF_AVERAGES,
    OF_PLACES,
    OF_START,
    OF_SUMS,
    deal_in,
    holds_points,
    is_label,
    is_nothing,
    is_number,
    is_one_of,
    is_pass,
    may_be_name,
    number_or_nought,
    numbers_in,
    points_in,
    rest_of_cell,
)
from refengine.rulings.sheets.sheet_cells import (
    cells_of_lines,
    totals_apart,
    totals_below,
)
from refengine.rulings.sheets.sheet_columns import (
    columns_in_pairs,
    columns_of_deals,
    columns_of_passes,
    columns_of_players,
    counts_deals,
    head_of_table,
    label_behind,
    names_of_players,
    over_its_columns,
)

MOST_PLAYERS: Final = 13
_Line = tuple[int, list[str]]


@attrs.frozen(kw_only=True)
class SheetRow:
    """A row of a sheet: the numbers that were written down for one deal, and remarks.

    `line` is the number of its line in the file, from 1. `passed` is an entry of the
    cycle of passes, or empty if none is written down. If both points and running totals
    are written down, `numbers` holds the points and `totals` the totals; otherwise
    `totals` is empty. `unwritten` holds the columns of totals that nobody wrote down;
    `totals` has what follows from the row above for these. `deal` is the number that
    the deal has on the sheet, or 0 if it has none.
    """

    line: int
    numbers: tuple[int, ...]
    passed: str = ""
    remark: str = ""
    totals: tuple[int, ...] = ()
    deal: int = 0
    unwritten: tuple[int, ...] = ()

    @property
    def written_totals(self) -> tuple[int | None, ...]:
        """The totals beside the points, with None for one that nobody wrote down."""
        return tuple(
            None if at in self.unwritten else one for at, one in enumerate(self.totals)
        )


@attrs.frozen(kw_only=True)
class Sheet:
    """A score sheet: the names of the players, and the deals in order.

    `sums` holds the numbers of a last row of totals, with None for one that nobody
    wrote down; it is empty if there is no such row.
    `negated` says whether the text gives points a minus sign, which is dropped here.
    """

    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    sums: tuple[int | None, ...] = ()
    negated: bool = False

    @property
    def has_both(self) -> bool:
        """Whether the sheet has columns of both points and running totals."""
        return any(row.totals for row in self.rows)


@attrs.frozen(kw_only=True)
class _SecondTable(Exception):
    """Raised if a second table follows the first in one text.

    The names of the second table are at `line`, and the rows of the first end at
    `until`.
    """

    until: int
    line: int
    head: str


def read_sheets(text: str) -> tuple[Sheet, ...]:
    """The score sheets in a text, where each stands below its own line of names.

    Lines are numbered throughout the text. Raises Malformed as `read_sheet` does.
    """
    found: list[Sheet] = []
    begins = 0
    lines = text.splitlines()
    while True:
        below = "\n" * begins + "\n".join(lines[begins:])
        try:
            return (*found, _one_sheet(below))
        except _SecondTable as table:
            above = "\n" * begins + "\n".join(lines[begins : table.until])
            found.append(_one_sheet(above))
            begins = table.until


def read_sheet(text: str) -> Sheet:
    """The score sheet in the text.

    Raises Malformed if the text has no table of numbers or more than one, if the rows
    are players or the columns are not those of 2 to 13 players, or if a number is
    missing from a row; the error names the line if there is one to name.
    """
    try:
        return _one_sheet(text)
    except _SecondTable as table:
        found = harmless(f"a second table: {table.head}", 80)
        raise Malformed(found, "one match in a text", f"line {table.line}") from None


def _one_sheet(text: str) -> Sheet:
    """The only sheet in the text.

    Raises _SecondTable if another sheet follows, and Malformed as `read_sheet` does.
    """
    table, apart = _numbered_lines(text.splitlines())
    width = max((len(cells) for _, cells in table), default=0)
    lines = [
        (number, [*cells, *[""] * (width - len(cells))]) for number, cells in table
    ]
    body = _below_numbers_for_names(
        [(number, cells) for number, cells in lines if numbers_in(cells) > 1]
    )
    if not body:
        raise _no_numbers()
    _check_one_table(lines, body)
    _check_rows_are_deals(lines, body)
    lines = [
        (number, cells)
        for number, cells in lines
        if number >= body[0][0] or numbers_in(cells) < 2
    ]
    above = [cells for number, cells in lines if number < body[0][0]]
    head = head_of_table(above, width)
    lines = [(number, label_behind(cells, head)) for number, cells in lines]
    body = [(number, cells) for number, cells in lines if numbers_in(cells) > 1]
    head = over_its_columns(head, [cells for _, cells in body])
    players, totals = _columns_of_sheet(head, body, apart)
    begins = _line_of_head(lines, body[0][0])
    deals = [
        (number, cells)
        for number, cells in lines
        if number > begins and _is_deal([cells[at] for at in (*players, *totals)])
    ]
    if not deals:
        raise _no_numbers()
    return _sheet(head, deals, players, totals)


def _columns_of_sheet(
    head: Sequence[str], body: Sequence[_Line], apart: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The columns of the players and, if these hold points beside totals, the totals.

    Raises Malformed if there are not 2 to 13 players, if only some columns of numbers
    have a name above them, or if a number below a name cannot be read.
    """
    rows = [cells for _, cells in body]
    players, totals = columns_in_pairs(head, rows, apart)
    if not totals:
        players = columns_of_players(head, rows)
    if not 2 <= len(players) <= MOST_PLAYERS:
        found = f"{counted(len(players), 'column')} of numbers"
        raise Malformed(found, "one for each player, from 2 to 13")
    _check_names(head, players, body)
    _check_left_out(head, (*players, *totals), body)
    return players, totals


def _is_deal(own: Sequence[str]) -> bool:
    """Whether the cells of the players hold numbers of a deal, or sums.

    They do if one is a plain number, or if all are noughts or numbers with remarks. But
    if numbers with remarks count up from 1, they number the players, whose names are
    the remarks.
    """
    told = [cell for cell in own if cell]
    points = all(map(holds_points, told))
    counted_up = [*map(number_or_nought, told)] == [*range(1, len(told) + 1)]
    remarked = len(told) > 1 and points and numbers_in(told) > 0 and not counted_up
    return remarked or any(map(is_number, told))


def _numbered_lines(lines: Sequence[str]) -> tuple[list[_Line], list[int]]:
    """The lines in which some cell is not empty, each with its number and its cells.

    Lines count from 1; where each names its cells, line 0 holds the names themselves.

    The second value holds the columns of points that shared their cells with totals.
    """
    named = cells_by_name([line.removeprefix("\ufeff") for line in lines])
    if named:
        return [(at, cells) for at, cells in enumerate(named) if any(cells)], []
    split, apart = totals_apart(cells_of_lines(lines))
    below = totals_below(split)
    return [(at, cells) for at, cells in enumerate(below, 1) if any(cells)], apart


def _no_numbers() -> Malformed:
    return Malformed("no row of numbers", "a row for each deal, a column for a player")


def _line_of_head(lines: Sequence[_Line], body: int) -> int:
    """The number of the line that may hold the names: the last such line above `body`.

    It is -1 if there is no such line. A number above that line, such as a year in a
    title, is not a number of points.
    """
    above = (number for number, cells in lines if number < body and _is_head(cells))
    return max(above, default=-1)


def _is_head(cells: Sequence[str]) -> bool:
    """Whether a line may hold names.

    It must have several cells, none of them a plain number and at most half of them
    beginning with a number.
    """
    filled = sum(map(bool, cells))
    few = numbers_in(cells) * 2 <= filled
    return filled > 1 and few and not any(map(is_number, cells))


def _below_numbers_for_names(body: list[_Line]) -> list[_Line]:
    """The rows of `body`, without a first row that only numbers players or deals."""
    if len(body) < 2:
        return body
    first, *others = body[0][1]
    numbers = [cell for cell in others if cell]
    counts = len(numbers) > 1 and counts_deals([deal_in(one) for one in numbers])
    labelled = not (is_number(first) or is_pass(first)) and (
        bool(first) or all(cells[0] for _, cells in body[1:])
    )
    return body[1:] if counts and labelled else body


def _check_rows_are_deals(lines: Sequence[_Line], body: Sequence[_Line]) -> None:
    """Raise Malformed if each row is for a player and each column for a deal."""
    names = [
        cells[0].casefold() for _, cells in body if not is_one_of(cells[0], OF_SUMS)
    ]
    if not all(map(may_be_name, names)) or len({*names}) < max(2, len(names)):
        return
    above = [cells for number, cells in lines if number < body[0][0]]
    counting = any(
        len(told) > 1 and counts_deals(told)
        for told in ([deal_in(one) for one in cells[1:] if one] for cells in above)
    )
    if counting:
        allowed = "a row for each deal, and a column for each player"
        found = f"a row for each player, {body[0][1][0]} first"
        raise Malformed(harmless(found, 80), allowed, f"line {body[0][0]}")


def _check_left_out(
    head: Sequence[str], own: Sequence[int], body: Sequence[_Line]
) -> None:
    """Raise Malformed if a number in a column with a player's name cannot be read.

    Otherwise such a column would be left out because of what it holds.
    """
    for at, name in enumerate(head):
        if at in own or not name or is_one_of(name, NO_NAMES):
            continue
        for line, cells in body:
            cell = cells[at]
            if re.search(r"\d", cell) and not DAY_OR_TIME.search(cell):
                raise Malformed(
                    harmless(cell, 40), "a number of points", f"line {line}"
                )


def _check_one_table(lines: Sequence[_Line], body: Sequence[_Line]) -> None:
    """Raise _SecondTable if another line of names begins a table of its own."""
    for line, cells in lines:
        if not _is_head(cells):
            continue
        above = [row for row in body if row[0] < line]
        below = [row for number, row in body if number > line]
        if not (above and below):
            continue
        own = [at for at, cell in enumerate(below[0]) if NUMBER.fullmatch(cell)]
        named = sum(may_be_name(cells[at]) for at in own)
        if named * 2 > len(own) and not _goes_on(cells, above, below[0]):
            head = ", ".join(one for one in cells if one)
            raise _SecondTable(until=above[-1][0], line=line, head=head)


def _goes_on(cells: Sequence[str], above: Sequence[_Line], row: Sequence[str]) -> bool:
    """Whether a second line of names only repeats the head of the table on a new page.

    It does if the number of the next deal follows that of the last, and either the
    deals have been counted from 1 or their numbers are below something that is not a
    name.
    """
    told = [deal for _, cells_above in above if (deal := deal_in(cells_above[0]))]
    next_deal = int(told[-1]) + 1 if told else 0
    has_numbers = counts_deals(told) or not may_be_name(cells[0])
    return has_numbers and int(deal_in(row[0]) or -1) == next_deal


def _check_names(
    head: Sequence[str], players: Sequence[int], body: Sequence[_Line]
) -> None:
    """Raise Malformed if only some columns of numbers have a name above them."""
    names = names_of_players(head, players)
    for at, name in zip(players, names, strict=True):
        if not name and any(names):
            told = ((line, cells[at]) for line, cells in body if cells[at])
            line, cell = next(told, (body[0][0], "an empty column"))
            raise Malformed(
                cell, "a number under each name, and no more", f"line {line}"
            )


def _sheet(
    head: Sequence[str],
    body: Sequence[_Line],
    players: Sequence[int],
    totals: Sequence[int],
) -> Sheet:
    """The sheet with these rows of numbers and these columns of points and totals."""
    names = tuple(
        harmless(name.strip("*_ "), 40) or f"player {place}"
        for place, name in enumerate(names_of_players(head, players), 1)
    )
    every = [cells for _, cells in body]
    counting = columns_of_deals(head, (*players, *totals), every)
    passing = columns_of_passes(head, players, totals, every)
    own = {*players, *totals}
    rows: list[SheetRow] = []
    sums: tuple[int | None, ...] = ()
    for line, cells in body:
        beside = [cell for at, cell in enumerate(cells) if at not in own]
        if any(is_label(cell, OF_AVERAGES | OF_PLACES) for cell in beside):
            continue
        labelled = any(is_label(cell, OF_SUMS) for cell in beside)
        told = [deal_in(cells[at]) for at in counting if cells[at]]
        starts = "0" in told or any(is_label(cell, OF_START) for cell in beside)
        if starts and not (rows or any(points_in(cells[at], line) for at in own)):
            continue  # the totals with which a match begins (9.1)
        numbered = any(told)
        last_row = line == body[-1][0] and not numbered
        if rows and (labelled or (last_row and _are_sums(rows, cells, players))):
            below = players if any(cells[at] for at in players) else totals
            sums = _written_in([cells[at] for at in below], line)
            continue
        sums = ()  # sums above a deal are not those of the sheet
        numbers = tuple(points_in(cells[at], line) for at in players)
        said = _written_in([cells[at] for at in totals], line)
        now = _totals_in(said, numbers, rows)
        passes = [
            PASS_WORDS[cells[at].casefold()] for at in passing if is_pass(cells[at])
        ]
        rows.append(
            SheetRow(
                line=line,
                numbers=numbers,
                passed=passes[0] if passes else "",
                remark=_remark_in(cells, players, totals, passing),
                totals=now,
                # A dash for somebody without a point so far is a total of 0.
                unwritten=tuple(
                    at
                    for at, place in enumerate(totals)
                    if said[at] is None and (now[at] or not cells[place])
                ),
                deal=int(told[0] or 0) if told else 0,
            )
        )
    if not rows:
        raise _no_numbers()
    sheet = Sheet(names=names, rows=tuple(rows), sums=sums)
    return _with_points(sheet) if _has_points_as_minus(rows) else sheet


def _written_in(cells: Sequence[str], line: int) -> tuple[int | None, ...]:
    """The totals in these cells of a line, with None for one nobody wrote down."""
    return tuple(None if is_nothing(one) else points_in(one, line) for one in cells)


def _remark_in(
    cells: Sequence[str],
    players: Sequence[int],
    totals: Sequence[int],
    passing: Sequence[int],
) -> str:
    """What a row says besides its numbers, its pass and the number of its deal."""
    own = {*players, *totals}
    behind = [rest_of_cell(cells[at]) for at in players]
    remarks = [one for one in behind if not is_pass(one)]
    remarks += [
        cell
        for at, cell in enumerate(cells)
        if at not in own and not (at in passing and is_pass(cell)) and not deal_in(cell)
    ]
    return harmless("; ".join(filter(None, remarks)), 200)


def _totals_in(
    written: Sequence[int | None], numbers: Sequence[int], rows: Sequence[SheetRow]
) -> tuple[int, ...]:
    """The running totals in a row that has both points and totals.

    `numbers` holds the points of the row, and `rows` the rows above it. A total that
    nobody wrote down is worked out from the one above.
    """
    above = rows[-1].totals if rows else (0,) * len(written)
    return tuple(
        before + points if total is None else total
        for total, before, points in zip(written, above, numbers, strict=False)
    )


def _has_points_as_minus(rows: Sequence[SheetRow]) -> bool:
    """Whether the sheet gives points a minus sign.

    It does if no number is above 0, and most rows have two or more numbers below 0.
    """
    if any(number > 0 for row in rows for number in (*row.numbers, *row.totals)):
        return False
    several = sum(sum(one < 0 for one in row.numbers) > 1 for row in rows)
    return several * 2 > len(rows)


def _with_points(sheet: Sheet) -> Sheet:
    """The same sheet with the minus signs removed from points, totals and sums."""
    rows = [
        attrs.evolve(
            row,
            numbers=tuple(-one for one in row.numbers),
            totals=tuple(-one for one in row.totals),
        )
        for row in sheet.rows
    ]
    sums = tuple(None if one is None else -one for one in sheet.sums)
    return attrs.evolve(sheet, rows=tuple(rows), sums=sums, negated=True)


def _are_sums(
    rows: Sequence[SheetRow],
    cells: Sequence[str],
    players: Sequence[int],
) -> bool:
    """Whether a row without a label holds the sums of the columns above it.

    At most one of them may be wrong, and columns that add up to 0 do not count. A row
    with one wrong sum is a deal if it adds up to the same number as another row.
    """
    if len(rows) < 2:
        return False
    sums = [sum(column) for column in zip(*(row.numbers for row in rows), strict=True)]
    said = [number_or_nought(cells[at]) for at in players]
    right = [one == other for one, other in zip(sums, said, strict=True) if one]
    if right.count(True) < 2 or right.count(False) > 1:
        return False
    return all(right) or sum(said) not in [sum(row.numbers) for row in rows]
