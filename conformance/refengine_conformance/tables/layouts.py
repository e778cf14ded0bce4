"""Layouts: the cards as they lie when play begins, built around one seat's hand.

A pattern is a function that chooses all or some of the cards of that hand; the others
are chosen at random. It chooses none if no hand of the wanted size can fit it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import attrs

from refengine.game.values.cardset import CARDS, Card, CardSet

QUEEN: Final = CARDS[36]  # of spades
HEARTS: Final = tuple(CARDS[39:])
SUITS: Final = tuple(tuple(CARDS[13 * suit : 13 * suit + 13]) for suit in range(4))
CLUBS: Final = SUITS[0]
_HIGHEST: Final = sorted(CARDS, key=lambda card: -(card.number % 13))
"""All cards from the aces down to the twos."""


@attrs.frozen
class Layout:
    """The hands, the stock (top first) and the kitty when play begins."""

    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...] = ()
    kitty: CardSet = attrs.field(factory=CardSet)


Pattern = Callable[[Random, int, list[Card]], list[Card]]
"""Makes a hand, or part of one, from a generator, the size of a hand and the pack.

The list is empty if there is no such hand.
"""


def _hearts(pack: list[Card]) -> list[Card]:
    """The hearts of the pack, from the lowest up."""
    return [card for card in HEARTS if card in pack]


def _anything(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return []


def _nothing_but_hearts(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    hearts = _hearts(pack)
    return rng.sample(hearts, size) if size <= len(hearts) else []


def _hearts_and_queen(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The queen of spades, and hearts for the rest of the hand."""
    hearts = _hearts(pack)
    if QUEEN not in pack or size - 1 > len(hearts):
        return []
    return [QUEEN, *rng.sample(hearts, size - 1)]


def _hearts_and_another(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Hearts, and one other card, which is usually high.

    A seat that wins the first trick with that card has only hearts to lead.
    """
    hearts = _hearts(pack)
    others = [card for card in pack if card not in hearts and card != QUEEN]
    if size - 1 > len(hearts) or not others:
        return []
    high = [card for card in others if card.number % 13 > 10] or others
    other = rng.choice(high if rng.random() < 0.7 else others)
    return [other, *rng.sample(hearts, size - 1)]


def _hearts_queen_and_another(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Hearts, the queen, and one other card."""
    if size < 3 or QUEEN not in pack:
        return []
    hand = _hearts_and_another(rng, size - 1, pack)
    return [*hand, QUEEN] if hand else []


def _long_hearts(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Hearts, and two to five high cards of other suits."""
    hearts = _hearts(pack)
    others = rng.randint(2, 5)
    high = [card for card in _HIGHEST if card in pack and card not in hearts]
    number = min(size - others, len(hearts))
    if number < 1 or len(high) < others:
        return []
    return [*rng.sample(hearts, number), *rng.sample(high[:12], others)]


def _void_in_clubs(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return _without(CLUBS, rng, size, pack)


def _void_in_some_suit(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return _without(rng.choice(SUITS[1:]), rng, size, pack)


def _without(
    suit: tuple[Card, ...], rng: Random, size: int, pack: list[Card]
) -> list[Card]:
    """A whole hand without a card of this suit."""
    others = [card for card in pack if card not in suit]
    return rng.sample(others, size) if size <= len(others) else []


def _long_suit(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Cards of one suit: one fewer than a hand, or all that the pack has of the suit.

    The queen is added if she is of another suit.
    """
    suit = [card for card in rng.choice(SUITS) if card in pack]
    number = min(size - 1, len(suit))
    queen = [QUEEN] if QUEEN in pack and QUEEN not in suit else []
    return [*rng.sample(suit, number), *queen]


def _highest(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The highest cards of the pack, which can win every trick."""
    return [card for card in _HIGHEST if card in pack][:size]


def _highest_of_two_suits(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Half a hand of the highest hearts, and the highest cards of another suit."""
    other = [card for card in rng.choice(SUITS[:3]) if card in pack]
    half = size // 2
    hearts = _hearts(pack)[-half:] if half else []
    return hearts + other[-(size - half) :]


def _lowest(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The lowest cards except the two of clubs; they can lose every trick."""
    low = [card for card in reversed(_HIGHEST) if card in pack and card != CARDS[0]]
    return low[:size]


def _queen_alone(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The queen, with no other spade and no heart above the four."""
    if QUEEN not in pack:
        return []
    others = [card for card in pack if card not in SUITS[2] and card not in HEARTS[3:]]
    if size - 1 > len(others):
        return []
    return [QUEEN, *rng.sample(others, size - 1)]


def _ace_and_king_of_spades(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Whichever of the ace and king of spades the pack has, and no other spade."""
    high = [card for card in (CARDS[38], CARDS[37]) if card in pack]
    others = [card for card in pack if card not in SUITS[2]]
    wanted = size - len(high)
    if not high or wanted < 0 or wanted > len(others):
        return []
    return [*high, *rng.sample(others, wanted)]


def highest_and_a_low_one(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The highest cards and a low one, which can win every trick but the last."""
    highest = _highest(rng, size - 1, pack)
    others = [card for card in _HIGHEST if card in pack and card not in HEARTS]
    low = [card for card in others[-8:] if card not in highest]
    return [*highest, rng.choice(low)] if low else []


PATTERNS: Final[tuple[Pattern, ...]] = (
    _anything,
    _nothing_but_hearts,
    _hearts_and_another,
    _highest,
    _void_in_clubs,
    _hearts_and_queen,
    _long_hearts,
    _highest_of_two_suits,
    _void_in_some_suit,
    _hearts_queen_and_another,
    _lowest,
    _long_suit,
    _queen_alone,
    _ace_and_king_of_spades,
)
"""The patterns of hands that are worth building a deal around."""


def lay_out(
    rng: Random,
    hand: list[Card],
    seat: int,
    players: int,
    size: int,
    pack: list[Card],
    talon: str,
) -> Layout:
    """A layout with `hand` held by one seat, and the other cards dealt at random.

    `talon` says what undealt cards become: `stock`, `kitty` or, for neither, `none`.
    """
    held = set(hand)
    rest = [card for card in pack if card not in held]
    rng.shuffle(rest)
    hands: list[CardSet] = []
    for to in range(players):
        given = hand if to == seat else []
        missing = size - len(given)
        hands.append(CardSet([*given, *rest[:missing]]))
        rest = rest[missing:]
    return Layout(
        tuple(hands),
        stock=tuple(rest) if talon == "stock" else (),
        kitty=CardSet(rest) if talon == "kitty" else CardSet(),
    )
