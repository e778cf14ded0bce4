"""Arguments of a maintainer's tool, which refuses wrong ones as every command does.

This module does not import `refengine`: a tool may have to load it in its own way.
"""

from __future__ import annotations

import argparse
from typing import Final, NoReturn

_UNREADABLE: Final = 3  # the exit code of wrong usage


def positive(typed: str) -> int:
    """The number typed; raises ArgumentTypeError unless it is 1 or more."""
    return _number(typed, 1)


def not_negative(typed: str) -> int:
    """The number typed; raises ArgumentTypeError unless it is 0 or more."""
    return _number(typed, 0)


def _number(typed: str, least: int) -> int:
    # Python does not read numbers of thousands of digits.
    is_number = typed.isascii() and typed.isdigit() and len(typed) <= 12
    if is_number and int(typed) >= least:
        return int(typed)
    raise argparse.ArgumentTypeError(
        f"found {typed!r:.60}; allowed: a number of {least} or more"
    )


class ToolArguments(argparse.ArgumentParser):
    """A parser that says in one line what is wrong, and ends with exit code 3."""

    def error(self, message: str) -> NoReturn:
        """End the tool, because the arguments cannot be read."""
        self.exit(_UNREADABLE, f"{self.prog}: {message}\n")
