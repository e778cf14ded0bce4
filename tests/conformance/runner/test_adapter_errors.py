"""An adapter's own error ends the game: it is no answer, and no clause is blamed."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import attrs
import msgspec
import pytest

from refengine.formats.minideals import read_mini
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, read_trace
from refengine_conformance.data import data
from refengine_conformance.diagnosis.fitting_rulesets import Heard, heard
from refengine_conformance.diagnosis.inference import infer
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.report.reports import FORMATS
from refengine_conformance.runner.adapter_errors import Thrown, count_errors
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, Builtin
from refengine_conformance.runner.known_failures import (
    Entry,
    read_known,
    sort_known,
    write_known,
)
from refengine_conformance.runner.mini_cases import mini_cases
from refengine_conformance.runner.results import (
    SCORED,
    Case,
    Fault,
    Limits,
    Outcome,
    Run,
)
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.selection import Choice, of_files
from refengine_conformance.runner.transcripts import replay_whole_trace
from refengine_conformance.selftest.selftest import (
    LIMITS,
    TRACES,
    bad_adapter_command,
    run_bad_adapter,
    selftest_traces,
)

Json = dict[str, Any]
Habit = Callable[[Session, Json, bytes], bytes]

CLAIMED, CORRECTED, SEEN = map(read_trace, TRACES.read_bytes().splitlines())
MINI = next(
    read_mini(line)
    for file in sorted(data("examples").glob("*.jsonl"))
    for line in file.read_bytes().splitlines()
    if line.startswith(b'{"mini"')
)
TODAY = date(2026, 11, 21)


class Planted:
    """The reference with a habit; it notes which ops it was asked."""

    def __init__(self, habit: Habit) -> None:
        self.session = Session()
        self.habit = habit
        self.ops: list[str] = []

    def handle(self, line: bytes) -> bytes | None:
        request = msgspec.json.decode(line)
        self.ops.append(request["op"])
        answer = self.session.handle(line)
        return answer and self.habit(self.session, request, answer)

    def adapter(self) -> Adapter:
        return Adapter(Builtin(self.handle), Limits())

    def cases(self, trace: Trace, *ways: str) -> dict[str, Case]:
        judged = trace_cases(self.adapter(), trace, ways or ("step",))
        assert not judged.gone
        return {case.kind: case for case in judged.cases}


def error(request: Json, text: str = "DataCloneError") -> bytes:
    return msgspec.json.encode({"seq": request["seq"], "error": text})


def failing_at(op: str, number: int) -> Habit:
    """A habit of answering the request of this number to this op with an error."""
    asked = [0]

    def habit(session: Session, request: Json, answer: bytes) -> bytes:
        asked[0] += request["op"] == op
        return error(request) if (request["op"], asked[0]) == (op, number) else answer

    return habit


def outcomes(cases: dict[str, Case]) -> dict[str, str]:
    return {kind: str(case.outcome) for kind, case in cases.items()}


# One game


@pytest.mark.parametrize("op", ["open", "legal", "probe", "step", "observe"])
def test_nothing_is_asked_of_a_game_after_an_error(op: str) -> None:
    planted = Planted(failing_at(op, 1))
    cases = planted.cases(CLAIMED)
    assert planted.ops[-1] == op
    assert cases["step"].outcome is Outcome.ERROR
    assert cases["step"].thrown is not None
    assert cases["step"].thrown.op == op
    assert not any(case.faults for case in cases.values())
    assert Outcome.FAIL not in {case.outcome for case in cases.values()}


def test_what_was_left_unasked_is_an_error_and_what_was_all_asked_is_judged() -> None:
    last = sum(step.legal is not None for step in CORRECTED.steps)
    assert outcomes(Planted(failing_at("legal", last)).cases(CORRECTED)) == {
        "step": "error",
        "legal": "error",
        "probe": "pass",  # its only question is at an earlier step
        "clause": "pass",
        "clauses": "pass",
        "observe": "error",  # what is to be seen at the end
    }


def test_an_error_at_the_very_end_leaves_the_acts_unscored_too() -> None:
    plain = Planted(_as_is)
    plain.cases(CORRECTED)
    last = failing_at("observe", plain.ops.count("observe"))
    found = outcomes(Planted(last).cases(CORRECTED))
    assert {kind for kind in found if found[kind] == "error"} == {"step", "observe"}
    assert found["legal"] == found["probe"] == "pass"


def test_a_wrong_answer_before_the_error_is_still_wrong() -> None:
    asked = [0]

    def habit(session: Session, request: Json, answer: bytes) -> bytes:
        asked[0] += request["op"] == "legal"
        if request["op"] == "legal" and asked[0] == 2:
            return answer.replace(b"5C", b"5C 3H")
        return error(request) if asked[0] == 4 else answer

    cases = Planted(habit).cases(CORRECTED)
    assert cases["legal"].outcome is Outcome.FAIL
    assert [fault.step for fault in cases["legal"].faults] == [2]
    assert cases["step"].outcome is Outcome.ERROR
    assert cases["step"].note == (
        "the adapter's own error: DataCloneError (step 4, asked what is due)"
    )


def test_what_was_seen_before_a_view_failed_is_judged() -> None:
    def no_views(session: Session, request: Json, answer: bytes) -> bytes:
        seen = request["op"] == "observe" and "seat" in request
        return error(request) if seen else answer

    last = SEEN.steps[-1]
    step = attrs.evolve(last, then={**last.then, "turn": [2]})
    trace = attrs.evolve(SEEN, steps=(*SEEN.steps[:-1], step))
    found = outcomes(Planted(no_views).cases(trace))
    assert found == {
        "step": "error",
        "legal": "pass",
        "observe": "fail",
        "views": "error",
    }


def test_an_exception_of_a_built_in_adapter_is_an_error_and_not_a_crash() -> None:
    def raises(session: Session, request: Json, answer: bytes) -> bytes:
        if request["op"] == "probe":
            raise KeyError("no such card")
        return answer

    planted = Planted(raises)
    cases = planted.cases(CLAIMED)
    assert cases["probe"].outcome is cases["step"].outcome is Outcome.ERROR
    assert "KeyError('no such card')" in cases["step"].note
    adapter = planted.adapter()
    assert trace_cases(adapter, SEEN, ("step",)).cases[0].outcome is Outcome.PASS


def test_a_mini_deal_may_end_at_an_error_too() -> None:
    for op in ("open", "enumerate"):
        (case,) = mini_cases(Planted(failing_at(op, 1)).adapter(), MINI).cases
        assert case.outcome is Outcome.ERROR
        assert case.thrown == Thrown(0, op, "DataCloneError")


# Replayed


def replayed(spoil: Callable[[Json], None]) -> dict[str, Case]:
    def habit(session: Session, request: Json, answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "replay":
            spoil(plain["ok"])
        return msgspec.json.encode(plain)

    return Planted(habit).cases(CLAIMED, "replay")


def test_an_error_at_one_step_of_a_replay_ends_the_game_there() -> None:
    def spoil(ok: Json) -> None:
        ok["steps"][3]["legal"] = {"play": "8S"}
        ok["steps"][6]["answer"] = {"error": "DataCloneError"}
        ok["steps"][8]["legal"] = {"play": "2C"}  # after the error, and not looked at

    cases = replayed(spoil)
    assert cases["replay"].thrown == Thrown(7, "replay", "DataCloneError")
    assert cases["replay"].outcome is Outcome.ERROR
    assert [fault.step for fault in cases["legal"].faults] == [4]
    assert cases["probe"].outcome is cases["observe"].outcome is Outcome.ERROR


@pytest.mark.parametrize("place", [5, 9])
def test_a_probe_of_a_replay_may_be_the_error(place: int) -> None:
    def spoil(ok: Json) -> None:
        ok["steps"][place]["refuse"] = [{"error": "DataCloneError"}]

    cases = replayed(spoil)
    assert cases["replay"].thrown == Thrown(place + 1, "replay", "DataCloneError")
    assert outcomes(cases)["legal"] == ("error" if place == 5 else "pass")
    assert outcomes(cases)["probe"] == "error"


def test_a_step_that_fails_need_not_answer_its_probes() -> None:
    def spoil(ok: Json) -> None:
        ok["steps"] = [*ok["steps"][:5], {"answer": {"error": "DataCloneError"}}]
        del ok["end"]

    cases = replayed(spoil)
    assert cases["replay"].thrown == Thrown(6, "replay", "DataCloneError")
    assert not any(case.faults for case in cases.values())


def test_a_replay_that_fails_as_a_whole_is_an_error() -> None:
    cases = Planted(failing_at("replay", 1)).cases(CLAIMED, "replay")
    assert set(outcomes(cases).values()) == {"error"}
    assert cases["replay"].thrown == Thrown(0, "replay", "DataCloneError")


def test_the_other_way_is_a_game_of_its_own() -> None:
    cases = Planted(failing_at("step", 3)).cases(CLAIMED, "step", "replay")
    assert outcomes(cases)["step"] == "error"
    assert outcomes(cases)["replay"] == outcomes(cases)["legal"] == "pass"


# Messages


def test_messages_that_differ_in_numbers_alone_are_one() -> None:
    errors = [
        ("t-1", Thrown(2, "legal", "out of range")),
        ("t-2", Thrown(5, "step", "IndexError: 7 of 13\n  at line 12")),
        ("t-3", Thrown(0, "open", "\n IndexError:  8 of 13\n  at line 99")),
        ("t-4", Thrown(1, "step", "")),
    ]
    found = count_errors(errors)
    assert [(one.message, one.count) for one in found] == [
        ("IndexError: 7 of 13", 2),
        ("out of range", 1),
        ("no message", 1),
    ]
    assert found[0].first == "t-2, step 5, asked to make an act"
    assert found[0].sentence == (
        "your adapter failed 2 times with IndexError: 7 of 13, "
        "first at t-2, step 5, asked to make an act"
    )
    assert count_errors([("t-3", errors[2][1])])[0].first == "t-3, asked to begin"
    assert "failed once with" in found[1].sentence


def test_a_long_message_is_cut() -> None:
    (found,) = count_errors([("t-1", Thrown(1, "step", "x" * 5000))])
    assert len(found.message) == 120
    assert found.message.endswith("x…")


# Runs and reports


@pytest.fixture(scope="module")
def failed() -> Run:
    return run_bad_adapter("errors_on_refusal")


def test_a_run_with_an_error_ends_with_2_and_counts_games(failed: Run) -> None:
    assert failed.exit_code == 2
    (one,) = failed.adapter_errors
    assert (one.message, one.count) == ("illegal move", 2)
    assert one.first == f"{CLAIMED.id}, step 6, asked about an act"
    assert failed.groups == ()
    assert findings_of_run(failed) == []
    assert failed.scored == sum(case.outcome in SCORED for case in failed.cases) == 4
    assert failed.applicable == len(failed.cases)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({}, 2),
        ({"faults": ("bye",)}, 2),
        ({"unreadable": ("x",)}, 2),
        ({"bugs": ("x",)}, 70),
    ],
)
def test_the_order_of_exit_codes_stays(failed: Run, more: Json, code: int) -> None:
    assert attrs.evolve(failed, **more).exit_code == code


def test_every_report_begins_with_the_errors(failed: Run) -> None:
    said = "your adapter failed 2 times with illegal move, first at t-"
    wrong = Fault(1, "legal", ("5.3",), "what is due?", "2C", "3C")
    case = Case("t-1", "legal", Outcome.FAIL, "estmesh-hearts", (wrong,))
    both = attrs.evolve(failed, cases=(*failed.cases, case))
    for name in ("text", "markdown", "html"):
        told = FORMATS[name](both).replace("not kept: 5.3 Follow suit", "")
        assert said in told
        assert told.index(said) < told.index("5.3 Follow suit")
        assert told.index("5.3 Follow suit") < told.index("observe")
    lines = [json.loads(line) for line in FORMATS["jsonl"](failed).splitlines()]
    assert lines[-1]["adapter_errors"] == [
        {
            "message": "illegal move",
            "count": 2,
            "first": f"{CLAIMED.id}, step 6, asked about an act",
        }
    ]
    assert lines[-1]["outcomes"]["error"] == failed.counts[Outcome.ERROR] == 12
    root = Xml.fromstring(FORMATS["junit"](failed))
    found = root.findall("./testsuite/testcase/error")
    assert len(found) == 12
    assert all("the adapter's own error" in one.get("message", "") for one in found)
    assert not root.findall("./testsuite/testcase/failure")


def test_without_an_error_there_is_an_empty_list() -> None:
    well = run(selftest_traces(), Settings(command=("builtin:reference",)))
    assert well.fields()["adapter_errors"] == []
    assert "failed" not in FORMATS["text"](well)


# Diagnosis


def test_a_game_that_ended_at_an_error_takes_no_part_in_inference() -> None:
    def wrong_then_error(session: Session, request: Json, answer: bytes) -> bytes:
        if request["op"] == "legal" and b"5C" in answer:
            return answer.replace(b"5C", b"5C 3H")
        return error(request) if request["op"] == "observe" else answer

    record = heard(Planted(wrong_then_error).adapter(), CORRECTED)
    assert record.transcript.moments
    assert not record.tells
    assert infer([record]).records == ()
    whole = Heard(CORRECTED, replay_whole_trace(Planted(_as_is).adapter(), CORRECTED))
    assert infer([record, whole]).records == (whole,)


def _as_is(session: Session, request: Json, answer: bytes) -> bytes:
    return answer


def test_a_run_whose_wrong_games_all_ended_at_errors_explains_nothing() -> None:
    fault = Fault(2, "legal", ("5.3",), "what is due?", "5C", "3H 5C")
    cases = (
        Case(CORRECTED.id, "legal", Outcome.FAIL, faults=(fault,)),
        Case(CORRECTED.id, "step", Outcome.ERROR, thrown=Thrown(3, "legal", "x")),
    )
    found = run(selftest_traces(), Settings(command=("builtin:reference",)))
    found = attrs.evolve(found, cases=cases)
    assert with_inference(found, selftest_traces()) is found
    freed = attrs.evolve(found, cases=cases[:1])
    assert with_inference(freed, selftest_traces()).inferred is not None


# Known failures


def entry(name: str, **more: str) -> Entry:
    return Entry(id=name, why="being mended", until="2026-12-31", **more)


def test_an_error_is_no_known_failure(failed: Run, tmp_path: Path) -> None:
    assert write_known(failed.cases, TODAY) == b""
    listed = sort_known(failed.cases, (entry(CLAIMED.id),), TODAY, False)
    assert listed.cases == failed.cases  # neither known, nor said to be mended
    assert listed.stale == ()
    path = tmp_path / "known.jsonl"
    path.write_text('{"id":"t-1","outcome":"error","why":"x","until":"2026-12-31"}\n')
    with pytest.raises(Exception, match="one of fail, crash, timeout, protocol"):
        read_known(path)


def test_what_matches_nothing_may_be_about_a_game_that_ended(failed: Run) -> None:
    by_clause = Entry(clause="5.3", why="being mended", until="2026-12-31")
    assert sort_known(failed.cases, (by_clause,), TODAY, False).stale == ()
    passed = tuple(case for case in failed.cases if case.outcome is Outcome.PASS)
    assert len(sort_known(passed, (by_clause,), TODAY, False).stale) == 1


def test_an_adapter_that_fails_in_some_games_is_scored_in_the_others() -> None:
    settings = Settings(command=bad_adapter_command("errors_on_refusal"), limits=LIMITS)
    alone = of_files([TRACES], Choice(traces=(SEEN.id,)))
    assert run(alone, settings).exit_code == 0
    both = run(selftest_traces(), settings)
    assert {case.outcome for case in both.cases if case.trace == SEEN.id} == {
        Outcome.PASS
    }
