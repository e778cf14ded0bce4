"""Counting exactly in how many ways cards can lie, if each may lie in certain places.

Cards that may lie in the same places form a class, in which only their number counts;
places that are open to the same classes form a group. Tables are then counted, each of
which says how many cards of each class lie in each group. A table stands for as many
deals as there are ways to choose these cards, and is drawn in proportion to that
number.
"""

from math import comb
from typing import Final, final

from mypy_extensions import i64

from refengine.machine.random_numbers import Chance

WHOLE: Final = 2**53


def in_good_order(
    sizes: list[int], groups: list[tuple[bool, ...]]
) -> list[tuple[bool, ...]]:
    """The groups in an order that keeps the number of intermediate results small.

    After each group, the number of cards left must be remembered for every class that
    some groups have drawn on and others have yet to draw on. The next group is always
    one that leaves the least to remember.
    """
    order: list[tuple[bool, ...]] = []
    left = groups[:]
    while left:
        best = min(left, key=lambda one: _open_counts(sizes, [*order, one], groups))
        order.append(best)
        left.remove(best)
    return order


def _open_counts(
    sizes: list[int], served: list[tuple[bool, ...]], groups: list[tuple[bool, ...]]
) -> int:
    """The number of combinations of counts to be remembered after these groups.

    `served` holds the groups that have been dealt with, and `groups` all of them.
    """
    ways = 1
    for at, size in enumerate(sizes):
        had = sum([one[at] for one in served])
        if 0 < had < sum([one[at] for one in groups]):
            ways = ways * (size + 1)
    return ways


@final
class Split:
    """The possible numbers of cards for one group, once the earlier groups are filled.

    `counts` holds the possible rows of the table, each with a number of cards for each
    class, and `then` holds the split that follows each row, or None after the last
    group. A row is drawn if a random number below 2**53 is below its entry in `until`
    but not below the entry before it.
    """

    def __init__(
        self,
        counts: list[tuple[int, ...]],
        until: list[int],
        then: "list[Split | None]",
    ) -> None:
        self.counts: Final = counts
        self.until: Final = until
        self.then: Final = then

    def chosen(self, chance: Chance) -> i64:
        """The index of a random row, drawn in proportion to its number of deals."""
        until = self.until
        if len(until) == 1:
            return 0
        number = int(chance.fraction())
        low: i64 = 0
        high: i64 = len(until) - 1
        while low < high:
            middle = (low + high) >> 1
            if number < until[middle]:
                high = middle
            else:
                low = middle + 1
        return low


@final
class Counting:
    """All tables for these classes and groups, and the number of deals they represent.

    `sizes` holds the number of cards in each class, `rooms` the number of cards that
    each group takes, and `open_to`, for each group, whether each class may lie there.
    `first` is the split of the first group, or None if there is no table or no group;
    `deals` is the number of ways to choose the cards for all the groups.
    """

    def __init__(
        self,
        sizes: tuple[int, ...],
        rooms: tuple[int, ...],
        open_to: tuple[tuple[bool, ...], ...],
    ) -> None:
        self.sizes: Final = sizes
        self.rooms: Final = rooms
        self.open_to: Final = open_to
        self._known: Final[dict[tuple[int, ...], tuple[int, Split | None]]] = {}
        classes = range(len(sizes))
        # Whether a class can still be placed from this group on.
        later: list[tuple[bool, ...]] = [tuple(False for _ in sizes)]
        for one in reversed(open_to):
            later.append(tuple([one[at] or later[-1][at] for at in classes]))
        later.reverse()
        self._later: Final = later
        self.deals, self.first = self._counted(0, sizes)
        self._known.clear()

    def _counted(self, group: int, left: tuple[int, ...]) -> "tuple[int, Split | None]":
        """The number of ways to fill this and all later groups, and this group's split.

        `left` holds the number of cards left in each class. The split is None if there
        is no way, or after the last group.
        """
        if group == len(self.rooms):
            return (0 if any(left) else 1), None
        key = (group, *left)
        if key in self._known:
            return self._known[key]
        rows: list[tuple[int, ...]] = []
        self._rows(group, left, self._spare(group, left), self.rooms[group], [], rows)
        counts: list[tuple[int, ...]] = []
        then: list[Split | None] = []
        sums: list[int] = []
        total = 0
        for row in rows:
            rest = tuple([had - given for had, given in zip(left, row, strict=True)])
            ways, split = self._counted(group + 1, rest)
            if not ways:
                continue
            for had, given in zip(left, row, strict=True):
                ways = ways * comb(had, given)
            total = total + ways
            counts.append(row)
            then.append(split)
            sums.append(total)
        until = [WHOLE * ways // total for ways in sums]
        found = (total, Split(counts, until, then) if counts else None)
        self._known[key] = found
        return found

    def _spare(self, group: int, left: tuple[int, ...]) -> list[int]:
        """For each class, how many cards of later classes may go to the group."""
        spare = [0]
        for at in range(len(left) - 1, 0, -1):
            spare.append(spare[-1] + (left[at] if self.open_to[group][at] else 0))
        spare.reverse()
        return spare

    def _rows(
        self,
        group: int,
        left: tuple[int, ...],
        spare: list[int],
        room: int,
        row: list[int],
        rows: list[tuple[int, ...]],
    ) -> None:
        """Add to `rows` every row that begins with `row` and fills the group.

        `room` is the number of cards that the group can still take.
        """
        at = len(row)
        if at == len(left):
            if room == 0:
                rows.append(tuple(row))
            return
        most = min(left[at], room) if self.open_to[group][at] else 0
        least = 0 if self._later[group + 1][at] else left[at]
        for given in range(max(least, room - spare[at]), most + 1):
            row.append(given)
            self._rows(group, left, spare, room - given, row, rows)
            row.pop()
