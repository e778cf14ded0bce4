"""`refengine conform openspiel`."""

from __future__ import annotations

from typing import Any

import click

from refengine.cli.report_output import report_out
from refengine.cli.shared import NOT_RUN, json_option
from refengine_conformance.jobs.progress import progress
from refengine_conformance.openspiel import lockstep
from refengine_conformance.openspiel.one_deal import NotInstalled


def deals_options(command: Any) -> Any:
    """The command with the options of the comparison with OpenSpiel."""
    number = click.IntRange(1)
    for decorator in (
        click.option("--jobs", type=number, default=1, show_default=True),
        click.option("--seed", type=int, default=2026, show_default=True),
        click.option("--deals", type=number, default=1000, show_default=True),
    ):
        command = decorator(command)
    return command


@click.command("openspiel")
@deals_options
@json_option
def conform_openspiel_command(deals: int, seed: int, jobs: int, as_json: bool) -> None:
    """Run our engine and OpenSpiel's Hearts side by side, deal after deal."""
    raise click.exceptions.Exit(openspiel_report_out(deals, seed, jobs, as_json))


def openspiel_report_out(deals: int, seed: int, jobs: int, as_json: bool) -> int:
    """Print the comparison with OpenSpiel; the exit code, 2 if it is not installed."""
    try:
        with progress("deals", deals) as moved:
            report = lockstep.lockstep(deals, seed, moved, jobs)
    except NotInstalled as missing:
        click.echo(f"refengine: {missing}", err=True)
        return NOT_RUN
    return report_out(report, as_json)
