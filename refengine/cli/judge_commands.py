"""The commands that hold games and rulesets against each other: `judge` and `diff`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import click

from refengine.cli.diff_text import difference_fields, difference_lines
from refengine.cli.judge_text import (
    fit_fields,
    fit_lines,
    judgement_fields,
    judgement_lines,
    row_fields,
    table_lines,
)
from refengine.cli.shared import WRONG, json_option, print_json, ruleset_of
from refengine.cli.trace_commands import each_line
from refengine.rulings.judge import Judgement, judged, judged_under_all
from refengine.rulings.submitted_game import Game, read_game
from refengine_conformance.comparison.option_differences import (
    option_differences,
    options_apart,
)
from refengine_conformance.diagnosis.rulesets_of_game import fits
from refengine_conformance.jobs.progress import progress

# judge


@click.command("judge")
@click.argument("files", nargs=-1, required=True)
@click.option("--profile", help="Judge under this profile only.")
@click.option("--players", type=int, help="With --profile; else the usual number.")
@click.option("--option", "options", multiple=True, help="With --profile: NAME=VALUE.")
@json_option
def judge_command(
    files: tuple[str, ...],
    profile: str | None,
    players: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Judge games: the first illegal act, wrong scores, and under which rules it fits.

    FILES hold traces or logs, `-` is standard input. Without --profile the rules are
    those that the game names, and the same game is judged under every profile.
    """
    ruleset = None if profile is None else ruleset_of(profile, players, options)
    wrong = False

    def judge_line(place: str, line: bytes) -> None:
        nonlocal wrong
        game = read_game(line)
        judgement = judged(game, ruleset)
        wrong = wrong or not judgement.fits
        if as_json:
            print_json({"line": place, **_fields(game, judgement, ruleset is None)})
        else:
            click.echo(
                f"{place}\n" + "\n".join(_lines(game, judgement, ruleset is None))
            )

    ending = each_line(files, judge_line)
    if wrong:
        ending.codes.add(WRONG)
    ending.leave()


def _lines(game: Game, judgement: Judgement, everywhere: bool) -> Iterator[str]:
    yield from judgement_lines(game, judgement)
    if everywhere:
        yield "The same game elsewhere"
        yield from table_lines(game, judged_under_all(game)[1:])
        yield "Rules that fit the whole game, nearest first"
        yield from fit_lines(game, fits(game))


def _fields(game: Game, judgement: Judgement, everywhere: bool) -> dict[str, Any]:
    found = judgement_fields(game, judgement)
    if everywhere:
        found["under"] = [row_fields(one) for one in judged_under_all(game)]
        found["fits"] = [fit_fields(one) for one in fits(game)]
    return found


# diff


@click.command("diff")
@click.argument("first")
@click.argument("second")
@click.option("--players", type=int, help="Without it the usual number of FIRST.")
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
    """Compare two profiles: options, clauses, and the shortest game that shows each.

    A profile is compared with itself under changed options where both are the same.
    """
    one = ruleset_of(first, players, ())
    other = ruleset_of(second, one.players, options)
    apart = options_apart(one, other)
    found = []
    with progress("options", len(apart)) as moved:
        for done, difference in enumerate(option_differences(one, other, cards), 1):
            found.append(difference)
            moved(done)
    if as_json:
        print_json([difference_fields(difference) for difference in found])
        return
    for difference in found:
        click.echo("\n".join([*difference_lines(one, other, difference), ""]))
    click.echo(f"options that differ: {len(found)}")


COMMANDS: Final = (judge_command, diff_command)


def register(group: click.Group) -> None:
    """Add the commands to the command line."""
    for command in COMMANDS:
        group.add_command(command)
