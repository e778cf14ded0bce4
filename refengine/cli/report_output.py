"""How a comparison of the engine with something else ends: printed, and as a code."""

from __future__ import annotations

from typing import Any, Protocol

import click

from refengine.cli.shared import WRONG, print_json


class Report(Protocol):
    """What every comparison hands over to be printed."""

    @property
    def disagreements(self) -> tuple[object, ...]:
        """All that was found wrong."""

    def lines(self) -> list[str]:
        """The report for a terminal."""

    def fields(self) -> dict[str, Any]:
        """The report as plain JSON values."""


def report_out(report: Report, as_json: bool) -> int:
    """The exit code for a report, which is printed."""
    if as_json:
        print_json(report.fields())
    else:
        click.echo("\n".join(report.lines()))
    return WRONG if report.disagreements else 0
