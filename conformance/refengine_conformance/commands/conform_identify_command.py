"""`refengine conform identify`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from refengine.cli.shared import json_option, print_json, ruleset_of
from refengine.cli.streams import print_text
from refengine.exit_codes import NOT_TO_THE_END, TOO_FEW
from refengine.game.typed import naming_flags
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.commands.shared_options import (
    begin_log_of_command,
    log_option,
    seconds_option,
)
from refengine_conformance.identify.identify import identify
from refengine_conformance.identify.words import sentences
from refengine_conformance.runner.driver import CannotRunError
from refengine_conformance.runner.run_time import RunOverError, RunTime
from refengine_conformance.runner.table import COMMON_PROFILE
from refengine_conformance.tables.typed_table import read_hands

_FLAGS: Final = {"hands": "--hands"}


@click.command("identify")
@click.option(
    "--profile",
    metavar="NAME",
    help="The profile of the ruleset that every game is begun with, or the file of a "
    "club; by default that of the adapter's first table, or its first profile.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change an option of this profile, or of common-hearts where none is named; "
    "repeatable.",
)
@click.option(
    "--players",
    type=int,
    help="By default those of the adapter's first table or first profile; usual for "
    "the profile where a ruleset is named.",
)
@click.option(
    "--hands",
    metavar="full|N|any",
    help="Cards in a hand; by default those of the adapter's first table, or any where "
    "a ruleset is named.",
)
@json_option
@seconds_option("--limit-run", None, "Seconds for all of it; no limit by default.")
@log_option
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def conform_identify_command(
    profile: str | None,
    options: tuple[str, ...],
    players: int | None,
    hands: str | None,
    as_json: bool,
    limit_run: float | None,
    log: Path | None,
    command: tuple[str, ...],
) -> None:
    """Find out which rules an engine plays by, whatever it declares.

    The engine is led through single deals, guided by its own answers. Every deal begins
    with the same ruleset: the one named here, or else that of the engine's first table
    or first profile. The exit code is 0 if rules are found that explain everything it
    did, 1 if even the nearest leave something unexplained, 2 if it could not be started
    or failed in a game, and 4 if it answered too little or the time was up.

    COMMAND is the adapter and its arguments, after `--`.
    """
    finish_unread()
    with naming_flags(_FLAGS):
        own = None if hands is None else read_hands(hands)
    sent = None
    if profile is not None or options:
        sent = ruleset_of(profile or COMMON_PROFILE, players, options)
    begin_log_of_command(log)
    try:
        with naming_flags(_FLAGS):
            found = identify(
                command,
                sent=sent,
                players=players,
                hands=own,
                time=RunTime.from_now(limit_run),
            )
    except CannotRunError as error:
        click.echo(error.explained, err=True)
        raise click.exceptions.Exit(NOT_TO_THE_END) from None
    except RunOverError as error:
        click.echo(str(error), err=True)
        raise click.exceptions.Exit(TOO_FEW) from None
    if as_json:
        print_json(found.fields())
    else:
        print_text("\n".join(sentences(found, command)) + "\n")
    raise click.exceptions.Exit(found.exit_code)
