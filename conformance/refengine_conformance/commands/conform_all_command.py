"""`refengine conform all`."""

from __future__ import annotations

import click

from refengine.cli.main import version_line
from refengine.exit_codes import first_code
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.commands.conform_book_command import HANDS, book_report_out
from refengine_conformance.commands.conform_bundled_command import bundled_report_out
from refengine_conformance.commands.conform_openspiel_command import (
    deals_options,
    openspiel_report_out,
)
from refengine_conformance.openspiel.one_deal import NotInstalled


@click.command("all")
@deals_options
def conform_all_command(deals: int, seed: int, jobs: int) -> None:
    """Run everything that `make conform` runs, and end with a summary.

    If OpenSpiel is not installed, everything else is still run.
    """
    finish_unread()
    click.echo(version_line())
    codes = [book_report_out(HANDS, as_json=False)]
    click.echo()
    codes.append(bundled_report_out(as_json=False))
    click.echo()
    left_out = ""
    try:
        codes.append(openspiel_report_out(deals, seed, jobs, as_json=False))
    except NotInstalled as missing:
        click.echo(f"refengine: {missing}", err=True)
        left_out = ", but not compared with OpenSpiel"
    code = first_code(codes)
    said = "something is wrong; see above" if code else "all well"
    click.echo(f"\n{said}{left_out}")
    raise click.exceptions.Exit(code)
