"""Tests that trials of mutants on random games leave out only needless work."""

from contextlib import suppress
from typing import Any

import pytest

from refengine.game.rulesets import Ruleset
from refengine_conformance.mutants import designed, loading, operators
from refengine_conformance.mutants.answers import answering_otherwise
from refengine_conformance.mutants.loading import mutant_workers
from refengine_conformance.runner.table import Table
from refengine_conformance.tables import mutant_trials
from tests.support.tables import barred

pytestmark = pytest.mark.interpreted("a mutant is always loaded from source")

TABLES = {
    "hearts": barred(4, "deal", "match"),
    "domino": Table(ruleset=Ruleset("gamerules-domino", 2), hands=3, starts=["deal"]),
}
GAMES = 4
IMPURE = "bug:flag_hearts_carried_over"  # it writes into a position that others share


def both_ways(fields: dict[str, Any]) -> tuple[dict[str, int], dict[str, int]]:
    """The mutants killed in the quick way of a run, and those killed one by one."""
    names = tuple(one.id for one in designed.designed_mutants() if one.id != IMPURE)
    names = names[::4]
    quick = mutant_trials.killed_by_random_games(
        mutant_trials.RandomGames(fields, 2026, 0, GAMES), names
    )
    one_by_one: dict[str, int] = {}
    for name in names:
        for number in range(GAMES):
            game = mutant_trials.RandomGames(fields, 2026, number, number + 1)
            if mutant_trials.any_goes_wrong(game, (name,)):
                one_by_one[name] = number
                break
    return quick, one_by_one


@pytest.mark.parametrize("name", TABLES)
def test_leaving_out_what_answers_alike_changes_nothing(name: str) -> None:
    with mutant_workers(1) as pool:
        quick, one_by_one = pool.submit(both_ways, TABLES[name].fields()).result()
    assert quick == one_by_one
    assert len(quick) > 15


def reads_no_card() -> None:
    from refengine.errors import Malformed
    from refengine.machine import notation  # in the worker, from source

    with suppress(Malformed):
        notation.read_card("ZZ")


def watched() -> dict[str, list[str]]:
    names = [one.id for one in designed.designed_mutants()]
    watched = [function for name in names for function, _ in loading.codes_of(name)]
    before = [function.__code__ for function in watched]
    readers = [
        one.id
        for one in operators.variants_of_module("notation")
        if one.id.startswith("tree:notation.read_card:")
    ]
    found = {
        "readers": readers,
        "no card": answering_otherwise(reads_no_card, readers),
        "nothing": answering_otherwise(lambda: None, names),
        "an opening": answering_otherwise(
            lambda: Ruleset("estmesh-hearts", 4, {"limit": 50}), names
        ),
    }
    with pytest.raises(ZeroDivisionError):
        answering_otherwise(lambda: 1 / 0, names)
    after = [function.__code__ for function in watched]
    assert all(now is code for now, code in zip(after, before, strict=True))
    return found


def test_a_run_in_which_nothing_is_called_shows_no_mutant() -> None:
    with mutant_workers(1) as pool:
        found = pool.submit(watched).result()
    assert found["nothing"] == []
    opened = found["an opening"]
    assert any(one.startswith("swap:limit=") for one in opened)
    assert not any(one.startswith("off:5.") for one in opened)
    assert 0 < len(found["no card"]) < len(found["readers"])
