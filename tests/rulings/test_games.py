"""Tests of games that somebody hands in: a trace and a log of one give equal acts."""

import pytest

from refengine import Irregular, Malformed, Ruleset
from refengine.rulings.submitted_game import (
    game_as_trace,
    moment_at,
    moments_of_game,
    read_game,
)
from tests.support.lines import line_of, played_log, played_trace

DEAL = {"dealer": 3, "hands": ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "JC QC KC"]}
DOMINO = {"dealer": 1, "hands": ["2C 3D", "4D QS"], "stock": "5D 6C"}
MOON = {"dealer": 3, "deal": 4, "hands": ["AC", "QS", "2H", "3H"]}
REVOKING = {"dealer": 3, "deal": 4, "hands": ["2C 9D", "5C QS", "7C 4S", "KC 8S"]}


def played(line: bytes, ruleset: Ruleset | None = None) -> list[tuple[int, str]]:
    return [
        (one.place, str(one.act)) for one in moments_of_game(read_game(line), ruleset)
    ]


def test_the_draws_of_a_log_are_made_where_they_are_due() -> None:
    line = played_log("gamerules-domino", DOMINO, "2C 6C")
    assert played(line) == [(1, "2C"), (0, "draw"), (0, "draw"), (2, "6C")]


def test_passes_and_the_choice_of_a_moon_belong_to_the_game() -> None:
    passes = ["2C 3C 4C", "5C 6C 7C", "8C 9C TC", "JC QC KC"]
    line = played_log("estmesh-hearts", DEAL, "2C", **{"pass": passes})
    assert played(line)[0] == (0, "pass 2C 3C 4C")
    assert played(line)[-1] == (1, "2C")
    wrong = [passes[0], "5C 6C", *passes[2:]]
    line = played_log("estmesh-hearts", DEAL, "2C", **{"pass": wrong})
    assert played(line)[-1] == (0, "pass 5C 6C")
    line = played_log("estmesh-hearts", MOON, "AC QS 2H 3H", moon="self_minus")
    assert played(line)[-1] == (0, "moon self_minus")


def test_a_game_ends_at_the_first_act_that_is_refused() -> None:
    line = played_log("estmesh-hearts", REVOKING, "2C QS 7C")
    assert played(line) == [(1, "2C"), (2, "QS")]
    penalised = Ruleset("dominorules-tiles")
    assert played(line, penalised) == [(1, "2C"), (2, "QS"), (3, "7C")]
    seats = played_log("estmesh-hearts", REVOKING, "2C 7C", seats=[0, 2])
    assert [one.act.seat for one in moments_of_game(read_game(seats))] == [0, 2]


def test_a_game_is_a_trace_under_each_ruleset() -> None:
    game = read_game(played_log("estmesh-hearts", REVOKING, "2C QS 7C", score=[0] * 4))
    refused = game_as_trace(game, game.ruleset)
    assert [step.breaks for step in refused.steps] == [(), ()]
    assert game_as_trace(refused, game.ruleset).steps == refused.steps
    stands = game_as_trace(game, Ruleset("dominorules-tiles"))
    assert [step.breaks for step in stands.steps] == [(), ("5.3",), ()]
    assert stands.end == {"score": [0, 0, 0, 0]}
    again = game_as_trace(stands, stands.ruleset)
    assert again.steps == stands.steps


def test_without_a_place_the_first_act_that_is_not_legal_is_meant() -> None:
    game = read_game(played_log("dominorules-tiles", REVOKING, "2C QS 7C"))
    moment = moment_at(game, None)
    assert isinstance(moment.state.verdict(moment.act), Irregular)
    assert str(moment_at(game, 1).act) == "2C"
    legal = read_game(played_log("estmesh-hearts", REVOKING, "2C 5C"))
    assert str(moment_at(legal, None).act) == "5C"
    with pytest.raises(Malformed, match="judged up to 3"):
        moment_at(game, 9)
    with pytest.raises(Malformed, match="a game without acts"):
        moment_at(read_game(played_log("estmesh-hearts", REVOKING, "")), None)
    with pytest.raises(Malformed, match="a mini-deal"):
        read_game(b'{"mini": 1}')


def test_a_place_behind_the_last_play_is_told_by_that_play() -> None:
    game = read_game(
        played_log("estmesh-hearts", MOON, "AC QS 2H 3H", moon="self_minus")
    )
    with pytest.raises(Malformed, match="judged up to 4"):
        moment_at(game, 99)


def test_a_trace_keeps_its_edition_under_any_ruleset() -> None:
    """The clauses in a trace must be judged by the numbers of its own edition."""
    setup = {**DEAL, "deal": 4}
    old = read_game(line_of(played_trace("estmesh-hearts", setup)))
    for ruleset in (old.ruleset, Ruleset("common-hearts")):
        assert game_as_trace(old, ruleset).spec == "1.0.0"
