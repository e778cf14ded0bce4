"""The Gymnasium environment for one seat, with policies for the other seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import gymnasium
import numpy as np

from refengine.errors import Malformed, any_whole_number, shown
from refengine.game.rulesets import Ruleset
from refengine.game.values.masks import seat_given
from refengine.learning.episodes import (
    Episode,
    Episodes,
    Length,
    chance_from,
    checked_seed,
)
from refengine.learning.observations import Observation
from refengine.learning.random_policies import Policy, at_random
from refengine.learning.spaces import action_space, observation_space
from refengine.machine.random_numbers import Chance


def _to_policy(given: object, seat: int) -> Policy:
    if not callable(given):
        raise Malformed(shown(given)[:40], f"a policy for seat {seat}", "others")
    return cast(Policy, given)


class SeatEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One seat of a table, against policies at the other seats.

    `others` is one policy for all other seats, or a mapping from each seat to its own.
    The other parameters are those of `Episodes`. `info` holds the `action_mask` of the
    seat, and `refused`: whether the action was outside the mask. If it was, nothing has
    changed, as with any act that is refused (0.10), and the reward is 0. When a deal is
    scored, the reward is minus the seat's score; otherwise it is 0.
    Raises whatever `Episodes` raises, and Malformed for a seat that is not at the table
    or a policy that is missing or cannot be called.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  # as in Env

    def __init__(
        self,
        ruleset: Ruleset,
        seat: int = 0,
        others: Policy | Mapping[int, Policy] = at_random,
        length: Length = "deal",
        deal: int | None = None,
    ) -> None:
        self.episodes = Episodes(ruleset, length, deal)
        players = ruleset.players
        self.seat = seat = seat_given(seat, players)
        self.policies: dict[int, Policy] = {}
        for other in range(players):
            if other != seat:
                given = others.get(other) if isinstance(others, Mapping) else others
                self.policies[other] = _to_policy(given, other)
        self.observation_space = observation_space(players)
        self.action_space = action_space()
        self._chance: Chance | None = None
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The episode in progress; raises Malformed before the first `reset`."""
        if self._episode is None:
            raise Malformed("no episode", "one that reset has begun", "episode")
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new episode at the seat's first choice; there are no options.

        The same seed gives the same cards, and gives the policies the same random
        numbers; without a seed, the random numbers continue where they left off.
        Raises Malformed if the seed is not a whole number, 0 or more, or if a policy
        chooses outside its mask.
        """
        seed = checked_seed(seed)
        super().reset(seed=seed)
        if seed is not None or self._chance is None:
            self._chance = chance_from(seed)
        self._episode = self.episodes.begun(self._chance)
        self._others_choose()
        return self._seen(), self._info(refused=False)

    def step(
        self, action: int | np.int64
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take this action and go on to the next choice of the seat or to the end.

        Raises Malformed if the action is not a whole number, if there has been no
        `reset`, if the episode is over, or if a policy chooses outside its mask.
        """
        number = any_whole_number(action, "action")
        if self.episode.seat is None:
            raise Malformed("an action after the end", "reset", "action")
        refused = number not in self.episode.choices()
        points = 0 if refused else self._choose(number) + self._others_choose()
        over = self.episode.seat is None
        return self._seen(), float(-points), over, False, self._info(refused=refused)

    def _choose(self, action: int | np.int64) -> int:
        self.episode.choose(action)
        score = self.episode.score
        return score[self.seat] if score is not None else 0

    def _others_choose(self) -> int:
        """Let the other seats choose, and return what `self.seat` scores meanwhile."""
        points = 0
        while (other := self.episode.seat) not in (None, self.seat):
            seen, mask = self.episode.observation(other), self.episode.mask(other)
            points += self._choose(self.policies[other](seen, mask, self.np_random))
        return points

    def _seen(self) -> Observation:
        return self.episode.observation(self.seat)

    def _info(self, refused: bool) -> dict[str, Any]:
        return {"action_mask": self.episode.mask(self.seat), "refused": refused}
