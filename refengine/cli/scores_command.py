"""The command `refengine scores`, which checks score sheets."""

from __future__ import annotations

from typing import Any

import attrs
import click

from refengine.cli import completing
from refengine.cli.files import text_of_input
from refengine.cli.scores_text import Found, scores_html, sheets_lines
from refengine.cli.shared import (
    PROFILE_HELP,
    NamedPath,
    check_profile_named,
    json_option,
    print_json,
    write_or_print,
)
from refengine.errors import Malformed, harmless
from refengine.exit_codes import WRONG
from refengine.formats.fields import ruleset_fields
from refengine.formats.files_to_write import check_written
from refengine.game.clubs import names_file
from refengine.game.typed import RULESET_FLAGS, naming_flags, read_ruleset
from refengine.jobs.unread_output import finish_unread
from refengine.rulings.sheets.fitting_sheets import judge_under_all_rules
from refengine.rulings.sheets.judging_sheets import judge_sheet
from refengine.rulings.sheets.reading_sheets import Sheet, read_sheets


@click.command("scores")
@click.argument("file", type=NamedPath())
@click.option(
    "--profile", help=PROFILE_HELP, shell_complete=completing.profiles, default=None
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="With --profile: change an option; repeatable.",
    shell_complete=completing.options,
)
@click.option(
    "--totals/--points",
    "running",
    default=None,
    help="Whether the numbers are running totals or the points of each deal.",
)
@click.option(
    "--report",
    metavar="html:FILE",
    help="Also write a page with which to show the sheet to the other players.",
)
@json_option
@click.pass_context
def scores_command(
    context: click.Context,
    file: str,
    profile: str | None,
    options: tuple[str, ...],
    running: bool | None,
    report: str | None,
    as_json: bool,
) -> None:
    """Check a score sheet: rows are deals, columns are players.

    FILE is CSV, text in columns or Markdown; `-` is standard input. It may have names,
    the pass, remarks and a last row of totals. Several tables, one below the other and
    each with its names above it, are several matches. Without --profile, every game for
    that number of players is tried.
    """
    finish_unread()
    page = None if report is None else _page(report, file, profile)
    check_profile_named(profile, None, options)

    def judged(sheet: Sheet) -> Found:
        if profile is None:
            return judge_under_all_rules(sheet, running)
        # The number of players is that of the sheet; there is no flag for it.
        with naming_flags({**RULESET_FLAGS, "players": harmless(file)}):
            ruleset = read_ruleset(profile, len(sheet.names), options)
        return [judge_sheet(sheet, ruleset, running)]

    matches = [judged(sheet) for sheet in _sheets_in(file)]
    if as_json:
        for found in matches:
            print_json(_fields(found, profile is None))
    else:
        for line in sheets_lines(matches, profile is None):
            click.echo(line)
    if page is not None:
        write_or_print(page, scores_html(matches, profile is None))
    if not all(found[0].possible for found in matches):
        context.exit(WRONG)


def _page(report: str, sheet: str, profile: str | None) -> str:
    """The file for a report; raises Malformed if it cannot or must not be written."""
    name, _, page = report.partition(":")
    if name != "html" or not page:
        raise Malformed(f"{report!r:.80}", "html:FILE", "--report")
    club = [profile] if profile is not None and names_file(profile) else []
    check_written([("--report", page)], [sheet, *club], ())
    return page


def _sheets_in(file: str) -> tuple[Sheet, ...]:
    try:
        return read_sheets(text_of_input(file))
    except Malformed as error:
        if error.where == file:  # it is about the file as a whole
            raise
        raise error.in_file(file) from None


# As JSON


def _fields(found: Found, open_rules: bool) -> dict[str, Any]:
    best = found[0]
    fields: dict[str, Any] = {
        "ruleset": ruleset_fields(best.ruleset),
        "possible": best.possible,
        "running": best.running,
        "names": list(best.sheet.names),
        "rows": [
            {
                "row": number,
                "line": one.row.line,
                "score": list(one.score),
                "totals": list(one.totals),
                "remarks": [attrs.asdict(remark) for remark in one.remarks],
            }
            for number, one in enumerate(best.rows, 1)
        ],
        "remarks": [attrs.asdict(remark) for remark in best.remarks],
        "over": best.over,
        "ended": best.ended,
        "winners": [best.sheet.names[seat] for seat in best.winners],
    }
    if open_rules:
        fields["rulesets"] = [
            {"ruleset": ruleset_fields(one.ruleset), "wrong": list(one.wrong)}
            for one in found
        ]
    return fields
