"""Tests that a clause counts as asked only if the engine reports a field it decides.

Each field of `observe` and each capability is removed from our engine in turn. For each
clause that still counts as asked, our engine without the clause must fail under the
same removal; for each that does not, it must pass.
"""

from collections.abc import Sequence

import attrs
import pytest

from refengine.formats.fields import FIELDS
from refengine.formats.trace import read_trace
from refengine.game.rulesets import Ruleset
from refengine_conformance.mutants import loading
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.fault_dictionary import kinds_wrong
from refengine_conformance.runner.results import Case, EngineCard
from refengine_conformance.runner.table import Table
from refengine_conformance.tables.aimed_games import AimedLine, AimedSet, aimed_set
from refengine_conformance.tables.askable import clauses_asked, clauses_of_table
from tests.support.adapters import Json, Planted, spoiling
from tests.support.tables import SEED, barred

pytestmark = pytest.mark.interpreted("mutants are interpreted")

TABLES = {
    "deals": barred(4),
    "matches": Table(
        ruleset=Ruleset("common-hearts", 4, {"limit": 50}),
        hands=4,
        starts=["match-dealer"],
    ),
}
CUT = (*FIELDS, "op observe", "op probe", "op legal", "op step", "")
Told = tuple[EngineCard, tuple[Case, ...]]


def without(cut: str) -> Planted:
    """Our engine without the field of `observe` or the capability that `cut` names."""
    lacking = cut.removeprefix("op ") if cut.startswith("op ") else ""

    @spoiling
    def keeps_back(request: Json, answer: Json) -> Json | None:
        if request["op"] == lacking:
            return {"seq": request["seq"], "unsupported": "cut"}
        if request["op"] == "observe" and "seat" not in request and "ok" in answer:
            answer["ok"].pop(cut, None)
        return None

    return Planted(keeps_back, (lacking,))


def told(line: str, cut: str) -> Told:
    """The engine card and the cases of a game asked of our engine without `cut`."""
    adapter = without(cut).adapter()
    trace = read_trace(line.encode())
    return adapter.card, trace_cases(adapter, trace, ("step",)).cases


def red_behind(task: tuple[str, str]) -> list[str]:
    """The removals under which this game still fails if the clause is switched off."""
    line, clause = task
    found = []
    for cut in CUT:
        with loading.run_as_mutant(f"off:{clause}"), loading.time_limit(5.0):
            _, cases = told(line, cut)
        if kinds_wrong(cases):
            found.append(cut)
    return found


def one_game_each(found: AimedSet) -> list[AimedLine]:
    """For each clause, the first game that shows it, as if it showed nothing else."""
    first: dict[str, AimedLine] = {}
    for one in found.lines:
        for clause, kinds in one.shows.items():
            if clause not in first:
                first[clause] = attrs.evolve(one, shows={clause: kinds})
    return [*first.values()]


def asked_behind(games: Sequence[AimedLine], cut: str) -> frozenset[str]:
    """The clauses that count as asked if our engine plays these games without `cut`."""
    asked: set[str] = set()
    for one in games:
        card, cases = told(one.line.decode(), cut)
        asked |= clauses_asked(cases, {one.id: one.shows}, card)
    return frozenset(asked)


@pytest.mark.parametrize("name", TABLES)
def test_what_counts_as_asked_is_what_would_have_been_red(name: str) -> None:
    table = TABLES[name]
    games = one_game_each(aimed_set(table, clauses_of_table(table), SEED))
    tasks = [(one.line.decode(), clause) for one in games for clause in one.shows]
    red: dict[str, set[str]] = {cut: set() for cut in CUT}
    with loading.mutant_workers(2) as pool:
        for (_, clause), cuts in zip(tasks, pool.map(red_behind, tasks), strict=True):
            for cut in cuts:
                red[cut].add(clause)
    asked = {cut: asked_behind(games, cut) for cut in CUT}
    assert asked == {cut: frozenset(some) for cut, some in red.items()}
    assert asked[""] == {clause for _, clause in tasks}
    # The filter does something: not each field is as good as no filter.
    assert len({*asked.values()}) > 3
