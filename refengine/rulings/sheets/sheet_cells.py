"""Splitting a score sheet into cells, be it CSV, TSV, Markdown or text in columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from refengine.errors import Malformed
from refengine.rulings.sheets.one_cell import (
    OF_NO_DEAL,
    is_label,
    is_nothing,
    is_number,
    is_pass,
    numbers_in,
)
from refengine.rulings.sheets.sheet_columns import totals_follow

_BOTH: Final = re.compile(
    r"([+-]?\d{1,7})?\s*(?:[(\[]\s*(?=.*[)\]])|/)\s*([+-]?\d{1,7})\s*[)\]]?"
)
_AROUND: Final = " \t\r*_`"  # blanks, and what Markdown puts around a word
_RULER: Final = re.compile(r"[\s|:=+_-]+")


def cells_of_lines(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line; a line that is blank or a horizontal rule has none."""
    plain = [line.replace("\u2212", "-").replace("\ufeff", "") for line in lines]
    sign = _separator(plain)
    if sign in (",", ";", "\t", "/"):
        split = [_apart(line, sign) for line in plain]
    elif sign == "|":
        split = [_between_bars(line) for line in plain]
    else:
        split = _in_columns(plain)
    return [
        [] if _RULER.fullmatch(line) else [cell.strip(_AROUND) for cell in cells]
        for line, cells in zip(plain, split, strict=True)
    ]


def _between_bars(line: str) -> list[str]:
    """The cells of a line of Markdown, which may have one bar at either end."""
    return line.strip().removeprefix("|").removesuffix("|").split("|")


def _apart(line: str, sign: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=sign), [])
    except csv.Error as error:
        raise Malformed(str(error), "cells of ordinary length") from None


def _separator(lines: Sequence[str]) -> str:
    """The character that separates cells, found in most lines with two or more numbers.

    The result is empty if there is none, and is a slash only if no blank separates
    cells.
    """
    numbered = [line for line in lines if len(re.findall(r"\d+", line)) > 1]
    blanks = sum(re.search(r"\d\s+\d", line) is not None for line in numbered)
    for sign in ("|", "\t", ";", ",", "/"):
        if sign == "/" and blanks * 2 > len(numbered):
            continue
        if sum(sign in line for line in numbered) * 2 > len(numbered):
            return sign
    return ""


def totals_apart(table: list[list[str]]) -> tuple[list[list[str]], list[int]]:
    """The same table with points and totals that share a cell moved into two cells.

    The second value holds the columns of these points in the new table; the totals are
    to the right of each. Such a total is in brackets, as in `13 (39)`, or after a
    slash. Only columns in which most numbers have such a total are split, and those
    that hold a nought and no number; and only if at least two have totals, since a
    single one is likely to hold dates.
    """
    width = max(map(len, table), default=0)
    apart, noughts = set(), set()
    for at in range(width):
        column = [cells[at] for cells in table if at < len(cells)]
        both = sum(_BOTH.fullmatch(cell) is not None for cell in column)
        if both * 2 > numbers_in(column):
            apart.add(at)
        elif not numbers_in(column) and any(
            cell and is_nothing(cell) for cell in column
        ):
            noughts.add(at)
    if len(apart) < 2:
        return table, []
    apart |= noughts
    split = [
        [one for at, cell in enumerate(cells) for one in _both(cell, at in apart)]
        for cells in table
    ]
    return split, [at + place for place, at in enumerate(sorted(apart))]


def _both(cell: str, apart: bool) -> tuple[str, ...]:
    """The one or two cells that replace a cell: two if it is to be split (`apart`).

    If a cell to be split has no total, the second is empty.
    """
    if not apart:
        return (cell,)
    found = _BOTH.fullmatch(cell)
    return (found[1] or "", found[2]) if found is not None else (cell, "")


# Text in columns

_Span = tuple[int, int, str]


def _in_columns(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line of a text that is laid out in columns.

    If all rows of numbers have the same number of cells, these are taken in order;
    otherwise their positions show which are missing. If the cells do not line up, they
    are taken in order if the rows are equal once labels such as `Total` are counted.
    Raises Malformed if they are not.
    """
    spans = [[*_spans(line)] for line in lines]
    rows = [line for line in spans if sum(is_number(one[2]) for one in line) > 1]
    numbered = [[one for one in line if _has_its_column(one[2])] for line in rows]
    in_order = [[cell for _, _, cell in line] for line in spans]
    if len({*map(len, numbered)}) < 2:
        return in_order
    columns = _columns_of(one for line in numbered for one in line)
    if len(columns) > max(map(len, numbered)):
        both = zip(rows, numbered, strict=True)
        if len({_has_label(line) + len(own) for line, own in both}) == 1:
            return in_order
        allowed = "as many in each row, or numbers lined up under one another"
        raise Malformed("rows with different numbers of cells", allowed)
    return [_under(columns, line) for line in spans]


def _has_label(line: Sequence[_Span]) -> bool:
    """Whether a line begins with a label for its row, in place of a number."""
    return is_label(line[0][2], OF_NO_DEAL)


def _has_its_column(cell: str) -> bool:
    return is_number(cell) or is_pass(cell) or cell in ("-", "\u2013", "\u2014")


def _is_point(cell: str) -> bool:
    return is_number(cell) or is_nothing(cell)


def _spans(line: str) -> Iterator[_Span]:
    """The cells of a line, each as its start, its end and its text.

    Cells are divided by at least two blanks, or by a single blank next to a number. So
    are words between numbers if each is a pass or says that there are no points.
    """
    numbered = any(map(is_number, line.split()))
    for part in re.finditer(r"\S+(?: \S+)*", line.expandtabs()):
        words = [*re.finditer(r"\S+", part[0])]
        first, last = 0, len(words)
        while first < last and is_number(words[first][0]):
            first += 1
        while last > first and is_number(words[last - 1][0]):
            last -= 1
        between = [one[0] for one in words[first:last]]
        if numbered and all(_has_its_column(one) or is_nothing(one) for one in between):
            last = first  # no remark, but cells such as `- 26 - -`
        ends = last
        while ends > first and _is_point(words[ends - 1][0]):
            ends -= 1
        if is_pass(" ".join(one[0] for one in words[first:ends])):
            last = ends  # as in `3 no pass 4 9 13 -`
        for word in words[:first]:
            yield part.start() + word.start(), part.start() + word.end(), word[0]
        if first < last:
            start, end = words[first].start(), words[last - 1].end()
            yield part.start() + start, part.start() + end, part[0][start:end]
        for word in words[last:]:
            yield part.start() + word.start(), part.start() + word.end(), word[0]


def _columns_of(spans: Iterable[_Span]) -> list[tuple[int, int]]:
    """The columns that these cells form, from the left, each as its start and end."""
    found: list[tuple[int, int]] = []
    for start, end, _ in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _under(columns: Sequence[tuple[int, int]], line: Sequence[_Span]) -> list[str]:
    """The cells of a line by column, followed by any text that fits no free column."""
    cells = [""] * (len(columns) + 1)
    # A label may reach into the first column, where it would stand for a number.
    labelled = any(is_number(cell) for _, _, cell in line) and _has_label(line)
    for place, (start, end, cell) in enumerate(line):
        over = [min(end, stop) - max(start, begun) for begun, stop in columns]
        best = max(range(len(columns)), key=over.__getitem__)
        if over[best] <= 0 or cells[best] or (labelled and not place):
            best = -1
        cells[best] = f"{cells[best]}; {cell}" if cells[best] else cell
    return cells


def totals_below(table: list[list[str]]) -> list[list[str]]:
    """The same table, with each row of totals moved to the end of its row of points.

    This is done if the second row of each pair holds running totals, most of which
    equal the points above them plus the previous total. A last row that repeats the
    totals stays where it is.
    """
    places = [at for at, cells in enumerate(table) if numbers_in(cells) > 1]
    if len(places) % 2 and _same_numbers(*(table[at] for at in places[-2:])):
        places.pop()
    points = [table[at] for at in places[::2]]
    totals = [table[at] for at in places[1::2]]
    if len(points) < 3 or len(points) != len(totals):
        return table
    columns = [
        at
        for at in range(min(map(len, [*points, *totals])))
        if numbers_in([cells[at] for cells in points]) * 2 > len(points)
        and numbers_in([cells[at] for cells in totals]) * 2 > len(totals)
    ]
    follows = [
        one
        for at in columns
        for one in totals_follow(
            [row[at] for row in points], [row[at] for row in totals]
        )
    ]
    if len(columns) < 2 or sum(follows) * 3 <= 2 * len(follows):
        return table
    width = max(map(len, table))
    found = [*table]
    for above, below in zip(places[::2], places[1::2], strict=True):
        sums = [table[below][at] for at in columns]
        found[above] = [*table[above], *[""] * (width - len(table[above])), *sums]
        found[below] = []
    return found


def _same_numbers(first: Sequence[str], *others: Sequence[str]) -> bool:
    """Whether two or more rows have the same numbers in the same order."""
    numbers = [cell for cell in first if is_number(cell)]
    return bool(others) and all(
        [cell for cell in cells if is_number(cell)] == numbers for cells in others
    )
