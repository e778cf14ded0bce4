"""`refengine conform`: the group of commands that check engines."""

from __future__ import annotations

from typing import Final

import click

from refengine.cli.late_group import LateGroup
from refengine_conformance.commands.conform_tools import TOOLS, tool_command
from refengine_conformance.data import IN_CHECKOUT

SECTIONS: Final = {
    "Your engine": {
        "run": "Test an adapter with the games of its table.",
        "identify": "Find out which rules an engine plays.",
        "deals": "Write games of a table, for tests of your own.",
        "rows": "Write questions with their answers, for a first test.",
    },
    "Our rules": {
        "all": "All that `make conform` runs, and one verdict.",
        "book": "The formal lines and example tables of the book.",
        "bundled": "Replay every bundled trace, log and mini-deal.",
        "openspiel": "Our engine and OpenSpiel's Hearts side by side.",
        **{name: tool.summary for name, tool in TOOLS.items() if tool.packed},
    },
}
MAINTAINERS: Final = {
    "For those who maintain the evidence": {
        "selftest": "Bad adapters, and whether each gets its right outcome.",
        **{name: tool.summary for name, tool in TOOLS.items() if not tool.packed},
    },
}
"""The commands of a checkout: what they import is in no wheel."""


def _command(name: str) -> click.Command | None:
    """The command with this name, imported on demand; None if there is none.

    Raises ClickException for a command of MAINTAINERS outside a checkout.
    """
    if not IN_CHECKOUT and any(name in rows for rows in MAINTAINERS.values()):
        raise click.ClickException(
            f"{name} is not installed here: it belongs to the checkout of refengine"
        )
    match name:
        case "all":
            from refengine_conformance.commands.conform_all_command import (
                conform_all_command as found,
            )
        case "book":
            from refengine_conformance.commands.conform_book_command import (
                conform_book_command as found,
            )
        case "bundled":
            from refengine_conformance.commands.conform_bundled_command import (
                conform_bundled_command as found,
            )
        case "deals":
            from refengine_conformance.commands.conform_deals_command import (
                conform_deals_command as found,
            )
        case "identify":
            from refengine_conformance.commands.conform_identify_command import (
                conform_identify_command as found,
            )
        case "openspiel":
            from refengine_conformance.commands.conform_openspiel_command import (
                conform_openspiel_command as found,
            )
        case "rows":
            from refengine_conformance.commands.conform_rows_command import (
                conform_rows_command as found,
            )
        case "run":
            from refengine_conformance.commands.conform_run_command import (
                conform_run_command as found,
            )
        case "selftest":
            from refengine_conformance.commands.conform_selftest_command import (
                conform_selftest_command as found,
            )
        case _:
            return tool_command(name) if name in TOOLS else None
    return found


@click.group(
    "conform",
    cls=LateGroup,
    sections=SECTIONS | (MAINTAINERS if IN_CHECKOUT else {}),
    load=_command,
)
def conform_command() -> None:
    """Check engines against the book."""
