"""Find every deal that fits a record by trying all deals, to check `Worlds` with.

The code of `refengine.worlds` decides nothing here. Each way to deal the cards that the
seat did not see is opened as a setup, each way in which others may have passed or mixed
is tried, and every act is applied. A deal fits if the seat would then have been told
exactly what it was told.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import factorial, sqrt
from typing import NamedTuple, TypeVar

import attrs

from refengine import (
    Act,
    Card,
    CardSet,
    Deal,
    Mix,
    Pass,
    Refused,
    Scatter,
    SeatRecord,
    SeenSetup,
    Setup,
    State,
    Told,
)
from refengine.worlds.announcements import told

T = TypeVar("T")


class World(NamedTuple):
    """A possible deal and all its acts, by which worlds are told apart."""

    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    kitty: CardSet
    acts: tuple[Act, ...]


def every_world(record: SeatRecord, real: State, silent: bool = False) -> set[World]:
    """The worlds that fit a seat's record of the deal in progress in this state.

    From the state only public facts are used: sizes, dealer and totals. If `silent` is
    true, the record may lack announcements, and each one that it lacks may be any.
    """
    start, acts = beginning(real)
    seat = record.seat
    lines = record.told[len(record.told) - len(acts) :]
    leader = leader_announced(record, len(acts))
    found: set[World] = set()
    for setup in deals(start, seat):
        try:
            begun = State.open(record.ruleset, setup)
        except Refused:  # a position in which another seat would have led
            continue
        if begun.table is not None and leader not in (None, begun.table.leader):
            continue
        for state in retold(begun, seat, lines, silent):
            found.add(key(state))
    return found


def leader_announced(record: SeatRecord, acts: int) -> int | None:
    """The seat announced to lead in a deal that begins with its play, or None."""
    if isinstance(record.opening, SeenSetup):
        return record.opening.leads
    return record.told[len(record.told) - acts - 1].leader


def ways_to_deal(state: State, seat: int) -> int:
    """The number of ways to deal and pass to be tried; a mix counts as 100 ways."""
    start, acts = beginning(state)
    others = [hand for other, hand in enumerate(start.hands) if other != seat]
    hidden = sum(map(len, others)) + len(start.stock) + len(start.kitty)
    ways = factorial(hidden) // factorial(len(start.kitty))
    for hand in others:
        ways //= factorial(len(hand))
    now = State.open(state.ruleset, start)
    for act in acts:
        if isinstance(act, Mix):
            ways *= 100
        elif isinstance(act, Pass | Scatter) and act.seat != seat:
            ways *= now.legal.due.ways
        now = now.apply(act)
    return ways


def beginning(state: State) -> tuple[Setup, tuple[Act, ...]]:
    """The deal in progress as a setup, followed by the acts since it was dealt."""
    if isinstance(state.start, Setup):
        return state.start, state.acts
    at = max(at for at, act in enumerate(state.acts) if isinstance(act, Deal))
    dealt = State.open(state.ruleset, state.start).after(*state.acts[: at + 1])
    setup = Setup(
        dealer=dealt.dealer,
        deal=dealt.deal,
        totals=dealt.totals,
        hands=dealt.hands,
        stock=dealt.stock,
        kitty=dealt.kitty,
        limit_reached=dealt.core.sheet.reached and dealt.core.rules.ties_played_on,
    )
    return setup, state.acts[at + 1 :]


def key(state: State) -> World:
    """The world of a state whose game begins with a setup."""
    start = state.start
    assert isinstance(start, Setup)
    return World(start.hands, start.stock, start.kitty, state.acts)


def deals(start: Setup, seat: int) -> Iterator[Setup]:
    """The setup with the cards hidden from this seat dealt in every possible way."""
    hidden = start.kitty | CardSet(start.stock)
    for other, hand in enumerate(start.hands):
        if other != seat:
            hidden |= hand
    sizes = [len(hand) for other, hand in enumerate(start.hands) if other != seat]
    for *others, kitty, rest in piles(hidden, [*sizes, len(start.kitty)]):
        hands = list(others)
        hands.insert(seat, start.hands[seat])
        for stock in permutations(rest):
            yield attrs.evolve(start, hands=hands, kitty=kitty, stock=stock)


def piles(cards: CardSet, sizes: Sequence[int]) -> Iterator[tuple[CardSet, ...]]:
    """Every way to make piles of these sizes; the last one gets all remaining cards."""
    if not sizes:
        yield (cards,)
        return
    for some in combinations(cards, sizes[0]):
        pile = CardSet(some)
        for more in piles(cards - pile, sizes[1:]):
            yield (pile, *more)


def retold(
    state: State, seat: int, lines: Sequence[Told], silent: bool
) -> Iterator[State]:
    """The states after each series of acts of which the seat is told these lines."""
    if not lines:
        yield state
        return
    line, *more = lines
    for act in acts_behind(state, line):
        try:
            again = told(state, act, seat)
        except Refused:
            continue
        if again == line or (silent and same(again, line)):
            yield from retold(state.apply(act), seat, more, silent)


def same(one: Told, line: Told) -> bool:
    """Whether two lines agree, apart from announcements that `line` lacks."""
    return (
        one.event == line.event
        and line.leader in (None, one.leader)
        and line.received in (None, one.received)
        and line.totals in (None, one.totals)
    )


def acts_behind(state: State, line: Told) -> Iterator[Act]:
    """The acts about which a seat may be told this line."""
    event = line.event
    if event.act is not None:
        yield event.act
    elif event.kind == "mix":
        yield from mixes(state, event.seat)
    else:
        for act in state.legal:
            if (act.kind, act.seat) == (event.kind, event.seat):
                yield act


def mixes(state: State, seat: int) -> Iterator[Act]:
    """Every way to deal back the cards of a mix."""
    pile = CardSet()
    sizes = []
    for packet in state.core.dealt.packets:
        assert packet is not None
        pile |= CardSet.of_mask(packet.cards)
        sizes.append(len(CardSet.of_mask(packet.cards)))
    if state.ruleset.rules.mix_kitty:
        pile |= state.kitty
    for *hands, kitty in piles(pile, sizes):
        yield Mix(seat, hands, kitty)


def too_uneven(counts: Counter[T], every: set[T]) -> float:
    """How far the counts exceed what chance allows once in ten thousand times.

    This is Pearson's statistic over its limit by Wilson and Hilferty (1931). It is
    at most 1 if the worlds counted may well be equally likely.
    """
    if len(every) < 2:
        return 0.0
    expected = counts.total() / len(every)
    statistic = sum((counts[one] - expected) ** 2 / expected for one in every)
    freedom = len(every) - 1
    share = 2 / (9 * freedom)
    return statistic / (freedom * (1 - share + 3.719 * sqrt(share)) ** 3)
