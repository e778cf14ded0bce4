"""What a seat knows and is told, which is only what a player at the table could see.

Clauses 2.7, 2.7a, 2.8.
"""

from __future__ import annotations

import attrs

from refengine.chapters.cards import EMPTY, Mask, count
from refengine.chapters.draw import drawn_now
from refengine.chapters.settings import HOLD, SCATTER
from refengine.chapters.table import PLAYING, SEAT
from refengine.game.acts import Act, Deal, Mix, Pass, Scatter
from refengine.game.tricks import Table, Trick, table_of, tricks_of
from refengine.game.values.cardset import CARDS, Card, CardSet
from refengine.game.values.legal import Due, due_now
from refengine.machine.core import Core
from refengine.machine.due import seats_due, totals_now
from refengine.machine.holdings import hands_now, kitty_now, points_played, stock_now


@attrs.frozen
class View:
    """What one seat knows.

    `held` gives the number of cards in each hand, and `stock` and `kitty` the numbers
    of cards there. `passed` and `received` are sets or, in a scatter, (seat, card)
    pairs; each is None until the seat has passed or received cards in this deal. `drew`
    holds the cards that this seat has drawn in its present turn. `points` does not
    include the kitty. `legal` is None unless it is this seat's turn.
    """

    seat: int
    hand: CardSet
    held: tuple[int, ...]
    stock: int
    kitty: int
    passed: CardSet | tuple[tuple[int, Card], ...] | None
    received: CardSet | tuple[tuple[int, Card], ...] | None
    drew: tuple[Card, ...]
    table: Table | None
    history: tuple[Trick, ...]
    hearts_broken: bool
    points: tuple[int, ...]
    legal: Due | None
    totals: tuple[int, ...]
    cut: tuple[Card | None, ...]


@attrs.frozen
class Event:
    """What one seat is told about an act.

    `kind` and `seat` are those of the act. `act` is the act itself if the seat that is
    told may know all of it, and otherwise None; `hand` is that seat's own hand after
    the act.
    """

    kind: str
    seat: int
    act: Act | None
    hand: CardSet


def view_of(core: Core, seat: int) -> View:
    """What this seat knows in this state.

    Clauses 2.7, 2.7a, 2.7c.
    """
    hands = hands_now(core)
    position = core.position
    in_turn = bool(seats_due(core) & SEAT[seat])
    drew: tuple[int, ...] = ()
    if position is not None and core.phase == PLAYING and position.turn == seat:
        drew = drawn_now(position)
    return View(
        seat=seat,
        hand=CardSet.of_mask(hands[seat]) if hands else CardSet(),
        held=tuple(int(count(hand)) for hand in hands),
        stock=len(stock_now(core)),
        kitty=int(count(kitty_now(core))),
        passed=_passed(core, seat),
        received=_received(core, seat),
        drew=tuple(CARDS[number] for number in drew),
        table=table_of(core),
        history=tricks_of(core),
        hearts_broken=position is not None and position.hearts_broken,
        points=points_played(core),
        legal=due_now(core) if in_turn else None,
        totals=totals_now(core),
        cut=cards_cut(core),
    )


def cards_cut(core: Core) -> tuple[Card | None, ...]:
    """The card each seat cut in the latest round, or None; empty without a cut."""
    return tuple(CARDS[number] if number >= 0 else None for number in core.cut.cards)


def _passed(core: Core, seat: int) -> CardSet | tuple[tuple[int, Card], ...] | None:
    """What this seat passed in this deal; None if it has not passed."""
    packet = core.dealt.packets[seat] if core.dealt.packets else None
    if packet is None:
        return None
    if packet.addressed:
        return tuple(
            (to, CARDS[card]) for to, card in enumerate(packet.addressed) if card >= 0
        )
    return CardSet.of_mask(packet.cards)


def _received(core: Core, seat: int) -> CardSet | tuple[tuple[int, Card], ...] | None:
    """What this seat received in this deal; None before a pass is complete."""
    dealt = core.dealt
    if dealt.way == HOLD or not dealt.received:
        return None
    if dealt.way != SCATTER:
        return CardSet.of_mask(dealt.received[seat])
    return tuple(
        (giver, CARDS[packet.addressed[seat]])
        for giver, packet in enumerate(dealt.packets)
        if packet is not None and giver != seat
    )


def event_of(act: Act, after: Core, seat: int) -> Event:
    """What this seat is told about the act that led to the state `after`.

    Clause 2.8.
    """
    hands = hands_now(after)
    hand = hands[seat] if hands else EMPTY
    public = not isinstance(act, Deal | Pass | Scatter | Mix)
    own = act.seat == seat and isinstance(act, Pass | Scatter)
    return Event(
        kind=act.kind,
        seat=act.seat,
        act=act if public or own else None,
        hand=CardSet.of_mask(Mask(hand)),
    )
