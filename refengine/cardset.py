"""Cards and sets of cards as users hold them.

Clauses 1.1, 1.2, 1.3, 1.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Protocol

import attrs

from refengine.cards import (
    CARD,
    EMPTY,
    PACK,
    RANKS,
    SUITS,
    Mask,
    cards_in,
    count,
    numbers_of,
)
from refengine.errors import Malformed
from refengine.notation import read_card, read_set, write_set


class Printer(Protocol):
    """What IPython and Hypothesis hand to `_repr_pretty_`."""

    def text(self, obj: str) -> None:
        """Print this text."""


class _Notation(Enum):
    """An enum whose value is its notation; its repr evaluates back."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        name = cls.__name__.lower()
        raise Malformed(repr(value), f"a {name}, one of {' '.join(cls._texts())}")

    @classmethod
    def _texts(cls) -> list[str]:
        return [str(member.value) for member in cls]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"

    def __str__(self) -> str:
        return str(self.value)


class Suit(_Notation):
    """A suit, in the order of the book."""

    CLUBS = "C"
    DIAMONDS = "D"
    SPADES = "S"
    HEARTS = "H"


class Rank(_Notation):
    """A rank, from low to high."""

    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"
    ACE = "A"


class Card(_Notation):
    """One of the 52 cards, written rank then suit: `Card("QS")`."""

    TWO_OF_CLUBS = "2C"
    THREE_OF_CLUBS = "3C"
    FOUR_OF_CLUBS = "4C"
    FIVE_OF_CLUBS = "5C"
    SIX_OF_CLUBS = "6C"
    SEVEN_OF_CLUBS = "7C"
    EIGHT_OF_CLUBS = "8C"
    NINE_OF_CLUBS = "9C"
    TEN_OF_CLUBS = "TC"
    JACK_OF_CLUBS = "JC"
    QUEEN_OF_CLUBS = "QC"
    KING_OF_CLUBS = "KC"
    ACE_OF_CLUBS = "AC"
    TWO_OF_DIAMONDS = "2D"
    THREE_OF_DIAMONDS = "3D"
    FOUR_OF_DIAMONDS = "4D"
    FIVE_OF_DIAMONDS = "5D"
    SIX_OF_DIAMONDS = "6D"
    SEVEN_OF_DIAMONDS = "7D"
    EIGHT_OF_DIAMONDS = "8D"
    NINE_OF_DIAMONDS = "9D"
    TEN_OF_DIAMONDS = "TD"
    JACK_OF_DIAMONDS = "JD"
    QUEEN_OF_DIAMONDS = "QD"
    KING_OF_DIAMONDS = "KD"
    ACE_OF_DIAMONDS = "AD"
    TWO_OF_SPADES = "2S"
    THREE_OF_SPADES = "3S"
    FOUR_OF_SPADES = "4S"
    FIVE_OF_SPADES = "5S"
    SIX_OF_SPADES = "6S"
    SEVEN_OF_SPADES = "7S"
    EIGHT_OF_SPADES = "8S"
    NINE_OF_SPADES = "9S"
    TEN_OF_SPADES = "TS"
    JACK_OF_SPADES = "JS"
    QUEEN_OF_SPADES = "QS"
    KING_OF_SPADES = "KS"
    ACE_OF_SPADES = "AS"
    TWO_OF_HEARTS = "2H"
    THREE_OF_HEARTS = "3H"
    FOUR_OF_HEARTS = "4H"
    FIVE_OF_HEARTS = "5H"
    SIX_OF_HEARTS = "6H"
    SEVEN_OF_HEARTS = "7H"
    EIGHT_OF_HEARTS = "8H"
    NINE_OF_HEARTS = "9H"
    TEN_OF_HEARTS = "TH"
    JACK_OF_HEARTS = "JH"
    QUEEN_OF_HEARTS = "QH"
    KING_OF_HEARTS = "KH"
    ACE_OF_HEARTS = "AH"

    @property
    def number(self) -> int:
        """Its place in the order of the book, 0 to 51."""
        return _NUMBERS[self]

    @property
    def suit(self) -> Suit:
        """The suit of the card."""
        return Suit(self.value[1])

    @property
    def rank(self) -> Rank:
        """The rank of the card."""
        return Rank(self.value[0])


CARDS: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
_NUMBERS: dict[Card, int] = {card: number for number, card in enumerate(CARDS)}


def card(text: object) -> Card:
    """The card written so, `card("QS")`.

    Raises Malformed if it is not one.
    """
    if not isinstance(text, str):
        raise Malformed(f"{text!r:.40}", "a card such as QS")
    return CARDS[read_card(text)]


@attrs.frozen(init=False, repr=False)
class CardSet:
    """An immutable set of cards, in the order of the book; an empty one is false.

    Made from notation in any order, `CardSet("QS 2C")`, or from cards.
    Raises Malformed for what is not a card, or a card given twice.
    """

    mask: Mask

    def __init__(self, cards: object = "") -> None:
        if isinstance(cards, str):
            mask = read_set(cards)
        else:
            mask = cards_in(tuple(one.number for one in self.checked(cards)))
        self.__attrs_init__(mask)

    @staticmethod
    def checked(cards: object) -> list[Card]:
        """These cards in their order.

        Raises Malformed for what is not a card, or a card given twice.
        """
        if not isinstance(cards, Iterable):
            raise Malformed(f"{cards!r:.40}", "cards such as 'QS 2H'")
        found: list[Card] = []
        for one in cards:
            if not isinstance(one, Card):
                raise Malformed(f"{one!r:.40}", "a Card")
            if one in found:
                raise Malformed(f"{one} twice", "each card once")
            found.append(one)
        return found

    @classmethod
    def of_mask(cls, mask: Mask) -> CardSet:
        """The set with these bits, as the rules hold it."""
        made = cls.__new__(cls)
        made.__attrs_init__(mask)
        return made

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & CARD[card.number])

    def __iter__(self) -> Iterator[Card]:
        return iter([CARDS[number] for number in numbers_of(self.mask)])

    def __len__(self) -> int:
        return int(count(self.mask))

    def __bool__(self) -> bool:
        return self.mask != EMPTY

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet.of_mask(Mask(self.mask & other.mask))

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet.of_mask(Mask(self.mask | other.mask))

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet.of_mask(Mask(self.mask & ~other.mask))

    def __xor__(self, other: CardSet) -> CardSet:
        return CardSet.of_mask(Mask(self.mask ^ other.mask))

    def __le__(self, other: CardSet) -> bool:
        return not self.mask & ~other.mask

    def of_suit(self, suit: Suit) -> CardSet:
        """The cards of the set that are of this suit."""
        return CardSet(one for one in self if one.suit is Suit(suit))

    def __str__(self) -> str:
        return write_set(self.mask)

    def __repr__(self) -> str:
        return f"CardSet({str(self)!r})"

    def _repr_svg_(self) -> str:
        from refengine.pictures import cards_svg

        return cards_svg(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(repr(self))


NO_CARDS = CardSet.of_mask(EMPTY)
WHOLE_PACK = CardSet.of_mask(PACK)


def cards(text: str) -> CardSet:
    """The set of the cards written so, `cards("QS 2C")`.

    Raises Malformed if a card is not one, or stands there twice.
    """
    return CardSet(text)
