"""`refengine scores`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from refengine.cli import completing
from refengine.cli.files import open_for_reading
from refengine.cli.shared import (
    PROFILE_HELP,
    WRONG,
    NamedPath,
    json_option,
    print_json,
    ruleset_of,
)
from refengine.errors import Malformed
from refengine.formats.fields import ruleset_fields
from refengine.lawbook.text_files import text_of_bytes
from refengine.rulings.ruling_text import ruleset_words, short_ruleset, wrapped_lines
from refengine.rulings.sheets.fitting_sheets import judge_under_all_rules
from refengine.rulings.sheets.judging_sheets import (
    SheetJudgement,
    SheetRemark,
    judge_sheet,
)
from refengine.rulings.sheets.reading_sheets import Sheet, read_sheet
from refengine.rulings.words import count_words, list_words
from refengine_conformance.jobs.unread_output import finish_unread


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
@json_option
@click.pass_context
def scores_command(
    context: click.Context,
    file: str,
    profile: str | None,
    options: tuple[str, ...],
    running: bool | None,
    as_json: bool,
) -> None:
    """Check a score sheet: rows are deals, columns are players.

    FILE is CSV, text in columns or Markdown; `-` is standard input. It may have names,
    the pass, remarks and a last row of totals. Without --profile every game for that
    number of players is tried.
    """
    finish_unread()
    sheet = _sheet_in(file)
    if profile is None:
        if options:
            raise click.UsageError("--option needs --profile")
        found = judge_under_all_rules(sheet, running)
    else:
        ruleset = ruleset_of(profile, len(sheet.names), options)
        found = [judge_sheet(sheet, ruleset, running)]
    if as_json:
        print_json(_fields(found, profile is None))
    else:
        for line in _lines(found, profile is None):
            click.echo(line)
    if not found[0].possible:
        context.exit(WRONG)


def _sheet_in(file: str) -> Sheet:
    with open_for_reading(file) as stream:
        content = stream.read()
    try:
        return read_sheet(text_of_bytes(content))
    except Malformed as error:
        line = error.where.removeprefix("line ")
        place = f"{file}:{line}" if line else file
        raise Malformed(error.found, error.allowed, place) from None


# For a terminal


def _lines(found: list[SheetJudgement], open_rules: bool) -> Iterator[str]:
    best = found[0]
    possible = [one for one in found if one.possible]
    if open_rules and possible:
        names = list_words(short_ruleset(one.ruleset) for one in possible)
        yield from wrapped_lines(f"Possible under {names}.", "", "  ")
    elif open_rules:
        nearest = short_ruleset(best.ruleset)
        said = f"Possible under no game of the book; the nearest is {nearest}."
        yield from wrapped_lines(said, "", "  ")
    else:
        yield from wrapped_lines(f"Under {ruleset_words(best.ruleset)}", "", "  ")
    what = "running totals" if best.running else "the points of each deal"
    deals = count_words(len(best.rows), "deal")
    yield from wrapped_lines(f"{deals}; the numbers are {what}.", "", "  ")
    for number, row in enumerate(best.rows, 1):
        for remark in row.remarks:
            yield from wrapped_lines(f"row {number}: {_said(remark)}", "", "  ")
    for remark in best.remarks:
        yield from wrapped_lines(_said(remark), "", "  ")
    yield from wrapped_lines(_end(best), "", "  ")
    if best.wrong:
        yield f"{len(best.wrong)} of {len(best.rows)} rows cannot be right"


def _said(remark: SheetRemark) -> str:
    cited = f" [{', '.join(remark.clauses)}]" if remark.clauses else ""
    return f"{remark.text}{cited}"


def _end(judgement: SheetJudgement) -> str:
    names, totals = judgement.sheet.names, judgement.rows[-1].totals
    stands = list_words(
        f"{name} {total}" for name, total in zip(names, totals, strict=True)
    )
    if not judgement.over:
        return f"The match goes on: {stands}. [9.3]"
    winners = list_words(names[seat] for seat in judgement.winners)
    shared = " share the win" if len(judgement.winners) > 1 else " wins"
    return f"The match is over, and {winners}{shared}: {stands}. [9.5]"


# As JSON


def _fields(found: list[SheetJudgement], open_rules: bool) -> dict[str, Any]:
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
                "remarks": [_remark_fields(remark) for remark in one.remarks],
            }
            for number, one in enumerate(best.rows, 1)
        ],
        "remarks": [_remark_fields(remark) for remark in best.remarks],
        "over": best.over,
        "winners": [best.sheet.names[seat] for seat in best.winners],
    }
    if open_rules:
        fields["rulesets"] = [
            {"ruleset": ruleset_fields(one.ruleset), "wrong": list(one.wrong)}
            for one in found
        ]
    return fields


def _remark_fields(remark: SheetRemark) -> dict[str, Any]:
    return {
        "text": remark.text,
        "clauses": list(remark.clauses),
        "wrong": remark.wrong,
    }
