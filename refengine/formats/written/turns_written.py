"""Who passed, got and played which cards of a written deal, and won each trick."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from refengine.chapters.cards import card_at, suit_of
from refengine.chapters.passing import receiver
from refengine.chapters.play import beats
from refengine.chapters.table import next_in_turn
from refengine.formats.written.written_match import (
    Happened,
    Laid,
    WrittenDeal,
    WrittenTrick,
)
from refengine.game.acts import Pass, PassUnseen
from refengine.game.rulesets import Ruleset
from refengine.game.seats import round_from
from refengine.game.values.cardset import Card, CardSet

Played = list[tuple[int, Card]]


def passed_by_seat(deal: WrittenDeal) -> dict[int, CardSet]:
    """The cards that each seat passed, by seat, in the order in which they are written.

    If a seat passed twice, only the first pass counts: a second is out of turn (2.3).
    """
    found: dict[int, CardSet] = {}
    for one in deal.passes:
        if isinstance(one, Pass):
            found.setdefault(one.seat, one.cards)
    return found


def given_to(deal: WrittenDeal, way: int, giver: int, players: int) -> int:
    """The seat that gets the cards that `giver` passed left, right or across.

    They go on past each seat that the record says has passed unseen (4.9a).
    """
    unseen = {one.seat for one in deal.passes if isinstance(one, PassUnseen)}
    to = int(receiver(way, giver, players))
    while to != giver and to in unseen:
        to = int(receiver(way, to, players))
    return to


def played_by(card: Card, hands: Sequence[CardSet], name: Callable[[int], str]) -> str:
    """A phrase that says from whose hand a card is played.

    An example is `since it is played by Ann`.
    """
    who = next(
        (name(seat) for seat, hand in enumerate(hands) if card in hand), "nobody"
    )
    return f"since it is played by {who}"


def whole(hands: Sequence[CardSet | None]) -> tuple[CardSet, ...]:
    """Return the hands if none of them is None, and otherwise an empty tuple."""
    found = tuple(hand for hand in hands if hand is not None)
    return found if len(found) == len(hands) else ()


def in_turn(
    ruleset: Ruleset, trick: WrittenTrick, leader: int
) -> tuple[tuple[int, Laid], ...]:
    """The cards of a trick with their seats, in the order of the turns.

    If each card is written with its seat, the cards are sorted by turn, starting with
    the leader, even if the record shows that somebody played out of turn. Otherwise,
    the cards are taken to be in the order played, and a card without a seat belongs to
    the seat whose turn it would be.
    """
    seat = leader if trick.leader is None else trick.leader
    own = {one.seat: one for one in trick.cards}
    if None not in own and len(own) == len(trick.cards):
        order = round_from(ruleset.rules, seat)
        return tuple((one, own[one]) for one in order if one in own)
    found: list[tuple[int, Laid]] = []
    for one in trick.cards:
        found.append((seat if one.seat is None else one.seat, one))
        seat = int(next_in_turn(ruleset.rules, seat))
    return tuple(found)


def cards_in_turn(
    ruleset: Ruleset, tricks: Sequence[WrittenTrick], leader: int
) -> Played:
    """The cards of the tricks, each after its seat, up to one that is not whole.

    `leader` leads to the first trick, unless the record names another leader.
    """
    players = ruleset.rules.players
    found: Played = []
    for trick in tricks:
        laid = in_turn(ruleset, trick, leader)
        cards = [(seat, one.card) for seat, one in laid if one.card is not None]
        if len(cards) != players:
            break  # who leads to the next is not known
        found += cards
        leader = winner_of(cards)
    return found


def out_of_turn(ruleset: Ruleset, tricks: Sequence[WrittenTrick]) -> list[int]:
    """The numbers of the tricks whose cards are listed in no order round the table.

    That is, neither in that of the turns nor in the opposite one. Only whole tricks
    count that have a seat for each card, and not those of which the record tells in
    which order the cards were played.
    """
    order = round_from(ruleset.rules, 0)
    rounds = [[*way, *way] for way in (order, order[::-1])]
    found = []
    for number, trick in enumerate(tricks, 1):
        seats = [one.seat for one in trick.cards]
        size = len(seats)
        if None in seats or size < len(order) or trick.in_order:
            continue
        runs = (way[at : at + size] for way in rounds for at in range(len(way)))
        if not any(seats == run for run in runs):
            found.append(number)
    return found


def winner_of(trick: Played) -> int:
    """Who wins a trick, given its cards in the order played (5.10)."""
    return trick[winning_place([card for _, card in trick])][0]


def winning_place(cards: Sequence[Card]) -> int:
    """The index of the winning card among these cards, given in the order played."""
    led, best = suit_of(card_at(cards[0].number)), 0
    for place, card in enumerate(cards):
        one, other = card_at(cards[best].number), card_at(card.number)
        if place and beats(led, one, other):
            best = place
    return best


def led_by(
    leader: int, course: Sequence[WrittenTrick | Happened]
) -> tuple[WrittenTrick | Happened, ...]:
    """Return the course of a deal with `leader` as the leader of its first trick."""
    found = [*course]
    for at, one in enumerate(found):
        if isinstance(one, WrittenTrick):
            found[at] = attrs.evolve(one, leader=leader)
            break
    return tuple(found)
