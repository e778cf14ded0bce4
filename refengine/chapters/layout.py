"""Where the cards lie: hands, stock, kitty, tricks, and the position they make up.

Chapters 4 to 8 read and return these small values. Each is immutable, and two with the
same contents are equal. The chapters say what may be done with them. A position and its
piles have methods that return changed copies, so that random playouts can use
subclasses that are changed in place instead (`refengine.machine.moving`).
"""

from typing import Final, final

from mypy_extensions import i64, mypyc_attr

from refengine.chapters.cards import EMPTY, Mask
from refengine.sealing import Value, seal


@final
class Packet:
    """What one seat passes: cards of its own or, if `unseen`, whatever it receives.

    If the cards are addressed, as in a scatter, `addressed` holds a card number for
    each seat, or -1 for no card; otherwise it is empty.
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
    """The cards of one seat.

    It is a class of its own because, once compiled, a tuple of hands is read faster
    than a tuple of masks.
    """

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
    """The cards outside the hands: the stock as dealt, top card first, and the kitty.

    `drawn` counts the cards drawn from the stock; `kitty_to` is the seat that took the
    kitty, or -1 if no seat has.
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


@mypyc_attr(free_list_len=1)
class Piles(Value):
    """The completed tricks of a deal: the cards and number of tricks won by each seat.

    The piles are a linked list, so that winning a trick copies nothing: the newest
    trick, `trick`, was won by `winner` and lies on top of the piles `before`, which is
    None for the piles with which play began. `found_taken` and `found_tricks` are what
    each seat had then: nothing, unless play began at a stated position. `taken` and
    `tricks` are added up when they are read; `taken` leaves out a kitty that a trick
    has won. `done` counts the tricks of the deal completed so far; `first` says whether
    the next trick is the first.
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
        """The cards that each seat took in tricks."""
        taken = list(self.found_taken)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            taken[piles.winner] = Mask(taken[piles.winner] | piles.trick)
            piles = piles.before
        return tuple(taken)

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks that each seat won."""
        tricks = list(self.found_tricks)
        piles: Piles | None = self
        while piles is not None and piles.winner >= 0:
            tricks[piles.winner] = tricks[piles.winner] + 1
            piles = piles.before
        return tuple(tricks)

    def won_by(self, seat: i64) -> tuple[Mask, i64]:
        """The cards that this seat took in tricks, and how many tricks it won."""
        taken = self.found_taken[seat]
        tricks: i64 = self.found_tricks[seat]
        piles: Piles | None = self
        while piles is not None:
            if piles.winner == seat:
                taken = Mask(taken | piles.trick)
                tricks += 1
            piles = piles.before
        return taken, tricks

    def with_won_trick(
        self, done: i64, first: bool, trick: Mask, winner: i64
    ) -> "Piles":
        """The piles with this trick, won by `winner`, on top of these."""
        return Piles(
            self.found_taken, self.found_tricks, done, first, self, trick, winner
        )

    def _key(self) -> tuple[object, ...]:
        return (self.taken, self.tricks, self.done, self.first)


seal(Piles)


@mypyc_attr(free_list_len=1)
class Position(Value):
    """The play of one deal at one moment: everything that legality depends on.

    `hands` are the hands with which play began, plus the cards drawn since; a card that
    is played stays there, and is then also in `played`. `hand` is what the seat `turn`
    still holds; when play is over, `turn` is -1 and `hand` is empty. `led` is the whole
    of the suit led, or empty before the lead. `table` holds the cards of the trick;
    `best` is the highest of them in the suit led, and `winner` is the seat that played
    it. `drew` holds the cards drawn in the current turn. `out` is the set of seats that
    held no card when the trick began, and `empty` the set of those that hold none now.
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

    def with_draw(
        self, hands: tuple[Hand, ...], talon: Talon, hand: Mask, drew: Mask
    ) -> "Position":
        """The position after a draw, with these fields replaced."""
        return Position(
            hands=hands,
            talon=talon,
            piles=self.piles,
            played=self.played,
            led=self.led,
            table=self.table,
            best=self.best,
            winner=self.winner,
            leader=self.leader,
            turn=self.turn,
            hand=hand,
            drew=drew,
            out=self.out,
            hearts_broken=self.hearts_broken,
            empty=self.empty,
        )

    def with_card(
        self,
        played: Mask,
        led: Mask,
        table: Mask,
        best: Mask,
        winner: i64,
        turn: i64,
        hand: Mask,
        hearts_broken: bool,
        empty: i64,
    ) -> "Position":
        """The position after a play to the trick, with these fields replaced."""
        return Position(
            hands=self.hands,
            talon=self.talon,
            piles=self.piles,
            played=played,
            led=led,
            table=table,
            best=best,
            winner=winner,
            leader=self.leader,
            turn=turn,
            hand=hand,
            drew=EMPTY,
            out=self.out,
            hearts_broken=hearts_broken,
            empty=empty,
        )

    def with_trick(
        self,
        talon: Talon,
        piles: Piles,
        played: Mask,
        best: Mask,
        winner: i64,
        leader: i64,
        turn: i64,
        hand: Mask,
        out: i64,
        hearts_broken: bool,
        empty: i64,
    ) -> "Position":
        """The position after the trick is completed, with these fields replaced."""
        return Position(
            hands=self.hands,
            talon=talon,
            piles=piles,
            played=played,
            led=EMPTY,
            table=EMPTY,
            best=best,
            winner=winner,
            leader=leader,
            turn=turn,
            hand=hand,
            drew=EMPTY,
            out=out,
            hearts_broken=hearts_broken,
            empty=empty,
        )

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
