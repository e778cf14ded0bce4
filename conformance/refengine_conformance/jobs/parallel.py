"""Does the same work on several items, in this process or in others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator
from typing import TypeVar

from refengine.jobs.executors import open_executor, results_in_order

T = TypeVar("T")
R = TypeVar("R")


def results_of(
    items: Collection[T], work: Callable[[T], R], jobs: int, scheduler: str = ""
) -> Generator[R, None, None]:
    """Yield the result of `work` for each item, in the order of the items.

    The work is done in this process if `jobs` is 1, and in `jobs` processes otherwise.
    If the address of a scheduler is given, the workers of its cluster do it instead.
    Raises as `open_executor` and `results_in_order` do.
    """
    with open_executor(jobs, scheduler) as pool:
        yield from (
            map(work, items) if pool is None else results_in_order(items, work, pool)
        )
