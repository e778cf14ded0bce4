"""Worlds: random deals that agree with everything that one seat has been told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, SupportsIndex

from refengine.chapters.cards import EMPTY, cards_in
from refengine.chapters.settings import MIX
from refengine.chapters.table import MOON_DUE
from refengine.errors import Malformed, how_many
from refengine.game.acts import Act, Mix, Play
from refengine.game.setups import Setup
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.machine.core import Core, DealStart, Past
from refengine.machine.due import dealer_now, number_now, position_of, totals_now
from refengine.machine.random_numbers import Chance
from refengine.worlds.announcements import ImpossibleRecord, SeenSetup
from refengine.worlds.consistency import consistent_places
from refengine.worlds.deal_counts import Counting, in_good_order
from refengine.worlds.dealing import Passing, Scheme, before_found
from refengine.worlds.drawing import Drawing, Group
from refengine.worlds.found_deals import FoundDeal, act_of, setup_of_core
from refengine.worlds.seat_record import SeatRecord, checked_record
from refengine.worlds.stand_in import StandIn

TRIES: Final = 100_000


def worlds(
    record: SeatRecord, number: SupportsIndex, seed: SupportsIndex = 0
) -> list[State]:
    """A list of `number` deals that the record allows, each as likely as any other.

    Each is the state of the deal in progress: a deal as found, or the position with
    which the record opens, followed by the acts since. No other deal follows, and the
    state knows nothing of the cut. The same seed gives the same worlds, compiled or
    interpreted.
    Raises ImpossibleRecord if no deal fits the record, or if none is found in TRIES
    deals; Malformed if no cards have been dealt yet, if something is needed that was
    not announced, if the opening does not fit the table, or if the number or the seed
    is not a whole number, 0 or more; and Refused if a clause forbids the match.
    """
    return Worlds(record).draw(number, seed)


class Worlds:
    """A source of any number of worlds for one record, prepared once for all of them.

    `draw` and `each` draw whole states, and `cores` draws the cores for playouts.
    Raises whatever `worlds` raises.
    """

    def __init__(self, record: SeatRecord) -> None:
        record = checked_record(record)
        deal, shown = record.deal, record.stand_in
        if deal is None or shown is None:
            raise Malformed("no deal", "a record of a deal", "record")
        leader = -1
        if deal.playing and deal.scheme.found is None:
            opening = shown.before[0] if shown.before else shown.core
            leader = int(position_of(opening).leader)  # as `stand_in` has found it
        self.record = record
        self._deal = deal
        self._lies = consistent_places(deal, shown, leader)
        self.drawing = self._drawing(shown, leader)
        self._acts = tuple(one.event.act for one in record.told[deal.where :])
        # If no cards were passed, every world has the same acts.
        self._alike = not deal.scheme.passing.order
        self._past = self._past_of(shown.core) if self._alike else None

    def draw(self, number: SupportsIndex, seed: SupportsIndex = 0) -> list[State]:
        """A list of `number` worlds; see `worlds`."""
        return list(self.each(number, seed))

    def each(self, number: SupportsIndex, seed: SupportsIndex = 0) -> Iterator[State]:
        """The same worlds one by one, for callers that do not need a list of all."""
        for core in self.cores(number, Chance(how_many(seed, "seed"))):
            past = self._past if self._alike else self._past_of(core)
            yield State(self.record.ruleset, self._start(core), core, past)

    def cores(self, number: SupportsIndex, chance: Chance) -> Iterator[Core]:
        """The cores of `number` worlds, drawn one by one.

        Raises ImpossibleRecord if no world is found in TRIES deals, and Malformed if
        `number` is not a whole number, 0 or more.
        """
        for _ in range(how_many(number, "number")):
            core = self.drawing.draw(chance, TRIES)
            if core is None:
                raise ImpossibleRecord(
                    f"no world in {TRIES} deals", "a record that some deal fits"
                )
            yield core

    def _drawing(self, shown: StandIn, leader: int) -> Drawing:
        deal = self._deal
        classes = _classes(self._lies)
        sizes = [len(cards) for cards in classes.values()]
        groups: dict[tuple[bool, ...], list[int]] = {}
        for at, place in enumerate(deal.scheme.places):
            if place.size:
                column = tuple(bool(bits >> at & 1) for bits in classes)
                groups.setdefault(column, []).append(at)
        columns = in_good_order(sizes, list(groups))
        members = [
            Group(groups[one], [int(deal.scheme.places[at].size) for at in groups[one]])
            for one in columns
        ]
        counting = Counting(
            tuple(sizes), tuple(sum(one.sizes) for one in members), tuple(columns)
        )
        if not counting.deals:
            raise ImpossibleRecord("acts that no cards allow", "a deal that fits them")
        masks = [cards_in(tuple(cards)) for cards in classes.values()]
        return Drawing(
            _alone(deal.scheme),
            masks,
            sizes,
            members,
            counting.first,
            leader,
            list(shown.acts),
            shown.core.phase == MOON_DUE,
        )

    def _start(self, core: Core) -> Setup:
        """The deal, or the position, with which a world begins."""
        opening = self.record.opening
        if isinstance(opening, SeenSetup) and opening.leader is not None:
            plain = setup_of_core(core)
            return opening.with_cards(plain.hands, plain.stock, plain.kitty)
        return FoundDeal(core)

    def _past_of(self, core: Core) -> Past | None:
        """The acts since the cards were dealt, in the form that a state keeps.

        The result is None if there were none.
        """
        past: Past | None = None
        for act in (*_passes(core, self._deal.scheme.passing), *self._acts):
            if isinstance(act, Play):
                past = Past(past, None, act.seat * 52 + act.card.number)
            else:
                past = Past(past, act, -1)
        return past


def _classes(lies: dict[int, int]) -> dict[int, list[int]]:
    """The numbers of the unseen cards, grouped by the places where they may lie."""
    classes: dict[int, list[int]] = {}
    for card, bits in lies.items():
        classes.setdefault(bits, []).append(card)
    return classes


def _alone(scheme: Scheme) -> Scheme:
    """The scheme of the same deal as a single deal, which is not part of a match."""
    core = scheme.blank
    if core.single:
        return scheme
    reached = core.sheet.reached if core.result is None else core.result.reached
    sheet = DealStart(dealer_now(core), number_now(core), totals_now(core), reached)
    return Scheme(
        before_found(core.rules, core.pack, sheet),
        scheme.seat,
        scheme.own,
        scheme.dealt,
        scheme.places,
        scheme.stock,
        scheme.passing,
        scheme.found,
    )


def _passes(core: Core, passing: Passing) -> Iterator[Act]:
    """Yield the passes made in a world as acts, and the mix if there was one."""
    dealt = core.dealt
    for seat in passing.order:
        packet = dealt.packets[seat]
        assert packet is not None
        yield act_of(seat, packet)
    if passing.way == MIX and passing.done:
        kitty = position_of(core).talon.kitty if core.rules.mix_kitty else EMPTY
        hands = map(CardSet.of_mask, dealt.received)
        yield Mix(int(dealer_now(core)), hands, CardSet.of_mask(kitty))
