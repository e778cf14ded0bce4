"""Times one row of the table: our task and its yardstick, measured in turn."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any, Final

import attrs

Work = Callable[[], float]
"""A function that does some work and returns how many units of it were done."""
Sample = Callable[[], float]
"""A function that times some work once and returns the seconds that one unit takes."""

SHORTEST: Final = 0.05  # the least processor time of one sample, in seconds


@attrs.frozen
class Task:
    """Some work: its name, and a function that times one sample of it."""

    name: str
    sample: Sample


@attrs.frozen
class Row:
    """Our task and its yardstick, with the unit of work and the goal for the row.

    With `at_most`, our task should take at most `goal` times as long as the yardstick.
    Otherwise, it should be at least `goal` times as fast. Without a goal, the row is
    shown for information only.
    """

    unit: str
    ours: Task
    yardstick: Task
    goal: float | None = None
    at_most: bool = False


@attrs.frozen(kw_only=True)
class Measured:
    """A row with its results: seconds per unit for both tasks, and the ratio."""

    row: Row
    ratio: float
    ours: float
    yardstick: float
    rounds: int

    @property
    def reached(self) -> bool:
        """Whether the goal is met."""
        goal = self.row.goal
        if goal is None:
            return True
        return self.ratio <= goal if self.row.at_most else self.ratio >= goal

    def fields(self) -> dict[str, Any]:
        """The row as plain JSON values; times are in seconds per unit."""
        return {
            "name": self.row.ours.name,
            "unit": self.row.unit,
            "beside": self.row.yardstick.name,
            "goal": self.row.goal,
            "at_most": self.row.at_most,
            "ratio": self.ratio,
            "ours": self.ours,
            "yardstick": self.yardstick,
            "rounds": self.rounds,
            "reached": self.reached,
        }


def timed(work: Work, shortest: float = SHORTEST) -> Sample:
    """A sample that repeats this work until it has taken `shortest` seconds or more."""

    def sample() -> float:
        done = 0.0
        begun = process_time()
        while True:
            done += work()
            taken = process_time() - begun
            if taken >= shortest:
                return taken / done

    return sample


def task(name: str) -> Callable[[Work], Task]:
    """A decorator that turns some work into a task with this name."""
    return lambda work: Task(name, timed(work))


def measured(row: Row, rounds: int) -> Measured:
    """Time both tasks of a row in turn, `rounds` times, and return the median results.

    The ratio is the median of the ratios of the rounds, so that whatever slows the
    machine for a while tends to slow both sides of a ratio.
    """
    row.ours.sample()
    row.yardstick.sample()
    gc.collect()
    gc.freeze()  # so that what other rows hold is not searched at every collection
    ours: list[float] = []
    theirs: list[float] = []
    for turn in range(rounds):
        sides = [(row.ours.sample, ours), (row.yardstick.sample, theirs)]
        for sample, times in reversed(sides) if turn % 2 else sides:
            times.append(sample())
    ratios = [
        mine / other if row.at_most else other / mine
        for mine, other in zip(ours, theirs, strict=True)
    ]
    return Measured(
        row=row,
        ratio=median(ratios),
        ours=median(ours),
        yardstick=median(theirs),
        rounds=rounds,
    )
