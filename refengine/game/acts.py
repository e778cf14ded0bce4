"""The acts: everything that a seat can do, each as a value that holds the seat.

`str(act)` is the act as short text (`QS`, `draw`, `pass QS KH AH`); `act.phrase` is the
act in words. Cards may be given as notation: `Play(0, "QS")`.
Arguments of the wrong form raise Malformed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import attrs

from refengine.chapters.table import SEATS
from refengine.errors import Malformed, shown, values_in, whole_number
from refengine.game.values.cardset import CARDS, Card, CardSet, card
from refengine.machine.notation import read_sequence

MOON_CHOICES = ("self_minus", "others_plus")
MOST = 2**31 - 1  # the largest number in an act or a start


def _to_card(value: object) -> Card:
    if isinstance(value, Card):  # no second call: most acts are made of cards
        return value
    return card(value)


def to_set(value: object) -> CardSet:
    """Convert notation or cards to a CardSet; a CardSet is returned as it is."""
    return value if isinstance(value, CardSet) else CardSet(value)


def to_sequence(value: object) -> tuple[Card, ...]:
    """Convert notation or an ordered collection of cards to a tuple of cards.

    Raises Malformed for anything else, and if a card appears twice.
    """
    if isinstance(value, str):
        return tuple(CARDS[number] for number in read_sequence(value))
    if isinstance(value, Iterable) and not _without_order(value):
        return tuple(CardSet.checked(value))
    raise Malformed(shown(value), "a sequence of cards such as 'QS 2H'")


def to_sets(value: object) -> tuple[CardSet, ...]:
    """Convert a list with a set of cards for each seat, by calling `to_set` on each.

    Raises Malformed for anything else. An error in one of the sets gives its place,
    such as `[2]` for the set of seat 2.
    """
    wanted = "a list of sets of cards, one for each seat"
    every = None if isinstance(value, str) else values_in(value)
    if every is None or _without_order(value):
        raise Malformed(shown(value), wanted)
    return tuple(_set_at(seat, one) for seat, one in enumerate(every))


def _set_at(seat: int, value: object) -> CardSet:
    try:
        return to_set(value)
    except Malformed as error:
        raise error.within(f"[{seat}]") from None


def _without_order(value: object) -> bool:
    """Whether a collection is of a kind whose order must not be relied on.

    These are sets, whose order may change from run to run, and mappings. A CardSet is
    always in the order of the book.
    """
    if isinstance(value, CardSet):
        return False
    return isinstance(value, set | frozenset | Mapping)


def to_seat(value: object) -> int:
    """Convert the number of a seat to an `int` from 0 to 12; else raise Malformed."""
    number = whole_number(value)
    if number is not None and 0 <= number < SEATS:
        return number
    raise Malformed(shown(value), f"a seat, a whole number from 0 to {SEATS - 1}")


def to_seat_or_none(value: object) -> int | None:
    """Convert the number of a seat as `to_seat` does, but return None for None."""
    return None if value is None else to_seat(value)


def to_number(value: object) -> int:
    """Convert the number of a trick or a deal to an `int` from 1 to `MOST`.

    Raises Malformed for anything else.
    """
    number = whole_number(value)
    if number is not None and 0 < number <= MOST:
        return number
    raise Malformed(shown(value)[:40], f"a whole number from 1 to {MOST}")


def _texts(sets: Iterable[CardSet]) -> str:
    return repr([str(one) for one in sets])


def _sequence(cards: Iterable[Card]) -> str:
    return " ".join(one.value for one in cards)


@attrs.frozen(repr=False)
class Cut:
    """Draws a card for the first deal (3.1)."""

    kind: ClassVar[str] = "cut"

    seat: int = attrs.field(converter=to_seat)
    card: Card = attrs.field(converter=_to_card)

    def __repr__(self) -> str:
        return f"Cut({self.seat}, '{self.card}')"

    def __str__(self) -> str:
        return f"cut {self.card}"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return str(self)


@attrs.frozen(repr=False)
class Deal:
    """Deals these hands, this stock (top first) and this kitty (3.8)."""

    kind: ClassVar[str] = "deal"

    seat: int = attrs.field(converter=to_seat)
    hands: tuple[CardSet, ...] = attrs.field(converter=to_sets)
    stock: tuple[Card, ...] = attrs.field(converter=to_sequence, default=())
    kitty: CardSet = attrs.field(converter=to_set, default=CardSet())

    def __repr__(self) -> str:
        more = f", stock={_sequence(self.stock)!r}" if self.stock else ""
        more += f", kitty={str(self.kitty)!r}" if self.kitty else ""
        return f"Deal({self.seat}, {_texts(self.hands)}{more})"

    def __str__(self) -> str:
        return "deal"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        if not any(self.hands):
            return "deal no cards"
        return f"deal {', '.join(str(hand) or 'no cards' for hand in self.hands)}"


@attrs.frozen(repr=False)
class Pass:
    """Passes these cards left, right or across, or gives them to a mix (4.4).

    >>> Pass(2, "QS AH KH").cards
    CardSet('QS KH AH')
    """

    kind: ClassVar[str] = "pass"

    seat: int = attrs.field(converter=to_seat)
    cards: CardSet = attrs.field(converter=to_set)

    def __repr__(self) -> str:
        return f"Pass({self.seat}, '{self.cards}')"

    def __str__(self) -> str:
        return f"pass {self.cards}"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return str(self) if self.cards else "pass no cards"


def _to_addressed(value: object) -> tuple[tuple[int, Card], ...]:
    pairs = list(value.items()) if isinstance(value, Mapping) else value
    found: dict[int, Card] = {}
    for pair in pairs if isinstance(pairs, list | tuple) else [pairs]:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise Malformed(shown(value), "an object from seat to card, or its pairs")
        to = to_seat(pair[0])
        if to in found:
            raise Malformed(f"seat {to} twice", "each seat once")
        found[to] = _to_card(pair[1])
    CardSet(found.values())  # raises Malformed for a card addressed twice
    return tuple(sorted(found.items()))


@attrs.frozen(repr=False)
class Scatter:
    """Passes one card to each of the other players (4.6).

    >>> Scatter(0, {2: "KH", 1: "QS"}).cards
    ((1, Card('QS')), (2, Card('KH')))

    `cards` holds (seat, card) pairs, ordered by seat; it may be given as such pairs or
    as a mapping.
    """

    kind: ClassVar[str] = "scatter"

    seat: int = attrs.field(converter=to_seat)
    cards: tuple[tuple[int, Card], ...] = attrs.field(converter=_to_addressed)

    def __repr__(self) -> str:
        inner = ", ".join(f"{to}: '{one}'" for to, one in self.cards)
        return f"Scatter({self.seat}, {{{inner}}})"

    def __str__(self) -> str:
        return "scatter " + " ".join(f"{to}:{one}" for to, one in self.cards)

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return str(self) if self.cards else "scatter no cards"


@attrs.frozen(repr=False)
class PassUnseen:
    """Passes on, unseen, whatever cards are passed to the seat (4.9)."""

    kind: ClassVar[str] = "forward"

    seat: int = attrs.field(converter=to_seat)

    def __repr__(self) -> str:
        return f"PassUnseen({self.seat})"

    def __str__(self) -> str:
        return "forward"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        # The signs of mutants that are on record were made from these words.
        return "pass on unseen what comes"


@attrs.frozen(repr=False)
class Mix:
    """Deals the mixed cards back, with a new kitty if the kitty was mixed in (4.10)."""

    kind: ClassVar[str] = "mix"

    seat: int = attrs.field(converter=to_seat)
    hands: tuple[CardSet, ...] = attrs.field(converter=to_sets)
    kitty: CardSet = attrs.field(converter=to_set, default=CardSet())

    def __repr__(self) -> str:
        more = f", kitty={str(self.kitty)!r}" if self.kitty else ""
        return f"Mix({self.seat}, {_texts(self.hands)}{more})"

    def __str__(self) -> str:
        return "mix"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        if not any(self.hands):
            return "give back no cards from the mix"
        given = ", ".join(str(hand) or "no cards" for hand in self.hands)
        return f"give back {given} from the mix"


@attrs.frozen(repr=False)
class Draw:
    """Draws the top card of the stock (6.4)."""

    kind: ClassVar[str] = "draw"

    seat: int = attrs.field(converter=to_seat)

    def __repr__(self) -> str:
        return f"Draw({self.seat})"

    def __str__(self) -> str:
        return "draw"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return "draw"


@attrs.frozen(repr=False)
class Play:
    """Plays a card, to lead or to follow (5.8).

    >>> act = Play(0, "QS")
    >>> act.card, act.kind, str(act), act.phrase
    (Card('QS'), 'play', 'QS', 'play QS')
    >>> match act:
    ...     case Play(seat, Card.QUEEN_OF_SPADES):
    ...         print("the queen, by seat", seat)
    the queen, by seat 0

    In a pattern, write a card as above or as `Card("QS")`: a string such as `"QS"` is
    not equal to any card.
    """

    kind: ClassVar[str] = "play"

    seat: int = attrs.field(converter=to_seat)
    card: Card = attrs.field(converter=_to_card)

    def __repr__(self) -> str:
        return f"Play({self.seat}, '{self.card}')"

    def __str__(self) -> str:
        return str(self.card)

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return f"play {self.card}"


@attrs.frozen(repr=False)
class Retract:
    """Takes a revoke card back (7.3)."""

    kind: ClassVar[str] = "retract"

    seat: int = attrs.field(converter=to_seat)
    card: Card = attrs.field(converter=_to_card)

    def __repr__(self) -> str:
        return f"Retract({self.seat}, '{self.card}')"

    def __str__(self) -> str:
        return f"retract {self.card}"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return f"take back {self.card}"


@attrs.frozen(repr=False)
class QuitTrick:
    """Turns the trick just won face down (7.6)."""

    kind: ClassVar[str] = "quit"

    seat: int = attrs.field(converter=to_seat)

    def __repr__(self) -> str:
        return f"QuitTrick({self.seat})"

    def __str__(self) -> str:
        return "quit"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return "turn a trick face down"


@attrs.frozen(repr=False)
class Claim:
    """Claims that seat `against` revoked in trick `trick`, counted from 1 (7.8)."""

    kind: ClassVar[str] = "claim"

    seat: int = attrs.field(converter=to_seat)
    against: int = attrs.field(converter=to_seat)
    trick: int = attrs.field(converter=to_number)

    def __repr__(self) -> str:
        return f"Claim({self.seat}, against={self.against}, trick={self.trick})"

    def __str__(self) -> str:
        return f"claim {self.against} {self.trick}"

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return f"claim a revoke of seat {self.against} in trick {self.trick}"


def _to_choice(value: object) -> str | int:
    if isinstance(value, str) and value in MOON_CHOICES:
        return value
    if isinstance(value, str):
        raise Malformed(shown(value), "self_minus, others_plus or one seat")
    return to_seat(value)


@attrs.frozen(repr=False)
class MoonChoice:
    """Settles the moon: `self_minus`, `others_plus`, or one seat that pays (8.6)."""

    kind: ClassVar[str] = "moon"

    seat: int = attrs.field(converter=to_seat)
    choice: str | int = attrs.field(converter=_to_choice)

    def __repr__(self) -> str:
        return f"MoonChoice({self.seat}, {self.choice!r})"

    def __str__(self) -> str:
        return (
            f"moon one {self.choice}"
            if isinstance(self.choice, int)
            else f"moon {self.choice}"
        )

    @property
    def phrase(self) -> str:
        """The act as a phrase that can follow words such as `may not`."""
        return f"choose {self}"


# The `kind` of each act is its name in the file formats.
Act = (
    Cut
    | Deal
    | Pass
    | Scatter
    | PassUnseen
    | Mix
    | Draw
    | Play
    | Retract
    | QuitTrick
    | Claim
    | MoonChoice
)
