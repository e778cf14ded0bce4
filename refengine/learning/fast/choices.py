"""Which of the 68 numbers that stand for choices a seat may choose at this moment.

Numbers 0 to 51 are the cards in the order of the book, to be played or, one at a time,
to be passed. The numbers from 52 on stand for all other choices; a set of them is kept
as bits, of which bit 0 stands for 52.
"""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, count
from refengine.chapters.passing import cards_needed, may_not_forward
from refengine.chapters.score import MINUS, PLUS, moon_choices
from refengine.chapters.settings import SCATTER
from refengine.chapters.table import MOON_DUE, PASSING, PLAYING, SEAT, SEATS, left_of
from refengine.machine.core import Core
from refengine.machine.due import position_of, seats_due
from refengine.machine.position import playable

DRAW: Final = 52
FORWARD: Final = 53
SELF_MINUS: Final = 54
OTHERS_PLUS: Final = 55
ONE: Final = 56  # the next seat on the left pays; 57 is for the seat after it
NUMBERS: Final = 68

# The bits of the numbers from 52 on.
_DRAW: Final = 1
_FORWARD: Final = 2
_MINUS: Final = 4
_PLUS: Final = 8


def seat_to_choose(core: Core) -> i64:
    """The first seat that is to act, or -1 if none is."""
    due = seats_due(core)
    seat: i64 = 0
    while seat < SEATS:
        if due & SEAT[seat]:
            return seat
        seat += 1
    return -1


def cards_to_choose(core: Core, seat: i64, given: Mask) -> Mask:
    """The cards that this seat, which is to act, may choose.

    `given` holds the cards that the seat has chosen for its pass so far.
    """
    if core.phase == PLAYING:
        return playable(core.rules, position_of(core))
    if core.phase == PASSING:
        return Mask(core.dealt.hands[seat] & ~given)
    return EMPTY


def others_to_choose(core: Core, cards: Mask, seat: i64, given: Mask) -> i64:
    """The numbers from 52 on that this seat, which is to act, may choose, as bits.

    `cards` holds the cards that the seat may choose, and `given` those that it has
    chosen for its pass so far.
    """
    if core.phase == PLAYING:
        return 0 if cards else _DRAW
    if core.phase == PASSING:
        if given or may_not_forward(core.rules, core.dealt.way):
            return 0
        return _FORWARD
    others: i64 = 0
    if core.phase != MOON_DUE:
        return others
    for settled in moon_choices(core.rules, seat):
        if settled == MINUS:
            others |= _MINUS
        elif settled == PLUS:
            others |= _PLUS
        else:
            others |= SEAT[places_left(seat, settled, core.rules.players) - 1] << 4
    return others


def places_left(seat: i64, other: i64, players: i64) -> i64:
    """The number of places from `seat` to `other` going left; 0 for the seat itself."""
    places = other - seat
    return places if places >= 0 else places + players


def seat_on_left(seat: i64, places: i64, players: i64) -> i64:
    """The seat that sits `places` places to the left of `seat`."""
    while places > 0:
        seat = left_of(seat, players)
        places -= 1
    return seat


def settled_by(seat: i64, number: i64, players: i64) -> i64:
    """How `seat` settles its moon by choosing this number.

    The result is MINUS, PLUS or the seat that pays, as the rules represent it.
    """
    if number == SELF_MINUS:
        return MINUS
    if number == OTHERS_PLUS:
        return PLUS
    return seat_on_left(seat, number - ONE + 1, players)


def pass_is_whole(core: Core, given: Mask) -> bool:
    """Whether these cards make up a complete pass in this deal."""
    return count(given) == cards_needed(core.rules, core.dealt.way)


def addressed(core: Core, seat: i64, given: list[int]) -> tuple[int, ...]:
    """The number of the card that each seat is sent in a scatter, or -1 for no card.

    The first card in `given` goes to the next seat on the left of `seat`, and so on.
    The result is empty if cards are not scattered in this deal.
    """
    if core.dealt.way != SCATTER:
        return ()
    to = [-1 for _ in range(core.rules.players)]
    for place, number in enumerate(given):
        to[seat_on_left(seat, place + 1, core.rules.players)] = number
    return tuple(to)
