"""Chapter 1, Cards: a set of cards as a mask of 52 bits.

Bit `13 * suit + rank` stands for a card, with suits in the order C D S H and ranks from
2 to A, so that ascending numbers follow the order of the book.
Users work with `refengine.Card` and `refengine.CardSet`; the `mask` of a set is such a
mask.
"""

from typing import Final, NewType

from mypy_extensions import i64

from refengine.chapters.settings import Rules

Mask = NewType("Mask", i64)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDSH"

EMPTY: Final = Mask(0)
PACK: Final = Mask(2**52 - 1)

CLUBS: Final = Mask(2**13 - 1)
DIAMONDS: Final = Mask((2**13 - 1) * 2**13)
SPADES: Final = Mask((2**13 - 1) * 2**26)
HEARTS: Final = Mask((2**13 - 1) * 2**39)
QUEEN: Final = Mask(2**36)
KING: Final = Mask(2**37)
ACE: Final = Mask(2**38)
ACE_OR_KING_OF_SPADES: Final = Mask(KING | ACE)

_LAST_CARD: Final = i64(2**51)
_EVEN: Final = i64(0x5555555555555)
_PAIRS: Final = i64(0x3333333333333)
_NIBBLES: Final = i64(0xF0F0F0F0F0F0F)


def card_at(number: i64) -> Mask:
    """The card with this number, from 0 to 51.

    The bit is shifted down from the last card, not up from the first: once compiled, a
    literal 1 would be shifted in 32 bits.
    """
    return Mask(_LAST_CARD >> (51 - number))


def count(cards: Mask) -> i64:
    """The number of cards in the set."""
    bits: i64 = cards
    bits = (bits & _EVEN) + ((bits >> 1) & _EVEN)
    bits = (bits & _PAIRS) + ((bits >> 2) & _PAIRS)
    bits = (bits & _NIBBLES) + ((bits >> 4) & _NIBBLES)
    bits = bits + (bits >> 8)
    bits = bits + (bits >> 16)
    bits = bits + (bits >> 32)
    return bits & 127


def lowest(cards: Mask) -> Mask:
    """The first card of the set in the order of the book, or EMPTY if there is none."""
    return Mask(cards & -cards)


def suit_of(card: Mask) -> Mask:
    """The whole suit to which a single card belongs."""
    if card & CLUBS:
        return CLUBS
    if card & DIAMONDS:
        return DIAMONDS
    return SPADES if card & SPADES else HEARTS


def number_of(card: Mask) -> i64:
    """The number of a single card, from 0 to 51."""
    number: i64 = 0
    bits: i64 = card
    if bits >= 4294967296:
        bits = bits >> 32
        number = 32
    if bits >= 65536:
        bits = bits >> 16
        number += 16
    if bits >= 256:
        bits = bits >> 8
        number += 8
    if bits >= 16:
        bits = bits >> 4
        number += 4
    if bits >= 4:
        bits = bits >> 2
        number += 2
    return number + (bits >> 1)


def numbers_of(cards: Mask) -> list[int]:
    """The numbers of the cards in the set, in ascending order."""
    numbers: list[int] = []
    rest = cards
    while rest:
        numbers.append(number_of(lowest(rest)))
        rest = Mask(rest & (rest - 1))
    return numbers


def cards_in(numbers: tuple[int, ...]) -> Mask:
    """The set of the cards with these numbers."""
    cards = EMPTY
    for number in numbers:
        cards = Mask(cards | card_at(number))
    return cards


def all_of(piles: tuple[Mask, ...]) -> Mask:
    """The union of these sets of cards."""
    cards = EMPTY
    for pile in piles:
        cards = Mask(cards | pile)
    return cards


def rank_of(number: i64) -> i64:
    """The rank of the card with this number: 0 for a two, 12 for an ace.

    Clause 1.2.
    """
    return number % 13


def hearts_cost(rules: Rules) -> bool:
    """Whether hearts cost points, either a fixed number each or their face value.

    Clauses 1.4, 1.5a.
    """
    return rules.hearts_cost_face or rules.heart_points != 0


def penalty_cards(rules: Rules) -> Mask:
    """The hearts and the high spades that score points under the ruleset.

    Clause 1.4.
    """
    penalty = EMPTY
    if hearts_cost(rules):
        penalty = HEARTS
    if rules.queen_points:
        penalty = Mask(penalty | QUEEN)
    if rules.king_points:
        penalty = Mask(penalty | KING)
    if rules.ace_points:
        penalty = Mask(penalty | ACE)
    return penalty


def faces_of(hearts: Mask) -> i64:
    """The total face value of these hearts: 2 for a two, 11 for a jack, 14 for an ace.

    Clause 1.5a.
    """
    points: i64 = 0
    rest = hearts
    while rest:
        points += rank_of(number_of(lowest(rest))) + 2
        rest = Mask(rest & (rest - 1))
    return points


def king_and_ace(rules: Rules, cards: Mask) -> i64:
    """The points for those of the king and ace of spades that are among these cards.

    Clause 1.5b.
    """
    points: i64 = 0
    if cards & KING:
        points += rules.king_points
    if cards & ACE:
        points += rules.ace_points
    return points


def points_of(rules: Rules, cards: Mask) -> i64:
    """The total points of the penalty cards among these cards.

    For all the cards in play, this is the sum to which the moon, a revoke that costs
    `"all"` and the conservation of points refer.
    Clauses 1.5, 1.6.
    """
    if rules.hearts_cost_face:
        points = faces_of(Mask(cards & HEARTS))
    else:
        points = count(Mask(cards & HEARTS)) * rules.heart_points
    if cards & QUEEN:
        points += rules.queen_points
    if cards & ACE_OR_KING_OF_SPADES:
        points += king_and_ace(rules, cards)
    return points


def cards_that_count(rules: Rules) -> Mask:
    """The cards that change a score: the penalty cards and the bonus card, if any.

    Clause 5.14a.
    """
    return Mask(penalty_cards(rules) | rules.bonus_card)


def bonus_in(rules: Rules, cards: Mask) -> bool:
    """Whether the bonus card of the ruleset is among these cards.

    Clause 1.7.
    """
    return (cards & rules.bonus_card) != 0
