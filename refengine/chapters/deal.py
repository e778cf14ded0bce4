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
from refengine.chapters.settings import (
    KITTY,
    LOWEST_NO_HEARTS,
    NO_REMOVAL,
    NONE,
    STOCK,
    Rules,
)
from refengine.chapters.table import SEAT, left_of

WHOLE_PACK: Final = 52
SPARING_HEARTS: Final = (1, 0, 2)  # diamonds, clubs, spades (3.3a)


def not_in_cut_pack(pack: Mask, card: Mask) -> bool:
    """Whether this card is not in the pack that the cut uses.

    Clause 3.1e.
    """
    return (pack & card) == 0


def drawn_already(drawn: Mask, card: Mask) -> bool:
    """Whether this card has already been drawn in this round of the cut.

    Clause 3.1f.
    """
    return (drawn & card) != 0


def lowest_in_cut(cards: tuple[int, ...]) -> i64:
    """The set of seats that drew the lowest rank.

    `cards` holds a card number for each seat, or -1 if the seat drew none. If only one
    seat drew the lowest rank, it deals first; if several did, they cut again.
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
    """The next dealer: the seat on this dealer's left, whatever the direction of play.

    Clause 3.2.
    """
    return left_of(dealer, players)


def removed_cards(rules: Rules) -> Mask:
    """The low cards removed from the 52 so that the rest can be dealt evenly.

    Clause 3.3.
    """
    if rules.removal == LOWEST_NO_HEARTS:
        return removed_without_hearts(rules)
    removed = EMPTY
    if rules.removal == NO_REMOVAL:
        return removed
    for place in range(WHOLE_PACK % rules.players):
        removed = Mask(removed | card_at(13 * (place % 4) + place // 4))
    return removed


def removed_without_hearts(rules: Rules) -> Mask:
    """The low cards removed if hearts are spared: 2D 2C 2S, then 3D, and so on.

    Clause 3.3a.
    """
    removed = EMPTY
    for place in range(WHOLE_PACK % rules.players):
        suit = SPARING_HEARTS[place % 3]
        removed = Mask(removed | card_at(13 * suit + place // 3))
    return removed


def match_pack(rules: Rules, named: Mask) -> Mask:
    """The pack for every deal: the named pack, or what removal leaves of the 52 cards.

    `named` is empty if no pack is named.

    Clauses 3.3, 3.10, 3.10a.
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
    """The number of cards in the stock once `dealt` cards have gone to the seats.

    Clause 3.6.
    """
    return count(pack) - dealt if rules.undealt == STOCK else 0


def kitty_size(rules: Rules, pack: Mask, dealt: i64) -> i64:
    """The number of cards in the kitty once `dealt` cards have gone to the seats.

    Clause 3.7.
    """
    return count(pack) - dealt if rules.undealt == KITTY else 0


def wrong_hands(rules: Rules, size: i64, hands: tuple[Mask, ...]) -> bool:
    """Whether these are anything but one hand of `size` cards for each seat.

    Clause 3.8a.
    """
    sizes = [int(count(hand)) for hand in hands]
    return sizes != [int(size)] * int(rules.players)


def wrong_stock(rules: Rules, pack: Mask, size: i64, stock: tuple[int, ...]) -> bool:
    """Whether the stock is not of the size that hands of `size` cards leave for it.

    Clause 3.8b.
    """
    return len(stock) != stock_size(rules, pack, size * rules.players)


def wrong_kitty(rules: Rules, pack: Mask, size: i64, kitty: Mask) -> bool:
    """Whether the kitty is not of the size that hands of `size` cards leave for it.

    Clause 3.8c.
    """
    return count(kitty) != kitty_size(rules, pack, size * rules.players)


def not_the_pack(
    pack: Mask, hands: tuple[Mask, ...], stock: tuple[int, ...], kitty: Mask
) -> bool:
    """Whether hands, stock and kitty are not exactly the cards of the pack, each once.

    Clause 3.8d.
    """
    return all_of(hands) | kitty | cards_in(stock) != pack or cards_twice(
        hands, stock, kitty
    )


def cards_twice(hands: tuple[Mask, ...], stock: tuple[int, ...], kitty: Mask) -> bool:
    """Whether any card appears more than once in a deal.

    Clauses 3.8d, 3.12f.
    """
    total = count(kitty) + len(stock)
    for hand in hands:
        total += count(hand)
    return count(Mask(all_of(hands) | kitty | cards_in(stock))) != total


def leaves_cards_over(rules: Rules) -> bool:
    """Whether cards of the full pack would be left over with nowhere to go.

    Clause 3.9.
    """
    if rules.undealt != NONE:
        return False
    pack = match_pack(rules, EMPTY)
    return hand_size(rules, pack, False) * rules.players < count(pack)


def stock_without_hand_size(rules: Rules) -> bool:
    """Whether the ruleset provides for a stock but deals out all the cards.

    Clause 3.9a.
    """
    return rules.undealt == STOCK and rules.hand_size == 0


def removal_beside_talon(rules: Rules) -> bool:
    """Whether cards are removed even though a stock or kitty takes any left over.

    Clause 3.9b.
    """
    return rules.removal != NO_REMOVAL and rules.undealt != NONE


def too_few_cards(rules: Rules) -> bool:
    """Whether the full pack has too few cards for the hands that the ruleset deals.

    Clause 3.9c.
    """
    return rules.hand_size * rules.players > count(match_pack(rules, EMPTY))


def hands_without_card(rules: Rules, pack: Mask) -> bool:
    """Whether the hands would be empty if all cards of this named pack were dealt.

    Clause 3.9e.
    """
    return hand_size(rules, pack, True) == 0


def pack_too_small(rules: Rules, pack: Mask) -> bool:
    """Whether this named pack has fewer cards than the hands need.

    Clause 3.9f.
    """
    return hand_size(rules, pack, True) * rules.players > count(pack)


def pack_leaves_cards_over(rules: Rules, pack: Mask) -> bool:
    """Whether cards of this named pack would be left over with nowhere to go.

    Clause 3.9g.
    """
    if rules.undealt != NONE:
        return False
    return hand_size(rules, pack, True) * rules.players < count(pack)


def unequal_hands(hands: tuple[Mask, ...]) -> bool:
    """Whether these hands are not all of the same size.

    Clause 3.12d.
    """
    sizes = [int(count(hand)) for hand in hands]
    return min(sizes) != max(sizes)


def empty_hand(hands: tuple[Mask, ...]) -> bool:
    """Whether any of these hands is empty.

    Clause 3.12e.
    """
    return EMPTY in hands


def misplaced_stock(rules: Rules, stock: tuple[int, ...]) -> bool:
    """Whether there is a stock that the ruleset does not provide for.

    Clause 3.12g.
    """
    return len(stock) > 0 and rules.undealt != STOCK


def misplaced_kitty(rules: Rules, kitty: Mask) -> bool:
    """Whether there is a kitty that the ruleset does not provide for.

    Clause 3.12h.
    """
    return kitty != EMPTY and rules.undealt != KITTY
