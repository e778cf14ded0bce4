"""Counting all the games that can follow from one moment of a deal."""

from typing import Final, SupportsIndex, final

from mypy_extensions import i64

from refengine.chapters.cards import Mask, card_at, lowest, numbers_of
from refengine.chapters.score import UNSETTLED, moon_choices
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.limits import at_most, within
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.transpositions import Level, Ply, Reached
from refengine.sealing import close

MOST: Final = 10_000
MOST_COUNTED: Final = 2**55
MOST_ACTS: Final = 10_000  # before the position from which games are counted


class TooManyError(Exception):
    """There are more games than the limit allows."""


@final
class Games:
    """The running counts of all the games that can follow from one moment.

    At most `limit` sequences of any one length are counted, and never more than 2**55,
    so that the total over all lengths fits in 63 bits. `scores` maps each score to the
    number of games that end with it.
    Raises Malformed if `limit` is not a whole number.
    """

    __slots__ = ("_first", "games", "limit", "scores")  # no others, as when compiled

    def __init__(self, limit: SupportsIndex) -> None:
        self.limit: Final[i64] = max(0, at_most(limit, MOST_COUNTED, "limit"))
        self.games: i64 = 0
        self.scores: Final[dict[tuple[int, ...], int]] = {}
        self._first: Final = Ply()

    @property
    def plies(self) -> list[int]:
        """The number of sequences of 1 act, of 2 acts, and so on."""
        plies: list[int] = []
        ply: Ply | None = self._first
        while ply is not None:
            plies.append(int(ply.acts))
            ply = ply.after
        while plies and not plies[-1]:
            plies.pop()
        return plies

    def ply(self, depth: i64) -> Ply:
        """The count of the acts that come after exactly `depth` others."""
        ply = self._first
        for _ in range(depth):
            ply = ply.next()
        return ply

    def add_acts(self, ply: Ply, acts: i64) -> None:
        """Add `acts` to the count of this ply.

        Raises TooManyError if the count then exceeds the limit.
        """
        ply.acts += acts
        if ply.acts > self.limit:
            raise TooManyError

    def add_games(self, score: tuple[int, ...], games: i64) -> None:
        """Add `games` to the count of games that ended with this score."""
        self.games += games
        self.scores[score] = self.scores.get(score, 0) + int(games)


close(Games)


def perft(
    core: Core, depth: SupportsIndex, games: Games, most: SupportsIndex = MOST
) -> None:
    """Count all games of the deal in play from here on; `depth` acts have come before.

    Only legal acts are counted: draws, plays and the moon choice. A position that play
    reaches in several ways after the same number of tricks is continued only once, for
    all of these ways. No more than about `most` such positions are kept between tricks;
    if `most` is 0, every game is followed separately.
    Raises TooManyError if the limit of `games` is exceeded, and Malformed if `depth` is
    over MOST_ACTS, or if `depth` or `most` is negative or not a whole number.
    """
    ply = games.ply(within(depth, 0, MOST_ACTS, "depth"))
    kept = within(at_most(most, MOST_COUNTED, "most"), 0, MOST_COUNTED, "most")
    _count_from(core, Reached(position_of(core), ply, 1), games, kept)


def divide(core: Core, games: Games) -> dict[int, int]:
    """Count all games of the deal in play from here on, by the card played now.

    Returns the number of games that begin with each card, keyed by card number in
    ascending order, or an empty dict if no card may be played now.
    Raises TooManyError if the limit of `games` is exceeded.
    """
    begun: dict[int, int] = {}
    position = position_of(core)
    first = games.ply(0)
    for number in numbers_of(playable(core.rules, position)):
        before = games.games
        games.add_acts(first, 1)
        played = after_play(core.rules, position, card_at(number))
        _count_from(core, Reached(played, first.next(), 1), games, MOST)
        begun[number] = int(games.games - before)
    return begun


def _count_from(core: Core, first: Reached, games: Games, most: i64) -> None:
    """Count all games that follow from `first` and from the positions linked to it.

    The count goes trick by trick. Once more than `most` positions have been reached
    after a trick, the games from these are counted before the others are continued.
    """
    reached: Reached | None = first
    after = Level()
    while reached is not None:
        if reached.position.turn < 0:
            _count_ends(core, reached, games)
        else:
            _count_trick(core, reached, reached.ply, after, games)
        reached = reached.other
        newest = after.newest
        if newest is not None and (reached is None or after.size > most):
            after = Level()
            if reached is None:
                reached = newest
            else:
                _count_from(core, newest, games, most)


def _count_trick(
    core: Core, reached: Reached, ply: Ply, after: Level, games: Games
) -> None:
    """Count all ways to complete the trick; the resulting positions go into `after`.

    `reached` holds only the position that is being continued, and the function calls
    itself only where a trick branches. Each position is thus freed as soon as possible,
    and most new positions take the memory of one just freed.
    """
    rules = core.rules
    ways = reached.ways
    going = True
    while going:
        going = False
        position = reached.position
        cards = playable(rules, position)
        following = ply.next()
        if not cards:
            games.add_acts(ply, ways)
            reached.position = after_draw(position)
            going = True
        while cards:
            games.add_acts(ply, ways)
            played = after_play(rules, position, lowest(cards))
            cards = Mask(cards & (cards - 1))
            if not played.table:
                after.arrive(reached, played, following)
                continue
            reached.position = played
            if cards:
                _count_trick(core, reached, following, after, games)
            else:
                going = True
        ply = following


def _count_ends(core: Core, reached: Reached, games: Games) -> None:
    """Count the games that end here: several for each if a moon choice is due."""
    rules, revokes = core.rules, core.record.revokes
    position = reached.position
    ways = reached.ways
    end = ending(rules, core.pack, position, revokes, core.sheet, UNSETTLED)
    if end.score:
        games.add_games(end.score, ways)
        return
    for choice in moon_choices(rules, end.shooter):
        games.add_acts(reached.ply, ways)
        settled = ending(rules, core.pack, position, revokes, core.sheet, choice)
        games.add_games(settled.score, ways)
