"""`refengine adapter`."""

from __future__ import annotations

from typing import Final

import click

from refengine.cli.streams import print_text
from refengine_conformance.data import data

SKELETONS: Final = {"js": "skeleton.mjs", "python": "skeleton.py"}


@click.command("adapter")
@click.option(
    "--language",
    type=click.Choice(tuple(SKELETONS)),
    required=True,
    help="The language of the skeleton.",
)
def adapter_command(language: str) -> None:
    """Print the skeleton of an adapter, ready to be filled in."""
    print_text((data("adapters") / SKELETONS[language]).read_text("utf-8"))
