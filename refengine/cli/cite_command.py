"""`refengine cite`."""

from __future__ import annotations

from collections.abc import Iterator

import click

from refengine.cli.shared import WRONG, json_option, print_json
from refengine.lawbook.citing import Cited, look_up_citation
from refengine.lawbook.reading import plain
from refengine.rulings.ruling_text import wrapped_lines


@click.command("cite")
@click.argument("citations", nargs=-1, required=True)
@json_option
def cite_command(citations: tuple[str, ...], as_json: bool) -> None:
    """Show what a citation leads to, and whether the wording is still the same.

    A citation is 5.3, HFR 5.3, HFR 5.3@1.0.0 or HFR 5.3@1.0.0~9f3a21c0.
    """
    found = [look_up_citation(one) for one in citations]
    if as_json:
        print_json([one.fields() for one in found])
    else:
        click.echo("\n\n".join("\n".join(_citation_lines(one)) for one in found))
    raise click.exceptions.Exit(0 if all(one.same for one in found) else WRONG)


def _citation_lines(one: Cited) -> Iterator[str]:
    yield f"{one.in_full}  {one.clause.title}"
    yield f"{one.wording[:1].upper()}{one.wording[1:]}."
    yield ""
    for sentence in one.clause.text.splitlines():
        yield from wrapped_lines(plain(sentence))
    for name, text in (("Why", one.reason), ("Not taken", one.not_taken)):
        if text:
            yield ""
            yield from wrapped_lines(f"{name}: {plain(text)}")
    if one.clause.sources:
        yield ""
        yield from wrapped_lines(f"Sources: {', '.join(one.clause.sources)}")
    for table in one.examples:
        yield ""
        rows = [table.header, *table.rows]
        widths = [max(len(row[place]) for row in rows) for place in range(4)]
        for row in rows:
            cells = (f"{cell:{wide}}" for cell, wide in zip(row, widths, strict=True))
            yield f"  {'  '.join(cells)}".rstrip()
