"""Who led to the first trick of a written deal, as the record tells or suggests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import attrs

from refengine.chapters.passing import pass_of_deal
from refengine.chapters.settings import ACROSS, LEFT, RIGHT, STOCK
from refengine.chapters.table import left_of
from refengine.formats.written.turns_written import given_to, passed_by_seat
from refengine.formats.written.written_match import WrittenDeal, WrittenTrick
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet, Suit
from refengine.lawbook.options import PASSES

TO_A_SIDE: Final = (LEFT, RIGHT, ACROSS)


@attrs.frozen
class FirstLead:
    """The seat that led first, and whether that is an assumption to be reported."""

    seat: int
    assumed: bool = False


def first_lead(
    ruleset: Ruleset, deal: WrittenDeal, number: int, dealer: int | None
) -> FirstLead:
    """Who led to the first trick: as written, as cards or dealer show, or else seat 0.

    `number` is that of the deal, and `dealer` is who dealt it, or None if that is not
    known. If no card of the first trick is known, there is no assumption to report.
    """
    first = deal.tricks[0] if deal.tricks else None
    if first is None:
        return FirstLead(0)
    if first.leader is not None:
        return FirstLead(first.leader)
    holders = _holders(ruleset, deal, number)
    if first.cards and None not in [one.seat for one in first.cards]:
        return FirstLead(_opener(ruleset, deal, first, holders, dealer), assumed=True)
    led = first.cards[0].card if first.cards else None
    if led in holders:
        return FirstLead(holders[led])
    assumed = any(one.card for one in first.cards)
    if ruleset.rules.left_of_dealer_leads and dealer is not None:
        return FirstLead(int(left_of(dealer, ruleset.players)), assumed)
    return FirstLead(0, assumed)


def _holders(
    ruleset: Ruleset, deal: WrittenDeal, number: int
) -> dict[Card | None, int]:
    """The seats that held cards after the pass, by card, as far as hands show them.

    A card of a hand before the pass was kept unless the record says that it was passed.
    """
    rules, word = ruleset.rules, deal.direction
    way = PASSES[word] if word else int(pass_of_deal(rules, number))
    passed = passed_by_seat(deal) if way in TO_A_SIDE else {}
    found: dict[Card | None, int] = {}
    for seat, hand in enumerate(deal.dealt):
        given = passed.get(seat, CardSet())
        found |= dict.fromkeys((hand or CardSet()) - given, seat)
        to = given_to(deal, way, seat, rules.players) if given else seat
        found |= dict.fromkeys((hand or CardSet()) & given, to)
    for seat, hand in enumerate(deal.held):
        found |= dict.fromkeys(hand or CardSet(), seat)
    return found


def _opener(
    ruleset: Ruleset,
    deal: WrittenDeal,
    first: WrittenTrick,
    holders: Mapping[Card | None, int],
    dealer: int | None,
) -> int:
    """Who led to the first trick by the rules, if each card in it has its seat (5.1).

    If a club was played to it, the lowest club is looked for in the hands after the
    pass and in all tricks. If the rules do not tell, it is the seat written first.
    """
    rules = ruleset.rules
    # With a stock, a card of a later trick may have been drawn
    tricks = [first] if rules.undealt == STOCK else deal.tricks
    laid = {one.card: one.seat for trick in tricks for one in trick.cards}
    clubs = {
        card.number: seat
        for card, seat in {**holders, **laid}.items()
        if card is not None and card.suit is Suit.CLUBS and seat is not None
    }
    played = [one.card.suit for one in first.cards if one.card is not None]
    written_first = first.cards[0].seat
    assert written_first is not None
    if rules.left_of_dealer_leads:
        return written_first if dealer is None else int(left_of(dealer, rules.players))
    return clubs[min(clubs)] if Suit.CLUBS in played else written_first
