"""How long the lines of a ruling are."""

from contextvars import ContextVar
from typing import Final

USUAL_WIDTH: Final = 88
WIDTH: Final = ContextVar("WIDTH", default=USUAL_WIDTH)
"""How many characters a line has at most; a command fits it to the window."""
