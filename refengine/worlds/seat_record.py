"""The record of one seat: everything that a remote player is told of a match."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import SupportsIndex

import attrs

from refengine.chapters.cards import Mask, all_of, cards_in, count
from refengine.chapters.deal import hand_size, kitty_size, stock_size
from refengine.chapters.layout import Piles
from refengine.chapters.table import DEAL, SEAT
from refengine.errors import Malformed, shown
from refengine.game.acts import Cut, to_seat
from refengine.game.observe import Event, View, view_of
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, check_fields_of
from refengine.game.values.cardset import NO_CARDS, WHOLE_PACK
from refengine.game.values.masks import seat_given
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine.machine.core import Core, DealStart
from refengine.machine.judging import cut_breaks, due_breaks
from refengine.machine.opening import match_breaks, open_match
from refengine.machine.stepping import after_cut
from refengine.worlds.announcements import (
    ImpossibleRecord,
    Opening,
    SeenSetup,
    Told,
    check_act,
    check_at_table,
    opening_for,
    told,
)
from refengine.worlds.deal_told import DealBegun, DealTold, deal_told
from refengine.worlds.dealing import PositionFound, before_found
from refengine.worlds.stand_in import StandIn, no_totals, stand_in

__all__ = ["ImpossibleRecord", "SeatRecord", "SeenSetup", "Told", "told"]


def _as_told(one: Told | Event) -> Told:
    if isinstance(one, Event):
        return Told(one)
    if not isinstance(one, Told):
        raise Malformed(shown(one)[:40], "a Told or an Event", "told")
    return one


def _all_told(every: Iterable[Told | Event]) -> tuple[Told, ...]:
    if not isinstance(every, Iterable):
        raise Malformed(shown(every)[:40], "a list of what was told", "told")
    return tuple(map(_as_told, every))


def _to_ruleset(given: object) -> Ruleset:
    if isinstance(given, Ruleset):
        return given
    wanted = "a Ruleset, such as Ruleset('common-hearts')"
    raise Malformed(shown(given)[:40], wanted, "ruleset")


def _to_opening(given: object) -> Opening:
    if isinstance(given, Opening):
        return given
    raise Malformed(shown(given)[:40], "a Match or a SeenSetup", "opening")


@attrs.frozen
class SeatRecord:
    """What one seat has been told of a match, from its opening on.

    `opening` is a `Match`, or a `SeenSetup` for a deal as found or a position. `told`
    holds what was told of every act, in order; a bare `Event` will do for an act
    without an announcement. `after` gives the record with one more act; `view` is what
    the seat knows, and `refengine.worlds.sampling` deals the cards that it does not
    know.
    Raises Malformed if the ruleset, the opening or anything told has the wrong type, or
    if the seat is not at the table.
    """

    ruleset: Ruleset = attrs.field(converter=_to_ruleset)
    seat: int = attrs.field(converter=to_seat)
    opening: Opening = attrs.field(converter=_to_opening)
    told: tuple[Told, ...] = attrs.field(default=(), converter=_all_told)
    _known: DealBegun | None = attrs.field(
        default=None, init=False, eq=False, repr=False
    )

    def __attrs_post_init__(self) -> None:
        seat_given(self.seat, self.ruleset.players)  # raises Malformed for another

    @classmethod
    def of(cls, state: State, seat: SupportsIndex) -> SeatRecord:
        """The record of everything that this seat has been told up to this state.

        Raises Malformed if there is no such seat.
        """
        now = State.open(state.ruleset, state.start)
        whose = seat_given(seat, state.ruleset.players)
        opening = opening_for(now, whose)
        empty = cls(state.ruleset, whose, opening)
        every: list[Told] = []
        known: DealBegun | None = None
        for act in state.acts:
            one = told(now, act, whose)
            if one.event.kind == "deal":
                known = empty._told_so(every, known)._dealt(one)
            every.append(one)
            now = now.apply(act)
        return empty._told_so(every, known)

    def after(self, one: Told | Event) -> SeatRecord:
        """The record after the announcement of one more act.

        What was told up to the latest deal is judged here, which raises whatever `view`
        raises. What was told since is judged when the record is used, for example by
        `view`. Raises Malformed if the next cards are dealt although the totals of the
        deal before, which this seat cannot work out, were not told.
        """
        one = _as_told(one)
        known = self._dealt(one) if one.event.kind == "deal" else self.begun
        return self._told_so((*self.told, one), known)

    def _told_so(self, every: Iterable[Told], known: DealBegun | None) -> SeatRecord:
        """A record of the same seat and opening with these announcements.

        `known` is the beginning of the latest deal, or None. It is not an argument of
        the class, since `attrs.evolve` would copy it even when replacing the fields
        from which it follows.
        """
        record = SeatRecord(self.ruleset, self.seat, self.opening, every)
        object.__setattr__(record, "_known", known)
        return record

    @property
    def view(self) -> View:
        """What the seat knows now, as `State.observe` gives it.

        Raises ImpossibleRecord if no deal fits the record, so far as this can be seen
        without dealing the unseen cards; Malformed if something is needed that was not
        announced, or if the opening does not fit the table; and Refused if a clause
        forbids the match.
        """
        if self.deal is not None and not self.deal.givers_known:
            raise Malformed("no givers", "who gave which card of the scatter", "told")
        return view_of(self.core, self.seat)

    # How the rules see the record: for the modules of this package

    @cached_property
    def begun(self) -> DealBegun | None:
        """The beginning of the latest deal, or None before the first deal."""
        if self._known is not None:
            return self._known
        if isinstance(self.opening, SeenSetup):
            return _begun_of(self.ruleset, self.seat, self.opening)
        record = SeatRecord(self.ruleset, self.seat, self.opening)
        known = None
        for at, one in enumerate(self.told):
            if one.event.kind == "deal":
                known = record._told_so(self.told[:at], known)._dealt(one)
        return known

    @cached_property
    def deal(self) -> DealTold | None:
        """What the seat knows of the latest deal, or None before the first deal."""
        begun = self.begun
        return None if begun is None else deal_told(begun, self.told[begun.at :])

    @cached_property
    def stand_in(self) -> StandIn | None:
        """The deal that stands in for the latest one, or None before the first deal."""
        return None if self.deal is None else stand_in(self.deal)

    @property
    def core(self) -> Core:
        """The match as it is now, with a deal that looks the same to this seat."""
        return self._before_dealing() if self.stand_in is None else self.stand_in.core

    def _before_dealing(self) -> Core:
        """The match before its first deal, which is the same for every seat."""
        assert isinstance(self.opening, Match)
        rules, pack, dealer = self.ruleset.rules, self.opening.pack, self.opening.dealer
        if dealer is not None:
            check_at_table(dealer, self.ruleset.players, "opening")
        if broken := match_breaks(rules, pack.mask):
            raise Refused(broken, "this match", (self.ruleset, self.opening))
        core = open_match(rules, pack.mask, -1 if dealer is None else dealer)
        for at, one in enumerate(self.told):
            act, where = one.event.act, f"told[{at}]"
            check_act(one.event, where)
            if not isinstance(act, Cut):
                raise ImpossibleRecord(one.event.kind, "a cut", where)
            if one.event.hand:
                allowed = "no cards before the deal"
                raise ImpossibleRecord(str(one.event.hand), allowed, where)
            if broken := cut_breaks(core, act.seat, act.card.number):
                raise _broken(broken, at)
            core = after_cut(core, act.seat, act.card.number)
        return core

    def _dealt(self, one: Told) -> DealBegun:
        """The beginning of the next deal, given what this seat is told of it.

        Raises ImpossibleRecord if no deal can begin in this way now, and Malformed if
        the totals of the deal before were not announced.
        """
        blank = self.core
        where = f"told[{len(self.told)}]"
        check_act(one.event, where)
        for seat in (one.event.seat, one.leader or 0):
            check_at_table(seat, self.ruleset.players, where)
        if broken := due_breaks(blank, DEAL, one.event.seat):
            if self.stand_in is not None and self.stand_in.unscored >= 0:
                raise no_totals(self.stand_in.unscored)
            raise _broken(broken, len(self.told))
        rules, pack, hand = blank.rules, blank.pack, one.event.hand.mask
        size = int(hand_size(rules, pack, blank.named))
        if count(hand) != size or hand & ~pack:
            found = str(one.event.hand) or "no cards"
            raise ImpossibleRecord(found, f"{size} cards of the pack", where)
        return DealBegun(
            blank=blank,
            seat=self.seat,
            at=len(self.told) + 1,
            hand=hand,
            held=(size,) * rules.players,
            stock=int(stock_size(rules, pack, size * rules.players)),
            kitty=int(kitty_size(rules, pack, size * rules.players)),
            unseen=Mask(pack & ~hand),
            leads=one.leader,
        )


def checked_record(record: object) -> SeatRecord:
    """The record itself; raises Malformed for anything but a `SeatRecord`."""
    if not isinstance(record, SeatRecord):
        raise Malformed(shown(record)[:40], "a SeatRecord", "record")
    return record


def _broken(broken: tuple[str, ...], at: int) -> ImpossibleRecord:
    found = f"an act that breaks {', '.join(broken)}"
    return ImpossibleRecord(found, "what the book allows", f"told[{at}]")


def _begun_of(ruleset: Ruleset, seat: int, seen: SeenSetup) -> DealBegun:
    """The beginning of a deal or position that was shown to this seat as `seen`.

    Raises Malformed if what was shown contradicts itself or does not fit the table.
    """
    _check_fits(seen, ruleset)
    players = ruleset.players
    taken = tuple(pile.mask for pile in seen.taken or (NO_CARDS,) * players)
    tricks = seen.tricks or (0,) * players
    totals = seen.totals or (0,) * players
    table = tuple(card.number for card in seen.trick)
    known = Mask(seen.hand.mask | cards_in(table) | all_of(taken))
    hidden = sum(seen.held) + seen.stock + seen.kitty - len(seen.hand)
    if (
        len(seen.hand) != seen.held[seat]
        or known & ~seen.pack.mask
        or count(Mask(seen.pack.mask & ~known)) != hidden
    ):
        raise Malformed("other cards", "those of the pack, each once", "opening")
    sheet = DealStart(seen.dealer, seen.deal, totals, seen.limit_reached)
    found = None
    if seen.leader is not None:
        out = sum(SEAT[one] for one in seen.out)
        piles = Piles(taken, tricks, sum(tricks), seen.first_trick)
        found = PositionFound(seen.leader, table, out, piles, seen.hearts_broken)
    return DealBegun(
        blank=before_found(ruleset.rules, seen.pack.mask, sheet),
        seat=seat,
        at=0,
        hand=seen.hand.mask,
        held=seen.held,
        stock=seen.stock,
        kitty=seen.kitty,
        unseen=Mask(seen.pack.mask & ~known),
        leads=seen.leads,
        found=found,
    )


def _check_fits(seen: SeenSetup, ruleset: Ruleset) -> None:
    """Raise Malformed unless what was shown fits the table, leaving aside the cards."""
    players = ruleset.players
    by_seat = (seen.held, seen.taken, seen.tricks, seen.totals)
    for size in [len(one) for one in by_seat if one is not None]:
        if size != players:
            raise Malformed(f"{size}", f"{players}, one for each seat", "opening")
    for one in (seen.dealer, seen.leader or 0, seen.leads or 0, *seen.out):
        if not 0 <= one < players:
            raise Malformed(f"seat {one}", f"a seat from 0 to {players - 1}", "opening")
    tricks = seen.tricks or (0,)
    if min(tricks) < 0 or sum(tricks) > len(WHOLE_PACK):
        raise Malformed(f"{list(tricks)}", "numbers of tricks won", "opening")
    try:
        check_fields_of(seen.with_cards((), (), NO_CARDS), ruleset)
    except Malformed as error:
        raise error.within("opening") from None
