"""`refengine adapter`."""

from __future__ import annotations

import click

from refengine.cli.shared import ruleset_of, ruleset_options
from refengine.cli.streams import print_text
from refengine_conformance.commands.adapter_skeleton import LANGUAGES, skeleton_text


@click.command("adapter")
@click.option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    required=True,
    help="The language of the skeleton.",
)
@ruleset_options
def adapter_command(
    language: str, profile: str, players: int | None, options: tuple[str, ...]
) -> None:
    """Print the skeleton of an adapter for an engine that plays this one ruleset."""
    print_text(skeleton_text(language, ruleset_of(profile, players, options)))
