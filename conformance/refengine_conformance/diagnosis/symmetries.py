"""Makes equivalent games, with other cards or with everybody in another seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import attrs

from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    Deal,
    Mix,
    MoonChoice,
    Pass,
    Play,
    Retract,
    Scatter,
)
from refengine.game.setups import Setup
from refengine.game.values.cardset import Card, CardSet
from refengine_conformance.diagnosis.bare_games import BareGame

T = TypeVar("T")


@attrs.frozen
class _Exchange:
    """An exchange of cards for one another, in which no two become the same card."""

    to: Mapping[Card, Card]

    def card(self, card: Card) -> Card:
        """The card that takes the place of this one."""
        return self.to.get(card, card)

    def row(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """A sequence of cards after the exchange."""
        return tuple(map(self.card, cards))

    def pile(self, cards: CardSet) -> CardSet:
        """A set of cards after the exchange."""
        return CardSet(map(self.card, cards))

    def piles(self, sets: tuple[CardSet, ...]) -> tuple[CardSet, ...]:
        """Several sets of cards after the exchange."""
        return tuple(map(self.pile, sets))

    def act(self, act: Act) -> Act:
        """An act after the exchange of the cards that it names."""
        match act:
            case Play(seat, card):
                return Play(seat, self.card(card))
            case Retract(seat, card):
                return Retract(seat, self.card(card))
            case Cut(seat, card):
                return Cut(seat, self.card(card))
            case Pass(seat, cards):
                return Pass(seat, self.pile(cards))
            case Scatter(seat, pairs):
                return Scatter(seat, {to: self.card(card) for to, card in pairs})
            case Mix(seat, hands, kitty):
                return Mix(seat, self.piles(hands), self.pile(kitty))
            case Deal(seat, hands, stock, kitty):
                return Deal(seat, self.piles(hands), self.row(stock), self.pile(kitty))
            case _:
                return act


def with_cards_exchanged(game: BareGame, to: Mapping[Card, Card]) -> BareGame:
    """The same game after an exchange of cards; it must begin with a setup.

    `to` maps cards to those that replace them, and no two to the same card. Cards that
    it does not contain stay as they are.
    """
    start = game.start
    assert isinstance(start, Setup)
    exchange = _Exchange(to)
    start = attrs.evolve(
        start,
        hands=exchange.piles(start.hands),
        stock=exchange.row(start.stock),
        kitty=exchange.pile(start.kitty),
        trick=exchange.row(start.trick),
        taken=None if start.taken is None else exchange.piles(start.taken),
    )
    acts = tuple(map(exchange.act, game.acts))
    probes = tuple(map(exchange.act, game.probes))
    return attrs.evolve(game, start=start, acts=acts, probes=probes)


@attrs.frozen
class _Rotation:
    """A move of everybody at a table by a number of seats."""

    players: int
    by: int

    def seat(self, old: int) -> int:
        """The seat to which whoever sat in this one has moved."""
        return (old + self.by) % self.players

    def row(self, values: tuple[T, ...]) -> tuple[T, ...]:
        """A value for each seat, in the new order of seats."""
        number = len(values)
        return tuple(values[(new - self.by) % number] for new in range(number))

    def act(self, act: Act) -> Act:
        """An act in which every seat that it names is replaced by the new one."""
        moved = attrs.evolve(act, seat=self.seat(act.seat))
        match moved:
            case Scatter(seat, pairs):
                return Scatter(seat, {self.seat(to): card for to, card in pairs})
            case Mix() | Deal():
                return attrs.evolve(moved, hands=self.row(moved.hands))
            case Claim(_, against, _):
                return attrs.evolve(moved, against=self.seat(against))
            case MoonChoice(_, choice) if isinstance(choice, int):
                return attrs.evolve(moved, choice=self.seat(choice))
            case _:
                return moved


def with_seats_rotated(game: BareGame, by: int) -> BareGame:
    """The same game with everybody moved `by` seats; it must begin with a setup."""
    start = game.start
    assert isinstance(start, Setup)
    rotation = _Rotation(game.ruleset.players, by)
    start = attrs.evolve(
        start,
        dealer=rotation.seat(start.dealer),
        hands=rotation.row(start.hands),
        totals=None if start.totals is None else rotation.row(start.totals),
        taken=None if start.taken is None else rotation.row(start.taken),
        tricks=None if start.tricks is None else rotation.row(start.tricks),
        leader=None if start.leader is None else rotation.seat(start.leader),
        out=tuple(map(rotation.seat, start.out)),
    )
    acts = tuple(map(rotation.act, game.acts))
    probes = tuple(map(rotation.act, game.probes))
    turned = game.turned + by
    return attrs.evolve(game, start=start, acts=acts, probes=probes, turned=turned)
