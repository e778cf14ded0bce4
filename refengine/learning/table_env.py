"""The PettingZoo environment for all seats, whose agents act in turn."""

from __future__ import annotations

from typing import Any, ClassVar

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from refengine.errors import Malformed, one_of, shown
from refengine.game.rulesets import Ruleset
from refengine.learning.episodes import Episode, Episodes, Length, chance_from
from refengine.learning.spaces import action_space, mask_space, observation_space
from refengine.machine.random_numbers import Chance


class TableEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A table with an agent for each seat, `seat_0` and so on.

    An observation has `observation`, the arrays of `refengine.learning.observations`,
    and `action_mask`, which is all zeros for a seat that is not to choose. When a deal
    is scored, the reward of each agent is minus its score; otherwise it is 0.
    The parameters are those of `Episodes`. `reset(seed)` deals the same cards for the
    same seed; without a seed, the random numbers continue where they left off.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "refengine_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, ruleset: Ruleset, length: Length = "deal", deal: int | None = None
    ) -> None:
        super().__init__()
        self.render_mode = "ansi"
        self.episodes = Episodes(ruleset, length, deal)
        self.possible_agents = [f"seat_{seat}" for seat in range(ruleset.players)]
        self.agents: list[str] = []
        self._chance: Chance | None = None
        self._episode: Episode | None = None
        self._spaces = [
            Dict(
                {
                    "observation": observation_space(ruleset.players),
                    "action_mask": mask_space(),
                }
            )
            for _ in self.possible_agents
        ]
        self._actions = [action_space() for _ in self.possible_agents]

    @property
    def episode(self) -> Episode:
        """The episode in progress; raises Malformed before the first `reset`."""
        if self._episode is None:
            raise Malformed("no episode", "one that reset has begun", "episode")
        return self._episode

    def observation_space(self, agent: str) -> Dict:
        """The space of what an agent sees, the same object on every call.

        Raises Malformed if there is no such agent.
        """
        return self._spaces[self._seat_of(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The space of an agent's actions, the same object on every call.

        Raises Malformed if there is no such agent.
        """
        return self._actions[self._seat_of(agent)]

    def _seat_of(self, agent: object) -> int:
        for seat, one in enumerate(self.possible_agents):
            if one == agent:
                return seat
        agents = one_of(self.possible_agents, agent)
        raise Malformed(shown(agent)[:40], agents, "agent")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> None:
        """Begin a new episode; there are no options.

        Raises Malformed for a seed that is not a whole number, 0 or more.
        """
        if seed is not None or self._chance is None:
            self._chance = chance_from(seed)
        self._episode = self.episodes.begun(self._chance)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._agent_to_choose()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees and may choose at this moment.

        Raises Malformed if there is no such agent.
        """
        seat = self._seat_of(agent)
        return {
            "observation": self.episode.observation(seat),
            "action_mask": self.episode.mask(seat),
        }

    def step(self, action: int | None) -> None:
        """Take this action for the agent in `agent_selection`.

        Raises Malformed, and changes nothing, if the action is outside the agent's mask
        or if there has been no `reset`. Once the episode is over, the only action
        allowed is None.
        """
        episode = self.episode
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        episode.choose(action)
        self._cumulative_rewards[agent] = 0.0
        score = episode.score or (0,) * len(self.possible_agents)
        over = episode.seat is None
        for agent, points in zip(self.possible_agents, score, strict=True):
            self.rewards[agent] = float(-points)
            self.terminations[agent] = over
        self._accumulate_rewards()
        self.agent_selection = self._agent_to_choose()

    def render(self) -> str:
        """The table as text, with all hands shown."""
        return str(self.episode.state)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _agent_to_choose(self) -> str:
        seat = self.episode.seat
        return self.agent_selection if seat is None else self.possible_agents[seat]
