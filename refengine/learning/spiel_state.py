"""States with the interface of OpenSpiel states, for code written for OpenSpiel."""

from __future__ import annotations

import secrets
from typing import Final, SupportsIndex

from refengine.errors import Malformed, any_whole_number
from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import CARDS
from refengine.learning.actions import act_for, checked
from refengine.learning.episodes import Episode, Episodes, Length, chance_from
from refengine.learning.fast.choices import NUMBERS
from refengine.learning.fast.encoding import RECORD, Layout
from refengine.learning.observations import PACK_SIZE

TERMINAL: Final = -4  # as pyspiel.PlayerId.TERMINAL


class SpielGame:
    """A game that makes states: `SpielGame(ruleset).new_initial_state(seed)`.

    The parameters are those of `Episodes`. There are no chance nodes: the seed decides
    the cut, the deal and the mix.
    """

    def __init__(
        self, ruleset: Ruleset, length: Length = "deal", deal: int | None = None
    ) -> None:
        self.episodes: Final = Episodes(ruleset, length, deal)
        self._seed: Final = secrets.randbits(64)
        self._states = 0

    def new_initial_state(self, seed: SupportsIndex | None = None) -> SpielState:
        """A new episode at its first choice, the same for the same seed.

        Raises Malformed for a seed that is not a whole number, 0 or more.
        """
        self._states += 1
        chance = chance_from(self._seed, self._states)
        if seed is not None:
            chance = chance_from(seed)
        return SpielState(self, self.episodes.begun(chance))

    def num_players(self) -> int:
        """The number of seats."""
        return self.episodes.ruleset.players

    def num_distinct_actions(self) -> int:
        """The number of distinct actions: 68."""
        return NUMBERS

    def information_state_tensor_size(self) -> int:
        """The number of values in the tensor that holds an information state."""
        layout = Layout(self.num_players())
        return int(layout.sets) * PACK_SIZE + RECORD + int(layout.numbers)


class SpielState:
    """An episode with the methods of an OpenSpiel state; `apply_action` changes it.

    `episode` is the episode itself, with its `state`.
    """

    def __init__(self, game: SpielGame, episode: Episode) -> None:
        self._game: Final = game
        self._history: list[int] = []
        self._returns: Final = [0.0] * game.num_players()
        self._rewards = [0.0] * game.num_players()
        self.episode: Final = episode

    def get_game(self) -> SpielGame:
        """The game that made this state."""
        return self._game

    def current_player(self) -> int:
        """The seat that is to choose, or TERMINAL if the episode is over."""
        seat = self.episode.seat
        return TERMINAL if seat is None else seat

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.episode.seat is None

    def is_chance_node(self) -> bool:
        """False, since the seed decides everything that is left to chance."""
        return False

    def is_simultaneous_node(self) -> bool:
        """False, since the seats choose one after another, even in the pass."""
        return False

    def num_players(self) -> int:
        """The number of seats."""
        return self._game.num_players()

    def legal_actions(self, player: SupportsIndex | None = None) -> list[int]:
        """The numbers that may be chosen, ascending; none if it is not `player`'s turn.

        Raises Malformed if `player` is not a whole number.
        """
        seat = None if player is None else any_whole_number(player, "player")
        return self.episode.choices() if seat in (None, self.episode.seat) else []

    def legal_actions_mask(self, player: SupportsIndex | None = None) -> list[int]:
        """The numbers that `legal_actions` returns, as a mask of 68 ones and zeros."""
        mask = [0] * NUMBERS
        for number in self.legal_actions(player):
            mask[number] = 1
        return mask

    def apply_action(self, action: SupportsIndex) -> None:
        """Make the choice with this number.

        Raises Malformed, and changes nothing, if the number may not be chosen.
        """
        self.episode.choose(action)
        self._history.append(int(action))
        self._rewards = [0.0] * len(self._returns)
        for seat, points in enumerate(self.episode.score or ()):
            self._rewards[seat] = float(-points)
            self._returns[seat] -= points

    def child(self, action: SupportsIndex) -> SpielState:
        """The state after the choice with this number; this state stays as it is."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> SpielState:
        """A copy of the state that goes on from here with the same random numbers."""
        copied = SpielState(self._game, self.episode.copy())
        copied._history = [*self._history]
        copied._returns[:] = self._returns
        copied._rewards = [*self._rewards]
        return copied

    __copy__ = clone

    def history(self) -> list[int]:
        """The numbers chosen so far."""
        return [*self._history]

    def rewards(self) -> list[float]:
        """For each seat, minus its score if the last choice ended a deal, else 0."""
        return [*self._rewards]

    def returns(self) -> list[float]:
        """For each seat, the sum of its rewards so far."""
        return [*self._returns]

    def information_state_tensor(
        self, player: SupportsIndex | None = None
    ) -> list[float]:
        """What `player` sees, in one row; None stands for the seat that is to choose.

        It holds first the planes, row by row, then the record, and then the numbers;
        see `refengine.learning.observations`.
        Raises Malformed if nobody is to choose and no player is given, or if there is
        no such seat.
        """
        seat = self.episode.seat if player is None else player
        if seat is None:
            raise Malformed("no player", "a seat, since the episode is over", "player")
        seen = self.episode.observation(seat)
        return [float(one) for array in seen.values() for one in array.reshape(-1)]

    def action_to_string(self, player: SupportsIndex, action: SupportsIndex) -> str:
        """The act that the number stands for, as short text.

        If the pass needs more cards after this one, the result is the card itself.
        Raises Malformed if this player may not choose the number now.
        """
        episode = self.episode
        seat = any_whole_number(player, "player")
        number = checked(action, self.legal_actions(seat))
        act = act_for(episode.state, seat, number, episode.given)
        return str(CARDS[number]) if act is None else str(act)

    def __str__(self) -> str:
        return str(self.episode.state)
