"""Reading a line in the form that our own writer gives it, from its bytes, in one go.

A `Scan` is a line and a place in it. What is asked for either stands at the place, and
the scan moves behind it, or the answer says no and the line is for the slower reader of
`refengine.wire`, which finds out what is wrong with it, if anything is. Nothing is read
leniently: a set stands in the order of the book, a number without a leading zero, and
nowhere a space too many. So two readings of one line cannot differ.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.cards import CARD, EMPTY, Mask, lowest, number_of
from refengine.notation import CARD_TEXTS

WRONG: Final = -1
WRONG_SET: Final = Mask(-1)
NO_NUMBER: Final = -(10**10)

_QUOTE: Final = 34
_COMMA: Final = 44
_CLOSED: Final = 93
_SPACE: Final = 32
_BACKSLASH: Final = 92
_ZERO: Final = 48
_MINUS: Final = 45
_DIGITS: Final = 9  # a number of so many digits is in the range of every format

# What a byte is worth as a rank and as a suit; 64 for what is neither.
_RANK: Final = bytes(
    [
        b"23456789TJQKA".index(byte) if byte in b"23456789TJQKA" else 64
        for byte in range(256)
    ]
)
_SUIT: Final = bytes(
    [13 * b"CDSH".index(byte) if byte in b"CDSH" else 64 for byte in range(256)]
)
_CARD_BYTES: Final = tuple([text.encode() for text in CARD_TEXTS])


@final
class Scan:
    """A line, the place reached in it, and its size."""

    def __init__(self, line: bytes) -> None:
        self.line: Final = line
        self.at: i64 = 0
        self.size: Final[i64] = len(line)
        self.row_goes_on: bool = False

    def takes(self, text: bytes) -> bool:
        """Whether this text stands here; if so the scan is behind it."""
        if not self.before(text):
            return False
        self.at += len(text)
        return True

    def before(self, text: bytes) -> bool:
        """Whether this text stands here; the scan stays before it."""
        end = self.at + len(text)
        # Compiled, a slice that begins behind the end is an error, not an empty one.
        if end > self.size or self.line[self.at] != text[0]:
            return False
        return self.line[self.at : end] == text

    def since(self, start: i64) -> bytes:
        """The text from that place to here."""
        return self.line[start : self.at]

    def byte(self) -> i64:
        """The byte that stands here, 0 at the end; the scan stays before it."""
        return self.line[self.at] if self.at < self.size else 0

    def natural(self) -> i64:
        """The number from 0 that stands here; NO_NUMBER if there is none."""
        start = self.at
        value: i64 = 0
        while self.at < self.size:
            digit: i64 = self.line[self.at] - _ZERO
            if digit < 0 or digit > 9:
                break
            value = value * 10 + digit
            self.at += 1
            if self.at - start > _DIGITS:
                return NO_NUMBER
        if self.at == start or (self.at - start > 1 and self.line[start] == _ZERO):
            return NO_NUMBER
        return value

    def whole(self) -> i64:
        """The whole number that stands here; NO_NUMBER if there is none."""
        if self.byte() != _MINUS:
            return self.natural()
        self.at += 1
        value = self.natural()
        return -value if value > 0 else NO_NUMBER

    def numbers(self) -> tuple[int, ...] | None:
        """The list of whole numbers that stands here."""
        if not self.takes(b"["):
            return None
        found: list[int] = []
        while True:
            value = self.whole()
            if value == NO_NUMBER:
                return None
            found.append(int(value))
            if self.byte() != _COMMA:
                return tuple(found) if self.takes(b"]") else None
            self.at += 1

    def text(self) -> bytes | None:
        """The plain text between quotes that stands here, the quotes left out."""
        if self.byte() != _QUOTE:
            return None
        self.at += 1
        start = self.at
        while self.at < self.size:
            byte: i64 = self.line[self.at]
            if byte == _QUOTE:
                self.at += 1
                return self.line[start : self.at - 1]
            if byte < _SPACE or byte > 126 or byte == _BACKSLASH:
                return None
            self.at += 1
        return None

    def word(self) -> i64:
        """The sum of the bytes, modulo 256, of the text between quotes that is here.

        WRONG if there is none. Two texts can have one sum, so a word found by it still
        has to be compared.
        """
        if self.byte() != _QUOTE:
            return WRONG
        line = self.line
        at = self.at + 1
        found: i64 = 0
        while at < self.size:
            byte: i64 = line[at]
            at += 1
            if byte == _QUOTE:
                self.at = at
                return found & 255
            found += byte
        return WRONG

    def card(self) -> i64:
        """The number of the card that stands here; WRONG if there is none."""
        if self.at + 1 >= self.size:
            return WRONG
        number: i64 = _RANK[self.line[self.at]] + _SUIT[self.line[self.at + 1]]
        if number > 51:
            return WRONG
        self.at += 2
        return number

    def set_of_cards(self) -> Mask:
        """The set of cards between quotes that stands here, in the book's order."""
        line = self.line
        at = self.at
        last = self.size - 2
        if at > last or line[at] != _QUOTE:
            return WRONG_SET
        at += 1
        if line[at] == _QUOTE:
            self.at = at + 1
            return EMPTY
        cards: i64 = 0
        bit: i64 = 1  # of the card before, at first of the first card there is
        before: i64 = -1
        while at < last:
            number: i64 = _RANK[line[at]] + _SUIT[line[at + 1]]
            if number <= before or number > 51:
                return WRONG_SET
            bit = bit << (number - before - 1 if before < 0 else number - before)
            cards = cards | bit
            before = number
            after: i64 = line[at + 2]
            at += 3
            if after == _QUOTE:
                self.at = at
                return Mask(cards)
            if after != _SPACE:
                return WRONG_SET
        return WRONG_SET

    def card_of_row(self) -> i64:
        """The card that stands here in a row of cards, WRONG if there is none.

        The scan is then behind the space after it, or behind the quote that ends the
        row, and `row_goes_on` says which.
        """
        at = self.at
        if at + 2 >= self.size:
            return WRONG
        line = self.line
        number: i64 = _RANK[line[at]] + _SUIT[line[at + 1]]
        after: i64 = line[at + 2]
        if number > 51 or (after != _SPACE and after != _QUOTE):
            return WRONG
        self.at = at + 3
        self.row_goes_on = after == _SPACE
        return number

    def sets_of_cards(self) -> tuple[Mask, ...] | None:
        """The list of sets of cards that stands here."""
        if not self.takes(b"["):
            return None
        found: list[Mask] = []
        while True:
            cards = self.set_of_cards()
            if cards == WRONG_SET:
                return None
            found.append(cards)
            byte = self.byte()
            self.at += 1
            if byte == _CLOSED:
                return tuple(found)
            if byte != _COMMA:
                return None

    def sequence(self) -> tuple[int, ...] | None:
        """The different cards between quotes that stand here, in their own order."""
        if self.takes(b'""'):
            return ()
        if not self.takes(b'"'):
            return None
        found: list[int] = []
        seen = EMPTY
        self.row_goes_on = True
        while self.row_goes_on:
            number = self.card_of_row()
            if number < 0 or seen & CARD[number]:
                return None
            seen = Mask(seen | CARD[number])
            found.append(int(number))
        return tuple(found)


# The same form, written

_NUMBER_BYTES: Final = tuple([str(number).encode() for number in range(300)])


def number_text(number: i64) -> bytes:
    """A whole number."""
    if 0 <= number < len(_NUMBER_BYTES):
        return _NUMBER_BYTES[number]
    return str(int(number)).encode()


def numbers_text(numbers: tuple[int, ...]) -> bytes:
    """A list of whole numbers."""
    return b"[" + b",".join([number_text(number) for number in numbers]) + b"]"


def set_text(cards: Mask) -> bytes:
    """A set of cards, between quotes."""
    texts: list[bytes] = []
    rest = cards
    while rest:
        texts.append(_CARD_BYTES[number_of(lowest(rest))])
        rest = Mask(rest & (rest - 1))
    return b'"' + b" ".join(texts) + b'"'


def sets_text(sets: tuple[Mask, ...]) -> bytes:
    """A list of sets of cards."""
    return b"[" + b",".join([set_text(cards) for cards in sets]) + b"]"


def sequence_text(numbers: tuple[int, ...]) -> bytes:
    """A sequence of cards, between quotes."""
    return b'"' + b" ".join([_CARD_BYTES[number] for number in numbers]) + b'"'
