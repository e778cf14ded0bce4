"""Learn by trial how soon to play high cards, hearts and the queen."""

import numpy as np
from numpy.typing import NDArray

from refengine import Ruleset
from refengine.learning.random_policies import all_at_random
from refengine.learning.tables_env import TablesEnv

RULESET = Ruleset("common-hearts")
LEARNER = 0
CARDS = np.arange(52)  # in the order of the book: clubs, diamonds, spades, hearts
FEATURES = np.stack([CARDS % 13 / 12, CARDS // 13 == 3, CARDS == 36], axis=1)
Numbers = NDArray[np.float64]


def points(weights: Numbers, tables: int, seed: int) -> float:
    """The average cost of a deal to seat 0 if it plays its legal card of least weight.

    The other seats choose at random. The same seed deals the same cards.
    """
    env = TablesEnv(RULESET, tables, deal=4, lazy=True)  # deal 4 has no pass
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    weighed = FEATURES @ weights
    total = np.zeros(tables)
    playing = np.ones(tables, np.bool_)
    while playing.any():
        mask = info["action_mask"]
        actions = all_at_random(mask, rng)
        best = np.where(mask[:, :52] > 0, weighed, np.inf).argmin(axis=1)
        actions = np.where(info["seat"] == LEARNER, best, actions)
        _, rewards, ended, _, info = env.step(actions)
        total[playing] -= rewards[playing, LEARNER]
        playing &= ~ended  # where a deal has ended, another begins, not counted
    return float(total.mean())


def learn(tries: int, tables: int, seed: int) -> Numbers:
    """The best of `tries` random sets of weights, all tried on the same deals."""
    rng = np.random.default_rng(seed)
    tried = rng.normal(size=(tries, FEATURES.shape[1]))
    return np.asarray(min(tried, key=lambda one: points(one, tables, seed)))


if __name__ == "__main__":
    found = learn(tries=6, tables=128, seed=1)
    print("rank, hearts, queen:", found.round(2))
    print("points of a deal, other cards:", points(found, 256, seed=2))
