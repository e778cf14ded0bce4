"""What a seat sees, as arrays: everything that its view holds, and two more things.

An observation has three arrays, whose lengths depend only on the number of players.

- `planes`, uint8, has a row of 52 for each set of cards: 1 for each card that is in it.
- `record`, uint8, has three rows of 52: the place of each card among those played in
  the deal, the trick to which it was played, and its place among those that the seat
  has drawn in the current turn, all counted from 1, or 0 for none.
- `numbers`, int32, has everything else; -1 usually means that there is nothing to show.

`planes(players)` gives the rows, and `numbers(players)` the places, by name. Everything
listed by seat begins with the observing seat and goes round to its left.
The two additions are the way in which cards are passed in the deal (0 hold, 1 left,
2 right, 3 across, 4 scatter, 5 mix), which 2.7 lets the seat know, and, while the seat
chooses the cards of a pass one by one, those that it has chosen so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, SupportsIndex, TypeVar

import numpy as np
from librt.vecs import vec
from mypy_extensions import i32, i64, u8
from numpy.typing import NDArray

from refengine.chapters.cards import EMPTY
from refengine.chapters.settings import SCATTER
from refengine.chapters.table import PHASES, PLAYING
from refengine.errors import Malformed
from refengine.game.acts import MOON_CHOICES, MOST
from refengine.game.observe import View
from refengine.game.tricks import Table, Trick
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.legal import Due
from refengine.game.values.masks import number_given, seat_given
from refengine.game.values.state import State
from refengine.learning.actions import players_given
from refengine.learning.fast.accounts import Accounts
from refengine.learning.fast.encoding import (
    DREW,
    NO_CUT,
    ORDER,
    TRICK,
    Rows,
    write_play,
    write_record,
    write_rest,
    write_standing,
)
from refengine.machine.due import totals_now
from refengine.machine.position import playable

Number = TypeVar("Number", bound=np.generic)

PACK_SIZE: Final = 52
_BYTES: Final = np.dtype("<i8")  # eight bytes, with the first cards in the first byte

Observation = dict[str, NDArray[np.uint8] | NDArray[np.int32]]

KINDS: Final = (*PHASES, "draw")
"""What may be due; `due` in `numbers` is an index into this tuple."""


_ONE_PLANE: Final = ("hand", "playable", "passed", "received", "table")
_PLANES: Final = ("played", "taken")
_ONE_NUMBER: Final = (
    *("due", "ways", "forward", "self_minus", "others_plus", "stock", "kitty"),
    *("has_passed", "has_received", "way", "leader", "hearts_broken"),
)
_NUMBERS: Final = (
    *("turn", "pays", "held", "passed_to", "received_from", "points", "totals", "cut"),
)


def planes(players: SupportsIndex) -> dict[str, slice]:
    """The rows of `planes` by name, at a table of this size.

    `passed` holds the cards passed or, until they are handed in, the cards chosen so
    far. `played` and `taken` (in tricks) have a row for each seat.
    Raises Malformed for a number of players that no table can have.
    """
    return _places(_ONE_PLANE, _PLANES, players_given(players))


def numbers(players: SupportsIndex) -> dict[str, slice]:
    """The places in `numbers` by name, at a table of this size.

    `due` is an index into `KINDS`, or -1 out of turn; `turn` is then 0 for every seat.
    `ways`, `forward`, `self_minus`, `others_plus` and `pays` (the seats that may
    be charged with a moon) are those of `Due`; `stock` and `kitty` are numbers of
    cards. `has_passed` and `has_received` are 1 once the seat has passed and received
    cards, and `hearts_broken` is 1 once hearts are broken. `way` is how cards are
    passed in this deal: 0 hold, 1 left, 2 right, 3 across, 4 scatter, 5 mix.
    `leader` is how many places to the left the leader of the trick in progress sits, or
    -1 outside play.
    From `turn` on there is a number for each seat: `held` is its number of cards, or -1
    before the deal; `passed_to` and `received_from` are the cards of a scatter, or -1
    for none; `points` and `totals` are as in a view; `cut` is the card that the seat
    drew in the latest round of the cut, or -1 for none, or -2 for every seat if there
    was no cut.
    Raises Malformed for a number of players that no table can have.
    """
    return _places(_ONE_NUMBER, _NUMBERS, players_given(players))


def _places(
    single: Sequence[str], by_seat: Sequence[str], players: int
) -> dict[str, slice]:
    places = {name: slice(at, at + 1) for at, name in enumerate(single)}
    first = len(single)
    for at, name in enumerate(by_seat):
        places[name] = slice(first + at * players, first + (at + 1) * players)
    return places


def observation_of(
    state: State, seat: SupportsIndex, given: Sequence[SupportsIndex] = ()
) -> Observation:
    """What this seat sees at this moment.

    `given` holds the numbers of the cards that the seat has chosen for its pass so far.
    Raises Malformed for a seat or a card number that does not exist, or for totals of
    more than 32 bits.
    """
    core = state.core
    players = state.ruleset.players
    whose = seat_given(seat, players)
    if max(map(abs, totals_now(core))) > MOST:
        allowed = f"totals from -{MOST} to {MOST}"
        raise Malformed("totals of more than 32 bits", allowed, "state")
    rows = Rows(1, players)
    accounts = Accounts(1, players)
    accounts.begin(core, 0)
    write_standing(core, whose, list(map(number_given, given)), rows, 0)
    write_record(core, whose, rows, 0)
    position = core.position
    if core.phase == PLAYING and position is not None:
        in_turn = position.turn == whose
        cards = playable(core.rules, position) if in_turn else EMPTY
        write_play(accounts, whose, cards, rows, 0)
    else:
        write_rest(core, accounts, whose, rows, 0)
    found = observations(rows, np.array([whose]))
    return {name: array[0].copy() for name, array in found.items()}


def observations(rows: Rows, seats: NDArray[np.int64]) -> Observation:
    """The observation of one seat at each table, stacked along axis 0.

    `seats` holds the number of that seat, one for each table.
    """
    layout = rows.layout
    tables = len(seats)
    own = np.arange(tables) * layout.players + seats
    sets = array_on(rows.sets, np.int64).reshape(-1, layout.sets)
    listed = array_on(rows.numbers, np.int32).reshape(-1, layout.numbers)
    record = array_on(rows.record, np.uint8).reshape(tables, -1, PACK_SIZE)
    return {
        "planes": unpacked(sets.take(own, axis=0))[:, :, :PACK_SIZE],
        "record": record.copy(),
        "numbers": listed.take(own, axis=0),
    }


def array_on(
    vector: vec[i64] | vec[i32] | vec[u8], kind: type[Number]
) -> NDArray[Number]:
    """The contents of a vector as a NumPy array that shares its memory.

    `kind` is the NumPy type that matches the numbers in the vector.
    """
    return np.frombuffer(memoryview(vector), kind)


def unpacked(words: NDArray[np.int64]) -> NDArray[np.uint8]:
    """The bits of each word, lowest first, along a new last axis of length 64."""
    flat = words.astype(_BYTES, copy=False).reshape(-1).view(np.uint8)
    return np.unpackbits(flat, bitorder="little").reshape(*words.shape, 64)


def first_bits(rows: NDArray[np.int64], number: int) -> NDArray[np.uint8]:
    """The first `number` bits of each row of words, the lowest first."""
    found = rows.astype(_BYTES, copy=False).view(np.uint8)
    return np.unpackbits(found, axis=1, count=number, bitorder="little")


# Back to a view


def view(observation: Observation, seat: SupportsIndex) -> View:
    """The view of this seat that the observation encodes, as `State.observe` gives it.

    Raises Malformed if there is no such seat, or if this is not one observation.
    """
    return _Reader(observation, seat).view()


def _check_one(observation: object) -> None:
    """Raise Malformed unless these are the arrays of one observation."""
    given: Mapping[str, Any] = observation if isinstance(observation, Mapping) else {}
    arrays = [given.get(name) for name in ("planes", "record", "numbers")]
    found = [one.shape if isinstance(one, np.ndarray) else () for one in arrays]
    players = (found[0][0] - len(_ONE_PLANE)) // len(_PLANES) if found[0] else 0
    wanted: list[tuple[int, ...]] = [
        (len(_ONE_PLANE) + len(_PLANES) * players, PACK_SIZE),
        (3, PACK_SIZE),
        (len(_ONE_NUMBER) + len(_NUMBERS) * players,),
    ]
    if found != wanted:
        shapes = ", ".join(map(str, found))
        allowed = "the planes, the record and the numbers of one observation"
        raise Malformed(f"arrays of shape {shapes}", allowed, "observation")


class _Reader:
    """Turns an observation back into the cards, seats and tricks of a view."""

    def __init__(self, observation: Observation, seat: SupportsIndex) -> None:
        _check_one(observation)
        self.planes: Final = observation["planes"]
        self.record: Final = observation["record"]
        self.players: Final = (len(self.planes) - len(_ONE_PLANE)) // len(_PLANES)
        self.seat: Final = seat_given(seat, self.players)
        self.at: Final = numbers(self.players)
        self.rows: Final = planes(self.players)
        self.listed: Final = observation["numbers"]

    def view(self) -> View:
        held = self.by_seat("held")
        dealt = held[0] >= 0
        cut = self.by_seat("cut")
        tricks = self.tricks()
        in_progress = self.one("leader") >= 0
        table = None
        if in_progress:
            on_table = tricks.pop() if self.cards("table") else ()
            table = Table(self.seat_at(self.one("leader")), on_table)
        return View(
            seat=self.seat,
            hand=self.cards("hand"),
            held=held if dealt else (),
            stock=self.one("stock"),
            kitty=self.one("kitty"),
            passed=self.packet("has_passed", "passed", "passed_to"),
            received=self.packet("has_received", "received", "received_from"),
            drew=tuple(CARDS[card] for card in self.in_order(DREW)),
            table=table,
            history=tuple(self.trick(cards) for cards in tricks),
            hearts_broken=self.one("hearts_broken") > 0,
            points=self.by_seat("points") if dealt else (),
            legal=self.due(),
            totals=self.by_seat("totals"),
            cut=() if cut[0] == NO_CUT else tuple(map(_card_or_none, cut)),
        )

    def one(self, name: str) -> int:
        """The only number that is stored under this name."""
        return int(self.listed[self.at[name]][0])

    def by_seat(self, name: str) -> tuple[int, ...]:
        """The numbers with this name for all seats, from seat 0 on."""
        return tuple(np.roll(self.listed[self.at[name]], self.seat).tolist())

    def cards(self, name: str) -> CardSet:
        """The set of cards with this name."""
        return CardSet(
            CARDS[card] for card in np.flatnonzero(self.planes[self.rows[name]])
        )

    def seat_at(self, place: int) -> int:
        """The seat that sits `place` places to the left of the observing seat."""
        return (self.seat + place) % self.players

    def seat_with(self, name: str, card: Card) -> int:
        """The seat that has this card in its plane, among the planes with this name."""
        column = self.planes[self.rows[name], card.number]
        return self.seat_at(int(np.argmax(column)))

    def in_order(self, row: int) -> list[int]:
        """The numbers of the cards in a row of the record, in the order recorded."""
        places = self.record.reshape(-1)[row : row + PACK_SIZE]
        return [int(card) for card in np.argsort(places, stable=True) if places[card]]

    def tricks(self) -> list[tuple[Card, ...]]:
        """The cards of each trick of the deal, with the trick on the table last."""
        found: dict[int, list[Card]] = {}
        for card in self.in_order(ORDER):
            number = int(self.record.reshape(-1)[TRICK + card])
            found.setdefault(number, []).append(CARDS[card])
        return [tuple(cards) for _, cards in sorted(found.items())]

    def trick(self, cards: tuple[Card, ...]) -> Trick:
        """The completed trick that these cards make up."""
        leader = self.seat_with("played", cards[0])
        return Trick(leader, cards, self.seat_with("taken", cards[0]))

    def packet(
        self, known: str, plane: str, seats: str
    ) -> CardSet | tuple[tuple[int, Card], ...] | None:
        """The cards passed or received, or None if no pass or receipt has taken place.

        They are a set or, in a scatter, pairs of the other seat and a card. `known`
        names the number that says whether it has taken place.
        """
        if not self.one(known):
            return None
        if self.one("way") != SCATTER:
            return self.cards(plane)
        cards = self.by_seat(seats)
        return tuple(
            (seat, CARDS[card]) for seat, card in enumerate(cards) if card >= 0
        )

    def due(self) -> Due | None:
        """The act that is due from this seat, or None if this seat is not to act."""
        kind = self.one("due")
        if kind < 0:
            return None
        choices: tuple[str | int, ...] = tuple(
            name for name in MOON_CHOICES if self.one(name)
        )
        pays = self.by_seat("pays")
        return Due(
            KINDS[kind],
            tuple(seat for seat, turn in enumerate(self.by_seat("turn")) if turn),
            cards=self.cards("playable"),
            ways=self.one("ways"),
            forward=self.one("forward") > 0,
            choices=choices + tuple(seat for seat, paid in enumerate(pays) if paid),
        )


def _card_or_none(number: int) -> Card | None:
    return CARDS[number] if number >= 0 else None
