"""Options that several commands share: a time, the log, the table, the output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from refengine.cli.shared import NamedPath, write_or_print
from refengine.formats.files_to_write import check_written
from refengine.game.clubs import names_file
from refengine_conformance.runner.conversation_log import begin_log, end_log
from refengine_conformance.runner.run_time import LONGEST, is_limit
from refengine_conformance.tables.flags import TABLE_FLAGS
from refengine_conformance.tables.typed_table import TableFlags

log_option = click.option(
    "--log",
    type=NamedPath(path_type=Path),
    help="Write the whole conversation with the adapter to this file, as it goes.",
)


def begin_log_of_command(path: Path | None) -> None:
    """Log all conversations of the current command, if a file is given.

    Since this replaces an older log, a command should call it just before it starts an
    adapter, and not earlier. A second call changes nothing. Raises Malformed as
    `begin_log` does.
    """
    context = click.get_current_context()
    if path is not None and not context.meta.get(__name__):
        context.meta[__name__] = True
        begin_log(path, sys.argv)
        context.call_on_close(end_log)


F = TypeVar("F", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A click parameter type for a number of seconds, above zero and at most a week."""

    def __init__(self) -> None:
        super().__init__(0, LONGEST, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Convert a value to seconds; anything else, such as `nan`, is an error."""
        found = float(super().convert(value, param, ctx))
        if not is_limit(found):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return found


def seconds_option(name: str, default: float | None, help: str) -> Callable[[F], F]:
    """A decorator that adds to a command an option whose value is a time in seconds."""
    return click.option(
        name,
        type=Seconds(),
        default=default,
        show_default=default is not None,
        help=help,
    )


def table_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the table flags to a command, which receives them in its argument `flags`."""

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


output_option: Final = click.option(
    "--output",
    type=NamedPath(),
    metavar="FILE",
    help="Write to this file instead of printing.",
)


def check_output(output: str | None, profile: str | None) -> None:
    """Raise Malformed if the file `output` cannot be written, or must not be.

    It must not be the file from which the profile is read, if there is one.
    """
    if output is not None:
        read = [profile] if profile and names_file(profile) else []
        check_written([("--output", output)], read, ())


def print_or_write(output: str | None, text: bytes) -> None:
    """Write the text, in UTF-8, to the file `output`; print it for `-` or None.

    Raises Malformed if the file cannot be written.
    """
    write_or_print("-" if output is None else output, text.decode())
