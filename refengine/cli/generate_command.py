"""`refengine generate`."""

from __future__ import annotations

import click

from refengine.cli.shared import ruleset_of, ruleset_options
from refengine.errors import Malformed
from refengine.formats.generate import Manner, random_traces
from refengine.formats.trace import write_trace
from refengine.game.verdicts import Refused


@click.command("generate")
@ruleset_options
@click.option("--matches", type=click.IntRange(0), default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option(
    "--irregular",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="The chance of a revoke at each play; with it come corrections and claims.",
)
@click.option(
    "--refusals",
    type=click.IntRange(0, 1000),
    default=0,
    help="How many acts that are refused to try at each step.",
)
def generate_command(
    profile: str,
    players: int | None,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    irregular: float,
    refusals: int,
) -> None:
    """Write matches of random legal play as traces; the same seed, the same matches."""
    ruleset = ruleset_of(profile, players, options)
    manner = Manner(irregular=irregular, refusals=refusals)
    try:
        for trace in random_traces(ruleset, matches, seed, manner):
            click.echo(write_trace(trace))
    except Refused as refused:
        raise Malformed(str(refused), "a match of the book", "--option") from None
