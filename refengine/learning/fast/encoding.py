"""What a seat sees, encoded in vectors: sets of cards, a record of play, and numbers.

This is what `refengine.game.observe` reports, seen from the seat: everything listed by
seat begins with the seat itself and goes round to its left. Two things are added that
the seat also knows: which way cards are passed in the deal and, while the seat chooses
the cards of its pass one by one, which cards it has chosen.

`write_standing` writes what stays the same while cards are played, and
`write_record` writes the record of play. The rest may change with each card. It is
written by `write_play` in the phase of play, and by `write_rest` in every other phase;
both read the state of play in `Accounts`.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from refengine.chapters.cards import EMPTY, Mask, cards_in, count, number_of
from refengine.chapters.draw import drawn_now
from refengine.chapters.passing import may_not_forward
from refengine.chapters.score import MINUS, PLUS, moon_choices
from refengine.chapters.settings import HOLD, SCATTER
from refengine.chapters.table import CUTTING, MOON_DUE, PASSING, PLAYING, SEAT, left_of
from refengine.learning.fast import accounts as accounting
from refengine.learning.fast.accounts import Accounts
from refengine.learning.fast.choices import addressed, places_left
from refengine.machine.core import Core
from refengine.machine.due import cards_to_cut, seats_due, totals_now, ways_to_pass
from refengine.machine.position import on_table

# Sets of cards. From PLAYED on, they are listed by seat: first the cards that each seat
# has played, then the cards that it has taken in tricks.
HAND: Final = 0
PLAYABLE: Final = 1
PASSED: Final = 2  # or, until the packet is handed in, chosen for it
RECEIVED: Final = 3
TABLE: Final = 4
PLAYED: Final = 5

# The record: three lists with a number for each card, or 0 for none. They say when in
# the deal the card was played, in which trick, and when in the current turn it was
# drawn.
ORDER: Final = 0
TRICK: Final = 52
DREW: Final = 104
RECORD: Final = 156

# Numbers. From TURN on, they are listed by seat.
DUE: Final = 0  # the phase, or DRAWING, or NONE out of turn
WAYS: Final = 1
MAY_FORWARD: Final = 2
MAY_MINUS: Final = 3
MAY_PLUS: Final = 4
STOCK: Final = 5
KITTY: Final = 6
HAS_PASSED: Final = 7
HAS_RECEIVED: Final = 8
WAY: Final = 9  # the entry in the pass cycle; HOLD before the deal
LEADER: Final = 10  # of the trick on the table, as places to the left, or NONE
BROKEN: Final = 11
TURN: Final = 12

DRAWING: Final = 7
NONE: Final = -1
NO_CUT: Final = -2


@final
class Layout:
    """The lengths of the rows of `sets` and `numbers`, and where lists by seat begin.

    Only what depends on the number of players is included.
    """

    def __init__(self, players: i64) -> None:
        self.players: Final = players
        self.taken: Final = PLAYED + players
        self.sets: Final = PLAYED + 2 * players
        self.may_pay: Final = TURN + players
        self.held: Final = TURN + 2 * players
        self.passed_to: Final = TURN + 3 * players
        self.received_from: Final = TURN + 4 * players
        self.points: Final = TURN + 5 * players
        self.totals: Final = TURN + 6 * players
        self.cut: Final = TURN + 7 * players
        self.numbers: Final = TURN + 8 * players


@final
class Rows:
    """Storage for what every seat sees, at many tables with the same number of players.

    `sets` and `numbers` have a row for each seat of each table, and `record` has one
    for each table.
    """

    def __init__(self, tables: int, players: int) -> None:
        layout = Layout(players)
        seats = tables * players
        self.layout: Final = layout
        self.sets: Final = vec[i64]([0] * (seats * int(layout.sets)))
        self.numbers: Final = vec[i32]([0] * (seats * int(layout.numbers)))
        self.record: Final = vec[u8]([0] * (tables * RECORD))


def write_standing(
    core: Core, seat: i64, given: list[int], rows: Rows, table: i64
) -> None:
    """Write the pass, the totals, the cut and the choices as this seat sees them.

    `given` holds the numbers of the cards that the seat has chosen for its pass so far.
    """
    layout = rows.layout
    numbers = rows.numbers
    row = table * layout.players + seat
    at = row * layout.sets
    on = row * layout.numbers
    totals = totals_now(core)
    cut = core.cut.cards
    other = seat
    for place in range(layout.players):
        numbers[on + layout.passed_to + place] = NONE
        numbers[on + layout.received_from + place] = NONE
        numbers[on + layout.totals + place] = i32(totals[other])
        numbers[on + layout.cut + place] = i32(cut[other] if cut else NO_CUT)
        other = left_of(other, layout.players)
    numbers[on + WAY] = i32(core.dealt.way)
    _write_passed(core, seat, given, rows, at, on)
    _write_received(core, seat, rows, at, on)
    _write_ways(core, seat, rows, on)


def _write_passed(
    core: Core, seat: i64, given: list[int], rows: Rows, at: i64, on: i64
) -> None:
    """Write the cards passed and, in a scatter, the seats to which they went."""
    layout = rows.layout
    numbers = rows.numbers
    packets = core.dealt.packets
    packet = packets[seat] if packets else None
    rows.sets[at + PASSED] = EMPTY
    numbers[on + HAS_PASSED] = 0
    to: tuple[int, ...] = ()
    if packet is not None:
        rows.sets[at + PASSED] = packet.cards
        numbers[on + HAS_PASSED] = 1
        to = packet.addressed
    elif given:
        rows.sets[at + PASSED] = cards_in(tuple(given))
        to = addressed(core, seat, given)
    for other, card in enumerate(to):
        place = places_left(seat, other, layout.players)
        numbers[on + layout.passed_to + place] = i32(card)


def _write_received(core: Core, seat: i64, rows: Rows, at: i64, on: i64) -> None:
    """Write the cards received and, in a scatter, the seats from which they came."""
    layout = rows.layout
    numbers = rows.numbers
    dealt = core.dealt
    received = dealt.way != HOLD and len(dealt.received) > 0
    numbers[on + HAS_RECEIVED] = i32(received)
    rows.sets[at + RECEIVED] = dealt.received[seat] if received else EMPTY
    if not received or dealt.way != SCATTER:
        return
    for giver, packet in enumerate(dealt.packets):
        if packet is not None and giver != seat:
            place = places_left(seat, giver, layout.players)
            card = packet.addressed[seat]
            numbers[on + layout.received_from + place] = i32(card)


def _write_ways(core: Core, seat: i64, rows: Rows, on: i64) -> None:
    """Write in how many ways this seat may cut or pass, and how it may settle a moon.

    Everything is 0 unless the choice in question is this seat's to make now.
    """
    layout = rows.layout
    numbers = rows.numbers
    due = core.phase if seats_due(core) & SEAT[seat] else NONE
    ways: i64 = 0
    if due == CUTTING:
        ways = cards_to_cut(core)
    elif due == PASSING:
        ways = ways_to_pass(core)
    forward = due == PASSING and not may_not_forward(core.rules, core.dealt.way)
    numbers[on + WAYS] = i32(ways)
    numbers[on + MAY_FORWARD] = i32(forward)
    numbers[on + MAY_MINUS] = 0
    numbers[on + MAY_PLUS] = 0
    for place in range(layout.players):
        numbers[on + layout.may_pay + place] = 0
    if due != MOON_DUE:
        return
    for settled in moon_choices(core.rules, seat):
        if settled == MINUS:
            numbers[on + MAY_MINUS] = 1
        elif settled == PLUS:
            numbers[on + MAY_PLUS] = 1
        else:
            place = places_left(seat, settled, layout.players)
            numbers[on + layout.may_pay + place] = 1


def write_play(
    accounts: Accounts, seat: i64, cards: Mask, rows: Rows, table: i64
) -> None:
    """Write what this seat sees in play; `cards` holds the cards that it may play now.

    `cards` is empty if it is another seat's turn, or if a draw is due.
    """
    layout = rows.layout
    account = accounts.rows
    numbers = rows.numbers
    row = table * layout.players + seat
    at = row * layout.sets
    on = row * layout.numbers
    standing = table * accounts.size
    rows.sets[at + PLAYABLE] = cards
    due: i64 = NONE
    if account[standing + accounting.TURN] == seat:
        due = PLAYING if cards else DRAWING
    numbers[on + DUE] = i32(due)
    leader = places_left(seat, account[standing + accounting.LEADER], layout.players)
    numbers[on + LEADER] = i32(leader)
    for place in range(layout.players):
        numbers[on + TURN + place] = 0
    if due != NONE:
        numbers[on + TURN] = 1
    _write_account(accounts, seat, rows, table, at, on)


def write_rest(
    core: Core, accounts: Accounts, seat: i64, rows: Rows, table: i64
) -> None:
    """Write what this seat sees in any phase before or after play."""
    layout = rows.layout
    numbers = rows.numbers
    row = table * layout.players + seat
    at = row * layout.sets
    on = row * layout.numbers
    due = seats_due(core)
    if not due & SEAT[seat]:
        due = 0
    rows.sets[at + PLAYABLE] = EMPTY
    numbers[on + DUE] = i32(core.phase if due else NONE)
    numbers[on + LEADER] = NONE
    _write_account(accounts, seat, rows, table, at, on)
    dealt = len(core.dealt.hands) > 0
    other = seat
    for place in range(layout.players):
        numbers[on + TURN + place] = 1 if due & SEAT[other] else 0
        if not dealt:
            numbers[on + layout.held + place] = NONE
        other = left_of(other, layout.players)


def _write_account(
    accounts: Accounts, seat: i64, rows: Rows, table: i64, at: i64, on: i64
) -> None:
    """Write the state of play at the table, and the hand of the seat that observes it.

    For the table: the trick, whether hearts are broken, and how many cards the stock
    and the kitty hold. For each seat, beginning with the observing one: the cards it
    has played and those it has taken, its points, and how many cards it holds.
    """
    layout = rows.layout
    players = layout.players
    sets = rows.sets
    numbers = rows.numbers
    account = accounts.rows
    standing = table * accounts.size
    sets[at + TABLE] = account[standing + accounting.TABLE]
    numbers[on + BROKEN] = i32(account[standing + accounting.BROKEN])
    numbers[on + STOCK] = i32(account[standing + accounting.STOCK])
    numbers[on + KITTY] = i32(account[standing + accounting.KITTY])
    first = standing + accounting.SEATS
    last = first + players
    other = first + seat
    sets[at + HAND] = account[other]
    place: i64 = 0
    while place < players:
        sets[at + PLAYED + place] = account[other + accounting.GONE * players]
        sets[at + layout.taken + place] = account[other + accounting.TAKEN * players]
        points = account[other + accounting.POINTS * players]
        numbers[on + layout.held + place] = i32(count(Mask(account[other])))
        numbers[on + layout.points + place] = i32(points)
        place += 1
        other += 1
        if other == last:
            other = first


def forget_record(rows: Rows, table: i64) -> None:
    """Clear the record of a table, so that no card counts as played or drawn."""
    record = rows.record
    place = table * RECORD
    end = place + RECORD
    while place < end:
        record[place] = 0
        place += 1


def write_record(core: Core, seat: i64, rows: Rows, table: i64) -> None:
    """Write the cards played in the deal so far, and the cards drawn in this turn.

    Draws are written only if it is this seat's turn to play.
    """
    forget_record(rows, table)
    position = core.position
    if position is None:
        return
    tricks: list[tuple[int, ...]] = []
    if core.record.last is not None:
        for trick in core.record.last.all():
            before = on_table(core.rules, trick.position)
            tricks.append((*before, int(number_of(trick.card))))
    if core.phase == PLAYING:
        tricks.append(on_table(core.rules, position))
    record = rows.record
    at = table * RECORD
    played: i64 = 0
    for place, numbers in enumerate(tricks):
        for number in numbers:
            played += 1
            record[at + ORDER + number] = u8(played)
            record[at + TRICK + number] = u8(place + 1)
    if core.phase != PLAYING or position.turn != seat:
        return
    for place, number in enumerate(drawn_now(position)):
        record[at + DREW + number] = u8(place + 1)
