"""The command `refengine judge`, which finds the errors in games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import partial
from itertools import chain
from typing import Any

import attrs
import click

from refengine.chapters.table import SEATS
from refengine.cli.colours import right
from refengine.cli.colours import wrong as wrong_place
from refengine.cli.files import (
    ExitCode,
    RulesAt,
    WrittenGames,
    each_line,
    files_argument,
    numbered_games,
)
from refengine.cli.files import Game as OneGame
from refengine.cli.judge_text import (
    fit_fields,
    fit_lines,
    judged_lines,
    judgement_fields,
    row_fields,
    table_lines,
)
from refengine.cli.part_text import part_fields, part_lines
from refengine.cli.record_text import deal_fields, record_fields, record_lines
from refengine.cli.screen import head
from refengine.cli.shared import (
    check_profile_named,
    json_option,
    print_json,
    ruleset_of,
)
from refengine.errors import Malformed
from refengine.exit_codes import TOO_FEW, WRONG
from refengine.formats.written.completing_written import PartKnown
from refengine.formats.written.written_match import WrittenDeal, WrittenMatch
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match
from refengine.jobs.unread_output import finish_unread
from refengine.rulings.called import called
from refengine.rulings.explain import said_fields
from refengine.rulings.judge import (
    Judgement,
    judge_game,
    judge_part_known,
    judge_under_all_profiles,
)
from refengine.rulings.records import Beside, DealOnRecord, JudgedRecord, judge_record
from refengine.rulings.rulesets_of_game import rulesets_that_fit
from refengine.rulings.ruling_text import under_lines
from refengine.rulings.sentences import Said
from refengine.rulings.submitted_game import Game, read_game, start_of_game


@click.command("judge")
@files_argument
@click.option("--profile", help="Judge under this profile or club's file only.")
@click.option(
    "--players",
    type=int,
    help="With --profile: the number of players, by default that of the game.",
)
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

    FILES hold traces or logs, or games as somebody wrote them down; `-` is standard
    input. Without --profile, the rules are those that the game names, and the same game
    is judged under every profile. With --match, each deal is also checked against the
    deals before it, as the deals of a written match always are.
    """
    finish_unread()
    check_profile_named(profile, players, options)

    def rules_at(number: int | None) -> Ruleset:
        assert profile is not None
        return ruleset_of(profile, number if players is None else players, options)

    if profile is not None:
        _check_flags(rules_at)
    judging = _Judging(None if profile is None else rules_at, as_json)
    if as_match:
        judging.match_of_files(files)
    else:
        judging.games_of_files(files)


def _check_flags(rules_at: RulesAt) -> None:
    """Raise Malformed if the flags do not name rules for any number of players.

    Such an error is the fault of the flags, not of a line.
    """
    try:
        rules_at(None)
    except Malformed:
        for number in range(2, SEATS + 1):
            with suppress(Malformed):
                rules_at(number)
                return
        raise


Tell = Callable[[], None]
"""A function that prints the outcome of something that has been judged."""


@attrs.frozen
class _WrittenGame:
    """A game of a written match: the whole match, or one of its deals.

    `deals` are the deals in it, as they are written. `begun` is the match that begins
    with the first of them; None if none does.
    """

    place: str
    game: OneGame
    deals: Sequence[WrittenDeal]
    begun: WrittenMatch | None


@attrs.define
class _Judging:
    """Judges the games of one command, and keeps count of the outcomes."""

    flags: RulesAt | None
    as_json: bool
    judged: int = 0
    wrong: bool = False

    def games_of_files(self, files: tuple[str, ...]) -> None:
        """Judge each game, and the deals of a written match against each other."""
        ending = each_line(
            files,
            lambda place, line: self.line(place, line)(),
            every=self.as_json,
            lines_of=partial(numbered_games, rules_at=self.flags),
            do_part=lambda place, part: self.part(place, part)(),
            do_written=self.written,
        )
        self.leave(ending)

    def match_of_files(self, files: tuple[str, ...]) -> None:
        """Judge the deals as one match; if a deal cannot be read, none is judged."""
        deals: list[tuple[str, DealOnRecord]] = []
        called_by: set[tuple[str, ...]] = set()

        def keep(place: str, line: bytes) -> None:
            deals.append((place, DealOnRecord.of_game(read_game(line))))

        def keep_written(
            _: str, written: WrittenGames
        ) -> Iterator[tuple[str, Malformed]]:
            called_by.add(written.match.names)
            for one in _deals(written):
                try:
                    deals.append((one.place, _on_record(one)))
                except Malformed as error:
                    yield one.place, error

        ending = each_line(
            files,
            keep,
            every=self.as_json,
            lines_of=partial(numbered_games, rules_at=self.flags, apart=True),
            do_written=keep_written,
        )
        if deals and not ending.codes:
            names = next(iter(called_by)) if len(called_by) == 1 else ()
            record = self.record([deal for _, deal in deals], names)
            with nullcontext() if self.as_json or not called_by else called(names):
                self.tell_record([place for place, _ in deals], record)
        self.leave(ending)

    def leave(self, ending: ExitCode) -> None:
        """End the command with the exit code that results.

        The command also fails if a game was wrong or if nothing was judged.
        """
        if self.wrong:
            ending.codes.add(WRONG)
        if not self.judged and not ending.codes:  # all files are empty, as already said
            ending.codes.add(TOO_FEW)
        ending.leave()

    # Judge one thing, and return or call the function that prints the outcome

    def line(
        self,
        place: str,
        line: bytes,
        deals: Sequence[WrittenDeal] = (),
        begun: WrittenMatch | None = None,
    ) -> Tell:
        """Judge a trace or a log together with what is written about its deals.

        `begun` is the match that begins with them; where the game is that match, its
        cut is already part of the game. Returns a function that prints the outcome.
        """
        game = read_game(line)
        everywhere = self.flags is None
        ruleset = None if self.flags is None else self.flags(game.ruleset.players)
        judgement = judge_game(game, ruleset)
        if isinstance(start_of_game(game), Match) and begun is not None and deals:
            first, *later = deals
            deals, begun = [attrs.evolve(first, number=first.number or 1), *later], None
        beside = Beside.of(judgement.ruleset, deals, begun, whole=True)
        fields: dict[str, Any] = {}
        if self.as_json:  # for text, `_lines` tries all other rules itself
            fields = _fields(game, judgement, everywhere) | _beside_fields(beside)
        return partial(
            self.tell,
            place,
            judgement.fits and not beside.all,
            fields,
            _lines(game, judgement, beside.all, everywhere),
        )

    def part(
        self,
        place: str,
        part: PartKnown,
        deals: Sequence[WrittenDeal] = (),
        begun: WrittenMatch | None = None,
    ) -> Tell:
        """Judge a deal that is known only in part.

        `begun` is the match that begins with it. Returns a function that prints the
        outcome.
        """
        rules = part.match.ruleset
        assert rules is not None
        found = judge_part_known(part, rules)
        beside = Beside.of(rules, deals, begun, whole=bool(part.line))
        return partial(
            self.tell,
            place,
            found.fits and not beside.all,
            {**part_fields(rules, found), **_beside_fields(beside)},
            chain(under_lines(rules), part_lines(part.match, found, beside.all)),
        )

    def tell(
        self, place: str, fits: bool, fields: dict[str, Any], lines: Iterable[str]
    ) -> None:
        """Print the outcome of one game, and count it.

        As JSON the outcome is `fields`, and as text `lines`.
        """
        if self.as_json:
            print_json({"line": place, **fields})
        else:
            named = right(place) if fits else wrong_place(place)
            click.echo("\n".join([named, *lines]))
        self.judged += 1
        self.wrong = self.wrong or not fits

    def written(self, _: str, written: WrittenGames) -> list[tuple[str, Malformed]]:
        """Judge a match that is written down, as a whole or deal by deal.

        If the deals cannot be compared with each other, each is judged alone. Returns
        the error in each game that cannot be judged, with its place.
        """
        names = written.match.names
        tells: list[Tell] = []
        wrong: list[tuple[str, Malformed]] = []
        with nullcontext() if self.as_json else called(names):
            if len(written.games) > 1:
                with suppress(Malformed):
                    tells = [self.match(deals, names) for deals in _matches(written)]
            if not tells:
                for one in _alone(written):
                    try:
                        tells.append(self.alone(one))
                    except Malformed as error:
                        wrong.append((one.place, error))
            for tell in tells:
                tell()
        return wrong

    def match(self, deals: Sequence[_WrittenGame], names: Sequence[str]) -> Tell:
        """Judge the deals of one match together, or a single deal alone.

        Returns a function that prints the outcome.
        """
        if len(deals) == 1:
            return self.alone(deals[0])
        record = self.record([_on_record(one) for one in deals], names)
        return partial(self.tell_record, [one.place for one in deals], record)

    def alone(self, one: _WrittenGame) -> Tell:
        """Judge a written match, or a single deal of one, as one game.

        Returns a function that prints the outcome. Raises Malformed if the game is an
        error or cannot be read.
        """
        if isinstance(one.game, Malformed):
            raise one.game
        if isinstance(one.game, PartKnown):
            return self.part(one.place, one.game, one.deals, one.begun)
        return self.line(one.place, one.game, one.deals, one.begun)

    def record(
        self, deals: Sequence[DealOnRecord], names: Sequence[str]
    ) -> JudgedRecord:
        """Judge the deals of one match, under the rules that the flags name, if any."""
        players = deals[0].ruleset.players
        ruleset = None if self.flags is None else self.flags(players)
        return judge_record(deals, ruleset, names)

    def tell_record(self, places: Sequence[str], record: JudgedRecord) -> None:
        """Count the deals of one match, and print their outcome."""
        self.judged += len(record.deals)
        self.wrong = self.wrong or not record.fits
        if not self.as_json:
            click.echo("\n".join(record_lines(places, record)))
            return
        for place, deal in zip(places, record.deals, strict=True):
            print_json(deal_fields(place, record.ruleset, deal))
        print_json(record_fields(record))


def _deals(written: WrittenGames) -> Iterator[_WrittenGame]:
    """The deals of a written match, each of which is a game of its own."""
    match = written.match
    pairs = zip(written.games, match.deals, strict=True)
    for at, ((place, game), deal) in enumerate(pairs):
        yield _WrittenGame(place, game, (deal,), match.begun_by(at))


def _alone(written: WrittenGames) -> Iterator[_WrittenGame]:
    """The games of a written match, each with its deals and the match it begins."""
    match = written.match
    if len(written.games) == 1:
        [(place, game)] = written.games
        yield _WrittenGame(place, game, match.deals, match.begun_by(0))
        return
    for at, one in enumerate(_deals(written)):
        # Where another deal has a cut before it, that is one too many
        begins = at == 0 or one.deals[0].number == 1
        yield one if begins else attrs.evolve(one, begun=None)


def _matches(written: WrittenGames) -> Iterator[list[_WrittenGame]]:
    """The deals grouped by match; a deal with the number 1 begins another match."""
    match: list[_WrittenGame] = []
    for one in _deals(written):
        if match and one.deals[0].number == 1:
            yield match
            match = []
        match.append(one)
    yield match


def _on_record(one: _WrittenGame) -> DealOnRecord:
    """A deal with what is written about it, to be judged as part of a match.

    Raises Malformed if the deal cannot be read or judged in this way.
    """
    if isinstance(one.game, Malformed):
        raise one.game
    read = one.game if isinstance(one.game, PartKnown) else read_game(one.game)
    return DealOnRecord.of_written(read, one.deals[0], one.begun)


def _beside_fields(beside: Beside) -> dict[str, Any]:
    """What is wrong other than the play, as plain values; empty if nothing is wrong."""
    found: dict[str, Any] = {"outcome": "fail"} if beside.all else {}
    for key, said in (("begins", beside.begins), ("beside", beside.beside)):
        found |= {key: said_fields(said)} if said else {}
    return found


def _lines(
    game: Game, judgement: Judgement, begins: Sequence[Said], everywhere: bool
) -> Iterator[str]:
    yield from under_lines(judgement.ruleset)
    yield from judged_lines(game, judgement, begins)
    if everywhere:
        if elsewhere := judge_under_all_profiles(game)[1:]:
            yield head("The same game elsewhere")
            yield from table_lines(game, elsewhere)
        yield head("Rules that fit the whole game, nearest first")
        yield from fit_lines(game, rulesets_that_fit(game))


def _fields(game: Game, judgement: Judgement, everywhere: bool) -> dict[str, Any]:
    found = judgement_fields(game, judgement)
    if everywhere:
        found["under"] = [row_fields(one) for one in judge_under_all_profiles(game)]
        found["fits"] = [fit_fields(one) for one in rulesets_that_fit(game)]
    return found
