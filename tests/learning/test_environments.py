"""Tests of the environments, including the checks by PettingZoo and Gymnasium."""

import copy
import pickle
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from refengine import Malformed, Ruleset
from refengine.learning.actions import ActionMask
from refengine.learning.observations import Observation, view
from refengine.learning.random_policies import all_at_random, at_random
from refengine.learning.seat_env import SeatEnv
from refengine.learning.spiel_state import TERMINAL, SpielGame
from refengine.learning.table_env import TableEnv
from refengine.learning.tables_env import TablesEnv
from tests.support.refusing import malformed
from tests.support.strategies import domino, hearts

QUICK = {"hand_size": 2, "limit": 10}


def first_of(
    observation: Observation, mask: ActionMask, rng: np.random.Generator
) -> int:
    """The lowest action that the mask allows."""
    return int(mask.argmax())


# PettingZoo


@contextmanager
def expected_warnings() -> Iterator[None]:
    """Ignore the warnings that `api_test` gives about observations with a mask."""
    with warnings.catch_warnings():
        for text in ("Observation is not a NumPy array", "Observation space for each"):
            warnings.filterwarnings("ignore", text)
        yield


@pytest.mark.parametrize(
    "env",
    [
        TableEnv(Ruleset("common-hearts")),
        TableEnv(Ruleset("gamerules-domino", 3, QUICK), "match"),
    ],
    ids=["deals", "matches"],
)
def test_pettingzoo_finds_the_table_as_it_should_be(
    env: TableEnv, capsys: pytest.CaptureFixture[str]
) -> None:
    with expected_warnings():
        api_test(env, num_cycles=60)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_finds_the_same_from_the_same_seed() -> None:
    seed_test(lambda: TableEnv(Ruleset("gamerules-domino", 3, QUICK), "match"), 30)


def test_an_action_outside_the_mask_raises_and_changes_nothing() -> None:
    env = TableEnv(Ruleset("common-hearts"))
    env.reset(seed=1)
    before = (env.episode.state, env.agent_selection)
    mask = env.observe(env.agent_selection)["action_mask"]
    for wrong in (*np.flatnonzero(mask == 0), 68, -1, None):
        with pytest.raises(Malformed):
            env.step(wrong)
    assert (env.episode.state, env.agent_selection) == before


@pytest.mark.parametrize("agent", ["x", "seat_4", 0, None])
def test_an_agent_that_is_not_at_the_table_is_malformed(agent: Any) -> None:
    env = TableEnv(Ruleset("common-hearts"))
    env.reset(seed=1)
    for asked in (env.observe, env.observation_space, env.action_space):
        error = malformed(asked, agent)
        assert (error.where, error.found) == ("agent", repr(agent))
        assert error.allowed.startswith("one of seat_0, seat_1, seat_2, seat_3")


def test_each_agent_gets_minus_its_score_when_the_deal_is_scored() -> None:
    env = TableEnv(Ruleset("common-hearts"))
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    sums = dict.fromkeys(env.agents, 0.0)
    last: dict[str, float] = {}
    for agent in env.agent_iter():
        seen, reward, over, cut_short, info = env.last()
        sums[agent] += reward
        assert (cut_short, info) == (False, {})
        if over:
            assert not seen["action_mask"].any()
            last[agent] = reward
        env.step(None if over else int(all_at_random(seen["action_mask"], rng)))
    score = env.episode.state.score
    assert score is not None
    assert [*sums.values()] == [-points for points in score]
    assert last == sums
    assert env.agents == []


def test_only_who_is_to_choose_has_a_mask_and_each_sees_its_own_view() -> None:
    env = TableEnv(Ruleset("gamerules-domino", 3), "match")
    env.reset(seed=2)
    for _ in range(60):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert seen["action_mask"].any() == (agent == env.agent_selection)
            assert view(seen["observation"], seat) == env.episode.state.observe(seat)
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(mask.argmax()))


def test_a_table_is_shown_as_text() -> None:
    env = TableEnv(Ruleset("common-hearts"))
    env.reset(seed=1)
    assert env.render() == str(env.episode.state)
    env.close()


# Gymnasium


@pytest.mark.parametrize(
    "env",
    [
        SeatEnv(Ruleset("common-hearts")),
        SeatEnv(Ruleset("gamerules-domino", 3, QUICK), 2, first_of, "match"),
    ],
    ids=["deals", "matches"],
)
def test_gymnasium_finds_the_seat_as_it_should_be(env: SeatEnv) -> None:
    check_env(env, skip_render_check=True)  # there is nothing to render


def test_the_others_choose_by_their_policies() -> None:
    asked: list[bool] = []
    env: SeatEnv

    def third(seen: Observation, mask: ActionMask, rng: np.random.Generator) -> int:
        asked.append(view(seen, 2) == env.episode.state.observe(2))
        return at_random(seen, mask, rng)

    others = {0: first_of, 2: third}
    env = SeatEnv(domino(3), 1, others)
    env.reset(seed=1)
    over = False
    while not over:
        mask = env.episode.mask(1)
        _, reward, over, _, info = env.step(int(mask.argmax()))
    acts = env.episode.state.acts
    assert len(asked) == sum(act.seat == 2 for act in acts) > 0
    assert all(asked)
    score = env.episode.state.score
    assert score is not None
    assert reward == -score[1]
    assert not info["action_mask"].any()


def test_a_refused_action_changes_nothing_and_is_said() -> None:
    env = SeatEnv(Ruleset("common-hearts"), 3)
    seen, info = env.reset(seed=1)
    assert not info["refused"]
    for wrong in (*np.flatnonzero(info["action_mask"] == 0), 68, -1):
        again, reward, over, cut_short, more = env.step(wrong)
        assert all(np.array_equal(again[name], seen[name]) for name in seen)
        assert (reward, over, cut_short, more["refused"]) == (0, False, False, True)
        assert np.array_equal(more["action_mask"], info["action_mask"])
    *_, more = env.step(info["action_mask"].argmax())
    assert not more["refused"]


def test_in_a_match_the_rewards_add_up_to_minus_the_total() -> None:
    env = SeatEnv(hearts(3, deals=4), 1, length="match")
    _, info = env.reset(seed=6)
    total, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(info["action_mask"].argmax())
        total += reward
    assert total == -env.episode.state.totals[1]


def test_without_a_seed_chance_goes_on() -> None:
    env, again = SeatEnv(domino(2)), SeatEnv(domino(2))
    first, second = env.reset(seed=1)[0], env.reset()[0]
    assert not np.array_equal(first["planes"], second["planes"])
    assert np.array_equal(first["planes"], again.reset(seed=1)[0]["planes"])
    assert np.array_equal(second["planes"], again.reset()[0]["planes"])


@pytest.mark.parametrize("seat", [-1, 4, "0", None])
def test_a_seat_has_to_be_at_the_table(seat: Any) -> None:
    with pytest.raises(Malformed, match="a seat from 0 to 3"):
        SeatEnv(Ruleset("common-hearts"), seat)


@pytest.mark.parametrize("kind", [SeatEnv, TableEnv])
def test_before_the_first_reset_there_is_no_episode(kind: Any) -> None:
    env = kind(Ruleset("common-hearts"))
    with pytest.raises(Malformed, match="one that reset has begun"):
        env.step(0)


def test_so_it_is_at_many_tables() -> None:
    with pytest.raises(Malformed, match="a step after reset"):
        TablesEnv(domino(2), 2).step(np.zeros(2, np.int64))


@pytest.mark.parametrize("action", ["a", 1.5, None, True])
def test_what_is_no_number_is_no_action(action: Any) -> None:
    env = SeatEnv(Ruleset("common-hearts"))
    env.reset(seed=1)
    with pytest.raises(Malformed, match="a whole number"):
        env.step(action)


def test_after_the_end_there_is_no_action() -> None:
    env = SeatEnv(Ruleset("common-hearts"), deal=4)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        *_, over, _, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(Malformed, match="found an action after the end"):
        env.step(0)


@pytest.mark.parametrize("seed", [-1, "a", 1.5])
def test_a_wrong_seed_is_malformed_everywhere(seed: Any) -> None:
    for env in (SeatEnv(domino(2)), TableEnv(domino(2)), TablesEnv(domino(2), 2)):
        with pytest.raises(Malformed, match="a whole number, 0 or more"):
            env.reset(seed=seed)


def test_numbers_of_numpy_are_whole_numbers() -> None:
    env = SeatEnv(domino(2), np.int64(1))  # type: ignore[arg-type]  # as it comes
    seen, _ = env.reset(seed=np.int64(1))  # type: ignore[arg-type]  # as it comes
    again, _ = SeatEnv(domino(2), 1).reset(seed=1)
    assert np.array_equal(seen["planes"], again["planes"])
    assert env.seat == 1


def copied(value: Any) -> list[Any]:
    return [copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


def test_an_environment_that_is_copied_goes_on_alike() -> None:
    env = SeatEnv(domino(2), others=at_random, length="match")
    _, info = env.reset(seed=3)
    for _ in range(5):
        *_, info = env.step(int(info["action_mask"].argmax()))
    envs, infos = [env, *copied(env)], [info] * 3
    for _ in range(60):
        told = [
            one.step(int(mask["action_mask"].argmax()))
            for one, mask in zip(envs, infos, strict=True)
        ]
        infos = [more for *_, more in told]
        assert len({one.episode.state for one in envs}) == 1
        if told[0][2]:
            break
    assert len({str(one.reset()[0]) for one in envs}) == 1


def test_a_table_that_is_copied_goes_on_alike() -> None:
    env = TableEnv(Ruleset("common-hearts"))
    env.reset(seed=3)
    tables = [env, *copied(env)]
    for _ in range(60):
        for table in tables:
            mask = table.observe(table.agent_selection)["action_mask"]
            table.step(int(mask.argmax()))
        assert len({one.episode.state for one in tables}) == 1
    for table in tables:
        table.reset()
    assert len({one.episode.state for one in tables}) == 1


def in_bytes(arrays: dict[str, Any]) -> list[bytes]:
    return [array.tobytes() for array in arrays.values()]


@pytest.mark.parametrize(
    "ruleset", [domino(2), Ruleset("common-hearts"), Ruleset("spot-hearts")], ids=repr
)
def test_many_tables_that_are_copied_go_on_alike(ruleset: Ruleset) -> None:
    """Copied in a pass, in play or after a draw, tables go on into the next deal."""
    env = TablesEnv(ruleset, 3, length="match")
    info = env.reset(seed=5)[1]
    for _ in range(4):
        for _ in range(23):
            info = env.step(info["action_mask"].argmax(axis=1))[-1]
        before = in_bytes(env.observation())
        copies, mask = copied(env), info["action_mask"]
        for _ in range(70):
            told = [one.step(mask.argmax(axis=1)) for one in copies]
            mask = told[0][-1]["action_mask"]
            for seen, rewards, *_, more in told[1:]:
                assert in_bytes(seen) == in_bytes(told[0][0])
                assert rewards.tolist() == told[0][1].tolist()
                assert in_bytes(more) == in_bytes(told[0][-1])
        assert in_bytes(env.observation()) == before
    for _ in range(70):
        info = env.step(info["action_mask"].argmax(axis=1))[-1]
    assert in_bytes(info) == in_bytes(told[0][-1])
    envs = (env, *copies)
    assert len({str(in_bytes(one.reset()[0])) for one in envs}) == 1


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
def test_a_state_that_is_copied_goes_its_own_way(how: Any) -> None:
    state = SpielGame(Ruleset("common-hearts"), "match").new_initial_state(1)
    before = state.history()
    for other in (how(state), pickle.loads(pickle.dumps(state))):
        while len(other.history()) < 200:
            other.apply_action(other.legal_actions()[0])
        assert state.history() == before
        again = state.clone()
        for action in other.history():
            again.apply_action(action)
        assert again.episode.state == other.episode.state


def test_at_the_end_a_tensor_needs_a_player() -> None:
    state = SpielGame(Ruleset("common-hearts"), deal=4).new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(Malformed, match="player: found no player"):
        state.information_state_tensor()
    assert len(state.information_state_tensor(0)) > 0


@pytest.mark.parametrize("others", ["random", {1: first_of, 2: first_of, 3: 3}])
def test_a_policy_is_a_function(others: Any) -> None:
    with pytest.raises(Malformed, match="a policy for seat"):
        SeatEnv(Ruleset("common-hearts"), 0, others)


@pytest.mark.parametrize("env", [SeatEnv, TableEnv, SpielGame])
def test_a_profile_is_no_ruleset_of_an_environment(env: Any) -> None:
    with pytest.raises(Malformed, match="a Ruleset, such as"):
        env("common-hearts")


def test_every_other_seat_needs_a_policy() -> None:
    with pytest.raises(Malformed, match="a policy for seat 3"):
        SeatEnv(Ruleset("common-hearts"), 0, {1: first_of, 2: first_of})


def test_a_policy_has_to_keep_to_its_mask() -> None:
    env = SeatEnv(Ruleset("common-hearts"), 3, lambda seen, mask, rng: 52, deal=1)
    with pytest.raises(Malformed, match="action: found 52"):
        env.reset(seed=1)


def test_at_random_is_any_of_the_mask_with_the_same_chance() -> None:
    """Chi-squared with 2 degrees of freedom is at most 27.6 at a level of 10^-6."""
    masks = np.zeros((3001, 68), np.int8)
    masks[:3000, [3, 40, 67]] = 1
    rng = np.random.default_rng(1)
    *many, none = all_at_random(masks, rng).tolist()
    assert none == 0
    for chosen in (many, [at_random({}, masks[0], rng) for _ in range(3000)]):
        found = Counter(chosen)
        assert set(found) == {3, 40, 67}
        assert sum((times - 1000) ** 2 / 1000 for times in found.values()) < 27.6


# OpenSpiel's shape


def test_a_state_goes_as_code_for_openspiel_expects() -> None:
    game = SpielGame(Ruleset("common-hearts"), deal=1)
    assert (game.num_players(), game.num_distinct_actions()) == (4, 68)
    state = game.new_initial_state(3)
    assert state.get_game() is game
    while not state.is_terminal():
        assert not state.is_chance_node()
        assert not state.is_simultaneous_node()
        assert state.num_players() == game.num_players()
        player = state.current_player()
        actions = state.legal_actions()
        assert actions == state.legal_actions(player) == sorted(actions)
        assert state.legal_actions((player + 1) % 4) == []
        mask = state.legal_actions_mask()
        assert [at for at, bit in enumerate(mask) if bit] == actions
        assert not any(state.legal_actions_mask((player + 1) % 4))
        child, before = state.child(actions[-1]), str(state)
        assert (child.history(), str(state)) == (
            [*state.history(), actions[-1]],
            before,
        )
        state.apply_action(actions[-1])
        assert state.history() == child.history()
        assert str(state) == str(child)
    assert state.current_player() == TERMINAL
    assert state.legal_actions() == []
    score = state.episode.state.score
    assert score is not None
    assert state.returns() == state.rewards() == [-points for points in score]
    assert len(state.history()) == 12 + 52


def test_returns_add_up_over_a_match() -> None:
    state = SpielGame(hearts(2, deals=2), "match").new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    copied = state.clone()
    assert copied.returns() == state.returns()
    assert state.returns() == [-total for total in state.episode.state.totals]
    assert state.rewards() != state.returns()


def test_a_tensor_is_the_observation_in_one_row() -> None:
    game = SpielGame(domino(3))
    state = game.new_initial_state(1)
    player = state.current_player()
    tensor = state.information_state_tensor()
    assert tensor == state.information_state_tensor(player)
    assert len(tensor) == game.information_state_tensor_size()
    seen = state.episode.observation(player)
    assert tensor == np.concatenate([one.reshape(-1) for one in seen.values()]).tolist()
    assert tensor != state.information_state_tensor((player + 1) % 3)


def test_an_action_is_named_as_its_act() -> None:
    state = SpielGame(Ruleset("common-hearts"), deal=1).new_initial_state(1)
    cards = state.legal_actions()[:3]
    names = []
    for card in cards:
        names.append(state.action_to_string(0, card))
        state.apply_action(card)
    assert names[2] == str(state.episode.state.acts[-1])
    assert names[2].split()[:3] == ["pass", *names[:2]]
    with pytest.raises(Malformed):
        state.action_to_string(0, cards[0])


def test_only_an_action_of_the_player_in_turn_has_a_name() -> None:
    """During a pass, every seat has cards to pass, but seat 0 is the first to act."""
    state = SpielGame(Ruleset("common-hearts"), deal=1).new_initial_state(1)
    other = next(iter(state.episode.state.hands[1])).number
    for player in (1, 4, TERMINAL):
        with pytest.raises(Malformed, match="action"):
            state.action_to_string(player, other)


def test_states_of_one_game_are_dealt_apart() -> None:
    game = SpielGame(Ruleset("common-hearts"))
    assert str(game.new_initial_state(1)) == str(game.new_initial_state(1))
    assert len({str(game.new_initial_state()) for _ in range(6)}) == 6


def test_who_takes_nothing_is_paid_a_plain_nought() -> None:
    """A reward of minus zero would show in every log of rewards."""
    spiel = SpielGame(hearts(2), "deal").new_initial_state(3)
    while not spiel.is_terminal():
        spiel.apply_action(spiel.legal_actions()[0])
    table = TableEnv(hearts(2))
    table.reset(seed=3)
    while not all(table.terminations.values()):
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    one = SeatEnv(hearts(2))
    _, info = one.reset(seed=3)
    rewards = [one.step(info["action_mask"].argmax())[1]]
    for paid in (spiel.rewards(), [*table.rewards.values()], rewards):
        assert 0 in paid
        assert "-0.0" not in str(paid)
