"""Progress bars for long work, which are shown only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar, and yield a function that sets the number of items done.

    Nothing is shown if standard error is not a terminal.
    """
    shown = sys.stderr is not None and sys.stderr.isatty()  # None if it is closed
    with Progress(console=Console(stderr=True), disable=not shown) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)
