"""Working out from announcements what one seat knows of a deal, and of each card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    cards_in,
    count,
    number_of,
    numbers_of,
)
from refengine.chapters.layout import Packet
from refengine.chapters.passing import (
    addressed_needlessly,
    cards_needed,
    exchange,
    may_not_forward,
    not_dealt,
    pass_of_deal,
    wrong_count,
    wrong_scatter,
)
from refengine.chapters.score import MINUS, PLUS
from refengine.chapters.settings import HOLD, MIX, SCATTER, Rules
from refengine.chapters.table import CLAIM, DRAW, MOON, PLAY, QUIT, RETRACT
from refengine.game.acts import (
    Act,
    Claim,
    Draw,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.values.cardset import CARDS
from refengine.machine.core import Core
from refengine.machine.due import dealer_now, number_now
from refengine.worlds.announcements import (
    ImpossibleRecord,
    Told,
    check_act,
    check_at_table,
)
from refengine.worlds.dealing import (
    BACK,
    DRAWN,
    HAND,
    KITTY,
    REST,
    Passing,
    Place,
    PositionFound,
    Scheme,
)
from refengine.worlds.retelling import Retold, revoke


@attrs.frozen(kw_only=True, eq=False)
class DealBegun:
    """The beginning of a deal as one seat knows it.

    `blank` is the match before the deal; `at` is the number of acts of which the seat
    had been told by then, including the deal. `unseen` holds the cards that the seat
    does not see once it has its own `hand`; `leads` is the seat announced to lead, if
    no cards are passed. `found` is None unless the game begins with a position.
    """

    blank: Core
    seat: int
    at: int
    hand: Mask
    held: tuple[int, ...]
    stock: int
    kitty: int
    unseen: Mask
    leads: int | None
    found: PositionFound | None = None


@attrs.frozen(eq=False)
class DealTold:
    """What one seat knows of a deal from all that it has been told so far.

    `lies` says for each unseen card, by number, in which places of the scheme the card
    may lie, with a bit for each place. Only what was seen of the card itself counts
    there, not what the acts of others show. `acts` are the acts of play; `hands` holds
    the seat's own hand after each. `leader` is the seat announced to lead first, or
    None if none was announced.
    """

    begun: DealBegun
    scheme: Scheme
    acts: tuple[Retold, ...]
    hands: tuple[Mask, ...]
    lies: dict[int, int]
    leader: int | None
    where: int  # the index of the first act of play in what was told

    @property
    def playing(self) -> bool:
        """Whether the deal has come to play, so that no pass or mix is still due."""
        return self.scheme.passing.way == HOLD or self.scheme.passing.done

    @property
    def givers_known(self) -> bool:
        """Whether it is known who gave which card in a complete scatter.

        True if there is no such scatter.
        """
        passing = self.scheme.passing
        known = len(self.begun.held) == 2 or bool(passing.givers)
        return passing.way != SCATTER or not passing.done or known


def places_before(scheme: Scheme, seat: int, act: int) -> int:
    """The places of the cards that this seat may hold before this act, as bits.

    `act` is the index of an act of play.
    """
    return sum(
        1 << at
        for at, place in enumerate(scheme.places)
        if place.seat == seat and place.since < act
    )


def deal_told(begun: DealBegun, told: Sequence[Told]) -> DealTold:
    """What one seat knows of a deal from the announcements since the cards were dealt.

    Raises ImpossibleRecord if these cannot be true of any deal.
    """
    return _Reader(begun, told).read()


class _Reader:
    """Reads the announcements about one deal, act by act."""

    def __init__(self, begun: DealBegun, told: Sequence[Told]) -> None:
        self.begun = begun
        self.told = told
        self.rules: Rules = begun.blank.rules
        self.way = HOLD
        if begun.found is None:
            self.way = int(pass_of_deal(self.rules, number_now(begun.blank)))
        self.at = 0  # the index of what is being read
        self.first = 0  # the index at which play begins
        self.hand = begun.hand  # the seat's own hand before what is being read
        self.own = begun.hand  # the hand with which the seat begins play
        self.leader = begun.leads
        self.order: list[int] = []
        self.forwarded: list[int] = []
        self.packet: Packet | None = None
        self.received = EMPTY
        self.givers: tuple[int, ...] = ()
        self.playing = self.way == HOLD
        self.acts: list[Retold] = []
        self.hands: list[Mask] = []
        self.drawn: list[tuple[int, int, int]] = []  # seat, act, own card or -1

    def read(self) -> DealTold:
        for at, one in enumerate(self.told):
            self.at = at
            check_act(one.event, self._where())
            hand = one.event.hand.mask
            if self.playing:
                self._act(one, hand)
            elif len(self.order) < self.rules.players:
                self._pass(one, hand)
            else:
                self._mix(one, hand)
            self.hand = hand
            self.first = self.first if self.acts else self.at + 1
        scheme = self._scheme()
        return DealTold(
            self.begun,
            scheme,
            tuple(self.acts),
            tuple(self.hands),
            self._lies(scheme),
            self.leader,
            self.begun.at + self.first,
        )

    def _where(self) -> str:
        return f"told[{self.begun.at + self.at}]"

    def _fail(self, found: str, allowed: str) -> ImpossibleRecord:
        return ImpossibleRecord(found, allowed, self._where())

    def _check_seat(self, seat: int) -> None:
        """Raise ImpossibleRecord if the seat is not at the table."""
        check_at_table(seat, int(self.rules.players), self._where())

    # The pass

    def _pass(self, one: Told, hand: Mask) -> None:
        event = one.event
        seat = event.seat
        self._check_seat(seat)
        if event.kind not in self._kinds_of_pass() or seat in self.order:
            kinds = " or ".join(self._kinds_of_pass())
            allowed = f"{kinds} by a seat that has not passed yet"
            raise self._fail(f"{event.kind} by seat {seat}", allowed)
        self.order.append(seat)
        if event.kind == "forward":
            self.forwarded.append(seat)
        if seat == self.begun.seat:
            self.packet = self._own_packet(event.act)
            if broken := self._broken(self.packet):
                found = f"a pass that breaks {', '.join(broken)}"
                raise self._fail(found, "what the book allows")
        complete = len(self.order) == self.rules.players
        expected = self.hand
        if complete and self.way == MIX:
            expected = Mask(expected & ~self._given())
        elif complete:
            expected = hand  # only this hand shows what the seat received
            self._take_up(one, hand, Mask(self.hand & ~self._given()))
        if hand != expected:
            raise self._fail("another hand", "the hand that the seat holds")

    def _kinds_of_pass(self) -> tuple[str, ...]:
        """The kinds of pass that are allowed in this deal (4.6a, 4.6b, 4.9)."""
        kind = "scatter" if self.way == SCATTER else "pass"
        if may_not_forward(self.rules, self.way):
            return (kind,)
        return (kind, "forward")

    def _broken(self, packet: Packet) -> list[str]:
        """The clauses that forbid this seat to pass this packet."""
        rules, way = self.rules, self.way
        if packet.unseen:
            return []
        judged = {
            "4.4": wrong_count(rules, way, packet),
            "4.5": not_dealt(self.begun.hand, packet),
            "4.6a": wrong_scatter(way, self.begun.seat, packet),
            "4.6b": addressed_needlessly(way, packet),
        }
        return [clause for clause, broken in judged.items() if broken]

    def _own_packet(self, act: Act | None) -> Packet:
        match act:
            case Pass(_, cards):
                packet = Packet(cards.mask, (), False)
            case Scatter(_, pairs):
                addressed = [-1] * self.rules.players
                for to, card in pairs:
                    self._check_seat(to)
                    addressed[to] = card.number
                numbers = tuple(card.number for _, card in pairs)
                packet = Packet(cards_in(numbers), tuple(addressed), False)
            case PassUnseen():
                packet = Packet(EMPTY, (), True)
            case _:
                raise self._fail("no cards", "what the seat itself passed")
        return packet

    def _given(self) -> Mask:
        return EMPTY if self.packet is None else self.packet.cards

    def _mix(self, one: Told, hand: Mask) -> None:
        dealer = int(dealer_now(self.begun.blank))
        if (one.event.kind, one.event.seat) != ("mix", dealer):
            found = f"{one.event.kind} by seat {one.event.seat}"
            raise self._fail(found, f"a mix by seat {dealer}, the dealer")
        self._take_up(one, hand, self.hand)

    def _take_up(self, one: Told, hand: Mask, kept: Mask) -> None:
        """Store the seat's own hand as play begins, and what is announced then.

        `kept` holds the cards that the seat did not give away.
        """
        self.received = Mask(hand & ~kept)
        size = self.begun.held[self.begun.seat]
        if kept & ~hand or count(hand) != size:
            raise self._fail("another hand", f"{size} cards, and those not given away")
        given = self._given()
        if given and self.way != MIX and self.received & given != self._comes_back():
            allowed = "a hand without the cards passed to others"
            raise self._fail("another hand", allowed)
        self.own = hand
        if one.leader is not None:
            self._check_seat(one.leader)
        self.leader = one.leader
        self.playing = True
        if self.way == SCATTER and one.received is not None:
            givers = [-1] * self.rules.players
            for giver, card in one.received:
                self._check_seat(giver)
                givers[giver] = card.number
            cards = cards_in(tuple(card.number for _, card in one.received))
            others = {*range(self.rules.players)} - {self.begun.seat}
            givers_told = sorted(giver for giver, _ in one.received)
            if givers_told != sorted(others) or cards != self.received:
                allowed = "one card from each of the others, now in the hand"
                raise self._fail("other cards received", allowed)
            self.givers = tuple(givers)

    def _comes_back(self) -> Mask:
        """The cards that this seat passed and gets back (4.9a), if any."""
        seat = self.begun.seat
        packets = [
            self.packet
            if other == seat and self.packet is not None
            else Packet(EMPTY, (), other in self.forwarded)
            for other in range(self.rules.players)
        ]
        return exchange(self.way, tuple(packets))[seat]

    # The play

    def _act(self, one: Told, hand: Mask) -> None:
        event = one.event
        act = event.act
        seat = event.seat
        self._check_seat(seat)
        kind, card, trick = self._numbers(act)
        if kind == DRAW:
            self._draw(seat, Mask(hand & ~self.hand))
        if kind == RETRACT:
            self._mark_revoke(seat, card)
        totals = one.totals or ()
        self.acts.append(Retold(kind, seat, card, trick, False, totals))
        self.hands.append(hand)

    def _numbers(self, act: Act | None) -> tuple[int, int, int]:
        """Three numbers for an act of play: its kind, its card and its trick.

        The card of a claim is the seat accused, and that of a moon choice is the
        choice.
        """
        match act:
            case Play(_, card):
                return PLAY, card.number, 0
            case Draw():
                return DRAW, 0, 0
            case Retract(_, card):
                return RETRACT, card.number, 0
            case QuitTrick():
                return QUIT, 0, 0
            case Claim(_, against, trick):
                return CLAIM, against, trick
            case MoonChoice(_, choice):
                named = {"self_minus": MINUS, "others_plus": PLUS}
                if isinstance(choice, int):
                    self._check_seat(choice)
                return MOON, named.get(choice, choice), 0  # type: ignore[arg-type]  # a number otherwise
            case _:
                raise self._fail("no act of play", "an act of play, told in full")

    def _draw(self, seat: int, new: Mask) -> None:
        card = -1
        if seat == self.begun.seat:
            if count(new) != 1:
                raise self._fail(f"{count(new)} new cards", "the one card drawn")
            card = int(number_of(new))
        if len(self.drawn) == self.begun.stock:
            raise self._fail("a draw", "none from an empty stock")
        self.drawn.append((seat, len(self.acts), card))

    def _mark_revoke(self, seat: int, card: int) -> None:
        """Mark the play of a card as a revoke, since the card has been taken back."""
        for at in reversed(range(len(self.acts))):
            act = self.acts[at]
            if (act.kind, act.seat, act.card) == (PLAY, seat, card):
                self.acts[at] = revoke(act)
                return
        raise self._fail("a card taken back", "a card that was played")

    # What follows

    def _scheme(self) -> Scheme:
        begun = self.begun
        places: list[Place] = []
        back = 0
        if self.playing and self.way == MIX:
            back = int(cards_needed(self.rules, MIX))
        for seat, size in enumerate(begun.held):
            if seat == begun.seat:
                continue
            places.append(Place(HAND, seat, size - back, -1, -1))
            if back:
                places.append(Place(BACK, seat, back, -1, -1))
        stock = [-1] * begun.stock
        for depth, (seat, act, card) in enumerate(self.drawn):
            if seat == begun.seat:
                stock[depth] = card
            else:
                places.append(Place(DRAWN, seat, 1, act, depth))
        places.append(Place(REST, -1, begun.stock - len(self.drawn), -1, -1))
        places.append(Place(KITTY, -1, begun.kitty, -1, -1))
        passing = Passing(
            self.way,
            tuple(self.order),
            tuple(self.forwarded),
            self.packet,
            self.received,
            self.givers,
            self.playing,
        )
        return Scheme(
            begun.blank,
            begun.seat,
            self.own,
            begun.hand,
            tuple(places),
            tuple(stock),
            passing,
            begun.found,
        )

    def _lies(self, scheme: Scheme) -> dict[int, int]:
        """Where each card may lie that this seat neither drew nor had when play began.

        Each card number is mapped to the possible places, with a bit for each. During
        the pass, the hand as dealt counts instead of that when play began. Only what
        was seen of the card itself counts: how it was passed and played. Raises
        ImpossibleRecord if a card is played that cannot have been hidden.
        """
        hidden = Mask((self.begun.unseen | self.begun.hand) & ~self.own)
        hidden = Mask(hidden & ~cards_in(tuple(c for _, _, c in self.drawn if c >= 0)))
        everywhere = 2 ** len(scheme.places) - 1
        lies = {int(number): everywhere for number in numbers_of(hidden)}
        for card, held in self._passed_on(scheme):
            if card in lies:
                lies[card] &= held
        for at, act in enumerate(self.acts):
            if act.kind != PLAY or act.seat == self.begun.seat:
                continue
            card, seat = int(act.card), int(act.seat)
            if card not in lies:
                self.at = self.first + at
                raise self._fail(f"{CARDS[card]} by seat {seat}", "a card not seen yet")
            lies[card] &= places_before(scheme, seat, at)
        return lies

    def _passed_on(self, scheme: Scheme) -> Iterator[tuple[int, int]]:
        """Yield each card that this seat passed, with its possible places as bits.

        Nothing is yielded until the pass, or the mix, is complete.
        """
        if self.packet is None or not self.playing:
            return
        for number in numbers_of(self.packet.cards):
            held = 0
            for at, place in enumerate(scheme.places):
                if self.way == MIX:
                    kitty = place.kind == KITTY and self.rules.mix_kitty
                    may = place.kind == BACK or kitty
                elif place.kind != HAND:
                    may = False
                elif self.way == SCATTER:
                    may = self.packet.addressed[place.seat] == number
                else:
                    may = self.begun.seat in scheme.givers_to[place.seat]
                held |= may << at
            yield int(number), held
