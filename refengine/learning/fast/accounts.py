"""Accounts of tables: the state of play at each table, as a row of numbers.

Many tables are kept as such rows, side by side in memory, and the rules are applied to
a single position, which is reused for every table. A thousand positions, each with its
hands and piles, would be scattered over memory, and most of the time would be spent on
fetching them.
"""

# Fields that are final in a position are set again in the reused position.
# mypy: disable-error-code="misc"

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from refengine.chapters.cards import EMPTY, Mask, count, points_of
from refengine.chapters.draw import standing_hand
from refengine.chapters.layout import Hand, Piles, Position, Talon
from refengine.chapters.table import PLAYING
from refengine.machine.core import Core
from refengine.machine.holdings import hands_now
from refengine.machine.moving import MovingPiles, MovingPosition

# The fields of a position other than its hands and talon; of its piles, only DONE.
PLAYED: Final = 0
LED: Final = 1
TABLE: Final = 2
BEST: Final = 3
WINNER: Final = 4
LEADER: Final = 5
TURN: Final = 6  # -1 while nobody plays
DREW: Final = 7
OUT: Final = 8
BROKEN: Final = 9
EMPTY_HANDED: Final = 10
DONE: Final = 11  # the number of tricks completed
# The sizes of the stock and the kitty.
STOCK: Final = 12
KITTY: Final = 13
SEATS: Final = 14  # from here on, listed by seat

# By seat: the cards held, played and taken in tricks, the points for the cards taken,
# and the number of tricks won.
HELD: Final = 0
GONE: Final = 1
TAKEN: Final = 2
POINTS: Final = 3
TRICKS: Final = 4
BY_SEAT: Final = 5


@final
class Accounts:
    """The accounts of tables of one size: `rows` has `size` numbers for each table."""

    def __init__(self, tables: int, players: int) -> None:
        self.players: Final[i64] = players
        self.size: Final[i64] = SEATS + BY_SEAT * players
        self.rows: Final = vec[i64]([0] * (tables * (SEATS + BY_SEAT * players)))
        # These piles hold all that the rules read from piles while cards are played.
        nothing = (EMPTY,) * players
        nobody = (0,) * players
        none = MovingPiles(nothing, nobody, 0, True, None, EMPTY, -1)
        self._none: Final = none
        self._some: Final = MovingPiles(nothing, nobody, 1, False, None, EMPTY, -1)
        self._moving: Final = MovingPosition(
            hands=(),
            talon=Talon((), 0, EMPTY, -1),
            piles=none,
            played=EMPTY,
            led=EMPTY,
            table=EMPTY,
            best=EMPTY,
            winner=-1,
            leader=-1,
            turn=-1,
            hand=EMPTY,
            drew=EMPTY,
            out=0,
            hearts_broken=False,
            empty=0,
        )

    def begin(self, core: Core, table: i64) -> None:
        """Fill the row of numbers for a table with the state of the match in `core`."""
        rows = self.rows
        row = table * self.size
        for place in range(self.size):
            rows[row + place] = 0
        if core.position is not None:
            self._begin_play(core, core.position, table)
            return
        rows[row + TURN] = -1
        rows[row + STOCK] = len(core.dealt.stock)
        rows[row + KITTY] = count(core.dealt.kitty)
        for seat, hand in enumerate(hands_now(core)):
            rows[row + SEATS + seat] = hand

    def _begin_play(self, core: Core, position: Position, table: i64) -> None:
        rows = self.rows
        players = self.players
        self.keep(position, table)
        row = table * self.size
        self.keep_talon(position.talon, table)
        if core.phase != PLAYING:  # a claim can end a deal in the middle of a trick
            rows[row + TABLE] = EMPTY
        stock_to: i64 = -1
        if core.result is not None:
            stock_to = core.result.stock_to
        if stock_to >= 0:
            rows[row + STOCK] = 0
        own = row + SEATS
        for seat in range(players):
            rows[own + seat] = standing_hand(position, seat, stock_to)
        rows[row + DONE] = position.piles.done
        if not position.played and not position.piles.done:
            return  # a new deal, as is nearly always the case
        for seat in range(players):
            rows[own + GONE * players + seat] = (
                position.hands[seat].cards & position.played
            )
            taken, tricks = position.piles.won_by(seat)
            rows[own + TAKEN * players + seat] = taken & position.played
            rows[own + POINTS * players + seat] = points_of(core.rules, taken)
            rows[own + TRICKS * players + seat] = tricks

    def keep(self, position: Position, table: i64) -> None:
        """Store every field of a position except its hands, talon and piles.

        They go into the row of this table, from which `moved` restores them.
        """
        rows = self.rows
        row = table * self.size
        rows[row + PLAYED] = position.played
        rows[row + LED] = position.led
        rows[row + TABLE] = position.table
        rows[row + BEST] = position.best
        rows[row + WINNER] = position.winner
        rows[row + LEADER] = position.leader
        rows[row + TURN] = position.turn
        rows[row + DREW] = position.drew
        rows[row + OUT] = position.out
        rows[row + BROKEN] = 1 if position.hearts_broken else 0
        rows[row + EMPTY_HANDED] = position.empty

    def keep_talon(self, talon: Talon, table: i64) -> None:
        """Store how many cards are left in the stock and in the kitty at this table."""
        row = table * self.size
        self.rows[row + STOCK] = len(talon.stock) - talon.drawn
        self.rows[row + KITTY] = count(talon.kitty) if talon.kitty_to < 0 else 0

    def moved(
        self, hands: tuple[Hand, ...], talon: Talon, table: i64
    ) -> MovingPosition:
        """The position at a table where play is in progress, rebuilt from its row.

        The same object is returned on every call, so the result is valid only until the
        next call. Its piles are empty and record only whether the first trick is over,
        which is all that the rules read from them during play.
        """
        rows = self.rows
        row = table * self.size
        turn = rows[row + TURN]
        position = self._moving
        position.hands = hands
        position.talon = talon
        position.piles = self._some if rows[row + DONE] else self._none
        position.played = Mask(rows[row + PLAYED])
        position.led = Mask(rows[row + LED])
        position.table = Mask(rows[row + TABLE])
        position.best = Mask(rows[row + BEST])
        position.winner = rows[row + WINNER]
        position.leader = rows[row + LEADER]
        position.turn = turn
        position.hand = Mask(rows[row + SEATS + turn])
        position.drew = Mask(rows[row + DREW])
        position.out = rows[row + OUT]
        position.hearts_broken = rows[row + BROKEN] != 0
        position.empty = rows[row + EMPTY_HANDED]
        return position

    def last(self, hands: tuple[Hand, ...], talon: Talon, table: i64) -> Position:
        """The final position at a table where play has ended, including its piles."""
        rows = self.rows
        row = table * self.size
        return Position(
            hands=hands,
            talon=talon,
            piles=self._piles(row),
            played=Mask(rows[row + PLAYED]),
            led=Mask(rows[row + LED]),
            table=Mask(rows[row + TABLE]),
            best=Mask(rows[row + BEST]),
            winner=rows[row + WINNER],
            leader=rows[row + LEADER],
            turn=-1,
            hand=EMPTY,
            drew=Mask(rows[row + DREW]),
            out=rows[row + OUT],
            hearts_broken=rows[row + BROKEN] != 0,
            empty=rows[row + EMPTY_HANDED],
        )

    def tricks(self, table: i64) -> i64:
        """The number of tricks completed so far in the deal at a table."""
        return self.rows[table * self.size + DONE]

    def _piles(self, row: i64) -> Piles:
        taken: list[Mask] = []
        tricks: list[int] = []
        seat = row + SEATS
        for _ in range(self.players):
            taken.append(Mask(self.rows[seat + TAKEN * self.players]))
            tricks.append(int(self.rows[seat + TRICKS * self.players]))
            seat += 1
        return Piles(tuple(taken), tuple(tricks), self.rows[row + DONE], False)

    def play(self, card: Mask, seat: i64, table: i64) -> None:
        """Record that this seat has played this card from its hand."""
        rows = self.rows
        own = table * self.size + SEATS + seat
        rows[own] = rows[own] & ~card
        own += self.players
        rows[own] = rows[own] | card

    def draw(self, card: Mask, seat: i64, table: i64) -> None:
        """Record that this seat has drawn this card."""
        own = table * self.size + SEATS + seat
        self.rows[own] = self.rows[own] | card

    def win(self, trick: Mask, seat: i64, points: i64, table: i64) -> None:
        """Record that this seat has taken this trick, which counts `points` points."""
        rows = self.rows
        row = table * self.size
        rows[row + DONE] += 1
        own = row + SEATS + TAKEN * self.players + seat
        rows[own] = rows[own] | trick
        own += self.players
        rows[own] += points
        own += self.players
        rows[own] += 1
