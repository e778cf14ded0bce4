"""Functions with values, strings and errors that differ between the languages.

The module is translated like the modules of the game, and test_carrying compares the
results in Python and in JavaScript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from itertools import combinations, permutations
from typing import Any, ClassVar, Final

import attrs


class Side(Enum):
    """A side of the table."""

    NORTH = "N"
    EAST = "E"
    SOUTH = "S"

    def __init__(self, value: str | int) -> None:
        self._place = "NES".index(str(value))

    @classmethod
    def _missing_(cls, value: object) -> Side:
        if isinstance(value, int) and not isinstance(value, bool):
            return list(cls)[value]
        raise Odd(f"{value}", "a side")

    @property
    def place(self) -> int:
        """The index of the side in `NES`."""
        return self._place

    def __lt__(self, other: object) -> bool:
        return isinstance(other, Side) and self.place < other.place

    def __str__(self) -> str:
        return str(self.value)


class Odd(ValueError):
    """An error that says what was found and what is allowed."""

    def __init__(self, found: str, allowed: str = "even") -> None:
        super().__init__(found, allowed)
        self.found: Final = found
        self.allowed: Final = allowed

    def __str__(self) -> str:
        return f"found {self.found}; allowed: {self.allowed}"


class Other(Exception):
    """A second class of error."""


class Third(Exception):
    """A third class of error."""


def _to_side(value: Side | str) -> Side:
    return value if isinstance(value, Side) else Side(value)


def _to_steps(value: Iterable[int]) -> tuple[int, ...]:
    return tuple(value)


@attrs.frozen
class Move:
    """A move of a side."""

    kind: ClassVar[str] = "move"

    side: Side = attrs.field(converter=_to_side)
    steps: tuple[int, ...] = attrs.field(default=(), converter=_to_steps)

    def __str__(self) -> str:
        return f"{self.side}:{len(self.steps)}"


@attrs.frozen(kw_only=True)
class Stay:
    """The absence of a move."""

    kind: ClassVar[str] = "stay"

    side: Side = Side.NORTH
    notes: dict[str, int] = attrs.field(factory=dict)


Step = Move | Stay


class Heap:
    """A heap of numbers that is false when empty, and acts like a set."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers: Final = tuple(numbers)

    def __bool__(self) -> bool:
        return len(self.numbers) > 0

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, number: object) -> bool:
        return number in self.numbers

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __sub__(self, other: Heap) -> Heap:
        return Heap([one for one in self.numbers if one not in other])

    def __le__(self, other: Heap) -> bool:
        return all(one in other for one in self.numbers)

    def at_least(self, least: int) -> bool:
        """Whether the heap has at least this many numbers."""
        return len(self) >= least

    def asked(self) -> Callable[[int], bool]:
        """The method `at_least`, as a value."""
        return self.at_least


def sides(text: str, number: int) -> list[object]:
    """The results of looking up members of an enum, comparing and listing them."""
    one = Side(text)
    return [
        one is Side(text),
        one.value,
        one.place,
        Side(number).value,
        [side.value for side in Side],
        one < Side.SOUTH,
        [side.value for side in sorted([Side.SOUTH, one, Side.NORTH])],
        {Side.NORTH: 1, Side.SOUTH: 3}.get(one, 0),
        one in (Side.EAST, Side.SOUTH),
        f"{one}",
    ]


def _raised_again(text: str) -> None:
    try:
        raise Other(text, text)
    except Other:
        if text == "N":
            raise


def faults(text: str) -> list[str]:
    """What is caught and read when errors of several classes are raised."""
    told: list[str] = []
    try:
        told.append(str(Side(text)))
        if text == "E":
            raise Other("east", 3)
        if text == "S":
            raise Third("south")
        told.append("fine")
    except Odd as odd:
        told.append(f"odd: {odd}, {odd.found}")
    except (Other, Third) as other:
        told.append(str(other.args[0]))
    try:
        _raised_again(text)
    except Other as other:
        told.append(f"again: {len(other.args)}")
    return told


def made(text: str, steps: list[int]) -> list[object]:
    """The results of converting, defaulting, copying and comparing attrs instances."""
    move = Move(text, steps)
    longer = attrs.evolve(move, steps=[*steps, 9])
    stay = Stay(notes={"a": len(steps)})
    return [
        move.kind,
        str(move),
        list(longer.steps),
        move == Move(Side(text), tuple(steps)),
        move == longer,
        stay == Stay(side=Side.NORTH, notes={"a": len(steps)}),
        Stay().notes == Stay(notes={}).notes,
        isinstance(move, Step),
        isinstance(stay, Move),
        len(dict.fromkeys([move, Move(text, steps), longer])),
    ]


def matched(value: object, text: str) -> str:
    """The words for the case that a value matches, or else for the case of a step."""
    match value:
        case True:
            return "true"
        case int(number) if number > 5:
            return f"more than five: {number}"
        case "a" | "b":
            return "a letter"
        case [first, *_, last]:
            return f"from {first} to {last}"
        case [one]:
            return f"only {one}"
        case _:
            pass
    step: Step = Move(text, [1, 2]) if text else Stay()
    match step:
        case Move(Side.EAST, steps):
            return f"east by {len(steps)}"
        case Move(side) | Stay(side=side):
            return f"{step.kind} {side}"


_TEMPLATE: Final = "{{{0}}} {text} {0}"
_PLACES: Final = "{} and {}"


def told(value: Any, number: int, flag: bool) -> list[str]:
    """Strings with values formatted in them as Python writes them."""
    return [
        f"{value}",
        f"{value!r}",
        f"{flag} {number} {None}",
        f"{number:3}|{number:<4}|{number:02x}|{'ab':>4}|{'abcdef':.3}",
        str(flag),
        repr("it's"),
        _TEMPLATE.format(number, text=flag),
        _PLACES.format(number, flag),
        "${x} `y` \\ \n",
    ]


def words(text: str) -> list[object]:
    """The results of string operations."""
    return [
        text.upper(),
        text.split(),
        text.split(" "),
        list(text.partition(" ")),
        text.replace(" ", "_"),
        text.strip(),
        text.strip("a."),
        text.rstrip("."),
        text.removeprefix("a").removesuffix("."),
        text.startswith(("a", "b")),
        len(text),
        text[:3],
        text[-2:],
        [text.isdigit(), text.isascii(), text.isprintable(), text.isdecimal()],
        text * 2,
        text.splitlines(),
        [ord(sign) for sign in text],
        "b" in text,
        ", ".join(sorted(text)),
        text.count("a"),
    ]


def tables(keys: list[str]) -> list[object]:
    """The results of dict operations: order, missing keys and merging."""
    found = {key: at for at, key in enumerate(keys)}
    more = {**found, "b": 7, "9": 8}
    both: dict[str, int] = found | {"z": 26}
    both["y"] = 25
    both["y"] += 1
    lists: dict[int, list[str]] = {}
    for key in keys:
        lists.setdefault(len(key), []).append(key)
    empty: Mapping[str, int] = {}
    return [
        list(more),
        list(more.values()),
        [[key, value] for key, value in both.items()],
        found.get("b"),
        found.get("b", -1),
        sorted(more.keys() - found.keys()),
        [lists[size] for size in sorted(lists)],
        "b" in found,
        "some" if found else "none",
        "some" if empty else "none",
        len(found),
        both == {"a": 0},
        dict(found) == found,
        list(dict.fromkeys(["x", "y", "x"])),
    ]


def sets(row: list[int], other: list[int]) -> list[object]:
    """The results of set operations and comparisons."""
    one, two = set(row), frozenset(other)
    kept = {number for number in row if number % 2}
    kept.add(8)
    kept |= {9}
    return [
        sorted(one & two),
        sorted(one | two),
        sorted(one - two),
        sorted(one ^ two),
        one <= two,
        one < two,
        one >= two,
        one == set(other),
        one.isdisjoint(two),
        sorted(kept),
        3 in one,
        bool(one),
        len(one),
        "some" if one else "none",
    ]


def heaps(row: list[int], other: list[int]) -> list[object]:
    """The results for values that define their own truth, length and iteration."""
    one, two = Heap(row), Heap(other)
    asked = one.asked()
    return [
        "some" if one else "none",
        not one,
        len(one),
        3 in one,
        list(one),
        [number + 1 for number in one],
        list(one - two),
        one <= two,
        list(one or two),
        asked(2),
        list(map(one.at_least, [0, 1, 2])),
    ]


def _counted(most: int) -> Iterator[int]:
    for number in range(most):
        if number == 3:
            return
        yield number
    yield from [7, 8]


def streams(most: int) -> list[object]:
    """The results of generators, and of functions that consume them."""
    first, *rest, last = [*_counted(most), 5, 6]
    return [
        list(_counted(most)),
        next(iter(_counted(most)), -1),
        next((one for one in _counted(most) if one > 1), None),
        [first, rest, last],
        sum(_counted(most)),
        any(one > 7 for one in _counted(most)),
        [list(pair) for pair in combinations(range(most), 2)],
        len(list(permutations(range(most), 2))),
        [list(pair) for pair in zip("abc", _counted(most), strict=False)],
        list(reversed(range(most))),
        list(range(10, 0, -3)),
    ]


def picked(row: list[int]) -> list[object]:
    """The row sorted in several ways, and its best items by a key."""
    pairs = [(one % 3, one) for one in row]
    return [
        sorted(row, reverse=True),
        sorted(row, key=lambda one: (one % 2, -one)),
        [list(pair) for pair in sorted(pairs)],
        max(row, key=lambda one: one % 5, default=-1),
        min(row, default=-1),
        min(4, len(row)),
        sorted(f"{one}" for one in row),
    ]


def _gathered(head: str, *rest: str, end: str = "!", **named: object) -> str:
    told = ", ".join([f"{name}={value}" for name, value in named.items()])
    return f"{head}({'/'.join(rest)})[{told}]{end}"


def _passed_on(head: str, **named: Any) -> str:
    return _gathered(head, "x", **named)


def given(text: str, number: int) -> list[str]:
    """The results of calls with any number of positional and named arguments."""
    facts: dict[str, Any] = {"a": number, "b": True}
    return [
        _gathered(text),
        _gathered(text, "x", "y"),
        _gathered(text, *["x", text], end="?", a=number),
        _passed_on(text, **facts),
        _passed_on(text, z=1, **facts),
    ]


def kinds(value: object) -> list[bool]:
    """The results of `isinstance` for several classes; a bool is also an int."""
    return [
        isinstance(value, int),
        isinstance(value, bool),
        isinstance(value, str),
        isinstance(value, list | tuple),
        isinstance(value, Mapping),
        isinstance(value, Iterable),
        isinstance(value, (bool, str)),
        type(value) is int,
    ]


@cache
def _squared(number: int) -> list[int]:
    return [number * number]


def inside(number: int) -> list[object]:
    """The results of nested functions that use variables of their outer function."""

    def more(by: int) -> int:
        return number + by

    if (twice := number * 2) > 4:
        return [twice, more(1), _squared(number) is _squared(number)]
    a = b = number
    row = [1, 2, 3]
    row[0], row[-1] = row[-1], row[0]
    row[1] += 5
    return [more(2), a + b, row, list(map(more, row)), list(filter(None, [0, 1]))]
