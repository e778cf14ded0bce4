"""The flags that name a table, shared by the commands that make games for one."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from refengine_conformance.tables.flags import TABLE_FLAGS
from refengine_conformance.tables.typed_table import TableFlags


def table_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the table flags, which it receives as one value, `flags`."""

    @wraps(command)
    def with_flags(*args: Any, **given: Any) -> Any:
        typed = {one.field: given.pop(one.field) for one in TABLE_FLAGS}
        return command(*args, flags=TableFlags(**typed), **given)

    found: Callable[..., Any] = with_flags
    for one in reversed(TABLE_FLAGS):
        option = click.option(
            f"--{one.name}",
            one.field,
            type=click.Choice(one.choices) if one.choices else one.kind,
            multiple=one.many,
            metavar=one.metavar,
            help=one.help,
        )
        found = option(found)
    return found
