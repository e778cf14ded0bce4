"""Steers a game to chosen hands, and then has the seats play in a chosen manner.

The deal before a pass is worked out backwards, so that the hands after the pass are
those of the layout, whatever kind of pass it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

import attrs

from refengine.chapters.cards import card_at
from refengine.chapters.passing import cards_needed, pass_of_deal, receiver
from refengine.chapters.play import beats
from refengine.chapters.settings import HOLD, MIX, SCATTER, Rules
from refengine.errors import Malformed
from refengine.game.acts import Act, Deal, Mix, Pass, Play, Scatter
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Card, CardSet
from refengine.game.values.state import State
from refengine.machine.due import position_of
from refengine_conformance.generators.strategies import something_wild
from refengine_conformance.tables.layouts import Layout
from refengine_conformance.tables.likings import (
    LIKINGS,
    Liking,
    penalty_cards_under,
    rank_of,
)


@attrs.frozen
class Dealt:
    """A deal that leads to a layout: the cards as dealt, and what each seat passes.

    `mix` holds the cards that each seat and the kitty get from a mix (4.10b).
    """

    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    kitty: CardSet
    passes: Mapping[int, Act]
    mix: tuple[tuple[CardSet, ...], CardSet] | None = None


def deal_leading_to(rng: Random, rules: Rules, number: int, layout: Layout) -> Dealt:
    """What to deal and pass in deal `number` so that play begins with the layout.

    Raises Malformed if a hand is too small for its pass.
    """
    way = int(pass_of_deal(rules, number))
    if way == HOLD:
        return Dealt(layout.hands, layout.stock, layout.kitty, {})
    if way == MIX:
        return _before_mix(rng, rules, layout)
    if way == SCATTER:
        return _before_scatter(rng, rules, layout)
    return _before_pass(rng, rules, way, layout)


def _some_of(rng: Random, hand: CardSet, number: int) -> list[Card]:
    """`number` cards of a hand, at random; raises Malformed if the hand has too few."""
    if number > len(hand):
        raise Malformed(f"a hand of {len(hand)} cards", f"at least {number} to pass")
    return rng.sample(list(hand), number)


def _before_pass(rng: Random, rules: Rules, way: int, layout: Layout) -> Dealt:
    """The deal that leads to the layout if each seat passes in this direction."""
    needed = int(cards_needed(rules, way))
    hands = list(layout.hands)
    packets: list[CardSet] = []
    for seat in range(rules.players):
        to = int(receiver(way, seat, rules.players))
        packet = CardSet(_some_of(rng, layout.hands[to], needed))
        packets.append(packet)
        hands[to] -= packet
    for seat, packet in enumerate(packets):
        hands[seat] |= packet
    passes = {seat: Pass(seat, packet) for seat, packet in enumerate(packets)}
    return Dealt(tuple(hands), layout.stock, layout.kitty, passes)


def _before_scatter(rng: Random, rules: Rules, layout: Layout) -> Dealt:
    """The deal that leads to the layout if each seat scatters its pass."""
    hands = list(layout.hands)
    given: dict[int, dict[int, Card]] = {seat: {} for seat in range(rules.players)}
    for seat in range(rules.players):
        others = [other for other in range(rules.players) if other != seat]
        came = _some_of(rng, layout.hands[seat], len(others))
        hands[seat] -= CardSet(came)
        for other, card in zip(others, came, strict=True):
            given[other][seat] = card
    for seat, pairs in given.items():
        hands[seat] |= CardSet(pairs.values())
    passes = {seat: Scatter(seat, pairs) for seat, pairs in given.items()}
    return Dealt(tuple(hands), layout.stock, layout.kitty, passes)


def _before_mix(rng: Random, rules: Rules, layout: Layout) -> Dealt:
    """The deal that leads to the layout if the cards passed are mixed."""
    needed = int(cards_needed(rules, MIX))
    back = tuple(CardSet(_some_of(rng, hand, needed)) for hand in layout.hands)
    pile = [card for cards in back for card in cards]
    if rules.mix_kitty:
        pile += layout.kitty
    rng.shuffle(pile)
    hands: list[CardSet] = []
    passes: dict[int, Act] = {}
    for seat, came in enumerate(back):
        packet = CardSet(pile[:needed])
        pile = pile[needed:]
        passes[seat] = Pass(seat, packet)
        hands.append((layout.hands[seat] - came) | packet)
    if rules.mix_kitty:
        kitty, kitty_after = CardSet(pile), layout.kitty
    else:
        kitty, kitty_after = layout.kitty, CardSet()
    return Dealt(tuple(hands), layout.stock, kitty, passes, (back, kitty_after))


# Manners of play

Taste = Callable[[State, int, Card], float]
"""How much a seat would like to play a card.

Of the cards that it may play, it plays the one that it likes most; chance decides among
equals.
"""
_WEIGHTY: Final = 20  # outweighs any difference in rank


def _is_penalty_card(state: State, card: Card) -> bool:
    """Whether a card is a penalty card under the ruleset of the game (1.4)."""
    return card in penalty_cards_under(state.core.rules)


def _low_and_harmless(state: State, card: Card) -> float:
    """How much a seat likes a card if it prefers low cards and avoids penalty cards."""
    low = -rank_of(card)
    return low - _WEIGHTY if _is_penalty_card(state, card) else low


def _in_any_state(liking_of: Callable[[int], Liking]) -> Callable[[int], Taste]:
    """A manner of play in which the seats disregard the state of the game."""

    def manner(subject: int) -> Taste:
        liking = liking_of(subject)
        return lambda state, seat, card: liking(seat, card)

    return manner


def _takes_all_at_the_end(subject: int) -> Taste:
    """The preferences when the subject takes tricks, but no penalty cards at first.

    The subject plays high, and avoids penalty cards until three tricks have been taken.
    The others play low, and avoid penalty cards if they can.
    """

    def taste(state: State, seat: int, card: Card) -> float:
        if seat != subject:
            return _low_and_harmless(state, card)
        if sum(state.tricks) < 3 and _is_penalty_card(state, card):
            return rank_of(card) - _WEIGHTY
        return rank_of(card)

    return taste


def takes_all_but(bonus: Card) -> Callable[[int], Taste]:
    """A manner of play in which the subject takes all cards but the bonus card.

    The others try to play the bonus card only on a trick that one of them is winning.
    """

    def manner(subject: int) -> Taste:
        def taste(state: State, seat: int, card: Card) -> float:
            on_table = _cards_on_table(state)
            if seat == subject:
                low = bonus in on_table or card == bonus
                return _low_and_harmless(state, card) if low else rank_of(card)
            if card != bonus:
                return _low_and_harmless(state, card)
            thrown = bool(on_table) and _seat_that_wins(state) != subject
            return 100 if thrown else -100

        return taste

    return manner


def takes_all_but_the_last_trick(subject: int) -> Taste:
    """The preferences when the subject takes all points but not the last trick.

    The subject keeps a low card for the end. The others give away their penalty cards,
    and keep their high cards.
    """

    def taste(state: State, seat: int, card: Card) -> float:
        if seat != subject:
            thrown = _is_penalty_card(state, card)
            return _WEIGHTY - rank_of(card) if thrown else -rank_of(card)
        worthless = state.hands[seat] - penalty_cards_under(state.core.rules)
        if card == min(worthless, key=rank_of, default=None):
            return rank_of(card) - _WEIGHTY
        return rank_of(card)

    return taste


def loaded_on(subject: int) -> Taste:
    """The preferences when the subject takes tricks and is given penalty cards.

    The subject plays high; the others discard penalty cards on the tricks it is
    winning.
    """

    def taste(state: State, seat: int, card: Card) -> float:
        if seat == subject:
            return rank_of(card)
        gives = bool(_cards_on_table(state)) and _seat_that_wins(state) == subject
        if not gives or _would_win(state, card):
            return -rank_of(card)
        thrown = _is_penalty_card(state, card)
        return rank_of(card) + _WEIGHTY if thrown else rank_of(card)

    return taste


def _would_win(state: State, card: Card) -> bool:
    """Whether a card would be winning the trick if it were played now (5.10)."""
    now = position_of(state.core)
    return bool(beats(now.led, now.best, card_at(card.number)))


def _cards_on_table(state: State) -> tuple[Card, ...]:
    """The cards played to the trick so far."""
    return () if state.table is None else state.table.cards


def _seat_that_wins(state: State) -> int:
    """The seat that is winning the trick so far."""
    return int(position_of(state.core).winner)


MANNERS: Final[tuple[Callable[[int], Taste], ...]] = (
    *map(_in_any_state, LIKINGS),
    _takes_all_at_the_end,
)


@attrs.frozen
class Director:
    """Chooses every act in a game.

    `deals` maps deal numbers to what is dealt and passed, and `taste` chooses the
    plays. `wild` is the chance of a revoke at a play, and `after` the chance of an act
    that may follow a revoke: a retraction, a claim or a quit.
    """

    ruleset: Ruleset
    deals: Mapping[int, Dealt]
    taste: Taste
    wild: float = 0.0
    after: float = 0.0

    def next_act(self, rng: Random, state: State) -> Act | None:
        """The next act, or None if the game is over and no act follows."""
        if self.wild:
            act = something_wild(rng, state, self.wild, self.after)
            if act is not None:
                return act
        return None if state.over else self._regular_act(rng, state)

    def _regular_act(self, rng: Random, state: State) -> Act:
        """The act that the prepared deal or the taste decides, or else a random act."""
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
        """The deal prepared for this deal number, or a random one if there is none."""
        # Drawn even if unused, so that the candidates of a seed stay the same.
        random_deal = state.random_act(rng)
        dealt = self.deals.get(state.deal)
        if dealt is None:
            return random_deal
        return Deal(state.turn[0], dealt.hands, dealt.stock, dealt.kitty)

    def _liking(
        self, rng: Random, state: State, seat: int
    ) -> Callable[[Card], tuple[float, float]]:
        """A sort key for a seat's cards: how much it likes each, then chance."""
        return lambda card: (self.taste(state, seat, card), rng.random())
