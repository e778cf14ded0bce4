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
    """Fit lines to the window or, if there is none, to the usual width."""
    width = USUAL_WIDTH
    if sys.stdout.isatty():
        width = max(_NARROWEST, min(shutil.get_terminal_size().columns, _WIDEST))
    WIDTH.set(width)


def has_colours() -> bool:
    """Whether output may be printed in colours.

    Colours are off if the output goes to a file or another program, if NO_COLOR is set
    in the environment, or if TERM says that the terminal is dumb.
    """
    unwanted = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not unwanted


def in_colours() -> bool:
    """Whether this command prints colours, for output that click does not print."""
    context = click.get_current_context(silent=True)
    return context is not None and context.color is True


def head(text: str) -> str:
    """A heading, in bold if there are colours."""
    return click.style(text, bold=True)


def soft(text: str) -> str:
    """Text of lesser importance, such as an identifier, dimmed if there are colours."""
    return click.style(text, dim=True)
