"""`refengine matrix`."""

from __future__ import annotations

import click

from refengine.cli.shared import print_json
from refengine.cli.streams import print_text
from refengine.game.clubs import base_of
from refengine.lawbook import book


@click.command("matrix")
@click.argument("clauses", nargs=-1)
@click.option(
    "--profile",
    "typed",
    help="Only clauses that fire under it; for a club's file, under its base.",
)
@click.option(
    "--class",
    "level",
    type=click.Choice(("strong", "reasoned", "covered", "weak")),
    help="Only clauses of this class.",
)
@click.option(
    "--format",
    "shown",
    type=click.Choice(("text", "json", "markdown")),
    default="text",
    show_default=True,
    help="How it is printed.",
)
def matrix_command(
    clauses: tuple[str, ...], typed: str | None, level: str | None, shown: str
) -> None:
    """Show how strong the evidence is for each clause: lines, mutants, proofs.

    If CLAUSES are given, such as 5.3, show only those, in full.
    """
    # Imported here because it is slow to import, and help imports every command.
    from refengine_conformance.strength.matrix import (
        matrix_markdown,
        matrix_rows,
        row_details,
        table_lines,
    )
    from refengine_conformance.strength.scores import committed_document

    profile_name = None if typed is None else base_of(typed)
    for number in clauses:
        book.clause(number)
    found = [
        row
        for row in matrix_rows(committed_document())
        if (not clauses or row.number in clauses)
        and (profile_name is None or profile_name in row.profiles)
        and (level is None or row.level == level)
    ]
    if shown == "json":
        print_json([row.fields() for row in found])
    elif shown == "markdown":
        print_text(matrix_markdown(found))
    elif clauses:
        print_text("".join(f"{line}\n" for row in found for line in row_details(row)))
    else:
        print_text("".join(f"{line}\n" for line in table_lines(found)))
