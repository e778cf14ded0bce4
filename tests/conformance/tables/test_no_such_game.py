"""Tests that a clause that no game can ask changes no game when switched off."""

from typing import Any

import pytest

from refengine_conformance.runner.table import Table
from refengine_conformance.tables.askable import ABLE, NO_SUCH_GAME, askable, is_empty
from refengine_conformance.tables.corpus_lines import corpus_lines
from refengine_conformance.tables.mutant_trials import RandomGames, any_goes_wrong
from refengine_conformance.tables.no_such_game import has_no_such_game
from tests.support.tables import whole

pytestmark = pytest.mark.interpreted("mutants are interpreted")

ONE_DEAL: dict[str, Any] = {"limit": "none", "deals": 1}
HERE: list[tuple[str, str, int, dict[str, Any]]] = [
    ("3.1d", "common-hearts", 4, ONE_DEAL),
    ("3.2", "common-hearts", 4, ONE_DEAL),
    ("3.3", "common-hearts", 4, {}),
    ("3.3a", "common-hearts", 4, {}),
    ("3.10a", "common-hearts", 4, {}),
    ("3.11", "common-hearts", 4, ONE_DEAL),
    ("3.11", "common-hearts", 4, {"limit": "none", "deals": 3}),
    ("4.1", "common-hearts", 4, {"pass_cycle": ("hold",)}),
    ("4.1", "common-hearts", 4, {"pass_cycle": ("right",)}),
    ("4.6a", "common-hearts", 4, {}),
    ("5.1b", "common-hearts", 4, {"pass_cycle": ("hold",)}),
    ("3.4", "pokerwiner-domino", 8, {}),
    ("3.11", "black-maria", 4, {}),
    ("4.6b", "common-hearts", 4, {"pass_cycle": ("scatter",)}),
    ("5.1b", "heartsgame-tiles", 3, {}),
    ("5.8", "black-maria", 3, {}),
    ("5.12", "gamerules-domino", 2, {}),
    ("6.7", "gamerules-domino", 2, {}),
    ("7.6a", "dominorules-tiles", 4, {}),
    ("7.6b", "heartsgame-tiles", 4, {}),
    ("7.7b", "heartsgame-tiles", 4, {}),
    ("8.6b", "common-hearts", 4, {}),
]
ELSEWHERE: list[tuple[str, str, int, dict[str, Any]]] = [
    ("3.1d", "common-hearts", 4, {"limit": "none", "deals": 2}),
    ("3.2", "common-hearts", 4, {}),
    ("3.3", "common-hearts", 5, {}),
    ("3.3a", "common-hearts", 3, {}),
    ("3.11", "pokerwiner-hearts", 4, {"limit": 50}),
    ("3.11", "common-hearts", 4, {"limit": "none", "deals": 4}),
    ("4.1", "common-hearts", 4, {"pass_cycle": ("left", "hold")}),
    ("4.6a", "common-hearts", 4, {"pass_cycle": ("scatter",)}),
    ("5.1b", "common-hearts", 4, {"pass_cycle": ("right",)}),
    ("3.4", "pokerwiner-domino", 4, {}),
    ("4.6b", "common-hearts", 4, {"pass_cycle": ("left", "scatter")}),
    ("5.1b", "common-hearts", 3, {}),
    ("5.8", "gamerules-domino", 3, {}),
    ("5.12", "gamerules-domino", 3, {}),
    ("7.6b", "dominorules-tiles", 4, {}),
    ("7.7b", "dominorules-tiles", 4, {}),
    ("8.6b", "common-hearts", 4, {"moon": "choice_one"}),
    ("8.6b", "common-hearts", 4, {"moon": "choice_all"}),
]


@pytest.mark.parametrize(("clause", "profile", "players", "options"), HERE)
def test_where_no_game_can_ask_it_no_game_misses_it(
    clause: str, profile: str, players: int, options: dict[str, Any]
) -> None:
    one = whole(profile, players, **options)
    assert has_no_such_game(clause, one)
    games = RandomGames(one.fields(), 3, 0, 8)
    assert not any_goes_wrong(games, (f"off:{clause}",))
    assert any_goes_wrong(games, ("off:5.3",))  # what they need they do miss


@pytest.mark.parametrize(("clause", "profile", "players", "options"), ELSEWHERE)
def test_elsewhere_it_is_not_left_out(
    clause: str, profile: str, players: int, options: dict[str, Any]
) -> None:
    assert not has_no_such_game(clause, whole(profile, players, **options))


def test_no_game_of_the_corpus_needs_what_none_can_ask() -> None:
    wrong = [
        (line.id, clause)
        for line in corpus_lines()
        for clause in line.necessary
        if has_no_such_game(clause, Table(ruleset=line.ruleset))
    ]
    assert wrong == []


def test_a_clause_that_is_empty_is_not_said_to_lack_a_game() -> None:
    kitty = whole("estmesh-hearts", 3, undealt="kitty")
    assert is_empty("3.3a", kitty.ruleset)
    assert not has_no_such_game("3.3a", kitty)
    found = askable(whole("common-hearts", 4), ABLE)
    assert found.left_out["3.3a"] == NO_SUCH_GAME
    assert "3.3a" not in found.clauses
