"""A position that is changed in place by each card, where no earlier one is needed.

It is used in random playouts, in checking logs, and in the environment for many tables.
The functions of the rules are the same; only the place where they write the next
position differs. Objects of these classes never leave the function or the object that
made them, and a position of any other class stays sealed.
"""

# Fields that are final in the base classes are set again here.
# mypy: disable-error-code="misc"

from typing import final

from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.sealing import unseal


@final
class MovingPiles(Piles):
    """The tricks taken so far, with a link to the piles after the next trick.

    The next deal can reuse the linked objects instead of making new ones. Since each of
    them also refers to the one before it, they form reference cycles, which `let_go`
    breaks; an owner that goes on reusing its piles need not call it.
    """

    def __init__(
        self,
        found_taken: tuple[Mask, ...],
        found_tricks: tuple[int, ...],
        done: i64,
        first: bool,
        before: Piles | None,
        trick: Mask,
        winner: i64,
    ) -> None:
        super().__init__(found_taken, found_tricks, done, first, before, trick, winner)
        self.after: MovingPiles | None = None

    def with_won_trick(self, done: i64, first: bool, trick: Mask, winner: i64) -> Piles:
        """The piles after this trick is won, created once and reused on later calls."""
        after = self.after
        if after is None:
            after = MovingPiles(
                self.found_taken, self.found_tricks, done, first, self, trick, winner
            )
            self.after = after
            return after
        after.trick = trick
        after.winner = winner
        return after

    def let_go(self) -> None:
        """Remove the link to the next piles from these and from all that follow."""
        piles: MovingPiles | None = self
        while piles is not None:
            after = piles.after
            piles.after = None
            piles = after


unseal(MovingPiles)


@final
class MovingPosition(Position):
    """A position that is changed in place instead of being followed by a new one."""

    def go_back(self, position: Position, piles: Piles) -> None:
        """Take over the contents of `position`, with `piles` in place of its own piles.

        `piles` must be equal to `position.piles`.
        """
        self.hands = position.hands
        self.talon = position.talon
        self.piles = piles
        self.played = position.played
        self.led = position.led
        self.table = position.table
        self.best = position.best
        self.winner = position.winner
        self.leader = position.leader
        self.turn = position.turn
        self.hand = position.hand
        self.drew = position.drew
        self.out = position.out
        self.hearts_broken = position.hearts_broken
        self.empty = position.empty

    def with_draw(
        self, hands: tuple[Hand, ...], talon: Talon, hand: Mask, drew: Mask
    ) -> Position:
        """The same position, changed in place to what it is after a draw."""
        self.hands = hands
        self.talon = talon
        self.hand = hand
        self.drew = drew
        return self

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
    ) -> Position:
        """The same position, changed in place to what it is after a play."""
        self.played = played
        self.led = led
        self.table = table
        self.best = best
        self.winner = winner
        self.turn = turn
        self.hand = hand
        self.drew = EMPTY
        self.hearts_broken = hearts_broken
        self.empty = empty
        return self

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
    ) -> Position:
        """The same position, changed in place to what it is after a trick is won."""
        self.talon = talon
        self.piles = piles
        self.played = played
        self.led = EMPTY
        self.table = EMPTY
        self.best = best
        self.winner = winner
        self.leader = leader
        self.turn = turn
        self.hand = hand
        self.drew = EMPTY
        self.out = out
        self.hearts_broken = hearts_broken
        self.empty = empty
        return self


unseal(MovingPosition)


def moving_piles(piles: Piles) -> MovingPiles:
    """Reusable piles with the same contents as these."""
    return MovingPiles(
        piles.found_taken,
        piles.found_tricks,
        piles.done,
        piles.first,
        piles.before,
        piles.trick,
        piles.winner,
    )


def moving_position(position: Position) -> MovingPosition:
    """A reusable position with the same contents as this one."""
    return MovingPosition(
        hands=position.hands,
        talon=position.talon,
        piles=position.piles,
        played=position.played,
        led=position.led,
        table=position.table,
        best=position.best,
        winner=position.winner,
        leader=position.leader,
        turn=position.turn,
        hand=position.hand,
        drew=position.drew,
        out=position.out,
        hearts_broken=position.hearts_broken,
        empty=position.empty,
    )
