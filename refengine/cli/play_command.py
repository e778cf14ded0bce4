"""The command `refengine play`, which plays a match in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import click

from refengine.cli.shared import json_option, print_json, ruleset_of, ruleset_options
from refengine.cli.streams import check_input
from refengine.cli.terminal_match import play_match
from refengine.errors import Malformed
from refengine.formats.fields import ruleset_fields
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
    """Play a match with random or human players; a clause explains each refusal.

    Cards are typed as people write them: QS, 10h, Q♠, queen of spades. In the match,
    help says what else can be typed, and quit leaves it.
    """
    ruleset = ruleset_of(profile, players, options)
    for seat in humans:
        if not 0 <= seat < ruleset.players:
            raise Malformed(f"seat {seat}", f"0 to {ruleset.players - 1}", "--human")
    if humans:
        check_input("--human")
    # Standard output is for the JSON alone: messages for people go to standard error.
    say: Callable[[str], None] = _say_nothing
    if humans or not as_json:
        say = partial(_say, aside=as_json)
    ask = partial(_ask, aside=as_json)
    state = play_match(ruleset, Random(seed), frozenset(humans), deals, say, ask)
    if as_json:
        print_json(
            {
                "ruleset": ruleset_fields(ruleset),
                "deals": state.deal if state.over else state.deal - 1,
                "totals": state.totals,
                "winners": state.winners or (),
            }
        )


def _say_nothing(line: str) -> None:
    """Print nothing, because nobody is watching."""


def _say(line: str, aside: bool = False) -> None:
    """Print a line, wrapped to the window.

    A style that covers the whole line is kept, and any other style is lost. With
    `aside`, the line goes to standard error.
    """
    bare = click.unstyle(line)
    begin, whole, end = line.partition(bare) if bare else ("", "", "")
    for one in wrapped_lines(bare, "", "  "):
        click.echo(f"{begin}{one}{end}" if whole else one, err=aside)


def _ask(question: str, aside: bool = False) -> str:
    answer: str = click.prompt(question, prompt_suffix=" ", err=aside)
    return answer
