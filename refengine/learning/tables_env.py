"""The environment for many tables at once, with Gymnasium's vector interface."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from refengine.errors import Malformed, shown, whole_number
from refengine.game.rulesets import Ruleset
from refengine.learning.episodes import Episodes, Length, chance_from, checked_seed
from refengine.learning.fast.choices import NUMBERS
from refengine.learning.fast.tables import Tables
from refengine.learning.observations import (
    Observation,
    array_on,
    first_bits,
    observations,
)
from refengine.learning.spaces import action_space, observation_space
from refengine.machine.random_numbers import Chance

_NONE = 255  # a choice that no table offers


class TablesEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Many tables of one ruleset; at each table, the seat that is to act chooses.

    `tables` is their number; the other parameters are those of `Episodes`. For each
    table, `info` holds `seat`, the seat that is to choose, and `action_mask`; the
    observation is what that seat sees. Rewards have a row for each table and a column
    for each seat: minus the seat's score when a deal is scored, else 0.
    When an episode is over, `seat` is -1, the mask is all zeros, and the observation is
    what the seat that chose last sees; the next step begins a new episode at that
    table, whatever the action, with rewards of 0.
    If `lazy`, the observations returned are empty, and `observation()` makes the
    current one.
    Raises whatever `Episodes` raises, and Malformed if `tables` is not a whole number,
    1 or more.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as in VectorEnv
        "autoreset_mode": AutoresetMode.NEXT_STEP
    }

    def __init__(
        self,
        ruleset: Ruleset,
        tables: int,
        length: Length = "deal",
        deal: int | None = None,
        lazy: bool = False,
    ) -> None:
        number = whole_number(tables)
        if number is None or number < 1:
            raise Malformed(shown(tables)[:40], "a whole number, 1 or more", "tables")
        self.episodes = Episodes(ruleset, length, deal)
        self.num_envs = tables = number
        self.lazy = lazy
        self.single_observation_space = observation_space(ruleset.players)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, tables)
        self.action_space = batch_space(self.single_action_space, tables)
        self._chances: list[Chance] = []
        self._begun: Tables | None = None

    @property
    def _tables(self) -> Tables:
        if self._begun is None:
            raise Malformed("no episodes", "a step after reset", "tables")
        return self._begun

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new episode at every table; there are no options.

        Each table has its own random numbers, so that the choices made at one table do
        not change the cards at another.
        Raises Malformed for a seed that is not a whole number, 0 or more.
        """
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or not self._chances:
            base = secrets.randbits(64) if seed is None else seed
            tables = range(self.num_envs)
            self._chances = [chance_from(base, table) for table in tables]
        ruleset = self.episodes.ruleset
        self._begun = Tables(
            ruleset.rules,
            self.episodes.length == "match",
            self.episodes.number,
            self._chances,
        )
        return self._seen(), self._info()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        Observation,
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Make a choice at every table, or begin a new episode where the last is over.

        Returns observation, rewards, terminations, truncations (all False) and info.
        Raises Malformed, and changes nothing anywhere, if an action is outside the mask
        of its table, if there is not one whole number for each table, or before the
        first `reset`.
        """
        chosen = self._checked(actions)
        tables = self._tables
        tables.step(chosen)
        scores = array_on(tables.scores, np.int64).reshape(self.num_envs, -1)
        ended = array_on(tables.ended, np.bool_).copy()
        never = np.zeros(self.num_envs, np.bool_)
        rewards = np.subtract(0, scores, dtype=np.float64)  # 0, and not -0.0
        return self._seen(), rewards, ended, never, self._info()

    def observation(self) -> Observation:
        """What is seen at each table by the seat that is to choose, or that chose last.

        Raises Malformed before the first `reset`.
        """
        self._tables.look()
        seats = array_on(self._tables.seen_by, np.int64)
        return observations(self._tables.rows, seats)

    def _seen(self) -> Observation:
        return {} if self.lazy else self.observation()

    def _info(self) -> dict[str, Any]:
        words = array_on(self._tables.words, np.int64)
        mask = first_bits(words.reshape(self.num_envs, -1), NUMBERS)
        seats = array_on(self._tables.seats, np.int64)
        return {"seat": seats.copy(), "action_mask": mask.view(np.int8)}

    def _checked(self, actions: NDArray[Any]) -> bytes:
        """The actions as bytes; raises Malformed if any of them is wrong."""
        try:
            found = np.asarray(actions)
        except ValueError:  # lists of different lengths
            allowed = f"{self.num_envs} whole numbers"
            raise Malformed(shown(actions)[:40], allowed, "actions") from None
        if found.shape != (self.num_envs,) or found.dtype.kind not in "iu":
            what = f"an array of {found.dtype} of shape {found.shape}"
            raise Malformed(what, f"{self.num_envs} whole numbers", "actions")
        outside = (found < 0) | (found >= NUMBERS)
        if outside.any():
            found = np.where(outside, _NONE, found)
        chosen = found.astype(np.uint8).tobytes()
        table = self._tables.wrong(chosen)
        if table >= 0:
            mask = self._info()["action_mask"][table]
            legal = ", ".join(map(str, np.flatnonzero(mask)))
            raise Malformed(f"{actions[table]}", legal, f"actions[{table}]")
        return chosen
