"""The command `refengine generate`, which writes random games."""

from __future__ import annotations

import click

from refengine.cli.shared import ruleset_of, ruleset_options
from refengine.formats.generate import Manner, random_deals, random_traces
from refengine.formats.trace import write_trace
from refengine.game.openings_in_words import malformed_opening
from refengine.game.verdicts import Refused


@click.command("generate")
@ruleset_options
@click.option(
    "--from",
    "source",
    type=click.Choice(("match", "deal")),
    default="match",
    show_default=True,
    help="Whole matches from the cut, or single deals as found, with all hands given.",
)
@click.option(
    "--matches",
    "--deals",
    "games",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="How many of them.",
)
@click.option(
    "--seed", type=int, default=1, show_default=True, help="For cards and play."
)
@click.option(
    "--irregular",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="The chance of a revoke at each play; with it come corrections and claims.",
)
@click.option(
    "--refusals",
    type=click.IntRange(0, 1000),
    default=0,
    show_default=True,
    help="How many illegal acts to try at each step.",
)
def generate_command(
    profile: str,
    players: int | None,
    source: str,
    games: int,
    seed: int,
    options: tuple[str, ...],
    irregular: float,
    refusals: int,
) -> None:
    """Write games of random legal play as traces; the same seed, the same games."""
    ruleset = ruleset_of(profile, players, options)
    manner = Manner(irregular=irregular, refusals=refusals)
    made = random_deals if source == "deal" else random_traces
    try:
        for trace in made(ruleset, games, seed, manner):
            click.echo(write_trace(trace))
    except Refused as refused:
        raise malformed_opening(refused, "--option") from None
