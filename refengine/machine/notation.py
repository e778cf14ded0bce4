"""Cards, sets and sequences as the book writes them: rank then suit, as in `QS`.

Clause 1.9.
"""

from typing import Final

from refengine.chapters.cards import (
    EMPTY,
    RANKS,
    SUITS,
    Mask,
    card_at,
    cards_in,
    numbers_of,
)
from refengine.errors import Malformed

CARD_TEXTS: Final[tuple[str, ...]] = tuple(
    [rank + suit for suit in SUITS for rank in RANKS]
)
_NUMBERS: Final[dict[str, int]] = {
    CARD_TEXTS[number]: number for number in range(len(CARD_TEXTS))
}
_MOST_MEANT: Final = 60  # the most characters in a hint for the whole text
_A_CARD: Final = "a rank of 23456789TJQKA and a suit of CDSH, such as QS"


def read_card(text: str) -> int:
    """The number of the card that this text names, 0 to 51.

    Raises Malformed if it names none.
    """
    number = _NUMBERS.get(text, -1)
    if number < 0:
        raise unreadable_card(text)
    return number


def read_sequence(text: str) -> tuple[int, ...]:
    """The numbers of the cards that this text names, in the order written.

    Raises Malformed if a word is not a card, or a card appears twice.
    """
    if not text:
        return ()
    numbers: list[int] = []
    seen = EMPTY
    for word in text.split(" "):
        number = _NUMBERS.get(word, -1)
        if number < 0:
            raise _unreadable(word, text)
        if seen & card_at(number):
            raise Malformed(f"{word} twice", "each card once")
        seen = Mask(seen | card_at(number))
        numbers.append(number)
    return tuple(numbers)


def _unreadable(word: str, text: str) -> Malformed:
    """The error for a word that is not a card, with a guess at what was meant.

    There is no guess if neither the text nor the word can be read as cards in another
    way.
    """
    from refengine.machine.cards_typed import as_written  # which imports this module

    whole = as_written(text)
    fits = whole != "" and len(whole) <= _MOST_MEANT
    meant = whole if fits else as_written(word)
    hint = f"; did you mean {meant}?" if meant and meant != word else ""
    return Malformed(f"{word[:40]!r}", f"{_A_CARD}{hint}")


def unreadable_card(text: str) -> Malformed:
    """The error for text that is not a card, with a hint at what it may mean."""
    return _unreadable(text, text)


def read_set(text: str) -> Mask:
    """The set of the cards that this text names, in any order.

    Raises Malformed if a word is not a card, or a card appears twice.
    """
    return cards_in(read_sequence(text))


def write_sequence(numbers: tuple[int, ...]) -> str:
    """The cards with these numbers in the order given, separated by single spaces."""
    return " ".join([CARD_TEXTS[number] for number in numbers])


def write_set(cards: Mask) -> str:
    """The cards of the set in the order of the book, separated by single spaces."""
    return " ".join([CARD_TEXTS[number] for number in numbers_of(cards)])
