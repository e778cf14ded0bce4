"""`refengine conform bundled`."""

from __future__ import annotations

import click

from refengine.cli.shared import json_option
from refengine.jobs.progress import progress_bar
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.commands.comparison_output import report_out
from refengine_conformance.corpus_tools import bundled


@click.command("bundled")
@json_option
def conform_bundled_command(as_json: bool) -> None:
    """Replay every bundled trace, log and mini-deal."""
    finish_unread()
    raise click.exceptions.Exit(bundled_report_out(as_json))


def bundled_report_out(as_json: bool) -> int:
    """Replay all bundled games, print the report, and return the exit code."""
    with progress_bar("traces", sum(1 for _ in bundled.bundled_lines())) as moved:
        report = bundled.bundled_report(moved)
    return report_out(report, as_json)
