"""Tests that one refused act of every game is also sent by `step`.

It must change nothing.
"""

import attrs
import msgspec
import pytest

from refengine.formats.fields import act_fields
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, read_trace, written_alike
from refengine.game.values.state import State
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.runner.results import EngineCard, Outcome
from refengine_conformance.runner.transcripts import last_refusal
from refengine_conformance.runner.wrong_views import wrong_view_keys
from refengine_conformance.selftest.bad_adapters import (
    Habit,
    accepts_all,
    changes_on_probe,
    good,
    unsupported_refusal,
    wipes_on_refusal,
)
from refengine_conformance.selftest.selftest import TRACES, run_bad_adapter
from tests.support.adapters import Json, Planted, outcomes

CLAIMED, CORRECTED, SEEN = map(read_trace, TRACES.read_bytes().splitlines())
ALL = EngineCard("", "", "", ("any",), ("any",), CAPABILITIES)


def loses_a_card(session: Session, request: Json, answer: bytes) -> bytes:
    """A habit: when `step` refuses an act, the engine plays some legal card instead."""
    state = session.state
    refused = _is_step(request) and b'"refused"' in answer
    if refused and state is not None and state.legal.cards:
        session.state = state.play(next(iter(state.legal.cards)))
    return answer


def _is_step(request: Json) -> bool:
    return bool(request["op"] == "step")


def at_step(habit: Habit) -> Habit:
    """This habit, but only in answers to `step`."""

    def only(session: Session, request: Json, answer: bytes) -> bytes:
        return habit(session, request, answer) if _is_step(request) else answer

    return only


# Which act


def test_the_act_is_the_first_of_the_last_step_that_has_one() -> None:
    number, probe = last_refusal(CLAIMED, ALL) or (0, None)
    assert number == 10
    assert probe is CLAIMED.steps[9].refuse[0]
    assert last_refusal(SEEN, ALL) is None


def test_an_act_that_is_not_declared_is_not_chosen() -> None:
    def can(*names: str) -> EngineCard:
        return attrs.evolve(ALL, capabilities=names)

    assert last_refusal(CLAIMED, can("step", "probe")) is None
    play = attrs.evolve(CLAIMED.steps[5].refuse[0], act=CLAIMED.steps[0].act)
    steps = (attrs.evolve(CLAIMED.steps[0], refuse=(play,)), *CLAIMED.steps[1:])
    trace = attrs.evolve(CLAIMED, steps=steps)
    assert last_refusal(trace, can("step", "probe")) == (1, play)


@pytest.mark.parametrize("trace", [CLAIMED, CORRECTED])
def test_it_is_made_once_in_a_game_after_its_probe(trace: Trace) -> None:
    planted = Planted(good)
    cases = planted.cases(trace)
    assert {case.outcome for case in cases.values()} == {Outcome.PASS}
    number, probe = last_refusal(trace, ALL) or (0, trace.steps[0].refuse[0])
    act, seat = act_fields(probe.act), probe.act.seat
    asked = [one for one in planted.requests if one.get("act") == act]
    assert [(one["op"], one["seat"]) for one in asked[-2:]] == [
        ("probe", seat),
        ("step", seat),
    ]
    made = next(one for one in asked if _is_step(one) and one["seat"] == seat)
    after = planted.requests[planted.requests.index(made) + 1]
    assert after == {"op": "observe", "seq": made["seq"] + 1}
    assert planted.ops.count("step") == len(trace.steps) + 1
    assert number > 0


# What is found


@pytest.mark.parametrize("habit", [wipes_on_refusal, loses_a_card])
@pytest.mark.parametrize("without", [(), ("observe",)])
def test_a_step_that_changes_the_state_when_it_refuses_is_found_out(
    habit: Habit, without: tuple[str, ...]
) -> None:
    cases = Planted(habit, without).cases(CLAIMED)
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
    planted = Planted(loses_a_card, ("probe", "legal"))
    fault = planted.cases(CLAIMED)["step"].faults[0]
    assert (fault.step, fault.question) == (6, "purity")


def test_a_step_that_accepts_what_its_probe_refuses_ends_the_game() -> None:
    planted = Planted(at_step(accepts_all))
    cases = planted.cases(CLAIMED)
    (fault,) = cases["step"].faults
    assert (fault.step, fault.question, fault.got) == (10, "refuse", "ok")
    assert fault.clauses == ("7.7a",)
    assert cases["probe"].outcome is cases["legal"].outcome is Outcome.PASS
    assert cases["observe"].outcome is Outcome.NOT_RUN
    assert planted.requests[-1]["op"] == "step"


def test_what_such_an_end_leaves_unasked_in_its_own_step_is_not_judged() -> None:
    probe = CLAIMED.steps[5].refuse[0]
    steps = [attrs.evolve(step, refuse=()) for step in CLAIMED.steps]
    steps[5] = attrs.evolve(steps[5], refuse=(probe, CLAIMED.steps[9].refuse[0]))
    trace = attrs.evolve(CLAIMED, steps=tuple(steps))
    cases = Planted(accepts_all, ("probe", "legal")).cases(trace)
    assert cases["step"].outcome is Outcome.FAIL
    assert cases["clauses"].outcome is cases["clause"].outcome is Outcome.NOT_RUN


def test_what_was_answered_before_rubbish_is_judged() -> None:
    planted = Planted(good)
    planted.cases(CLAIMED)
    last = [one["seq"] for one in planted.requests if one["op"] == "observe"][-1]

    def rubbish(session: Session, request: Json, answer: bytes) -> bytes:
        return b'{"seq":%d,"ok":[]}' % last if request["seq"] == last else answer

    cases = Planted(rubbish).cases(CLAIMED)
    assert cases["observe"].outcome is Outcome.PROTOCOL
    assert cases["probe"].outcome is cases["legal"].outcome is Outcome.PASS


def test_what_a_replay_never_asks_is_not_left_unasked_by_its_end() -> None:
    def fails_at_the_end(session: Session, request: Json, answer: bytes) -> bytes:
        said = msgspec.json.decode(answer)
        if request["op"] == "replay":
            said["ok"]["steps"][-1]["answer"] = {"error": "out of cards"}
        return msgspec.json.encode(said)

    without = ("step", "probe")
    well = outcomes(Planted(good, without).cases(CLAIMED, "replay"))
    ended = outcomes(Planted(fails_at_the_end, without).cases(CLAIMED, "replay"))
    assert ended["replay"] == "error"
    assert {one: ended[one] for one in ("clause", "clauses", "probe")} == {
        one: well[one] for one in ("clause", "clauses", "probe")
    }


def test_the_heading_of_such_a_run_is_0_10_alone() -> None:
    found = findings_of_run(run_bad_adapter("wipes_on_refusal"))
    assert [one.heading for one in found] == ["0.10 A refused act changes nothing"]


# What stays as it was


@pytest.mark.parametrize("habit", [accepts_all, changes_on_probe, unsupported_refusal])
def test_what_a_probe_has_shown_already_is_not_shown_again(habit: Habit) -> None:
    planted = Planted(habit)
    planted.cases(CLAIMED)
    number, probe = last_refusal(CLAIMED, ALL) or (0, CLAIMED.steps[9].refuse[0])
    assert number == 10
    act = act_fields(probe.act)
    assert not any(_is_step(one) and one["act"] == act for one in planted.requests)


def test_a_refused_act_that_step_calls_unsupported_takes_nothing_away() -> None:
    cases = Planted(at_step(unsupported_refusal)).cases(CLAIMED)
    assert {*outcomes(cases).values()} == {"pass"}


def test_an_adapter_that_shows_no_state_is_still_asked() -> None:
    unseen = ("observe", "legal")
    cases = Planted(good, unseen).cases(CLAIMED)
    assert cases["step"].outcome is cases["probe"].outcome is Outcome.PASS
    spoilt = Planted(wipes_on_refusal, unseen).cases(CLAIMED)
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
