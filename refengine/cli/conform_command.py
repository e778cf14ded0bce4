"""`refengine conform`: the group of the commands that check engines."""

from __future__ import annotations

from typing import Final

import click

from refengine.cli.conform_tools import TOOLS, tool_command
from refengine.cli.late_group import LateGroup

NAMES: Final = (
    "all",
    "book",
    "bundled",
    "deals",
    "identify",
    "openspiel",
    "run",
    "selftest",
    *TOOLS,
)


def _command(name: str) -> click.Command | None:
    """The command with this name, imported now; None if there is none."""
    match name:
        case "all":
            from refengine.cli.conform_all_command import conform_all_command as found
        case "book":
            from refengine.cli.conform_book_command import conform_book_command as found
        case "bundled":
            from refengine.cli.conform_bundled_command import (
                conform_bundled_command as found,
            )
        case "deals":
            from refengine.cli.conform_deals_command import (
                conform_deals_command as found,
            )
        case "identify":
            from refengine.cli.conform_identify_command import (
                conform_identify_command as found,
            )
        case "openspiel":
            from refengine.cli.conform_openspiel_command import (
                conform_openspiel_command as found,
            )
        case "run":
            from refengine.cli.conform_run_command import conform_run_command as found
        case "selftest":
            from refengine.cli.conform_selftest_command import (
                conform_selftest_command as found,
            )
        case _:
            return tool_command(name) if name in TOOLS else None
    return found


@click.group("conform", cls=LateGroup, names=NAMES, load=_command)
def conform_command() -> None:
    """Check engines against the book."""
