"""Plain words for cards, seats, numbers and option values, as used in rulings.

They are for readers who have played Hearts on a phone and do not know the book's terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from refengine.game.acts import Act, MoonChoice
from refengine.game.values.cardset import Card, CardSet
from refengine.lawbook.options import Option, Value, value_text
from refengine.lawbook.spoken import spoken_options
from refengine.rulings.templates import templates

_RANKS: Final[dict[str, str]] = templates()["ranks"]
_SUITS: Final[dict[str, str]] = templates()["suits"]
PHASES: Final[dict[str, str]] = templates()["phases"]


def card_words(card: Card) -> str:
    """The card in words, such as `the queen of spades`."""
    return f"the {_RANKS[card.value[0]]} of {suit_words(card)}"


def suit_words(card: Card) -> str:
    """The suit of the card in words, such as `spades`."""
    return f"{_SUITS[card.value[1]]}s"


def card_of_suit_words(card: Card) -> str:
    """A card of the same suit as this card, in words, such as `a spade`."""
    return f"a {_SUITS[card.value[1]]}"


def list_words(words: Iterable[str], last: str = "and") -> str:
    """The words as a list, such as `one, two and three`."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def cards_words(cards: Iterable[Card], last: str = "and") -> str:
    """The cards as text: a single card in words, several in notation, or `no card`."""
    several = list(cards)
    if len(several) == 1:
        return card_words(several[0])
    return list_words((str(card) for card in several), last) if several else "no card"


def seat_words(seat: int) -> str:
    """The seat in words, such as `seat 2`."""
    return f"seat {seat}"


def act_words(act: Act) -> str:
    """The act as a phrase that can follow `may not`; a seat in it is called a seat."""
    if isinstance(act, MoonChoice) and isinstance(act.choice, int):
        return f"choose moon one {seat_words(act.choice)}"
    return act.phrase


def seats_words(seats: Sequence[int]) -> str:
    """One or more seats in words, such as `seat 1` or `seats 0 and 2`."""
    several = "seats" if len(seats) > 1 else "seat"
    return f"{several} {list_words(map(str, seats))}"


def capital(text: str) -> str:
    """The text with an initial capital."""
    return text[:1].upper() + text[1:]


def sentence(words: str) -> str:
    """The words as a sentence, with a capital and a full stop."""
    return f"{capital(words)}."


def each_words(numbers: Iterable[int]) -> str:
    """The numbers by seat, leaving out zeros, such as `seat 0: 4, seat 2: 13`.

    If all are zero, it is `nothing for anybody`.
    """
    told = [f"seat {seat}: {number}" for seat, number in enumerate(numbers) if number]
    return ", ".join(told) or "nothing for anybody"


def all_words(numbers: Iterable[int]) -> str:
    """The numbers of all seats, such as `seat 0: 4, seat 1: 0`."""
    return ", ".join(f"seat {seat}: {number}" for seat, number in enumerate(numbers))


def hand_words(cards: CardSet) -> str:
    """A hand in notation; `no cards` if it is empty."""
    return str(cards) or "no cards"


def value_words(field: str, value: Any) -> str:
    """The value of an observed field in words; `value` has the form used in traces."""
    if value is None:
        return "none yet"
    if field == "match" and value["over"]:
        return f"over, won by {seats_words(value['winners'])}"
    if field == "match":
        return "not over"
    if field == "revokes":
        told = [
            f"{seat_words(one['seat'])} in trick {one['trick']}: {one['state']}"
            for one in value
        ]
        return ", ".join(told) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(one) or "-" for one in value)


WINDOWS: Final[dict[str, str]] = templates()["windows"]
"""How long a revoke can be corrected, in words, by the value of revoke_until."""
LAST_WINDOWS: Final[dict[str, str]] = templates()["last_windows"]
"""The same for a revoke in the last trick of a deal (7.4a)."""


def option_meaning(option: str, value: Value) -> str:
    """The meaning of an option's value, in words that can follow `at this table`."""
    text, said = value_text(value), spoken_options()[option]
    other = WINDOWS.get(text, text.replace(",", ", "))
    return said.meant.get(text, said.meant_otherwise.format(other))


def other_values(option: Option, now: Value) -> list[Value]:
    """The other values of an option that are worth trying, given its value `now`."""
    tried: list[Value] = [*option.words]
    if isinstance(option.base, bool):
        tried = [False, True]
    elif isinstance(option.base, tuple):
        tried = [(), ("left",)]
    elif option.least is not None and option.least <= 0:
        tried.append(0)
    return [value for value in tried if value != now]
