"""Prints the report on a comparison of the engine, and returns the exit code."""

from __future__ import annotations

from typing import Any, Protocol

import click

from refengine.cli.shared import print_json
from refengine.exit_codes import WRONG


class Report(Protocol):
    """What a report on a comparison must provide in order to be printed."""

    @property
    def disagreements(self) -> tuple[object, ...]:
        """Everything that was found to be wrong."""

    def lines(self) -> list[str]:
        """The lines of the report for a terminal."""

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""


def report_out(report: Report, as_json: bool) -> int:
    """Print a report and return its exit code."""
    if as_json:
        print_json(report.fields())
    else:
        click.echo("\n".join(report.lines()))
    return WRONG if report.disagreements else 0
