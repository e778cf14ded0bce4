"""The maximum width of the lines of a printed ruling."""

from contextvars import ContextVar
from typing import Final

USUAL_WIDTH: Final = 88
WIDTH: Final = ContextVar("WIDTH", default=USUAL_WIDTH)
"""The maximum number of characters in a line; a command fits it to the window."""
