"""Random numbers that are the same with every version of Python.

Python promises this only for `Random.random`; the other methods here are based on it.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")


class SteadyRandom(Random):
    """A generator whose methods below use no source of chance but `random()`."""

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """A random number from `range(start, stop, step)`, each equally likely.

        With `start` alone, the range is `range(start)`.
        """
        numbers = range(start) if stop is None else range(start, stop, step)
        return numbers[int(self.random() * len(numbers))]

    def randint(self, a: int, b: int) -> int:
        """A number from `a` to `b`, both included."""
        return self.randrange(a, b + 1)

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]  # the stub's own type of a sequence is private
        """One of the items, each equally likely."""
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put the items of a list in random order."""
        for last in range(len(x) - 1, 0, -1):
            place = int(self.random() * (last + 1))
            x[last], x[place] = x[place], x[last]

    def sample(self, population: Iterable[T], k: int) -> list[T]:  # type: ignore[override]  # counts would be ignored, so they are refused
        """`k` of the items in random order, or all of them if there are fewer."""
        items = list(population)
        self.shuffle(items)
        return items[:k]
