"""Suits, ranks and cards by name: enums whose values are their notation.

This module is not compiled, since that makes an enum slower.
Clauses 1.1, 1.2, 1.3, 1.9.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from refengine.chapters.cards import RANKS, SUITS
from refengine.errors import Malformed, shown


class _Notation(Enum):
    """An enum whose value is its notation; its repr evaluates to the member."""

    @classmethod
    def _missing_(cls, value: object) -> None:
        name = cls.__name__.lower()
        raise Malformed(shown(value), f"a {name}, one of {' '.join(cls._texts())}")

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
    """One of the 52 cards, written as rank and then suit: `Card("QS")`."""

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

    def __init__(self, text: str) -> None:
        self._number = SUITS.index(text[1]) * len(RANKS) + RANKS.index(text[0])

    @property
    def number(self) -> int:
        """The place of the card in the order of the book, 0 to 51."""
        return self._number

    @property
    def suit(self) -> Suit:
        """The suit of the card."""
        return Suit(self.value[1])

    @property
    def rank(self) -> Rank:
        """The rank of the card."""
        return Rank(self.value[0])


CARDS: Final[tuple[Card, ...]] = tuple(
    [Card(rank + suit) for suit in SUITS for rank in RANKS]
)
