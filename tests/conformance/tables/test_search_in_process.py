"""Tests of every step of the search that makes a set, on a small scale.

All work is done in the process of the tests.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

import pytest

from refengine_conformance.mutants import designed
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import aimed_games, aiming, publish, row_search
from refengine_conformance.tables.aimed_games import AimedSet
from tests.support.tables import barred

CLAUSES = ("5.3", "5.10", "7.2", "9.5")

P = ParamSpec("P")
T = TypeVar("T")


class Here(Executor):
    """An executor that does all work at once, in this process."""

    def submit(
        self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> Future[T]:
        done = Future[T]()
        done.set_result(fn(*args, **kwargs))
        return done


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(aiming, "LOOKED_THROUGH", 30)
    for module in (aiming, row_search):
        monkeypatch.setattr(module, "CHUNKS", (range(15), range(15, 30)))
    monkeypatch.setattr(aiming, "LOOKED_FOR", 6)
    monkeypatch.setattr(aiming, "_SOME", 3)
    return barred(3)


def test_a_search_finds_games_and_says_what_it_did_not_find(table: Table) -> None:
    found = aiming.search(Here(), table.fields(), CLAUSES, 2026)
    shown = {clause for one in found["lines"] for clause in one["shows"]}
    assert {"5.3", "5.10"} <= shown
    assert {*found["unreached"]} == {*CLAUSES} - shown
    assert "7.2" in found["unreached"]
    assert "draw: to follow" in found["unseen"]


def test_a_clause_is_unreached_only_if_every_candidate_was_tried_on_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: set[int] = set()

    def no_kill(
        fields: dict[str, Any], seed: int, number: int, names: tuple[str, ...]
    ) -> aiming.Kills:
        tried.add(number)
        return aiming.Kills(number, False, {})

    monkeypatch.setattr(aiming, "kills", no_kill)
    work = aiming._Search(Here(), table.fields(), 2026)
    work.witness([3, 7], ["off:4.6a"])  # as if these two had been chosen
    work.look_further(["off:4.6a"])
    assert tried == {*range(36)}


def test_rows_show_what_a_clause_forbids_and_what_it_no_longer_does(
    table: Table,
) -> None:
    clauses = ("5.3", "5.4", "5.4a")
    rows = row_search.rows_of(Here(), table.fields(), "legal", clauses, 2026, 30)
    led = [row for row in rows if not row["trick"] and "H" in row["hand"]]
    held_back = [row for row in led if "H" not in row["may"]]
    free = [row for row in led if row["may"] == row["hand"]]
    assert held_back
    assert {row["hearts_broken"] for row in held_back} == {False}
    assert {row["hearts_broken"] for row in free} >= {True}
    assert {clause for row in rows for clause in row["clauses"]} <= {*clauses}
    assert rows == sorted(rows, key=lambda row: clauses.index(row["clauses"][0]))
    assert len(rows) <= 30


def test_a_set_is_made_with_a_reason_for_what_survives(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = designed.designed_mutants()
    some = [one for at, one in enumerate(every) if at % 12 == 0 or one.id == "off:6.1"]
    monkeypatch.setattr(publish, "designed_mutants", lambda: some)
    monkeypatch.setattr(aimed_games, "aimed_set", lambda *asked: AimedSet((), {}, ()))
    lines, entry = publish.published_set(Here(), table, 2, 1)
    mutants = entry["mutants"]
    by_chance = mutants["killed_by_random_games_alone"]
    assert by_chance
    assert 0 < len(lines) == entry["games"] <= 2
    assert mutants["killed"] == len(by_chance)
    assert {*mutants["survive_both"]}.isdisjoint(by_chance)
    assert mutants["idle"] + mutants["in_use"] == len(some)
    assert mutants["survive_both"]["off:6.1"] == "6.1 is left out: stock"
