"""Chapter 3, The deal: the cut, the pack, hands, stock and kitty."""

from typing import Final

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    PACK,
    Mask,
    all_of,
    card_at,
    cards_in,
    count,
    rank_of,
)
from refengine.chapters.settings import KITTY, NONE, STOCK, Rules
from refengine.chapters.table import SEAT, left_of

WHOLE_PACK: Final = 52


def card_not_for_cut(pack: Mask, drawn: Mask, card: Mask) -> bool:
    """Whether this card is not in the pack, or is already drawn in this round.

    Clause 3.1a.
    """
    return (pack & ~drawn & card) == 0


def lowest_in_cut(cards: tuple[int, ...]) -> i64:
    """The set of seats that drew the lowest rank.

    `cards` has a card number for each seat, -1 if it drew none. A single seat deals
    first; if there are several, they cut again.
    Clauses 3.1b, 3.1c.
    """
    best: i64 = 13
    seats: i64 = 0
    for seat, card in enumerate(cards):
        if card < 0:
            continue
        rank = rank_of(card)
        if rank < best:
            best = rank
            seats = SEAT[seat]
        elif rank == best:
            seats |= SEAT[seat]
    return seats


def next_dealer(dealer: i64, players: i64) -> i64:
    """The seat that deals after this one: on its left, whatever the direction of play.

    Clause 3.2.
    """
    return left_of(dealer, players)


def removed_cards(rules: Rules) -> Mask:
    """The low cards removed from the 52 so that the rest can be dealt evenly.

    Clause 3.3.
    """
    removed = EMPTY
    if not rules.removes_lowest:
        return removed
    for place in range(WHOLE_PACK % rules.players):
        removed = Mask(removed | card_at(13 * (place % 4) + place // 4))
    return removed


def match_pack(rules: Rules, named: Mask) -> Mask:
    """The cards of every deal: the whole named pack, or what is left of the 52.

    `named` is empty if no pack is named.

    Clauses 3.3, 3.10.
    """
    if named:
        return named
    return Mask(PACK & ~removed_cards(rules))


def hand_size(rules: Rules, pack: Mask, named: bool) -> i64:
    """The number of cards dealt to each seat from this pack.

    Clauses 3.4, 3.4a, 3.10.
    """
    if rules.hand_size:
        return rules.hand_size
    if rules.undealt == KITTY and not named and rules.players == 4:
        return 12
    return count(pack) // rules.players


def stock_size(rules: Rules, pack: Mask, dealt: i64) -> i64:
    """The number of cards in the stock after `dealt` cards went to the seats.

    Clause 3.6.
    """
    return count(pack) - dealt if rules.undealt == STOCK else 0


def kitty_size(rules: Rules, pack: Mask, dealt: i64) -> i64:
    """The number of cards in the kitty after `dealt` cards went to the seats.

    Clause 3.7.
    """
    return count(pack) - dealt if rules.undealt == KITTY else 0


def wrong_deal(
    rules: Rules,
    pack: Mask,
    named: bool,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
    kitty: Mask,
) -> bool:
    """Whether this deal does not use exactly this pack, or has sizes that are wrong.

    Clause 3.8.
    """
    size = hand_size(rules, pack, named)
    dealt = size * rules.players
    if len(hands) != rules.players or len(stock) != stock_size(rules, pack, dealt):
        return True
    if count(kitty) != kitty_size(rules, pack, dealt):
        return True
    for hand in hands:
        if count(hand) != size:
            return True
    seen = Mask(all_of(hands) | kitty | cards_in(stock))
    # The sizes add up to the pack, so a card given twice leaves another one out.
    return seen != pack


def leaves_cards_over(rules: Rules) -> bool:
    """Whether cards of the full pack would be left over with nowhere to go.

    Clause 3.9.
    """
    if rules.undealt != NONE:
        return False
    pack = match_pack(rules, EMPTY)
    return hand_size(rules, pack, False) * rules.players < count(pack)


def stock_without_hand_size(rules: Rules) -> bool:
    """Whether all cards are dealt although the ruleset wants a stock.

    Clause 3.9a.
    """
    return rules.undealt == STOCK and rules.hand_size == 0


def removal_beside_talon(rules: Rules) -> bool:
    """Whether cards are removed although a stock or a kitty takes those left over.

    Clause 3.9b.
    """
    return rules.removes_lowest and rules.undealt != NONE


def too_few_cards(rules: Rules) -> bool:
    """Whether the full pack has too few cards for hands of this size.

    Clause 3.9c.
    """
    return rules.hand_size * rules.players > count(match_pack(rules, EMPTY))


def misfit_pack(rules: Rules, pack: Mask) -> bool:
    """Whether this named pack cannot be dealt to the players.

    Clause 3.9d.
    """
    size = hand_size(rules, pack, True)
    dealt = size * rules.players
    if size == 0 or dealt > count(pack):
        return True
    return rules.undealt == NONE and dealt != count(pack)


def misplaced_talon(rules: Rules, stock: tuple[int, ...], kitty: Mask) -> bool:
    """Whether there is a stock or a kitty that the ruleset does not provide for.

    Clause 3.12.
    """
    if stock and rules.undealt != STOCK:
        return True
    return kitty != EMPTY and rules.undealt != KITTY


def impossible_setup(
    rules: Rules, hands: tuple[Mask, ...], stock: tuple[int, ...], kitty: Mask
) -> bool:
    """Whether this cannot be a deal as found.

    A deal as found has hands of one equal size, not empty, and no card twice; it has a
    stock or a kitty only if the ruleset has one.

    Clause 3.12.
    """
    if misplaced_talon(rules, stock, kitty):
        return True
    size = count(hands[0])
    for hand in hands:
        if count(hand) != size:
            return True
    total = size * len(hands) + count(kitty) + len(stock)
    seen = Mask(all_of(hands) | kitty | cards_in(stock))
    return size == 0 or count(seen) != total
