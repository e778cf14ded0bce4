"""An argument parser for maintainers' tools that reports errors as the commands do.

This module imports `refengine` only when an error ends the tool: before that, the tool
may have to load it in a special way.
"""

from __future__ import annotations

import argparse
from typing import Final, NoReturn

_UNREADABLE: Final = 3  # the exit code of wrong usage
_MOST_DIGITS: Final = 12  # Python does not read numbers of thousands of digits


def positive(typed: str) -> int:
    """Convert an argument to a number of 1 or more.

    Raises ArgumentTypeError for anything else, and for more than twelve digits.
    """
    return _number(typed, 1)


def not_negative(typed: str) -> int:
    """Convert an argument to a number of 0 or more; raises the errors of `positive`."""
    return _number(typed, 0)


def _number(typed: str, least: int) -> int:
    allowed = f"a number of {least} or more"
    if typed.isascii() and typed.isdigit():
        if len(typed) > _MOST_DIGITS:
            allowed = f"a number of at most {_MOST_DIGITS} digits"
        elif int(typed) >= least:
            return int(typed)
    raise argparse.ArgumentTypeError(f"found {typed!r:.60}; allowed: {allowed}")


class ToolArguments(argparse.ArgumentParser):
    """An argument parser that reports an error in one line and exits with code 3."""

    def error(self, message: str) -> NoReturn:
        """End the tool with a message, because its arguments cannot be used."""
        from refengine.errors import harmless  # late: see the docstring of the module

        self.exit(_UNREADABLE, f"{harmless(f'{self.prog}: {message}')}\n")
