"""`refengine play`."""

from __future__ import annotations

from random import Random

import click

from refengine.cli.shared import json_option, print_json, ruleset_of, ruleset_options
from refengine.cli.streams import check_input
from refengine.cli.terminal_match import play_match
from refengine.errors import Malformed
from refengine.rulings.ruling_text import wrapped_lines


@click.command("play")
@ruleset_options
@click.option("--seed", type=int, default=1, show_default=True, help="For the cards.")
@click.option(
    "--human", "humans", type=int, multiple=True, help="Play this seat; repeatable."
)
@click.option("--deals", type=click.IntRange(1), help="Stop after this many deals.")
@json_option
def play_command(
    profile: str,
    players: int | None,
    options: tuple[str, ...],
    seed: int,
    humans: tuple[int, ...],
    deals: int | None,
    as_json: bool,
) -> None:
    """Play a match with random or human players; the clause explains each refusal.

    Cards are typed as people write them: QS, 10h, Q♠, queen of spades. In the match,
    help says what else can be typed, and quit leaves it.
    """
    ruleset = ruleset_of(profile, players, options)
    for seat in humans:
        if not 0 <= seat < ruleset.players:
            raise Malformed(f"seat {seat}", f"0 to {ruleset.players - 1}", "--human")
    if humans:
        check_input("--human")
    say = (lambda line: None) if as_json else _say
    state = play_match(ruleset, Random(seed), frozenset(humans), deals, say, _ask)
    if as_json:
        print_json(
            {
                "ruleset": {
                    "profile": ruleset.profile,
                    "players": ruleset.players,
                    "options": ruleset.changed,
                },
                "deals": state.deal if state.over else state.deal - 1,
                "totals": state.totals,
                "winners": state.winners or (),
            }
        )


def _say(line: str) -> None:
    """Print a line, wrapped; a line that is styled only in part loses its style."""
    bare = click.unstyle(line)
    begin, whole, end = line.partition(bare) if bare else ("", "", "")
    for one in wrapped_lines(bare, "", "  "):
        click.echo(f"{begin}{one}{end}" if whole else one)


def _ask(question: str) -> str:
    answer: str = click.prompt(question, prompt_suffix=" ")
    return answer
