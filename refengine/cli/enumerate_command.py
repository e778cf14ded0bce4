"""The command `refengine enumerate`, which counts the games of mini-deals."""

from __future__ import annotations

import click

from refengine.cli.files import each_line, files_argument
from refengine.formats.minideals import LIMIT, read_asked_mini, write_mini


@click.command("enumerate")
@files_argument
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=LIMIT,
    show_default=True,
    help="Give up on a deal with more games than that.",
)
def enumerate_command(files: tuple[str, ...], limit: int) -> None:
    """Count all games of each mini-deal, and write the mini-deal with its counts."""

    def count(place: str, line: bytes) -> None:
        click.echo(write_mini(read_asked_mini(line), limit))

    each_line(files, count).leave()
