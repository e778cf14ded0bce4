"""The type of the options that take a time in seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from refengine_conformance.runner.run_time import LONGEST, is_limit

F = TypeVar("F", bound=Callable[..., Any])


class Seconds(click.FloatRange):
    """A number of seconds, above zero and at most a week."""

    def __init__(self) -> None:
        super().__init__(0, LONGEST, min_open=True)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number of seconds; fails for anything else, `nan` included."""
        found = float(super().convert(value, param, ctx))
        if not is_limit(found):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return found


def seconds_option(name: str, default: float | None, help: str) -> Callable[[F], F]:
    """The decorator that gives a command an option for a time in seconds."""
    return click.option(
        name,
        type=Seconds(),
        default=default,
        show_default=default is not None,
        help=help,
    )
