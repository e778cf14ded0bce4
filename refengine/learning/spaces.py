"""The Gymnasium spaces of actions and observations."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from refengine.learning.fast.choices import NUMBERS
from refengine.learning.observations import PACK_SIZE, numbers, planes


def action_space() -> Discrete:
    """The space of the 68 action numbers."""
    return Discrete(NUMBERS)


def observation_space(players: int) -> Dict:
    """The space of observations, each of three arrays, for this number of players."""
    rows = max(place.stop for place in planes(players).values())
    length = max(place.stop for place in numbers(players).values())
    whole = np.iinfo(np.int32)
    return Dict(
        {
            "planes": Box(0, 1, (rows, PACK_SIZE), np.uint8),
            "record": Box(0, PACK_SIZE, (3, PACK_SIZE), np.uint8),
            "numbers": Box(whole.min, whole.max, (length,), np.int32),
        }
    )


def mask_space() -> Box:
    """The space of masks for the 68 action numbers."""
    return Box(0, 1, (NUMBERS,), np.int8)
