"""`refengine rule`."""

from __future__ import annotations

import attrs
import click

from refengine.cli.shared import json_option, print_json
from refengine.lawbook import book


@click.command("rule")
@click.argument("number")
@json_option
def rule_command(number: str, as_json: bool) -> None:
    """Show a clause of the book by its number, such as 5.3."""
    clause = book.clause(number)
    if as_json:
        print_json(attrs.asdict(clause))
        return
    click.echo(f"{clause.number} {clause.title}  [{clause.kind}]\n\n{clause.text}")
    for line in clause.formal:
        click.echo(f"\n    {line}")
    if clause.ruling:
        click.echo(f"\nRuling: {clause.ruling}")
    rows = (
        ("options", clause.options),
        ("sources", clause.sources),
        ("bites in", clause.bites),
        ("code", clause.functions),
    )
    click.echo()
    for name, values in rows:
        if values:
            click.echo(f"{name}: {', '.join(values)}")
    version = book.registry()["version"]
    click.echo(f"cite as: HFR {clause.number}@{version}~{clause.fingerprint}")
