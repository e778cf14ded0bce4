"""Positions between two tricks, and in how many ways each of them was reached."""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.layout import Position

_BITS: Final = 0xFFFFFFFF
_SPREAD: Final = 1640531527  # from the golden ratio: spreads close numbers far apart
_PLACES: Final = 32  # in the table of an empty level; a power of two
_TRICKS: Final = 2**60 - 1
# Shifted down where it is used: once compiled, a literal 1 would be shifted in 32 bits.
_ONE_MORE: Final = i64(2**60)


@final
@mypyc_attr(free_list_len=1)
class Ply:
    """The number of acts counted at one depth, with a link to the next depth."""

    def __init__(self) -> None:
        self.acts: i64 = 0
        self.after: Ply | None = None

    def next(self) -> "Ply":
        """The ply one act deeper, which is made on the first call."""
        after = self.after
        if after is None:
            after = Ply()
            self.after = after
        return after


@final
@mypyc_attr(free_list_len=1)
class Reached:
    """A position between two tricks, and the number of ways in which play reached it.

    While the count continues from here, `position` is replaced by the positions that
    follow. `ply` is the ply of the next act; `other` is the last position reached
    before this one after the same number of tricks. The remaining fields say what each
    seat has won since the count began. A card is in `ones` if the number of the seat
    that won it is odd, and so on for the other binary digits of that number. `tricks`
    has five bits for each of the first twelve seats, which hold the number of tricks
    that the seat won.
    """

    def __init__(
        self,
        position: Position,
        ply: Ply,
        ways: i64,
        other: "Reached | None" = None,
        ones: i64 = 0,
        twos: i64 = 0,
        fours: i64 = 0,
        eights: i64 = 0,
        tricks: i64 = 0,
    ) -> None:
        self.position = position
        self.ply: Final = ply
        self.ways = ways
        self.other: Final = other
        self.ones: Final = ones
        self.twos: Final = twos
        self.fours: Final = fours
        self.eights: Final = eights
        self.tricks: Final = tricks


_EMPTY: Final[list[Reached | None]] = [None] * _PLACES  # faster to copy than to make


@final
class Level:
    """Positions reached after the same number of tricks, as a linked list.

    The list begins at `newest`, and `size` is its length. A hash table with open
    addressing serves to look up positions; its length is a power of two, `_last` + 1,
    and at most three quarters of its places are taken.
    """

    def __init__(self) -> None:
        self._places: list[Reached | None] = _EMPTY.copy()
        self._last: i64 = _PLACES - 1
        self.newest: Reached | None = None
        self.size: i64 = 0

    def arrive(self, before: Reached, position: Position, ply: Ply) -> None:
        """Record that `position` was reached from `before` by one more trick.

        It is added to this level unless an equivalent position is here already, whose
        number of ways is then increased instead.
        """
        winner = position.piles.winner
        trick: i64 = position.piles.trick
        ones = before.ones | (trick & -(winner & 1))
        twos = before.twos | (trick & -((winner >> 1) & 1))
        fours = before.fours | (trick & -((winner >> 2) & 1))
        eights = before.eights | (trick & -(winner >> 3))
        tricks = (before.tricks + (_ONE_MORE >> (60 - 5 * winner))) & _TRICKS
        places = self._places
        last = self._last
        place = _mixed(position, ones, twos, fours, eights) & last
        while True:
            other = places[place]
            if other is None:
                break
            if (
                ones == other.ones
                and twos == other.twos
                and fours == other.fours
                and eights == other.eights
                and tricks == other.tricks
                and _goes_on_alike(position, other.position)
            ):
                other.ways += before.ways
                return
            place = (place + 1) & last
        reached = Reached(
            position=position,
            ply=ply,
            ways=before.ways,
            other=self.newest,
            ones=ones,
            twos=twos,
            fours=fours,
            eights=eights,
            tricks=tricks,
        )
        places[place] = reached
        self.newest = reached
        self.size += 1
        if self.size * 4 > last * 3:
            self._grow()

    def _grow(self) -> None:
        """Make the table four times as long, with the same positions."""
        places: list[Reached | None] = [None] * (4 * len(self._places))
        last = 4 * self._last + 3
        one = self.newest
        while one is not None:
            mixed = _mixed(one.position, one.ones, one.twos, one.fours, one.eights)
            place = mixed & last
            while places[place] is not None:
                place = (place + 1) & last
            places[place] = one
            one = one.other
        self._places = places
        self._last = last


def _mixed(position: Position, ones: i64, twos: i64, fours: i64, eights: i64) -> i64:
    """A hash of the position and of what the seats have won.

    It is the same for positions that `Level.arrive` counts as one. No step exceeds 63
    bits, so the hash is the same, compiled or interpreted.
    """
    won = position.played + 3 * ones + 5 * twos + 9 * fours + 17 * eights
    won += position.leader
    return (((won ^ (won >> 32)) & _BITS) * _SPREAD) >> 24


def _goes_on_alike(one: Position, other: Position) -> bool:
    """Whether two positions have the same future, given equal winnings for each seat.

    Both come from one deal, after the same number of tricks. Together with what the
    seats have won, this compares everything that the rules read and that can differ
    between the two. Nothing reads who won the last trick, or with which card, once it
    is complete.

    The caller compares what the seats have won, using the fields of `Reached`. These
    leave out the cards of seat 0, whose number has no binary digit set, and the tricks
    of the thirteenth seat; but both follow from the rest, since the cards played and
    the number of tricks are the same. Five bits are enough for the tricks of a seat: a
    trick has at least two cards, so no seat wins 32.
    """
    if (
        one.played != other.played
        or one.leader != other.leader
        or one.out != other.out
        or one.hearts_broken != other.hearts_broken
        or one.talon.drawn != other.talon.drawn
        or one.talon.kitty_to != other.talon.kitty_to
    ):
        return False
    if one.talon.drawn:
        for seat, hand in enumerate(one.hands):
            if hand.cards != other.hands[seat].cards:
                return False
    return True
