"""Many deals at once, inside the rules: random playouts and the count of all games."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.cards import Mask, count, lowest
from refengine.core import Core
from refengine.due import position_of
from refengine.ending import ending
from refengine.play import Piles, Position
from refengine.position import after_draw, after_play, playable
from refengine.rules import Rules
from refengine.score import UNSETTLED, moon_choices
from refengine.sealing import seal
from refengine.table import SEAT

_BITS: Final = 0xFFFFFFFF
_MIXED: Final = 2**61 - 1
MOST: Final = 10_000


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

    `plies[k]` are the sequences of k + 1 acts, at most `limit` of them; `scores` the
    games that end with each score.
    """

    def __init__(self, limit: int) -> None:
        self.limit: Final = limit
        self.games = 0
        self.plies: Final[list[int]] = []
        self.scores: Final[dict[tuple[int, ...], int]] = {}

    def add_plies(self, depth: i64, acts: int) -> None:
        """Count so many more acts after `depth` others.

        Raises TooManyError beyond the limit.
        """
        while depth >= len(self.plies):
            self.plies.append(0)
        plies = self.plies[depth] + acts
        self.plies[depth] = plies
        if plies > self.limit:
            raise TooManyError

    def add_games(self, score: tuple[int, ...], games: int) -> None:
        """Count so many more games, which ended with this score."""
        self.games += games
        self.scores[score] = self.scores.get(score, 0) + games


@final
@mypyc_attr(free_list_len=1)
class Reached:
    """A position between two tricks, and in how many ways the play came to it.

    `mixed` is a number made of what the seats won since the count began, in whatever
    order; `depth` counts the acts on the way.
    """

    def __init__(self, position: Position, mixed: i64, depth: i64, ways: int) -> None:
        self.position: Final = position
        self.mixed: Final = mixed
        self.depth: Final = depth
        self.ways = ways


def perft(core: Core, depth: i64, games: Games, most: i64 = MOST) -> None:
    """Count all games of the deal in play from here on, `depth` acts after the first.

    Of the acts only the legal ones are counted: draws, plays and the moon choice.
    Positions that the play reaches in several ways, with as many tricks completed, are
    gone on from once, for all of these ways. No more than about `most` of them are kept
    between two tricks; with 0 every game is walked by itself.
    Raises TooManyError beyond the limit of `games`.
    """
    _count_from(core, [Reached(position_of(core), 0, depth, 1)], games, most)


def _count_from(core: Core, level: list[Reached], games: Games, most: i64) -> None:
    """Count all games from these positions on, trick by trick."""
    while level:
        after: dict[int, Reached] = {}
        for reached in level:
            if reached.position.turn < 0:
                _count_ends(core, reached, games)
                continue
            _count_trick(core, reached, reached.position, reached.depth, after, games)
            if len(after) > most:
                _count_from(core, list(after.values()), games, most)
                after = {}
        level = list(after.values())


def _count_trick(
    core: Core,
    reached: Reached,
    position: Position,
    depth: i64,
    after: dict[int, Reached],
    games: Games,
) -> None:
    """Count all ways to complete the trick; `after` gets the positions they lead to."""
    rules = core.rules
    going = True
    while going:
        cards = playable(rules, position)
        if not cards:
            games.add_plies(depth, reached.ways)
            depth += 1
            position = after_draw(position)
            continue
        games.add_plies(depth, int(count(cards)) * reached.ways)
        depth += 1
        going = False
        while cards:
            played = after_play(rules, position, lowest(cards))
            cards = Mask(cards & (cards - 1))
            if not played.table:
                _arrive(reached, played, depth, after)
            elif cards:
                _count_trick(core, reached, played, depth, after, games)
            else:  # not by a call: so most positions are made where one has just died
                position = played
                going = True


def _arrive(
    reached: Reached, position: Position, depth: i64, after: dict[int, Reached]
) -> None:
    """Note that the play came from one position between two tricks to the next."""
    piles = position.piles
    mixed = (reached.mixed + piles.trick * (1 + 37 * piles.winner)) & _MIXED
    place = int(mixed)
    while True:
        other = after.get(place)
        if other is None:
            after[place] = Reached(position, mixed, depth, reached.ways)
            return
        if _goes_on_alike(position, other.position):
            other.ways += reached.ways
            return
        place += 1


def _goes_on_alike(one: Position, other: Position) -> bool:
    """Whether two positions of a deal, after as many tricks, have the same future.

    All that the rules read and that can differ between them is compared. Who won the
    last trick and with which card is read by nothing once the trick is completed. The
    same cards were won, so seats that won nothing in one won nothing in the other.
    """
    if (
        one.played != other.played
        or one.leader != other.leader
        or one.out != other.out
        or one.hearts_broken != other.hearts_broken
        or one.talon.drawn != other.talon.drawn
        or one.talon.kitty_to != other.talon.kitty_to
    ):
        return False
    if one.talon.drawn:
        for seat, hand in enumerate(one.hands):
            if hand.cards != other.hands[seat].cards:
                return False
    compared: i64 = 0
    piles: Piles | None = one.piles
    while piles is not None and piles.winner >= 0:
        winner = piles.winner
        if not compared & SEAT[winner]:
            compared = compared | SEAT[winner]
            if one.piles.won_by(winner) != other.piles.won_by(winner):
                return False
        piles = piles.before
    return True


def _count_ends(core: Core, reached: Reached, games: Games) -> None:
    rules, revokes = core.rules, core.record.revokes
    position = reached.position
    ways = reached.ways
    end = ending(rules, core.pack, position, revokes, core.sheet, UNSETTLED)
    if end.score:
        games.add_games(end.score, ways)
        return
    choices = moon_choices(rules, end.shooter)
    games.add_plies(reached.depth, len(choices) * ways)
    for choice in choices:
        settled = ending(rules, core.pack, position, revokes, core.sheet, choice)
        games.add_games(settled.score, ways)
