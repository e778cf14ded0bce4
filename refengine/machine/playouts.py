"""Random playouts: many deals played out at random and scored."""

from typing import Final, SupportsIndex, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import Mask, count, lowest
from refengine.chapters.layout import Position
from refengine.chapters.score import UNSETTLED, moon_choices
from refengine.chapters.settings import Rules
from refengine.errors import any_whole_number
from refengine.machine.core import Core
from refengine.machine.due import position_of
from refengine.machine.ending import ending
from refengine.machine.limits import within
from refengine.machine.moving import (
    MovingPosition,
    moving_piles,
    moving_position,
)
from refengine.machine.position import after_draw, after_play, playable
from refengine.sealing import close, seal

MOST_DEALS: Final = 10**12  # in one call, so that their acts can still be counted
_BITS: Final = 0xFFFFFFFF


def next_random(seed: i64) -> i64:
    """The number that follows `seed` in a fixed sequence of nonzero 32-bit numbers.

    Every product and shift is masked, so that the compiled and the interpreted rules go
    through the same sequence.
    """
    seed = seed ^ ((seed << 13) & _BITS)
    seed = seed ^ (seed >> 17)
    return seed ^ ((seed << 5) & _BITS)


def started(seed: SupportsIndex) -> i64:
    """The number at which the sequence of random numbers begins for this seed.

    Raises Malformed if the seed is not a whole number.
    """
    mixed: i64 = (any_whole_number(seed, "seed") * 2654435769 + 1) & _BITS
    return mixed or 1


def nth(cards: Mask, place: i64) -> Mask:
    """The card at this index in the set."""
    rest = cards
    while place > 0:
        rest = Mask(rest & (rest - 1))
        place -= 1
    return lowest(rest)


@final
@mypyc_attr(free_list_len=1)
class Playout:
    """The outcome of a random playout: score, number of acts and next seed."""

    __slots__ = ("__dict__",)  # no weak references, as when compiled

    def __init__(self, score: tuple[int, ...], acts: i64, seed: i64) -> None:
        self.score: Final = score
        self.acts: Final = acts
        self.seed: Final = seed


seal(Playout)
close(Playout)


def played_out(
    rules: Rules, position: Position, seed: i64
) -> tuple[Position, i64, i64]:
    """Play at random from this position until play has ended.

    Returns the last position, the number of acts and the next seed.
    """
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


def _scored(core: Core, begun: MovingPosition, seed: i64) -> Playout:
    """The outcome of playing at random from `begun`, which changes as play goes on."""
    rules, revokes = core.rules, core.record.revokes
    last, acts, seed = played_out(rules, begun, seed)
    end = ending(rules, core.pack, last, revokes, core.sheet, UNSETTLED)
    if not end.score:
        acts += 1
        seed = next_random(seed)
        choices = moon_choices(rules, end.shooter)
        choice = choices[(seed * len(choices)) >> 32]
        end = ending(rules, core.pack, last, revokes, core.sheet, choice)
    return Playout(end.score, acts, seed)


def _place_in_sequence(seed: SupportsIndex) -> i64:
    return within(seed, 1, _BITS, "seed")


def playout(core: Core, seed: SupportsIndex) -> Playout:
    """Play the rest of a deal at random and score it, making the moon choice if due.

    Only legal acts are chosen; revokes already made stay as they are. `seed` comes from
    `started` or from an earlier playout. Raises Malformed if `seed` is not a whole
    number from 1 to 2**32 - 1.
    """
    begun = moving_position(position_of(core))
    return _scored(core, begun, _place_in_sequence(seed))


@final
class Playouts:
    """The outcome of many random playouts.

    `deals` and `acts` are the numbers of deals and acts, and `scores` holds the sum of
    the scores by seat; `seed` is the next seed, for further playouts.
    """

    __slots__ = ("__dict__",)  # no weak references, as when compiled

    def __init__(
        self, deals: i64, acts: i64, scores: tuple[int, ...], seed: i64
    ) -> None:
        self.deals: Final = deals
        self.acts: Final = acts
        self.scores: Final = scores
        self.seed: Final = seed


seal(Playouts)
close(Playouts)


def playouts(cores: list[Core], deals: SupportsIndex, seed: SupportsIndex) -> Playouts:
    """Play out and score `deals` deals at random, starting from each core in turn.

    The cores must be in the phase of play. `seed` comes from `started` or from earlier
    playouts; the same seed gives the same games, compiled or interpreted.
    Raises Malformed if `seed` is not a whole number from 1 to 2**32 - 1, if `deals` is
    not a whole number from 0 to MOST_DEALS, or if there is no core.
    """
    within(len(cores), 1, MOST_DEALS, "cores")
    wanted = within(deals, 0, MOST_DEALS, "deals")
    place = _place_in_sequence(seed)
    acts: i64 = 0
    sums = [0] * max([len(core.dealt.hands) for core in cores])
    begun = [position_of(core) for core in cores]
    piles = [moving_piles(position.piles) for position in begun]
    moving = moving_position(begun[0])
    for number in range(wanted):
        one = number % len(cores)
        moving.go_back(begun[one], piles[one])
        end = _scored(cores[one], moving, place)
        acts += end.acts
        place = end.seed
        for seat, points in enumerate(end.score):
            sums[seat] += points
    for used in piles:
        used.let_go()
    return Playouts(wanted, acts, tuple(sums), place)
