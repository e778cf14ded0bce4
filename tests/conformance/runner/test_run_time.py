"""Tests of the time limit of a run: nothing hangs, and what is undone is reported."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from math import inf
from pathlib import Path

import attrs
import pytest

from refengine.jobs.executors import results_in_order
from refengine_conformance.diagnosis import examples
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.report.reports import FORMATS, text
from refengine_conformance.runner import runner
from refengine_conformance.runner.driver import (
    Adapter,
    BrokenError,
    Process,
    transport_of,
)
from refengine_conformance.runner.results import EngineCard, Limits, Outcome
from refengine_conformance.runner.run_time import ENDLESS, RunOverError, RunTime
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import CORPUS, Choice, Selection, of_corpus
from tests.support.commands import Runner, run_process

pytestmark = pytest.mark.interpreted("about processes and time")

LATE = 2.0
PROFILE = "estmesh-hearts"
STARTING = 2.0  # for Python itself, where the machine is busy
ADAPTER = """
import json, sys, time
for number, line in enumerate(sys.stdin):
    request = json.loads(line)
    answer = {"refused": {}} if request["op"] == "step" else {"ok": {}}
    if request["op"] == "hello":
        answer = {"ok": {"protocol": 1, "name": "n", "version": "1",
                         "language": "Python", "profiles": "any", "players": "any",
                         "capabilities": ["step", "setup.position", "pass"]}}
    elif number > int(sys.argv[1]):
        time.sleep(float(sys.argv[2]))
    print(json.dumps({"seq": request["seq"], **answer}), flush=True)
"""
MUTANT = "builtin:mutant:bug:lead_after_queen_only"
NEVER, SLOWLY = ("40", "100"), ("0", "0.02")


def adapter(manner: tuple[str, str]) -> tuple[str, ...]:
    return sys.executable, "-S", "-c", ADAPTER, *manner


def test_an_endless_time_is_never_up() -> None:
    ENDLESS.check()
    assert RunTime.from_now(None) == ENDLESS
    assert ENDLESS.left == ENDLESS.share(0.5).left == ENDLESS.later(1).left == inf
    assert not ENDLESS.limited
    assert ENDLESS.asking == ENDLESS


def test_a_time_has_parts_and_an_end() -> None:
    given = RunTime.from_now(100.0)
    assert 95 < given.asking.left < 96
    assert 0.5 < RunTime.from_now(3.0).asking.left < 1.5
    assert given.limited
    assert 59 < given.share(0.6).left < 60
    assert 104 < given.later(5.0).left < 105
    assert str(given) == "the time for the run, 100 s, was up"
    with pytest.raises(RunOverError, match="100 s, was up"):
        RunTime(100.0, 0.0).check()


# One conversation


def test_a_request_under_way_is_cut_and_is_no_timeout() -> None:
    process = Process(adapter(("0", "100")))
    asked = Adapter(process, Limits(op=50.0), RunTime.from_now(1.0))
    before = time.monotonic()
    with pytest.raises(RunOverError):
        asked.ask("step", seat=0, act={"play": "QS"})
    assert time.monotonic() - before < LATE
    with pytest.raises(RunOverError):
        asked.ask("legal")
    asked.end()
    assert asked.faults == []


def test_its_own_limit_is_a_timeout_as_ever() -> None:
    process = Process(adapter(("0", "100")))
    asked = Adapter(process, Limits(op=0.2), RunTime.from_now(60.0))
    with pytest.raises(BrokenError, match=r"no answer within 0\.2 s") as caught:
        asked.ask("step", seat=0, act={"play": "QS"})
    assert caught.value.outcome is Outcome.TIMEOUT


def test_no_adapter_is_greeted_when_the_time_is_up() -> None:
    with pytest.raises(RunOverError):
        Adapter(transport_of(("builtin:reference",)), Limits(), RunTime(1.0, 0.0))


# The command


def run_for(
    seconds: float, folder: Path, *words: str
) -> tuple[subprocess.CompletedProcess[str], float]:
    """A finished run with this time limit, and the seconds that it took."""
    before = time.monotonic()
    command = ("conform", "run", "--limit-run", str(seconds), *words)
    done = run_process(sys.executable, "-m", "refengine", *command, cwd=folder)
    return done, time.monotonic() - before


def test_time_that_is_up_before_there_is_a_line_is_no_fault_of_ours() -> None:
    settings = runner.Settings(command=("builtin:reference",), time=RunTime(1.0, 0.0))
    lines = of_corpus(CORPUS, Choice(tier="smoke")).lines[:1]
    whole = runner.run(Selection((), beside={"events": lambda: lines}), settings)
    assert "was up" in whole.stopped
    assert not whole.bugs


@pytest.mark.parametrize(
    ("jobs", "manner"), [("1", NEVER), ("2", NEVER), ("2", SLOWLY)], ids=str
)
def test_the_run_ends_when_its_time_is_up_and_says_so(
    jobs: str, manner: tuple[str, str], tmp_path: Path
) -> None:
    limits = ("--limit-op", "100", "--limit-batch", "100")
    words = ("--jobs", jobs, *limits, "--", *adapter(manner))
    done, took = run_for(5, tmp_path, *words)
    assert done.returncode == 2
    assert 2.5 < took < 5 + 2 * LATE + STARTING, "the command loads itself first"
    *lines, end = map(json.loads, done.stdout.splitlines())
    cases = [line for line in lines if "case" in line]
    assert end["exit"] == 2
    assert end["scored"] > 0
    assert end["outcomes"]["not_run"] > 0
    assert end["outcomes"]["timeout"] == 0
    [said] = [one for one in end["troubles"] if "the time for the run" in one]
    asked = {case["case"][:18] for case in cases if case["outcome"] != "not_run"}
    known = len((CORPUS / "index.jsonl").read_text("utf-8").splitlines())
    number = int(said.partition("after ")[2].split()[0])
    assert said.endswith(f"5 s, was up after {number} of {known} traces")
    assert 0 < number == len(asked)
    findings = [line for line in lines if "finding" in line]
    assert findings
    for finding in findings:
        assert "the time for" in finding["facts"]["note"]
    inferred = [line for line in lines if "inference" in line]
    assert len(inferred) == 1, "what was found, or that the time was up before"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon", "604801"])
def test_what_is_no_number_of_seconds_is_wrong_usage(seconds: str, run: Runner) -> None:
    asked = ("--limit-run", seconds, "builtin:reference")
    code, _, said = run("conform", "run", *asked)
    assert code == 3
    assert "--limit-run" in said


def test_time_that_is_up_during_hello_is_no_missing_table(run: Runner) -> None:
    words = ("--at-least", "50", "--limit-run", "0.000001", "--format", "text")
    code, out, _ = run("conform", "run", *words, "--", *adapter(NEVER))
    assert code == 2
    assert "the run was stopped: the time for the run, 1e-06 s, was up" in out


def test_smaller_games_and_rules_get_the_time_that_is_left(tmp_path: Path) -> None:
    done, took = run_for(12, tmp_path, "--tier", "smoke", "--format", "text", MUTANT)
    assert took < 12 + LATE + STARTING
    assert done.returncode == 1 or "the time" in done.stdout, done.stderr


# What comes after the asking


def wrong_run() -> tuple[Run, Selection]:
    """A run with wrong answers before its examples are made, and the games it asked."""
    selection = of_corpus(CORPUS, Choice(tier="smoke", profile="estmesh-hearts"))
    settings = runner.Settings(command=adapter(("0", "0")))
    return runner.run(selection, settings), selection


def test_what_there_is_no_time_for_is_left_out_with_a_sentence() -> None:
    found, selection = wrong_run()
    assert found.groups
    over = RunTime(7.0, 0.0)
    told = examples.with_examples(found, 2, examples.Bounds(time=over))
    told = with_inference(told, selection, time=over)
    assert {*told.examples} == {group.key for group in told.groups}
    for example in told.examples.values():
        assert example.note == "the time for making it smaller was up"
        assert example.line in found.lines.values()
    said = "The time for the run, 7 s, was up before rules that explain"
    for write in FORMATS.values():
        assert said in " ".join(write(told).split())


def test_the_share_of_the_time_is_not_called_the_time_for_the_run() -> None:
    found, _ = wrong_run()
    share = attrs.evolve(RunTime.from_now(1000.0), end=time.monotonic())
    told = examples.with_examples(found, 1, examples.Bounds(time=share))
    assert told.examples
    assert all("1000 s, was up" not in one.note for one in told.examples.values())


def test_an_adapter_that_hangs_later_on_does_not_hold_up_the_end() -> None:
    found, selection = wrong_run()
    at_once = ("0", "100")
    hangs = attrs.evolve(
        found, adapter=adapter(at_once), limits=Limits(op=100.0, batch=100.0)
    )
    before = time.monotonic()
    given = RunTime.from_now(1.0)
    told = examples.with_examples(hangs, 1, examples.Bounds(time=given.share(0.5)))
    told = with_inference(told, selection, time=given)
    assert time.monotonic() - before < 10, "a request may take 100 s"
    assert all("time" in example.note for example in told.examples.values())
    assert "time for the run" in text(told)


def test_the_same_is_found_as_without_a_limit_where_the_time_suffices() -> None:
    selection = of_corpus(CORPUS, Choice(tier="smoke", profile="estmesh-hearts"))
    settings = runner.Settings(command=("builtin:reference",))
    ample = attrs.evolve(settings, time=RunTime.from_now(500.0))
    assert runner.run(selection, settings) == runner.run(selection, ample)


def test_a_cluster_is_waited_for_until_the_time_is_up() -> None:
    def work(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    found: list[float] = []
    with ThreadPoolExecutor(1) as pool:
        end = time.monotonic() + 0.3
        waited = results_in_order([0.0, 0.6, 0.0], work, pool, end)
        found.append(next(waited))
        with pytest.raises(TimeoutError):
            next(waited)
    assert found == [0.0]


def test_what_was_not_asked_is_not_run_and_retired_lines_stay_retired() -> None:
    lines = of_corpus(CORPUS, Choice(tier="smoke")).lines
    old = attrs.evolve(lines[0], retired="old")
    selection = Selection((old, *lines[1:4]))
    settings = runner.Settings(command=("builtin:reference",), time=RunTime(5.0, 0.0))
    found = runner.run(selection, settings)
    by_line: dict[str, set[Outcome]] = {}
    for case in found.cases:
        by_line.setdefault(case.trace, set()).add(case.outcome)
    assert by_line.pop(lines[0].id) == {Outcome.RETIRED}
    assert set.union(*by_line.values()) == {Outcome.NOT_RUN}
    assert found.stopped == "the time for the run, 5 s, was up after 1 of 4 traces"
    assert found.exit_code == 2


def test_what_no_time_was_left_for_is_applicable_only_if_the_engine_plays_it() -> None:
    """The second chunk of lines never reached an adapter, but the first chunk did."""
    chosen = [Choice(tier="smoke", profile=one) for one in ("black-maria", PROFILE)]
    lines = tuple(line for one in chosen for line in of_corpus(CORPUS, one).lines[:2])
    time_up = RunTime(5.0, 0.0)
    settings = runner.Settings(command=("builtin:reference",), time=time_up)
    whole = runner._Whole(Selection(lines), settings)
    whole.add(runner._Results(card=EngineCard("x", "1", "C", (PROFILE,), (4,), ())))
    task = runner._Task(lines=lines, settings=settings, few=True)
    whole.add(runner._ask_chunk(task))
    found = whole.run({}, (), date(2026, 11, 21))
    assert {case.profile for case in found.cases if case.applicable} == {PROFILE}
    assert {(case.outcome, case.note) for case in found.cases} == {
        (Outcome.NOT_RUN, str(time_up))
    }
    names = [line.id for line in lines]
    assert [*dict.fromkeys(case.trace for case in found.cases)] == names
