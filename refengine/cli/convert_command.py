"""The command `refengine convert`, which translates the records of other programs."""

from __future__ import annotations

import click

from refengine.cli.files import (
    Complaints,
    ExitCode,
    each_line,
    files_argument,
    text_of_input,
)
from refengine.cli.shared import ruleset_of
from refengine.errors import Malformed, harmless
from refengine.exit_codes import UNREADABLE, WRONG
from refengine.formats.convert import converted
from refengine.formats.logs import write_log
from refengine.formats.trace import write_trace
from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import game_map
from refengine.formats.written.writing_written import write_written
from refengine.game.typed import naming_flags
from refengine.game.verdicts import Refused


@click.command("convert")
@files_argument
@click.option(
    "--option", "options", multiple=True, help="Change an option: NAME=VALUE."
)
@click.option("--log", "as_log", is_flag=True, help="Write logs instead of traces.")
@click.option(
    "--map",
    "map_name",
    metavar="MAP",
    help="How other files are laid out: a TOML file, or deals, tricks or plays.",
)
def convert_command(
    files: tuple[str, ...],
    options: tuple[str, ...],
    as_log: bool,
    map_name: str | None,
) -> None:
    """Turn OpenSpiel's action lists, one game on each line, into traces.

    With --map, turn the games in other JSON, CSV or TSV files into written games, which
    show, judge and explain can read.
    """
    if map_name is not None:
        if options or as_log:
            raise click.UsageError("--map cannot be used with --option or --log")
        _convert_mapped(files, map_name)
        return
    given = ruleset_of("openspiel-hearts", None, options).changed
    if "pass_cycle" in given:
        raise click.UsageError("--option pass_cycle: each line says how it passes")
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


def _convert_mapped(files: tuple[str, ...], map_name: str) -> None:
    """Print the games that the map finds in the files, as written games."""
    with naming_flags({"map": "--map"}):
        found = game_map(map_name)
    ending, complaints = ExitCode(), Complaints(every=True)
    for name in files:
        try:
            for place, match in mapped_games(text_of_input(name), found):
                for one in match.granted:
                    at = f"{harmless(name)}, {place}"
                    click.echo(f"{at}: taken for granted: {one}", err=True)
                click.echo(write_written(match))
        except Malformed as error:
            ending.codes.add(UNREADABLE)
            place = harmless(name)
            if error.where not in ("", name):
                place = f"{place}, {error.where}"
            complaints.tell([str(Malformed(error.found, error.allowed, place))])
    ending.leave()
