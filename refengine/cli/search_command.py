"""The command `refengine search`, which finds clauses by words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from refengine.cli.screen import head, soft
from refengine.cli.shared import json_option, print_json
from refengine.exit_codes import WRONG
from refengine.lawbook.looking_up import Entry
from refengine.lawbook.search_index import search_book
from refengine.rulings.ruling_text import wrapped_lines


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option(
    "--most",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="How many clauses are shown.",
)
@json_option
def search_command(words: tuple[str, ...], most: int, as_json: bool) -> None:
    """Find the clause for what happened, in your own words.

    WORDS may be one word, such as renege or slam, a card, or a whole question. Typing
    errors do no harm.
    """
    found = search_book(" ".join(words), most)
    if as_json:
        print_json([entry_fields(one) for one in found])
    elif found:
        click.echo("\n".join(found_lines(found)))
    else:
        click.echo("Nothing found; try fewer or other words.")
    raise click.exceptions.Exit(0 if found else WRONG)


def entry_fields(one: Entry) -> dict[str, object]:
    """An entry that was found, as plain values."""
    kind = "title" if one.number else "question"
    fields: dict[str, object] = {"clauses": list(one.clauses), kind: one.title}
    return fields | {"says": one.says}


def found_lines(found: Sequence[Entry]) -> Iterator[str]:
    """The entries that were found, each with the sentence that answers the query."""
    for one in found:
        if one.number:
            yield head(f"{one.number} {one.title}")
            yield from wrapped_lines(one.says, "    ")
        else:
            yield from map(head, wrapped_lines(one.title, ""))
            yield from wrapped_lines(one.says, "    ")
            yield soft(f"    [{', '.join(one.clauses)}]")
