"""What an act costs under each profile and option, compared with plain Hearts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

import attrs

from bench.measuring import Work, timed
from refengine import OPTIONS, Option, Refused, Ruleset, State, new_match
from refengine.lawbook.profiles import profile, profile_names
from refengine.machine.playouts import playouts, started

MOST = 2.0  # the most that an act may cost, in acts of plain Hearts
PLAIN = Ruleset("estmesh-hearts")
POSITIONS = 5
DEALS = 100
BRIEF = 0.01  # the least processor time of a first sample, in seconds
AGAIN = 8  # how many of the dearest rulesets are timed again


@attrs.frozen
class ActCost:
    """How long an act takes under a ruleset, relative to an act of plain Hearts."""

    ruleset: str
    ratio: float


def in_play(ruleset: Ruleset, seed: int) -> State:
    """The first deal of a match, played with random acts up to its opening lead."""
    rng = Random(seed)
    state = new_match(ruleset)
    while state.phase != "play":
        state = state.apply(state.random_act(rng))
    return state


def playing(ruleset: Ruleset) -> Work:
    """Work that plays a hundred deals at random and returns how many acts they took."""
    cores = [in_play(ruleset, seed).core for seed in range(POSITIONS)]
    return lambda: float(playouts(cores, DEALS, started(7)).acts)


def other_values(option: Option) -> Iterator[object]:
    """The values of an option to try; a ruleset may already have one of them."""
    if isinstance(option.base, bool):
        yield from (True, False)
    elif isinstance(option.base, tuple):
        yield from ([word] for word in option.words)
    else:
        yield from option.words
        if option.least is not None:
            yield from {max(option.least, 1), min(option.most or 26, 26)}


def rulesets() -> Iterator[Ruleset]:
    """The rulesets whose acts are timed.

    The first has the shortest possible deal: two seats, one card each. Then comes every
    profile, with its fewest and with its most players. Last come three profiles with
    one option changed at a time, to each of the values in `other_values`; a ruleset is
    left out if the book refuses it or if the value is the one that the profile has
    anyway.
    """
    yield Ruleset("pokerwiner-domino", 2, {"hand_size": 1})
    for name in profile_names():
        players = profile(name).players
        yield from (Ruleset(name, number) for number in {min(players), max(players)})
    for name in ("estmesh-hearts", "gamerules-domino", "pokerwiner-domino"):
        for option in OPTIONS:
            for value in other_values(option):
                try:
                    ruleset = Ruleset(name, None, {option.name: value})
                    new_match(ruleset)
                except Refused:
                    continue  # the book has no such ruleset
                if ruleset.changed:
                    yield ruleset


def act_costs(rounds: int) -> list[ActCost]:
    """The cost of an act under each of the `rulesets`, the most expensive first.

    Every ruleset is timed once, briefly. Because the slowest of hundreds of brief
    timings were probably disturbed by something else, the slowest are then timed again,
    and their cost is the median of `rounds` longer timings.
    """
    plain = timed(playing(PLAIN), BRIEF)
    brief: list[tuple[float, int, Ruleset]] = []
    for place, ruleset in enumerate(rulesets()):
        sample = timed(playing(ruleset), BRIEF)
        brief.append((sample() / plain(), place, ruleset))
    brief.sort(reverse=True)
    found = [ActCost(repr(one), ratio) for ratio, _, one in brief[AGAIN:]]
    plain = timed(playing(PLAIN))
    for _, _, ruleset in brief[:AGAIN]:
        sample = timed(playing(ruleset))
        ratio = median([sample() / plain() for _ in range(rounds)])
        found.append(ActCost(repr(ruleset), ratio))
    return sorted(found, key=lambda one: -one.ratio)
