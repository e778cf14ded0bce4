"""The command `refengine explain`, which explains acts and answers questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import click
from click.core import ParameterSource

from refengine.cli.colours import right, ruling_in_colours, wrong
from refengine.cli.files import (
    games_of_file,
    line_among,
    line_with_id,
    lines_of_file,
    placed,
    readable,
)
from refengine.cli.questions_typed import (
    QUESTION_FLAGS,
    fields_of,
    kinds_asked,
    read_json,
    rules_typed,
)
from refengine.cli.screen import head
from refengine.cli.shared import NamedPath, json_option, print_json
from refengine.errors import Malformed, counted
from refengine.formats.openings import opening_of
from refengine.formats.trace import Trace, read_trace
from refengine.game.typed import RULESET_FLAGS, naming_flags
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import DEFAULT_PROFILE, MOMENTS
from refengine.rulings.explain import explain, ruling_fields, verdict_word
from refengine.rulings.failed_case import Failure, is_report, wrong_answers
from refengine.rulings.ruling_text import ruling_lines, short_lines
from refengine.rulings.submitted_game import moment_at, other_acts_asked, read_game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class _Once(click.Command):
    """A command that fails if an option that takes a single value is given twice."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, after checking for options that are given twice."""
        _, _, order = self.make_parser(ctx).parse_args(args=[*args])
        for option, number in Counter(order).items():
            if not isinstance(option, click.Option) or number == 1:
                continue
            if not (option.multiple or option.is_flag):
                raise click.UsageError(f"{option.opts[0]} is given twice", ctx)
        return super().parse_args(ctx, args)


@click.command("explain", cls=_Once)
@click.argument("file", required=False, type=NamedPath())
@click.option(
    "--at",
    type=click.IntRange(1),
    help="Which step, or card of a log; by default the first that is not legal, or "
    "the last.",
)
@click.option(
    "--line",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Which line of FILE.",
)
@click.option(
    "--corpus",
    help="For a report: the file that has its traces; by default the published ones.",
)
@click.option("--hand", help='The cards of a hand, as "QS 2H", instead of FILE.')
@click.option("--trick", help="The cards on the table, in order.")
@click.option("--card", help="The card in question; by default every card.")
@click.option("--draw", is_flag=True, help="Ask whether a card may be drawn.")
@click.option(
    "--first-trick", is_flag=True, help="It is the first trick; by default a later one."
)
@click.option(
    "--hearts-broken",
    is_flag=True,
    help="Hearts have been played; by default only if one is in --trick.",
)
@click.option("--leader", type=int, help="The seat that leads or led; by default 0.")
@click.option(
    "--seat",
    type=int,
    help="Whose hand it is, or who is meant; by default the seat whose turn it is, "
    "with --pass seat 0.",
)
@click.option("--drew", help="The cards in the hand that were drawn in this turn.")
@click.option(
    "--stock",
    type=click.IntRange(0, 52),
    help="Cards left in the stock; by default 4 where there is one.",
)
@click.option("--pass", "passing", is_flag=True, help="Ask how cards are passed.")
@click.option("--cards", help="For --pass: the cards to pass, out of --hand.")
@click.option("--deal", type=int, help="The number of the deal; by default 1.")
@click.option(
    "--score",
    metavar="TAKEN",
    help='Ask who pays what: the cards that count, "QS 2H / AH / / 3H" by seat.',
)
@click.option(
    "--tricks",
    help='For --score: the tricks won, "3 4 0 6"; by default one each.',
)
@click.option("--totals", help='The totals, "70 60 50 99": before --score, at --end.')
@click.option(
    "--choice",
    help="For --score, after a moon: self_minus, others_plus or a seat; by default the "
    "answer shows each.",
)
@click.option("--revoked", help="For --score: the seats whose revokes were claimed.")
@click.option("--reached", is_flag=True, help="An earlier deal reached the limit.")
@click.option("--end", is_flag=True, help="Ask whether the match is over.")
@click.option(
    "--deals", type=int, help="For --end: the number of deals played; by default 1."
)
@click.option("--turn", is_flag=True, help="Ask whose turn it is.")
@click.option("--out", help='For --turn: the seats without cards, "1 3".')
@click.option("--dealer", type=int, help="For --turn: the dealer.")
@click.option("--revoke", metavar="WHEN", help=f"When noticed: {', '.join(MOMENTS)}.")
@click.option("--opening", is_flag=True, help="Ask what --players can play.")
@click.option("--hands", help='For --opening: the size of each hand, "13 13 12 14".')
@click.option("--table", metavar="NUMBER", help="Ask about a clause of chapter 10.")
@click.option("--answer", "answers", multiple=True, help="For --table: NAME=ANSWER.")
@click.option("--question", help="The whole question as JSON.")
@click.option(
    "--profile",
    help="For a question: the profile, or the file of a club; by default "
    f"{DEFAULT_PROFILE}; --table needs none.",
)
@click.option(
    "--players",
    type=int,
    help="For a question: the number of players; by default the usual one.",
)
@click.option("--option", "options", multiple=True, help="For a question: NAME=VALUE.")
@json_option
def explain_command(
    file: str | None,
    at: int | None,
    line: int,
    corpus: str | None,
    question: str | None,
    profile: str | None,
    players: int | None,
    options: tuple[str, ...],
    as_json: bool,
    **typed: Any,
) -> None:
    """Say what happened, why it was or was not allowed, and what follows.

    FILE holds a trace, a log, a game as somebody wrote it down, or a report of
    `conform run`. Without --at, the first act that is not legal is explained or, if
    every act is legal, the last.

    Instead of FILE, give a question: about a hand, with --hand and --trick; about a
    pass, a score, the end of a match, whose turn it is, a revoke, an opening, or a
    dispute at the table; or any of these as JSON, with --question.
    """
    kinds = kinds_asked(typed)
    if question is not None:
        kinds.append("question")
    if (file is not None) + len(kinds) != 1:
        if not kinds and file is None:
            wanted = "a FILE, or a question such as --hand CARDS or --score CARDS"
            raise Malformed("nothing to explain", wanted)
        found = " and ".join(["FILE", *kinds] if file is not None else kinds)
        raise Malformed(found, "one of them")
    _check_flags(file is not None, question is not None)
    if file is not None:
        _explain_file(file, at, line, corpus, as_json)
        return
    said = fields_of(kinds[0], typed) if question is None else read_json(question)
    _answer_question(said, question is not None, profile, players, options, as_json)


def _check_flags(beside_file: bool, beside_question: bool) -> None:
    """Raise UsageError for a flag that was typed and would be ignored."""
    context = click.get_current_context()
    typed = [
        one
        for one in context.command.params
        if isinstance(one, click.Option)
        and context.get_parameter_source(str(one.name)) is ParameterSource.COMMANDLINE
    ]
    why = "is for a question, and FILE has its own rules and cards"
    if not beside_file:
        why = "needs FILE"
    for one in typed:
        if (one.name in _OF_FILE) is not beside_file and one.name != "as_json":
            raise click.UsageError(f"{one.opts[0]} {why}")
        if beside_question and one.name not in _OF_QUESTION:
            why = "cannot be used with --question, which has the whole question"
            raise click.UsageError(f"{one.opts[0]} {why}")


_OF_QUESTION: Final = ("question", "profile", "players", "options", "as_json")
_OF_FILE: Final = ("at", "line", "corpus")


def _answer_question(
    said: object,
    is_json: bool,
    profile: str | None,
    players: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print the answer to a question, under the rules that were typed beside it.

    `is_json` says that the question was given with --question. It may then have rules
    of its own, and messages name its keys and not the flags. Unless the question is
    about the table, which needs no rules, the default profile is assumed if none is
    named, and the answer says so.
    """
    untold = False
    flags = QUESTION_FLAGS if not is_json else {}
    told = (profile, players) != (None, None) or bool(options)
    if isinstance(said, dict) and "rules" not in said:
        named = DEFAULT_PROFILE if profile is None else profile
        of_table = said.get("ask") == "table"  # which needs no rules
        if told or not of_table:
            said["rules"] = rules_typed(named, players, options)
        untold = profile is None and (told or not of_table)
        if is_json:  # whose own keys keep their names
            flags = {key: RULESET_FLAGS[key] for key in {*RULESET_FLAGS} - {*said}}
    elif isinstance(said, dict) and told:
        why = "has rules of its own, or takes --profile, --players and --option"
        raise click.UsageError(f"--question {why}")
    with naming_flags(flags):
        found = answer(said)
    if untold:
        which = f"you play {DEFAULT_PROFILE}, as no --profile names another game"
        found = attrs.evolve(found, granted=(which, *found.granted))
    if as_json:
        print_json(answer_fields(found))
    else:
        click.echo("\n".join(ruling_in_colours(answer_lines(found), found.verdict)))


def _explain_file(
    file: str, at: int | None, line: int, corpus: str | None, as_json: bool
) -> None:
    """Explain an act of one game in a file, or every wrong answer in a report.

    Raises UsageError if --at or --line is given for a report, or --corpus for a game.
    """
    games = games_of_file(file)
    begun = list(islice(games, 1))
    whole = chain(begun, games)
    if any(isinstance(one, bytes) and is_report(one) for _, one in begun):
        if at is not None or line > 1:
            flag = "--line" if at is None else "--at"
            why = "is for a trace or a log, and FILE is a report"
            raise click.UsageError(f"{flag} {why}")
        _explain_report((readable(one) for _, one in whole), corpus, as_json)
        return
    if corpus is not None:
        raise click.UsageError("--corpus is for a report, and FILE is none")
    place, content = _game_of(whole, line, file)
    try:
        game = read_game(content)
        moment = moment_at(game, at)
    except Malformed as error:
        if error.where == "--at":
            raise
        raise placed(error, place) from None
    ruling = explain(moment.state, moment.act)
    asked = [explain(moment.state, act) for act in other_acts_asked(game, moment)]
    if as_json:
        fields = {"at": moment.place, **ruling_fields(ruling)}
        if asked:
            fields["asked"] = [ruling_fields(one) for one in asked]
        print_json(fields)
        return
    said = verdict_word(ruling.verdict)
    click.echo("\n".join(ruling_in_colours(ruling_lines(ruling), said)))
    if asked:
        click.echo(f"\n{head('Also asked')}")
        click.echo("\n".join(line for one in asked for line in short_lines(one)))


def _game_of(
    games: Iterable[tuple[str, bytes | Malformed]], number: int, name: str
) -> tuple[str, bytes]:
    """The place and the line of the game with this number, counted from 1.

    Raises Malformed if there are fewer games, or if this one cannot be read.
    """
    found = 0
    for found, (place, game) in enumerate(games, 1):
        if found == number:
            return place, readable(game)
    raise Malformed(counted(found, "line"), f"a line {number}", name)


@attrs.define
class _Corpus:
    """A file of traces. Of a pipe, each line is read once, and kept."""

    name: str
    lines: Iterator[bytes]

    def line_with_id(self, name: str) -> bytes | None:
        """The line of the trace with this id; None if the file has none."""
        if self.name != "-" and Path(self.name).is_file():
            return line_with_id(name, [self.name])
        self.lines, again = tee(self.lines)
        return line_among(name, again)


def _explain_report(lines: Iterable[bytes], corpus: str | None, as_json: bool) -> None:
    games = None if corpus is None else _Corpus(corpus, lines_of_file(corpus))
    report = b""
    for line in lines:
        report = line if line.startswith(b'{"report"') else report
        for one in wrong_answers(line, partial(_asked, games, report)):
            if as_json:
                fields = attrs.asdict(one, recurse=False)
                ruling = one.ruling and ruling_fields(one.ruling)
                print_json({**fields, "ruling": ruling})
            else:
                click.echo("\n".join([*_failure_lines(one), ""]))


def _failure_lines(one: Failure) -> Iterator[str]:
    yield head(f"{one.trace}, {one.where}: {one.asked}")
    yield f"  the book says   {right(one.expected)}"
    yield f"  the engine says {wrong(one.got)}"
    if one.ruling is not None:
        yield from short_lines(one.ruling)


def _asked(corpus: _Corpus | None, begins: bytes, name: str) -> Trace | None:
    """The trace with this id; None if it cannot begin.

    It is taken from `corpus` or, if there is none, from the games of the run whose
    report begins with `begins`. Raises Malformed if there is no such trace.
    """
    line = _line_asked(begins, name) if corpus is None else corpus.line_with_id(name)
    if line is None:
        where = _home_of_games() if corpus is None else corpus.name
        raise Malformed(f"no trace {name}", f"a trace of {where}; see --corpus", "case")
    return None if opening_of(line) else read_trace(line)


def _home_of_games() -> str:
    """A phrase for the place where traces are looked for if no file is named."""
    if any(_packages_with_games()):
        return "the published corpus"
    return "the published corpus, which comes with refengine-conform"


def _line_asked(head: bytes, name: str) -> bytes | None:
    """The line with this id, or None if no installed package has it.

    Packages that know the games of a run are asked one after the other.
    """
    for entry in _packages_with_games():
        line: bytes | None = entry.load()(head, name)
        if line is not None:
            return line
    return None


def _packages_with_games() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # late: slow, and only reports need it

    return entry_points(group="refengine.games")
