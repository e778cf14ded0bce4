"""What the commands share: options that name a ruleset, and JSON output."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import click

from refengine.cli import completing
from refengine.cli.streams import print_text
from refengine.errors import harmless_json, unusable_file
from refengine.game.rulesets import Ruleset
from refengine.game.typed import RULESET_FLAGS, naming_flags, read_ruleset

PROFILE_HELP: Final = "A profile of the book, or the file of a club."


class NamedPath(click.Path):
    """A path that may not be empty, as it would be if taken from an unset variable."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """The path; fails if it is empty."""
        if value == "":
            self.fail("the path is empty", param, ctx)
        return super().convert(value, param, ctx)


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one line of JSON."
)


def print_json(value: object) -> None:
    """Print a value as one line of JSON, whatever the encoding of the terminal."""
    plain = not (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(harmless_json(json.dumps(value, ensure_ascii=plain, default=list)))


def write_or_print(name: str, text: str) -> None:
    """Write the text to this file, or print it if the file is `-`.

    Raises Malformed if the file cannot be written.
    """
    if name == "-":
        print_text(text)
        return
    from refengine.formats.whole_files import write_file  # late: few commands write

    try:
        write_file(name, text.encode())
    except OSError as error:
        raise unusable_file(error, "written", name) from None


def ruleset_of(profile: str, players: int | None, options: tuple[str, ...]) -> Ruleset:
    """The ruleset that `--profile`, `--players` and `--option` name.

    Raises Malformed if they do not name a ruleset, an option is given twice, or the
    book refuses the ruleset.
    """
    with naming_flags(RULESET_FLAGS):
        return read_ruleset(profile, players, options)


def check_profile_named(
    profile: str | None, players: int | None, options: tuple[str, ...]
) -> None:
    """Raise UsageError if --players or --option is given without --profile."""
    for name, given in (("--players", players is not None), ("--option", options)):
        if profile is None and given:
            raise click.UsageError(f"{name} needs --profile")


def ruleset_options(command: Any) -> Any:
    """The command, with the options that name a ruleset added to it."""
    for decorator in (
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Change an option; repeatable.",
            shell_complete=completing.options,
        ),
        click.option(
            "--players", type=int, help="By default the usual number of the profile."
        ),
        click.option(
            "--profile",
            default="estmesh-hearts",
            show_default=True,
            help=PROFILE_HELP,
            shell_complete=completing.profiles,
        ),
    ):
        command = decorator(command)
    return command
