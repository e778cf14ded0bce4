"""One refused act of every game goes through `step` too, and must change nothing."""

from collections.abc import Callable
from typing import Any

import attrs
import msgspec
import pytest

from refengine.formats.fields import act_fields
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, read_trace, written_alike
from refengine.game.values.state import State
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.runner.cases import trace_cases, wrong_view_keys
from refengine_conformance.runner.driver import Adapter, Builtin
from refengine_conformance.runner.results import Case, EngineCard, Limits, Outcome
from refengine_conformance.runner.transcripts import refusal_to_try
from refengine_conformance.selftest.bad_adapters import (
    accepts_all,
    changes_on_probe,
    good,
    unsupported_refusal,
    wipes_on_refusal,
)
from refengine_conformance.selftest.selftest import TRACES, run_bad_adapter

Json = dict[str, Any]
Habit = Callable[[Session, Json, bytes], bytes]

CLAIMED, CORRECTED, SEEN = map(read_trace, TRACES.read_bytes().splitlines())
ALL = EngineCard("", "", "", ("any",), ("any",), CAPABILITIES)


class Planted:
    """The reference with a habit and with less to declare; it notes the requests."""

    def __init__(self, habit: Habit, *without: str) -> None:
        self.session = Session()
        self.habit = habit
        self.without = without
        self.requests: list[Json] = []

    def handle(self, line: bytes) -> bytes | None:
        request = msgspec.json.decode(line)
        self.requests.append(request)
        answer = self.session.handle(line)
        if request["op"] == "hello" and answer:
            plain = msgspec.json.decode(answer)
            declared = [one for one in CAPABILITIES if one not in self.without]
            plain["ok"]["capabilities"] = declared
            return msgspec.json.encode(plain)
        return answer and self.habit(self.session, request, answer)

    def cases(self, trace: Trace, *ways: str) -> dict[str, Case]:
        adapter = Adapter(Builtin(self.handle), Limits())
        judged = trace_cases(adapter, trace, ways or ("step",))
        return {case.kind: case for case in judged.cases}

    def made(self, act: Json) -> int:
        """How often this act went through `step`."""
        return sum(
            one["op"] == "step" and one["act"] == act for one in self.requests[1:]
        )


def loses_a_card(session: Session, request: Json, answer: bytes) -> bytes:
    """A refused act is made all the same by other code than that which probes."""
    state = session.state
    refused = _is_step(request) and b'"refused"' in answer
    if refused and state is not None and state.legal.cards:
        session.state = state.play(next(iter(state.legal.cards)))
    return answer


def _is_step(request: Json) -> bool:
    return bool(request["op"] == "step")


# Which act


def test_the_act_is_the_first_of_the_last_step_that_has_one() -> None:
    number, probe = refusal_to_try(CLAIMED, ALL) or (0, None)
    assert number == 10
    assert probe is CLAIMED.steps[9].refuse[0]
    assert refusal_to_try(SEEN, ALL) is None


def test_an_act_that_is_not_declared_is_not_chosen() -> None:
    def can(*names: str) -> EngineCard:
        return attrs.evolve(ALL, capabilities=names)

    assert refusal_to_try(CLAIMED, can("step", "probe")) is None
    play = attrs.evolve(CLAIMED.steps[5].refuse[0], act=CLAIMED.steps[0].act)
    steps = (attrs.evolve(CLAIMED.steps[0], refuse=(play,)), *CLAIMED.steps[1:])
    trace = attrs.evolve(CLAIMED, steps=steps)
    assert refusal_to_try(trace, can("step", "probe")) == (1, play)


@pytest.mark.parametrize("trace", [CLAIMED, CORRECTED])
def test_it_is_made_once_in_a_game_after_its_probe(trace: Trace) -> None:
    planted = Planted(good)
    cases = planted.cases(trace)
    assert {case.outcome for case in cases.values()} == {Outcome.PASS}
    number, probe = refusal_to_try(trace, ALL) or (0, trace.steps[0].refuse[0])
    act, seat = act_fields(probe.act), probe.act.seat
    asked = [
        (one["op"], one.get("seat") == seat)
        for one in planted.requests[1:]
        if one.get("act") == act
    ]
    assert asked[-2:] == [("probe", True), ("step", True)]
    place = next(
        place
        for place, one in enumerate(planted.requests)
        if one["op"] == "step" and one["act"] == act and one["seat"] == seat
    )
    assert planted.requests[place + 1] == {
        "op": "observe",
        "seq": planted.requests[place]["seq"] + 1,
    }
    made = sum(one["op"] == "step" for one in planted.requests)
    assert made == len(trace.steps) + 1
    assert number > 0


# What is found


@pytest.mark.parametrize("habit", [wipes_on_refusal, loses_a_card])
@pytest.mark.parametrize("without", [(), ("observe",), ("replay",)])
def test_a_step_that_changes_the_state_when_it_refuses_is_found_out(
    habit: Habit, without: tuple[str, ...]
) -> None:
    cases = Planted(habit, *without).cases(CLAIMED)
    fault = cases["step"].faults[0]
    assert (fault.step, fault.question, fault.clauses) == (10, "purity", ("0.10",))
    assert cases["probe"].outcome is Outcome.PASS


def test_of_a_changed_state_the_fields_that_differ_are_shown() -> None:
    fault = Planted(wipes_on_refusal).cases(CORRECTED)["step"].faults[0]
    assert '"turn":[3]' in fault.expected
    assert '"turn":[0]' in fault.got
    assert '"dealer"' not in fault.expected + fault.got


def test_it_is_found_whatever_is_declared_beside_it_and_only_step_by_step() -> None:
    both = Planted(wipes_on_refusal).cases(CLAIMED, "step", "replay")
    assert both["step"].outcome is Outcome.FAIL
    assert both["replay"].outcome is Outcome.PASS
    replayed = Planted(wipes_on_refusal).cases(CLAIMED, "replay")
    assert {case.outcome for case in replayed.values()} == {Outcome.PASS}


def test_it_is_found_in_the_games_of_an_adapter_without_probe_too() -> None:
    planted = Planted(loses_a_card, "probe", "legal")
    fault = planted.cases(CLAIMED)["step"].faults[0]
    assert (fault.step, fault.question) == (6, "purity")


def test_a_step_that_accepts_what_its_probe_refuses_ends_the_game() -> None:
    def permissive(session: Session, request: Json, answer: bytes) -> bytes:
        return accepts_all(session, request, answer) if _is_step(request) else answer

    planted = Planted(permissive)
    cases = planted.cases(CLAIMED)
    (fault,) = cases["step"].faults
    assert (fault.step, fault.question, fault.got) == (10, "refuse", "ok")
    assert fault.clauses == ("7.7a",)
    assert cases["probe"].outcome is cases["legal"].outcome is Outcome.PASS
    assert cases["observe"].outcome is Outcome.NOT_RUN
    assert planted.requests[-1]["op"] == "step"


def test_the_heading_of_such_a_run_is_0_10_alone() -> None:
    found = findings_of_run(run_bad_adapter("wipes_on_refusal"))
    assert [one.heading for one in found] == ["0.10 A refused act changes nothing"]


# What stays as it was


@pytest.mark.parametrize("habit", [accepts_all, changes_on_probe, unsupported_refusal])
def test_what_a_probe_has_shown_already_is_not_shown_again(habit: Habit) -> None:
    planted = Planted(habit)
    planted.cases(CLAIMED)
    number, probe = refusal_to_try(CLAIMED, ALL) or (0, CLAIMED.steps[9].refuse[0])
    assert number == 10
    assert planted.made(act_fields(probe.act)) == 0


def test_a_refused_act_that_step_calls_unsupported_takes_nothing_away() -> None:
    def partly(session: Session, request: Json, answer: bytes) -> bytes:
        if _is_step(request):
            return unsupported_refusal(session, request, answer)
        return answer

    cases = Planted(partly).cases(CLAIMED)
    assert {case.outcome for case in cases.values()} == {Outcome.PASS}


def test_an_adapter_that_shows_no_state_is_still_asked() -> None:
    planted = Planted(good, "observe", "legal")
    cases = planted.cases(CLAIMED)
    assert cases["step"].outcome is cases["probe"].outcome is Outcome.PASS
    spoilt = Planted(wipes_on_refusal, "observe", "legal").cases(CLAIMED)
    assert spoilt["step"].outcome is Outcome.FAIL


# One comparison


def test_true_is_not_1_wherever_answers_are_compared() -> None:
    assert written_alike({"over": True, "turn": [1]}, {"turn": [1], "over": True})
    for one, other in ((True, 1), (False, 0), ([True], [1]), (1, 1.0)):
        assert one == other
        assert not written_alike(one, other)
    assert not written_alike(1, 2)
    assert wrong_view_keys({"hearts_broken": False}, {"hearts_broken": 0}) == [
        "hearts_broken"
    ]
    assert wrong_view_keys({"hearts_broken": False, "held": []}, {}) == []


@pytest.mark.parametrize(("answered", "outcome"), [("1", "protocol"), ("true", "pass")])
def test_1_for_true_is_never_right_for_the_runner(answered: str, outcome: str) -> None:
    def numbers(session: Session, request: Json, answer: bytes) -> bytes:
        known = f'"hearts_broken":{answered}'.encode()
        return answer.replace(b'"hearts_broken":true', known)

    assert str(Planted(numbers).cases(CORRECTED)["observe"].outcome) == outcome


def test_a_wiped_state_is_the_first_of_the_game() -> None:
    session = Session()
    state = State.open(CLAIMED.ruleset, CLAIMED.start)
    session.state = state.play("2C")
    request = {"op": "step", "seq": 1}
    wipes_on_refusal(session, request, b'{"seq":1,"refused":{}}')
    assert session.state == state
