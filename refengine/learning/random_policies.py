"""Policies: functions that choose for a seat, here at random among allowed actions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from refengine.learning.actions import ActionMask
from refengine.learning.observations import Observation

Policy = Callable[[Observation, ActionMask, np.random.Generator], int]
"""A function that chooses one of the numbers in the mask.

The generator belongs to the environment, so a policy that takes all its random numbers
from it makes the same choices again from the same seed.
"""


def at_random(
    observation: Observation, mask: ActionMask, rng: np.random.Generator
) -> int:
    """A random number among those that the mask allows, all of them equally likely."""
    allowed = np.flatnonzero(mask)
    return int(allowed[rng.integers(len(allowed))])


def all_at_random(masks: ActionMask, rng: np.random.Generator) -> NDArray[np.int64]:
    """A random number from each row of `masks`, or 0 for a row that allows none."""
    chances = (1 - rng.random(masks.shape, np.float32)) * masks  # never 0 by chance
    found: NDArray[np.int64] = chances.argmax(axis=-1)
    return found
