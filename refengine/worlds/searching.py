"""Estimating what an act costs from worlds that fit a seat's knowledge.

The worlds are played out to their scores. Each seat plays by a policy: a name from
`refengine.worlds.policies` or, far more slowly, a function from the seat's `View` to
its act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import SupportsIndex

import attrs

from refengine.chapters.cards import number_of
from refengine.errors import Malformed, how_many, shown
from refengine.game.acts import Act, Draw, Play
from refengine.game.observe import View
from refengine.game.values.cardset import CARDS
from refengine.game.values.state import State
from refengine.machine.due import position_of
from refengine.machine.position import playable
from refengine.machine.random_numbers import Chance
from refengine.worlds.found_deals import FoundDeal, act_of
from refengine.worlds.policies import (
    POLICIES,
    RANDOM,
    card_to_play,
    packet_by,
    score_of,
)
from refengine.worlds.sampling import Worlds
from refengine.worlds.seat_record import SeatRecord, checked_record

Policy = str | Callable[[View], Act]
"""The name `random`, `lowest` or `avoid points`, or a function from view to act."""


@attrs.frozen
class Outcome:
    """The scores of all worlds that were played out, each as a tuple by seat."""

    scores: tuple[tuple[int, ...], ...]

    @property
    def means(self) -> tuple[float, ...]:
        """The mean score of each seat."""
        return tuple(
            sum(column) / len(column) for column in zip(*self.scores, strict=True)
        )

    @property
    def errors(self) -> tuple[float, ...]:
        """The standard error of each mean, or 0 if there is only one score."""
        number = len(self.scores)
        spread = [
            sum((one - mean) ** 2 for one in column)
            for column, mean in zip(
                zip(*self.scores, strict=True), self.means, strict=True
            )
        ]
        return tuple(sqrt(one / number / max(number - 1, 1)) for one in spread)


def play_worlds(
    record: SeatRecord,
    number: SupportsIndex,
    policy: Policy | Sequence[Policy] = "random",
    seed: SupportsIndex = 0,
) -> Outcome:
    """The scores of `number` worlds of this record that are played out by policies.

    `policy` is the policy for every seat, or a sequence with one for each seat. The
    same seed gives the same worlds and, with named policies, the same scores. Raises
    Malformed for a policy that does not exist, for a sequence with too few or too many
    policies, or if `number` is 0; Refused if a function chooses an act that is refused;
    and whatever `worlds` raises.
    """
    every = _policies(policy, checked_record(record).ruleset.players)
    _at_least_one(number)
    return Outcome(tuple(_scores(Worlds(record), None, number, every, seed)))


@attrs.frozen
class Tried:
    """An act, and the outcome of the worlds in which it was tried."""

    act: Act
    outcome: Outcome

    @property
    def mean(self) -> float:
        """The mean score of the seat that made the act."""
        return self.outcome.means[self.act.seat]


def try_acts(
    record: SeatRecord,
    number: SupportsIndex,
    policy: Policy | Sequence[Policy] = "random",
    seed: SupportsIndex = 0,
    acts: Iterable[Act] | None = None,
) -> tuple[Tried, ...]:
    """Each of these acts, with the outcome of trying it in `number` worlds.

    If `acts` is None, the acts from `legal_acts` are tried. Every act is tried in the
    same worlds, which are played out as by `play_worlds`.
    Raises Refused if an act is refused in one of the worlds, Malformed if there is no
    act to try or if `acts` are not acts, and whatever `play_worlds` raises. If `acts`
    is None, it also raises whatever `legal_acts` raises.
    """
    every = _policies(policy, checked_record(record).ruleset.players)
    _at_least_one(number)
    if acts is not None and not isinstance(acts, Iterable):
        raise Malformed(shown(acts)[:40], "a list of acts", "acts")
    chosen = tuple(legal_acts(record) if acts is None else acts)
    if not chosen:
        raise Malformed("no act", "a moment in which the seat is to act", "acts")
    for act in chosen:
        if not isinstance(act, Act):
            raise Malformed(shown(act)[:40], "an act", "acts")
    worlds = Worlds(record)
    return tuple(
        Tried(act, Outcome(tuple(_scores(worlds, act, number, every, seed))))
        for act in chosen
    )


def legal_acts(record: SeatRecord) -> Iterator[Act]:
    """The acts that are legal now for this record's seat, or none if it is not to act.

    Raises Malformed if this is not a record or if the seat is to deal or mix, and
    whatever the record's `view` raises.
    """
    if checked_record(record).view.legal is not None:
        core = record.core
        state = State(record.ruleset, FoundDeal(core), core, None)
        if state.phase in ("deal", "mix"):
            allowed = "a moment in which acts can be listed; there are too many deals"
            raise Malformed(f"a {state.phase} that is due", allowed, "record")
        yield from (act for act in state.legal if act.seat == record.seat)


def _at_least_one(number: SupportsIndex) -> None:
    """Raise Malformed unless this is a whole number, 1 or more."""
    if how_many(number, "number") < 1:
        raise Malformed(shown(number)[:40], "at least one world", "number")


def _policies(policy: Policy | Sequence[Policy], players: int) -> tuple[Policy, ...]:
    """The policy of each seat.

    Raises Malformed for anything that is not a policy, or unless each seat has one.
    """
    every: tuple[Policy, ...]
    if isinstance(policy, str) or callable(policy):
        every = (policy,) * players
    else:
        try:
            every = tuple(policy)
        except TypeError:
            raise Malformed(shown(policy)[:40], "a policy", "policy") from None
    if len(every) != players:
        raise Malformed(f"{len(every)}", f"{players}, one for each seat", "policy")
    for one in every:
        if not callable(one) and one not in POLICIES:
            allowed = f"one of {', '.join(POLICIES)}, or a function of a view"
            raise Malformed(shown(one)[:40], allowed, "policy")
    return every


def _scores(
    worlds: Worlds,
    act: Act | None,
    number: SupportsIndex,
    policies: tuple[Policy, ...],
    seed: SupportsIndex,
) -> Iterator[tuple[int, ...]]:
    """Yield the score of each world, in which this act, if any, is made first."""
    named = tuple(POLICIES.index(str(one)) for one in policies if not callable(one))
    # Two sources, so that every act is tried in the same worlds.
    place = 2 * how_many(seed, "seed")
    dealt, played = Chance(place), Chance(place + 1)
    ruleset = worlds.record.ruleset
    for core in worlds.cores(number, dealt):
        begun = core
        if act is not None:
            begun = State(ruleset, FoundDeal(core), core, None).apply(act).core
        if len(named) == len(policies):
            yield score_of(begun, named, played)
        else:
            state = State(ruleset, FoundDeal(core), begun, None)
            yield _played_slowly(state, policies, played)


# With functions of a view


def _played_slowly(
    state: State, policies: tuple[Policy, ...], chance: Chance
) -> tuple[int, ...]:
    """The score of a deal that is played out act by act on a `State`."""
    while not state.over:
        state = state.apply(_act(state, policies[state.seat_in_turn], chance))
    assert state.score is not None
    return state.score


def _act(state: State, policy: Policy, chance: Chance) -> Act:
    """The act that this policy chooses for the first seat that is to act.

    A mix is always random.
    """
    seat = state.seat_in_turn
    core = state.core
    if callable(policy) and state.phase != "mix":
        return policy(state.observe(seat))
    number = RANDOM if callable(policy) else POLICIES.index(str(policy))
    if state.phase == "pass":
        return act_of(seat, packet_by(number, core, seat, chance))
    if state.phase != "play":
        return state.random_act(Random(int(chance.next())))
    position = position_of(core)
    cards = playable(core.rules, position)
    if not cards:
        return Draw(seat)
    card = card_to_play(number, core.rules, position, cards, chance)
    return Play(seat, CARDS[number_of(card)])
