"""The games that the benchmarks play and replay."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any, Final

from refengine import WHOLE_PACK, CardSet, Ruleset, Setup, State
from refengine.formats.fields import legal_fields, normal_state_fields
from refengine.formats.generate import Manner, random_traces
from refengine.formats.logs import write_log
from refengine.formats.trace import Step, Trace, write_trace
from refengine.game.shuffling import shuffled

DEALS: Final = 20
RULESET: Final = Ruleset("openspiel-hearts", 4, {"pass_cycle": []})
_PACK: Final = tuple(WHOLE_PACK)  # by number


def dealt(seed: int) -> tuple[tuple[int, ...], ...]:
    """Four hands dealt from a shuffled pack, as the numbers of their cards."""
    pack = [card.number for card in shuffled(WHOLE_PACK, Random(seed))]
    return tuple(tuple(pack[seat::4]) for seat in range(4))


def state_of(seed: int) -> State:
    """The deal with this seed, without a pass, before its opening lead."""
    hands = [CardSet(_PACK[number] for number in hand) for hand in dealt(seed)]
    return State.open(RULESET, Setup(dealer=3, hands=hands))


@cache
def states() -> tuple[State, ...]:
    """Twenty deals, each before its opening lead."""
    return tuple(state_of(seed) for seed in range(DEALS))


def their_number(number: int) -> int:
    """A card's number in OpenSpiel: rank * 4 + suit, the suits in the order C D H S."""
    suit = (0, 1, 3, 2)[number // 13]
    return number % 13 * 4 + suit


@cache
def openspiel() -> Any:
    """OpenSpiel's game `hearts`, with passing turned off."""
    import pyspiel  # late: it must not add to the memory that `growth` measures

    return pyspiel.load_game("hearts", {"pass_cards": False})


def theirs(seed: int) -> Any:
    """An OpenSpiel state for the same deal as `state_of` returns for this seed."""
    state = openspiel().new_initial_state()
    state.apply_action(0)  # no pass
    hands = dealt(seed)
    for place in range(52):
        state.apply_action(their_number(hands[place % 4][place // 4]))
    return state


def trace_of(seed: int) -> Trace:
    """A deal played at random, with its score and what was legal at every step."""
    rng = Random(seed)
    state = state_of(seed)
    start = state.start
    steps: list[Step] = []
    while not state.over:
        act = state.random_act(rng)
        steps.append(Step(act, legal_fields(state)))
        state = state.apply(act)
    seen = normal_state_fields(state)
    end = {name: seen[name] for name in ("points", "score", "totals", "over")}
    return Trace(ruleset=RULESET, start=start, steps=tuple(steps), end=end)


@cache
def traces() -> tuple[bytes, ...]:
    """Two hundred deals as full traces, one line for each."""
    return tuple(write_trace(trace_of(seed)) for seed in range(200))


@cache
def matches() -> tuple[bytes, ...]:
    """Three matches as `refengine generate` writes them, with what each act changes."""
    found = random_traces(Ruleset("estmesh-hearts"), 3, 1, Manner())
    return tuple(write_trace(trace) for trace in found)


@cache
def played() -> tuple[State, ...]:
    """The final positions of the deals in `traces`."""
    found: list[State] = []
    for seed in range(200):
        rng = Random(seed)
        state = state_of(seed)
        while not state.over:
            state = state.apply(state.random_act(rng))
        found.append(state)
    return tuple(found)


@cache
def logs() -> tuple[bytes, ...]:
    """The deals of `traces` as compact logs."""
    return tuple(write_log(state) for state in played())


@cache
def logs_of_others() -> tuple[bytes, ...]:
    """The deals of `traces` as another program might log them.

    The keys come in another order, with spaces between them; the cards of each hand are
    in random order, and the seat of each play is given.
    """
    found: list[bytes] = []
    for seed, state in enumerate(played()):
        plain = json.loads(write_log(state))
        hands = [shuffled(hand, Random(seed)) for hand in state_of(seed).hands]
        plain["setup"]["hands"] = [" ".join(map(str, hand)) for hand in hands]
        plain["setup"] = dict(reversed(plain["setup"].items()))
        plain["seats"] = [act.seat for act in state.acts]
        found.append(json.dumps(dict(reversed(plain.items()))).encode())
    return tuple(found)


@cache
def minis() -> tuple[State, ...]:
    """Twenty small deals: three cards for each of four seats."""
    found: list[State] = []
    for seed in range(DEALS):
        pack = shuffled(WHOLE_PACK, Random(f"mini {seed}"))[:12]
        hands = [CardSet(pack[seat::4]) for seat in range(4)]
        found.append(State.open(RULESET, Setup(dealer=3, hands=hands)))
    return tuple(found)
