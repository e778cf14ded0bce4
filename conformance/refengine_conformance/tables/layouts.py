"""Layouts: the cards as they lie when play begins, built around one seat's hand.

A pattern names the cards of that hand; all others lie as chance has it. A pattern that
hands of this size cannot have gives no cards.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

import attrs

from refengine.game.values.cardset import CARDS, Card, CardSet

QUEEN: Final = CARDS[36]
HEARTS: Final = tuple(CARDS[39:])
SUITS: Final = tuple(tuple(CARDS[13 * suit : 13 * suit + 13]) for suit in range(4))
CLUBS: Final = SUITS[0]
_HIGHEST: Final = sorted(CARDS, key=lambda card: -(card.number % 13))


@attrs.frozen
class Layout:
    """The hands, the stock (top first) and the kitty when play begins."""

    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...] = ()
    kitty: CardSet = attrs.field(factory=CardSet)


Pattern = Callable[[Random, int, list[Card]], list[Card]]
"""From a generator, the size of a hand and the pack: the cards of the hand, or some of
them; no cards if there is no such hand."""


def _hearts(pack: list[Card]) -> list[Card]:
    return [card for card in HEARTS if card in pack]


def _anything(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return []


def _nothing_but_hearts(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    hearts = _hearts(pack)
    return rng.sample(hearts, size) if size <= len(hearts) else []


def _nothing_but_penalty_cards(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    hearts = _hearts(pack)
    if QUEEN not in pack or size - 1 > len(hearts):
        return []
    return [QUEEN, *rng.sample(hearts, size - 1)]


def _hearts_and_another(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Hearts, and one other card.

    If it wins the first trick, the seat leads with nothing but hearts.
    """
    hearts = _hearts(pack)
    others = [card for card in pack if card not in hearts and card != QUEEN]
    if size - 1 > len(hearts) or not others:
        return []
    high = [card for card in others if card.number % 13 > 10] or others
    other = rng.choice(high if rng.random() < 0.7 else others)
    return [other, *rng.sample(hearts, size - 1)]


def _hearts_queen_and_another(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    found = _hearts_and_another(rng, size, pack)
    if not found or size < 3 or QUEEN not in pack:
        return []
    return [*found[:-1], QUEEN]


def _long_hearts(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Hearts and a few high cards beside them."""
    hearts = _hearts(pack)
    beside = rng.randint(2, 5)
    high = [card for card in _HIGHEST if card in pack and card not in hearts]
    number = min(size - beside, len(hearts))
    if number < 1:
        return []
    return [*rng.sample(hearts, number), *rng.sample(high[:12], min(beside, 12))][:size]


def _void_in_clubs(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return _without(CLUBS, rng, size, pack)


def _void_in_some_suit(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    return _without(rng.choice(SUITS[1:]), rng, size, pack)


def _without(
    suit: tuple[Card, ...], rng: Random, size: int, pack: list[Card]
) -> list[Card]:
    others = [card for card in pack if card not in suit]
    return rng.sample(others, size) if size <= len(others) else []


def _long_suit(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """All that the hand can hold of one suit, and the queen."""
    suit = [card for card in rng.choice(SUITS) if card in pack]
    number = min(size - 1, len(suit))
    queen = [QUEEN] if QUEEN in pack and QUEEN not in suit else []
    return [*rng.sample(suit, number), *queen][:size]


def _highest(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The highest cards: such a hand can win every trick."""
    return [card for card in _HIGHEST if card in pack][:size]


def _highest_of_two_suits(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """All that the hand can hold from the top of hearts and of another suit."""
    other = [card for card in rng.choice(SUITS[:3]) if card in pack]
    half = size // 2
    hearts = _hearts(pack)[-half:] if half else []
    return hearts + other[-(size - half) :]


def _lowest(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """Low cards: such a hand may win no trick."""
    found = [card for card in reversed(_HIGHEST) if card in pack and card != CARDS[0]]
    return found[:size]


def _queen_alone(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The queen without another spade, and few hearts."""
    if QUEEN not in pack:
        return []
    others = [card for card in pack if card not in SUITS[2] and card not in HEARTS[3:]]
    if size - 1 > len(others):
        return []
    return [QUEEN, *rng.sample(others, size - 1)]


def _ace_or_king_of_spades(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The ace and king of spades without the queen."""
    high = [card for card in (CARDS[38], CARDS[37]) if card in pack]
    others = [card for card in pack if card not in SUITS[2]]
    wanted = size - len(high)
    if not high or wanted < 0 or wanted > len(others):
        return []
    return [*high, *rng.sample(others, wanted)]


def highest_and_a_low_one(rng: Random, size: int, pack: list[Card]) -> list[Card]:
    """The highest cards and a low one: such a hand can win every trick but the last."""
    low = [card for card in _HIGHEST if card in pack and card not in HEARTS]
    return [*_highest(rng, size - 1, pack), rng.choice(low[-8:])]


PATTERNS: Final[tuple[Pattern, ...]] = (
    _anything,
    _nothing_but_hearts,
    _hearts_and_another,
    _highest,
    _void_in_clubs,
    _nothing_but_penalty_cards,
    _long_hearts,
    _highest_of_two_suits,
    _void_in_some_suit,
    _hearts_queen_and_another,
    _lowest,
    _long_suit,
    _queen_alone,
    _ace_or_king_of_spades,
)
"""Hands worth building a deal around."""


def lay_out(
    rng: Random,
    hand: list[Card],
    seat: int,
    players: int,
    size: int,
    pack: list[Card],
    talon: str,
) -> Layout:
    """These cards in the hand of one seat, and the rest of the pack dealt at random.

    What the hands leave over is the stock or the kitty, as `talon` says.
    """
    held = set(hand)
    rest = [card for card in pack if card not in held]
    rng.shuffle(rest)
    hands: list[CardSet] = []
    for other in range(players):
        own = list(hand) if other == seat else []
        missing = size - len(own)
        hands.append(CardSet([*own, *rest[:missing]]))
        rest = rest[missing:]
    return Layout(
        tuple(hands),
        stock=tuple(rest) if talon == "stock" else (),
        kitty=CardSet(rest) if talon == "kitty" else CardSet(),
    )
