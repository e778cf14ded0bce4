"""The command `refengine schema`, which prints the JSON Schemas of the formats."""

from __future__ import annotations

import json

import click

from refengine.formats.schemas import KINDS, schema


@click.command("schema")
@click.argument("name", type=click.Choice(list(KINDS)), required=False)
def schema_command(name: str | None) -> None:
    """Print the JSON Schema of a format or, without NAME, of all formats."""
    found = schema(name) if name else {kind: schema(kind) for kind in KINDS}
    click.echo(json.dumps(found, indent=2))
