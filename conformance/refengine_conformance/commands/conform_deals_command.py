"""`refengine conform deals`."""

from __future__ import annotations

import click

from refengine.cli.shared import NamedPath
from refengine.cli.streams import print_bytes
from refengine.errors import unusable_file
from refengine.formats.whole_files import write_file
from refengine.lawbook import book
from refengine_conformance.commands.table_flags import table_flags
from refengine_conformance.tables.deals import deal_lines
from refengine_conformance.tables.typed_table import TableFlags


@click.command("deals")
@table_flags
@click.option(
    "--deals",
    type=click.IntRange(0),
    metavar="N",
    help="How many games; random ones follow the aimed set, which is the default.",
)
@click.option("--clause", default="", help="Only aimed games built for this clause.")
@click.option(
    "--output", type=NamedPath(), metavar="FILE", help="Write there; by default print."
)
def conform_deals_command(
    flags: TableFlags, deals: int | None, clause: str, output: str | None
) -> None:
    """Write games for a table as traces, for tests in a framework of your own.

    First come the games built for the clauses of the table, then random ones. Every
    line names every option.
    """
    if clause:
        book.clause(clause)
    lines = deal_lines(flags.table(), flags.seed, deals, clause)
    text = b"".join(line + b"\n" for line in lines)
    if output is None:
        print_bytes(text)
        return
    try:
        write_file(output, text)
    except OSError as error:
        raise unusable_file(error, "written", output) from None
