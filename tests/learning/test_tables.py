"""Tests that many tables stepped together each play as one alone would."""

from random import Random
from typing import Any

import numpy as np
import pytest

from refengine import Malformed, Refused, Ruleset, new_deal, profile_names
from refengine.learning.episodes import chance_from
from refengine.learning.tables_env import TablesEnv
from tests.support.strategies import some_ruleset

SEED = 2026
ENOUGH = 120  # steps: no deal of a profile takes more, were the whole stock drawn


def same_as_episodes(env: TablesEnv, seed: int, steps: int, rng: Random) -> int:
    """Compare each table with an episode played alone; count the deals scored."""
    seen, info = env.reset(seed=seed)
    chances = [chance_from(seed, table) for table in range(env.num_envs)]
    episodes = [env.episodes.begun(chance) for chance in chances]
    chose = [episode.seat for episode in episodes]
    scored = 0
    for _ in range(steps):
        for table, episode in enumerate(episodes):
            seat = episode.seat
            assert info["seat"][table] == (-1 if seat is None else seat)
            allowed = episode.choices()
            assert np.flatnonzero(info["action_mask"][table]).tolist() == allowed
            looks = chose[table] if seat is None else seat
            assert looks is not None
            for name, array in episode.observation(looks).items():
                assert np.array_equal(seen[name][table], array), name
        actions = [rng.choice(one.choices() or [0]) for one in episodes]
        seen, rewards, ended, cut_short, info = env.step(np.array(actions))
        for table, episode in enumerate(episodes):
            if episode.seat is None:
                episodes[table] = episode = env.episodes.begun(chances[table])
                chose[table] = episode.seat
            else:
                chose[table] = episode.seat
                episode.choose(actions[table])
            score = episode.score or (0,) * len(rewards[table])
            scored += episode.score is not None
            assert rewards[table].tolist() == [-points for points in score]
            assert ended[table] == (episode.seat is None)
        assert not cut_short.any()
    return scored


@pytest.mark.parametrize("name", profile_names())
def test_each_table_goes_as_one_game_by_itself(name: str) -> None:
    assert same_as_episodes(TablesEnv(Ruleset(name), 2), SEED, ENOUGH, Random(name))


@pytest.mark.parametrize("seed", range(14))
def test_so_it_does_under_any_ruleset(seed: int) -> None:
    rng = Random(seed)
    ruleset = some_ruleset(rng)
    try:
        env = TablesEnv(ruleset, 2)
    except Refused:  # some hand is too small for its pass
        env = TablesEnv(ruleset.having(pass_cycle=[]), 2)
    same_as_episodes(env, seed, 60, rng)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gamerules-domino", {"limit": 12, "hand_size": 2}),
        (
            "estmesh-hearts",
            {
                "pass_unseen": True,
                "undealt": "kitty",
                "mix_kitty": True,
                "pass_cycle": ["left", "mix", "scatter"],
                "limit": 30,
            },
        ),
        ("pokerwiner-hearts", {"moon": "choice_one", "deals": 3}),
    ],
)
def test_a_match_goes_on_from_deal_to_deal(name: str, options: dict[str, Any]) -> None:
    players = 13 if name == "pokerwiner-hearts" else None
    env = TablesEnv(Ruleset(name, players, options), 1, "match")
    assert same_as_episodes(env, SEED, 230, Random(name)) >= 2


@pytest.mark.parametrize("number", [54, *range(56, 68)])
def test_a_moon_is_settled_by_number_at_a_table_of_thirteen(number: int) -> None:
    ruleset = Ruleset("pokerwiner-hearts", 13, {"moon": "choice_one"})
    hands = ["AC", "QS", "2H", *(f"{rank}D" for rank in "23456789TJ")]
    state = new_deal(ruleset, hands, dealer=12)
    for hand in hands:
        state = state.play(hand)
    env = TablesEnv(ruleset, 1)
    env.reset(seed=1)
    tables = env._tables
    tables._stand(0, state.core)
    assert np.flatnonzero(env._info()["action_mask"]).tolist() == [54, *range(56, 68)]
    assert env._info()["seat"] == [0]
    rewards = env.step(np.array([number]))[1][0].tolist()
    # The moon is worth 14 here: the queen and one heart.
    pays = number - 55
    expected = [14.0 if number == 54 else -14.0 * (seat == pays) for seat in range(13)]
    assert rewards == [expected[0]] + [
        0 if number == 54 else one for one in expected[1:]
    ]


def test_the_same_seed_plays_the_same_and_another_does_not() -> None:
    ruleset = Ruleset("gamerules-domino", 3)
    env, again = TablesEnv(ruleset, 3), TablesEnv(ruleset, 3)
    for _ in range(2):  # the second time chance goes on
        one, other = env.reset(seed=5)[0], again.reset(seed=5)[0]
        assert all(np.array_equal(one[name], other[name]) for name in one)
        one, other = env.reset()[0], again.reset()[0]
        assert all(np.array_equal(one[name], other[name]) for name in one)
    assert not np.array_equal(env.reset(seed=6)[0]["planes"], one["planes"])


def test_what_happens_at_a_table_does_not_touch_the_others() -> None:
    ruleset = Ruleset("common-hearts")
    few, many = TablesEnv(ruleset, 1), TablesEnv(ruleset, 4)
    ours, theirs = few.reset(seed=1)[1], many.reset(seed=1)[1]
    rng = np.random.default_rng(1)
    for _ in range(80):
        assert np.array_equal(ours["action_mask"], theirs["action_mask"][:1])
        last = 67 - theirs["action_mask"][:, ::-1].argmax(axis=1)
        first = theirs["action_mask"].argmax(axis=1)
        actions = np.where(rng.random(4) < 0.5, first, last)
        ours, theirs = few.step(actions[:1])[-1], many.step(actions)[-1]


def test_arrays_that_were_given_out_stay_as_they_were() -> None:
    env = TablesEnv(Ruleset("openspiel-hearts"), 2)
    seen, info = env.reset(seed=1)
    kept = [*seen.values(), *info.values()]
    before = [array.copy() for array in kept]
    seen, rewards, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
    kept += [*seen.values(), rewards, ended, *info.values()]
    before += [array.copy() for array in kept[len(before) :]]
    for _ in range(130):
        info = env.step(info["action_mask"].argmax(axis=1))[-1]
        same = map(np.array_equal, kept, before)
        assert all(same)


def test_what_is_seen_lies_in_its_space() -> None:
    env = TablesEnv(Ruleset("gamerules-domino", 4), 3, "match")
    seen, info = env.reset(seed=1)
    for _ in range(60):
        assert env.observation_space.contains(seen)
        actions = info["action_mask"].argmax(axis=1)
        assert env.action_space.contains(actions)
        seen, *_, info = env.step(actions)


def test_lazily_nothing_is_seen_unless_it_is_asked_for() -> None:
    ruleset = Ruleset("common-hearts")
    env, lazy = TablesEnv(ruleset, 2), TablesEnv(ruleset, 2, lazy=True)
    seen, info = env.reset(seed=1)
    nothing, same = lazy.reset(seed=1)
    for _ in range(20):
        assert nothing == {}
        made = lazy.observation()
        assert all(np.array_equal(made[name], seen[name]) for name in seen)
        assert np.array_equal(info["action_mask"], same["action_mask"])
        actions = info["action_mask"].argmax(axis=1)
        seen, *_, info = env.step(actions)
        nothing, *_, same = lazy.step(actions)


# Refused


@pytest.mark.parametrize("wrong", [1, 5, 51, 52, 63, 64, 67, 68, 200, 300, -1, -200])
def test_an_action_outside_the_mask_changes_nothing_anywhere(wrong: int) -> None:
    ruleset = Ruleset("openspiel-hearts", 4, {"pass_cycle": []})
    env, other = TablesEnv(ruleset, 3), TablesEnv(ruleset, 3)
    info = env.reset(seed=1)[1]
    other.reset(seed=1)
    right = info["action_mask"].argmax(axis=1)
    assert right.tolist() == [0, 0, 0]  # the two of clubs
    with pytest.raises(Malformed) as malformed:
        env.step(np.array([0, 0, wrong]))
    assert malformed.value.where == "actions[2]"
    assert (malformed.value.found, malformed.value.allowed) == (str(wrong), "0")
    ours, theirs = env.step(right)[0], other.step(right)[0]
    assert all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize(
    "actions",
    [
        *(np.zeros(2, int), np.zeros((3, 1), int), np.zeros(3)),
        *(np.array(["a"] * 3), 0, [[1], [2, 3], [4]]),
    ],
    ids=str,
)
def test_there_is_one_whole_number_for_each_table(actions: Any) -> None:
    env = TablesEnv(Ruleset("openspiel-hearts"), 3)
    env.reset(seed=1)
    with pytest.raises(Malformed, match="3 whole numbers"):
        env.step(actions)


def test_where_all_is_over_any_action_begins_anew() -> None:
    env = TablesEnv(Ruleset("gamerules-domino", 2, {"hand_size": 1}), 2)
    _, info = env.reset(seed=1)
    ended = np.zeros(2, bool)
    while not ended.any():
        _, _, ended, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert info["seat"][ended].tolist() == [-1] * int(ended.sum())
    assert not info["action_mask"][ended].any()
    actions = np.where(ended, -7, info["action_mask"].argmax(axis=1))
    _, rewards, again, _, info = env.step(actions)
    assert not rewards[ended].any()
    assert not again[ended].any()
    assert (info["seat"][ended] >= 0).all()


@pytest.mark.parametrize("tables", [0, -1, 1.5, True, "2"])
def test_the_number_of_tables_is_a_whole_number(tables: Any) -> None:
    with pytest.raises(Malformed, match="a whole number, 1 or more"):
        TablesEnv(Ruleset("common-hearts"), tables)
