"""`refengine conform selftest`."""

from __future__ import annotations

import attrs
import click

from refengine.cli.shared import json_option, print_json
from refengine.errors import Malformed
from refengine.jobs.progress import progress_bar
from refengine.jobs.unread_output import finish_unread
from refengine_conformance.selftest.selftest import BAD, check_bad_adapter


@click.command("selftest")
@click.option("--only", multiple=True, help="Only this bad adapter; repeatable.")
@json_option
def conform_selftest_command(only: tuple[str, ...], as_json: bool) -> None:
    """Run bad adapters and check that each gets the right outcome."""
    finish_unread()
    names = only or tuple(BAD)
    for name in names:
        if name not in BAD:
            raise Malformed(f"{name!r:.40}", f"one of {', '.join(BAD)}", "--only")
    results = []
    with progress_bar("bad adapters", len(names)) as advance:
        for done, name in enumerate(names, 1):
            results.append(check_bad_adapter(name))
            advance(done)
    wrong = [one for one in results if one.wrong]
    if as_json:
        print_json([attrs.asdict(one) for one in results])
    else:
        for one in results:
            click.echo(f"{'wrong' if one.wrong else 'well':6} {one.name:20} {one.said}")
            if one.wrong:
                click.echo(f"       {one.wrong}")
        click.echo(f"{len(results) - len(wrong)} of {len(results)} as expected")
    raise click.exceptions.Exit(1 if wrong else 0)
