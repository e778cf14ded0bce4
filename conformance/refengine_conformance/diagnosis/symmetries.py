"""The same game with other cards, or with everybody in another seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from refengine.game.acts import (
    Act,
    Claim,
    Cut,
    MoonChoice,
    Pass,
    Play,
    Retract,
    Scatter,
)
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import Card, CardSet
from refengine_conformance.diagnosis.bare_games import BareGame


def cards_of_game(game: BareGame) -> set[Card]:
    """All cards of the deal, or the pack of the match."""
    start = game.start
    if isinstance(start, Match):
        return set(start.pack)
    found: set[Card] = {card for hand in start.hands for card in hand}
    found |= {*start.stock, *start.kitty, *start.trick}
    for pile in start.taken or ():
        found |= set(pile)
    return found


def with_cards_exchanged(game: BareGame, to: dict[Card, Card]) -> BareGame:
    """The game with cards exchanged; no two may become the same."""

    def one(card: Card) -> Card:
        return to.get(card, card)

    def some(cards: CardSet) -> CardSet:
        return CardSet([one(card) for card in cards])

    start = game.start
    if isinstance(start, Match):
        return game
    taken = None if start.taken is None else tuple(map(some, start.taken))
    start = attrs.evolve(
        start,
        hands=tuple(map(some, start.hands)),
        stock=tuple(map(one, start.stock)),
        kitty=some(start.kitty),
        trick=tuple(map(one, start.trick)),
        taken=taken,
    )
    acts = tuple(_act_mapped(act, one, some) for act in game.acts)
    probes = tuple(_act_mapped(act, one, some) for act in game.probes)
    return attrs.evolve(game, start=start, acts=acts, probes=probes)


def _act_mapped(
    act: Act, one: Callable[[Card], Card], some: Callable[[CardSet], CardSet]
) -> Act:
    match act:
        case Play(seat, card):
            return Play(seat, one(card))
        case Retract(seat, card):
            return Retract(seat, one(card))
        case Cut(seat, card):
            return Cut(seat, one(card))
        case Pass(seat, cards):
            return Pass(seat, some(cards))
        case Scatter(seat, pairs):
            return Scatter(seat, {to: one(card) for to, card in pairs})
        case _:
            return act


def with_seats_rotated(game: BareGame, by: int) -> BareGame:
    """The game with everybody moved along by this many seats."""
    players = game.ruleset.players
    start = game.start
    assert isinstance(start, Setup)

    def seat(old: int) -> int:
        return (old + by) % players

    def row(values: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
        if values is None:
            return None
        return tuple(values[(new - by) % players] for new in range(players))

    start = attrs.evolve(
        start,
        dealer=seat(start.dealer),
        hands=row(start.hands) or (),
        totals=row(start.totals),
        taken=row(start.taken),
        tricks=row(start.tricks),
        leader=None if start.leader is None else seat(start.leader),
        out=tuple(seat(one) for one in start.out),
    )
    acts = tuple(_act_seated(act, seat) for act in game.acts)
    probes = tuple(_act_seated(act, seat) for act in game.probes)
    return attrs.evolve(game, start=start, acts=acts, probes=probes)


def _act_seated(act: Act, seat: Callable[[int], int]) -> Act:
    if isinstance(act, Scatter):
        return Scatter(seat(act.seat), {seat(to): card for to, card in act.cards})
    moved = attrs.evolve(act, seat=seat(act.seat))
    match moved:
        case Claim(_, against, _):
            return attrs.evolve(moved, against=seat(against))
        case MoonChoice(_, choice) if isinstance(choice, int):
            return attrs.evolve(moved, choice=seat(choice))
        case _:
            return moved
