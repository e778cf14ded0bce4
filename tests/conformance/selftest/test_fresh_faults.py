"""Tests of faults that were devised from the book, and of what a run says of each."""

import json
from concurrent.futures import Executor
from pathlib import Path

import pytest

from refengine.lawbook.book import clauses
from refengine_conformance.data import data
from refengine_conformance.mutants import loading
from refengine_conformance.mutants.fresh_faults import (
    FRESH,
    MEETING,
    FaultList,
    FreshFault,
    fresh_faults,
    planted_fresh_faults,
)
from refengine_conformance.runner.selection import Choice, Selected
from refengine_conformance.selftest import engine_runs, fresh_faults_found
from refengine_conformance.selftest.fresh_faults_found import (
    Fate,
    fate_at_table,
    fate_of,
    flags_of,
    headed,
    recorded,
)
from refengine_conformance.tables.case_set import CaseSet

BY_ID = {one.id: one for one in fresh_faults()}
MEETINGS = {one.id: one for one in fresh_faults(MEETING)}
EACH_LIST = pytest.mark.parametrize("of", [FRESH, MEETING], ids=lambda one: one.name)


def shown(of: FaultList) -> dict[str, bytes]:
    """For each fault of a list, by its id, the line of the game that shows it."""
    lines = data(f"{of.name}-shown.jsonl").read_bytes().splitlines()
    return dict(zip((one.id for one in fresh_faults(of)), lines, strict=True))


def differing(prefix: str, lines: dict[str, bytes]) -> dict[str, tuple[str, str]]:
    """Where each line is first answered wrongly, without and with its fault.

    It must run in a worker.
    """
    from refengine_conformance.corpus_tools import evidence

    found = {}
    for name, line in lines.items():
        case = evidence.case_of(line)
        ours = evidence.first_divergence(case)
        with loading.run_as_mutant(f"{prefix}{name}"):
            found[name] = ours, evidence.first_divergence(case)
    return found


@EACH_LIST
def test_fifty_faults_are_listed_and_planted(of: FaultList) -> None:
    numbers = {*clauses()}
    listed = fresh_faults(of)
    assert len({one.id for one in listed}) == 50
    assert [one.id for one in planted_fresh_faults(of)] == [
        f"{of.prefix}{one.id}" for one in listed
    ]
    assert all({*one.accepted} <= numbers for one in listed)


def test_clauses_that_are_as_right_as_a_heading() -> None:
    assert BY_ID["end_of_match_forgets_the_open_revoke"].accepted == (
        "9.9",
        "2.4",
        "7.4a",
    )
    assert sum(bool(one.also) for one in BY_ID.values()) == 13
    assert MEETINGS["choice_of_an_earlier_moon_is_kept"].accepted == (
        "8.5b",
        "2.4",
        "8.6",
        "3.11",
    )
    assert sum(not one.also for one in MEETINGS.values()) == 2


@EACH_LIST
def test_every_edit_fits_the_source(of: FaultList, worker: Executor) -> None:
    ids = [one.id for one in planted_fresh_faults(of)]
    assert worker.submit(loading.find_unusable_mutants, ids).result() == {}


@EACH_LIST
def test_each_fault_comes_out_where_the_list_says(
    of: FaultList, worker: Executor
) -> None:
    found = worker.submit(differing, of.prefix, shown(of)).result()
    assert [name for name, (ours, _) in found.items() if ours] == []
    assert [
        name
        for name, (_, planted) in found.items()
        if not planted or planted.startswith("crash") or planted == "hangs"
    ] == []


@EACH_LIST
def test_every_fate_is_recorded_and_whole(of: FaultList) -> None:
    fates = recorded(of)
    assert list(fates) == [one.id for one in fresh_faults(of)]
    for fate in fates.values():
        assert "stopped" not in fate
        assert len(fate["headings"]) == len(fate["lines"])
        assert fate["caught"] == bool(fate["headings"])


def test_it_is_recorded_how_a_meeting_is_headed() -> None:
    for name, fate in recorded(MEETING).items():
        assert fate["headed"] == headed(MEETINGS[name], fate)


@pytest.mark.parametrize(
    "name",
    ["third_cut_forgets_who_dropped_out", "draw_goes_on_after_the_card_came"],
)
def test_the_game_that_is_recorded_catches_the_fault(name: str) -> None:
    game = recorded()[name]["game"]
    fate = fate_of(name, Choice(traces=(game,)))
    assert fate["game"] == game
    assert headed(BY_ID[name], fate)


def test_every_meeting_has_a_table_of_its_own() -> None:
    for fault in MEETINGS.values():
        table = flags_of(fault).table()
        assert f"--profile {table.ruleset.profile}" in fault.table
        assert f"--players {table.ruleset.players}" in fault.table
        assert f"--starts {','.join(table.starts)}" in fault.table


def test_a_meeting_is_asked_the_games_of_its_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    name = "reset_stops_after_first_seat"
    line = shown(MEETING)[name]
    game = Selected(json.loads(line)["id"], line)
    games = CaseSet(lines=(game,), shows={}, unreached={}, funnel=())
    monkeypatch.setattr(engine_runs, "games_of", lambda table, seed: games)
    fate = fate_at_table(name)
    assert fate["caught"]
    assert fate["game"] == game.id
    assert headed(MEETINGS[name], fate)


def test_each_fate_is_written_as_it_comes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, second = "reset_stops_after_first_seat", "total_stops_at_zero"
    file = tmp_path / "found.json"

    def fate(name: str) -> Fate:
        if name == second:
            raise KeyboardInterrupt
        return {"caught": True, "headings": ["9.3"], "lines": [1]}

    monkeypatch.setattr(FaultList, "found", property(lambda of: file))
    monkeypatch.setattr(fresh_faults_found, "fate_at_table", fate)
    with pytest.raises(KeyboardInterrupt):
        fresh_faults_found.main(["--meeting", "--write", first, second])
    assert recorded(MEETING) == {
        first: {"caught": True, "headings": ["9.3"], "lines": [1], "headed": True}
    }


def test_a_report_is_headed_by_the_first_of_at_most_two() -> None:
    fault = FreshFault("some", "5.3", ("2.3",), "")
    assert headed(fault, {"headings": ["5.3"]})
    assert headed(fault, {"headings": ["2.3", "5.8"]})
    assert not headed(fault, {"headings": ["5.8", "5.3"]})
    assert not headed(fault, {"headings": ["5.3", "5.8", "6.1"]})
    assert not headed(fault, {"headings": []})


def test_a_fault_that_is_not_in_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["nobody"], ["--meeting", "third_cut"]):
        assert fresh_faults_found.main(words) == 3
        assert words[-1] in capsys.readouterr().err


def test_only_the_chosen_faults_are_recorded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, second = "reset_stops_after_first_seat", "total_stops_at_zero"
    found: Fate = {"caught": True, "headings": ["9.3"], "lines": [1]}
    found |= {"game": "t-1", "step": 1}
    file, journal = tmp_path / "found.json", str(tmp_path / "journal")
    monkeypatch.setattr(FaultList, "found", property(lambda of: file))
    monkeypatch.setattr(fresh_faults_found, "fate_at_table", lambda name: found)
    fresh_faults_found.main(["--meeting", "--resume", journal, first, second])
    fresh_faults_found.main(["--meeting", "--resume", journal, "--write", first])
    assert [*recorded(MEETING)] == [first]
