"""Many deals at once, inside the rules: random playouts and the count of all games."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import Mask, card_at, count, lowest, numbers_of
from refengine.chapters.layout import Position
from refengine.chapters.score import UNSETTLED, moon_choices
from refengine.chapters.settings import Rules
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.position import after_draw, after_play, playable
from refengine.machine.transpositions import Level, Ply, Reached
from refengine.sealing import seal

_BITS: Final = 0xFFFFFFFF
MOST: Final = 10_000
MOST_COUNTED: Final = 2**55


def next_random(seed: i64) -> i64:
    """The number after this one in a fixed sequence of 32-bit numbers, never 0.

    Every product and shift is masked, so both modes go through the same sequence.
    """
    seed = seed ^ ((seed << 13) & _BITS)
    seed = seed ^ (seed >> 17)
    return seed ^ ((seed << 5) & _BITS)


def started(seed: i64) -> i64:
    """A place in the sequence for any seed from 0."""
    mixed: i64 = (seed * 2654435769 + 1) & _BITS
    return mixed or 1


def nth(cards: Mask, place: i64) -> Mask:
    """The card at this place of the set, from 0."""
    rest = cards
    while place > 0:
        rest = Mask(rest & (rest - 1))
        place -= 1
    return lowest(rest)


@final
@mypyc_attr(free_list_len=1)
class Playout:
    """The end of a random playout: its score, its number of acts, the next seed."""

    def __init__(self, score: tuple[int, ...], acts: i64, seed: i64) -> None:
        self.score: Final = score
        self.acts: Final = acts
        self.seed: Final = seed


seal(Playout)


def played_out(
    rules: Rules, position: Position, seed: i64
) -> tuple[Position, i64, i64]:
    """The end of the play at random from here on, the number of acts, the next seed."""
    acts: i64 = 0
    while position.turn >= 0:
        acts += 1
        cards = playable(rules, position)
        if not cards:
            position = after_draw(position)
            continue
        if cards & (cards - 1):
            seed = next_random(seed)
            cards = nth(cards, (seed * count(cards)) >> 32)
        position = after_play(rules, position, cards)
    return position, acts, seed


def playout(core: Core, seed: i64) -> Playout:
    """A deal in play gone on from here at random to its score, a moon choice included.

    Only legal acts are chosen: what has been revoked so far stays as it is.
    """
    rules, revokes = core.rules, core.record.revokes
    last, acts, seed = played_out(rules, position_of(core), seed)
    end = ending(rules, core.pack, last, revokes, core.sheet, UNSETTLED)
    if not end.score:
        acts += 1
        seed = next_random(seed)
        choices = moon_choices(rules, end.shooter)
        choice = choices[(seed * len(choices)) >> 32]
        end = ending(rules, core.pack, last, revokes, core.sheet, choice)
    return Playout(end.score, acts, seed)


@final
class Playouts:
    """Many random playouts: how many deals and acts, the sums of the scores by seat.

    `seed` goes on where they ended.
    """

    def __init__(
        self, deals: i64, acts: i64, scores: tuple[int, ...], seed: i64
    ) -> None:
        self.deals: Final = deals
        self.acts: Final = acts
        self.scores: Final = scores
        self.seed: Final = seed


seal(Playouts)


def playouts(cores: list[Core], deals: i64, seed: i64) -> Playouts:
    """So many deals played at random to their scores, from each of these in turn.

    The moments are in the phase of play. `seed` comes from `started` or from playouts
    before; the same seed gives the same games in both modes.
    """
    acts: i64 = 0
    sums = [0] * max([len(core.dealt.hands) for core in cores])
    for number in range(deals):
        core = cores[number % len(cores)]
        end = playout(core, seed)
        acts += end.acts
        seed = end.seed
        for seat, points in enumerate(end.score):
            sums[seat] += points
    return Playouts(deals, acts, tuple(sums), seed)


class TooManyError(Exception):
    """There are more games than the limit."""


@final
class Games:
    """What was counted of all games from one moment on; it grows with the counting.

    There are at most `limit` sequences of as many acts, and never more than 2**55: so
    the sums for all lengths are numbers of 63 bits. `scores` are the games that end
    with each score.
    """

    def __init__(self, limit: int) -> None:
        self.limit: Final[i64] = min(limit, MOST_COUNTED)
        self.games: i64 = 0
        self.scores: Final[dict[tuple[int, ...], int]] = {}
        self._first: Final = Ply()

    @property
    def plies(self) -> list[int]:
        """How many sequences there are of 1 act, of 2 acts and so on."""
        plies: list[int] = []
        ply: Ply | None = self._first
        while ply is not None:
            plies.append(int(ply.acts))
            ply = ply.after
        while plies and not plies[-1]:
            plies.pop()
        return plies

    def ply(self, depth: i64) -> Ply:
        """The ply of the act after `depth` others."""
        ply = self._first
        for _ in range(depth):
            ply = ply.next()
        return ply

    def add_acts(self, ply: Ply, acts: i64) -> None:
        """Count so many more acts in this ply.

        Raises TooManyError beyond the limit.
        """
        ply.acts += acts
        if ply.acts > self.limit:
            raise TooManyError

    def add_games(self, score: tuple[int, ...], games: i64) -> None:
        """Count so many more games, which ended with this score."""
        self.games += games
        self.scores[score] = self.scores.get(score, 0) + int(games)


def perft(core: Core, depth: i64, games: Games, most: i64 = MOST) -> None:
    """Count all games of the deal in play from here on, `depth` acts after the first.

    Of the acts only the legal ones are counted: draws, plays and the moon choice.
    Positions that the play reaches in several ways, with as many tricks completed, are
    gone on from once, for all of these ways. No more than about `most` of them are kept
    between two tricks; with 0 every game is walked by itself.
    Raises TooManyError beyond the limit of `games`.
    """
    _count_from(core, Reached(position_of(core), games.ply(depth), 1), games, most)


def divide(core: Core, games: Games) -> dict[int, int]:
    """Count all games of the deal in play from here on, by the card that is played now.

    Returned are the number of that card, upwards, and how many games begin with it.
    Nothing is counted where no card may be played now.
    Raises TooManyError beyond the limit of `games`.
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
    """Count all games from this position and its others on, trick by trick."""
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
    """Count all ways to complete the trick; `after` gets the positions they lead to.

    `reached` has no more than the position that is gone on from, and a trick is gone on
    with by a call only where it has to be: so a position dies as early as it can, and
    most are made where one has just died.
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
