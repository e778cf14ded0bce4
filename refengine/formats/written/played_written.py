"""Replaying a written game, to turn what somebody wrote down into a trace.

What the record says about winners, scores and totals becomes what the trace expects.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from refengine.chapters.match import new_totals
from refengine.chapters.settings import STOCK
from refengine.errors import Malformed
from refengine.formats.fields import trick_fields
from refengine.formats.positions import read_position
from refengine.formats.trace import Step, Trace, applied, opened, write_trace
from refengine.formats.written.completing_written import PartKnown
from refengine.formats.written.turns_written import in_turn, passed_by_seat
from refengine.formats.written.written_match import (
    Laid,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
)
from refengine.game.acts import Act, Deal, Draw, Mix, Play
from refengine.game.setups import Match, Setup, Start
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused

GoOn = Callable[[State, Act], State | None]
"""A function that gives the state after a refused act, or None to stop the game."""


def start_written(match: WrittenMatch) -> Start:
    """How the game begins: as a match, with a single deal, or with a position.

    Raises Malformed if that is not written down, or if deals follow a position: a game
    that begins with a position ends with its deal.
    """
    first = match.deals[0] if match.deals else WrittenDeal()
    if first.position:
        if len(match.deals) > 1:
            allowed = "none: a game that begins with a position ends with its deal"
            raise Malformed("another deal", allowed, "deals[1]")
        start = read_position(first.position).start
        assert isinstance(start, Setup)
        return start
    if match.begins or len(match.deals) != 1:
        dealer = (
            first.dealer if match.dealer is None and not match.cuts else match.dealer
        )
        return Match(dealer, match.pack)
    if first.dealer is None:
        raise Malformed("no dealer", "dealer: and who dealt", "deals[0]")
    return Setup(
        dealer=first.dealer,
        deal=first.number or 1,
        hands=_hands(first, "deals[0]"),
        stock=first.stock,
        kitty=first.kitty or CardSet(),
        totals=first.before or None,
        limit_reached=first.reached,
    )


def trace_written(match: WrittenMatch, go_on: GoOn | None = None) -> Trace:
    """The game as a trace, with the winners, scores and totals that are written down.

    A revoke that the rules accept is marked as one. An act that they refuse is the last
    step, unless `go_on` says how the game goes on. Raises Malformed if rules, hands or
    cards are not written down.
    """
    if match.ruleset is None:
        raise Malformed("no rules", "rules: a profile, and how many players", "rules")
    start = start_written(match)
    table = _Table(opened(match.ruleset, start), go_on)
    for act in match.cuts:
        table.make(act)
    for place, deal in enumerate(match.deals):
        table.deal(deal, f"deals[{place}]", isinstance(start, Match))
    return Trace(
        ruleset=match.ruleset,
        start=_with_totals(start, match, table.state),
        steps=tuple(table.steps),
        name=match.name,
    )


def _with_totals(start: Start, match: WrittenMatch, end: State) -> Start:
    """Return the start with the totals before the deal, if they can be inferred.

    They are the totals after the deal, less its score, if the rules lead from them to
    those totals. Otherwise, `start` is returned as it is.
    """
    if not isinstance(start, Setup) or start.totals is not None or start.deal == 1:
        return start
    [deal] = match.deals
    if not deal.totals or end.score is None:
        return start
    pairs = zip(deal.totals, end.score, strict=True)
    before = tuple(total - more for total, more in pairs)
    if new_totals(end.core.rules, before, end.score) != deal.totals:
        return start
    return attrs.evolve(start, totals=before)


@attrs.define
class _Table:
    """The replay of a record: the current state, and the steps of the trace so far."""

    state: State
    go_on: GoOn | None
    steps: list[Step] = attrs.field(factory=list)
    stopped: bool = False

    def make(self, act: Act) -> None:
        """Add an act to the trace and apply it, unless the replay has stopped."""
        if self.stopped:
            return
        verdict = self.state.verdict(act)
        breaks = verdict.clauses if isinstance(verdict, Irregular) else ()
        self.steps.append(Step(act, breaks=breaks))
        if not isinstance(verdict, Refused):
            self.state = applied(self.state, act, verdict)
            return
        after = None if self.go_on is None else self.go_on(self.state, act)
        self.stopped = after is None
        self.state = after or self.state

    def expect(self, what: str, said: object) -> None:
        """Make the last step expect that the field `what` then has the value `said`."""
        if self.steps and not self.stopped:
            last = self.steps[-1]
            self.steps[-1] = attrs.evolve(last, then={**last.then, what: said})

    def deal(self, deal: WrittenDeal, where: str, whole: bool) -> None:
        """Play a deal, beginning with the act of dealing if the match is `whole`."""
        if self.stopped:
            return
        if whole:
            for cut in deal.cuts:
                self.make(cut)
            seat = self.state.seat_in_turn
            dealer = seat if deal.dealer is None else deal.dealer
            kitty = deal.kitty or CardSet()
            self.make(Deal(dealer, _hands(deal, where), deal.stock, kitty))
        for act in deal.passes:
            self.make(act)
        if deal.mixed and not self.stopped:
            self.make(_mix(self.state, deal, where))
        for number, one in enumerate(deal.course):
            if isinstance(one, WrittenTrick):
                self.trick(one, f"{where}.course[{number}]")
            else:
                self.make(one)
        if deal.score:
            self.expect("score", list(deal.score))
        if deal.totals:
            self.expect("totals", list(deal.totals))
        if deal.winners:
            self.expect("match", {"over": True, "winners": list(deal.winners)})

    def trick(self, trick: WrittenTrick, where: str) -> None:
        """Play a trick as written, and expect the winner that the record names."""
        cards = trick.cards
        own = {one.seat for one in cards}
        if None not in own and len(own) == len(cards) and not trick.goes_on:
            leader = self.state.seat_in_turn
            cards = tuple(one for _, one in in_turn(self.state.ruleset, trick, leader))
        for place, laid in enumerate(cards):
            if place == 0 and trick.leader is not None and laid.seat is None:
                laid = attrs.evolve(laid, seat=trick.leader)
            self.lay(laid, where)
        done = self.state.completed
        if trick.winner is not None and done is not None:
            self.expect("trick", {**trick_fields(done), "winner": trick.winner})

    def lay(self, laid: Laid, where: str) -> None:
        """Make the draws before a card and play it, by the seat whose card it is.

        If the record does not name the seat, it is the one whose turn it is. Raises
        Malformed, with the place `where`, if the card is not known.
        """
        if self.stopped:
            return
        if laid.card is None:
            raise Malformed("a card that nobody wrote down", "every card", where)
        seat = self.state.seat_in_turn if laid.seat is None else laid.seat
        for _ in range(laid.drew):
            self.make(Draw(seat))
        self.make(Play(seat, laid.card))


def _hands(deal: WrittenDeal, where: str) -> tuple[CardSet, ...]:
    """The hands as they were dealt; raises Malformed if one is not written down."""
    found = [hand for hand in deal.dealt if hand is not None]
    if not found or len(found) < len(deal.dealt):
        raise Malformed("a hand that nobody wrote down", "each hand", where)
    return tuple(found)


def _mix(state: State, deal: WrittenDeal, where: str) -> Mix:
    """The mix of a deal, inferred from the hands before and after it.

    Each seat was given the cards that it held afterwards and had not kept. Raises
    Malformed if one of these hands is not written down.
    """
    if not deal.held or None in deal.held:
        raise Malformed("no hands after the mix", "held: and each hand", where)
    passed = passed_by_seat(deal)
    held = [hand or CardSet() for hand in deal.held]
    back = tuple(
        hand - (dealt - passed.get(seat, CardSet()))
        for seat, (hand, dealt) in enumerate(
            zip(held, _hands(deal, where), strict=True)
        )
    )
    kitty = CardSet()
    if state.core.rules.mix_kitty:
        for cards in (deal.kitty or kitty, *passed.values()):
            kitty |= cards
        for cards in back:
            kitty -= cards
    return Mix(state.seat_in_turn, back, kitty)


def is_one_match(match: WrittenMatch) -> bool:
    """Whether the deals are numbered from 1 on, and all their cards can be played.

    A deal that is known only from a position on is always a game of its own.
    """
    numbers = [one.number for one in match.deals]
    if numbers != list(range(1, len(numbers) + 1)):
        return False
    if any(one.position for one in match.deals):
        return False
    return _plays_all(trace_written(match), match)


def _plays_all(trace: Trace, match: WrittenMatch) -> bool:
    """Whether the trace has at least as many plays as the record shows cards."""
    plays = sum(isinstance(step.act, Play) for step in trace.steps)
    # Not `deal.tricks`, where cards that were played and taken back are missing
    course = [one for deal in match.deals for one in deal.course]
    return plays >= sum(
        len(one.cards) for one in course if isinstance(one, WrittenTrick)
    )


def part_of(match: WrittenMatch, trace: Trace) -> PartKnown | None:
    """The only deal of a match, if its replay stopped before the last written card.

    Such a deal can still be judged play by play, since all its cards are known. The
    result is None for any other match. It is also None if the ruleset has a stock, if
    the match begins with this deal, if the deal is a position without hands, or if an
    act before the first play is refused.
    """
    if trace.ruleset.rules.undealt == STOCK:
        return None
    if len(match.deals) != 1 or match.begins:
        return None
    [deal] = match.deals
    if deal.position and not deal.held:
        return None
    if _plays_all(trace, match):
        return None
    state = opened(trace.ruleset, trace.start)
    for step in trace.steps:
        if state.phase == "play":
            break
        verdict = state.verdict(step.act)
        if isinstance(verdict, Refused):
            return None
        state = applied(state, step.act, verdict)
    held = attrs.evolve(deal, held=state.hands)
    leader = state.seat_in_turn
    missing = Malformed("a game that cannot go on", "a game to its end", "deals[0]")
    return PartKnown(
        attrs.evolve(match, deals=(held,)), leader, missing, (), write_trace(trace)
    )
