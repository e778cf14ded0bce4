"""The ways to make a game smaller: each yields games, the boldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, Final

import attrs

from refengine.comparison.differences import acts_worth_asking
from refengine.game.acts import Deal, Pass, Play, Retract
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CARDS, Card, CardSet, Suit
from refengine.game.values.state import State
from refengine.game.verdicts import Refused
from refengine_conformance.diagnosis.bare_games import BareGame, states_before_acts
from refengine_conformance.diagnosis.symmetries import (
    cards_of_game,
    with_cards_exchanged,
    with_seats_rotated,
)


def _fewer_options(game: BareGame) -> Iterator[BareGame]:
    """Options put back to the value of the profile."""
    for name in game.ruleset.changed:
        options = {key: one for key, one in game.ruleset.changed.items() if key != name}
        try:
            ruleset = Ruleset(game.ruleset.profile, game.ruleset.players, options)
        except Refused:
            continue
        yield attrs.evolve(game, ruleset=ruleset)


def _begun_later(game: BareGame) -> Iterator[BareGame]:
    """The same game begun at a deal, or in a position of it, the latest first."""
    states = states_before_acts(game)
    for place in range(len(game.acts) - 1, 0, -1):
        state = states[place]
        rest = attrs.evolve(game, acts=game.acts[place:])
        if state.phase == "play" and not state.drew and not state.revokes:
            for start in _positions(state):
                yield attrs.evolve(rest, start=start)
    for place, act in enumerate(game.acts):
        if isinstance(act, Deal):
            state = states[place]
            setup = Setup(
                dealer=act.seat,
                deal=state.deal,
                totals=state.totals,
                hands=act.hands,
                stock=act.stock,
                kitty=act.kitty,
            )
            yield attrs.evolve(game, start=setup, acts=game.acts[place + 1 :])
    if isinstance(game.start, Match):
        dealt = [place for place, act in enumerate(game.acts) if isinstance(act, Deal)]
        for place in reversed(dealt):
            dealer = game.acts[place].seat
            acts = game.acts[place:]
            yield attrs.evolve(game, start=Match(dealer, game.start.pack), acts=acts)


def _positions(state: State) -> Iterator[Setup]:
    """The moment as a position: without its past, but with what was taken."""
    found = Setup.of(state)
    yield attrs.evolve(found, taken=None, tricks=None)
    yield found


def _plainer(game: BareGame) -> Iterator[BareGame]:
    """The beginning with one thing plainer: its totals, dealer, trick, cards taken."""
    start = game.start
    if not isinstance(start, Setup):
        return
    none = (0,) * game.ruleset.players
    plain: dict[str, Any] = {"totals": none, "deal": 1, "dealer": 0, "kitty": CardSet()}
    plain |= {"limit_reached": False, "stock": ()}
    if start.leader is not None:
        plain |= {"hearts_broken": False, "first_trick": False, "trick": ()}
    for name, value in plain.items():
        if getattr(start, name) not in (value, None):
            yield attrs.evolve(game, start=attrs.evolve(start, **{name: value}))
    for number in range(2, start.deal):
        yield attrs.evolve(game, start=attrs.evolve(start, deal=number))
    if start.taken is not None and start.tricks is not None:
        bare = attrs.evolve(start, taken=None, tricks=None)
        yield attrs.evolve(game, start=bare)
        for card in CardSet([card for pile in start.taken for card in pile]):
            piles = tuple(pile - CardSet([card]) for pile in start.taken)
            yield attrs.evolve(game, start=attrs.evolve(start, taken=piles))


def _without_tricks(game: BareGame) -> Iterator[BareGame]:
    """Whole tricks left out, together with their cards."""
    if not isinstance(game.start, Setup):
        return
    states = states_before_acts(game)
    for trick in states[-1].history:
        cards = set(trick.cards)
        acts = tuple(
            act
            for act in game.acts
            if not (isinstance(act, Play) and act.card in cards)
        )
        if acts and len(acts) < len(game.acts):
            yield _without(attrs.evolve(game, acts=acts), cards)


def _without_acts(game: BareGame) -> Iterator[BareGame]:
    """Single acts left out, where the rest can be done without them."""
    for place in range(len(game.acts) - 1):
        acts = game.acts[:place] + game.acts[place + 1 :]
        yield attrs.evolve(game, acts=acts)


def _without_cards(game: BareGame) -> Iterator[BareGame]:
    """A card of the stock left out, or one of every hand; with a stock, also of one."""
    start = game.start
    if not isinstance(start, Setup):
        return
    for place in range(len(start.stock)):
        stock = start.stock[:place] + start.stock[place + 1 :]
        yield attrs.evolve(game, start=attrs.evolve(start, stock=stock))
    played = {act.card for act in game.acts if isinstance(act, Play | Retract)}
    for act in game.acts:
        played |= set(act.cards) if isinstance(act, Pass) else set()
    spare = [[card for card in hand if card not in played] for hand in start.hands]
    if game.ruleset.options["undealt"] == "stock":
        yield from (_without(game, {card}) for hand in spare for card in hand)
    if not all(spare):
        return
    rng = Random(len(played))
    yield _without(game, {hand[0] for hand in spare})
    yield _without(game, {hand[-1] for hand in spare})
    for _ in range(40):
        yield _without(game, {rng.choice(hand) for hand in spare})


def _without(game: BareGame, cards: set[Card]) -> BareGame:
    """The game without these cards in its hands, and without probes of them."""
    start = game.start
    assert isinstance(start, Setup)
    gone = CardSet(cards)
    probes = tuple(
        act for act in game.probes if not (isinstance(act, Play) and act.card in gone)
    )
    hands = tuple(hand - gone for hand in start.hands)
    return attrs.evolve(game, start=attrs.evolve(start, hands=hands), probes=probes)


def _fewer_probes(game: BareGame) -> Iterator[BareGame]:
    """Each question alone; where none is named yet, first all that are worth asking."""
    probes = game.probes
    if not probes:
        asked = acts_worth_asking(states_before_acts(game)[-2])
        yield attrs.evolve(game, probes=tuple(asked))
        return
    if len(probes) > 1:
        yield from (attrs.evolve(game, probes=(one,)) for one in probes)


def _lower(game: BareGame) -> Iterator[BareGame]:
    """A card replaced by a lower one of its suit that is not in the game."""
    there = cards_of_game(game)
    for card in sorted(there, key=lambda one: one.number):
        for number in range(card.number - card.number % 13, card.number):
            if CARDS[number] not in there:
                yield with_cards_exchanged(game, {card: CARDS[number]})
                break


def _other_suits(game: BareGame) -> Iterator[BareGame]:
    """Suits exchanged so that clubs come before diamonds and diamonds before spades."""
    there = cards_of_game(game)
    weight = _weight(there)
    for order in permutations((Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)):
        to = dict(zip((Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES), order, strict=True))
        found = {
            card: Card(f"{card.rank}{to[card.suit]}")
            for card in there
            if card.suit in to
        }
        changed = [found.get(card, card) for card in there]
        if _weight(changed) < weight:
            yield with_cards_exchanged(game, found)


def _weight(cards: Sequence[Card] | set[Card]) -> int:
    return sum(card.number for card in cards)


def _turned(game: BareGame) -> Iterator[BareGame]:
    """The table turned so that the first to act is seat 0."""
    first = game.acts[0].seat
    if first and isinstance(game.start, Setup):
        yield with_seats_rotated(game, -first)


WAYS: Final = (
    _begun_later,
    _without_tricks,
    _without_cards,
    _without_acts,
    _plainer,
    _fewer_options,
    _fewer_probes,
    _turned,
    _other_suits,
    _lower,
)
