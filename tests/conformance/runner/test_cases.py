"""The cases of a line: what is asked, what satisfies it, and what is left alone."""

from collections.abc import Callable
from typing import Any

import attrs
import msgspec
import pytest

from refengine.formats.minideals import read_mini
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, read_trace
from refengine_conformance.data import data
from refengine_conformance.runner.cases import Judged, trace_cases, unasked_cases
from refengine_conformance.runner.driver import Adapter, BrokenError, Builtin
from refengine_conformance.runner.mini_cases import mini_cases
from refengine_conformance.runner.results import Case, Limits, Outcome
from refengine_conformance.runner.transcripts import (
    capabilities_for_trace,
    trace_without_expectations,
)
from refengine_conformance.selftest import bad_adapters
from tests.support import places

EXAMPLES = data("examples")
FILES = sorted([*places.TRACES.glob("*.jsonl"), *EXAMPLES.glob("*.jsonl")])
LINES = [line for file in FILES for line in file.read_bytes().splitlines()]
TRACES = [read_trace(line) for line in LINES if line.startswith(b'{"trace"')]
MINIS = [read_mini(line) for line in LINES if line.startswith(b'{"mini"')]
BY_NAME = {trace.name: trace for trace in TRACES}
CLAIMED = BY_NAME["a revoke claimed two tricks later"]
DRAWN = BY_NAME["draw until you can follow"]
SEEN = BY_NAME["what one seat knows"]
Spoil = Callable[[Session, dict[str, Any], bytes], bytes]
BOTH = ("step", "replay")


class Recorder:
    """The reference with a habit and with less to declare; it notes the questions."""

    def __init__(
        self, habit: Spoil = bad_adapters.good, without: tuple[str, ...] = ()
    ) -> None:
        self.session = Session()
        self.habit = habit
        self.without = without
        self.requests: list[dict[str, Any]] = []

    def handle(self, line: bytes) -> bytes | None:
        request = msgspec.json.decode(line)
        self.requests.append(request)
        answer = self.session.handle(line)
        if request["op"] == "hello" and answer:
            plain = msgspec.json.decode(answer)
            declared = [one for one in CAPABILITIES if one not in self.without]
            plain["ok"]["capabilities"] = declared
            answer = msgspec.json.encode(plain)
        return answer and self.habit(self.session, request, answer)

    def adapter(self) -> Adapter:
        return Adapter(Builtin(self.handle), Limits())

    @property
    def ops(self) -> set[str]:
        return {request["op"] for request in self.requests} - {"hello"}


def asked(
    trace: Trace,
    habit: Spoil = bad_adapters.good,
    without: tuple[str, ...] = (),
    ways: tuple[str, ...] = ("step",),
) -> dict[str, Case]:
    judged = trace_cases(Recorder(habit, without).adapter(), trace, ways)
    return {case.kind: case for case in judged.cases}


def outcomes(cases: dict[str, Case]) -> dict[str, str]:
    return {kind: str(case.outcome) for kind, case in cases.items()}


# The reference


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_the_reference_passes_what_the_book_says_in_both_ways(trace: Trace) -> None:
    assert set(outcomes(asked(trace, ways=BOTH)).values()) == {"pass"}


@pytest.mark.parametrize("mini", MINIS, ids=lambda mini: mini.id)
def test_the_reference_counts_all_games(mini: Any) -> None:
    (case,) = mini_cases(Recorder().adapter(), mini).cases
    assert (case.kind, case.outcome) == ("enumerate", Outcome.PASS)


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_a_wrong_expectation_of_any_kind_is_a_failure(trace: Trace) -> None:
    for name, spoiled in _spoiled(trace):
        for way in BOTH:
            if name == "views" and way == "replay":
                continue
            found = asked(spoiled, ways=(way,))
            kinds = [k for k, case in found.items() if case.outcome is Outcome.FAIL]
            assert kinds == [way if name == "acts" else name], (name, way)
            assert found[kinds[0]].faults


def _spoiled(trace: Trace) -> list[tuple[str, Trace]]:
    """The trace with one thing changed, of every kind that it has."""
    found = []
    for place, step in enumerate(trace.steps):
        changes: list[tuple[str, Any]] = []
        if step.legal is not None:
            changes.append(("legal", attrs.evolve(step, legal="2C 3C 4C 5C 6C")))
        for key, value in step.then.items():
            name = "views" if key == "view" else "observe"
            wrong: Any = not value if isinstance(value, bool) else "x"
            wrong = {**value, "held": [99]} if key == "view" else wrong
            then = {**step.then, key: wrong}
            changes.append((name, attrs.evolve(step, then=then)))
        for name, changed in changes:
            steps = (*trace.steps[:place], changed, *trace.steps[place + 1 :])
            found.append((name, attrs.evolve(trace, steps=steps)))
    return found


# What is not declared


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_what_is_not_declared_is_neither_asked_nor_scored(capability: str) -> None:
    ops = {"step", "legal", "probe", "observe", "replay", "enumerate"}
    for trace in TRACES:
        recorder = Recorder(without=(capability,))
        adapter = recorder.adapter()
        cases = trace_cases(adapter, trace, BOTH).cases
        assert {case.outcome for case in cases} <= {Outcome.PASS, Outcome.UNSUPPORTED}
        assert all(
            case.outcome is Outcome.UNSUPPORTED
            for case in cases
            if case.kind == capability or capability in capabilities_for_trace(trace)
        )
        if capability in ops:
            without_seat = [one for one in recorder.requests if "seat" not in one]
            asked_for = recorder.requests if capability != "observe" else without_seat
            assert capability not in {request["op"] for request in asked_for}
        if capability in capabilities_for_trace(trace):
            assert not recorder.ops


def test_acts_that_are_not_declared_are_not_probed_either() -> None:
    for without, act in (
        ("revokes", "claim"),
        ("stock", "draw"),
        ("forward", "forward"),
    ):
        recorder = Recorder(without=(without,))
        adapter = recorder.adapter()
        for trace in TRACES:
            trace_cases(adapter, trace, BOTH)
        text = msgspec.json.encode(recorder.requests)
        assert f'"{act}":'.encode() not in text


def test_a_profile_or_number_that_is_not_declared_is_not_applicable() -> None:
    def only_three(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        return answer.replace(b'"players":"any"', b'"players":[3]')

    cases = asked(CLAIMED, only_three)
    assert {case.outcome for case in cases.values()} == {Outcome.UNSUPPORTED}
    assert not any(case.applicable for case in cases.values())
    assert cases["step"].note == "4 players are not declared"


def test_without_step_and_replay_nothing_is_asked() -> None:
    recorder = Recorder(without=BOTH)
    cases = trace_cases(recorder.adapter(), CLAIMED, BOTH).cases
    assert {case.outcome for case in cases} == {Outcome.UNSUPPORTED}
    assert not recorder.ops


# What satisfies an expected refusal


@pytest.mark.parametrize(
    ("habit", "outcome"),
    [
        (bad_adapters.accepts_all, Outcome.FAIL),
        (bad_adapters.errors_on_refusal, Outcome.ERROR),
        (bad_adapters.unsupported_refusal, Outcome.UNSUPPORTED),
    ],
)
def test_only_refused_satisfies_an_expected_refusal(
    habit: Spoil, outcome: Outcome
) -> None:
    assert asked(CLAIMED, habit)["probe"].outcome is outcome


def test_without_probe_the_refused_acts_themselves_are_tried() -> None:
    recorder = Recorder(without=("probe", "replay"))
    cases = trace_cases(recorder.adapter(), CLAIMED, BOTH).cases
    found = outcomes({case.kind: case for case in cases})
    assert found["step"] == "pass"
    assert found["probe"] == "unsupported"
    assert found["clauses"] == "pass"
    permissive = asked(DRAWN, bad_adapters.accepts_all, ("probe", "replay"))
    assert permissive["step"].outcome is Outcome.FAIL
    assert permissive["step"].faults[0].question == "refuse"


def test_a_crash_is_never_a_refusal() -> None:
    class Crashing(Builtin):
        def exchange(self, line: bytes, limit: float) -> bytes:
            answer = super().exchange(line, limit)
            if b'"refused"' in answer:
                raise BrokenError(Outcome.CRASH, "illegal move")
            return answer

    adapter = Adapter(Crashing(Session().handle), Limits())
    judged = trace_cases(adapter, CLAIMED, ("step",))
    found = {case.kind: case for case in judged.cases}
    assert found["probe"].outcome is Outcome.CRASH
    assert judged.gone
    assert "illegal move" in found["probe"].note
    assert found["step"].outcome is Outcome.NOT_RUN
    assert not any(case.outcome is Outcome.PASS for case in found.values())


def test_a_probe_that_changes_the_state_is_found_out() -> None:
    fault = asked(CLAIMED, bad_adapters.changes_on_probe)["probe"].faults[0]
    assert (fault.question, fault.clauses) == ("purity", ("0.10",))
    fault = asked(CLAIMED, bad_adapters.changes_on_probe, ("observe",))["probe"].faults[
        0
    ]
    assert fault.question == "purity"


# Clauses


def test_a_wrong_expected_clause_fails_both_kinds_of_clause_and_not_the_probe() -> None:
    step = DRAWN.steps[0]
    other = attrs.evolve(step.refuse[0], clauses=("9.9",))
    steps = (attrs.evolve(step, refuse=(other,)), *DRAWN.steps[1:])
    for way in BOTH:
        found = outcomes(asked(attrs.evolve(DRAWN, steps=steps), ways=(way,)))
        assert found["probe"] == found[way] == "pass"
        assert found["clause"] == found["clauses"] == "fail"


def test_one_right_clause_is_enough_for_clause_and_not_for_clauses() -> None:
    def first_only(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        cited = plain.get("refused", {}).get("clauses", [])
        if len(cited) > 1:
            plain["refused"]["clauses"] = cited[:1]
        return msgspec.json.encode(plain)

    found = asked(_with_two_clauses(), first_only)
    assert outcomes(found)["clause"] == "pass"
    assert outcomes(found)["clauses"] == "fail"


def _with_two_clauses() -> Trace:
    for trace in TRACES:
        for step in trace.steps:
            if any(len(probe.clauses) > 1 for probe in step.refuse):
                return trace
    raise AssertionError("no trace has a refusal by two clauses")


def test_a_wrong_clause_beside_a_right_one_is_not_right() -> None:
    def one_more(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if "refused" in plain:
            plain["refused"]["clauses"].append("3.8")
        return msgspec.json.encode(plain)

    found = outcomes(asked(DRAWN, one_more))
    assert (found["probe"], found["clause"], found["clauses"]) == (
        "pass",
        "fail",
        "fail",
    )


def test_a_refusal_without_clauses_is_a_refusal() -> None:
    def silent(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if "refused" in plain:
            plain["refused"] = {}
        return msgspec.json.encode(plain)

    found = outcomes(asked(DRAWN, silent, ("clause", "clauses")))
    assert found["probe"] == "pass"
    assert found["clause"] == "unsupported"


# Views and observations


def test_a_seat_that_sees_too_much_goes_against_2_7a() -> None:
    found = asked(SEEN, bad_adapters.leaks_cards)["views"]
    assert found.outcome is Outcome.FAIL
    assert found.faults[0].clauses == ("2.7a",)
    assert asked(SEEN, bad_adapters.leaks_key)["views"].outcome is Outcome.PROTOCOL


def test_fields_that_an_engine_does_not_know_are_not_scored() -> None:
    def knows_turn(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "observe" and "seat" not in request:
            plain["ok"] = {"turn": plain["ok"]["turn"]}
        return msgspec.json.encode(plain)

    assert asked(DRAWN, knows_turn)["observe"].outcome is Outcome.PASS

    def knows_nothing(
        session: Session, request: dict[str, Any], answer: bytes
    ) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "observe" and "seat" not in request:
            plain["ok"] = {}
        return msgspec.json.encode(plain)

    assert asked(DRAWN, knows_nothing)["observe"].outcome is Outcome.UNSUPPORTED


def test_a_field_that_is_left_out_is_not_covered_even_if_shown_before() -> None:
    def forgets(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "observe" and plain["ok"].get("drew"):
            del plain["ok"]["drew"]
        return msgspec.json.encode(plain)

    found = asked(DRAWN, forgets)["observe"]
    assert (found.outcome, found.faults) == (Outcome.PASS, ())

    def mistakes(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "observe" and plain["ok"].get("drew"):
            plain["ok"]["drew"] = ""
        return msgspec.json.encode(plain)

    assert asked(DRAWN, mistakes)["observe"].outcome is Outcome.FAIL


# Sending


def test_expectations_are_not_sent() -> None:
    recorder = Recorder()
    card = recorder.adapter().card
    for trace in TRACES:
        sent = msgspec.json.encode(trace_without_expectations(trace, card))
        for word in (b'"legal":', b'"breaks":', b'"then":', b'"end":', b'"clauses":'):
            assert word not in sent
        assert b'"heart_leads":' in sent


def test_a_replay_that_stops_too_early_is_not_in_form() -> None:
    def shorter(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "replay":
            plain["ok"]["steps"].pop()
        return msgspec.json.encode(plain)

    case = asked(DRAWN, shorter, ways=("replay",))["replay"]
    assert case.outcome is Outcome.PROTOCOL
    assert "got 5 steps; wanted 6" in case.note


def test_a_count_that_differs_names_the_act_it_begins_with() -> None:
    def more(session: Session, request: dict[str, Any], answer: bytes) -> bytes:
        plain = msgspec.json.decode(answer)
        if request["op"] == "enumerate":
            plain["ok"]["divide"] = {"2C": 3}
            plain["ok"]["games"] = 3
        return msgspec.json.encode(plain)

    (case,) = mini_cases(Recorder(more).adapter(), MINIS[0]).cases
    assert case.outcome is Outcome.FAIL
    assert [fault.question for fault in case.faults] == ["divide", "games"]
    assert case.faults[0].asked == "games that begin with 2C"


def test_lines_that_are_not_asked_have_the_same_cases() -> None:
    found = unasked_cases(CLAIMED, Outcome.RETIRED, "wrong")
    assert {case.kind for case in found} == set(asked(CLAIMED))
    assert isinstance(Judged(found).cases, tuple)
