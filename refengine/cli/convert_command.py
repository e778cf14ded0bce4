"""`refengine convert`."""

from __future__ import annotations

import click

from refengine.cli.files import each_line, files_argument
from refengine.cli.shared import WRONG
from refengine.formats.convert import converted
from refengine.formats.logs import write_log
from refengine.formats.trace import write_trace
from refengine.game.typed import RULESET_FLAGS, naming_flags, read_option
from refengine.game.verdicts import Refused


@click.command("convert")
@files_argument
@click.option(
    "--option", "options", multiple=True, help="Change an option: NAME=VALUE."
)
@click.option("--log", "as_log", is_flag=True, help="Write logs instead of traces.")
def convert_command(
    files: tuple[str, ...], options: tuple[str, ...], as_log: bool
) -> None:
    """Turn OpenSpiel's action lists, one game a line, into traces."""
    with naming_flags(RULESET_FLAGS):
        given = dict(map(read_option, options))
    refused: list[str] = []

    def convert_line(place: str, line: bytes) -> None:
        text = line.decode("ascii", "replace")
        try:
            state, trace = converted(text, given, place)
        except Refused as error:
            refused.append(place)
            click.echo(f"{place}: {error}", err=True)
            return
        click.echo(write_log(state) if as_log else write_trace(trace))

    ending = each_line(files, convert_line)
    if refused:
        ending.codes.add(WRONG)
    ending.leave()
