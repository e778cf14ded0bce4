"""Direction: a game led to a layout, and then played in a certain manner.

The deal before a pass is worked out backwards, so that the hands after it are those of
the layout, whatever the pass is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import attrs

from refengine.chapters.passing import cards_needed, pass_of_deal, receiver
from refengine.chapters.settings import HOLD, MIX, SCATTER, Rules
from refengine.game.acts import Act, Deal, Mix, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine_conformance.generators.strategies import something_wild
from refengine_conformance.tables.layouts import Layout
from refengine_conformance.tables.likings import LIKINGS, Liking, is_penalty, rank_of


@attrs.frozen
class Dealt:
    """A deal that leads to a layout: the cards as dealt, and what each seat passes."""

    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    kitty: CardSet
    passes: Mapping[int, Act]
    mix: tuple[tuple[CardSet, ...], CardSet] | None = None


def deal_leading_to(rng: Random, rules: Rules, number: int, layout: Layout) -> Dealt:
    """The deal of this number that leads to the layout.

    The hands must be large enough for its pass.
    """
    way = int(pass_of_deal(rules, number))
    if way == HOLD:
        return Dealt(layout.hands, layout.stock, layout.kitty, {})
    if way == MIX:
        return _before_mix(rng, rules, layout)
    if way == SCATTER:
        return _before_scatter(rng, rules, layout)
    needed = int(cards_needed(rules, way))
    hands, passes = list(layout.hands), dict[int, Act]()
    for seat in range(rules.players):
        to = int(receiver(way, seat, rules.players))
        packet = CardSet(rng.sample(list(layout.hands[to]), needed))
        passes[seat] = Pass(seat, packet)
        hands[to] -= packet
    for seat, act in passes.items():
        assert isinstance(act, Pass)
        hands[seat] |= act.cards
    return Dealt(tuple(hands), layout.stock, layout.kitty, passes)


def _before_scatter(rng: Random, rules: Rules, layout: Layout) -> Dealt:
    hands = list(layout.hands)
    given: dict[int, dict[int, Card]] = {seat: {} for seat in range(rules.players)}
    for seat in range(rules.players):
        others = [other for other in range(rules.players) if other != seat]
        came = rng.sample(list(layout.hands[seat]), len(others))
        hands[seat] -= CardSet(came)
        for other, card in zip(others, came, strict=True):
            given[other][seat] = card
    for seat, pairs in given.items():
        hands[seat] |= CardSet(pairs.values())
    passes: dict[int, Act] = {
        seat: Scatter(seat, pairs) for seat, pairs in given.items()
    }
    return Dealt(tuple(hands), layout.stock, layout.kitty, passes)


def _before_mix(rng: Random, rules: Rules, layout: Layout) -> Dealt:
    needed = int(cards_needed(rules, MIX))
    back = tuple(CardSet(rng.sample(list(hand), needed)) for hand in layout.hands)
    pile = [card for cards in back for card in cards]
    pile += list(layout.kitty) if rules.mix_kitty else []
    rng.shuffle(pile)
    hands, passes = [], dict[int, Act]()
    for seat, came in enumerate(back):
        packet = CardSet(pile[:needed])
        pile = pile[needed:]
        passes[seat] = Pass(seat, packet)
        hands.append((layout.hands[seat] - came) | packet)
    kitty = CardSet(pile) if rules.mix_kitty else layout.kitty
    new_kitty = layout.kitty if rules.mix_kitty else CardSet()
    return Dealt(tuple(hands), layout.stock, kitty, passes, (back, new_kitty))


# Manners of play

Taste = Callable[[State, int, Card], float]
"""How much a seat would like to play a card: of those that it may, it plays the one
that it likes most; chance decides among equals."""


def _in_any_state(liking_of: Callable[[int], Liking]) -> Callable[[int], Taste]:
    """The manner of seats that like their cards without a look at the game."""

    def manner(subject: int) -> Taste:
        liking = liking_of(subject)
        return lambda state, seat, card: liking(seat, card)

    return manner


def _takes_all_at_the_end(subject: int) -> Taste:
    """The subject plays high, and penalty cards only after three tricks.

    The others keep theirs.
    """

    def taste(state: State, seat: int, card: Card) -> float:
        if seat != subject:
            return -rank_of(card) - 20 * is_penalty(card)
        kept = is_penalty(card) and len(state.history) < 3
        return rank_of(card) - 20 * kept

    return taste


def takes_all_but(bonus: Card) -> Callable[[int], Taste]:
    """The subject takes all but this card, which others throw on what they win."""

    def manner(subject: int) -> Taste:
        def taste(state: State, seat: int, card: Card) -> float:
            there = state.table.cards if state.table is not None else ()
            if seat == subject:
                low = bonus in there or card == bonus
                return -rank_of(card) - 50 * is_penalty(card) if low else rank_of(card)
            if card == bonus and there:
                return 100 if _seat_that_wins(state) != subject else -100
            return -rank_of(card) - 20 * is_penalty(card) - 40 * (card == bonus)

        return taste

    return manner


def takes_all_but_the_last_trick(subject: int) -> Taste:
    """The subject takes every point, and keeps a low card for the end.

    The others give it their penalty cards, and keep high ones.
    """

    def taste(state: State, seat: int, card: Card) -> float:
        if seat != subject:
            return 20 * is_penalty(card) - rank_of(card)
        worthless = [one for one in state.hands[seat] if not is_penalty(one)]
        kept = card == min(worthless, key=rank_of, default=None)
        return rank_of(card) - 50 * kept

    return taste


def loaded_on(subject: int) -> Taste:
    """The subject takes what it can, and the others give it their penalty cards."""

    def taste(state: State, seat: int, card: Card) -> float:
        if seat == subject:
            return rank_of(card)
        there = state.table.cards if state.table is not None else ()
        gives = bool(there) and _seat_that_wins(state) == subject
        return 20 * is_penalty(card) + rank_of(card) if gives else -rank_of(card)

    return taste


def _seat_that_wins(state: State) -> int:
    """The seat whose card is the highest of the suit led, so far."""
    assert state.table is not None
    cards = state.table.cards
    best = max(
        range(len(cards)),
        key=lambda place: (
            cards[place].value[1] == cards[0].value[1],
            rank_of(cards[place]),
        ),
    )
    step = 1 if state.ruleset.options["direction"] == "clockwise" else -1
    return (state.table.leader + step * best) % state.ruleset.players


MANNERS: Final[tuple[Callable[[int], Taste], ...]] = (
    *map(_in_any_state, LIKINGS),
    _takes_all_at_the_end,
)


@attrs.frozen
class Director:
    """Who decides every act of a game, from the layouts of its deals by number.

    `wild` is the chance of a revoke at a play, `after` that of what may follow it.
    """

    ruleset: Ruleset
    deals: Mapping[int, Dealt]
    taste: Taste
    wild: float = 0.0
    after: float = 0.0

    def next_act(self, rng: Random, state: State) -> Act | None:
        """The act that comes next; None if the game is over, and nothing follows."""
        if self.wild:
            act = something_wild(rng, state, self.wild, self.after)
            if act is not None:
                return act
        return None if state.over else self._regular_act(rng, state)

    def _regular_act(self, rng: Random, state: State) -> Act:
        dealt = self.deals.get(state.deal)
        if state.phase == "deal":
            return self._deal(rng, state)
        if dealt is not None and state.phase == "pass":
            return dealt.passes[rng.choice(state.turn)]
        if dealt is not None and dealt.mix and state.phase == "mix":
            hands, kitty = dealt.mix
            return Mix(state.turn[0], hands, kitty)
        act = state.random_act(rng)
        if not isinstance(act, Play):
            return act
        seat, cards = act.seat, list(state.legal.cards)
        return Play(seat, max(cards, key=self._liking(rng, state, seat)))

    def _deal(self, rng: Random, state: State) -> Act:
        act = state.random_act(rng)
        dealt = self.deals.get(state.deal)
        if dealt is None:
            return act
        return Deal(act.seat, dealt.hands, dealt.stock, dealt.kitty)

    def _liking(
        self, rng: Random, state: State, seat: int
    ) -> Callable[[Card], tuple[float, float]]:
        return lambda card: (self.taste(state, seat, card), rng.random())
