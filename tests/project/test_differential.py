"""Tests that compare the engine, act by act, with one written from the rules alone."""

from random import Random

import pytest

from refengine import Match, Setup, State
from tests.support.lockstep import play_in_lockstep, position_out_of
from tests.support.strategies import some_opening

pytestmark = pytest.mark.unmeasured


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
    openings = [beginning(seed)[0] for seed in range(600)]
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
