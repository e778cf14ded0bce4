"""The files that commands read line by line, and the exit code that results."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import BinaryIO, Final

import attrs
import click

from refengine.cli.shared import NamedPath
from refengine.cli.streams import check_input
from refengine.errors import (
    MOST_TOLD,
    Malformed,
    harmless,
    more_unreadable,
    unusable_file,
)
from refengine.exit_codes import UNREADABLE, first_code
from refengine.formats import file_lines
from refengine.formats.parsing import parse_line
from refengine.formats.trace import write_trace
from refengine.formats.written.completing_written import (
    Completed,
    PartKnown,
    completed_parts,
)
from refengine.formats.written.played_written import (
    is_one_match,
    part_of,
    trace_written,
)
from refengine.formats.written.reading_written import is_partly_written, matches_written
from refengine.formats.written.written_match import WrittenMatch
from refengine.game.rulesets import Ruleset
from refengine.game.verdicts import Refused
from refengine.lawbook.text_files import text_of_bytes
from refengine.rulings.sheets.fitting_sheets import MOST_PLAYED
from refengine.rulings.sheets.reading_sheets import read_sheets
from refengine.rulings.standing import stood

_LOOKED_AT: Final = 64
# Not a brace, a control character, or a byte that cannot begin a character in UTF-8;
# nor a bracket, unless what follows cannot be JSON, as in a time stamp or a tag.
_TEXT: Final = re.compile(
    rb"[^{\[\x00-\x1f\x7f-\xc1\xf5-\xff]"
    rb"|\[(?:\d{4}-\d\d|\d{1,2}:\d\d|(?![\s{\[\"\d\-\]]|(?:true|false|null)\b).)"
)
_LARGEST: Final = 16 * 1024 * 1024  # the most bytes of a file that is read whole

files_argument = click.argument("files", nargs=-1, required=True, type=NamedPath())


@contextmanager
def open_for_reading(name: str) -> Iterator[BinaryIO]:
    """A stream of the raw bytes of a file; `-` is standard input.

    Raises Malformed if the file cannot be read or standard input is closed.
    """
    if name == "-":
        check_input()
        yield sys.stdin.buffer
        return
    try:
        with open(name, "rb") as stream:
            yield stream
    except OSError as error:
        raise unusable_file(error, "read", name) from None


def text_of_input(name: str) -> str:
    """The text of a whole file; `-` is standard input.

    Raises Malformed if the file cannot be read, is not text or exceeds 16 MiB.
    """
    with open_for_reading(name) as stream:
        content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise _too_large(name)
    return text_of_bytes(content)


def _too_large(name: str, unless: str = "") -> Malformed:
    """The error for a file that is too large to be read whole."""
    return Malformed("a larger file", f"at most 16 MiB{unless}", name)


def lines_of_file(name: str) -> Iterator[bytes]:
    """The lines of a file; `-` is standard input.

    Raises Malformed at the first line that cannot be read.
    """
    with open_for_reading(name) as stream:
        try:
            yield from map(readable, file_lines.lines_of_file(stream))
        except Malformed as error:
            raise error.within(name) from None


def line_with_id(name: str, files: Iterable[str]) -> bytes | None:
    """The first line in these files that is a trace with this id, or None.

    Raises Malformed at an earlier line that cannot be read.
    """
    return line_among(name, chain.from_iterable(map(lines_of_file, files)))


def line_among(name: str, lines: Iterable[bytes]) -> bytes | None:
    """The first of these lines that is a trace with this id, or None.

    Raises Malformed at an earlier line that cannot be read.
    """
    sought = name.encode()
    for line in lines:
        if sought not in line:  # the case for nearly every line
            continue
        plain = parse_line(line)
        if isinstance(plain, dict) and "trace" in plain and plain.get("id") == name:
            return line
    return None


def readable(line: bytes | Malformed) -> bytes:
    """Return the line, or raise it if it is an error."""
    if isinstance(line, Malformed):
        raise line
    return line


def numbered_lines(name: str) -> Iterator[tuple[str, bytes | Malformed]]:
    """The lines of a file, each with its place; a bad line is replaced by its error."""
    shown = harmless(name)
    try:
        with open_for_reading(name) as stream:
            yield from _placed_lines(shown, stream)
    except Malformed as error:
        yield shown, Malformed(error.found, error.allowed)


def _placed_lines(
    shown: str, stream: BinaryIO
) -> Iterator[tuple[str, bytes | Malformed]]:
    """The lines of a stream, each with its place in the file that is named `shown`."""
    number = 0
    try:
        for number, line in file_lines.numbered_lines_of(stream):
            yield f"{shown}:{number}", line
    except Malformed as error:
        place = shown if error.where else f"{shown}:{number + 1}"
        yield place, Malformed(error.found, error.allowed)


Game = bytes | Malformed | PartKnown
"""The line of a trace or a log, the error in it, or a deal known in part."""

RulesAt = Callable[[int | None], Ruleset]
"""A function from a number of players, or None for the usual number, to the rules."""


@attrs.frozen
class WrittenGames:
    """A match that somebody wrote down, as one or more games to be judged.

    Each of `games` comes with the place where it begins: there is one game for the
    whole match, or one for each deal of `match`.
    """

    match: WrittenMatch
    games: tuple[tuple[str, Game], ...]


def numbered_games(
    name: str, rules_at: RulesAt | None = None, apart: bool = False
) -> Iterator[tuple[str, Game | WrittenGames]]:
    """The games of a file with their places; people may have written the games down.

    A match that was written down comes as WrittenGames, or as the error in it, with the
    place where it begins. It is usually one game. Each deal is a game if `apart` is
    set, if a deal is known only in part, or if the match cannot be played through. A
    file that has neither cards nor any line of a written game is read line by line, as
    by `numbered_lines`; a score sheet comes as an error. Raises Malformed for a file of
    written games that is larger than 16 MiB.
    """
    shown = harmless(name)
    content = b""
    try:
        with open_for_reading(name) as stream:  # once, since it may be a pipe
            content = _plain_text(stream)
            if not content:
                yield from _placed_lines(shown, stream)
    except Malformed as error:
        yield shown, Malformed(error.found, error.allowed)
    if not content:
        return
    if len(content) > _LARGEST:
        raise _too_large(name, ", unless each line is a game")
    text = content.decode("utf-8-sig", "replace")
    try:
        for number, match in matches_written(text_of_bytes(content)):
            place = f"{shown}:{number}"
            yield place, _games_of_match(place, match, rules_at, apart)
    except Malformed as error:
        if _is_a_sheet(text):
            allowed = "games; for a score sheet there is `refengine scores`"
            yield f"{shown}:1", Malformed("a score sheet", allowed)
        elif not is_partly_written(text):
            yield from _placed_lines(shown, io.BytesIO(content))
        else:
            place = error.in_file(shown).where
            yield place, Malformed(error.found, error.allowed)


def _is_a_sheet(text: str) -> bool:
    """Whether the text is a score sheet of several rows and holds no written game."""
    rows = 0
    if not is_partly_written(text):
        with suppress(Malformed):
            rows = sum(len(one.rows) for one in read_sheets(text))
    return rows > 1


def _games_of_match(
    place: str, match: WrittenMatch, rules_at: RulesAt | None, apart: bool
) -> WrittenGames | Malformed:
    """The games of a written match, or the error in the match.

    The match is one game if possible; if `apart` is set, each deal is a game.
    """
    try:
        if apart and not match.deals:
            raise Malformed("no deal", "the deals of a match")
        if match.ruleset is None and rules_at is not None:
            # What the flags say is not taken for granted
            ruleset = rules_at(_players(match))
            match = attrs.evolve(match, ruleset=ruleset, players=ruleset.players)
        parts = completed_parts(match, _usual(match), apart)
        if len(match.deals) > len(parts) and not is_one_match(parts[0].match):
            parts = completed_parts(match, _usual(match), apart=True)
    except Malformed as error:
        return error
    places = [place] if len(parts) == 1 else [*_places(place, match, parts)]
    for at, one in zip(places, parts, strict=True):
        for said in one.granted:
            click.echo(f"{at}: taken for granted: {said}", err=True)
    games = zip(places, map(_game_of_part, parts), strict=True)
    return WrittenGames(match, tuple(games))


def _places(
    place: str, match: WrittenMatch, parts: Iterable[Completed | PartKnown]
) -> Iterator[str]:
    """The place of each deal, which ends with the number of the deal in the match."""
    number = 0
    for one, stated in zip(parts, match.deals, strict=True):
        after = number + 1 if number else one.match.deals[0].number
        number = stated.number or after or 1
        yield f"{place} deal {number}"


def _game_of_part(part: Completed | PartKnown) -> Game:
    """A deal as the line of a trace, or the error that prevents this.

    A deal that is known only in part is returned unchanged. A match of a single deal
    may also become such a part (see `part_of`).
    """
    if isinstance(part, PartKnown):
        return part
    try:
        trace = trace_written(part.match, stood)
        return part_of(part.match, trace) or write_trace(trace)
    except Malformed as error:
        return error


def _players(match: WrittenMatch) -> int | None:
    """The number of players, as written or as the tricks show; None if unknown."""
    tricks = [len(one.cards) for deal in match.deals for one in deal.tricks]
    return match.players or max(tricks, default=0) or None


def _usual(match: WrittenMatch) -> Ruleset | None:
    """The rules most often played, for as many players as the match has.

    None if the number is unknown, or if these rules do not allow it.
    """
    try:
        return Ruleset(MOST_PLAYED, _players(match) or 0)
    except (Malformed, Refused):
        return None


def one_by_one(
    lines: Iterable[tuple[str, Game | WrittenGames]],
) -> Iterator[tuple[str, Game]]:
    """The games, each with its place, including those of a written match."""
    for place, game in lines:
        if isinstance(game, WrittenGames):
            yield from game.games
        else:
            yield place, game


def games_of_file(name: str) -> Iterator[tuple[str, bytes | Malformed]]:
    """The games of a file as lines, each with its place.

    A game that cannot be read is replaced by its error, which names the place.
    """
    for place, game in one_by_one(numbered_games(name)):
        if isinstance(game, PartKnown):
            game = game.line or game.missing
        if isinstance(game, Malformed):
            game = placed(game, place)
        yield place, game


def placed(error: Malformed, place: str) -> Malformed:
    """The same error, with the place of the game before its place within the game."""
    where = f"{place}: {error.where}" if error.where else place
    return Malformed(error.found, error.allowed, where)


def _plain_text(stream: BinaryIO) -> bytes:
    """The content of a stream that begins as text and not as JSON.

    A byte order mark at the beginning is ignored. For any other stream, the result is
    empty, and nothing has been taken out of the stream.
    """
    if not isinstance(stream, io.BufferedReader):
        return b""
    # All that is buffered is looked at, since many blanks may come first
    head = stream.peek(_LOOKED_AT).removeprefix(file_lines.BOM)
    text = _TEXT.match(head.lstrip())
    return stream.read(_LARGEST + 1) if text else b""


class Complaints:
    """Reports the first few lines that cannot be read, and counts the others.

    If `every` is set, all of them are reported.
    """

    def __init__(self, every: bool) -> None:
        self._every = every
        self._told = 0

    def tell(self, complaints: Iterable[str]) -> None:
        """Print these messages, one for each line, unless enough have been printed."""
        for one in complaints:
            self._told += 1
            if self._every or self._told <= MOST_TOLD:
                click.echo(one, err=True)

    def end(self) -> None:
        """Print how many messages were left out, if any."""
        more = self._told - MOST_TOLD
        if more > 0 and not self._every:
            click.echo(more_unreadable(more), err=True)


class ExitCode:
    """The exit code of a command.

    It is the one of `codes` that takes precedence (`refengine.exit_codes`).
    """

    def __init__(self) -> None:
        self.codes: set[int] = set()

    def leave(self) -> None:
        """End the command with this exit code, if there is one."""
        if self.codes:
            click.get_current_context().exit(first_code(self.codes))


def each_line(
    files: tuple[str, ...],
    do: Callable[[str, bytes], None],
    every: bool = False,
    lines_of: Callable[
        [str], Iterator[tuple[str, Game | WrittenGames]]
    ] = numbered_lines,
    do_part: Callable[[str, PartKnown], None] | None = None,
    do_written: (
        Callable[[str, WrittenGames], Iterable[tuple[str, Malformed]]] | None
    ) = None,
) -> ExitCode:
    """Call `do` for each line of each file; lines that cannot be read are reported.

    If `every` is set, all such lines are reported, not just the first few. For files
    that may hold games written down by people, pass `numbered_games` as `lines_of`.
    Then `do_part` is called for each deal that is known only in part; without it, `do`
    is called for the line of each such deal, and deals without a line are reported.
    `do_written` is called for each written match as a whole, and returns the error in
    each game that cannot be read, with its place; without it, the games of the match
    are taken one by one. Returns the exit code that results.
    """
    ending = ExitCode()
    complaints = Complaints(every)

    def refuse(place: str, error: Malformed) -> None:
        ending.codes.add(UNREADABLE)
        complaints.tell([f"{place}: {error}"])

    def one_game(place: str, game: Game) -> None:
        try:
            if isinstance(game, PartKnown) and do_part is not None:
                do_part(place, game)
                return
            if isinstance(game, PartKnown):
                game = game.line or game.missing
            if isinstance(game, Malformed):
                raise game
            do(place, game)
        except Malformed as error:
            refuse(place, error)

    for name in files:
        place = ""
        for place, game in lines_of(name):
            if isinstance(game, WrittenGames) and do_written is not None:
                for at, error in do_written(place, game):
                    refuse(at, error)
                continue
            for at, one in one_by_one([(place, game)]):
                one_game(at, one)
        if not place:
            click.echo(f"{harmless(name)}: the file is empty", err=True)
    complaints.end()
    return ending
