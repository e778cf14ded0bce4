"""The engine beside a second one, written from the rules alone, act by act."""

from random import Random

import pytest

from refengine import Act, Cut, Draw, Match, Setup, State
from refengine.formats.fields import act_fields, due_fields, state_fields
from refengine_conformance.generators.strategies import may_be_found
from tests.support.oracle import Oracle
from tests.support.second_opinion import oracle_of
from tests.support.strategies import (
    moments,
    some_act,
    some_opening,
    verdict_name,
)

pytestmark = pytest.mark.unmeasured

LONGEST = 250
STARTS = {"setup": 0, "match": 1, "position": 2}


def check_fields(state: State, oracle: Oracle) -> None:
    assert due_fields(state.legal.due) == oracle.legal()
    ours, theirs = state_fields(state), oracle.observe()
    drew = theirs.pop("drew", None)
    if state.acts and isinstance(state.acts[-1], Draw):
        assert ours["drew"] == drew
    ours.pop("drew", None)
    if "cut" not in theirs:
        assert not any(ours.pop("cut", ()))
    assert ours == theirs


def judged_by(oracle: Oracle, act: Act) -> str:
    if isinstance(act, Cut) and oracle.single:
        return "refused"  # there is no cut in a deal as found, and no pack to cut
    return oracle.judge(act.seat, act_fields(act))


def play_in_lockstep(state: State, rng: Random) -> int:
    oracle = oracle_of(state)
    check_fields(state, oracle)
    acts = 0
    while acts < LONGEST:
        for _ in range(2):
            act = some_act(rng, state)
            verdict = verdict_name(state, act)
            assert verdict == judged_by(oracle, act), act
            if verdict != "refused" and rng.random() < 0.5:
                acts += 1
                state = state.apply(act)
                oracle.step(act.seat, act_fields(act))
                check_fields(state, oracle)
        if state.over:
            return acts
        acts += 1
        act = state.random_act(rng)
        state = state.apply(act)
        assert oracle.step(act.seat, act_fields(act)) == "legal"
        check_fields(state, oracle)
    return acts


def position_out_of(state: State, rng: Random) -> State:
    found = [state]
    for moment in moments(state, rng, rng.randint(1, 60), wild=0.0):
        if may_be_found(moment):
            found.append(State.open(moment.ruleset, Setup.of(moment)))
    return found[-1]


def beginning(seed: int) -> tuple[State, Random]:
    rng = Random(seed)
    state = some_opening(
        rng, revokes=rng.choice(["penalised", "penalised", "rejected"])
    )
    if seed % 4 == 0:
        state = position_out_of(state, rng)
    return state, rng


@pytest.mark.parametrize("block", range(15))
def test_both_engines_agree_on_every_act_of_random_games(block: int) -> None:
    acts = 0
    for seed in range(block * 100, block * 100 + 100):
        state, rng = beginning(seed)
        acts += play_in_lockstep(state, rng)
    assert acts > 2_000


@pytest.mark.slow
@pytest.mark.parametrize("block", range(100))
def test_both_engines_agree_on_many_more_games(block: int) -> None:
    for seed in range(10_000 + block * 200, 10_000 + block * 200 + 200):
        state, rng = beginning(seed)
        play_in_lockstep(state, rng)


def test_the_games_compared_cover_every_kind_of_beginning() -> None:
    openings = [beginning(seed)[0] for seed in range(200)]
    positions = [
        state
        for state in openings
        if isinstance(state.start, Setup) and state.start.leader is not None
    ]
    matches = [state for state in openings if isinstance(state.start, Match)]
    assert len(positions) >= 30
    assert len(matches) >= 30
    assert any(state.start.pack for state in matches if isinstance(state.start, Match))
    assert {state.ruleset.players for state in openings} >= set(range(2, 11))
    assert any(state.core.position and state.core.position.table for state in positions)
