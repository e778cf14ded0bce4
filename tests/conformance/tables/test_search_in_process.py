"""The search and the making of a set, small and in this process: every step."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from refengine.game.rulesets import Ruleset
from refengine_conformance.mutants import designed
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import aimed_games, aiming, askable, publish
from refengine_conformance.tables.aimed_games import AimedSet

CLAUSES = ("5.3", "5.10", "7.2", "9.5")


class Here:
    """Like an executor, but everything is done at once, and here."""

    def map(
        self, function: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Iterator[Any]:
        return iter([function(task) for task in tasks])

    def submit(self, function: Callable[[Any], Any], task: Any) -> "Future[Any]":
        done: Future[Any] = Future()
        done.set_result(function(task))
        return done


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table(
        ruleset=Ruleset("estmesh-hearts", 4, {"first_trick_points": "barred"}),
        hands=3,
        starts=["deal"],
    )
    monkeypatch.setattr(aiming, "LOOKED_THROUGH", 30)
    monkeypatch.setattr(aiming, "LOOKED_FOR", 6)
    monkeypatch.setattr(aiming, "_SOME", 3)
    return table


def test_a_search_finds_games_and_says_what_it_did_not_find(table: Table) -> None:
    found = aiming.search(Here(), table.fields(), CLAUSES, 2026)  # type: ignore[arg-type]  # an executor in little
    shown = {clause for one in found["lines"] for clause in one["shows"]}
    assert {"5.3", "5.10"} <= shown
    assert {*found["unreached"]} == {*CLAUSES} - shown
    assert "7.2" in found["unreached"]
    assert "draw: to follow" in found["unseen"]


def test_a_set_is_made_with_a_reason_for_what_survives(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = designed.designed_mutants()[::12]
    monkeypatch.setattr(publish, "designed_mutants", lambda: some)
    monkeypatch.setattr(aimed_games, "aimed_set", lambda *asked: AimedSet((), {}, ()))
    lines, entry = publish.published_set(Here(), table, 2, 1)  # type: ignore[arg-type]  # an executor in little
    mutants = entry["mutants"]
    by_chance = mutants["killed_by_random_games_alone"]
    assert by_chance
    assert 0 < len(lines) == entry["games"] <= 2
    assert mutants["killed"] == len(by_chance)
    assert {*mutants["survive_both"]}.isdisjoint(by_chance)
    assert mutants["idle"] + mutants["in_use"] == len(some)
    left_out = [one for one in askable.asked_of_anybody() if one.startswith("6.")]
    for name, why in mutants["survive_both"].items():
        if name.removeprefix("off:") in left_out:
            assert "stock" in why
