import json
from collections import Counter
from random import Random
from typing import Any

import attrs
import pytest

from refengine import Malformed, Match, Refused, Ruleset, Setup, State, new_deal
from refengine.formats.minideals import (
    NotEnumerableError,
    check_mini,
    enumerate_games,
    followers,
    read_asked_mini,
    read_mini,
    write_mini,
)
from refengine.game.values.cardset import WHOLE_PACK, CardSet
from refengine.machine.perft import TooManyError
from refengine_conformance.data import data
from tests.support.lines import line_of
from tests.support.refusing import malformed
from tests.support.second_opinion import oracle_of
from tests.support.strategies import some_ruleset, some_setup

EXAMPLE = data("examples", "11-mini.jsonl")
HANDS = ["2C", "QS", "2H", "3H"]
Score = tuple[int, ...]


def counted(ruleset: Ruleset, limit: int = 10_000, **setup: Any) -> Any:
    return enumerate_games(State.open(ruleset, Setup(**setup)), limit).fields()


def by_hand(state: State, *acts: tuple[int, Any]) -> tuple[int, Counter[Score]]:
    """The number of games that follow these acts, and of games with each score.

    The second engine counts them one by one.
    """
    oracle = oracle_of(state)
    for seat, act in acts:
        oracle.step(seat, act)
    due = oracle.legal()
    if due.get("over"):
        return 1, Counter({tuple(oracle.observe()["score"]): 1})
    seat = due["turn"][0]
    if "draw" in due:
        following: list[Any] = [{"draw": 1}]
    elif "play" in due:
        following = [{"play": card} for card in due["play"].split(" ")]
    else:
        following = [{"moon": choice} for choice in due["moon"]]
    games, scores = 0, Counter[Score]()
    for act in following:
        more, ends = by_hand(state, *acts, (seat, act))
        games += more
        scores += ends
    return games, scores


def test_the_example_is_right_and_is_written_again() -> None:
    line = EXAMPLE.read_bytes().rstrip()

    assert check_mini(read_mini(line)) == []
    assert line == write_mini(read_mini(line))
    plain = json.loads(line)
    asked = {name: plain[name] for name in ("mini", "ruleset", "setup")}
    assert line == write_mini(read_asked_mini(json.dumps(asked).encode()))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", 3),
        ("plies", [1, 1, 1, 1, 3]),
        ("divide", {"2C": 3}),
        ("scores", [{"score": [-15, 0, 0, 0], "games": 2}]),
        ("id", "m-0000000000000000"),
    ],
)
def test_every_wrong_count_is_found(name: str, value: object) -> None:
    mini = read_mini(line_of({**json.loads(EXAMPLE.read_bytes()), name: value}))

    assert [one.what for one in check_mini(mini)] == [name]


@pytest.mark.parametrize(
    ("name", "value", "where"),
    [
        ("id", "m-1", "id"),
        ("spec", "2.0.0", "spec"),
        ("games", -1, "games"),
        ("divide", {"2C": 2, "QS": -1}, "divide.QS"),
        ("setup", {"dealer": 0, "deal": 1, "hands": ["2C 2C"]}, "setup.hands[0]"),
    ],
)
def test_what_cannot_be_read_names_its_place(
    name: str, value: object, where: str
) -> None:
    plain = {**json.loads(EXAMPLE.read_bytes()), name: value}
    assert malformed(read_mini, line_of(plain)).where == where


def test_a_mini_deal_to_which_no_id_is_given_has_no_wrong_one() -> None:
    mini = read_mini(EXAMPLE.read_bytes().rstrip())
    assert check_mini(attrs.evolve(mini, id="")) == []


def test_passes_are_counted_by_the_lowest_seat_first() -> None:
    ruleset = Ruleset("dominorules-tiles", 3, {"pass_count": 1})
    found = counted(ruleset, dealer=2, hands=["2C 3C", "4C 5C", "6C 7C"])

    assert found["plies"][:3] == [2, 4, 8]
    assert {"pass 2C", "pass 3C"} == set(found["divide"])


def test_unseen_passes_and_scatters_are_acts_as_text() -> None:
    unseen = Ruleset("estmesh-hearts", 4, {"pass_count": 1, "pass_unseen": True})
    found = counted(unseen, dealer=3, hands=HANDS)
    assert {"pass 2C": 1, "forward": 1}.keys() == found["divide"].keys()
    scatter = Ruleset("dominorules-tiles", 3, {"pass_cycle": ["scatter"]})
    found = counted(scatter, dealer=2, hands=["2C 3C", "4C 5C", "6C 7C"])
    assert {"scatter 1:2C 2:3C", "scatter 1:3C 2:2C"} == set(found["divide"])


def test_beyond_the_limit_nothing_is_counted() -> None:
    with pytest.raises(TooManyError):
        enumerate_games(new_deal(Ruleset("estmesh-hearts"), HANDS, dealer=3, deal=4), 1)
    line = EXAMPLE.read_bytes()
    with pytest.raises(Malformed, match=r"at most 1$"):
        write_mini(read_mini(line), 1)


def test_matches_and_mixes_are_not_enumerated() -> None:
    ruleset = Ruleset("estmesh-hearts")
    with pytest.raises(NotEnumerableError, match="a match is not enumerated"):
        enumerate_games(State.open(ruleset, Match()))
    mixed = ruleset.having(pass_cycle=["mix", "hold"])
    with pytest.raises(NotEnumerableError, match="rulesets with a mix"):
        enumerate_games(new_deal(mixed, HANDS, dealer=3, deal=2))
    plain = json.loads(EXAMPLE.read_bytes())
    plain["ruleset"]["options"] = {"pass_cycle": ["mix", "hold"]}
    plain["setup"]["deal"] = 2
    with pytest.raises(Malformed, match="without a mix"):
        write_mini(read_mini(json.dumps(plain).encode()))


def test_a_deal_that_is_over_is_one_game() -> None:
    setup = Setup(dealer=1, hands=["2C", "3C"])
    state = State.open(Ruleset("pokerwiner-hearts", 2), setup).play("2C").play("3C")

    count = enumerate_games(state)
    assert (count.games, count.plies, count.divide) == (1, (), {})


def test_the_counts_are_those_of_the_other_engine() -> None:
    compared = 0
    for seed in range(150):
        rng = Random(seed)
        ruleset = some_ruleset(rng, pass_cycle=[])
        setup = some_setup(rng, ruleset)
        if setup is None or len(setup.hands) * len(setup.hands[0]) > 8:
            continue
        try:
            state = State.open(ruleset, setup)
            count = enumerate_games(state, 60)
        except (Refused, TooManyError):
            continue
        assert (count.games, count.scores) == by_hand(state), (ruleset, setup)
        compared += 1
    assert compared > 30


def test_the_limit_holds_for_passes_too() -> None:
    """A seat here has ten million ways to pass, and eleven already exceed the limit."""
    options = {"pass_cycle": ["left"], "pass_count": 13}
    ruleset = Ruleset("pokerwiner-hearts", 2, options)
    pack = list(WHOLE_PACK)
    state = new_deal(ruleset, [CardSet(pack[:26]), CardSet(pack[26:])])
    assert next(iter(followers(state)))[0].startswith("pass ")
    with pytest.raises(TooManyError):
        enumerate_games(state, 10)
