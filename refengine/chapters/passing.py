"""Chapter 4, Passing: who passes which cards to whom, and what each seat receives."""

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at, count
from refengine.chapters.layout import Packet
from refengine.chapters.settings import ACROSS, HOLD, LEFT, MIX, RIGHT, SCATTER, Rules
from refengine.chapters.table import across_from, left_of, right_of


def cycle_at_table(rules: Rules) -> tuple[int, ...]:
    """The entries of the pass cycle that exist at a table of this size.

    Clause 4.1a.
    """
    if rules.players % 2 == 0:
        return rules.pass_cycle
    return tuple([entry for entry in rules.pass_cycle if entry != ACROSS])


def pass_of_deal(rules: Rules, deal: i64) -> i64:
    """The entry of the pass cycle for deal number `deal`, counted from 1.

    The result is HOLD if nothing is ever passed.

    Clauses 4.1, 4.3.
    """
    cycle = cycle_at_table(rules)
    if not cycle:
        return HOLD
    return cycle[(deal - 1) % len(cycle)]


def receiver(way: i64, seat: i64, players: i64) -> i64:
    """The seat that receives this seat's packet on a pass left, right or across.

    Clause 4.2.
    """
    if way == LEFT:
        return left_of(seat, players)
    if way == RIGHT:
        return right_of(seat, players)
    return across_from(seat, players)


def cards_needed(rules: Rules, way: i64) -> i64:
    """How many of its own cards each seat passes.

    Clauses 4.4, 4.6a.
    """
    if way == HOLD:
        return 0
    return rules.players - 1 if way == SCATTER else rules.pass_count


def wrong_count(rules: Rules, way: i64, packet: Packet) -> bool:
    """Whether an unaddressed packet, outside a scatter, has the wrong number of cards.

    Clause 4.4.
    """
    if way == SCATTER or packet.addressed:
        return False
    return count(packet.cards) != cards_needed(rules, way)


def not_dealt(hand: Mask, packet: Packet) -> bool:
    """Whether the packet contains a card that is not in the dealt hand.

    Clause 4.5.
    """
    return (packet.cards & ~hand) != 0


def wrong_scatter(way: i64, seat: i64, packet: Packet) -> bool:
    """Whether a scatter does not give exactly one card to each of the other seats.

    Clause 4.6a.
    """
    if way != SCATTER:
        return False
    if not packet.addressed:
        return True
    given = [to for to, card in enumerate(packet.addressed) if card >= 0]
    return given != [to for to in range(len(packet.addressed)) if to != seat]


def addressed_needlessly(way: i64, packet: Packet) -> bool:
    """Whether cards are addressed even though the pass is not a scatter.

    Clause 4.6b.
    """
    return way != SCATTER and len(packet.addressed) > 0


def may_not_forward(rules: Rules, way: i64) -> bool:
    """Whether no packet may be passed on unseen in this deal.

    Clauses 4.9, 4.9c.
    """
    return not rules.pass_unseen or way == SCATTER or way == MIX


def exchange(way: i64, packets: tuple[Packet, ...]) -> tuple[Mask, ...]:
    """The cards that each seat receives once all have passed, in any pass but a mix.

    A packet travels on past seats that pass unseen; if every seat in a ring does so,
    there is no packet to move.
    Clauses 4.2, 4.6, 4.8, 4.9a, 4.9b.
    """
    players = len(packets)
    received = [EMPTY for _ in packets]
    for seat, packet in enumerate(packets):
        if way == SCATTER:
            for other, card in enumerate(packet.addressed):
                if card >= 0:
                    received[other] = Mask(received[other] | card_at(card))
        elif not packet.unseen:
            to = receiver(way, seat, players)
            while packets[to].unseen:
                to = receiver(way, to, players)
            received[to] = packet.cards
    return tuple(received)


def mix_pile(rules: Rules, packets: tuple[Packet, ...], kitty: Mask) -> Mask:
    """The cards that are shuffled in a mix.

    Clauses 4.10, 4.10b.
    """
    pile = kitty if rules.mix_kitty else EMPTY
    for packet in packets:
        pile = Mask(pile | packet.cards)
    return pile


def wrong_hands_back(packets: tuple[Packet, ...], back: tuple[Mask, ...]) -> bool:
    """Whether a mix fails to return to each seat as many cards as it gave.

    Clause 4.10c.
    """
    if len(back) != len(packets):
        return True
    for seat, cards in enumerate(back):
        if count(cards) != count(packets[seat].cards):
            return True
    return False


def wrong_kitty_back(rules: Rules, kitty: Mask, new_kitty: Mask) -> bool:
    """Whether a mix fails to return to the kitty as many cards as came from it.

    Clauses 4.10b, 4.10d.
    """
    return count(new_kitty) != (count(kitty) if rules.mix_kitty else 0)


def not_the_pile(pile: Mask, back: tuple[Mask, ...], new_kitty: Mask) -> bool:
    """Whether a mix fails to return exactly the cards of this pile, each once.

    Clause 4.10e.
    """
    given = new_kitty
    total = count(new_kitty)
    for cards in back:
        given = Mask(given | cards)
        total += count(cards)
    return given != pile or total != count(pile)


def hand_too_small(rules: Rules, deal: i64, size: i64) -> bool:
    """Whether a hand of this size has fewer cards than must be passed in this deal.

    Clause 4.11.
    """
    return size < cards_needed(rules, pass_of_deal(rules, deal))
