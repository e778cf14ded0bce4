"""Random legal acts from a given generator, the same on every platform.

Only the generator's `random()` is used: it is the only method of `random.Random` whose
results Python promises to keep the same from version to version.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TypeVar

from refengine.chapters.cards import count
from refengine.chapters.deal import hand_size, stock_size
from refengine.chapters.passing import cards_needed, mix_pile
from refengine.chapters.settings import SCATTER
from refengine.chapters.table import CUTTING, DEALING, MIXING, MOON_DUE, PASSING
from refengine.game.acts import (
    Act,
    Cut,
    Deal,
    Draw,
    Mix,
    MoonChoice,
    Pass,
    PassUnseen,
    Play,
    Scatter,
)
from refengine.game.values.cardset import CardSet
from refengine.game.values.legal import Due
from refengine.machine.core import Core
from refengine.machine.due import left_to_cut
from refengine.machine.judging import packets_of

T = TypeVar("T")


def chosen(items: Sequence[T], rng: Random) -> T:
    """One of the items, each equally likely."""
    return items[int(rng.random() * len(items))]


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """The items, such as the cards of a set, in random order."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        place = int(rng.random() * (last + 1))
        order[last], order[place] = order[place], order[last]
    return order


def random_deal(core: Core, seat: int, rng: Random) -> Deal:
    """A random deal of the match's pack, with the sizes that chapter 3 requires."""
    rules = core.rules
    order = shuffled(CardSet.of_mask(core.pack), rng)
    size = int(hand_size(rules, core.pack, core.named))
    dealt = size * rules.players
    hands = [CardSet(order[at : at + size]) for at in range(0, dealt, size)]
    rest = order[dealt:]
    stock = stock_size(rules, core.pack, dealt)
    return Deal(seat, hands, rest[:stock], CardSet(rest[stock:]))


def random_mix(core: Core, seat: int, rng: Random) -> Mix:
    """A random redeal of the pile of cards in a mix."""
    packets = packets_of(core)
    kitty = core.dealt.kitty
    order = shuffled(CardSet.of_mask(mix_pile(core.rules, packets, kitty)), rng)
    hands = []
    for packet in packets:
        size = int(count(packet.cards))
        hands.append(CardSet(order[:size]))
        order = order[size:]
    return Mix(seat, hands, CardSet(order))


def random_pass(core: Core, seat: int, due: Due, rng: Random) -> Act:
    """A random pass of the seat's own cards or, if allowed, sometimes an unseen one."""
    if due.forward and rng.random() < 0.25:
        return PassUnseen(seat)
    order = shuffled(CardSet.of_mask(core.dealt.hands[seat]), rng)
    size = int(cards_needed(core.rules, core.dealt.way))
    if core.dealt.way == SCATTER:
        others = [other for other in range(core.rules.players) if other != seat]
        return Scatter(seat, dict(zip(others, order[:size], strict=True)))
    return Pass(seat, CardSet(order[:size]))


def random_act(core: Core, due: Due, rng: Random) -> Act:
    """A random legal act of the first seat that is to act; an act must be due."""
    seat = due.turn[0]
    if core.phase == CUTTING:
        left = CardSet.of_mask(left_to_cut(core))
        return Cut(seat, chosen(list(left), rng))
    if core.phase == DEALING:
        return random_deal(core, seat, rng)
    if core.phase == PASSING:
        return random_pass(core, seat, due, rng)
    if core.phase == MIXING:
        return random_mix(core, seat, rng)
    if core.phase == MOON_DUE:
        return MoonChoice(seat, chosen(due.choices, rng))
    if due.kind == "draw":
        return Draw(seat)
    return Play(seat, chosen(list(due.cards), rng))
