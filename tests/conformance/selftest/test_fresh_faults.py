"""Fifty faults thought out from the book, planted, and whether the corpus sees them."""

from collections.abc import Iterator
from concurrent.futures import Executor

import pytest

from refengine.lawbook.book import clauses
from refengine_conformance.data import data
from refengine_conformance.mutants import fresh_faults, loading
from refengine_conformance.runner.selection import Choice
from refengine_conformance.selftest import fresh_faults_found
from refengine_conformance.selftest.fresh_faults_found import fate_of, headed, recorded

SHOWN = data("fresh-faults-shown.jsonl")
BY_ID = {one.id: one for one in fresh_faults.fresh_faults()}


@pytest.fixture(scope="module")
def worker() -> Iterator[Executor]:
    with loading.mutant_workers(1) as executor:
        yield executor


def differing(lines: dict[str, bytes]) -> dict[str, tuple[str, str]]:
    """Where each line goes wrong with our engine, and with its fault; in a worker."""
    from refengine_conformance.corpus_tools import evidence

    found = {}
    for name, line in lines.items():
        case = evidence.case_of(line)
        ours = evidence.first_divergence(case)
        with loading.run_as_mutant(f"{fresh_faults.PREFIX}{name}"):
            found[name] = ours, evidence.first_divergence(case)
    return found


def test_fifty_faults_are_listed_and_planted() -> None:
    numbers = {*clauses()}
    assert len(BY_ID) == 50
    assert len(fresh_faults.planted_fresh_faults()) == 50
    assert all({*one.accepted} <= numbers for one in BY_ID.values())
    assert BY_ID["end_of_match_forgets_the_open_revoke"].accepted == (
        "9.9",
        "2.4",
        "7.4a",
    )
    assert sum(bool(one.also) for one in BY_ID.values()) == 13


def test_every_edit_fits_the_source(worker: Executor) -> None:
    ids = [one.id for one in fresh_faults.planted_fresh_faults()]
    assert worker.submit(loading.find_unusable_mutants, ids).result() == []


def test_each_fault_comes_out_where_the_list_says(worker: Executor) -> None:
    lines = dict(zip(BY_ID, SHOWN.read_bytes().splitlines(), strict=True))
    found = worker.submit(differing, lines).result()
    assert [name for name, (ours, _) in found.items() if ours] == []
    assert [name for name, (_, planted) in found.items() if not planted] == []


def test_every_fate_is_recorded() -> None:
    fates = recorded()
    assert list(fates) == list(BY_ID)
    for fate in fates.values():
        assert "stopped" not in fate
        assert len(fate["headings"]) == len(fate["lines"])
        assert fate["caught"] == bool(fate["headings"])


@pytest.mark.parametrize(
    "name",
    ["third_cut_forgets_who_dropped_out", "draw_goes_on_after_the_card_came"],
)
def test_the_game_that_is_recorded_catches_the_fault(name: str) -> None:
    game = recorded()[name]["game"]
    fate = fate_of(name, Choice(traces=(game,)))
    assert fate["game"] == game
    assert headed(BY_ID[name], fate)


def test_a_report_is_headed_by_the_first_of_at_most_two() -> None:
    fault = fresh_faults.FreshFault("some", "5.3", ("2.3",), "")
    assert headed(fault, {"headings": ["5.3"]})
    assert headed(fault, {"headings": ["2.3", "5.8"]})
    assert not headed(fault, {"headings": ["5.8", "5.3"]})
    assert not headed(fault, {"headings": ["5.3", "5.8", "6.1"]})
    assert not headed(fault, {"headings": []})


def test_a_fault_that_is_not_in_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh_faults_found.main(["nobody"]) == 3
    assert "nobody" in capsys.readouterr().err
