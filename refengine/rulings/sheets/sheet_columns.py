"""What the columns of a score sheet are: deals, players with their names, or sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.rulings.sheets.one_cell import (
    NO_NAMES,
    NOTHING,
    NUMBER,
    OF_DEALS,
    OF_PASSES,
    OF_REMARKS,
    OF_SUMS,
    deal_in,
    is_number,
    is_one_of,
    number_or_nought,
    numbers_in,
)


def columns_of_players(head: Sequence[str], rows: Sequence[list[str]]) -> list[int]:
    """The columns for players, leaving out those for deals, passes, sums or remarks."""
    found = []
    for at in range(len(head)):
        column = [cells[at] for cells in rows]
        if is_one_of(head[at], NO_NAMES):
            continue
        numbers = numbers_in(column)
        noughts = [cell for cell in column if cell.casefold() in NOTHING]
        told = numbers or (head[at] and any(noughts))
        if told and (numbers + len(noughts)) * 2 >= len(column):
            found.append(at)
    unnamed = len(found) > 2 and not head[found[0]]
    if unnamed and _numbers_deals(head, found, [cells[found[0]] for cells in rows]):
        found = found[1:]
    unnamed = len(found) > 2 and not head[found[-1]]
    if unnamed and _sums_up(rows, found):
        found = found[:-1]
    return found


def columns_in_pairs(
    head: Sequence[str], rows: Sequence[list[str]]
) -> tuple[list[int], list[int]]:
    """The columns of points and those of totals, if each player has one of each.

    Either the two alternate, or all totals follow all points; otherwise both are empty.
    """
    numbered = [
        at
        for at in range(len(head))
        if _holds_numbers([cells[at] for cells in rows])
        and not is_one_of(head[at], OF_DEALS | OF_PASSES | OF_REMARKS)
    ]
    if numbered and counts_deals([cells[numbered[0]] for cells in rows]):
        without = numbered[1:]
        numbered = without if len(without) % 2 == 0 else numbered
    half, odd = divmod(len(numbered), 2)
    if half < 2 or odd:
        return [], []
    # If exactly half the columns have names, fewer rows are enough.
    named = [cell for cell in head if cell and not is_one_of(cell, NO_NAMES)]
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
    """Whether at least half the cells are numbers or noughts, and one is a number."""
    numbers = numbers_in(column)
    noughts = sum(cell.casefold() in NOTHING for cell in column)
    return numbers > 0 and (numbers + noughts) * 2 >= len(column)


def _follows(rows: Sequence[list[str]], points: int, totals: int) -> Iterator[bool]:
    """For each row, whether the column `totals` holds the running total of `points`.

    Rows of noughts, which tell nothing, are left out.
    """
    before = 0
    for cells in rows:
        one, total = number_or_nought(cells[points]), number_or_nought(cells[totals])
        if one or total or before:
            yield total == before + one
        before = total


def counts_deals(column: Sequence[str]) -> bool:
    """Whether a column counts 1, 2, 3 and so on."""
    counted = [cell.rstrip(".):") for cell in column]
    plain = [cell for cell in counted if is_number(cell)]
    return len(plain) > 1 and plain == [str(one) for one in range(1, len(plain) + 1)]


def _numbers_deals(
    head: Sequence[str], found: Sequence[int], column: Sequence[str]
) -> bool:
    """Whether a first column without a name holds the numbers of the deals.

    Some numbers may be missing if all the other columns have names.
    """
    if counts_deals(column):
        return True
    return _rises(column) and all(head[at] for at in found[1:])


def _rises(column: Sequence[str]) -> bool:
    """Whether a column can hold the numbers of deals, some of them missing."""
    numbers = [int(deal_in(cell) or 0) for cell in column]
    rising = numbers == sorted(numbers) and numbers[0] > 0
    return rising and numbers[-1] <= 3 * len(column)


def columns_of_deals(
    head: Sequence[str], own: Sequence[int], rows: Sequence[list[str]]
) -> list[int]:
    """The column with the numbers of the deals, in a list; empty if there is none."""
    others = [at for at in range(len(head)) if at not in own]
    named = [at for at in others if is_one_of(head[at], OF_DEALS)]
    unnamed = [
        at
        for at in others
        if not head[at]
        and at < min(own)
        and all(deal_in(cells[at]) for cells in rows if cells[at])
    ]
    return [*named, *unnamed][:1]


def _sums_up(rows: Sequence[list[str]], columns: Sequence[int]) -> bool:
    """Whether the last column is the sum of the others in most rows.

    A cell that says that there are no points counts as 0, except in the last column.
    """
    right = 0
    for cells in rows:
        *points, last = [cells[at] for at in columns]
        told = all(one.casefold() in NOTHING or NUMBER.fullmatch(one) for one in points)
        if told and NUMBER.fullmatch(last):
            right += sum(map(number_or_nought, points)) == number_or_nought(last)
    return right * 2 > len(rows) > 1


# The names


def head_of_table(before: Sequence[list[str]], width: int) -> list[str]:
    """The line with the names: the last of the fullest lines above the numbers."""
    before = [cells for cells in before if not any(map(is_number, cells))]
    filled = [sum(map(bool, cells)) for cells in before]
    best = max((n for n in filled if n > 1), default=0)
    heads = [cells for cells, n in zip(before, filled, strict=True) if n == best > 0]
    # names divided by one blank, over numbers divided by one blank
    told = (" ".join(cells).split() for cells in before)
    heads += [words for words in told if not heads and width - 2 < len(words) <= width]
    return [*heads[-1], *[""] * (width - len(heads[-1]))] if heads else [""] * width


def names_of_players(head: Sequence[str], players: Sequence[int]) -> list[str]:
    """The names of the players: in order if there are as many, otherwise by column.

    In columns of text, a line of names is short if some column has no name.
    """
    named = [cell for cell in head if cell and not is_one_of(cell, NO_NAMES)]
    return named if len(named) == len(players) else [head[at] for at in players]


def over_its_columns(head: list[str], rows: Sequence[list[str]]) -> list[str]:
    """The names, moved over their numbers if the first column has no name.

    In columns of text, such a line is one cell short.
    """
    short = bool(head[0]) and not head[-1] and not is_one_of(head[0], NO_NAMES)
    first = [cells[0] for cells in rows]
    if short and (_rises(first) or not any(map(is_number, first))):
        return ["", *head[:-1]]
    return head


def label_behind(cells: list[str], head: Sequence[str]) -> list[str]:
    """The row, with a label for totals moved to its end if the label has no column."""
    own = bool(head[0]) and not is_one_of(head[0], NO_NAMES)
    if own and is_one_of(cells[0], OF_SUMS):
        return [*cells[1:], cells[0]]
    return cells
