"""Tests that an adapter's own error ends the game without blame on any clause."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from xml.etree import ElementTree as Xml

import attrs
import pytest

from refengine.errors import Malformed
from refengine.formats.minideals import read_mini
from refengine.formats.serve import Session
from refengine.formats.trace import read_trace
from refengine_conformance.data import data
from refengine_conformance.diagnosis.fitting_rulesets import Heard, heard
from refengine_conformance.diagnosis.inference import infer
from refengine_conformance.diagnosis.run_inference import with_inference
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.report.reports import FORMATS
from refengine_conformance.runner import known_failures
from refengine_conformance.runner.known_failures import Entry, sort_known
from refengine_conformance.runner.results import (
    SCORED,
    Case,
    Fault,
    Outcome,
    Thrown,
    count_errors,
)
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Choice, of_files
from refengine_conformance.runner.transcripts import replay_whole_trace
from refengine_conformance.runner.wrong_views import clauses_of_view_key
from refengine_conformance.selftest import selftest
from refengine_conformance.selftest.bad_adapters import Habit
from refengine_conformance.selftest.selftest import TRACES, selftest_traces
from tests.support.adapters import Json, Planted, Spoil, outcomes, spoiling
from tests.support.runs import failing, run_of

CLAIMED, CORRECTED, SEEN = map(read_trace, TRACES.read_bytes().splitlines())
MINI = next(
    read_mini(line)
    for file in sorted(data("examples").glob("*.jsonl"))
    for line in file.read_bytes().splitlines()
    if line.startswith(b'{"mini"')
)
TODAY = date(2026, 11, 21)


def error(request: Json) -> Json:
    return {"seq": request["seq"], "error": "DataCloneError"}


def failing_at(op: str, number: int, before: Spoil = lambda *said: None) -> Habit:
    """A habit: answer with an error the request for `op` that has this number."""
    asked: list[str] = []

    @spoiling
    def habit(request: Json, answer: Json) -> Json | None:
        asked.append(request["op"])
        fails = request["op"] == op and asked.count(op) == number
        return error(request) if fails else before(request, answer)

    return habit


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


def test_an_irregular_act_that_is_not_reached_leaves_no_probe_open() -> None:
    """The only refused act is probed at step 1, and the revoke comes at step 3."""
    line = next(
        line
        for line in data("corpus", "core-estmesh-hearts.jsonl")
        .read_bytes()
        .splitlines()
        if b"t-f943d7a2ec5525a7" in line
    )
    found = outcomes(Planted(failing_at("step", 2)).cases(read_trace(line)))
    assert {found[kind] for kind in ("step", "clause", "clauses")} == {"error"}
    assert found["probe"] == "pass"


def test_an_error_at_the_very_end_leaves_the_acts_unscored_too() -> None:
    plain = Planted()
    plain.cases(CORRECTED)
    last = failing_at("observe", plain.ops.count("observe"))
    found = outcomes(Planted(last).cases(CORRECTED))
    assert {kind for kind in found if found[kind] == "error"} == {"step", "observe"}
    assert found["legal"] == found["probe"] == "pass"


def allows_a_heart(request: Json, answer: Json) -> None:
    """Answer that 3H may be played as well, where only the last club may be."""
    if request["op"] == "legal" and answer["ok"].get("play") == "5C":
        answer["ok"]["play"] = "5C 3H"


def test_a_wrong_answer_before_the_error_is_still_wrong() -> None:
    cases = Planted(failing_at("legal", 4, before=allows_a_heart)).cases(CORRECTED)
    assert cases["legal"].outcome is Outcome.FAIL
    assert [fault.step for fault in cases["legal"].faults] == [2]
    assert cases["step"].outcome is Outcome.ERROR
    assert cases["step"].note == (
        "the adapter's own error: DataCloneError (step 4, asked what is due)"
    )


def test_what_was_seen_before_a_view_failed_is_judged() -> None:
    @spoiling
    def no_views(request: Json, answer: Json) -> Json:
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
    assert planted.cases(SEEN)["step"].outcome is Outcome.PASS


@pytest.mark.parametrize("op", ["open", "enumerate"])
def test_a_mini_deal_may_end_at_an_error_too(op: str) -> None:
    case = Planted(failing_at(op, 1)).cases(MINI)["enumerate"]
    assert case.outcome is Outcome.ERROR
    assert case.thrown == Thrown(0, op, "DataCloneError")


# Replayed


def replayed(spoil: Callable[[Json], None]) -> dict[str, Case]:
    @spoiling
    def habit(request: Json, answer: Json) -> None:
        if request["op"] == "replay":
            spoil(answer["ok"])

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


def test_what_is_due_in_a_replay_is_placed_there_if_it_is_no_card() -> None:
    def spoil(ok: Json) -> None:
        ok["steps"][3]["legal"] = {"play": "8S XX"}

    case = replayed(spoil)["replay"]
    assert case.outcome is Outcome.PROTOCOL
    place = "the answer to replay, ok.steps[3].legal: field play"
    assert case.note.startswith(f"{place}: got ")


def test_the_other_way_is_a_game_of_its_own() -> None:
    cases = Planted(failing_at("step", 3)).cases(CLAIMED, "step", "replay")
    assert outcomes(cases)["step"] == "error"
    assert outcomes(cases)["replay"] == outcomes(cases)["legal"] == "pass"


def test_an_error_ends_no_questions_that_were_not_asked_in_its_way() -> None:
    """The first act is refused, and the replay that fails does not ask for views."""

    @spoiling
    def habit(request: Json, answer: Json) -> Json | None:
        if request["op"] == "step":
            return {"seq": request["seq"], "refused": {}}
        return error(request) if request["op"] == "replay" else None

    cases = Planted(habit).cases(SEEN, "step", "replay")
    found = outcomes(cases)
    assert (found["step"], found["replay"], found["observe"]) == (
        "fail",
        "error",
        "error",
    )
    assert found["views"] == "not_run"
    assert cases["views"].note == "the game ended too early"
    assert [kind for kind in cases if cases[kind].thrown] == ["replay"]


def test_an_error_leaves_questions_open_though_the_other_way_was_declined() -> None:
    @spoiling
    def habit(request: Json, answer: Json) -> Json | None:
        if request["op"] == "open":
            return {"seq": request["seq"], "unsupported": "only whole games"}
        return error(request) if request["op"] == "replay" else None

    assert outcomes(Planted(habit).cases(SEEN, "step", "replay")) == {
        "step": "unsupported",
        "replay": "error",
        "legal": "error",
        "observe": "error",
        "views": "unsupported",  # which no replay asks
    }


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
    assert found[0].first == "t-2, step 5, asked to carry out an act"
    assert found[0].sentence == (
        "your adapter failed 2 times with IndexError: 7 of 13, "
        "first at t-2, step 5, asked to carry out an act"
    )
    assert count_errors([("t-3", errors[2][1])])[0].first == "t-3, asked to begin"
    assert "failed once with" in found[1].sentence


def test_an_error_about_what_a_seat_was_told_is_placed_in_words() -> None:
    assert Thrown(3, "event", "no").place == "step 3, asked what a seat was told"


def test_a_long_message_is_cut() -> None:
    (found,) = count_errors([("t-1", Thrown(1, "step", "x" * 5000))])
    assert len(found.message) == 120
    assert found.message.endswith("x…")


def test_numbers_of_different_length_do_not_move_what_is_cut() -> None:
    texts = [f"card {number}: {'x' * 200}" for number in (9, 10, 11)]
    errors = [("t-1", Thrown(1, "step", text)) for text in (*texts, "card 9: y")]
    assert [one.count for one in count_errors(errors)] == [3, 1]


# Runs and reports


@pytest.fixture(scope="module")
def failed() -> Run:
    return selftest.run_bad_adapter("errors_on_refusal")


def test_a_run_with_an_error_ends_with_2_and_counts_games(failed: Run) -> None:
    assert failed.exit_code == 2
    (one,) = failed.adapter_errors
    assert (one.message, one.count) == ("illegal move", 2)
    assert one.first == f"{CLAIMED.id}, step 6, asked about an act"
    assert failed.groups == ()
    assert findings_of_run(failed) == []
    assert failed.scored == sum(case.outcome in SCORED for case in failed.cases) == 4
    assert failed.applicable == len(failed.cases)


def test_every_report_begins_with_the_errors(failed: Run) -> None:
    said = "your adapter failed 2 times with illegal move, first at t-"
    wrong = Fault(1, "legal", ("5.3",), "what is due?", "2C", "3C")
    both = attrs.evolve(failed, cases=(*failed.cases, failing("t-1", "legal", wrong)))
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
    wrong_then_error = failing_at("observe", 1, before=allows_a_heart)
    record = heard(Planted(wrong_then_error).adapter(), CORRECTED)
    assert record.transcript.moments
    assert not record.tells
    assert infer([record]).records == ()
    whole = Heard(CORRECTED, replay_whole_trace(Planted().adapter(), CORRECTED))
    assert infer([record, whole]).records == (whole,)


def test_a_run_whose_wrong_games_all_ended_at_errors_explains_nothing() -> None:
    fault = Fault(2, "legal", ("5.3",), "what is due?", "5C", "3H 5C")
    wrong = failing(CORRECTED.id, "legal", fault)
    ended = Case(CORRECTED.id, "step", Outcome.ERROR, thrown=Thrown(3, "legal", "x"))
    found = run_of(wrong, ended, adapter=("builtin:reference",))
    assert with_inference(found, selftest_traces()) is found
    said = replay_whole_trace(Planted().adapter(), CORRECTED)
    freed = attrs.evolve(found, cases=(wrong,), heard={CORRECTED.id: said})
    assert with_inference(freed, selftest_traces()).inferred is not None


# Known failures


def entry(**about: str) -> Entry:
    return Entry(why="being mended", until="2026-12-31", **about)


def test_an_error_is_no_known_failure(failed: Run, tmp_path: Path) -> None:
    assert known_failures.known_failures_text(failed.cases, TODAY) == b""
    listed = sort_known(failed.cases, (entry(id=CLAIMED.id),), TODAY, False)
    assert listed.cases == failed.cases  # neither known, nor said to be mended
    assert listed.stale == ()
    path = tmp_path / "known.jsonl"
    path.write_text('{"id":"t-1","outcome":"error","why":"x","until":"2026-12-31"}\n')
    with pytest.raises(Malformed, match="one of fail, crash, timeout, protocol"):
        known_failures.read_known(path)


def test_the_order_of_the_entries_does_not_matter() -> None:
    """A game fails by `step` but passes its probes, whose entry is therefore stale."""
    fault = Fault(1, "legal", ("5.3",), "what is due?", "2C", "3C")
    cases = (
        Case("t-1", "step", Outcome.FAIL, "estmesh-hearts", (fault,)),
        Case("t-1", "probe", Outcome.PASS, "estmesh-hearts"),
    )
    both = entry(id="t-1"), entry(id="t-1", kind="probe")
    for entries in (both, both[::-1]):
        found = sort_known(cases, entries, TODAY, False).cases
        assert [case.outcome for case in found] == [
            Outcome.KNOWN,
            Outcome.KNOWN_BUT_PASSES,
        ]


def test_what_matches_nothing_may_be_about_a_game_that_ended(failed: Run) -> None:
    by_clause = entry(clause="5.3")
    assert sort_known(failed.cases, (by_clause,), TODAY, False).stale == ()
    passed = tuple(case for case in failed.cases if case.outcome is Outcome.PASS)
    assert len(sort_known(passed, (by_clause,), TODAY, False).stale) == 1


def test_what_matches_nothing_may_be_about_a_game_that_was_not_asked(
    failed: Run,
) -> None:
    left = tuple(attrs.evolve(one, outcome=Outcome.NOT_RUN) for one in failed.cases[:1])
    assert sort_known(left, (entry(clause="5.3"),), TODAY, False).stale == ()


def test_what_goes_wrong_before_a_game_is_no_known_failure() -> None:
    hello = Case("hello", "hello", Outcome.PROTOCOL, note="of edition 9.9.9")
    assert known_failures.known_failures_text((hello,), TODAY) == b""


def test_an_adapter_that_fails_in_some_games_is_scored_in_the_others() -> None:
    command = selftest.bad_adapter_command("errors_on_refusal")
    settings = Settings(command=command, limits=selftest.LIMITS)
    alone = of_files([TRACES], Choice(traces=(SEEN.id,)))
    assert run(alone, settings).exit_code == 0
    both = run(selftest_traces(), settings)
    assert {case.outcome for case in both.cases if case.trace == SEEN.id} == {
        Outcome.PASS
    }


def test_a_table_without_cards_shows_nothing_that_is_hidden() -> None:
    for given, clauses in (({"leader": 2, "cards": ""}, "2.7"), ("QS", "2.7a")):
        assert clauses_of_view_key(SEEN, 5, "table", None, given) == (clauses,)
