"""Tests of the bench of engines written as people write them.

Two of them run as they are and with two faults each, at the tables that they play.
"""

from functools import cache
from pathlib import Path
from typing import NoReturn

import attrs
import pytest

from refengine import Ruleset
from refengine.jobs.executors import LostWorkerError
from refengine.lawbook.book import clauses
from refengine_conformance.identify.identify import Identified, RatedRuleset
from refengine_conformance.runner.results import LOST
from refengine_conformance.runner.runner import Settings
from refengine_conformance.runner.table import Table
from refengine_conformance.selftest import engine_bench, engine_runs
from refengine_conformance.selftest.engine_bench import (
    BenchRow,
    drawn_fault,
    rows_of,
    table_lines,
    troubles,
)
from refengine_conformance.selftest.identified_engines import IdentifiedRow
from refengine_conformance.selftest.planted_faults import (
    Engine,
    NoToolError,
    PlantedFault,
    engine_with_name,
    engines,
    fault_with_id,
    faults_of,
    source_with,
    write_engine,
)
from refengine_conformance.tables.case_set import CaseSet

BENCH = [engine for engine in engines() if engine.declares_table]
# One that is compiled and one that is not; `make engines` plays all, with every fault.
PLAYED = [engine for engine in BENCH if engine.name in ("mutable_js", "bitset_c")]
TWO = {
    "mutable_js": ("passes_fewer_than_three", "first_trick_by_own_tricks"),
    "bitset_c": ("moon_needs_the_jack", "hearts_stay_broken"),
    "counting_py": ("refused_try_breaks_hearts", "led_suit_not_cleared"),
    "slices_go": ("dealer_leads", "place_taken_for_seat"),
    "strings_py": ("draws_one_card_only", "survivor_goes_free"),
    "strings_js": ("last_card_wins_nothing", "stock_to_nobody"),
}


def test_there_are_six_engines_in_four_languages_with_ten_faults_each() -> None:
    assert len(BENCH) == 6
    assert len({Path(engine.source).suffix for engine in BENCH}) == 4
    for engine in BENCH:
        assert len(faults_of(engine)) >= 10
    assert TWO.keys() == {engine.name for engine in BENCH}


@pytest.mark.parametrize("engine", engines(), ids=lambda engine: engine.name)
def test_every_fault_fits_its_engine_and_names_clauses(engine: Engine) -> None:
    source = (engine.folder / engine.source).read_text("utf-8")
    for fault in faults_of(engine):
        assert source_with(engine, fault) != source
        assert fault.text
        assert fault.clauses
        assert set(fault.clauses) <= {*clauses(), *LOST}


@pytest.mark.parametrize("engine", BENCH, ids=lambda engine: engine.name)
def test_each_text_draws_one_fault_and_in_time_every_fault_is_drawn(
    engine: Engine,
) -> None:
    assert drawn_fault(engine, "a") == drawn_fault(engine, "a")
    drawn = {drawn_fault(engine, str(number)) for number in range(400)}
    assert drawn == {fault.id for fault in faults_of(engine)}


def test_faults_that_are_named_are_planted_beside_the_one_that_is_drawn() -> None:
    engine = engine_with_name("bitset_c")
    every = [fault.id for fault in faults_of(engine)]
    drawn = drawn_fault(engine, "a")
    named = next(one for one in every if one != drawn)
    assert engine_bench._to_plant(engine, set(), "") == every
    assert engine_bench._to_plant(engine, {named}, "") == [named]
    assert engine_bench._to_plant(engine, set(), "a") == [drawn]
    assert {*engine_bench._to_plant(engine, {named}, "a")} == {named, drawn}


def test_a_fault_that_was_drawn_has_to_be_found_but_not_headed() -> None:
    rows = [
        BenchRow(engine="mutable_js", asked=9, askable=10),
        BenchRow(engine="mutable_js", fault="a", accepted=("5.3",), headings=("5.4",)),
    ]
    assert troubles(rows, drawn=True) == []
    assert len(troubles(rows)) == 1
    lost = attrs.evolve(rows[1], headings=())
    assert troubles([rows[0], lost], drawn=True) == ["mutable_js a: not found"]


@pytest.mark.unmeasured
@pytest.mark.parametrize("engine", PLAYED, ids=lambda engine: engine.name)
def test_an_engine_is_green_and_its_faults_are_named(engine: Engine) -> None:
    clean, *rows = rows_of([engine], TWO[engine.name])
    assert not clean.found
    assert clean.asked >= 13
    assert len(rows) == 2
    for row in rows:
        assert row.headed, (row.headings, row.accepted)
    assert [one for one in troubles([clean, *rows]) if "clauses asked" not in one] == []
    assert len([*table_lines([clean, *rows])]) == 3


def test_what_is_not_as_it_should_be_is_said() -> None:
    red = BenchRow(engine="slices_go", headings=("5.3",), answers=(2,), askable=9)
    missed = BenchRow(engine="slices_go", fault="dealer_leads", accepted=("5.1",))
    assert not missed.headed
    said = " ".join(troubles([red, missed]))
    assert "is clean, and red at 5.3" in said
    failed = attrs.evolve(red, headings=(), answers=(), errors=3)
    assert "slices_go is clean, and red at its own errors" in troubles([failed])
    assert "0 of 9 clauses asked" in said
    assert "dealer_leads: not found" in said
    assert "0 of 1 faults" in said


@pytest.mark.slow  # make engines prints both, for every engine
@pytest.mark.unmeasured
def test_the_command_prints_rows_and_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = Ruleset("estmesh-hearts")
    named = RatedRuleset(ruleset=own, explains=9, unexplained=0)
    found = Identified(rulesets=(named,), undecided=(), asked=9, answered=9)
    row = IdentifiedRow(engine="masked 7", own=own, found=found)
    monkeypatch.setattr(engine_bench, "identified_rows", lambda *_: iter([row]))
    assert engine_bench.main(["strings_js", "--faults", "stock_to_nobody"]) == 0
    out = capsys.readouterr().out
    assert "ok  strings_js stock_to_nobody" in out
    assert "| Domino Hearts in JavaScript: hands as text |" in out
    assert "ok  masked 7" in out
    wrong = attrs.evolve(row, own=own.having(queen_points=5))
    monkeypatch.setattr(engine_bench, "identified_rows", lambda *_: iter([wrong]))
    assert engine_bench.main(["strings_js", "--faults", "stock_to_nobody"]) == 1
    assert "masked 7 is not identified" in capsys.readouterr().err
    assert engine_bench.main(["nothing"]) == 3
    assert "no engine 'nothing'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["strings_js", "--faults", "stock_to_nobody,typo"], "no fault typo"),
        (["hearts_engine"], "hearts_engine declares no table"),
    ],
)
def test_what_the_bench_does_not_have_is_said(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert engine_bench.main(words) == 3
    assert said in capsys.readouterr().err


def test_an_error_of_the_suite_is_no_success_of_the_bench() -> None:
    row = BenchRow(
        engine="slices_go",
        fault="dealer_leads",
        accepted=("5.1",),
        headings=("5.1",),
        answers=(3,),
        bugs=("t-1: KeyError('x')",),
    )
    said = "slices_go dealer_leads: an internal error: t-1: KeyError('x')"
    assert troubles([row]) == [said]
    assert not row.right


@pytest.mark.usefixtures("folder")
def test_the_command_of_an_engine_in_this_folder_can_be_run() -> None:
    engine = attrs.evolve(engine_with_name("bitset_c"), build=())
    (program,) = write_engine(engine, Path())
    assert Path(program) == Path.cwd() / "adapter"


def test_an_engine_that_cannot_be_built_says_why(tmp_path: Path) -> None:
    engine = engine_with_name("bitset_c")
    fault = fault_with_id(engine, "moon_needs_the_jack")
    broken = Engine(
        name="broken",
        title="",
        folder=engine.folder,
        source=engine.source,
        faults=engine.faults,
        run=engine.run,
        build=(("cc", "nothing.c"),),
    )
    with pytest.raises(NoToolError, match="broken cannot be built"):
        write_engine(broken, tmp_path, fault)


def test_what_was_found_is_told_though_a_tool_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*_: object) -> NoReturn:
        raise NoToolError("node is not found")

    clean = BenchRow(engine="strings_js", asked=9, askable=9)
    lost = attrs.evolve(clean, fault="stock_to_nobody", accepted=("6.8",))
    monkeypatch.setattr(engine_bench, "rows_of", lambda *_: iter([clean, lost]))
    monkeypatch.setattr(engine_bench, "identified_rows", none)
    assert engine_bench.main(["strings_js", "strings_js"]) == 3
    said = capsys.readouterr().err
    assert "strings_js stock_to_nobody: not found" in said
    assert said.endswith("node is not found\n")


def test_the_games_of_a_table_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(ruleset=Ruleset("pokerwiner-domino"))
    found: list[Table] = []

    def search(table: Table, seed: int) -> CaseSet:
        found.append(table)
        return CaseSet(lines=(), shows={}, unreached={}, funnel=())

    games = cache(engine_runs.games_of.__wrapped__)
    monkeypatch.setattr(engine_bench, "games_of", games)
    monkeypatch.setattr(engine_runs, "games_of", games)
    monkeypatch.setattr(engine_runs, "case_set", search)
    monkeypatch.setattr(engine_runs, "run_at_table", lambda *_: None)
    monkeypatch.setattr(engine_bench, "declared_table", lambda engine: table)
    monkeypatch.setattr(engine_bench, "results_of", lambda *_: iter(()))
    rows_of([engine_with_name("strings_js")])
    engine_runs.run_of_games(table, Settings(command=("none",)))
    assert found == [table]


def test_a_lost_conversation_is_of_no_chapter() -> None:
    assert PlantedFault("some", "", ("crash",), "", "").chapters == frozenset()
    assert PlantedFault("some", "", ("5.3", "10.2"), "", "").chapters == {"5", "10"}


def test_an_engine_named_twice_counts_once() -> None:
    names = ["strings_js", "mutable_js"]
    chosen = engine_bench._engines_with_tables([*names, *names])
    assert [one.name for one in chosen] == names


def test_a_lost_worker_is_neither_a_bad_bench_nor_a_missing_tool(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lost(*_: object) -> NoReturn:
        raise LostWorkerError("workers ended before their time")

    monkeypatch.setattr(engine_bench, "rows_of", lost)
    assert engine_bench.main(["strings_js"]) == 2
    assert "workers ended" in capsys.readouterr().err
