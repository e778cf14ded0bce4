"""The announcements to one seat: how a game begins, and then each act."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import SupportsIndex

import attrs

from refengine.chapters.settings import SCATTER
from refengine.errors import Malformed, shown, values_in, whole_number
from refengine.game.acts import (
    MOST,
    Act,
    to_number,
    to_seat,
    to_seat_or_none,
    to_sequence,
    to_set,
    to_sets,
)
from refengine.game.observe import Event, event_of
from refengine.game.setups import Match, Setup, Start
from refengine.game.values.cardset import (
    NO_CARDS,
    WHOLE_PACK,
    Card,
    CardSet,
    card,
)
from refengine.game.values.masks import seat_given
from refengine.game.values.state import State


def _to_numbers(values: Iterable[int]) -> tuple[int, ...]:
    """The values as a tuple of whole numbers.

    Raises Malformed for anything else, including a collection without an order, and for
    a number over MOST or under -MOST.
    """
    unordered = isinstance(values, set | frozenset | Mapping)
    every = None if unordered else values_in(values)
    if every is None:
        raise Malformed(shown(values)[:40], "a list of whole numbers")
    found: list[int] = []
    for value in every:
        number = whole_number(value)
        if number is None or abs(number) > MOST:
            raise Malformed(shown(value)[:40], f"a whole number from -{MOST} to {MOST}")
        found.append(number)
    return tuple(found)


def _to_counts(values: Iterable[int]) -> tuple[int, ...]:
    found = _to_numbers(values)
    for value in found:
        if not 0 <= value <= len(WHOLE_PACK):
            raise Malformed(f"{value}", "a number of cards, 0 to 52")
    return found


def _to_count(value: int) -> int:
    return _to_counts([value])[0]


def _to_totals(values: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if values is None else _to_numbers(values)


def _to_givers(values: object) -> tuple[tuple[int, Card], ...] | None:
    """The (giver, card) pairs with their types checked; None stays None.

    Raises Malformed for anything else.
    """
    if values is None:
        return None
    allowed = "(giver, card) pairs"
    if not isinstance(values, list | tuple):
        raise Malformed(shown(values)[:40], allowed, "received")
    found: list[tuple[int, Card]] = []
    for pair in values:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise Malformed(shown(pair)[:40], allowed, "received")
        found.append((to_seat(pair[0]), card(pair[1])))
    return tuple(found)


def _to_seats(values: Iterable[int]) -> tuple[int, ...]:
    """The seats without repetition and in ascending order, as in `Setup`."""
    listed = tuple(values) if isinstance(values, set | frozenset) else values
    return tuple(sorted({to_seat(value) for value in _to_numbers(listed)}))


def _unless_nought(values: Iterable[int] | None) -> tuple[int, ...] | None:
    """The numbers, or None if all of them are 0 or there are none."""
    found = _to_totals(values)
    return found if found and any(found) else None


def _unless_empty(values: object) -> tuple[CardSet, ...] | None:
    found = None if values is None else to_sets(values)
    return found if found and any(found) else None


class ImpossibleRecord(Malformed):
    """A record that no deal fits, or for which none was found in many tries.

    `where` names what shows this: an act, such as `told[3]`, or the `opening`. It is
    empty if no single thing shows it.
    """


def check_at_table(seat: int, players: int, where: str) -> None:
    """Raise ImpossibleRecord if the seat is not at the table."""
    if not 0 <= seat < players:
        raise ImpossibleRecord(f"seat {seat}", f"a seat from 0 to {players - 1}", where)


def check_act(event: Event, where: str) -> None:
    """Raise ImpossibleRecord if the event has another kind or seat than its act.

    An event without an act is accepted.
    """
    act = event.act
    if act is not None and (act.kind, act.seat) != (event.kind, event.seat):
        found = f"{event.kind} by seat {event.seat}"
        allowed = f"{act.kind} by seat {act.seat}, as in the act"
        raise ImpossibleRecord(found, allowed, where)


@attrs.frozen(kw_only=True)
class SeenSetup:
    """A setup, which states a single deal or a position, as it is shown to one seat.

    The fields are those of `Setup`, except that the hands are replaced by the seat's
    own `hand` and, in `held`, the number of cards in each hand; `stock` and `kitty` are
    numbers of cards; and `pack` holds all the cards in play, including those on the
    table and those taken. `leads` is the seat that leads first, if the deal begins with
    play.
    """

    dealer: int = attrs.field(converter=to_seat)
    hand: CardSet = attrs.field(converter=to_set)
    held: tuple[int, ...] = attrs.field(converter=_to_counts)
    pack: CardSet = attrs.field(converter=to_set)
    deal: int = attrs.field(default=1, converter=to_number)
    totals: tuple[int, ...] | None = attrs.field(default=None, converter=_unless_nought)
    stock: int = attrs.field(default=0, converter=_to_count)
    kitty: int = attrs.field(default=0, converter=_to_count)
    limit_reached: bool = False
    leads: int | None = attrs.field(default=None, converter=to_seat_or_none)
    leader: int | None = attrs.field(default=None, converter=to_seat_or_none)
    trick: tuple[Card, ...] = attrs.field(default=(), converter=to_sequence)
    out: tuple[int, ...] = attrs.field(default=(), converter=_to_seats)
    taken: tuple[CardSet, ...] | None = attrs.field(
        default=None, converter=_unless_empty
    )
    tricks: tuple[int, ...] | None = attrs.field(default=None, converter=_unless_nought)
    hearts_broken: bool = False
    first_trick: bool = False

    def __attrs_post_init__(self) -> None:
        self.with_cards((), (), NO_CARDS)  # checks the fields that both classes share

    def with_cards(
        self, hands: tuple[CardSet, ...], stock: tuple[Card, ...], kitty: CardSet
    ) -> Setup:
        """The `Setup` with these cards and the other fields as shown to this seat."""
        return Setup(
            dealer=self.dealer,
            deal=self.deal,
            totals=self.totals,
            hands=hands,
            stock=stock,
            kitty=kitty,
            limit_reached=self.limit_reached,
            leader=self.leader,
            trick=self.trick,
            out=self.out,
            taken=self.taken,
            tricks=self.tricks,
            hearts_broken=self.hearts_broken,
            first_trick=self.first_trick,
        )


Opening = Match | SeenSetup


def opening_for(state: State, seat: SupportsIndex) -> Opening:
    """The announcement to this seat of a game that begins with this state.

    Raises Malformed if there is no such seat.
    """
    view = state.observe(seat)
    start: Start = state.start
    if isinstance(start, Match):
        return start
    pack = CardSet(start.trick) | start.kitty | CardSet(start.stock)
    for cards in (*start.hands, *(start.taken or ())):
        pack |= cards
    return SeenSetup(
        dealer=start.dealer,
        hand=start.hands[seat],
        held=[len(hand) for hand in start.hands],
        pack=pack,
        deal=start.deal,
        totals=start.totals,
        stock=len(start.stock),
        kitty=len(start.kitty),
        limit_reached=start.limit_reached,
        leads=view.table.leader if view.table and start.leader is None else None,
        leader=start.leader,
        trick=start.trick,
        out=start.out,
        taken=start.taken,
        tricks=start.tricks,
        hearts_broken=start.hearts_broken,
        first_trick=start.first_trick,
    )


@attrs.frozen
class Told:
    """The announcement of an act to one seat: the event, and what is told with it.

    `leader` is the seat that leads first, told with the act after which play begins.
    `received` holds (giver, card) pairs, told with the last pass of a scatter. `totals`
    are told with every act after which the deal is scored. Otherwise each is None. What
    follows from the cards that the seat knows need not be announced; if a moon choice
    may be due instead of the score, to leave the totals out says that it is.
    """

    event: Event
    leader: int | None = attrs.field(default=None, converter=to_seat_or_none)
    received: tuple[tuple[int, Card], ...] | None = attrs.field(
        default=None, converter=_to_givers
    )
    totals: tuple[int, ...] | None = attrs.field(default=None, converter=_to_totals)


def told(state: State, act: Act, seat: SupportsIndex) -> Told:
    """The announcement to this seat that is made if this act is applied now.

    Raises Refused if the act is refused, and Malformed if there is no such seat.
    """
    after = state.apply(act)
    whose = seat_given(seat, state.ruleset.players)
    view = after.observe(whose)
    # Taking back a card after a deal has been scored does not begin play (7.4a).
    dealing = state.phase in ("deal", "pass", "mix") and act.kind != "retract"
    begins = view.table is not None and dealing
    received = view.received if begins and state.phase == "pass" else None
    return Told(
        event_of(act, after.core, whose),
        leader=view.table.leader if begins and view.table else None,
        received=received if after.core.dealt.way == SCATTER else None,
        totals=view.totals if after.score is not None else None,
    )
