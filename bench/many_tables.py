"""The environment of many tables, timed against OpenSpiel as used from Python."""

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
    """Random choices for every step of the deals, and how many choices there are.

    Choosing is not part of what is measured, on either side.
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
    """A task that times a choice, including the reset, dealing, masks and rewards."""

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
    """States before the opening lead, each with the actions that play its deal out."""
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
    """A task that times a play together with a look at the state before it.

    The games have been dealt beforehand; each is played `times` times.
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
    """Ask a state what may be played, as a list and as a mask."""
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
