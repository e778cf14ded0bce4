"""What lies where: the small values that the chapters from the pass on read and return.

Each is immutable and equal to what holds the same; what may be done with one, the
chapters say.
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import EMPTY, Mask
from refengine.sealing import Value, seal


@final
class Packet:
    """What one seat hands in: its cards, addressed in a scatter, or none unseen.

    `addressed` holds a card number for each seat and -1 for none; it is empty unless
    the pass is a scatter. `unseen` passes on whatever comes.
    """

    def __init__(self, cards: Mask, addressed: tuple[int, ...], unseen: bool) -> None:
        self.cards: Final = cards
        self.addressed: Final = addressed
        self.unseen: Final = unseen

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Packet)
            and self.cards == other.cards
            and self.addressed == other.addressed
            and self.unseen == other.unseen
        )

    def __hash__(self) -> int:
        return hash((self.cards, self.addressed, self.unseen))

    def __reduce__(self) -> tuple[object, ...]:
        return Packet, (self.cards, self.addressed, self.unseen)


seal(Packet)


@final
@mypyc_attr(free_list_len=1)
class Hand:
    """The cards of one seat; a tuple of these is read faster than one of masks."""

    def __init__(self, cards: Mask) -> None:
        self.cards: Final = cards

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.cards == other.cards

    def __hash__(self) -> int:
        return hash(self.cards)

    def __reduce__(self) -> tuple[object, ...]:
        return Hand, (self.cards,)


seal(Hand)


@final
@mypyc_attr(free_list_len=1)
class Talon:
    """The cards beside the hands: the stock as dealt, top first, and the kitty.

    `drawn` counts the cards drawn from the stock; `kitty_to` is the seat that took the
    kitty, -1 while it lies.
    """

    def __init__(
        self, stock: tuple[int, ...], drawn: i64, kitty: Mask, kitty_to: i64
    ) -> None:
        self.stock: Final = stock
        self.drawn: Final = drawn
        self.kitty: Final = kitty
        self.kitty_to: Final = kitty_to

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Talon)
            and self.drawn == other.drawn
            and self.kitty_to == other.kitty_to
            and self.kitty == other.kitty
            and self.stock == other.stock
        )

    def __hash__(self) -> int:
        return hash((self.stock, self.drawn, self.kitty, self.kitty_to))

    def __reduce__(self) -> tuple[object, ...]:
        return Talon, (self.stock, self.drawn, self.kitty, self.kitty_to)


seal(Talon)


@final
@mypyc_attr(free_list_len=1)
class Piles(Value):
    """What the completed tricks brought: cards and number of tricks for each seat.

    A trick is added in front of the piles before it, so that winning one costs no copy;
    `taken` and `tricks` are added up when asked for. A kitty that a seat took is not
    among its `taken` here. `done` counts the tricks of the deal completed so far;
    `first` is whether the next one is the first. The newest trick is `trick`, won by
    `winner`, on top of `before`; without `before` the piles are as found.
    """

    def __init__(
        self,
        found_taken: tuple[Mask, ...],
        found_tricks: tuple[int, ...],
        done: i64,
        first: bool,
        before: "Piles | None" = None,
        trick: Mask = EMPTY,
        winner: i64 = -1,
    ) -> None:
        self.found_taken: Final = found_taken
        self.found_tricks: Final = found_tricks
        self.done: Final = done
        self.first: Final = first
        self.before: Final = before
        self.trick: Final = trick
        self.winner: Final = winner

    @property
    def taken(self) -> tuple[Mask, ...]:
        """The cards each seat took in tricks."""
        taken = list(self.found_taken)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            taken[piles.winner] = Mask(taken[piles.winner] | piles.trick)
            piles = piles.before
        return tuple(taken)

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks each seat won."""
        tricks = list(self.found_tricks)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            tricks[piles.winner] = tricks[piles.winner] + 1
            piles = piles.before
        return tuple(tricks)

    def won_by(self, seat: i64) -> tuple[Mask, i64]:
        """The cards that this seat took in tricks, and the number of its tricks."""
        taken = self.found_taken[seat]
        tricks: i64 = self.found_tricks[seat]
        piles: Piles | None = self
        while piles is not None:
            if piles.winner == seat:
                taken = Mask(taken | piles.trick)
                tricks += 1
            piles = piles.before
        return taken, tricks

    def _key(self) -> tuple[object, ...]:
        return (self.taken, self.tricks, self.done, self.first)


seal(Piles)


@final
@mypyc_attr(free_list_len=1)
class Position(Value):
    """The play of one deal at one moment: everything that legality depends on.

    `hands` are the hands as they were when play began together with cards drawn since;
    what was played is in `played`. `hand` is that of the seat in `turn`; when the play
    is over `turn` is -1 and `hand` is empty. `led` is the whole suit led, empty before
    the lead; `table` the cards of the trick, `best` and `winner` the highest of the
    suit led and who played it. `drew` are the cards drawn in the present turn; `out`
    the seats that held no card when the trick began, `empty` those that hold none now.
    """

    def __init__(
        self,
        hands: tuple[Hand, ...],
        talon: Talon,
        piles: Piles,
        played: Mask,
        led: Mask,
        table: Mask,
        best: Mask,
        winner: i64,
        leader: i64,
        turn: i64,
        hand: Mask,
        drew: Mask,
        out: i64,
        hearts_broken: bool,
        empty: i64,
    ) -> None:
        self.hands: Final = hands
        self.talon: Final = talon
        self.piles: Final = piles
        self.played: Final = played
        self.led: Final = led
        self.table: Final = table
        self.best: Final = best
        self.winner: Final = winner
        self.leader: Final = leader
        self.turn: Final = turn
        self.hand: Final = hand
        self.drew: Final = drew
        self.out: Final = out
        self.hearts_broken: Final = hearts_broken
        self.empty: Final = empty

    def _key(self) -> tuple[object, ...]:
        return (
            self.hands,
            self.talon,
            self.piles,
            self.played,
            self.led,
            self.table,
            self.best,
            self.winner,
            self.leader,
            self.turn,
            self.hand,
            self.drew,
            self.out,
            self.hearts_broken,
            self.empty,
        )


seal(Position)
