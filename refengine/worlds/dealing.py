"""Reconstructing a deal from the places of its cards, back to the hands as dealt.

Places say where the cards lie: in the hands with which play begins, among the cards
that others drew from the stock, in the rest of the stock, or in the kitty. What others
passed and what a mix moved are then chosen, every possibility being equally likely.
"""

from typing import Final, final

from mypy_extensions import i64

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    all_of,
    card_at,
    count,
    number_of,
    numbers_of,
)
from refengine.chapters.layout import Packet, Piles
from refengine.chapters.passing import cards_needed, exchange
from refengine.chapters.settings import HOLD, MIX, SCATTER, Rules
from refengine.chapters.table import DEALING
from refengine.machine.core import NO_CUT, NO_RECORD, NOTHING_DEALT, Core, DealStart
from refengine.machine.found_position import position_breaks
from refengine.machine.opening import misplaced_talon, open_position
from refengine.machine.random_numbers import Chance, shuffled_numbers, some_of
from refengine.machine.stepping import after_deal, after_mix, after_pass
from refengine.sealing import seal

# kinds of place
HAND: Final = 0  # in a mix, what a hand kept
BACK: Final = 1  # what a hand got back from a mix
DRAWN: Final = 2  # a card of the stock that a seat drew
REST: Final = 3  # the part of the stock that nobody drew
KITTY: Final = 4


@final
class Place:
    """A place where cards lie that a seat does not see, such as another hand.

    `size` is the number of cards there. `seat` is the seat that holds them, or -1 if no
    seat does; `since` is the index of the act that brought them there, or -1 if they
    were there when play began. `depth` is the index in the stock of a card drawn from
    it, or -1 for other cards.
    """

    def __init__(self, kind: i64, seat: i64, size: i64, since: i64, depth: i64) -> None:
        self.kind: Final = kind
        self.seat: Final = seat
        self.size: Final = size
        self.since: Final = since
        self.depth: Final = depth


seal(Place)


@final
class Passing:
    """What a seat knows about the pass of a deal.

    `way` is the kind of pass, or HOLD if nothing is passed; `order` holds the seats
    that have passed, in the order in which they passed, and `unseen` the seats that
    passed cards on unseen. `packet` is what this seat passed, or None if it has not
    passed yet. `received` holds the cards from others or from the mix that this seat
    has picked up. `givers` holds the card that each seat gave it in a scatter, or -1
    for none, and is empty if the givers were not announced. `done` says whether every
    seat has what it is to get.
    """

    def __init__(
        self,
        way: i64,
        order: tuple[int, ...],
        unseen: tuple[int, ...],
        packet: Packet | None,
        received: Mask,
        givers: tuple[int, ...],
        done: bool,
    ) -> None:
        self.way: Final = way
        self.order: Final = order
        self.unseen: Final = unseen
        self.packet: Final = packet
        self.received: Final = received
        self.givers: Final = givers
        self.done: Final = done


seal(Passing)


@final
class PositionFound:
    """What is stated about a position that is not stated about a deal as it begins."""

    def __init__(
        self,
        leader: i64,
        table: tuple[int, ...],
        out: i64,
        piles: Piles,
        hearts_broken: bool,
    ) -> None:
        self.leader: Final = leader
        self.table: Final = table
        self.out: Final = out
        self.piles: Final = piles
        self.hearts_broken: Final = hearts_broken


seal(PositionFound)


def before_found(rules: Rules, pack: Mask, sheet: DealStart) -> Core:
    """The state just before a deal with this pack, which does not belong to a match."""
    return Core(
        rules=rules,
        pack=pack,
        named=True,
        single=True,
        phase=DEALING,
        cut=NO_CUT,
        sheet=sheet,
        dealt=NOTHING_DEALT,
        position=None,
        record=NO_RECORD,
        result=None,
    )


@final
class Scheme:
    """A deal as one seat knows it, without the cards that lie in the places.

    `blank` is the match before the deal; `own` holds the cards with which this seat
    began play (until then, its hand as dealt), and `dealt` is its hand as dealt.
    `stock` holds the number of each card of the stock, or -1 for a card that this seat
    does not know. `found` is None unless the deal is a position, in which nothing is
    passed.
    """

    def __init__(
        self,
        blank: Core,
        seat: i64,
        own: Mask,
        dealt: Mask,
        places: tuple[Place, ...],
        stock: tuple[int, ...],
        passing: Passing,
        found: PositionFound | None,
    ) -> None:
        self.blank: Final = blank
        self.seat: Final = seat
        self.own: Final = own
        self.dealt: Final = dealt
        self.places: Final = places
        self.stock: Final = stock
        self.passing: Final = passing
        self.found: Final = found
        self.givers_to: Final = givers_to(blank.rules, passing)

    def begun(self, lies: list[Mask], chance: Chance) -> Core:
        """The match before the first act of play, with these cards in the places.

        What this seat does not know of the stock and the pass is chosen at random.
        """
        hands = self.hands(lies)
        kitty = EMPTY
        for at, place in enumerate(self.places):
            if place.kind == KITTY:
                kitty = lies[at]
        stock = self.stock
        if stock:
            stock = self._stock(lies, chance)
        found = self.found
        if found is not None:
            return open_position(
                self.blank.rules,
                sheet=self.blank.sheet,
                hands=tuple(hands),
                stock=stock,
                kitty=kitty,
                leader=found.leader,
                table=found.table,
                out=found.out,
                piles=found.piles,
                hearts_broken=found.hearts_broken,
            )
        way = self.passing.way
        if way == HOLD:
            return after_deal(self.blank, tuple(hands), stock, kitty)
        if not self.passing.done:
            return self._still_passing(hands, stock, kitty, chance)
        if way == MIX:
            return self._mixed(hands, lies, stock, kitty, chance)
        return self._passed(hands, stock, kitty, chance)

    def hands(self, lies: list[Mask]) -> list[Mask]:
        """The hands when play began or, during the pass, as they were dealt."""
        hands = [EMPTY for _ in range(self.blank.rules.players)]
        hands[self.seat] = self.own
        for at, place in enumerate(self.places):
            if place.kind <= BACK:
                hands[place.seat] = Mask(hands[place.seat] | lies[at])
        return hands

    def position_broken(self, lies: list[Mask]) -> tuple[str, ...]:
        """The clauses that forbid the position with these cards in the places."""
        found = self.found
        if found is None:
            return ()
        kitty = EMPTY
        for at, place in enumerate(self.places):
            if place.kind == KITTY:
                kitty = lies[at]
        rules = self.blank.rules
        return misplaced_talon(rules, self.stock, kitty) or position_breaks(
            rules,
            dealer=self.blank.sheet.dealer,
            hands=tuple(self.hands(lies)),
            stock=(),  # not needed: no card can be in two places
            kitty=kitty,
            leader=found.leader,
            table=found.table,
            out=found.out,
            piles=found.piles,
            hearts_broken=found.hearts_broken,
        )

    def _stock(self, lies: list[Mask], chance: Chance) -> tuple[int, ...]:
        stock = list(self.stock)
        drawn: i64 = 0
        rest: list[int] = []
        for at, place in enumerate(self.places):
            if place.kind == DRAWN:
                stock[place.depth] = int(number_of(lies[at]))
            elif place.kind == REST:
                rest = shuffled_numbers(lies[at], chance)
        drawn = len(stock) - len(rest)
        for number in rest:
            stock[drawn] = number
            drawn += 1
        return tuple(stock)

    def _still_passing(
        self,
        hands: list[Mask],
        stock: tuple[int, ...],
        kitty: Mask,
        chance: Chance,
    ) -> Core:
        """The match during the pass, in which packets not known are drawn at random."""
        core = after_deal(self.blank, tuple(hands), stock, kitty)
        rules = core.rules
        passing = self.passing
        needed = cards_needed(rules, passing.way)
        for seat in passing.order:
            if seat == self.seat:
                assert passing.packet is not None
                packet = passing.packet
            elif seat in passing.unseen:
                packet = Packet(EMPTY, (), True)
            else:
                hand = hands[seat]
                given = some_of(hand, needed, count(hand), chance)
                packet = packet_of(rules, passing.way, seat, given, chance)
            core = after_pass(core, seat, packet)
        return core

    def _passed(
        self,
        hands: list[Mask],
        stock: tuple[int, ...],
        kitty: Mask,
        chance: Chance,
    ) -> Core:
        """The match after the pass, given the hands with which play begins.

        What is not known of the packets is drawn from the hands that received them.
        """
        rules = self.blank.rules
        passing = self.passing
        players = rules.players
        given = [EMPTY for _ in range(players)]
        taken = [EMPTY for _ in range(players)]
        addressed: list[list[int]] = []
        if passing.way == SCATTER:
            addressed = [[-1] * players for _ in range(players)]
        for to in range(players):
            for giver, card in self._received(to, hands[to], chance):
                given[giver] = Mask(given[giver] | card)
                taken[to] = Mask(taken[to] | card)
                if addressed:
                    addressed[giver][to] = int(number_of(card))
        dealt: list[Mask] = []
        for seat in range(players):
            dealt.append(Mask(hands[seat] & ~taken[seat] | given[seat]))
        core = after_deal(self.blank, tuple(dealt), stock, kitty)
        for seat in passing.order:
            scattered = tuple(addressed[seat]) if addressed else ()
            unseen = seat in passing.unseen
            core = after_pass(core, seat, Packet(given[seat], scattered, unseen))
        return core

    def _received(self, to: i64, hand: Mask, chance: Chance) -> list[tuple[int, Mask]]:
        """What seat `to` was passed, as pairs of the giver and the cards.

        `hand` is the hand with which that seat began play.
        """
        passing = self.passing
        givers = self.givers_to[to]
        if passing.way != SCATTER:
            found: list[tuple[int, Mask]] = []
            for giver in givers:
                if to == self.seat:
                    packet = passing.received
                elif giver == self.seat:
                    assert passing.packet is not None
                    packet = passing.packet.cards
                else:
                    needed = cards_needed(self.blank.rules, passing.way)
                    packet = some_of(hand, needed, count(hand), chance)
                found.append((giver, packet))
            return found
        return self._scattered(to, hand, givers, chance)

    def _scattered(
        self, to: i64, hand: Mask, givers: tuple[int, ...], chance: Chance
    ) -> list[tuple[int, Mask]]:
        passing = self.passing
        found: list[tuple[int, Mask]] = []
        if to == self.seat and passing.givers:
            for giver in givers:
                found.append((giver, card_at(passing.givers[giver])))
            return found
        others = list(givers)
        left = passing.received if to == self.seat else hand
        if to != self.seat:
            assert passing.packet is not None
            mine = card_at(passing.packet.addressed[to])
            found.append((int(self.seat), mine))
            others.remove(int(self.seat))
            left = Mask(left & ~mine)
        for giver in others:
            card = some_of(left, 1, count(left), chance)
            found.append((giver, card))
            left = Mask(left & ~card)
        return found

    def _mixed(
        self,
        hands: list[Mask],
        lies: list[Mask],
        stock: tuple[int, ...],
        kitty: Mask,
        chance: Chance,
    ) -> Core:
        """The match after a mix, where what others gave to it is chosen at random."""
        rules = self.blank.rules
        passing = self.passing
        assert passing.packet is not None
        backs = [passing.received for _ in hands]
        for at, place in enumerate(self.places):
            if place.kind == BACK:
                backs[place.seat] = lies[at]
        pile = Mask(all_of(tuple(backs)) & ~passing.packet.cards)
        old_kitty = kitty
        if rules.mix_kitty:
            pile = Mask((pile | kitty) & ~passing.packet.cards)
            old_kitty = EMPTY
        left = count(pile)
        needed = cards_needed(rules, MIX)
        packets = [passing.packet for _ in hands]
        dealt = [self.dealt for _ in hands]
        for seat in passing.order:
            if seat == self.seat:
                continue
            given = some_of(pile, needed, left, chance)
            pile = Mask(pile & ~given)
            left -= needed
            packets[seat] = Packet(given, (), False)
            dealt[seat] = Mask(hands[seat] & ~backs[seat] | given)
        new_kitty = kitty if rules.mix_kitty else EMPTY
        core = after_deal(self.blank, tuple(dealt), stock, Mask(old_kitty | pile))
        for seat in passing.order:
            core = after_pass(core, seat, packets[seat])
        return after_mix(core, tuple(backs), new_kitty)


seal(
    Scheme,
    "blank",
    "seat",
    "own",
    "dealt",
    "places",
    "stock",
    "passing",
    "found",
    "givers_to",
)


def givers_to(rules: Rules, passing: Passing) -> tuple[tuple[int, ...], ...]:
    """For each seat, the seats whose passed cards end up in its hand.

    The result is empty unless cards are passed from seat to seat. It is found by giving
    the rules packets of one card each, the number of the card being the giver's seat.
    """
    players = rules.players
    if passing.way == HOLD or passing.way == MIX:
        return ()
    if passing.way == SCATTER:
        return tuple(
            [
                tuple([giver for giver in range(players) if giver != to])
                for to in range(players)
            ]
        )
    packets = tuple(
        [
            Packet(
                EMPTY if seat in passing.unseen else card_at(seat),
                (),
                seat in passing.unseen,
            )
            for seat in range(players)
        ]
    )
    return tuple([tuple(numbers_of(got)) for got in exchange(passing.way, packets)])


def packet_of(rules: Rules, way: i64, seat: i64, given: Mask, chance: Chance) -> Packet:
    """A packet of these cards from this seat, with random receivers in a scatter."""
    if way != SCATTER:
        return Packet(given, (), False)
    numbers = shuffled_numbers(given, chance)
    addressed: list[int] = []
    for to in range(rules.players):
        addressed.append(-1 if to == seat else numbers.pop())
    return Packet(given, tuple(addressed), False)
