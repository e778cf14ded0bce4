"""Turning a game that was played into a record such as people would write."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import attrs

from refengine.chapters.passing import cycle_at_table, pass_of_deal
from refengine.errors import harmless
from refengine.formats.positions import write_position
from refengine.formats.trace import Trace, applied, opened
from refengine.formats.written.written_match import (
    DIRECTIONS,
    DealSoFar,
    Happened,
    Laid,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
    as_title,
)
from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    QuitTrick,
    Retract,
    Scatter,
)
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CardSet
from refengine.game.values.state import State
from refengine.game.verdicts import Irregular, Refused
from refengine.lawbook.options import PASSES

_WORDS: Final = {entry: word for word, entry in PASSES.items()}
assert {*_WORDS.values()} == {*DIRECTIONS}


@attrs.define
class _Deal(DealSoFar):
    """A deal that is being turned into a record, and the trick on the table."""

    cards: list[Laid] = attrs.field(factory=list)
    leader: int | None = None
    goes_on: bool = False
    drawn: dict[int, int] = attrs.field(factory=dict)

    def laid(self, act: Play, revoke: bool) -> None:
        """Add a card to the trick, with the number of cards that its seat has drawn."""
        if not self.cards and not self.goes_on:
            self.leader = act.seat
        drew = self.drawn.pop(act.seat, 0)
        self.cards.append(Laid(card=act.card, drew=drew, revoke=revoke))

    def put_down(self, winner: int | None) -> None:
        """Move the cards on the table, if there are any, to the record as a trick."""
        if self.cards:
            leader = None if self.goes_on else self.leader
            self.course.append(
                WrittenTrick(
                    cards=tuple(self.cards),
                    leader=leader,
                    winner=winner,
                    goes_on=self.goes_on,
                )
            )
        self.cards = []
        self.goes_on = False

    def happened(self, act: Happened, goes_on: bool) -> None:
        """Record an act on a line of its own, even in the middle of a trick.

        `goes_on` says whether there are still cards on the table after the act.
        """
        self.put_down(None)
        self.draws()
        self.course.append(act)
        self.goes_on = goes_on

    def draws(self) -> None:
        """Record the draws of each seat that has not played since it drew."""
        for seat, number in self.drawn.items():
            self.course += [Draw(seat)] * number
        self.drawn = {}

    def written(self, players: int) -> WrittenDeal:
        """The deal as a `WrittenDeal`."""
        self.put_down(None)
        self.draws()
        return super().written(players)


def written_game(state: State, acts: Iterable[Act], name: str = "") -> WrittenMatch:
    """The record of the game that begins with `state` and goes on with these acts.

    `state` is the first state of its game. An act that is refused ends the game, and is
    noted in a remark.
    """
    ruleset, start = state.ruleset, state.start
    cuts: list[Cut] = []
    deals: list[_Deal] = []
    remarks: list[str] = []
    if isinstance(start, Setup):
        deals.append(_first(state, start))
    for act in acts:
        verdict = state.verdict(act)
        if isinstance(verdict, Refused):
            where = deals[-1].remarks if deals else remarks
            where.append(harmless(f"refused: {verdict}"))
            break
        before, state = state, applied(state, act, verdict)
        if isinstance(act, Cut):
            cuts.append(act)
            continue
        if isinstance(act, Deal):
            deals.append(_begun(state))
            continue
        deal = deals[-1]
        _noted(deal, act, isinstance(verdict, Irregular), state)
        if before.phase in ("pass", "mix") and state.phase == "play":
            deal.held = dict(enumerate(state.hands))
        scored = state.score is not None  # None again if a card is taken back
        deal.score = state.score or ()
        deal.totals = state.totals if scored else ()
        deal.winners = tuple(sorted(state.winners or ())) if scored else ()
    return WrittenMatch(
        name=name,
        ruleset=ruleset,
        players=ruleset.players,
        begins=isinstance(start, Match),
        dealer=start.dealer if isinstance(start, Match) else None,
        pack=start.pack if isinstance(start, Match) else CardSet(),
        cuts=tuple(cuts),
        deals=tuple(one.written(ruleset.players) for one in deals),
        remarks=tuple(remarks),
    )


def written_trace(trace: Trace) -> WrittenMatch:
    """The game of a trace as it would be written down.

    Raises Malformed if a seat is not at the table or the game cannot begin.
    """
    acts = [step.act for step in trace.steps]
    state = opened(trace.ruleset, trace.start)
    return written_game(state, acts, title_of(trace.name) or trace.id)


def title_of(name: str) -> str:
    """A name as the title of a record: 200 characters at most, no sign of a remark."""
    return as_title(harmless(name, 200))


def _first(state: State, setup: Setup) -> _Deal:
    """The record of a deal with which a game begins, perhaps in the middle of play."""
    if setup.leader is not None:
        return _Deal(
            number=state.deal,
            dealer=state.dealer,
            position=write_position(state),
            goes_on=bool(setup.trick),
        )
    deal = _begun(state)
    deal.before = setup.totals or ()
    deal.reached = setup.limit_reached
    return deal


def _begun(state: State) -> _Deal:
    """The record of a deal at its start, with hands, dealer and direction."""
    rules = state.core.rules
    way = int(pass_of_deal(rules, state.deal))
    direction = _WORDS[way] if cycle_at_table(rules) else ""
    deal = _Deal(number=state.deal, dealer=state.dealer, direction=direction)
    deal.dealt = dict(enumerate(state.hands))
    deal.stock = tuple(state.stock)
    deal.kitty = state.kitty or None
    return deal


def _noted(deal: _Deal, act: Act, revoke: bool, now: State) -> None:
    """Add an act to the record of its deal; `now` is the state after it."""
    match act:
        case Play():
            deal.laid(act, revoke)
            if now.completed is not None:
                deal.put_down(now.completed.winner)
        case Draw(seat):
            deal.drawn[seat] = deal.drawn.get(seat, 0) + 1
        case Pass() | Scatter() | PassUnseen():
            deal.passes.append(act)
        case Mix():
            deal.mixed = True
        case _:
            assert isinstance(act, Retract | Claim | QuitTrick | MoonChoice)
            deal.happened(act, now.table is not None and bool(now.table.cards))
