"""The command `refengine annotate`, which adds verdicts to traces and logs."""

from __future__ import annotations

import click

from refengine.cli.files import each_line, files_argument, numbered_games
from refengine.errors import harmless_json
from refengine.exit_codes import WRONG
from refengine.formats.annotate import annotated, traced
from refengine.formats.logs import read_log
from refengine.formats.replaying import kind_of
from refengine.formats.trace import read_trace, write_trace


@click.command("annotate")
@files_argument
@click.option("--states", is_flag=True, help="Add the whole table after every step.")
def annotate_command(files: tuple[str, ...], states: bool) -> None:
    """Add the verdict on every card of the hand to every play in traces and logs."""
    wrong: list[str] = []

    def write_judged(place: str, line: bytes) -> None:
        if kind_of(line) == "log":
            findings, trace = traced(read_log(line))
            wrong.extend(f"{place}: {finding}" for finding in findings)
        else:
            trace = read_trace(line)
        click.echo(harmless_json(write_trace(annotated(trace, states)).decode()))

    ending = each_line(files, write_judged, lines_of=numbered_games)
    click.echo("".join(f"{finding}\n" for finding in wrong), err=True, nl=False)
    if wrong:
        ending.codes.add(WRONG)
    ending.leave()
