"""Sets of cards as users hold them.

Clauses 1.1, 1.2, 1.3, 1.9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final, Protocol, final

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    PACK,
    Mask,
    card_at,
    cards_in,
    count,
    numbers_of,
)
from refengine.errors import Malformed, shown
from refengine.game.card import CARDS, Card, Rank, Suit
from refengine.machine.notation import read_card, read_set, write_set
from refengine.sealing import seal

__all__ = [
    "CARDS",
    "NO_CARDS",
    "WHOLE_PACK",
    "Card",
    "CardSet",
    "Printer",
    "Rank",
    "Suit",
    "card",
    "cards",
]


class Printer(Protocol):
    """What IPython and Hypothesis hand to `_repr_pretty_`."""

    def text(self, obj: str) -> None:
        """Print this text."""


def card(text: object) -> Card:
    """The card with this notation: `card("QS")`.

    Raises Malformed if the text is not a card.
    """
    if not isinstance(text, str):
        raise Malformed(shown(text)[:40], "a card such as QS")
    return CARDS[read_card(text)]


@final
class CardSet:
    """An immutable set of cards, iterated in the order of the book; false if empty.

    It is made from notation in any order, `CardSet("QS 2C")`, or from cards.
    Raises Malformed for anything that is not a card, and for a card given twice.
    """

    __match_args__: ClassVar = ("mask",)

    def __init__(self, cards: object = "", *, mask: i64 = -1) -> None:
        found = Mask(mask)  # as the rules hold it: see `of_mask`
        if isinstance(cards, str):
            if cards or mask < 0:
                found = read_set(cards)
        else:
            found = cards_in(tuple([one.number for one in CardSet.checked(cards)]))
        self.mask: Final = found

    @staticmethod
    def checked(cards: object) -> list[Card]:
        """These cards as a list, in the order given.

        Raises Malformed for anything that is not a card, and for a card given twice.
        """
        if not isinstance(cards, Iterable):
            raise Malformed(shown(cards)[:40], "cards such as 'QS 2H'")
        found: list[Card] = []
        for one in cards:
            if not isinstance(one, Card):
                raise Malformed(shown(one)[:40], "a Card")
            if one in found:
                raise Malformed(f"{one} twice", "each card once")
            found.append(one)
        return found

    @staticmethod
    def of_mask(mask: Mask) -> CardSet:
        """The set of the cards in this mask, which is the form that the rules use."""
        return CardSet(mask=mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __copy__(self) -> CardSet:
        return self

    def __deepcopy__(self, memo: object) -> CardSet:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return CardSet, (str(self),)

    def __contains__(self, card: object) -> bool:
        return isinstance(card, Card) and bool(self.mask & card_at(card.number))

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


seal(CardSet, "mask")

NO_CARDS: Final = CardSet.of_mask(EMPTY)
WHOLE_PACK: Final = CardSet.of_mask(PACK)


def cards(text: object) -> CardSet:
    """The set of the cards with this notation: `cards("QS 2C")`.

    Raises Malformed if a word is not a card, or a card appears twice.
    """
    return CardSet(text)
