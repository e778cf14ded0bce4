"""`refengine adapter`."""

from __future__ import annotations

from typing import Final

import click

from refengine.cli.shared import ruleset_of, ruleset_options
from refengine.cli.streams import print_text
from refengine_conformance.commands.adapter_table import table_text
from refengine_conformance.data import data

SKELETONS: Final = {
    "c": "skeleton.c",
    "go": "skeleton.go",
    "js": "skeleton.mjs",
    "python": "skeleton.py",
}
_BEGIN: Final = "<table>\n"
_END: Final = "</table>\n"


@click.command("adapter")
@click.option(
    "--language",
    type=click.Choice(tuple(SKELETONS)),
    required=True,
    help="The language of the skeleton.",
)
@ruleset_options
def adapter_command(
    language: str, profile: str, players: int | None, options: tuple[str, ...]
) -> None:
    """Print the skeleton of an adapter for an engine that plays this one ruleset."""
    table = table_text(language, ruleset_of(profile, players, options))
    text = (data("adapters") / SKELETONS[language]).read_text("utf-8")
    head, _, rest = text.partition(_BEGIN)
    _, _, tail = rest.partition(_END)
    print_text(f"{head.rpartition(chr(10))[0]}\n{table}{tail}")
