"""The exit codes of all commands, and which one is used if several apply.

A command ended by a signal has the exit code 128 plus the number of the signal, as in a
shell: 130, 143 or 129.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

ALL_WELL: Final = 0
WRONG: Final = 1
"""Something that was judged is wrong."""
NOT_TO_THE_END: Final = 2
"""An adapter or a worker did not run to the end."""
UNREADABLE: Final = 3
"""Wrong usage, input that cannot be read, or output that cannot be written."""
TOO_FEW: Final = 4
"""Fewer games were judged, or fewer questions asked, than promised."""
OUR_FAULT: Final = 70
INTERRUPTED: Final = 130

_ORDER: Final = (OUR_FAULT, NOT_TO_THE_END, UNREADABLE, TOO_FEW, WRONG)


def first_code(codes: Collection[int]) -> int:
    """The exit code to use if all of these apply; 0 if there are none."""
    return next((code for code in _ORDER if code in codes), ALL_WELL)
