"""Tests with two thousand score sheets: a slip in each is found, and nothing else.

What a deal can score is worked out here from clauses 8.1 to 8.3 alone, for Hearts for
four as most people play it: either thirteen hearts of a point each and a queen of
thirteen are shared, or one player has them all and the others score 26 each. The
match is over once a total reaches a hundred (9.3).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from random import Random

import pytest

from refengine import Ruleset
from refengine.rulings.sheets.judging_sheets import judge_sheet
from refengine.rulings.sheets.reading_sheets import read_sheet

COMMON = Ruleset("common-hearts", 4)
LIMIT = 100
Row = tuple[int, ...]


def can_be_given(row: Row) -> bool:
    """Whether a deal can score this, with hearts and queen shared out or by a moon."""
    if sorted(row) == [0, 26, 26, 26]:
        return True
    shares_all = sum(row) == 26 and max(row) < 26 and min(row) >= 0
    return shares_all and max(row) >= 13


def running(rows: Sequence[Row]) -> list[Row]:
    return [*accumulate(rows, lambda *both: tuple(map(sum, zip(*both, strict=True))))]


def points_of(totals: Sequence[Row]) -> list[Row]:
    before = [(0, 0, 0, 0), *totals]
    return [
        tuple(now - then for now, then in zip(one, other, strict=True))
        for one, other in zip(totals, before, strict=False)
    ]


def is_possible(rows: Sequence[Row]) -> bool:
    """Whether deals can have these scores, and none follows the end of the match."""
    stood = [max(total) for total in running(rows)[:-1]]
    return all(map(can_be_given, rows)) and max(stood, default=0) < LIMIT


def dealt(chance: Random) -> Row:
    """The scores of a random deal, in which each penalty card goes to any seat."""
    row = [0] * 4
    if chance.random() < 0.1:
        row = [26] * 4
        row[chance.randrange(4)] = 0
        return tuple(row)
    for cost in (13, *[1] * 13):
        row[chance.randrange(4)] += cost
    return tuple(row) if max(row) < 26 else dealt(chance)


def match_kept(chance: Random) -> list[Row]:
    """The rows of a random match, either to its end or to an earlier row."""
    rows: list[Row] = []
    while not rows or max(running(rows)[-1]) < LIMIT:
        rows.append(dealt(chance))
    return rows[: chance.randrange(3, len(rows) + 1)]


def changed(rows: Sequence[Row], chance: Random) -> list[Row]:
    """The rows with one number changed as people may write it by mistake."""
    at, seat = chance.randrange(len(rows)), chance.randrange(4)
    row = list(rows[at])
    slips = [row[seat] + more for more in (-10, -1, 1, 2, 10, 13, 26)]
    slips += [int(str(abs(row[seat]))[::-1]), 0]
    row[seat] = chance.choice([one for one in slips if one != row[seat]])
    return [*rows[:at], tuple(row), *rows[at + 1 :]]


def moved(rows: Sequence[Row], chance: Random) -> list[Row]:
    """The rows with points moved from one player to another within one row."""
    at, (one, other) = chance.randrange(len(rows)), chance.sample(range(4), 2)
    row = list(rows[at])
    some = chance.choice([1, 2, 10, 13, row[one] - row[other]])
    row[one] -= some
    row[other] += some
    return [*rows[:at], tuple(row), *rows[at + 1 :]]


def text_of(rows: Sequence[Row]) -> str:
    lines = ["Anna,Ben,Carl,Dora", *(",".join(map(str, row)) for row in rows)]
    return "\n".join(lines)


def sheets(number: int) -> Iterator[tuple[list[Row], Random]]:
    for seed in range(number):
        chance = Random(seed)
        yield match_kept(chance), chance


@pytest.mark.parametrize("slip", [changed, moved])
@pytest.mark.parametrize("totals", [False, True], ids=["points", "totals"])
def test_what_is_wrong_is_found_and_nothing_else(
    totals: bool, slip: Callable[[Sequence[Row], Random], list[Row]]
) -> None:
    found = {True: 0, False: 0}
    for rows, chance in sheets(500):
        told = slip(running(rows) if totals else rows, chance)
        possible = is_possible(points_of(told) if totals else told)
        judged = judge_sheet(read_sheet(text_of(told)), COMMON, running=totals)
        assert judged.possible == possible, (text_of(told), judged.remarks)
        found[possible] += 1
    # One number alone can never be another: what a deal gives adds up to 26, or to 78.
    assert (found[True] == 0) == (slip is changed)
    assert found[False] > 100


def test_sheets_without_a_slip_are_possible() -> None:
    for rows, _ in sheets(200):
        for told in (rows, running(rows)):
            assert judge_sheet(read_sheet(text_of(told)), COMMON).possible
