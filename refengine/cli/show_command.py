"""The command `refengine show`, which prints games as people write them down."""

from __future__ import annotations

import attrs
import click

from refengine.cli.files import each_line, files_argument, numbered_games
from refengine.errors import harmless
from refengine.formats.logs import read_log, replay_log
from refengine.formats.replaying import kind_of
from refengine.formats.trace import read_trace
from refengine.formats.written.completing_written import PartKnown
from refengine.formats.written.games_written import written_game, written_trace
from refengine.formats.written.writing_written import write_written
from refengine.game.values.state import State


@click.command("show")
@files_argument
def show_command(files: tuple[str, ...]) -> None:
    """Print games as people write them down: `+` drew, `!` revoked, `->` won."""
    ending = each_line(files, _print_game, lines_of=numbered_games, do_part=_print_part)
    ending.leave()


def _print_game(place: str, line: bytes) -> None:
    if kind_of(line) == "log":
        log = read_log(line)
        found, state = replay_log(log)
        written = written_game(State.open(log.ruleset, log.setup), state.acts)
        *before, last = written.deals
        remarks = (*last.remarks, *(harmless(str(one)) for one in found))
        last = attrs.evolve(last, remarks=remarks)
        written = attrs.evolve(written, deals=(*before, last))
    else:
        written = written_trace(read_trace(line))
    click.echo(write_written(written))


def _print_part(place: str, part: PartKnown) -> None:
    click.echo(write_written(part.match))
