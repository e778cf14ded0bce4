"""Random numbers, which are the same for a seed whether the code is compiled or not."""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, numbers_of

_BITS: Final = i64(0xFFFFFFFF)
_WHOLE: Final = 2**64 - 1


def mixed(number: int) -> int:
    """A 64-bit hash of a whole number that is 0 or more.

    Numbers close to each other have hashes that do not resemble each other. This is the
    finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    """
    number = (number * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & _WHOLE
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & _WHOLE
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & _WHOLE
    return number ^ (number >> 31)


@final
class Chance:
    """A seeded source of random numbers, which changes with each number drawn.

    It keeps two words of 32 bits, changed by the shifts 10, 13 and 10 of Marsaglia's
    "Xorshift RNGs" (2003); they repeat after 2**64 - 1 steps. All shifts are masked, so
    that the compiled and the interpreted rules go through the same sequence.
    """

    def __init__(self, seed: int) -> None:
        start = mixed(seed) or 1
        self.older: i64 = start >> 32
        self.newer: i64 = start & 0xFFFFFFFF

    def next(self) -> i64:
        """The next random number, of 32 bits."""
        older = self.older
        newer = self.newer
        older = older ^ ((older << 10) & _BITS)
        self.older = newer
        newer = newer ^ (newer >> 10) ^ older ^ (older >> 13)
        self.newer = newer
        return (newer + self.older) & _BITS

    def below(self, limit: i64) -> i64:
        """A number from 0 to `limit` - 1; `limit` must be at most 2**31.

        All numbers are equally likely, to within one part in 2**32 / `limit`.
        """
        return (self.next() * limit) >> 32

    def fraction(self) -> i64:
        """The numerator, from 0 to 2**53 - 1, of a random fraction over 2**53."""
        return (self.next() << 21) | (self.next() >> 11)

    def copy(self) -> "Chance":
        """A copy of this source, which gives the same numbers from here on."""
        found = Chance(0)
        found.older = self.older
        found.newer = self.newer
        return found


def some_of(cards: Mask, size: i64, among: i64, chance: Chance) -> Mask:
    """`size` of these `among` cards, chosen at random, with all choices equally likely.

    Each card in turn is taken with a chance equal to the number of cards still wanted
    divided by the number of cards still to come, this one included.
    """
    found = EMPTY
    rest = cards
    while size > 0:
        card = Mask(rest & -rest)
        rest = Mask(rest & (rest - 1))
        if chance.below(among) < size:
            found = Mask(found | card)
            size -= 1
        among -= 1
    return found


def shuffled_numbers(cards: Mask, chance: Chance) -> list[int]:
    """The numbers of these cards in random order, with every order equally likely."""
    numbers = numbers_of(cards)
    for last in range(len(numbers) - 1, 0, -1):
        place = chance.below(last + 1)
        numbers[last], numbers[place] = numbers[place], numbers[last]
    return numbers
