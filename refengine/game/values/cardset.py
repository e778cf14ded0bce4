"""Immutable sets of cards, as used throughout the public interface.

Clauses 1.1, 1.2, 1.3, 1.9.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AnySet
from typing import ClassVar, Final, Protocol, SupportsIndex, TypeAlias, final

from refengine.chapters.cards import (
    EMPTY,
    PACK,
    Mask,
    card_at,
    cards_in,
    count,
    numbers_of,
)
from refengine.errors import Malformed, shown, values_in, whole_number
from refengine.game.card import CARDS, Card, Rank, Suit
from refengine.machine.cards_typed import as_written
from refengine.machine.notation import read_card, read_set, write_set
from refengine.sealing import close, seal

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


Cards: TypeAlias = "CardSet | AnySet[Card]"
"""Any kind of set of cards: a CardSet or another Set of `Card` values."""

_PACK: Final = 2**52 - 1


class Printer(Protocol):
    """The type of the printer that IPython and Hypothesis pass to `_repr_pretty_`."""

    def text(self, obj: str) -> None:
        """Print this text."""


def card(text: object) -> Card:
    """The card with this notation, or this Card itself; for a number, use `Card(36)`.

    >>> card("QS")
    Card('QS')

    Raises Malformed for anything else.
    """
    if isinstance(text, Card):
        return text
    if not isinstance(text, str):
        raise Malformed(shown(text)[:40], "a card such as QS")
    return CARDS[read_card(text)]


@final
class CardSet:
    """An immutable set of cards, iterated in the order of the book; false if empty.

    It is made from notation in any order, or from cards, each a Card or its notation.

    >>> hand = CardSet("QS 2C AH")
    >>> hand
    CardSet('2C QS AH')
    >>> "QS" in hand, Card("KS") in hand, len(hand)
    (True, False, 3)
    >>> hand - CardSet("AH") | {Card("KS")}
    CardSet('2C QS KS')

    It is a `collections.abc.Set`, and its operators take any Set of cards. It is equal
    to every Set of the same cards, and has the same hash as a frozenset of them. A set
    of strings is not a set of cards: `hand == {"QS"}` is False, and any other operator
    raises Malformed. No CardSet is equal to a string, since it would then need the hash
    of that string.

    >>> hand == frozenset(hand), hash(hand) == hash(frozenset(hand))
    (True, True)
    >>> hand == "2C QS AH", hand == CardSet("2C QS AH")
    (False, True)

    Raises Malformed for anything that is not a card, whether it is given, tested with
    `in` or contained in the other operand, and for a card given twice. Raises TypeError
    if the other operand is not a Set, unless the operator is `==` or `!=`.
    """

    __slots__ = ("__dict__",)  # no weak references, as when compiled

    __match_args__: ClassVar = ("mask",)

    def __init__(
        self, cards: object = "", *, mask: Mask | SupportsIndex | None = None
    ) -> None:
        if mask is not None:
            if not isinstance(cards, str) or cards:
                raise Malformed("cards as well", "either cards or a mask", "mask")
            found = _whole_mask(mask)
        elif isinstance(cards, str):
            found = read_set(cards)
        else:
            found = cards_in(tuple([one.number for one in CardSet.checked(cards)]))
        self.mask: Final = found

    @staticmethod
    def checked(cards: object) -> list[Card]:
        """These cards as a list, in the order given.

        Raises Malformed for anything that is not a card, and for a card given twice.
        """
        every = None if isinstance(cards, bytes) else values_in(cards)
        if every is None:
            raise Malformed(shown(cards)[:40], "cards such as 'QS 2H'")
        found: list[Card] = []
        for given in every:
            one = card(given)
            if one in found:
                raise Malformed(f"{one} twice", "each card once")
            found.append(one)
        return found

    @staticmethod
    def of_mask(mask: Mask | SupportsIndex) -> CardSet:
        """The set of the cards whose bits are set in the mask."""
        return CardSet(mask=mask)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CardSet):
            return self.mask == other.mask
        return isinstance(other, AnySet) and frozenset(self) == other

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __copy__(self) -> CardSet:
        return self

    def __deepcopy__(self, memo: object) -> CardSet:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return CardSet, (str(self),)

    def __contains__(self, card: object) -> bool:
        one = _card(card)
        return bool(self.mask & card_at(one.number))

    def __iter__(self) -> Iterator[Card]:
        return iter([CARDS[number] for number in numbers_of(self.mask)])

    def __len__(self) -> int:
        return int(count(self.mask))

    def __bool__(self) -> bool:
        return self.mask != EMPTY

    def __and__(self, other: Cards) -> CardSet:
        return CardSet.of_mask(self.mask & _mask_of(other))

    def __rand__(self, other: Cards) -> CardSet:
        return self & other

    def __or__(self, other: Cards) -> CardSet:
        return CardSet.of_mask(self.mask | _mask_of(other))

    def __ror__(self, other: Cards) -> CardSet:
        return self | other

    def __sub__(self, other: Cards) -> CardSet:
        return CardSet.of_mask(self.mask & ~_mask_of(other))

    def __rsub__(self, other: Cards) -> CardSet:
        return CardSet.of_mask(_mask_of(other) & ~self.mask)

    def __xor__(self, other: Cards) -> CardSet:
        return CardSet.of_mask(self.mask ^ _mask_of(other))

    def __rxor__(self, other: Cards) -> CardSet:
        return self ^ other

    def __le__(self, other: Cards) -> bool:
        return not self.mask & ~_mask_of(other)

    def __lt__(self, other: Cards) -> bool:
        return self <= other and self.mask != _mask_of(other)

    def __ge__(self, other: Cards) -> bool:
        return not _mask_of(other) & ~self.mask

    def __gt__(self, other: Cards) -> bool:
        return self >= other and self.mask != _mask_of(other)

    def isdisjoint(self, other: Cards) -> bool:
        """Whether the two sets have no card in common."""
        return not self & other

    def of_suit(self, suit: Suit | str) -> CardSet:
        """The cards of the set that are of this suit, given as a Suit or its letter."""
        wanted = Suit(suit)
        return CardSet([one for one in self if one.suit is wanted])

    def __format__(self, form: str) -> str:
        return format(str(self), form)

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
close(CardSet)
AnySet.register(CardSet)


def _whole_mask(mask: object) -> Mask:
    """The number as a mask; raises Malformed unless it is a number of 52 bits."""
    if isinstance(mask, int) and not isinstance(mask, bool):
        number = mask  # no call: every set that comes from the rules is made here
    else:
        whole = whole_number(mask)
        number = -1 if whole is None else whole
    if not 0 <= number <= _PACK:
        raise Malformed(shown(mask)[:40], "a mask of 52 bits", "mask")
    return Mask(number)


def _mask_of(cards: object) -> Mask:
    """The mask of a set of cards of any kind.

    Raises TypeError if `cards` is not a Set, and Malformed if it contains anything but
    cards.
    """
    if isinstance(cards, CardSet):
        return cards.mask
    if not isinstance(cards, AnySet):
        raise TypeError(_no_set(cards))
    for one in cards:  # notation would not be equal to any card
        if not isinstance(one, Card):
            meant = as_written(one) if isinstance(one, str) else ""
            hint = f", such as card({meant!r})" if meant else ""
            raise Malformed(shown(one)[:40], f"a Card{hint}")
    return cards_in(tuple([one.number for one in CardSet.checked(cards)]))


def _no_set(cards: object) -> str:
    """The message for something that is not a Set, with a hint if it names cards."""
    found = f"a CardSet goes with a Set of cards, not {shown(cards)[:40]}"
    try:
        if isinstance(cards, Card):
            meant = CardSet([cards])
        else:
            meant = CardSet(as_written(cards) if isinstance(cards, str) else cards)
    except Malformed:
        return found
    return f"{found}; write {meant!r}" if meant else found


_card = card  # parameters of methods shadow it

NO_CARDS: Final = CardSet.of_mask(EMPTY)
WHOLE_PACK: Final = CardSet.of_mask(PACK)


def cards(text: object) -> CardSet:
    """The set of the cards in this notation or in this list, in any order.

    >>> cards("QS 2C") == cards(["QS", "2C"])
    True

    Raises Malformed if anything in it is not a card, or if a card appears twice.
    """
    return CardSet(text)
