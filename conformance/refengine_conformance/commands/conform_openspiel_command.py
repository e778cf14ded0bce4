"""`refengine conform openspiel`."""

from __future__ import annotations

from typing import Any

import click

from refengine.cli.shared import json_option
from refengine.exit_codes import NOT_TO_THE_END, UNREADABLE
from refengine.jobs.executors import LostWorkerError
from refengine.jobs.progress import progress_bar
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.commands.comparison_output import report_out
from refengine_conformance.openspiel import lockstep
from refengine_conformance.openspiel.deals import SEED
from refengine_conformance.openspiel.one_deal import NotInstalled


def deals_options(command: Any) -> Any:
    """Add to a command the options that any comparison with OpenSpiel has."""
    with_deals = click.option(
        "--deals",
        type=click.IntRange(1),
        default=1000,
        show_default=True,
        help="How many deals are played by both engines.",
    )
    with_seed = click.option(
        "--seed", type=int, default=SEED, show_default=True, help="For the deals."
    )
    with_jobs = click.option(
        "--jobs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="How many processes.",
    )
    return with_deals(with_seed(with_jobs(command)))


@click.command("openspiel")
@deals_options
@json_option
def conform_openspiel_command(deals: int, seed: int, jobs: int, as_json: bool) -> None:
    """Run our engine and OpenSpiel's Hearts side by side, deal after deal."""
    finish_unread()
    try:
        code = openspiel_report_out(deals, seed, jobs, as_json)
    except NotInstalled as missing:
        click.echo(f"refengine: {missing}", err=True)
        code = UNREADABLE
    raise click.exceptions.Exit(code)


def openspiel_report_out(deals: int, seed: int, jobs: int, as_json: bool) -> int:
    """Print the report on the comparison with OpenSpiel and return the exit code.

    Raises NotInstalled if OpenSpiel is not installed.
    """
    try:
        with progress_bar("deals", deals) as moved:
            report = lockstep.lockstep(deals, seed, moved, jobs)
    except LostWorkerError as error:
        click.echo(f"refengine: {error}", err=True)
        return NOT_TO_THE_END
    return report_out(report, as_json)
