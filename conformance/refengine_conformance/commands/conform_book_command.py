"""`refengine conform book`."""

from __future__ import annotations

from typing import Final

import click

from refengine.cli.shared import json_option
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.commands.comparison_output import report_out
from refengine_conformance.lawbook_checks.book_check import book_report

HANDS: Final = 5000


@click.command("book")
@click.option(
    "--hands",
    type=click.IntRange(1),
    default=HANDS,
    show_default=True,
    help="How many random hands the formal lines are tried on.",
)
@json_option
def conform_book_command(hands: int, as_json: bool) -> None:
    """Run the book's formal lines and example tables against the engine."""
    finish_unread()
    raise click.exceptions.Exit(book_report_out(hands, as_json))


def book_report_out(hands: int, as_json: bool) -> int:
    """Print the report on the book's lines and examples, and return the exit code."""
    return report_out(book_report(hands), as_json)
