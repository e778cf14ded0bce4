"""Episodes for learners: a deal or a match in which chance cuts, deals and mixes."""

from __future__ import annotations

import copyreg
import secrets
from collections.abc import Callable
from typing import Final, Literal, SupportsIndex

import attrs

from refengine.errors import Malformed, how_many, shown
from refengine.game.acts import Act, Cut, Deal, Mix, to_number
from refengine.game.rulesets import Ruleset
from refengine.game.setups import Match, Setup
from refengine.game.values.cardset import CARDS, CardSet
from refengine.game.values.masks import seat_given
from refengine.game.values.state import State
from refengine.learning.actions import ActionMask, act_for, checked, choices, mask_with
from refengine.learning.fast.chance import (
    ANY_DEAL,
    Dealing,
    card_cut,
    chance_of,
    dealing,
    mixing,
    single_deal,
)
from refengine.learning.observations import PACK_SIZE, Observation, observation_of
from refengine.machine.random_numbers import Chance

Length = Literal["deal", "match"]
"""How much of a game an episode covers."""


def _to_length(value: object) -> Length:
    if value == "deal":
        return "deal"
    if value == "match":
        return "match"
    raise Malformed(shown(value)[:40], "'deal' or 'match'", "length")


def _to_deal(value: object) -> int | None:
    if value is None:
        return None
    try:
        return to_number(value)
    except Malformed as error:
        raise error.within("deal") from None


@attrs.frozen
class Episodes:
    """The kind of game to play: a ruleset, and how much of a match an episode covers.

    If `length` is "deal", an episode is a single deal, with totals of 0 and a random
    dealer. Its number is `deal` or, if that is None, the number of a random deal of the
    pass cycle. If `length` is "match", an episode is a whole match, beginning with the
    cut.
    Raises Malformed for any other length, for a `deal` that is not a whole number above
    0, and for any `deal` given with "match". Raises Refused if a clause forbids such a
    match (4.11).
    """

    ruleset: Ruleset
    length: Length = attrs.field(default="deal", converter=_to_length)
    deal: int | None = attrs.field(default=None, converter=_to_deal)

    def __attrs_post_init__(self) -> None:
        if self.deal is not None and self.length == "match":
            raise Malformed("deal", "only with episodes of a deal", "deal")
        State.open(self.ruleset, Match())

    @property
    def number(self) -> int:
        """The number of the deal, or ANY_DEAL if `deal` is None."""
        return ANY_DEAL if self.deal is None else self.deal

    def begun(self, chance: Chance) -> Episode:
        """Begin a new episode, and let chance act up to the first choice."""
        if self.length == "match":
            return Episode(State.open(self.ruleset, Match()), chance)
        single = single_deal(self.ruleset.rules, self.number, chance)
        setup = Setup(
            dealer=int(single.dealer),
            deal=int(single.number),
            hands=_hands(single.cards),
            stock=tuple(CARDS[card] for card in single.cards.stock),
            kitty=CardSet.of_mask(single.cards.kitty),
        )
        return Episode(State.open(self.ruleset, setup), chance)


class Episode:
    """A game in progress: its state, and the cards chosen so far for the next pass.

    If the last choice ended a deal, `score` is the score of that deal, and otherwise
    None. If the match goes on, the next deal has then been dealt already.
    """

    def __init__(
        self, state: State, chance: Chance, given: tuple[int, ...] = ()
    ) -> None:
        self._chance: Final = chance
        self.given = given
        self.score: tuple[int, ...] | None = None
        self.state = self._after_chance(state)

    @property
    def seat(self) -> int | None:
        """The seat that is to choose, or None if the episode is over.

        In a pass, the seats choose one after another, seat 0 first.
        """
        return None if self.state.over else self.state.seat_in_turn

    def choices(self) -> list[int]:
        """The numbers that `seat` may choose, in ascending order; empty at the end."""
        return choices(self.state, self.state.seat_in_turn, self.given)

    def observation(self, seat: SupportsIndex) -> Observation:
        """What this seat sees, including the cards chosen so far for its own pass.

        Raises Malformed if there is no such seat, or for totals of more than 32 bits.
        """
        whose = seat_given(seat, self.state.ruleset.players)
        given = self.given if whose == self.seat else ()
        return observation_of(self.state, whose, given)

    def mask(self, seat: SupportsIndex) -> ActionMask:
        """The numbers that this seat may choose now, as a mask.

        Raises Malformed if there is no such seat.
        """
        whose = seat_given(seat, self.state.ruleset.players)
        found = self.choices() if whose == self.seat else []
        return mask_with(found)

    def choose(self, number: object) -> None:
        """Choose the act, or the next card of a pass, that `number` stands for.

        Raises Malformed, and changes nothing, if the seat to choose may not choose it.
        """
        act = act_for(self.state, self.state.seat_in_turn, number, self.given)
        self.score = None
        if act is None:
            self.given = (*self.given, checked(number, range(PACK_SIZE)))
            return
        self.given = ()
        state = self.state.apply(act)
        self.score = state.score
        self.state = self._after_chance(state)

    def copy(self) -> Episode:
        """A copy of the episode that goes on from here with the same random numbers."""
        copied = Episode(self.state, self._chance.copy(), self.given)
        copied.score = self.score
        return copied

    __copy__ = copy

    def _after_chance(self, state: State) -> State:
        while state.phase in ("cut", "deal", "mix"):
            state = state.apply(self._act_of_chance(state))
        return state

    def _act_of_chance(self, state: State) -> Act:
        core = state.core
        seat = state.seat_in_turn
        if state.phase == "cut":
            return Cut(seat, CARDS[card_cut(core, self._chance)])
        if state.phase == "deal":
            cards = dealing(core.rules, core.pack, core.named, self._chance)
            stock = tuple(CARDS[card] for card in cards.stock)
            return Deal(seat, _hands(cards), stock, CardSet.of_mask(cards.kitty))
        cards = mixing(core, self._chance)
        return Mix(seat, _hands(cards), CardSet.of_mask(cards.kitty))


def _hands(cards: Dealing) -> tuple[CardSet, ...]:
    return tuple(CardSet.of_mask(hand) for hand in cards.hands)


def chance_from(seed: object, table: int = 0) -> Chance:
    """The source of chance for this seed at this table; None means a random seed.

    Raises Malformed for a seed that is not a whole number, 0 or more.
    """
    number = checked_seed(seed)
    return chance_of(secrets.randbits(64) if number is None else number, table)


def checked_seed(seed: object) -> int | None:
    """The seed as an `int`, or None if no seed is given.

    Raises Malformed for a seed that is not a whole number, 0 or more.
    """
    return None if seed is None else how_many(seed, "seed")


# These let an episode be copied and pickled with its source of chance.


def _chance_at(older: int, newer: int) -> Chance:
    found = Chance(0)
    found.older, found.newer = older, newer
    return found


def _reduced(chance: Chance) -> tuple[Callable[[int, int], Chance], tuple[int, int]]:
    return _chance_at, (int(chance.older), int(chance.newer))


copyreg.pickle(Chance, _reduced)
