"""How a game begins: as a whole match, a single deal, or a position in a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import attrs

from refengine.chapters.cards import Mask
from refengine.chapters.layout import Piles
from refengine.chapters.table import PHASES, PLAYING, SEAT
from refengine.errors import Malformed, shown, whole_number
from refengine.game.acts import (
    MOST,
    to_number,
    to_seat,
    to_seat_or_none,
    to_sequence,
    to_set,
    to_sets,
)
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CARDS, NO_CARDS, Card, CardSet
from refengine.game.values.masks import masks_of, numbers_in, sets_of
from refengine.game.verdicts import Refused
from refengine.machine.core import Core, DealStart
from refengine.machine.due import dealer_now, number_now, seats_of, totals_now
from refengine.machine.found_position import position_breaks
from refengine.machine.holdings import hands_now, kitty_now, stock_now, taken_now
from refengine.machine.opening import (
    match_breaks,
    misplaced_talon,
    open_match,
    open_position,
    open_setup,
    setup_breaks,
)
from refengine.machine.position import on_table


def _to_seats(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise Malformed(shown(value), "a list of seats")
    return tuple(sorted({to_seat(one) for one in value}))


def _to_numbers(value: object) -> tuple[int, ...] | None:
    if value is None:
        return None
    found: list[int] = []
    for one in value if isinstance(value, list | tuple) else [None]:
        number = whole_number(one)
        if number is None or abs(number) > MOST:
            allowed = (
                f"a list of whole numbers from -{MOST} to {MOST}, one for each seat"
            )
            raise Malformed(shown(value), allowed)
        found.append(number)
    return tuple(found)


def _to_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise Malformed(shown(value)[:40], "true or false")
    return value


def _to_sets_or_none(value: object) -> tuple[CardSet, ...] | None:
    return None if value is None else to_sets(value)


class HasCore(Protocol):
    """The part of `refengine.State` used here, declared to avoid a circular import."""

    @property
    def core(self) -> Core:
        """The state of the match in the form in which the rules use it."""


@attrs.frozen
class Match:
    """A match that begins with the cut or, given a `dealer`, with the first deal.

    >>> Match(dealer=3, pack="2C 3C 4C 5C")
    Match(dealer=3, pack=CardSet('2C 3C 4C 5C'))

    If a `pack` is named, it replaces the 52 cards (3.10).
    """

    dealer: int | None = attrs.field(default=None, converter=to_seat_or_none)
    pack: CardSet = attrs.field(default=CardSet(), converter=to_set)


@attrs.frozen(kw_only=True)
class Setup:
    """A single deal (3.12) or, given a `leader`, a position in its play (3.12a).

    >>> setup = Setup(dealer=1, hands=["QS", "2C 3C"], leader=0, trick="AS")
    >>> setup.hands[1], setup.trick
    (CardSet('2C 3C'), (Card('AS'),))

    `deal` is the number of the deal in the match, and `totals` holds the totals before
    it. The fields from `leader` on are only for a position. They include the seat that
    leads, the cards on the table in the order played, the seats that were out when this
    trick began, and the cards taken and the number of tricks won by each seat.
    """

    dealer: int = attrs.field(converter=to_seat)
    hands: tuple[CardSet, ...] = attrs.field(converter=to_sets)
    deal: int = attrs.field(default=1, converter=to_number)
    totals: tuple[int, ...] | None = attrs.field(default=None, converter=_to_numbers)
    stock: tuple[Card, ...] = attrs.field(default=(), converter=to_sequence)
    kitty: CardSet = attrs.field(default=CardSet(), converter=to_set)
    limit_reached: bool = attrs.field(default=False, converter=_to_flag)
    leader: int | None = attrs.field(default=None, converter=to_seat_or_none)
    trick: tuple[Card, ...] = attrs.field(default=(), converter=to_sequence)
    out: tuple[int, ...] = attrs.field(default=(), converter=_to_seats)
    taken: tuple[CardSet, ...] | None = attrs.field(
        default=None, converter=_to_sets_or_none
    )
    tricks: tuple[int, ...] | None = attrs.field(default=None, converter=_to_numbers)
    hearts_broken: bool = attrs.field(default=False, converter=_to_flag)
    first_trick: bool = attrs.field(default=False, converter=_to_flag)

    @classmethod
    def of(cls, state: HasCore) -> Setup:
        """The position (3.12a) that a state in the phase of play has reached.

        A position has no past: it forgets the pass, the revokes, and which cards the
        seat to act has drawn in this turn; a taken kitty is among the cards taken.
        Raises Malformed outside the phase of play.
        """
        core = state.core
        position = core.position
        if position is None or core.phase != PLAYING:
            raise Malformed(f"the phase {PHASES[core.phase]}", "play", "state")
        rules = core.rules
        return cls(
            dealer=int(dealer_now(core)),
            deal=int(number_now(core)),
            totals=totals_now(core),
            hands=sets_of(hands_now(core)),
            stock=tuple(CARDS[number] for number in stock_now(core)),
            kitty=CardSet.of_mask(kitty_now(core)),
            limit_reached=core.sheet.reached and rules.ties_played_on,
            leader=int(position.leader),
            trick=tuple(CARDS[number] for number in on_table(rules, position)),
            out=seats_of(position.out),
            taken=sets_of(taken_now(core)),
            tricks=position.piles.tricks,
            hearts_broken=position.hearts_broken,
            first_trick=position.piles.first,
        )


_CONVERTED: Final[Mapping[str, Any]] = {
    one.name: one.converter for one in attrs.fields(Setup)
}


def setup_of(fields: Mapping[str, Any]) -> Setup:
    """Make a Setup from its fields, given by name; an error in a field names it."""
    return Setup(**{name: _field(name, value) for name, value in fields.items()})


def _field(name: str, value: object) -> object:
    try:
        return _CONVERTED[name](value)
    except Malformed as error:
        raise error.within(name) from None


Start = Match | Setup


def opened(ruleset: object, start: object) -> Core:
    """The state in which the game with this ruleset and this start begins.

    Raises Malformed if an argument is of the wrong type, if seats or lists do not fit
    the table, or if a field has no meaning in this start. Raises Refused if a clause
    forbids the start.
    """
    if not isinstance(ruleset, Ruleset):
        wanted = "a Ruleset, such as Ruleset('common-hearts')"
        raise Malformed(shown(ruleset)[:40], wanted)
    if isinstance(start, Match):
        return _opened_match(ruleset, start)
    if not isinstance(start, Setup):
        raise Malformed(shown(start)[:40], "a Match or a Setup")
    players = ruleset.players
    _one_a_seat(start.hands, players, "hands")
    _at_table(start.dealer, players, "dealer")
    totals = (0,) * players if start.totals is None else start.totals
    _one_a_seat(totals, players, "totals")
    check_fields_of(start, ruleset)
    sheet = DealStart(start.dealer, start.deal, totals, start.limit_reached)
    hands = masks_of(start.hands)
    stock = numbers_in(start.stock)
    if start.leader is not None:
        return _opened_position(ruleset, start, sheet, hands, stock)
    broken = setup_breaks(ruleset.rules, hands, stock, start.kitty.mask, start.deal)
    if broken:
        raise Refused(broken, "this setup", (ruleset, start))
    return open_setup(ruleset.rules, sheet, hands, stock, start.kitty.mask)


def check_fields_of(start: Setup, ruleset: Ruleset) -> None:
    """Raise Malformed for a field that is set but has no meaning in this start."""
    if start.limit_reached and not ruleset.rules.ties_played_on:
        raise Malformed(
            "limit_reached", "only where ties are played on", "limit_reached"
        )
    if start.leader is not None:
        return
    for name in ("trick", "out", "taken", "tricks", "hearts_broken", "first_trick"):
        if getattr(start, name) not in ((), None, False):
            raise Malformed(name, "only in a position, with a leader", name)


def _opened_match(ruleset: Ruleset, start: Match) -> Core:
    if start.dealer is not None:
        _at_table(start.dealer, ruleset.players, "dealer")
    broken = match_breaks(ruleset.rules, start.pack.mask)
    if broken:
        raise Refused(broken, "this match", (ruleset, start))
    dealer = -1 if start.dealer is None else start.dealer
    return open_match(ruleset.rules, start.pack.mask, dealer)


def _opened_position(
    ruleset: Ruleset,
    start: Setup,
    sheet: DealStart,
    hands: tuple[Mask, ...],
    stock: tuple[int, ...],
) -> Core:
    players = ruleset.players
    rules = ruleset.rules
    leader = start.leader or 0
    _at_table(leader, players, "leader")
    for seat in start.out:
        _at_table(seat, players, "out")
    if len(start.trick) >= players:
        raise Malformed(f"{len(start.trick)} cards", "a trick in progress", "trick")
    piles = _piles(start, players)
    out = sum(SEAT[seat] for seat in start.out)
    table = numbers_in(start.trick)
    kitty = start.kitty.mask
    broken = misplaced_talon(rules, stock, kitty) or position_breaks(
        rules,
        dealer=start.dealer,
        hands=hands,
        stock=stock,
        kitty=kitty,
        leader=leader,
        table=table,
        out=out,
        piles=piles,
        hearts_broken=start.hearts_broken,
    )
    if broken:
        raise Refused(broken, "this position", (ruleset, start))
    return open_position(
        rules,
        sheet=sheet,
        hands=hands,
        stock=stock,
        kitty=kitty,
        leader=leader,
        table=table,
        out=out,
        piles=piles,
        hearts_broken=start.hearts_broken,
    )


def _piles(start: Setup, players: int) -> Piles:
    """What each seat has taken in a position, and how many tricks it has won.

    Raises Malformed if this does not fit the table.
    """
    taken = masks_of((NO_CARDS,) * players if start.taken is None else start.taken)
    tricks = (0,) * players if start.tricks is None else start.tricks
    _one_a_seat(taken, players, "taken")
    _one_a_seat(tricks, players, "tricks")
    if min(tricks) < 0 or sum(tricks) > 52:
        raise Malformed(f"{list(tricks)}", "numbers of tricks won", "tricks")
    return Piles(taken, tricks, sum(tricks), start.first_trick)


def _one_a_seat(found: tuple[object, ...], players: int, where: str) -> None:
    """Raise Malformed unless there is one value for each seat."""
    if len(found) != players:
        raise Malformed(f"{len(found)}", f"{players}, one for each seat", where)


def _at_table(seat: int, players: int, where: str) -> None:
    """Raise Malformed unless the table has this seat."""
    if seat >= players:
        raise Malformed(f"seat {seat}", f"a seat from 0 to {players - 1}", where)
