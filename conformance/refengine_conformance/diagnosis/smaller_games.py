"""The methods of making a game smaller: each yields games, the boldest change first.

None of them yields the game itself, which would then be tried endlessly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random
from typing import Any, Final

import attrs

from refengine.comparison.differences import acts_worth_asking
from refengine.game.acts import Deal, Pass, Play, Retract, Scatter
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CARDS, Card, CardSet, Suit
from refengine.game.values.state import State
from refengine_conformance.diagnosis.bare_games import BareGame, states_before_acts
from refengine_conformance.diagnosis.effects import without_change
from refengine_conformance.diagnosis.symmetries import (
    with_cards_exchanged,
    with_seats_rotated,
)
from refengine_conformance.generators.strategies import may_be_found
from refengine_conformance.runner.table import cards_of_setup

_SUITS_WITHOUT_HEARTS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)


def _fewer_options(game: BareGame) -> Iterator[BareGame]:
    """The game with one changed option reset to the profile's value, each in turn."""
    for name in game.ruleset.changed:
        ruleset = without_change(game.ruleset, name)
        if ruleset is not None:
            yield attrs.evolve(game, ruleset=ruleset)


def _begun_later(game: BareGame) -> Iterator[BareGame]:
    """The game begun in mid-play, with its cards already dealt, or at a later deal."""
    states = states_before_acts(game)
    yield from _begun_in_positions(game, states)
    yield from _begun_with_deals(game, states)
    yield from _begun_at_later_deals(game)


def _begun_in_positions(game: BareGame, states: list[State]) -> Iterator[BareGame]:
    """The game begun in the middle, in positions of its play, the latest first.

    Each position comes first without the cards taken so far, and then with them.
    """
    for place in range(len(game.acts) - 1, 0, -1):
        state = states[place]
        if may_be_found(state):
            rest = attrs.evolve(game, acts=game.acts[place:])
            position = Setup.of(state)
            bare = attrs.evolve(position, taken=None, tricks=None)
            yield attrs.evolve(rest, start=bare)
            yield attrs.evolve(rest, start=position)


def _begun_with_deals(game: BareGame, states: list[State]) -> Iterator[BareGame]:
    """The game begun with the cards of one of its deals already dealt, each in turn."""
    for place, act in enumerate(game.acts):
        if isinstance(act, Deal):
            dealt = states[place + 1].core
            setup = Setup(
                dealer=act.seat,
                deal=states[place].deal,
                totals=states[place].totals,
                hands=act.hands,
                stock=act.stock,
                kitty=act.kitty,
                limit_reached=dealt.sheet.reached and dealt.rules.ties_played_on,
            )
            yield attrs.evolve(game, start=setup, acts=game.acts[place + 1 :])


def _begun_at_later_deals(game: BareGame) -> Iterator[BareGame]:
    """The match begun with the dealing of one of its deals, the latest first.

    If the match already begins with a deal, that deal is left out.
    """
    if isinstance(game.start, Match):
        for place in range(len(game.acts) - 1, 0, -1):
            act = game.acts[place]
            if isinstance(act, Deal):
                start = Match(act.seat, game.start.pack)
                yield attrs.evolve(game, start=start, acts=game.acts[place:])


def _plainer(game: BareGame) -> Iterator[BareGame]:
    """The game with one feature of its start made plainer: totals, dealer and so on."""
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
    """The game without one of its tricks, whose cards are also taken from the hands."""
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
    """The game without one of its acts; the last is kept, since it is asked about."""
    for place in range(len(game.acts) - 1):
        acts = game.acts[:place] + game.acts[place + 1 :]
        yield attrs.evolve(game, acts=acts)


def _without_cards(game: BareGame) -> Iterator[BareGame]:
    """The game with one card fewer in the stock, or in each hand.

    Under rules with a stock, hands may differ in size, so there are also games with one
    card fewer in a single hand.
    """
    start = game.start
    if not isinstance(start, Setup):
        return
    for place in range(len(start.stock)):
        stock = start.stock[:place] + start.stock[place + 1 :]
        yield attrs.evolve(game, start=attrs.evolve(start, stock=stock))
    used = _cards_used(game)
    spare = [[card for card in hand if card not in used] for hand in start.hands]
    if game.ruleset.options["undealt"] == "stock":
        yield from (_without(game, {card}) for hand in spare for card in hand)
    if not all(spare):
        return
    rng = Random(len(used))
    yield _without(game, {hand[0] for hand in spare})
    yield _without(game, {hand[-1] for hand in spare})
    for _ in range(40):
        yield _without(game, {rng.choice(hand) for hand in spare})


def _cards_used(game: BareGame) -> set[Card]:
    """The cards that are played, retracted, passed or scattered in a game."""
    used: set[Card] = set()
    for act in game.acts:
        if isinstance(act, Play | Retract):
            used.add(act.card)
        elif isinstance(act, Pass):
            used |= set(act.cards)
        elif isinstance(act, Scatter):
            used |= {card for _, card in act.cards}
    return used


def _without(game: BareGame, cards: set[Card]) -> BareGame:
    """The game without these cards in its hands, and without probes that play them."""
    start = game.start
    assert isinstance(start, Setup)
    gone = CardSet(cards)
    probes = tuple(
        act for act in game.probes if not (isinstance(act, Play) and act.card in gone)
    )
    hands = tuple(hand - gone for hand in start.hands)
    return attrs.evolve(game, start=attrs.evolve(start, hands=hands), probes=probes)


def _single_probes(game: BareGame) -> Iterator[BareGame]:
    """The game with only one of its probes, each in turn.

    If the game has none, the probes are the acts worth asking about just before its
    last act.
    """
    if len(game.probes) == 1:
        return
    probes = game.probes or tuple(acts_worth_asking(states_before_acts(game)[-2]))
    for probe in probes:
        yield attrs.evolve(game, probes=(probe,))


def _lower(game: BareGame) -> Iterator[BareGame]:
    """The game with a card exchanged for a lower one of its suit that was not dealt."""
    if not isinstance(game.start, Setup):
        return
    there = cards_of_setup(game.start)
    for card in sorted(there, key=lambda one: one.number):
        two = card.number - card.number % 13  # the number of the two of its suit
        for lower in CARDS[two : card.number]:
            if lower not in there:
                yield with_cards_exchanged(game, {card: lower, lower: card})
                break


def _other_suits(game: BareGame) -> Iterator[BareGame]:
    """The game with clubs, diamonds and spades exchanged, if that lowers `_weight`."""
    if not isinstance(game.start, Setup):
        return
    there = cards_of_setup(game.start)
    for order in permutations(_SUITS_WITHOUT_HEARTS):
        suits = dict(zip(_SUITS_WITHOUT_HEARTS, order, strict=True))
        to = {
            card: Card(f"{card.rank}{suits[card.suit]}")
            for card in CARDS
            if card.suit in suits
        }
        if _weight(to.get(card, card) for card in there) < _weight(there):
            yield with_cards_exchanged(game, to)


def _weight(cards: Iterable[Card]) -> int:
    """A number that is higher for cards of higher ranks and of later suits."""
    return sum(card.number for card in cards)


def _turned(game: BareGame) -> Iterator[BareGame]:
    """The game with everybody moved around the table so that seat 0 acts first."""
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
    _single_probes,
    _turned,
    _other_suits,
    _lower,
)
