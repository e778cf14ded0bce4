"""Which places an unseen card cannot lie in, as the acts of the other seats show.

No rule of play is written here: the engine is asked which cards a seat cannot have held
if its act was accepted, and which hands can make a seat the opening leader. Only single
cards are ruled out here. Combinations of cards that do not fit the acts are found
later, when the acts are replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from refengine.chapters.cards import EMPTY, Mask, card_at, numbers_of
from refengine.chapters.draw import stock_holds_cards
from refengine.chapters.play import opening_leader
from refengine.chapters.table import DRAW, PLAY
from refengine.machine.core import Core
from refengine.machine.due import dealer_now, position_of
from refengine.worlds.deal_told import DealTold, places_before
from refengine.worlds.dealing import BACK
from refengine.worlds.retelling import Retold, barring
from refengine.worlds.stand_in import StandIn

_REMEMBERED: Final = 5000
_barred: Final[dict[tuple[object, ...], Mask]] = {}


def consistent_places(deal: DealTold, stand_in: StandIn, leader: int) -> dict[int, int]:
    """The places where each unseen card may lie, by the number of the card.

    The places are given as a number with a bit for each place. `leader` is the seat
    that leads first, or -1 before play and in a position as found.
    """
    lies = dict(deal.lies)
    for at, (act, core) in enumerate(zip(stand_in.acts, stand_in.before, strict=True)):
        if act.seat == deal.scheme.seat or act.kind not in (PLAY, DRAW):
            continue
        barred = Mask(barred_by(core, act) & ~position_of(core).played)
        held = places_before(deal.scheme, int(act.seat), at)
        for card in numbers_of(barred):
            if card in lies:
                lies[card] &= ~held
    if leader >= 0 and deal.scheme.found is None:
        for seat, held in _other_hands(deal, leader):
            for card in numbers_of(_not_beside(deal, lies, leader, seat)):
                lies[card] &= ~held
    return lies


def barred_by(core: Core, act: Retold) -> Mask:
    """The cards that the acting seat cannot have held, as its play or draw shows.

    Moments that the engine treats alike share one result, kept for later calls.
    """
    position = position_of(core)
    key = (
        core.rules,
        position.led,
        position.table,
        position.piles.first,
        position.hearts_broken,
        bool(position.drew),
        stock_holds_cards(position.talon),
        act.kind,
        act.card,
        act.revoked,
    )
    found = _barred.get(key)
    if found is None:
        if len(_barred) >= _REMEMBERED:
            _barred.clear()
        found = _barred[key] = barring(core, act)
    return found


def _hands(deal: DealTold, seat: int) -> int:
    """The places of the cards with which this seat begins play, as bits."""
    return sum(
        1 << at
        for at, place in enumerate(deal.scheme.places)
        if place.seat == seat and place.kind <= BACK
    )


def _other_hands(deal: DealTold, leader: int) -> Iterator[tuple[int, int]]:
    """The other seats with the places of their hands as bits.

    The observing seat and the leader are left out.
    """
    for seat in range(deal.begun.blank.rules.players):
        if seat not in (leader, deal.scheme.seat):
            yield seat, _hands(deal, seat)


def _not_beside(deal: DealTold, lies: dict[int, int], leader: int, seat: int) -> Mask:
    """The cards that this seat cannot hold: with any of them, another seat would lead.

    Each card is put to the engine with every card that the leader may hold or, if the
    leader is the observing seat, with that seat's hand.
    """
    rules = deal.begun.blank.rules
    dealer = dealer_now(deal.begun.blank)
    hands = [EMPTY for _ in range(rules.players)]
    hands[deal.scheme.seat] = deal.scheme.own
    may_lead = [hands[leader]]
    if leader != deal.scheme.seat:
        held = _hands(deal, leader)
        may_lead = [card_at(card) for card, bits in lies.items() if bits & held]
    barred = EMPTY
    for card in lies:
        hands[seat] = card_at(card)
        for one in may_lead:
            hands[leader] = one
            if (
                one != hands[seat]
                and opening_leader(rules, tuple(hands), dealer) == leader
            ):
                break
        else:
            barred = Mask(barred | card_at(card))
    return barred
