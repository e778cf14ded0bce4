"""What is due: which seats are to act, in which deal, with which totals and pack."""

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, PACK, Mask, card_at, count
from refengine.chapters.deal import next_dealer
from refengine.chapters.layout import Position
from refengine.chapters.passing import cards_needed
from refengine.chapters.settings import SCATTER
from refengine.chapters.table import (
    CUTTING,
    DEALING,
    MIXING,
    MOON_DUE,
    OVER,
    PASSING,
    SEAT,
)
from refengine.machine.core import Core


def dealer_now(core: Core) -> i64:
    """The dealer of the deal in progress or, between deals, of the next deal."""
    if core.phase == DEALING and core.result is not None:
        return next_dealer(core.sheet.dealer, core.rules.players)
    return core.sheet.dealer


def number_now(core: Core) -> i64:
    """The number, from 1, of the deal in progress or, between deals, of the next."""
    if core.phase == DEALING and core.result is not None:
        return core.sheet.number + 1
    return core.sheet.number


def totals_now(core: Core) -> tuple[int, ...]:
    """The totals after the last scored deal or, if there is none, at the start."""
    if core.result is not None and core.result.score:
        return core.result.totals
    return core.sheet.totals


def position_of(core: Core) -> Position:
    """The position of a deal in which play has begun."""
    assert core.position is not None
    return core.position


def seats_due(core: Core) -> i64:
    """The set of seats that are to act.

    Clause 4.7a.
    """
    if core.phase == CUTTING:
        return core.cut.due
    if core.phase == DEALING or core.phase == MIXING:
        return SEAT[dealer_now(core)]
    if core.phase == PASSING:
        seats: i64 = 0
        for seat, packet in enumerate(core.dealt.packets):
            if packet is None:
                seats |= SEAT[seat]
        return seats
    if core.phase == MOON_DUE:
        assert core.result is not None
        return SEAT[core.result.shooter]
    if core.phase == OVER:
        return 0
    return SEAT[position_of(core).turn]


def seats_of(seats: i64) -> list[int]:
    """The seats of a set, in ascending order."""
    return [seat for seat in range(len(SEAT)) if seats & SEAT[seat]]


def cut_pack(core: Core) -> Mask:
    """The cards from which every round of the cut draws: all 52, or the named pack.

    Clauses 3.1a, 3.1e.
    """
    return core.pack if core.named else PACK


def drawn_in_round(core: Core) -> Mask:
    """The cards drawn so far in this round of the cut, or none if a new round is due.

    Clause 3.1c.
    """
    drawn = EMPTY
    for seat, card in enumerate(core.cut.cards):
        if card >= 0:
            if core.cut.due & SEAT[seat]:
                return EMPTY
            drawn = Mask(drawn | card_at(card))
    return drawn


def left_to_cut(core: Core) -> Mask:
    """The cards that may still be drawn in this round of the cut."""
    return Mask(cut_pack(core) & ~drawn_in_round(core))


def cards_to_cut(core: Core) -> i64:
    """The number of cards that may still be drawn in this round of the cut."""
    return count(left_to_cut(core))


def ways_to_pass(core: Core) -> i64:
    """The number of ways in which a seat can pass cards from its hand."""
    size = count(core.dealt.hands[0])
    needed = cards_needed(core.rules, core.dealt.way)
    ways: int = 1
    for place in range(needed):
        ways = ways * (size - place)
        if core.dealt.way != SCATTER:
            ways = ways // (place + 1)
    return ways
