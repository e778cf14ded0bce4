"""The command `refengine house-rules`, and the same under its former name, `sheet`."""

from __future__ import annotations

from copy import copy

import click

from refengine.cli.shared import (
    NamedPath,
    ruleset_of,
    ruleset_options,
    write_or_print,
)
from refengine.cli.sheet_text import sheet_html, sheet_text
from refengine.formats.files_to_write import check_written
from refengine.game.clubs import names_file
from refengine.rulings.house_sheet import house_sheet


@click.command("house-rules")
@ruleset_options
@click.option(
    "--output",
    type=NamedPath(),
    metavar="FILE",
    help="Write the text to this file instead of printing it.",
)
@click.option(
    "--html",
    type=NamedPath(),
    metavar="FILE",
    help="Write a page of HTML to this file instead.",
)
def house_rules_command(
    profile: str,
    players: int | None,
    options: tuple[str, ...],
    output: str | None,
    html: str | None,
) -> None:
    """Print the house rules of a table on one page, each with its clause.

    What differs from the profile comes first. With --html, the output is a page of
    HTML that needs no other file and prints on one side of A4 or Letter.
    """
    named = (("--html", html), ("--output", output))
    given = [(flag, name) for flag, name in named if name is not None]
    check_written(given, [profile] if names_file(profile) else [], ())
    sheet = house_sheet(ruleset_of(profile, players, options))
    if html is not None:
        write_or_print(html, sheet_html(sheet))
    if output is not None:
        write_or_print(output, f"{sheet_text(sheet)}\n")
    elif html is None:
        click.echo(sheet_text(sheet))


sheet_command = copy(house_rules_command)
sheet_command.name = "sheet"
sheet_command.deprecated = "Write house-rules; `scores` is what checks a score sheet."
