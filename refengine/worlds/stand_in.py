"""Deals that a seat cannot tell from the real one, used in place of it.

In such a stand-in, every card that was seen lies where it was seen; the others lie
anywhere. So the seat's view of the stand-in is its view of the real deal, and the
engine can work it out. What acts show about cards that were not played is ignored here.
"""

from __future__ import annotations

from typing import Final

import attrs

from refengine.chapters.cards import (
    EMPTY,
    Mask,
    all_of,
    card_at,
    cards_in,
    count,
    numbers_of,
    penalty_cards,
)
from refengine.chapters.deal import empty_hand, unequal_hands
from refengine.chapters.layout import Position
from refengine.chapters.match import limit_is_reached, match_is_over
from refengine.chapters.passing import hand_too_small
from refengine.chapters.play import opening_leader
from refengine.chapters.revoke import revokers
from refengine.chapters.score import UNSETTLED, Haul, moon_choices, moon_shooter
from refengine.chapters.table import (
    CLAIM,
    DEALING,
    DRAW,
    MOON,
    MOON_DUE,
    OVER,
    PLAY,
)
from refengine.errors import Malformed
from refengine.machine.altered import at_position
from refengine.machine.core import Core, Result
from refengine.machine.due import number_now, position_of
from refengine.machine.ending import hauls
from refengine.machine.holdings import hands_now, stock_now
from refengine.machine.judging import due_breaks
from refengine.machine.opening import misplaced_talon, setup_breaks
from refengine.machine.random_numbers import Chance
from refengine.worlds.announcements import ImpossibleRecord
from refengine.worlds.deal_told import DealTold
from refengine.worlds.dealing import BACK
from refengine.worlds.retelling import (
    Retold,
    accepted,
    after_act,
    breaks,
    ended,
    revoke,
    scored_so,
)

LEADER: Final = "3.12v"  # it depends on cards that are not seen


@attrs.frozen(eq=False)
class StandIn:
    """The states of the stand-in: one before each act of play, and one after the last.

    `acts` are the acts of its play; a play that a claim or a retraction has shown to be
    a revoke is marked as one. `unscored` is the index, in all that was told, of an act
    without totals after which a moon choice is taken to be due, although this seat does
    not see whether it is; it is -1 if there is no such act.
    """

    core: Core
    before: tuple[Core, ...]
    acts: tuple[Retold, ...]
    unscored: int


def stand_in(deal: DealTold) -> StandIn:
    """The states of a deal that stands in for the one of which a seat was told.

    Raises ImpossibleRecord if everybody at the table could see that the deal cannot be
    as told, or if the seat's own cards forbid one of its acts, and Malformed if
    something that is needed was not announced.
    """
    lies = placed(deal)
    opening = _opened(deal, lies)
    if deal.playing and deal.scheme.found is None:
        opening = led_by(opening, announced_leader(deal, opening))
    acts = list(deal.acts)
    while True:
        shown = _Retelling(deal, acts, opening)
        if shown.claimed < 0:
            before = tuple(shown.before)
            return StandIn(shown.core, before, tuple(acts), shown.unscored)
        acts[shown.claimed] = revoke(acts[shown.claimed])


def _opened(deal: DealTold, lies: list[Mask]) -> Core:
    """The state of the stand-in when it begins, with these cards in the places.

    Raises ImpossibleRecord if the book forbids it.
    """
    broken = deal.scheme.position_broken(lies) or _too_small_to_pass(deal)
    if set(broken) <= {LEADER}:
        opening = deal.scheme.begun(lies, Chance(0))
        if opening.single and deal.scheme.found is None:
            dealt, number = opening.dealt, opening.sheet.number
            broken = setup_breaks(
                opening.rules, dealt.hands, dealt.stock, dealt.kitty, number
            )
        if set(broken) <= {LEADER}:
            return opening
    wrong = f"a beginning that breaks {', '.join(broken)}"
    raise ImpossibleRecord(wrong, "what the book allows", "opening")


def _too_small_to_pass(deal: DealTold) -> tuple[str, ...]:
    """The clauses that forbid a deal in which some hand is too small for the pass.

    If the deal breaks 3.12d, 3.12e, 3.12g or 3.12h, that takes precedence over the hand
    being too small (4.11). Any other deal is judged once the cards have been dealt.
    """
    begun = deal.begun
    rules, held = begun.blank.rules, begun.held
    number = number_now(begun.blank)
    if deal.scheme.found or not hand_too_small(rules, number, min(held)):
        return ()
    hands = tuple(Mask((1 << size) - 1) for size in held)
    kitty = Mask((1 << begun.kitty) - 1)
    judged = {"3.12d": unequal_hands(hands), "3.12e": empty_hand(hands)}
    broken = tuple(clause for clause, failed in judged.items() if failed)
    broken += misplaced_talon(rules, deal.scheme.stock, kitty)
    return broken or ("4.11",)


def placed(deal: DealTold) -> list[Mask]:
    """The cards in each place, chosen so that every card is where it may lie.

    Only what was seen of the card itself limits where it may lie. Raises
    ImpossibleRecord if they cannot all lie in such places.
    """
    places = deal.scheme.places
    lies: list[list[int]] = [[] for _ in places]
    if sum(int(place.size) for place in places) != len(deal.lies):
        raise ImpossibleRecord(
            "more or fewer cards", "as many as the hands, the stock and the kitty hold"
        )
    # Cards with few places come first, so that few have to be moved later.
    for card in sorted(deal.lies, key=lambda card: deal.lies[card].bit_count()):
        if not _put(deal, card, lies, set()):
            raise ImpossibleRecord(
                "cards seen where they cannot all have been", "a deal that fits"
            )
    return [Mask(sum(1 << card for card in cards)) for cards in lies]


def _put(deal: DealTold, card: int, lies: list[list[int]], tried: set[int]) -> bool:
    """Put a card in a place, moving other cards if necessary.

    Returns whether this was possible. `tried` holds the places already tried.
    """
    places = deal.scheme.places
    bits = deal.lies[card]
    may = [at for at in range(len(places)) if bits >> at & 1 and at not in tried]
    for at in may:
        if len(lies[at]) < places[at].size:
            lies[at].append(card)
            return True
    for at in may:
        tried.add(at)
        for other in list(lies[at]):
            if _put(deal, other, lies, tried):
                lies[at].remove(other)
                lies[at].append(card)
                return True
    return False


# The opening leader


def announced_leader(deal: DealTold, opening: Core) -> int:
    """The seat that leads first.

    The leader need not be announced once it has acted, or if what this seat knows shows
    which seat it is. Raises Malformed if the leader was not announced and neither
    condition holds, and ImpossibleRecord if this seat can see that another seat leads.
    """
    leaders = possible_leaders(deal, opening)
    said, where = deal.leader, f"told[{deal.where - 1}]" if deal.where else "opening"
    if said is None and deal.acts:
        said, where = int(deal.acts[0].seat), f"told[{deal.where}]"
    if said is None:
        if len(leaders) > 1:
            wanted = "the seat that leads first, as announced"
            raise Malformed("no leader", wanted, "told")
        return leaders.pop()
    if said not in leaders:
        may = " or ".join(map(str, sorted(leaders)))
        raise ImpossibleRecord(f"a first lead by seat {said}", f"by seat {may}", where)
    return said


def possible_leaders(deal: DealTold, opening: Core) -> set[int]:
    """The seats that may lead first, as far as this seat knows.

    Each seat in succession is given every card that it may hold. Cards that it cannot
    hold, but that some hand must hold, are given to other seats. If the seat may lead
    at all, the engine then has it lead.
    """
    rules, dealer = opening.rules, opening.sheet.dealer
    own = {card: {int(deal.scheme.seat)} for card in numbers_of(deal.scheme.own)}
    may, must = own.copy(), own.copy()
    for card, bits in deal.lies.items():
        places = [
            place
            for at, place in enumerate(deal.scheme.places)
            if bits >> at & 1 and place.size
        ]
        may[card] = {int(place.seat) for place in places if place.kind <= BACK}
        if all(place.kind <= BACK for place in places):
            must[card] = may[card]
    leaders: set[int] = set()
    for seat in range(rules.players):
        hands = [EMPTY for _ in range(rules.players)]
        for card, seats in may.items():
            if seat in seats:
                hands[seat] = Mask(hands[seat] | card_at(card))
            elif card in must:
                holder = min(seats)
                hands[holder] = Mask(hands[holder] | card_at(card))
        if opening_leader(rules, tuple(hands), dealer) == seat:
            leaders.add(seat)
    return leaders


def led_by(core: Core, leader: int) -> Core:
    """A copy of the match before the opening lead in which this seat is to lead."""
    before = position_of(core)
    position = Position(
        hands=before.hands,
        talon=before.talon,
        piles=before.piles,
        played=before.played,
        led=before.led,
        table=before.table,
        best=before.best,
        winner=leader,
        leader=leader,
        turn=leader,
        hand=before.hands[leader].cards,
        drew=before.drew,
        out=before.out,
        hearts_broken=before.hearts_broken,
        empty=before.empty,
    )
    return at_position(core, position)


# The acts


def no_totals(told: int) -> Malformed:
    """The error to raise if totals that are needed were not told with this act."""
    return Malformed("no totals", "the totals, as announced", f"told[{told}]")


class _Retelling:
    """The acts of a deal replayed in its stand-in, with the state before each.

    `claimed` is the index of a play that a claim shows to be a revoke but that is not
    yet marked as one, so that the acts must be replayed once more. It is -1 if there is
    no such play. `unscored` is that of the `StandIn`.
    """

    def __init__(self, deal: DealTold, acts: list[Retold], opening: Core) -> None:
        self.deal = deal
        self.acts = acts
        self.seat = int(deal.scheme.seat)
        self.core = opening
        self.before: list[Core] = []
        self.tricks: dict[tuple[int, int], int] = {}  # (seat, trick): latest play
        self.claimed = -1
        self.unscored = -1
        for at, act in enumerate(acts):
            self.before.append(self.core)
            if act.kind == CLAIM and not self._is_marked(at, act):
                return
            self._check(at, act)
            self.core = after_act(self.core, act, act.revoked)
            self.core = self._settled(at, act)
            if hands_now(self.core)[self.seat] != deal.hands[at]:
                raise self._fail(at, "another hand", "the hand that the seat holds")

    def _fail(self, at: int, found: str, allowed: str) -> ImpossibleRecord:
        return ImpossibleRecord(found, allowed, f"told[{self.deal.where + at}]")

    def _is_marked(self, at: int, act: Retold) -> bool:
        """Whether the play that this claim is about is marked as a revoke.

        If it is not, `claimed` is set to its index. Raises ImpossibleRecord if the seat
        accused has not played to that trick.
        """
        play = self.tricks.get((int(act.card), int(act.trick)), -1)
        if play < 0:
            raise self._fail(at, "a claim", "one of a play to that trick")
        if not self.acts[play].revoked:
            self.claimed = play
        return self.claimed < 0

    def _check(self, at: int, act: Retold) -> None:
        """Raise ImpossibleRecord if this seat can see that the act was not allowed.

        The seat can always see it for its own acts, but for the acts of others only if
        their cards make no difference.
        """
        core = self.core
        broken = due_breaks(core, act.kind, act.seat)
        if act.kind == PLAY and not broken:
            position = position_of(core)
            trick = int(position.piles.done) + 1
            self.tricks[int(act.seat), trick] = at
            if card_at(act.card) & position.played:
                broken = ("5.7",)
        elif act.kind != DRAW and not broken:
            broken = breaks(core, act)
        own = act.seat == self.seat and act.kind in (PLAY, DRAW)
        if not broken and own and not accepted(core, act):
            broken = breaks(core, act)
            if not broken:
                raise self._fail(at, "no revoke", "the revoke that came out")
        if broken:
            wrong = f"an act that breaks {', '.join(broken)}"
            raise self._fail(at, wrong, "what the book allows")

    # The end of play

    def _settled(self, at: int, act: Retold) -> Core:
        """The match after an act, with the announced totals where they are needed.

        They are needed if the score depends on cards that this seat does not see.
        Raises ImpossibleRecord for totals that this seat can see to be impossible, and
        Malformed if they are needed but missing.
        """
        core = self.core
        result = core.result
        may_end = act.kind in (PLAY, MOON, CLAIM)
        if may_end or result is None:
            self.unscored = -1
        if result is None or result.by_claim or not self._is_open():
            if act.totals and not scored_so(core, act.totals):
                raise self._fail(at, f"totals {list(act.totals)}", "those of the deal")
            return core
        own_moon = core.phase == MOON_DUE and result.shooter == self.seat
        if act.totals:
            found = f"totals {list(act.totals)}"
            if len(act.totals) != core.rules.players:
                raise self._fail(at, found, "one for each seat")
            if own_moon:
                raise self._fail(at, found, "none before the moon is settled")
            return _scored(core, act.totals)
        return core if own_moon or not may_end else self._moon_is_due(at)

    def _is_open(self) -> bool:
        """Whether the score depends on cards that this seat does not see.

        Such cards are in the hand of the survivor and in a stock that nobody takes.
        """
        held = [
            hand for seat, hand in enumerate(hands_now(self.core)) if seat != self.seat
        ]
        return any(held) and bool(stock_now(self.core))

    def _moon_is_due(self, at: int) -> Core:
        """The match in a state in which a shooter has yet to choose.

        That is what it means if no totals were announced. The shooter is the seat that
        chooses later, or else one that may have shot the moon. Raises Malformed if no
        choice can be due, so that the announced totals are needed.
        """
        core = self.core
        where = self.deal.where + at
        chosen = [int(act.seat) for act in self.acts[at + 1 :] if act.kind == MOON]
        shooter = chosen[0] if chosen else self._possible_shooter()
        choices = moon_choices(core.rules, shooter) if shooter >= 0 else ()
        if self.acts[at].kind == MOON or not choices:
            raise no_totals(where)
        self.unscored = where
        result = Result(
            shooter=shooter,
            settled=UNSETTLED,
            score=(),
            totals=(),
            reached=False,
            over=False,
            stock_to=-1,
            by_claim=False,
        )
        return ended(core, MOON_DUE, result)

    def _possible_shooter(self) -> int:
        """Another seat that may have shot the moon, or -1 if none can have.

        A hand that was left is given as many as it can hold of the cards in other hands
        and in the stock, those that a moon needs first, even cards that this seat knows
        to be elsewhere.
        """
        core = self.core
        costly, bonus = penalty_cards(core.rules), core.rules.bonus_card
        hands = hands_now(core)
        others = [hand for seat, hand in enumerate(hands) if seat != self.seat]
        hidden = Mask(all_of(tuple(others)) | cards_in(stock_now(core)))
        first = numbers_of(Mask(hidden & costly)), numbers_of(Mask(hidden & bonus))
        unseen = tuple(dict.fromkeys((*first[0], *first[1], *numbers_of(hidden))))
        held: list[Haul] = []
        for seat, haul in enumerate(hauls(core.rules, position_of(core), -1)):
            size = 0 if seat == self.seat else count(hands[seat])
            given = cards_in(unseen[:size])
            held.append(Haul(Mask(haul.cards & ~hidden | given), haul.tricks))
        barred = (self.seat, *revokers(core.record.revokes))
        return int(moon_shooter(core.rules, core.pack, tuple(held), barred))


def _scored(core: Core, totals: tuple[int, ...]) -> Core:
    """A copy of the match in which the deal is scored and leads to these totals."""
    rules, sheet = core.rules, core.sheet
    reached = limit_is_reached(rules, totals, sheet.reached)
    over = match_is_over(rules, totals, reached, sheet.number)
    score = tuple(
        after - before for after, before in zip(totals, sheet.totals, strict=True)
    )
    result = Result(
        shooter=-1,
        settled=UNSETTLED,
        score=score,
        totals=totals,
        reached=reached,
        over=over,
        stock_to=-1,
        by_claim=False,
    )
    return ended(core, OVER if over or core.single else DEALING, result)
