"""Many deals at once, inside the rules: random playouts and the count of all games."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.cards import Mask, count, lowest
from refengine.core import Sheet
from refengine.ending import ending
from refengine.play import Position
from refengine.position import after_draw, after_play, playable
from refengine.rules import Rules
from refengine.score import UNSETTLED, moon_choices
from refengine.sealing import seal

_BITS: Final = 0xFFFFFFFF


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
@mypyc_attr(acyclic=True, free_list_len=1)
class Playout:
    """The end of a random playout: its score, its number of acts, the next seed."""

    def __init__(self, score: tuple[int, ...], acts: i64, seed: i64) -> None:
        self.score: Final = score
        self.acts: Final = acts
        self.seed: Final = seed


seal(Playout)


def playout(
    rules: Rules, pack: Mask, sheet: Sheet, position: Position, seed: i64
) -> Playout:
    """One deal played on from here at random to its score, a moon choice included."""
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
    end = ending(rules, pack, position, (), sheet, UNSETTLED)
    if not end.score:
        acts += 1
        seed = next_random(seed)
        choices = moon_choices(rules, end.shooter)
        choice = choices[(seed * len(choices)) >> 32]
        end = ending(rules, pack, position, (), sheet, choice)
    return Playout(end.score, acts, seed)
