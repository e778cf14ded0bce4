"""The commands for traces, logs and mini-deals, and the adapter of the reference."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, Final

import click

from refengine.cli.shared import (
    TOO_FEW,
    UNREADABLE,
    WRONG,
    ruleset_of,
    ruleset_options,
)
from refengine.errors import Malformed
from refengine.formats import minideals, wire
from refengine.formats.annotate import annotated, traced
from refengine.formats.convert import converted
from refengine.formats.generate import Manner, random_traces
from refengine.formats.replaying import CLUSTER, kind_of, replayed
from refengine.formats.schemas import KINDS, schema
from refengine.formats.serve import serve as serve_streams
from refengine.formats.showing import shown, shown_trace
from refengine.formats.trace import (
    read_log,
    read_trace,
    replay_log,
    write_log,
    write_trace,
)
from refengine.game.typed import read_option
from refengine.game.verdicts import Refused

# Files


@contextmanager
def reading(name: str) -> Iterator[BinaryIO]:
    """The bytes of a file, unpacked where it is .gz; `-` is standard input."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        with gzip.open(name) if name.endswith(".gz") else open(name, "rb") as stream:
            yield stream  # type: ignore[misc]  # a gzip file reads like any other
    except OSError as error:
        raise Malformed(f"{error.strerror}", "a file to read", name) from None


def _numbered(name: str) -> Iterator[tuple[str, bytes | Malformed]]:
    """The lines of a file, each with its place; in place of a line what is wrong."""
    number = 0
    try:
        with reading(name) as stream:
            for line in wire.lines_of(stream):
                number += 1
                yield f"{name}:{number}", line
    except Malformed as error:
        place = name if error.where else f"{name}:{number + 1}"
        yield place, Malformed(error.found, error.allowed)


class Ending:
    """The exit code of a command: of several the first in the order of the formats."""

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def leave(self) -> None:
        """End the command with its code."""
        for code in (UNREADABLE, TOO_FEW, WRONG):
            if code in self.codes:
                click.get_current_context().exit(code)


def each_line(files: tuple[str, ...], do: Callable[[str, bytes], None]) -> Ending:
    """Do this to each line of each file; a line that cannot be read is reported."""
    ending = Ending()
    for name in files:
        for place, line in _numbered(name):
            try:
                if isinstance(line, Malformed):
                    raise line
                do(place, line)
            except Malformed as error:
                ending.codes.add(UNREADABLE)
                click.echo(f"{place}: {error}", err=True)
    return ending


# Options


_files = click.argument("files", nargs=-1, required=True)


# Commands


@click.command()
@ruleset_options
@click.option("--matches", type=click.IntRange(0), default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--irregular",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="The chance of a revoke at each play; with it come corrections and claims.",
)
@click.option(
    "--refusals",
    type=click.IntRange(0, 1000),
    default=0,
    help="How many other acts are tried at each step.",
)
def generate(
    profile: str,
    players: int | None,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    irregular: float,
    refusals: int,
) -> None:
    """Write matches by random legal play as traces, the same for the same seed."""
    ruleset = ruleset_of(profile, players, options)
    manner = Manner(irregular=irregular, refusals=refusals)
    try:
        for trace in random_traces(ruleset, matches, seed, manner):
            click.echo(write_trace(trace))
    except Refused as refused:
        raise Malformed(str(refused), "a match of the book", "--option") from None


@click.command("replay")
@_files
@click.option("--at-least", type=click.IntRange(0), default=1, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@click.option(
    "--scheduler", default="", metavar="ADDRESS", help="Replay on a Dask cluster."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line judged.")
def replay_command(
    files: tuple[str, ...], at_least: int, jobs: int, scheduler: str, as_json: bool
) -> None:
    """Check traces, logs and mini-deals; `-` is standard input, .gz is read too.

    The output is the same for any number of jobs, and on a cluster.
    """
    from refengine_conformance.jobs.executors import executor

    passed = failed = 0
    ending = Ending()
    lines = chain.from_iterable(map(_numbered, files))
    at_work = max(jobs, CLUSTER) if scheduler else jobs
    with executor(jobs, scheduler) as pool:
        for batch in replayed(lines, as_json, pool, at_work):
            passed += batch.passed
            failed += batch.failed
            if batch.unreadable:
                ending.codes.add(UNREADABLE)
            click.echo("".join(batch.said), nl=False)
            click.echo("".join(batch.complaints), nl=False, err=True)
    if failed:
        ending.codes.add(WRONG)
    if passed + failed < at_least:
        ending.codes.add(TOO_FEW)
    if not as_json:
        click.echo(f"{passed} as expected, {failed} not")
    ending.leave()


@click.command()
@_files
def show(files: tuple[str, ...]) -> None:
    """Print games as people write them down: `>` led, `+` drew, `!` revoked."""

    def print_game(place: str, line: bytes) -> None:
        if kind_of(line) == "log":
            log = read_log(line)
            _, state = replay_log(log)
            lines = list(shown(type(state).open(log.ruleset, log.setup), state.acts))
        else:
            lines = list(shown_trace(read_trace(line)))
        click.echo("\n".join(lines) + "\n")

    each_line(files, print_game).leave()


@click.command()
@_files
@click.option("--states", is_flag=True, help="Add the whole table after every step.")
def annotate(files: tuple[str, ...], states: bool) -> None:
    """Add the verdict on every card of the hand to every play of traces and logs."""
    wrong: list[str] = []

    def write_judged(place: str, line: bytes) -> None:
        if kind_of(line) == "log":
            findings, trace = traced(read_log(line))
            wrong.extend(f"{place}: {finding}" for finding in findings)
        else:
            trace = read_trace(line)
        click.echo(write_trace(annotated(trace, states)))

    ending = each_line(files, write_judged)
    click.echo("".join(f"{finding}\n" for finding in wrong), err=True, nl=False)
    if wrong:
        ending.codes.add(WRONG)
    ending.leave()


@click.command()
@_files
@click.option(
    "--option", "options", multiple=True, help="An option changed, as NAME=VALUE."
)
@click.option("--log", "as_log", is_flag=True, help="Compact logs in place of traces.")
def convert(files: tuple[str, ...], options: tuple[str, ...], as_log: bool) -> None:
    """Make traces of OpenSpiel's action lists, one game a line."""
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


@click.command()
def serve() -> None:
    """Speak the adapter protocol over standard input and output."""
    serve_streams(sys.stdin.buffer, sys.stdout.buffer)


@click.command("schema")
@click.argument("name", type=click.Choice(list(KINDS)), required=False)
def schema_command(name: str | None) -> None:
    """Print the JSON Schema of a format, or of all of them by name."""
    found = schema(name) if name else {kind: schema(kind) for kind in KINDS}
    click.echo(json.dumps(found, indent=2))


@click.command("enumerate")
@_files
@click.option(
    "--limit", type=click.IntRange(1), default=minideals.LIMIT, show_default=True
)
def enumerate_command(files: tuple[str, ...], limit: int) -> None:
    """Count all games of mini-deals, and write them with their counts."""

    def count(place: str, line: bytes) -> None:
        mini = minideals.read_mini(line, asked=True)
        click.echo(minideals.write_mini(mini, limit))

    each_line(files, count).leave()


COMMANDS: Final = (
    generate,
    replay_command,
    show,
    annotate,
    convert,
    serve,
    schema_command,
    enumerate_command,
)


def register(group: click.Group) -> None:
    """Add the commands to the command line."""
    for command in COMMANDS:
        group.add_command(command)
