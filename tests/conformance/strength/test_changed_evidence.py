"""Tests of what is tried again after a change: what has changed, and a sample."""

from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from refengine_conformance.jobs.journals import Journal
from refengine_conformance.mutants import operators
from refengine_conformance.strength import (
    changed_evidence,
    killed_by_corpus,
    measure,
    recorded,
)
from refengine_conformance.strength.changed_evidence import Plan, planned

pytestmark = pytest.mark.interpreted("a mutant is always loaded from source")

NAMES = [str(number) for number in range(1000)]
COSTS = {"mutants": dict.fromkeys(NAMES, 0.5), "theorems": {"a": 6.0, "b": 6.0}}


def test_what_stands_is_tried_by_a_share_and_what_changed_is_tried() -> None:
    plan = planned(COSTS, {"mutants": NAMES, "theorems": ["a"]}, "seed")
    assert plan.tried == {"mutants": (), "theorems": ("b",)}
    assert plan.changed == {"mutants": 0, "theorems": 1}
    assert 15 < len(plan.again["mutants"]) < 50
    other = planned(COSTS, {"mutants": NAMES, "theorems": ["a"]}, "another")
    assert other.again["mutants"] != plan.again["mutants"]


def test_of_two_hundred_false_records_a_share_meets_one() -> None:
    names = [str(number) for number in range(7200)]
    costs = {"mutants": dict.fromkeys(names, 0.1)}
    for seed in map(str, range(40)):
        again = planned(costs, {"mutants": names}, seed).again["mutants"]
        assert {*again} & {*names[::36]}, seed


def test_too_much_change_is_tried_as_far_as_the_seconds_go() -> None:
    plan = planned(COSTS, {"mutants": (), "theorems": ()}, "seed", 100.0)
    spent = sum(COSTS[kind][name] for kind in COSTS for name in plan.tried[kind])
    assert 90.0 < spent <= 100.0
    assert plan.changed == {"mutants": 1000, "theorems": 2}
    tried = len(plan.tried["mutants"])
    assert f"mutants: {tried} of 1000 that changed are tried" in plan.lines()[0]


MUTANTS = operators.variants_of_module("play")[:3]
KILLED, ALIVE, OTHER = (one.id for one in MUTANTS)


def document() -> dict[str, Any]:
    head, tail = recorded.split_mutant_id(KILLED)
    return {"kills": {"t-1": {head: [tail]}}, "survivors": [{"id": ALIVE}]}


@pytest.mark.parametrize(
    ("again", "fates", "wrong"),
    [
        ((KILLED,), {KILLED: ["t-1", ""]}, []),
        (
            (KILLED,),
            {KILLED: ["t-2", ""], ALIVE: ["", ""], OTHER: ["t-2", ""]},
            [f"false: {KILLED} is recorded as killed by t-1, but is killed by t-2"],
        ),
        ((), {OTHER: ["t-1", ""]}, []),
        ((), {OTHER: ["", ""]}, [f"gap: {OTHER}"]),
    ],
)
def test_a_false_record_has_all_tried_and_a_survivor_needs_an_argument(
    again: tuple[str, ...],
    fates: dict[str, list[str]],
    wrong: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def tried(
        before: Mapping[str, Any], names: Sequence[str], *rest: object
    ) -> dict[str, list[str]]:
        asked.extend(names)
        return {name: fates[name] for name in names}

    monkeypatch.setattr(measure, "try_mutants", tried)
    monkeypatch.setattr(
        measure, "rule_mutants", lambda: {one.id: one for one in MUTANTS}
    )
    places = {KILLED: 0, ALIVE: 0, OTHER: -1}
    monkeypatch.setattr(changed_evidence, "argument_of_each", lambda *_: places)
    changed = () if again else (OTHER,)
    plan = Plan({"mutants": len(changed)}, {"mutants": changed}, {"mutants": again})
    found = changed_evidence.mutants_wrong(
        document(), [KILLED, ALIVE], plan, Journal(None, ""), None
    )
    assert found == wrong
    assert (len(asked) == len(MUTANTS)) == any(one.startswith("false") for one in wrong)


def test_a_trial_against_some_lines_is_not_one_against_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        killed_by_corpus,
        "fate_of_mutant",
        lambda trial: ["", ""] if trial.lines else ["t-1", "1 legal"],
    )
    journal, names = Journal(None, ""), ["off:5.3"]
    some = measure.try_mutants({}, names, {"off:5.3": ("t-9",)}, journal, None)
    assert some == {"off:5.3": ["", ""]}
    every = measure.try_mutants({}, names, {}, journal, None)
    assert every == {"off:5.3": ["t-1", "1 legal"]}


def test_a_trial_against_some_lines_is_not_one_against_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A resumed run may meet another `strength.json`, and so try other lines."""
    monkeypatch.setattr(
        killed_by_corpus,
        "fate_of_mutant",
        lambda trial: ["t-9", "1 legal"] if "t-9" in trial.lines else ["", ""],
    )
    journal, names = Journal(None, ""), ["off:5.3"]
    one = measure.try_mutants({}, names, {"off:5.3": ("t-8",)}, journal, None)
    assert one == {"off:5.3": ["", ""]}
    other = measure.try_mutants({}, names, {"off:5.3": ("t-8", "t-9")}, journal, None)
    assert other == {"off:5.3": ["t-9", "1 legal"]}


def test_a_theorem_that_is_broken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    proved = {"a": {"broken": ""}, "b": {"broken": "by KC"}, "c": {"broken": "by QS"}}
    monkeypatch.setattr(measure, "prove_one_theorem", proved.__getitem__)
    plan = Plan({}, {"theorems": ("a", "b")}, {"theorems": ("c",)})
    found = changed_evidence.theorems_wrong(plan, Journal(None, ""), None)
    assert found == ["broken: b: by KC", "broken: c: by QS"]


def try_alone(
    monkeypatch: pytest.MonkeyPatch, plan: Plan, opinions: Mapping[str, str]
) -> None:
    """Make the command try this plan in this process, with these opinions recorded."""
    before = {"opinions": opinions, "kills": {}, "survivors": []}
    standing: dict[str, tuple[str, ...]] = {"mutants": ()}
    for module, name, said in (
        (changed_evidence, "committed_document", lambda: before),
        (measure, "digests_of_lines", lambda *_: {}),
        (measure, "theorem_titles", lambda _: []),
        (measure, "unit_names", lambda _: []),
        (measure, "second_opinion", lambda name: ""),
        (recorded, "recorded_fates", lambda document: {}),
        (recorded, "seed_of_commit", lambda: ""),
        (changed_evidence, "costs_of_trials", lambda *_: {}),
        (changed_evidence, "results_up_to_date", lambda *_: standing),
        (changed_evidence, "planned", lambda *_: plan),
        (changed_evidence, "open_executor", lambda *_: nullcontext()),
        (killed_by_corpus, "fate_of_mutant", lambda trial: ["t-1", "1 legal"]),
    ):
        monkeypatch.setattr(module, name, said)


def test_an_opinion_is_asked_though_a_mutant_goes_by_the_same_id(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The result of the mutant `off:5.3` once overwrote the second opinion on 5.3."""
    tried = {"mutants": ("off:5.3",), "opinions": ("off:5.3",), "theorems": ()}
    plan = Plan({}, tried, dict.fromkeys(tried, ()))
    try_alone(monkeypatch, plan, {"5.3": "a deal"})
    assert changed_evidence.main([]) == 1
    assert "no second opinion any more: off:5.3" in capsys.readouterr().out


def test_the_deals_to_walk_are_written_a_unit_a_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kinds = ("mutants", "opinions", "theorems")
    nothing: dict[str, tuple[str, ...]] = dict.fromkeys(kinds, ())
    tried = nothing | {"deals": ("3x1 c",)}
    again = nothing | {"deals": ("2x1 a", "2x1 b")}
    try_alone(monkeypatch, Plan({"deals": 1}, tried, again), {})
    file = tmp_path / "units"
    assert changed_evidence.main(["--walk", str(file)]) == 0
    assert file.read_text("utf-8") == "3x1 c\n2x1 a\n2x1 b\n"
    assert changed_evidence.main(["--walk", str(tmp_path / "no" / "units")]) == 3


def test_a_worker_that_is_lost_is_told_without_a_journal_to_go_on_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command keeps no journal, so it has no `--resume` to suggest."""

    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:
            raise BrokenExecutor

    nothing: dict[str, tuple[str, ...]] = dict.fromkeys(("mutants", "theorems"), ())
    try_alone(monkeypatch, Plan({}, nothing, nothing), {})
    monkeypatch.setattr(
        changed_evidence, "open_executor", lambda *_: nullcontext(Broken())
    )
    assert changed_evidence.main([]) == 2
    assert capsys.readouterr().err == "workers ended before their time\n"


@pytest.mark.parametrize("typed", ["nan", "-1", "much"])
def test_a_budget_with_which_nothing_would_be_tried_is_refused(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        changed_evidence.main(["--budget", typed])
    assert ended.value.code == 3
    said = f"found {typed!r}; allowed: a number of 0 or more"
    assert said in capsys.readouterr().err
    assert changed_evidence._seconds("0.5") == 0.5


def test_deals_that_nobody_is_going_to_walk_are_not_said_to_stand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    costs_of_trials = changed_evidence.costs_of_trials
    try_alone(monkeypatch, Plan({}, {}, {}), {})
    monkeypatch.setattr(changed_evidence, "costs_of_trials", costs_of_trials)
    monkeypatch.setattr(changed_evidence, "planned", planned)
    monkeypatch.setattr(measure, "theorem_titles", lambda _: ["a theorem"])
    monkeypatch.setattr(measure, "unit_names", lambda _: pytest.fail("named"))
    monkeypatch.setattr(measure, "prove_one_theorem", lambda title: {"broken": ""})
    monkeypatch.setattr(measure, "rule_mutants", dict)
    monkeypatch.setattr(measure, "openspiel_is_there", lambda: False)
    assert changed_evidence.main([]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("mutants: 0 of 0 that changed are tried")
    assert "opinions: 0 of 0 that changed" in said.out
    assert "theorems: 1 of 1 that changed" in said.out
    assert "deals" not in said.out
    assert measure.NO_OPENSPIEL in said.err
