"""What a terminal can show: how wide its window is, and whether it has colours."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Final

import click

from refengine.rulings.page_width import USUAL_WIDTH, WIDTH

_NARROWEST: Final = 40
_WIDEST: Final = 100  # longer lines are hard to read


def fit_to_window() -> None:
    """Wrap what is printed to the window; elsewhere lines keep their usual width."""
    width = USUAL_WIDTH
    if sys.stdout.isatty():
        width = max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
    WIDTH.set(width)


def has_colours() -> bool:
    """Whether what is printed may have colours.

    It may not where it goes to a file or another program, with NO_COLOR in the
    environment, and on a terminal that says it is dumb.
    """
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwanted


def in_colours() -> bool:
    """Whether the command at hand prints colours, for what is not printed by click."""
    context = click.get_current_context(silent=True)
    return context is not None and context.color is True


def head(text: str) -> str:
    """A heading, which stands out where there are colours."""
    return click.style(text, bold=True)


def soft(text: str) -> str:
    """Something of less weight, such as an identifier."""
    return click.style(text, dim=True)
