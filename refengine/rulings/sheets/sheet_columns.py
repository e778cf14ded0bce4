"""Finding out what the columns of a score sheet hold, and for which players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.rulings.sheets.one_cell import (
    NO_NAMES,
    NUMBER,
    OF_DEALS,
    OF_NO_DEAL,
    OF_PASSES,
    OF_REMARKS,
    OF_SUMS,
    deal_in,
    holds_points,
    is_label,
    is_nothing,
    is_number,
    is_one_of,
    is_pass,
    number_or_nought,
    numbers_in,
)


def columns_of_players(head: Sequence[str], rows: Sequence[list[str]]) -> list[int]:
    """The columns that belong to players, not to deals, passes, sums or remarks."""
    found = []
    for at in range(len(head)):
        column = [cells[at] for cells in rows]
        if is_one_of(head[at], NO_NAMES):
            continue
        noughts = any(cell and is_nothing(cell) for cell in column)
        if _is_mostly_points(column) and (numbers_in(column) or (head[at] and noughts)):
            found.append(at)
    unnamed = len(found) > 2 and not head[found[0]]
    if unnamed and _numbers_deals(head, found, [cells[found[0]] for cells in rows]):
        found = found[1:]
    unnamed = len(found) > 2 and not head[found[-1]]
    if unnamed and _sums_up(rows, found):
        found = found[:-1]
    return found


def columns_in_pairs(
    head: Sequence[str], rows: Sequence[list[str]], apart: Sequence[int] = ()
) -> tuple[list[int], list[int]]:
    """The columns of points and the columns of totals, if every player has both.

    Either the two alternate, or all totals follow all points; otherwise both lists are
    empty. The first column may count the deals, and the last may hold the sum of each
    row. `apart` holds the columns of points that shared their cells with the totals now
    to the right of them; they are pairs even if no total is right.
    """
    numbered = [
        at
        for at in range(len(head))
        if _holds_numbers([cells[at] for cells in rows])
        and not is_one_of(head[at], OF_DEALS | OF_PASSES | OF_REMARKS)
    ]
    if not numbered:
        return [], []
    counting = counts_deals([cells[numbered[0]] for cells in rows])
    checking = is_one_of(head[numbered[-1]], OF_SUMS)
    for first in (1, 0) if counting else (0,):
        for last in (0, 1) if checking else (0,):
            own = numbered[first : len(numbered) - last]
            if (found := _paired(head, rows, own))[0]:
                return found
    points = [at for at in apart if not is_one_of(head[at], NO_NAMES)]
    return points, [at + 1 for at in points]


def _paired(
    head: Sequence[str], rows: Sequence[list[str]], columns: Sequence[int]
) -> tuple[list[int], list[int]]:
    """These columns split into points and totals, or two empty lists if that fails."""
    half, odd = divmod(len(columns), 2)
    if half < 2 or odd:
        return [], []
    # If exactly half the columns have names, fewer rows are enough.
    named = [cell for cell in head if cell and not is_one_of(cell, NO_NAMES)]
    least, enough = (2, 1 / 2) if len(named) == half else (3, 2 / 3)
    for points, totals in (
        (columns[::2], columns[1::2]),
        (columns[:half], columns[half:]),
    ):
        follows = [
            one
            for at, to in zip(points, totals, strict=True)
            for one in totals_follow(
                [row[at] for row in rows], [row[to] for row in rows]
            )
        ]
        if len(rows) >= least and sum(follows) > enough * len(follows):
            return [*points], [*totals]
    return [], []


def _holds_numbers(column: Sequence[str]) -> bool:
    """Whether at least half the cells are numbers or noughts, and one is a number."""
    return numbers_in(column) > 0 and _is_mostly_points(column)


def _is_mostly_points(column: Sequence[str]) -> bool:
    """Whether at least half the cells are numbers or noughts, or are empty."""
    return sum(map(holds_points, column)) * 2 >= len(column)


def totals_follow(points: Sequence[str], totals: Sequence[str]) -> Iterator[bool]:
    """For each cell of `totals`, whether it holds the running total of `points`.

    Noughts are left out while the total is 0, since they show nothing.
    """
    before = 0
    cells = zip(points, totals, strict=True)
    for one, total in (map(number_or_nought, pair) for pair in cells):
        if one or total or before:
            yield total == before + one
        before = total


def counts_deals(column: Sequence[str]) -> bool:
    """Whether the numbers in a column are 1, 2, 3 and so on."""
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
    """Whether a column may hold the numbers of deals, although some are missing."""
    numbers = [int(deal_in(cell) or 0) for cell in column if not _is_no_deal(cell)]
    rising = bool(numbers) and numbers == sorted(numbers) and numbers[0] > 0
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
        and all(
            deal_in(cells[at]) or _is_no_deal(cells[at]) for cells in rows if cells[at]
        )
    ]
    return [*named, *unnamed][:1]


def columns_of_passes(
    head: Sequence[str],
    players: Sequence[int],
    totals: Sequence[int],
    rows: Sequence[list[str]],
) -> list[int]:
    """The columns that may say which way the cards were passed.

    If none has a heading for passes, these are the columns without a name (a date is
    not a name) and those with an unknown name that hold only passes, of at least two
    kinds. If some player's column has no name above it, any column that is not a
    player's may.
    """
    own = {*players, *totals}
    others = [at for at in range(len(head)) if at not in own]
    if not all(head[at] for at in players):
        return others
    named = [at for at in others if is_one_of(head[at], OF_PASSES)]
    return named or [
        at
        for at in others
        if not any(map(str.isalpha, head[at]))
        or (not is_one_of(head[at], NO_NAMES) and _holds_passes(rows, at))
    ]


def _holds_passes(rows: Sequence[list[str]], at: int) -> bool:
    """Whether a column holds at least two different passes, and nothing else."""
    told = {cells[at].casefold() for cells in rows if cells[at]}
    return len(told) > 1 and all(map(is_pass, told))


def _is_no_deal(cell: str) -> bool:
    """Whether a cell says that its row holds no deal, but sums or places, say."""
    return is_label(cell, OF_NO_DEAL)


def _sums_up(rows: Sequence[list[str]], columns: Sequence[int]) -> bool:
    """Whether the last column is the sum of the others in most rows.

    A cell that says that there are no points counts as 0, except in the last column.
    """
    right = 0
    for cells in rows:
        *points, last = [cells[at] for at in columns]
        if all(map(holds_points, points)) and NUMBER.fullmatch(last):
            right += sum(map(number_or_nought, points)) == number_or_nought(last)
    return right * 2 > len(rows) > 1


# The names


def head_of_table(before: Sequence[list[str]], width: int) -> list[str]:
    """The line that holds the names of the columns.

    Of the lines above the numbers with the most cells filled, it is the last.
    """
    before = [cells for cells in before if not any(map(is_number, cells))]
    filled = [sum(map(bool, cells)) for cells in before]
    best = max((n for n in filled if n > 1), default=0)
    heads = [cells for cells, n in zip(before, filled, strict=True) if n == best > 0]
    if not heads:  # names divided by one blank, over numbers divided by one blank
        told = (" ".join(cells).split() for cells in before)
        heads = [words for words in told if width - 2 < len(words) <= width]
    return [*heads[-1], *[""] * (width - len(heads[-1]))] if heads else [""] * width


def names_of_players(head: Sequence[str], players: Sequence[int]) -> list[str]:
    """The names of the players, one for each of their columns.

    If the line has exactly that many names, they are taken in order; otherwise each is
    the one above its column. Where blanks divide the columns, a line of names is short
    if some column has none.
    """
    named = [cell for cell in head if cell and not is_one_of(cell, NO_NAMES)]
    return named if len(named) == len(players) else [head[at] for at in players]


def over_its_columns(head: list[str], rows: Sequence[list[str]]) -> list[str]:
    """The line of names, moved to the right by one column if the first has no name.

    Where blanks divide the columns, the line of names is then one cell short.
    """
    short = bool(head[0]) and not head[-1] and not is_one_of(head[0], NO_NAMES)
    first = [cells[0] for cells in rows]
    if short and (_rises(first) or not any(map(is_number, first))):
        return ["", *head[:-1]]
    return head


def label_behind(cells: list[str], head: Sequence[str]) -> list[str]:
    """The row, with a label such as `total` moved from its first cell to its end.

    It is moved only if the first column belongs to a player. A first cell that begins
    with a number holds points, whatever is written after it.
    """
    own = bool(head[0]) and not is_one_of(head[0], NO_NAMES)
    labelled = is_one_of(cells[0], OF_NO_DEAL) and not numbers_in(cells[:1])
    return [*cells[1:], cells[0]] if own and labelled else cells
