"""Work for the tests of executors, in functions that other processes can import.

`python -m tests.support.long_work JOURNAL MARKS` does all items with this journal and
prints the result. The id of each item begun is added to the file MARKS.
"""

import json
import os
import sys
import time
from pathlib import Path

ITEMS = {f"item {number}".replace(" ", "-"): number for number in range(16)}
WORK = {f"slow-{number}": number for number in range(40)}

_marks: list[Path] = []


def begin(path: str) -> None:
    """Prepare a worker to write its marks to this file."""
    _marks[:] = [Path(path)]
    mark("begun")


def mark(word: str) -> None:
    """Add this word to the file of marks."""
    with _marks[0].open("a") as file:
        file.write(f"{word}\n")


def squared(item: int) -> int:
    """The square of the item."""
    return item * item


def marked(item: int) -> int:
    """The square of the item, after writing a mark and waiting a little."""
    mark(f"item-{item}")
    time.sleep(0.01)
    return item * item


def slow(item: int) -> int:
    """The square of the item after a while; writes the process id to a second file."""
    with _marks[0].with_suffix(".pids").open("a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(0.05)
    return item * item


def who(item: int) -> int:
    """The id of the process that does this item, after a while."""
    time.sleep(0.05)
    return os.getpid()


def dies_at_five(item: int) -> int:
    """The square of the item; for 5, the process dies instead."""
    if item == 5:
        os._exit(9)
    return item * item


def main(journal: str, marks: str) -> None:
    """Do all items with this journal and print the result."""
    from refengine_conformance.jobs.journals import Journal, gather_results

    _marks[:] = [Path(marks)]
    print(json.dumps(gather_results(ITEMS, marked, Journal(Path(journal), "one"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
