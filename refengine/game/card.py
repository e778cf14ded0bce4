"""Suits, ranks and cards, as enums whose values are their notation.

A card is found by its notation or by its number (its place in the order of the book), a
suit by its letter or its number, and a rank by its letter or its number, 2 to 14. All
three are sorted in the order of the book, even suits, although no suit beats another.

This module is not compiled, since compiling makes an enum slower.
Clauses 1.1, 1.2, 1.3, 1.9.
"""

from __future__ import annotations

from enum import Enum, EnumType
from typing import Any, Final

from refengine.chapters.cards import RANKS, SUITS
from refengine.errors import Malformed, shown, whole_number

_LARGEST: Final = 2**31 - 1


class _Kind(EnumType):
    """The metaclass of these enums, for which a huge number is Malformed too.

    An enum usually puts a value that it cannot find into the message of its error, but
    Python refuses to write out a number with too many digits.
    """

    def __call__(cls, value: Any, *more: Any, **named: Any) -> Any:
        if type(value) is int and abs(value) > _LARGEST:
            cls._missing_(value)  # type: ignore[attr-defined]  # every enum has it
        return super().__call__(value, *more, **named)


class _Notation(Enum, metaclass=_Kind):
    """An enum whose values are notation, and whose reprs evaluate to the members."""

    __match_args__ = ("value",)

    @classmethod
    def _missing_(cls, value: object) -> _Notation:
        name = cls.__name__.lower()
        raise Malformed(shown(value)[:40], f"a {name}, one of {' '.join(cls._texts())}")

    @classmethod
    def _texts(cls) -> list[str]:
        return [str(member.value) for member in cls]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.value!r})"

    def __str__(self) -> str:
        return str(self.value)


class _Ordered(_Notation):
    """An enum ordered by a number, by which its members can also be found."""

    _number: int

    @property
    def number(self) -> int:
        """The number: a card has 0 to 51, a suit 0 to 3, a rank 2 to 14 (1.5a)."""
        return self._number

    @classmethod
    def _missing_(cls, value: object) -> _Notation:
        number = whole_number(value)
        if number is not None:
            members = list(cls)
            place = number - members[0].number
            if 0 <= place < len(members):
                return members[place]
        return super()._missing_(value)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.number < other.number

    def __le__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.number <= other.number

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.number > other.number

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self.number >= other.number


class Suit(_Ordered):
    """A suit, which can be looked up by its letter or by its number, 0 to 3.

    The order is that of the book: clubs, diamonds, spades, hearts.

    >>> Suit("S") is Suit(2) is Suit.SPADES, Suit("S") < Suit("H")
    (True, True)

    Raises Malformed for anything that is not a suit.
    """

    CLUBS = "C"
    DIAMONDS = "D"
    SPADES = "S"
    HEARTS = "H"

    def __init__(self, value: Suit | str | int) -> None:
        self._number = SUITS.index(str(value))  # as in `Card`


class Rank(_Ordered):
    """A rank, which can be looked up by its letter or by its number, 2 to 14.

    The number is what clause 1.5a counts: 2 to 10, then 11 for the jack, 12 for the
    queen, 13 for the king and 14 for the ace. Ranks are compared by number.

    >>> Rank("T") is Rank(10) is Rank.TEN, Rank.ACE.number
    (True, 14)
    >>> Rank("9") < Rank("T") < Rank("J")
    True

    Raises Malformed for anything that is not a rank.
    """

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

    def __init__(self, value: str | int) -> None:
        self._number = RANKS.index(str(value)) + 2  # as in `Card`


class Card(_Ordered):
    """One of the 52 cards, looked up by its notation (rank, then suit) or its number.

    The number, 0 to 51, is the place in the order of the book: clubs, diamonds, spades,
    hearts, each from the two to the ace. Cards are compared and sorted by number. Which
    card wins a trick is another matter (5.10).

    >>> Card("QS") is Card(36) is Card.QUEEN_OF_SPADES
    True
    >>> sorted([Card("2H"), Card("AC"), Card("QS")])
    [Card('AC'), Card('QS'), Card('2H')]
    >>> Card("QS").number, Card("QS").suit, Card("QS").rank
    (36, Suit('S'), Rank('Q'))

    A card is equal only to itself, not to its notation, since equal values need equal
    hashes; the same goes for suits and ranks. Test for a card with `one is Card("QS")`
    or, in a CardSet, with `"QS" in hand`. In a pattern, write `Card("QS")`.

    >>> Card("QS") == "QS", "QS" in [Card("QS")], Card("QS") == Card("QS")
    (False, False, True)
    >>> match Card("QS"):
    ...     case Card("QS"):
    ...         print("the queen")
    the queen

    Raises Malformed for anything that is not a card; if it is text that can be read as
    one, the error says how that card is written.
    """

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

    @classmethod
    def _missing_(cls, value: object) -> _Notation:
        if isinstance(value, str):
            from refengine.machine.notation import unreadable_card  # late: seldom used

            said = unreadable_card(value)
            raise Malformed(said.found, f"a card, {said.allowed}")
        return super()._missing_(value)

    def __init__(self, value: str | int) -> None:
        text = str(value)  # always a str; the annotation is for callers of `Card(...)`
        self._number = SUITS.index(text[1]) * len(RANKS) + RANKS.index(text[0])

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
