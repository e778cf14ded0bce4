"""What the commands share: exit codes, options that name a ruleset, JSON output."""

from __future__ import annotations

import json
from typing import Any, Final

import click

from refengine.errors import Malformed, harmless_json
from refengine.game.rulesets import Ruleset
from refengine.game.typed import read_ruleset
from refengine.lawbook.profiles import profile_names

WRONG: Final = 1
ADAPTER: Final = 2
UNREADABLE: Final = 3
TOO_FEW: Final = 4
OUR_FAULT: Final = 70
INTERRUPTED: Final = 130

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one line of JSON."
)


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    click.echo(harmless_json(json.dumps(value, ensure_ascii=False, default=list)))


def check_profile_name(name: str | None) -> None:
    """Raise Malformed if `--profile` was given and names no profile of the book."""
    if name is not None and name not in profile_names():
        allowed = f"one of {', '.join(profile_names())}"
        raise Malformed(f"{name!r:.60}", allowed, "--profile")


def ruleset_of(profile: str, players: int | None, options: tuple[str, ...]) -> Ruleset:
    """The ruleset that `--profile`, `--players` and `--option` name.

    Raises Malformed if they do not name one, or name one that the book refuses.
    """
    return read_ruleset(profile, players, options)


def ruleset_options(command: Any) -> Any:
    """The command with the options that name a ruleset."""
    for decorator in (
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Change an option; repeatable.",
        ),
        click.option(
            "--players", type=int, help="By default the usual number of the profile."
        ),
        click.option(
            "--profile",
            default="estmesh-hearts",
            show_default=True,
            help="A profile of the book.",
        ),
    ):
        command = decorator(command)
    return command
