"""`refengine judge`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from refengine.cli.colours import right
from refengine.cli.colours import wrong as wrong_place
from refengine.cli.files import ExitCode, each_line, files_argument, numbered_games
from refengine.cli.judge_text import (
    fit_fields,
    fit_lines,
    judgement_fields,
    judgement_lines,
    row_fields,
    table_lines,
)
from refengine.cli.part_text import part_fields, part_lines
from refengine.cli.record_text import deal_fields, record_fields, record_lines
from refengine.cli.screen import head
from refengine.cli.shared import TOO_FEW, WRONG, json_option, print_json, ruleset_of
from refengine.formats.written.completing_written import PartKnown
from refengine.game.rulesets import Ruleset
from refengine.rulings.judge import Judgement, judge_game, judge_under_all_profiles
from refengine.rulings.partly_known import judge_part
from refengine.rulings.records import judge_record
from refengine.rulings.submitted_game import Game, read_game
from refengine_conformance.diagnosis.rulesets_of_game import rulesets_that_fit
from refengine_conformance.jobs.unread_output import finish_unread


@click.command("judge")
@files_argument
@click.option("--profile", help="Judge under this profile or club's file only.")
@click.option("--players", type=int, help="With --profile: the number of players.")
@click.option("--option", "options", multiple=True, help="With --profile: NAME=VALUE.")
@click.option(
    "--match",
    "as_match",
    is_flag=True,
    help="The lines are the deals of one match, in order.",
)
@json_option
def judge_command(
    files: tuple[str, ...],
    profile: str | None,
    players: int | None,
    options: tuple[str, ...],
    as_match: bool,
    as_json: bool,
) -> None:
    """Judge games: illegal acts, wrong scores, and the rules that fit.

    FILES hold traces or logs, `-` is standard input. Without --profile the rules are
    those that the game names, and the same game is judged under every profile. With
    --match each deal is also held against those before it.
    """
    finish_unread()
    ruleset = None if profile is None else ruleset_of(profile, players, options)
    if as_match:
        _judge_match(files, ruleset, as_json)
        return
    wrong, judged = False, 0

    def judge_line(place: str, line: bytes) -> None:
        nonlocal wrong, judged
        game = read_game(line)
        judged += 1
        judgement = judge_game(game, ruleset)
        wrong = wrong or not judgement.fits
        if as_json:
            print_json({"line": place, **_fields(game, judgement, ruleset is None)})
        else:
            named = right(place) if judgement.fits else wrong_place(place)
            lines = _lines(game, judgement, ruleset is None)
            click.echo(f"{named}\n" + "\n".join(lines))

    def judge_known(place: str, part: PartKnown) -> None:
        nonlocal wrong, judged
        [deal] = part.match.deals
        rules = part.match.ruleset
        assert rules is not None
        found = judge_part(rules, deal, part.match.pack, part.leader)
        judged += 1
        wrong = wrong or not found.fits
        if as_json:
            print_json({"line": place, **part_fields(rules, found)})
        else:
            named = right(place) if found.fits else wrong_place(place)
            click.echo(f"{named}\n" + "\n".join(part_lines(part.match, found)))

    lines_of = partial(numbered_games, ruleset=ruleset)
    ending = each_line(
        files, judge_line, every=as_json, lines_of=lines_of, do_part=judge_known
    )
    if wrong:
        ending.codes.add(WRONG)
    _leave(ending, judged)


def _judge_match(
    files: tuple[str, ...], ruleset: Ruleset | None, as_json: bool
) -> None:
    """Judge the deals of one match; a line that cannot be read leaves it unjudged."""
    games: dict[str, Game] = {}

    def keep(place: str, line: bytes) -> None:
        games[place] = read_game(line)

    lines_of = partial(numbered_games, ruleset=ruleset)
    ending = each_line(files, keep, every=as_json, lines_of=lines_of)
    if games and not ending.codes:
        record = judge_record(games.values(), ruleset)
        if not record.fits:
            ending.codes.add(WRONG)
        if as_json:
            for place, deal in zip(games, record.deals, strict=True):
                print_json(deal_fields(place, deal))
            print_json(record_fields(record))
        else:
            click.echo("\n".join(record_lines([*games], record)))
    _leave(ending, len(games))


def _leave(ending: ExitCode, judged: int) -> None:
    """End the command; that nothing was judged is not all right."""
    if not judged and not ending.codes:  # and each file was told to have no line
        ending.codes.add(TOO_FEW)
    ending.leave()


def _lines(game: Game, judgement: Judgement, everywhere: bool) -> Iterator[str]:
    yield from judgement_lines(game, judgement)
    if everywhere:
        yield head("The same game elsewhere")
        yield from table_lines(game, judge_under_all_profiles(game)[1:])
        yield head("Rules that fit the whole game, nearest first")
        yield from fit_lines(game, rulesets_that_fit(game))


def _fields(game: Game, judgement: Judgement, everywhere: bool) -> dict[str, Any]:
    found = judgement_fields(game, judgement)
    if everywhere:
        found["under"] = [row_fields(one) for one in judge_under_all_profiles(game)]
        found["fits"] = [fit_fields(one) for one in rulesets_that_fit(game)]
    return found
