"""`refengine show`."""

from __future__ import annotations

import click

from refengine.cli.files import each_line, files_argument
from refengine.formats.logs import read_log, replay_log
from refengine.formats.replaying import kind_of
from refengine.formats.showing import shown, shown_trace
from refengine.formats.trace import read_trace


@click.command("show")
@files_argument
def show_command(files: tuple[str, ...]) -> None:
    """Print games as people write them down: `>` led, `+` drew, `!` revoked."""
    each_line(files, _print_game).leave()


def _print_game(place: str, line: bytes) -> None:
    if kind_of(line) == "log":
        log = read_log(line)
        _, state = replay_log(log)
        lines = list(shown(type(state).open(log.ruleset, log.setup), state.acts))
    else:
        lines = list(shown_trace(read_trace(line)))
    click.echo("\n".join(lines) + "\n")
