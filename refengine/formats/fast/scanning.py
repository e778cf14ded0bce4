"""Reading a line in the form of the engine's own writer, from its bytes, in one pass.

A `Scan` is a line and a place in it. Each method looks for one thing: if it comes next,
the scan moves past it; if not, the result says so, and the line is left to the slower
reader in `wire`, which finds out what is wrong with it, if anything. Reading is strict:
a set must be in the order of the book, a number must have no leading zero, and there
must be no extra space, so that no line can be read in two ways. Only the logs of other
programs, which have no digest, may have their sets in any order.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, card_at, lowest, number_of
from refengine.machine.notation import CARD_TEXTS

WRONG: Final = -1
WRONG_SET: Final = Mask(-1)
NO_NUMBER: Final = -(10**10)

_NEWLINE: Final = 10
_RETURN: Final = 13
_QUOTE: Final = 34
_COMMA: Final = 44
_OPENED: Final = 91
_CLOSED: Final = 93
_SPACE: Final = 32
_BACKSLASH: Final = 92
_ZERO: Final = 48
_MINUS: Final = 45
_DIGITS: Final = 9  # any number of up to 9 digits is in the range of every format

CARD_BYTES: Final = tuple([text.encode() for text in CARD_TEXTS])
_NO_CARD: Final = 64


def _card_table() -> bytes:
    """A table of card numbers, indexed by the two bytes that name a card.

    The index is 256 * first + second. For bytes that do not name a card, the entry is
    _NO_CARD.
    """
    table = bytearray([_NO_CARD]) * 65536
    for number, name in enumerate(CARD_BYTES):
        table[256 * name[0] + name[1]] = number
    return bytes(table)


_CARDS: Final = _card_table()


@final
class Scan:
    """A line, the place reached in it, and its size without the line ending.

    With `any_order`, the cards of a set may come in any order.
    """

    def __init__(self, line: bytes, any_order: bool = False) -> None:
        size: i64 = len(line)
        while size > 0 and (line[size - 1] == _NEWLINE or line[size - 1] == _RETURN):
            size -= 1
        self.line: Final = line
        self.at: i64 = 0
        self.size: Final = size
        self.any_order: Final = any_order
        self.row_goes_on: bool = False

    def skip_if_next(self, text: bytes) -> bool:
        """Whether this text comes next; if so, the scan moves past it."""
        if not self.is_next(text):
            return False
        self.at += len(text)
        return True

    def is_next(self, text: bytes) -> bool:
        """Whether this text comes next; the scan does not move."""
        line = self.line
        at = self.at
        size: i64 = len(text)
        if at + size > self.size:
            return False
        # Compare one byte first, without a copy: in a key, one that is not its quote.
        sample: i64 = 2 if size > 2 else 0
        return line[at + sample] == text[sample] and line[at : at + size] == text

    def text_since(self, start: i64) -> bytes:
        """The text from the place `start` up to the place reached."""
        return self.line[start : self.at]

    def next_byte(self) -> i64:
        """The next byte, or 0 at the end of the line; the scan does not move."""
        return self.line[self.at] if self.at < self.size else 0

    def read_natural(self) -> i64:
        """Read a whole number, 0 or more; NO_NUMBER if none comes next."""
        line = self.line
        start = self.at
        at = start
        value: i64 = 0
        while at < self.size:
            digit: i64 = line[at] - _ZERO
            if digit < 0 or digit > 9:
                break
            value = value * 10 + digit
            at += 1
            if at - start > _DIGITS:
                return NO_NUMBER
        if at == start or (at - start > 1 and line[start] == _ZERO):
            return NO_NUMBER
        self.at = at
        return value

    def read_whole(self) -> i64:
        """Read a whole number; the result is NO_NUMBER if none comes next."""
        if self.next_byte() != _MINUS:
            return self.read_natural()
        self.at += 1
        value = self.read_natural()
        return -value if value > 0 else NO_NUMBER

    def read_numbers(self) -> tuple[int, ...] | None:
        """Read a list of one or more whole numbers; None if no such list comes next."""
        if not self.skip_if_next(b"["):
            return None
        found: list[int] = []
        while True:
            value = self.read_whole()
            if value == NO_NUMBER:
                return None
            found.append(int(value))
            if self.next_byte() != _COMMA:
                return tuple(found) if self.skip_if_next(b"]") else None
            self.at += 1

    def skip_if_numbers(self, numbers: tuple[int, ...]) -> bool:
        """Whether a list of exactly these whole numbers, one or more, comes next.

        If so, the scan moves past it; if not, the scan may still have moved.
        """
        left = len(numbers)
        if self.next_byte() != _OPENED or not left:
            return False
        for number in numbers:
            left -= 1
            self.at += 1
            if self.read_whole() != number or self.next_byte() != (
                _COMMA if left else _CLOSED
            ):
                return False
        self.at += 1
        return True

    def skip_if_listed(self, seat: i64) -> bool:
        """Whether this seat comes next in a list of seats that the scan has entered.

        If so, the scan moves past the seat and past the character after it.
        `row_goes_on` is True if that character is a comma, and False if it ends the
        list.
        """
        line = self.line
        at = self.at
        if seat > 9:
            if at >= self.size or line[at] != _ZERO + 1:
                return False
            at += 1
            seat -= 10
        if at + 1 >= self.size or line[at] != _ZERO + seat:
            return False
        after: i64 = line[at + 1]
        self.at = at + 2
        self.row_goes_on = after == _COMMA
        return self.row_goes_on or after == _CLOSED

    def read_text(self) -> bytes | None:
        """Read plain text between quotes; the result is None if none comes next."""
        if self.next_byte() != _QUOTE:
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

    def read_word_sum(self) -> i64:
        """Read text between quotes, and return the sum of its bytes, modulo 256.

        The result is WRONG if no such text comes next. Different texts can have the
        same sum, so a word found by its sum must still be compared.
        """
        if self.next_byte() != _QUOTE:
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

    def read_card(self) -> i64:
        """Read a card and return its number, or WRONG if no card comes next."""
        if self.at + 1 >= self.size:
            return WRONG
        first: i64 = self.line[self.at]
        number: i64 = _CARDS[256 * first + self.line[self.at + 1]]
        if number == _NO_CARD:
            return WRONG
        self.at += 2
        return number

    def read_set_of_cards(self) -> Mask:
        """Read a set of cards in quotes; the result is WRONG_SET if none comes next."""
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
        bit: i64 = 1  # of the previous card or, at first, of the first card
        before: i64 = -1
        while at < last:
            first: i64 = line[at]
            number: i64 = _CARDS[256 * first + line[at + 1]]
            if number <= before or number == _NO_CARD:
                return self._read_cards_in_any_order()
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

    def _read_cards_in_any_order(self) -> Mask:
        """Read a set with its cards in any order, or return WRONG_SET.

        It is WRONG_SET if the set is wrong, or if this scan does not allow any order.
        """
        if not self.any_order:
            return WRONG_SET
        cards = EMPTY
        self.at += 1
        self.row_goes_on = True
        while self.row_goes_on:
            number = self.read_card_of_row()
            if number < 0 or cards & card_at(number):
                return WRONG_SET
            cards = Mask(cards | card_at(number))
        return cards

    def read_card_of_row(self) -> i64:
        """Read the next card in a row of cards and return its number, or WRONG if none.

        The scan moves past the card and past the character after it. `row_goes_on` is
        True if that character is a space, and False if it is the quote that ends the
        row.
        """
        at = self.at
        if at + 2 >= self.size:
            return WRONG
        line = self.line
        first: i64 = line[at]
        number: i64 = _CARDS[256 * first + line[at + 1]]
        after: i64 = line[at + 2]
        if number == _NO_CARD or (after != _SPACE and after != _QUOTE):
            return WRONG
        self.at = at + 3
        self.row_goes_on = after == _SPACE
        return number

    def end_of_row(self) -> i64:
        """The place of the quote that ends the row of cards; the scan does not move."""
        line = self.line
        end = self.at + 2
        while end < self.size and line[end] == _SPACE:
            end += 3
        return end

    def read_sets_of_cards(self) -> tuple[Mask, ...] | None:
        """Read a list of sets of cards; the result is None if none comes next."""
        if self.next_byte() != _OPENED:
            return None
        self.at += 1
        found: list[Mask] = []
        while True:
            cards = self.read_set_of_cards()
            if cards == WRONG_SET:
                return None
            found.append(cards)
            byte = self.next_byte()
            self.at += 1
            if byte == _CLOSED:
                return tuple(found)
            if byte != _COMMA:
                return None

    def read_sequence(self) -> tuple[int, ...] | None:
        """Read a sequence of different cards in quotes; None if none comes next."""
        if self.skip_if_next(b'""'):
            return ()
        if not self.skip_if_next(b'"'):
            return None
        found: list[int] = []
        seen = EMPTY
        self.row_goes_on = True
        while self.row_goes_on:
            number = self.read_card_of_row()
            if number < 0 or seen & card_at(number):
                return None
            seen = Mask(seen | card_at(number))
            found.append(int(number))
        return tuple(found)


# Writing the same form

_NUMBER_BYTES: Final = tuple([str(number).encode() for number in range(300)])


def number_text(number: i64) -> bytes:
    """The digits of a whole number, with its sign if it is negative."""
    if 0 <= number < len(_NUMBER_BYTES):
        return _NUMBER_BYTES[number]
    return str(int(number)).encode()


def numbers_text(numbers: tuple[int, ...]) -> bytes:
    """A list of whole numbers, as text."""
    return b"[" + b",".join([number_text(number) for number in numbers]) + b"]"


def set_text(cards: Mask) -> bytes:
    """A set of cards as text, in quotes and in the order of the book."""
    texts: list[bytes] = []
    rest = cards
    while rest:
        texts.append(CARD_BYTES[number_of(lowest(rest))])
        rest = Mask(rest & (rest - 1))
    return b'"' + b" ".join(texts) + b'"'


def sets_text(sets: tuple[Mask, ...]) -> bytes:
    """A list of sets of cards, as text."""
    return b"[" + b",".join([set_text(cards) for cards in sets]) + b"]"


def sequence_text(numbers: tuple[int, ...]) -> bytes:
    """A sequence of cards as text, in quotes and in the order given."""
    return b'"' + b" ".join([CARD_BYTES[number] for number in numbers]) + b'"'
