"""The flags that name a table, shared by the commands that make games for one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import attrs
import click

from refengine_conformance.runner.table import SEED
from refengine_conformance.tables.typed_table import TableFlags

_OPTIONS: Final = (
    click.option(
        "--profile",
        help="The profile of the table, or the file of a club; by default "
        "estmesh-hearts.",
    ),
    click.option("--players", type=int, help="By default the profile's usual number."),
    click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        help="Change an option of the table; repeatable.",
    ),
    click.option(
        "--hands",
        metavar="full|N|any",
        help="Cards in a hand; full is what the whole pack deals. By default any.",
    ),
    click.option(
        "--starts",
        metavar="LIST",
        help="How games begin: deal, position, match, match-dealer; "
        "by default deal,position,match.",
    ),
    click.option(
        "--needs-card",
        "cards",
        multiple=True,
        metavar="CARD",
        help="A card that must be in play, such as QS or 10h; repeatable.",
    ),
    click.option(
        "--pack",
        type=click.Choice(("full", "any")),
        help="Whether every game is a whole pack; by default as --hands.",
    ),
    click.option(
        "--seed",
        "seed_given",
        type=int,
        metavar="NUMBER",
        help=f"The seed of the games, {SEED} by default.",
    ),
)


def table_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the table flags, which it receives as one value, `flags`."""
    names = [one.name for one in attrs.fields(TableFlags) if one.name != "prefix"]

    @wraps(command)
    def with_flags(*args: Any, **given: Any) -> Any:
        typed = {name: given.pop(name) for name in names}
        return command(*args, flags=TableFlags(**typed), **given)

    found: Callable[..., Any] = with_flags
    for option in reversed(_OPTIONS):
        found = option(found)
    return found
