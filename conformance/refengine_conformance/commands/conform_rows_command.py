"""`refengine conform rows`."""

from __future__ import annotations

import click

from refengine.errors import Malformed
from refengine_conformance.commands.shared_options import (
    check_output,
    output_option,
    print_or_write,
    table_flags,
)
from refengine_conformance.tables.row_kinds import KINDS
from refengine_conformance.tables.rows import MOST, as_csv, as_json, rows_for_table
from refengine_conformance.tables.typed_table import TableFlags


@click.command("rows")
@click.option(
    "--what",
    required=True,
    type=click.Choice([*KINDS]),
    help="What the rows ask about: who takes a trick, which cards of a hand may be "
    "played, what a deal scores, which cards may be passed, or whether the match is "
    "over.",
)
@table_flags
@click.option(
    "--format",
    "written",
    type=click.Choice(["csv", "json"]),
    default="csv",
    show_default=True,
    help="A line of CSV for each row, or one JSON object with all of them.",
)
@click.option(
    "--rows",
    "most",
    type=click.IntRange(1, 1000),
    default=MOST,
    show_default=True,
    metavar="N",
    help="Write at most N rows.",
)
@output_option
def conform_rows_command(
    what: str, flags: TableFlags, written: str, most: int, output: str | None
) -> None:
    """Write small questions with their answers, for a first test of an engine.

    Each row names the clauses that it decides. If the number of rows allows, every
    clause of the table that such questions can test is decided both ways: once in a
    case to which it applies, and once in a case to which it does not.
    """
    check_output(output, flags.profile)
    table = flags.table()
    rows = rows_for_table(table, what, flags.seed, most)
    if not rows:
        raise Malformed(what, "something that happens at this table", "--what")
    lines = as_csv(what, rows) if written == "csv" else as_json(what, rows, table)
    text = "".join([f"{line}\n" for line in lines]).encode()
    print_or_write(output, text)
