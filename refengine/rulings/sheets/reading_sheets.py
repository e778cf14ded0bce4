"""Reading a score sheet as people keep it: rows are deals, columns are players.

CSV, TSV, text in columns and Markdown are told apart by themselves, and so are the
columns: the number of the deal, the pass, the sum of a row, remarks. What is left are
the players, each with a column of points, of running totals, or with one of both.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import attrs

from refengine.errors import Malformed, harmless
from refengine.lawbook.pass_words import PASS_WORDS
from refengine.rulings.words import count_words

MOST_PLAYERS: Final = 13
_NUMBER: Final = re.compile(
    r"\s*([+-]?)\s*(\d{1,7})(?:\.0+)?(?![\w.,])\s*(.*)", re.DOTALL
)
_BOTH: Final = re.compile(r"([+-]?\d{1,7})?\s*[(\[]\s*([+-]?\d{1,7})\s*[)\]]")
_AROUND: Final = " \t\r*_`"  # blanks, and what Markdown puts around a word
_OF_A_DEAL: Final = re.compile(r"#?\s*-?\d+[.):]?")
_NOTHING: Final = frozenset({"", "-", "--", "\u2013", "x", ".", "o"})
_RULER: Final = re.compile(r"[\s|:=+_-]+")


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_OF_DEALS: Final = _set_of(
    "# nr deal deals round rounds hand hands game games row runde"
)
_OF_SUMS: Final = _set_of("sum sums total totals all check control summe \u03a3")
_OF_PASSES: Final = _set_of("pass passes passed passing direction")
_OF_REMARKS: Final = _set_of("note notes remark remarks comment comments who what date")
_NO_NAMES: Final = _OF_DEALS | _OF_SUMS | _OF_PASSES | _OF_REMARKS


@attrs.frozen(kw_only=True)
class SheetRow:
    """One deal as it was written down: the numbers by column, and what stands beside.

    `line` is that of the file, from 1. `passed` is an entry of the cycle of passes, and
    empty if none is written down. `totals` are the running totals where both they and
    the points are written down, and `numbers` the points then; otherwise it is empty.
    """

    line: int
    numbers: tuple[int, ...]
    passed: str = ""
    remark: str = ""
    totals: tuple[int, ...] = ()


@attrs.frozen(kw_only=True)
class Sheet:
    """A score sheet: the names of the players, and the deals in order.

    `sums` are the numbers of a last row that is named as a total; empty without one.
    """

    names: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    sums: tuple[int, ...] = ()

    @property
    def has_both(self) -> bool:
        """Whether it has the points and the running totals, a column of each."""
        return any(row.totals for row in self.rows)


def read_sheet(text: str) -> Sheet:
    """The score sheet in a text.

    Raises Malformed if there is no table of numbers in it, or where a number is missing
    in a row; the error names the line.
    """
    table = [
        (number, cells)
        for number, cells in enumerate(_totals_apart(_cells(text.splitlines())), 1)
        if any(cells)
    ]
    width = max((len(cells) for _, cells in table), default=0)
    lines = [
        (number, [*cells, *[""] * (width - len(cells))]) for number, cells in table
    ]
    body = [(number, cells) for number, cells in lines if _numbers_in(cells) > 1]
    if not body:
        raise _no_numbers()
    head = _head([cells for number, cells in lines if number < body[0][0]], width)
    lines = [(number, _label_behind(cells, head)) for number, cells in lines]
    body = [(number, cells) for number, cells in lines if _numbers_in(cells) > 1]
    head = _over_its_columns(head, [cells for _, cells in body])
    rows = [cells for _, cells in body]
    players, totals = _columns_in_pairs(head, rows)
    if not totals:
        players = _columns_of_players(head, rows)
    if not 2 <= len(players) <= MOST_PLAYERS:
        found = f"{count_words(len(players), 'column')} of numbers"
        raise Malformed(found, "one for each player, from 2 to 13")
    _check_names(head, players, body)
    deals = [
        (number, cells)
        for number, cells in lines
        if any(_is_number(cells[at]) for at in (*players, *totals))
    ]
    if not deals:
        raise _no_numbers()
    return _sheet(head, deals, players, totals)


def _no_numbers() -> Malformed:
    return Malformed("no row of numbers", "a row for each deal, a column for a player")


def _label_behind(cells: list[str], head: Sequence[str]) -> list[str]:
    """A row of totals with its label behind the numbers, where no column is for it."""
    own = bool(head[0]) and not {*_words(head[0])} & _NO_NAMES
    if own and {*_words(cells[0])} & _OF_SUMS:
        return [*cells[1:], cells[0]]
    return cells


def _check_names(
    head: Sequence[str], players: Sequence[int], body: Sequence[tuple[int, list[str]]]
) -> None:
    """Raise Malformed where a number stands under no name although there are names."""
    names = _names(head, players)
    for at, name in zip(players, names, strict=True):
        if not name and any(names):
            line, cell = next((line, cells[at]) for line, cells in body if cells[at])
            raise Malformed(
                cell, "a number under each name, and no more", f"line {line}"
            )


def _sheet(
    head: Sequence[str],
    body: Sequence[tuple[int, list[str]]],
    players: Sequence[int],
    totals: Sequence[int],
) -> Sheet:
    names = tuple(
        harmless(name.strip("*_ "), 40) or f"player {place}"
        for place, name in enumerate(_names(head, players), 1)
    )
    rows: list[SheetRow] = []
    sums: tuple[int, ...] = ()
    for line, cells in body:
        own = {*players, *totals}
        beside = [cell for at, cell in enumerate(cells) if at not in own]
        words = {word for cell in beside for word in _words(cell)}
        if words & _OF_SUMS and rows:
            last = players if any(cells[at] for at in players) else totals
            sums = tuple(_number(cells[at], line) for at in last)
            continue
        numbers = tuple(_number(cells[at], line) for at in players)
        remarks = [_rest(cells[at]) for at in players]
        remarks += [cell for cell in beside if not _OF_A_DEAL.fullmatch(cell)]
        passes = [PASS_WORDS[cell.casefold()] for cell in beside if _is_pass(cell)]
        said = (one for one in remarks if one and not _is_pass(one))
        rows.append(
            SheetRow(
                line=line,
                numbers=numbers,
                passed=passes[0] if passes else "",
                remark=harmless("; ".join(said), 200),
                totals=tuple(_number(cells[at], line) for at in totals),
            )
        )
    return Sheet(names=names, rows=tuple(rows), sums=sums)


def _head(before: Sequence[list[str]], width: int) -> list[str]:
    """The line with the names: of those before the numbers the last full one."""
    before = [cells for cells in before if not any(map(_is_number, cells))]
    filled = [sum(map(bool, cells)) for cells in before]
    best = max((n for n in filled if n > 1), default=0)
    heads = [cells for cells, n in zip(before, filled, strict=True) if n == best > 0]
    # names apart by one blank, over numbers apart by one blank
    told = (" ".join(cells).split() for cells in before)
    heads += [words for words in told if not heads and width - 2 < len(words) <= width]
    return [*heads[-1], *[""] * (width - len(heads[-1]))] if heads else [""] * width


def _names(head: Sequence[str], players: Sequence[int]) -> list[str]:
    """The names of the players, in order where there are as many, else by column.

    In text in columns a line of names is short where a column has none.
    """
    named = [cell for cell in head if cell and not {*_words(cell)} & _NO_NAMES]
    return named if len(named) == len(players) else [head[at] for at in players]


def _over_its_columns(head: list[str], rows: Sequence[list[str]]) -> list[str]:
    """The names over their numbers, where the first column has none.

    In text in columns such a line is one cell short.
    """
    short = bool(head[0]) and not head[-1] and not {*_words(head[0])} & _NO_NAMES
    first = [cells[0] for cells in rows]
    if short and (_counts_deals(first) or not any(map(_is_number, first))):
        return ["", *head[:-1]]
    return head


# Cells


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line; none for a blank one, a ruler or a line without cells."""
    plain = [line.replace("\u2212", "-").replace("\ufeff", "") for line in lines]
    sign = _separator(plain)
    if sign in (",", ";", "\t", "/"):
        split = [_apart(line, sign) for line in plain]
    elif sign == "|":
        split = [line.strip().strip("|").split("|") for line in plain]
    else:
        split = _in_columns(plain)
    return [
        [] if _RULER.fullmatch(line) else [cell.strip(_AROUND) for cell in cells]
        for line, cells in zip(plain, split, strict=True)
    ]


def _apart(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error as error:
        raise Malformed(str(error), "cells of ordinary length") from None


def _separator(lines: Sequence[str]) -> str:
    """The sign between cells: one that most lines with two numbers have; else empty."""
    numbered = [line for line in lines if len(re.findall(r"\d+", line)) > 1]
    for sign in ("|", "\t", ";", ",", "/"):
        if sum(sign in line for line in numbered) * 2 > len(numbered):
            return sign
    return ""


def _totals_apart(table: list[list[str]]) -> list[list[str]]:
    """The same table, with a total in brackets, as in `13 (39)`, as a cell of its own.

    So it is in the columns of which most numbers have one.
    """
    width = max(map(len, table), default=0)
    apart = set()
    for at in range(width):
        column = [cells[at] for cells in table if at < len(cells)]
        both = sum(_BOTH.fullmatch(cell) is not None for cell in column)
        numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in column)
        if both * 2 > numbers:
            apart.add(at)
    if not apart:
        return table
    return [
        [one for at, cell in enumerate(cells) for one in _both(cell, at in apart)]
        for cells in table
    ]


def _both(cell: str, apart: bool) -> tuple[str, ...]:
    """The cells that a cell is made into, two where it is in a column of both."""
    if not apart:
        return (cell,)
    found = _BOTH.fullmatch(cell)
    return (found[1] or "", found[2]) if found is not None else (cell, "")


# Text in columns

_Span = tuple[int, int, str]


def _in_columns(lines: Sequence[str]) -> list[list[str]]:
    """The cells of text in columns.

    Where each row of numbers has as many cells, they are counted; else it is where they
    stand that tells what is missing.
    """
    spans = [[*_spans(line)] for line in lines]
    numbered = [
        [one for one in line if _has_its_column(one[2])]
        for line in spans
        if sum(_is_number(cell) for _, _, cell in line) > 1
    ]
    if len({len(line) for line in numbered}) < 2:
        return [[cell for _, _, cell in line] for line in spans]
    columns = _columns_of(one for line in numbered for one in line)
    if len(columns) > max(map(len, numbered)):
        allowed = "as many in each row, or numbers that stand under one another"
        raise Malformed("rows with different numbers of cells", allowed)
    return [_under(columns, line) for line in spans]


def _has_its_column(cell: str) -> bool:
    return _is_number(cell) or _is_pass(cell) or cell in ("-", "\u2013")


def _spans(line: str) -> Iterator[_Span]:
    """The cells of a line, apart by two blanks, and numbers by one; and where."""
    for part in re.finditer(r"\S+(?: \S+)*", line.expandtabs()):
        words = [*re.finditer(r"\S+", part[0])]
        first, last = 0, len(words)
        while first < last and _is_number(words[first][0]):
            first += 1
        while last > first and _is_number(words[last - 1][0]):
            last -= 1
        for word in words[:first]:
            yield part.start() + word.start(), part.start() + word.end(), word[0]
        if first < last:
            start, end = words[first].start(), words[last - 1].end()
            yield part.start() + start, part.start() + end, part[0][start:end]
        for word in words[last:]:
            yield part.start() + word.start(), part.start() + word.end(), word[0]


def _columns_of(spans: Iterable[_Span]) -> list[tuple[int, int]]:
    """The columns in which these cells stand, from the left."""
    found: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _under(columns: Sequence[tuple[int, int]], line: Sequence[_Span]) -> list[str]:
    """The cells of a line by column, and last what stands in none."""
    cells = [""] * (len(columns) + 1)
    for start, end, cell in line:
        over = [min(end, stop) - max(start, begun) for begun, stop in columns]
        best = max(range(len(columns)), key=over.__getitem__)
        if over[best] <= 0 or cells[best]:
            best = -1
        cells[best] = f"{cells[best]}; {cell}" if cells[best] else cell
    return cells


def _is_number(cell: str) -> bool:
    found = _NUMBER.fullmatch(cell)
    return found is not None and not found[3]


def _numbers_in(cells: Sequence[str]) -> int:
    return sum(_NUMBER.fullmatch(cell) is not None for cell in cells)


def _number(cell: str, line: int) -> int:
    if cell.casefold() in _NOTHING:
        return 0
    found = _NUMBER.fullmatch(cell)
    if found is None:
        raise Malformed(harmless(cell, 40), "a number of points", f"line {line}")
    return int(found[2]) * (-1 if found[1] == "-" else 1)


def _rest(cell: str) -> str:
    """What is written behind a number in its cell."""
    found = _NUMBER.fullmatch(cell)
    return found[3].strip("*()[] ") if found is not None else ""


def _is_pass(cell: str) -> bool:
    return cell.casefold() in PASS_WORDS


def _words(cell: str) -> list[str]:
    return re.findall(r"[^\W\d_]+|#|Σ", cell.casefold())


# Columns


def _columns_of_players(head: Sequence[str], rows: Sequence[list[str]]) -> list[int]:
    """The columns that are neither deal, nor pass, nor sum, nor remark."""
    found = []
    for at in range(len(head)):
        column = [cells[at] for cells in rows]
        named = {*_words(head[at])}
        if named & _NO_NAMES:
            continue
        numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in column)
        noughts = [cell for cell in column if cell.casefold() in _NOTHING]
        told = numbers or (head[at] and any(noughts))
        if told and (numbers + len(noughts)) * 2 >= len(column):
            found.append(at)
    unnamed = len(found) > 2 and not head[found[0]]
    if unnamed and _counts_deals([cells[found[0]] for cells in rows]):
        found = found[1:]
    unnamed = len(found) > 2 and not head[found[-1]]
    if unnamed and _sums_up(rows, found):
        found = found[:-1]
    return found


def _columns_in_pairs(
    head: Sequence[str], rows: Sequence[list[str]]
) -> tuple[list[int], list[int]]:
    """The columns of points and those of totals, where each player has one of both.

    They stand in turn, or all totals behind all points. None if they do not.
    """
    numbered = [
        at
        for at in range(len(head))
        if _holds_numbers([cells[at] for cells in rows])
        and not {*_words(head[at])} & (_OF_DEALS | _OF_PASSES | _OF_REMARKS)
    ]
    if numbered and _counts_deals([cells[numbered[0]] for cells in rows]):
        without = numbered[1:]
        numbered = without if len(without) % 2 == 0 else numbered
    half, odd = divmod(len(numbered), 2)
    if half < 2 or odd:
        return [], []
    # A name for every other column says as much as many rows do.
    named = [cell for cell in head if cell and not {*_words(cell)} & _NO_NAMES]
    least, enough = (2, 1 / 2) if len(named) == half else (3, 2 / 3)
    for points, totals in (
        (numbered[::2], numbered[1::2]),
        (numbered[:half], numbered[half:]),
    ):
        pairs = zip(points, totals, strict=True)
        follows = [one for pair in pairs for one in _follows(rows, *pair)]
        if len(rows) >= least and sum(follows) > enough * len(follows):
            return points, totals
    return [], []


def _holds_numbers(column: Sequence[str]) -> bool:
    """Whether most cells of a column are numbers, or stand for none."""
    numbers = sum(_NUMBER.fullmatch(cell) is not None for cell in column)
    noughts = sum(cell.casefold() in _NOTHING for cell in column)
    return numbers > 0 and (numbers + noughts) * 2 >= len(column)


def _follows(rows: Sequence[list[str]], points: int, totals: int) -> Iterator[bool]:
    """For each row, whether one column has the running total of the other.

    Rows of noughts, which say nothing, are left out.
    """
    before = 0
    for cells in rows:
        one, total = _value(cells[points]), _value(cells[totals])
        if one or total or before:
            yield total == before + one
        before = total


def _value(cell: str) -> int:
    """The number in a cell; 0 where there is none."""
    found = _NUMBER.fullmatch(cell)
    return 0 if found is None else int(found[1] + found[2])


def _counts_deals(column: Sequence[str]) -> bool:
    """Whether a column counts 1, 2, 3 and so on."""
    counted = [cell.rstrip(".):") for cell in column]
    plain = [cell for cell in counted if _is_number(cell)]
    return len(plain) > 1 and plain == [str(one) for one in range(1, len(plain) + 1)]


def _sums_up(rows: Sequence[list[str]], columns: Sequence[int]) -> bool:
    """Whether the last column is the sum of the others in most rows."""
    right = 0
    for cells in rows:
        whole = all(_NUMBER.fullmatch(cells[at]) for at in columns)
        *values, last = [_value(cells[at]) for at in columns]
        right += whole and sum(values) == last
    return right * 2 > len(rows) > 1
