"""Tests of the exit code of a run, for each kind of fault and for several at once."""

import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs
import pytest

from refengine_conformance.commands import conform_run_command
from refengine_conformance.runner.results import Case, Outcome
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import (
    CORPUS,
    Choice,
    Selection,
    of_corpus,
    of_files,
)
from refengine_conformance.selftest.selftest import (
    LIMITS,
    TRACES,
    bad_adapter_command,
    selftest_traces,
)
from tests.support.commands import run_given
from tests.support.runs import failing, fault_at, run_of, run_with

# each fault by itself, and its code in formats.md
FAULTS: dict[str, tuple[int, dict[str, Any]]] = {
    "bugs": (70, {"bugs": ("a bug",)}),
    "stopped": (2, {"stopped": "lost too often"}),
    "unreadable": (3, {"unreadable": ("line 1",)}),
    "protocol": (3, {"refused_protocol": "2", "stopped": "speaks protocol 2"}),
    "unwritten": (3, {"unwritten": "no such folder"}),
    "short": (4, {"short": ("one less",)}),
    "faults": (1, {"faults": ("bye",)}),
    "stale": (1, {"stale": ("an old entry",)}),
}
WRONG = {Outcome.FAIL: 1, Outcome.ERROR: 2}
ORDER = (70, 2, 3, 4, 1, 0)  # the first of those that apply


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_of_several_faults_the_first_in_the_order_of_the_formats(number: int) -> None:
    for names in combinations([*FAULTS, *WRONG], number):
        if {"stopped", "protocol"} <= set(names):
            continue  # one field says both
        codes, more, wrong = {0}, dict[str, Any](), list[Outcome]()
        for name in names:
            if isinstance(name, Outcome):
                codes.add(WRONG[name])
                wrong.append(name)
            else:
                codes.add(FAULTS[name][0])
                more |= FAULTS[name][1]
        for outcomes in ((Outcome.PASS, *wrong), wrong):
            code = min(codes if outcomes else codes | {4}, key=ORDER.index)
            assert run_with(*outcomes, **more).exit_code == code, (names, outcomes)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_each_outcome_alone_and_beside_one_that_passes(outcome: Outcome) -> None:
    wrong = ("fail", "crash", "timeout", "protocol", "known_but_passes")
    code = 1 if outcome in wrong else 2 if outcome == "error" else 0
    assert run_with(Outcome.PASS, outcome).exit_code == code
    unscored = ("unsupported", "retired", "not_run")
    assert run_with(outcome).exit_code == (4 if outcome in unscored else code)


def code_of(selection: Selection, *command: str) -> int:
    return run(selection, Settings(command=command, limits=LIMITS)).exit_code


@pytest.fixture
def damaged(tmp_path: Path) -> Selection:
    """The traces of the self-test, and one line that cannot be read."""
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(TRACES.read_bytes() + b'{"trace":1}\n')
    return of_files([path], Choice())


def test_real_runs_with_one_fault_and_with_several(damaged: Selection) -> None:
    wrong, lost = (
        bad_adapter_command("wrong_legal"),
        bad_adapter_command("dies_half_way"),
    )
    good = ("builtin:reference",)
    none = of_files([TRACES], Choice(traces=("t-0",)))
    assert code_of(selftest_traces(), *good) == 0
    assert code_of(selftest_traces(), *wrong) == 1
    assert code_of(none, *good) == 4
    assert code_of(none, *wrong) == 4
    assert code_of(damaged, *good) == 3
    assert code_of(damaged, *wrong) == 3  # wrong answers, and a line unread
    assert code_of(selftest_traces(), *lost) == 2
    assert code_of(damaged, *lost) == 2  # lost too often, and a line unread
    assert code_of(damaged, sys.executable, "-c", "") == 2


def test_less_than_the_manifest_promises_is_4(tmp_path: Path) -> None:
    for file in CORPUS.iterdir():
        if file.name != "index.jsonl":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    index = (CORPUS / "index.jsonl").read_bytes().splitlines()
    smoke = [line for line in index if b'"tier":"smoke"' in line.replace(b" ", b"")]
    (tmp_path / "index.jsonl").write_bytes(b"\n".join(smoke[1:]) + b"\n")
    selection = of_corpus(tmp_path, Choice(tier="smoke"))
    assert selection.short
    few = attrs.evolve(selection, lines=selection.lines[:2])
    assert code_of(few, "builtin:reference") == 4


def test_without_a_report_it_is_still_said_why_a_run_is_not_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def troubled(*asked: object, **more: object) -> Run:
        case = Case("t-1", "step", Outcome.PASS)
        return run_of(case, bugs=("x",), short=("t-2: missing",))

    monkeypatch.setattr(conform_run_command, "run", troubled)
    words = ("--tier", "smoke", "--no-shrink", "--no-infer", "--format", "none")
    code, out, err = run_given("conform", "run", *words, "--", "builtin:reference")
    assert (code, out) == (70, "")
    assert err.splitlines() == [
        "refengine: an internal error, please report it: x",
        "refengine: promised but missing: t-2: missing",
    ]


@pytest.mark.parametrize("fails_at_domino", [True, False])
def test_a_known_failure_of_a_clause_may_be_about_one_table_alone(
    fails_at_domino: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = tmp_path / "known.jsonl"
    known.write_text('{"clause":"6.2","why":"not yet","until":"2999-12-31"}\n')
    stale = ("clause 6.2: matches nothing; remove the entry",)
    hearts = domino = run_with(Outcome.PASS, stale=stale)
    if fails_at_domino:
        listed = failing("t-9", "step", fault_at(1, "act", "6.2"))
        domino = run_of(attrs.evolve(listed, outcome=Outcome.KNOWN))
    runs = iter([(hearts, Selection(())), (domino, Selection(()))])
    for name in ("tables_in_hello", "case_set"):
        monkeypatch.setattr(conform_run_command, name, lambda *given: ("a", "b"))
    monkeypatch.setattr(conform_run_command._Asking, "_table", lambda *_: next(runs))
    words = ("--known", known, "--no-shrink", "--no-infer", "--format", "none")
    code, _, said = run_given("conform", "run", *words, "--", "x")
    assert (code, said.count("6.2")) == ((0, 0) if fails_at_domino else (1, 2))
