"""The command `refengine diff`, which compares two rulesets."""

from __future__ import annotations

import click

from refengine.cli.diff_text import difference_fields, difference_lines
from refengine.cli.shared import NamedPath, json_option, print_json, ruleset_of
from refengine.comparison.option_differences import option_differences, options_apart
from refengine.jobs.progress import progress_bar


@click.command("diff")
@click.argument("first", type=NamedPath())
@click.argument("second", type=NamedPath())
@click.option("--players", type=int, help="By default the usual number of FIRST.")
@click.option("--option", "options", multiple=True, help="For SECOND: NAME=VALUE.")
@click.option(
    "--cards",
    type=click.IntRange(1, 4),
    default=2,
    show_default=True,
    help="The largest hands to search; more takes minutes.",
)
@json_option
def diff_command(
    first: str,
    second: str,
    players: int | None,
    options: tuple[str, ...],
    cards: int,
    as_json: bool,
) -> None:
    """Compare two profiles: options, clauses, and a short game for each difference.

    FIRST and SECOND are profiles of the book or files of clubs. Give the same profile
    twice to compare it with itself under changed options.
    """
    one = ruleset_of(first, players, ())
    other = ruleset_of(second, one.players, options)
    apart = options_apart(one, other)
    found = []
    with progress_bar("options", len(apart)) as moved:
        for done, difference in enumerate(option_differences(one, other, cards), 1):
            found.append(difference)
            moved(done)
    if as_json:
        print_json([difference_fields(difference) for difference in found])
        return
    for difference in found:
        click.echo("\n".join([*difference_lines(one, other, difference), ""]))
    click.echo(f"options that differ: {len(found)}")
