"""Times the environment that plays many tables at once, and OpenSpiel for comparison.

OpenSpiel is called from Python, one game after another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from time import process_time
from typing import Any

import numpy as np

from bench import positions
from bench.measuring import Task
from refengine.learning.random_policies import all_at_random
from refengine.learning.tables_env import TablesEnv

TABLES = 1024
DEALS = 8  # at each table
SEED = 2026
GAMES = 20  # played in OpenSpiel


@cache
def recorded() -> tuple[tuple[Any, ...], int]:
    """Random actions for every step of the environment, and the number of plays made.

    They are chosen beforehand, so that the time for choosing them is not measured.
    """
    env = TablesEnv(positions.RULESET, TABLES, lazy=True)
    info = env.reset(seed=SEED)[1]
    rng = np.random.default_rng(SEED)
    actions, plays = [], 0
    for _ in range(DEALS * 53):  # 52 plays, and the step that deals again
        plays += int((info["seat"] >= 0).sum())
        actions.append(all_at_random(info["action_mask"], rng))
        info = env.step(actions[-1])[-1]
    return tuple(actions), plays


def ours(name: str, lazy: bool) -> Task:
    """A task that times our environment, in seconds per card played.

    The time includes the reset, dealing, the masks of legal cards, and the rewards. If
    `lazy` is true, what each seat sees is left out.
    """

    def sample() -> float:
        actions, plays = recorded()
        env = TablesEnv(positions.RULESET, TABLES, lazy=lazy)
        begun = process_time()
        env.reset(seed=SEED)
        for chosen in actions:
            env.step(chosen)
        return (process_time() - begun) / plays

    return Task(name, sample)


@cache
def their_games() -> tuple[tuple[Any, tuple[int, ...]], ...]:
    """OpenSpiel states before the opening lead, each with random plays to the end."""
    chance = Random(SEED).random
    found = []
    for seed in range(GAMES):
        begun = positions.theirs(seed)
        state, actions = begun.clone(), []
        while not state.is_terminal():
            legal = state.legal_actions()
            actions.append(legal[int(chance() * len(legal))])
            state.apply_action(actions[-1])
        found.append((begun, tuple(actions)))
    return tuple(found)


def theirs(name: str, look: Callable[[Any], object], times: int) -> Task:
    """A task that times OpenSpiel: a call of `look` and then a play, for every card.

    The cards to play were chosen beforehand, by `their_games`. Each of those games is
    played `times` times.
    """

    def sample() -> float:
        games = [(one.clone(), to) for one, to in their_games() * times]
        begun = process_time()
        for state, actions in games:
            for action in actions:
                look(state)
                state.apply_action(action)
        return (process_time() - begun) / sum(len(actions) for _, actions in games)

    return Task(name, sample)


def look_at_masks(state: Any) -> None:
    """Ask an OpenSpiel state for the legal actions, both as a list and as a mask."""
    state.legal_actions()
    state.legal_actions_mask()


seen = ours("1,024 tables, with what is seen", lazy=False)
unseen = ours("1,024 tables, without", lazy=True)
their_views = theirs(
    "OpenSpiel, apply_action() and information_state_tensor()",
    lambda state: state.information_state_tensor(),
    1,
)
their_masks = theirs(
    "OpenSpiel, apply_action(), legal_actions() and legal_actions_mask()",
    look_at_masks,
    20,
)
