"""Functions with operations that differ between Python and JavaScript.

The module is translated like the modules of the rules, and test_carrying compares the
results in both languages.
"""

from collections.abc import Callable
from typing import Final, final

from mypy_extensions import i64

FULL: Final = 2**52 - 1
ODD: Final = 0x5555555555555


@final
class Pile:
    """Cards and a name."""

    def __init__(self, cards: i64, names: tuple[str, ...] = ()) -> None:
        self.cards: Final = cards
        self.names: Final = names

    @property
    def some(self) -> bool:
        """Whether the pile has any names."""
        return len(self.names) > 0

    def more(self, times: i64 = 2, start: i64 = 1) -> i64:
        """The number `cards` multiplied by `times`, plus `start`."""
        return self.cards * times + start

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pile)
            and self.cards == other.cards
            and self.names == other.names
        )

    def __hash__(self) -> int:
        return hash((self.cards, self.names))


def bits(a: i64, b: i64) -> list[int]:
    """The results of all operations that the rules perform on bit masks."""
    return [a & b, a | b, a ^ b, a & ~b, b & -b, a >> 3, a >> 40, (a & 7) << 45]


def lowest_and_rest(cards: i64) -> tuple[int, int]:
    """The lowest bit of a mask, and the mask without it."""
    return cards & -cards, cards & (cards - 1)


def rounded(a: i64, b: i64) -> list[int]:
    """The results of division and remainder, which round down in Python."""
    return [a // b, a % b, -a // b, -a % b]


def truths(row: tuple[int, ...], number: i64, text: str, other: Pile | None) -> str:
    """Words that tell which of the values are true."""
    said = ""
    if row:
        said += "row "
    if not row:
        said += "no row "
    if number:
        said += "number "
    if text:
        said += "text "
    if other:
        said += "other "
    if not other and not number:
        said += "neither "
    return said


def chosen(row: tuple[int, ...], other: tuple[int, ...], number: i64) -> list[object]:
    """The results of `or` and `and` with rows and numbers."""
    return [row or other, number or 7, list(row) and list(other)]


def same(a: Pile, b: Pile, row: tuple[int, ...], other: tuple[int, ...]) -> list[bool]:
    """The results of comparing piles and rows by value, by identity and by `in`."""
    return [
        a == b,
        a != b,
        row == other,
        row != other,
        (a, 1) == (b, 1),
        a in (b, b),
        3 in row,
        3 not in row,
        a is b,
        a.some == (a.cards == 1),
    ]


def places(row: tuple[int, ...], at: i64) -> list[object]:
    """Items and slices of a row, with indexes that count from either end."""
    return [row[0], row[-1], row[at], row[at - 2], list(row[1:]), list(row[1:3])]


def by_name(number: i64) -> list[int]:
    """The results of calls with arguments by name and with defaults."""
    pile = Pile(names=("a",), cards=number)
    return [pile.more(), pile.more(3), pile.more(start=5), pile.more(start=1, times=0)]


def rows(row: tuple[int, ...]) -> list[object]:
    """The results of comprehensions and of functions that iterate over a row."""
    doubled = [0, 1] * 2
    doubled += [9]
    return [
        [one * 2 for one in row if one % 2],
        [(one, two) for one in row for two in range(one) if two],
        [place * one for place, one in enumerate(row)],
        [one + two for one, two in zip(row, row, strict=True)],
        list(range(2, len(row))),
        (*row, *doubled),
        max(row),
        min([3, *row]),
        sum(row),
        any(one > 3 for one in row),
        all(one > 3 for one in row),
    ]


def table(keys: tuple[str, ...]) -> list[object]:
    """What a dict returns for keys that are in it and for keys that are not."""
    found = {key: len(key) for key in keys}
    return [found.get("bb", -1), found.get("none", -1), len(found), "a" in found]


def loops(most: i64) -> tuple[int, int]:
    """The results of a loop with `continue` and `break`.

    The variables have names that are reserved words in JavaScript.
    """
    new = 0
    function = 0
    while True:
        new += 1
        if new % 3 == 0:
            continue
        function += new
        if new > most:
            break
    return new, function


def between(low: i64, value: i64, high: i64) -> bool:
    """Whether a value lies in a range, tested with a chained comparison."""
    return low <= value < high


def swapped(a: i64, b: i64) -> tuple[int, int]:
    """The two numbers exchanged by one assignment to two names."""
    a, b = b, a
    return a, b


def applied(change: Callable[[i64], i64], number: i64) -> i64:
    """The number after the function `change` has been applied to it twice."""
    return change(change(number))


def thrice(number: i64) -> i64:
    """The number times nine, calculated with a lambda."""
    return applied(lambda one: one * 3, number)


def flags(a: bool, number: i64) -> list[object]:
    """The results of using flags as numbers and numbers as flags."""
    return [int(a) + number, bool(number), a == (number > 0), not a]
