"""`refengine conform deals`."""

from __future__ import annotations

import click

from refengine.lawbook import book
from refengine_conformance.commands.shared_options import (
    check_output,
    output_option,
    print_or_write,
    table_flags,
)
from refengine_conformance.tables.deals import deal_lines
from refengine_conformance.tables.typed_table import TableFlags


@click.command("deals")
@table_flags
@click.option(
    "--deals",
    type=click.IntRange(0),
    metavar="N",
    help="How many games; by default those that are built for the clauses.",
)
@click.option("--clause", default="", help="Only aimed games built for this clause.")
@output_option
def conform_deals_command(
    flags: TableFlags, deals: int | None, clause: str, output: str | None
) -> None:
    """Write games for a table as traces, for tests in a framework of your own.

    The games built for the clauses of the table come first. With --deals, N games are
    written: random ones make up the number. Every line names every option.
    """
    check_output(output, flags.profile)
    if clause:
        book.clause(clause)
    lines = deal_lines(flags.table(), flags.seed, deals, clause)
    text = b"".join(line + b"\n" for line in lines)
    print_or_write(output, text)
