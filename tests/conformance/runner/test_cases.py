"""Tests of the cases of a line: what is asked and which answers pass."""

from typing import Any

import attrs
import msgspec
import pytest

from refengine import Ruleset, Setup
from refengine.formats.fields import act_fields
from refengine.formats.minideals import Mini, read_mini
from refengine.formats.protocol import CAPABILITIES
from refengine.formats.trace import Probe, Step, Trace, read_trace
from refengine.game.acts import Act, Claim, Draw, Pass, PassUnseen, Play
from refengine_conformance.data import data
from refengine_conformance.runner.cases import (
    MOST_FAULTS,
    _kept,
    trace_cases,
    unasked_cases,
)
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.results import Limits, Outcome
from refengine_conformance.runner.transcripts import (
    capabilities_for_start,
    capabilities_for_trace,
    trace_without_expectations,
)
from refengine_conformance.selftest import bad_adapters
from tests.support import places
from tests.support.adapters import (
    Crashing,
    Json,
    Planted,
    Spoil,
    answering,
    names_also,
    names_none,
    names_one,
    outcomes,
    spoiling,
)
from tests.support.runs import fault_at

EXAMPLES = data("examples")
FILES = sorted([*places.TRACES.glob("*.jsonl"), *EXAMPLES.glob("*.jsonl")])
LINES = [line for file in FILES for line in file.read_bytes().splitlines()]
TRACES = [read_trace(line) for line in LINES if line.startswith(b'{"trace"')]
MINIS = [read_mini(line) for line in LINES if line.startswith(b'{"mini"')]
BY_NAME = {trace.name: trace for trace in TRACES}
CLAIMED = BY_NAME["a revoke claimed two tricks later"]
DRAWN = BY_NAME["draw until you can follow"]
SEEN = BY_NAME["what one seat knows"]
PASSED = next(
    trace
    for trace in TRACES
    if any(isinstance(step.act, Pass) and step.refuse for step in trace.steps)
)
"""A trace with acts to be refused while cards are passed."""
TWO_CLAUSES = next(
    trace
    for trace in TRACES
    if any(len(probe.clauses) > 1 for step in trace.steps for probe in step.refuse)
)
"""A trace with a refusal by two clauses."""
BOTH = ("step", "replay")


# The reference


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_the_reference_passes_what_the_book_says_in_both_ways(trace: Trace) -> None:
    assert set(outcomes(Planted().cases(trace, *BOTH)).values()) == {"pass"}


@pytest.mark.parametrize("mini", MINIS, ids=lambda mini: mini.id)
def test_the_reference_counts_all_games(mini: Mini) -> None:
    assert outcomes(Planted().cases(mini)) == {"enumerate": "pass"}


@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.id)
def test_a_wrong_expectation_of_any_kind_is_a_failure(trace: Trace) -> None:
    for name, spoiled in _spoiled(trace):
        for way in BOTH:
            if name == "views" and way == "replay":
                continue
            found = Planted().cases(spoiled, way)
            kinds = [k for k, case in found.items() if case.outcome is Outcome.FAIL]
            acts = way if way in found else "step"  # as views are always asked
            assert kinds == [acts if name == "acts" else name], (name, way)
            assert found[kinds[0]].faults


def _spoiled(trace: Trace) -> list[tuple[str, Trace]]:
    """Pairs of a kind of case and a copy of the trace that makes the case fail."""
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
        if place == len(trace.steps) - 1:
            breaks = () if step.breaks else ("5.3",)
            changes.append(("acts", attrs.evolve(step, breaks=breaks)))
        for name, changed in changes:
            steps = (*trace.steps[:place], changed, *trace.steps[place + 1 :])
            found.append((name, attrs.evolve(trace, steps=steps)))
    assert found
    return found


# What is not declared


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_what_is_not_declared_is_neither_asked_nor_scored(capability: str) -> None:
    ops = {"step", "legal", "probe", "observe", "replay", "enumerate"}
    for trace in TRACES:
        planted = Planted(without=(capability,))
        found = outcomes(planted.cases(trace, *BOTH))
        assert {*found.values()} <= {"pass", "unsupported"}
        needed = capability in capabilities_for_trace(trace)
        assert {found[kind] for kind in found if needed or kind == capability} <= {
            "unsupported"
        }
        if capability in ops:
            without_seat = [one for one in planted.requests if "seat" not in one]
            asked_for = planted.requests if capability != "observe" else without_seat
            assert capability not in {request["op"] for request in asked_for}
        if needed:
            assert not planted.ops


@pytest.mark.parametrize(
    ("without", "act", "is_asked"),
    [
        (("revokes",), Claim(0, 1, 1), False),
        (("stock",), Draw(0), False),
        (("forward",), PassUnseen(0), False),
        (("pass", "mix"), Pass(0, "2C"), False),
        (("pass",), Pass(0, "2C"), True),  # cards are passed to a mix too
    ],
)
def test_acts_that_are_not_declared_are_not_probed_either(
    without: tuple[str, ...], act: Act, is_asked: bool
) -> None:
    """The acts carried out in the game are all declared."""
    step = Step(act=Play(0, "2C"), refuse=(Probe(act, ("2.4",)),))
    setup = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    trace = Trace(ruleset=Ruleset("estmesh-hearts"), start=setup, steps=(step,))
    sent = msgspec.json.encode(act_fields(act))
    for undeclared, asked in (((), True), (without, is_asked)):
        planted = Planted(without=undeclared)
        planted.cases(trace, *BOTH)
        assert (sent in msgspec.json.encode(planted.requests)) is asked


def test_a_profile_or_number_that_is_not_declared_is_not_applicable() -> None:
    cases = Planted(players=[3]).cases(CLAIMED)
    assert {case.outcome for case in cases.values()} == {Outcome.UNSUPPORTED}
    assert not any(case.applicable for case in cases.values())
    assert cases["step"].note == "4 players are not declared"


def test_without_step_and_replay_nothing_is_asked() -> None:
    planted = Planted(without=BOTH)
    assert {*outcomes(planted.cases(CLAIMED, *BOTH)).values()} == {"unsupported"}
    assert not planted.ops


# What satisfies an expected refusal


@pytest.mark.parametrize(
    ("habit", "outcome"),
    [
        (bad_adapters.accepts_all, "fail"),
        (bad_adapters.errors_on_refusal, "error"),
        (bad_adapters.unsupported_refusal, "unsupported"),
    ],
    ids=["ok", "error", "unsupported"],
)
def test_only_refused_satisfies_an_expected_refusal(
    habit: bad_adapters.Habit, outcome: str
) -> None:
    assert outcomes(Planted(habit).cases(CLAIMED))["probe"] == outcome


def test_without_probe_the_refused_acts_themselves_are_tried() -> None:
    without = ("probe", "replay")
    found = outcomes(Planted(without=without).cases(CLAIMED, *BOTH))
    assert found["step"] == found["clauses"] == "pass"
    assert found["probe"] == "unsupported"
    permissive = Planted(bad_adapters.accepts_all, without).cases(DRAWN)["step"]
    assert permissive.outcome is Outcome.FAIL
    assert permissive.faults[0].question == "refuse"


def test_a_crash_is_never_a_refusal() -> None:
    adapter = Adapter(Crashing(b'"refused"'), Limits())
    judged = trace_cases(adapter, CLAIMED, ("step",))
    found = {case.kind: case for case in judged.cases}
    assert found["probe"].outcome is Outcome.CRASH
    assert judged.gone
    assert "illegal move" in found["probe"].note
    assert found["step"].outcome is Outcome.NOT_RUN
    assert not any(case.outcome is Outcome.PASS for case in found.values())


@pytest.mark.parametrize("without", [(), ("observe",)], ids=["seen", "unseen"])
def test_a_probe_that_changes_the_state_is_found_out(without: tuple[str, ...]) -> None:
    found = Planted(bad_adapters.changes_on_probe, without).cases(CLAIMED)
    fault = found["probe"].faults[0]
    assert (fault.question, fault.clauses) == ("purity", ("0.10",))


def test_an_engine_that_does_not_show_its_state_has_not_changed_it() -> None:
    times = iter(range(1000))

    @spoiling
    def answers_now_and_then(request: Json, answer: Json) -> Json | None:
        if request["op"] != "observe" or "seat" in request or next(times) % 2:
            return None
        return {"seq": answer["seq"], "unsupported": f"not at {request['seq']}"}

    found = Planted(answers_now_and_then).cases(CLAIMED)
    assert found["probe"].outcome is Outcome.PASS
    assert found["step"].outcome is Outcome.PASS


def test_seats_in_another_order_are_no_other_state() -> None:
    """Lists of seats may have any order, since some languages keep unordered sets."""
    turns: list[list[int]] = []

    @spoiling
    def in_any_order(request: Json, answer: Json) -> Json | None:
        turn = answer.get("ok", {}).get("turn", [])
        if len(turn) > 1:
            turns.append(turn)
            if len(turns) % 2:
                turn.reverse()
        return None

    found = Planted(in_any_order, ("observe",)).cases(PASSED)
    assert len(turns) > 3
    assert {case.outcome for case in found.values()} <= {
        Outcome.PASS,
        Outcome.UNSUPPORTED,
    }


def test_what_steps_have_answered_a_replay_that_is_unsupported_leaves() -> None:
    @spoiling
    def replays_nothing(request: Json, answer: Json) -> Json | None:
        if request["op"] != "replay":
            return None
        return {"seq": answer["seq"], "unsupported": "no claims"}

    found = Planted(replays_nothing).cases(CLAIMED, "step", "replay")
    assert found["replay"].outcome is Outcome.UNSUPPORTED
    assert found["replay"].note == "replay: unsupported: no claims"
    for kind in ("step", "legal", "probe", "observe"):
        assert found[kind].outcome is Outcome.PASS


def test_a_game_that_is_declined_in_one_way_is_judged_in_the_other() -> None:
    declines = spoiling(answering("open", unsupported="only whole games"))
    found = Planted(declines).cases(CLAIMED, "step", "replay")
    assert found["step"].outcome is Outcome.UNSUPPORTED
    assert found["step"].note == "open: unsupported: only whole games"
    for kind in ("replay", "legal", "probe", "observe"):
        assert found[kind].outcome is Outcome.PASS


def test_a_card_that_is_due_twice_is_a_wrong_answer_and_the_game_goes_on() -> None:
    @spoiling
    def doubled(request: Json, answer: Json) -> None:
        play = answer.get("ok", {}).get("play") if request["op"] == "legal" else None
        if play:
            answer["ok"]["play"] = f"{play} {play.split()[0]}"

    found = outcomes(Planted(doubled).cases(CLAIMED))
    assert (found["legal"], found["step"]) == ("fail", "pass")


@pytest.mark.parametrize(
    ("named", "clauses"),
    [(["99.9"], ("7.2",)), (["5.3", "99.9"], ("5.3",)), (["5.3"], ("5.3",))],
)
def test_a_clause_that_the_book_does_not_have_is_not_blamed(
    named: list[str], clauses: tuple[str, ...]
) -> None:
    @spoiling
    def irregular(request: Json, answer: Json) -> None:
        if request["op"] == "step" and answer.get("ok") == {}:
            answer["ok"] = {"breaks": named}

    fault = Planted(irregular).cases(SEEN)["step"].faults[0]
    assert fault.clauses == clauses


def test_a_revoke_that_is_refused_goes_against_the_clause_that_accepts_it() -> None:
    @spoiling
    def rejects(request: Json, answer: Json) -> Json | None:
        breaks = answer.get("ok", {}).get("breaks")
        if request["op"] == "probe" and breaks:
            return {"seq": answer["seq"], "refused": {"clauses": breaks}}
        return None

    lines = data("corpus", "core-heartsgame-tiles.jsonl").read_bytes().splitlines()
    line = next(one for one in lines if b'"irregular":[' in one)
    faults = Planted(rejects).cases(read_trace(line))["probe"].faults
    assert faults
    assert {one.clauses for one in faults} == {("7.2",)}


def test_the_cards_of_a_first_act_may_be_named_in_any_order() -> None:
    lines = data("corpus", "minis.jsonl").read_bytes().splitlines()
    passed = (one for one in lines if b'"divide":{"pass ' in one)
    mini = read_mini(min(passed, key=len))

    @spoiling
    def turned_round(request: Json, answer: Json) -> None:
        if request["op"] == "enumerate":
            divide = answer["ok"]["divide"]
            for act in [*divide]:
                word, *cards = act.split()
                divide[" ".join([word, *cards[::-1]])] = divide.pop(act)

    assert Planted(turned_round).cases(mini)["enumerate"].outcome is Outcome.PASS


# Clauses


def test_a_clause_is_not_compared_where_nothing_was_refused() -> None:
    @spoiling
    def allows_all(request: Json, answer: Json) -> Json | None:
        return {"seq": answer["seq"], "ok": {}} if request["op"] == "probe" else None

    found = Planted(allows_all).cases(DRAWN)
    assert found["probe"].outcome is Outcome.FAIL
    for kind in ("clause", "clauses"):
        assert found[kind].outcome is Outcome.UNSUPPORTED
        assert found[kind].note.startswith("there was no refusal or irregular act")


def test_of_many_wrong_answers_each_clause_is_kept() -> None:
    same = [fault_at(one, "legal", "5.3") for one in range(1, 20)]
    other = fault_at(20, "legal", "5.5")
    assert [*_kept([*same, other, other])] == [*same[:MOST_FAULTS], other]


def test_a_wrong_expected_clause_fails_both_kinds_of_clause_and_not_the_probe() -> None:
    step = DRAWN.steps[0]
    other = attrs.evolve(step.refuse[0], clauses=("9.9",))
    steps = (attrs.evolve(step, refuse=(other,)), *DRAWN.steps[1:])
    for way in BOTH:
        found = outcomes(Planted().cases(attrs.evolve(DRAWN, steps=steps), way))
        assert found["probe"] == found[way] == "pass"
        assert found["clause"] == found["clauses"] == "fail"


@pytest.mark.parametrize(
    ("trace", "spoil", "without", "clause", "clauses"),
    [
        (TWO_CLAUSES, names_one, (), "pass", "fail"),
        (DRAWN, names_also("3.8"), (), "fail", "fail"),
        (DRAWN, names_none, ("clause", "clauses"), "unsupported", "unsupported"),
    ],
    ids=[
        "one right clause is enough for clause and not for clauses",
        "a wrong clause beside a right one is not right",
        "a refusal without clauses is a refusal",
    ],
)
def test_clauses_are_scored_by_themselves(
    trace: Trace,
    spoil: Spoil,
    without: tuple[str, ...],
    clause: str,
    clauses: str,
) -> None:
    found = outcomes(Planted(spoiling(spoil), without).cases(trace))
    assert found["probe"] == "pass"
    assert (found["clause"], found["clauses"]) == (clause, clauses)


# Views and observations


def test_a_seat_that_sees_too_much_goes_against_2_7a() -> None:
    found = Planted(bad_adapters.leaks_cards).cases(SEEN)["views"]
    assert found.outcome is Outcome.FAIL
    assert found.faults[0].clauses == ("2.7a",)
    key = Planted(bad_adapters.leaks_key).cases(SEEN)["views"]
    assert key.outcome is Outcome.PROTOCOL


@pytest.mark.parametrize("key", ["hand", "drew"])
def test_what_is_no_card_in_a_view_is_placed_where_the_answer_has_it(key: str) -> None:
    @spoiling
    def sees_no_card(request: Json, answer: Json) -> None:
        if request["op"] == "observe" and "seat" in request:
            answer["ok"][key] = "1X"

    case = Planted(sees_no_card).cases(SEEN)["views"]
    assert case.outcome is Outcome.PROTOCOL
    place = f"the answer to observe: field {key}"
    assert case.note.startswith(f"{place}: got '1X'; wanted ")


@spoiling
def sees_a_stock(request: Json, answer: Json) -> None:
    if request["op"] == "observe" and "seat" in request:
        answer["ok"]["stock"] = 3


def test_a_wrong_number_of_cards_is_no_leak_though_it_should_be_0() -> None:
    found = Planted(sees_a_stock).cases(SEEN)["views"]
    assert found.outcome is Outcome.FAIL
    assert found.faults[0].clauses == ("2.7",)


def observing(told: Any) -> bad_adapters.Habit:
    """A habit: pass each full observation through this function before it is sent."""

    def spoil(request: Json, answer: Json) -> None:
        if request["op"] == "observe" and "seat" not in request:
            answer["ok"] = told(answer["ok"])

    return spoiling(spoil)


def without_drew(ok: Json) -> Json:
    return {key: value for key, value in ok.items() if key != "drew" or not value}


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (lambda ok: {"turn": ok["turn"]}, "pass"),
        (lambda ok: {}, "unsupported"),
        (without_drew, "pass"),
        (lambda ok: {**ok, "drew": ""} if ok.get("drew") else ok, "fail"),
    ],
    ids=[
        "one field known",
        "no field known",
        "a field shown before and now left out",
        "a field shown wrong",
    ],
)
def test_fields_that_an_engine_does_not_tell_are_not_scored(
    told: Any, outcome: str
) -> None:
    found = Planted(observing(told)).cases(DRAWN)["observe"]
    assert (str(found.outcome), bool(found.faults)) == (outcome, outcome == "fail")


# Sending


def test_expectations_are_not_sent() -> None:
    card = Planted().adapter().card
    for trace in TRACES:
        sent = msgspec.json.encode(trace_without_expectations(trace, card))
        for word in (b'"legal":', b'"breaks":', b'"then":', b'"end":', b'"clauses":'):
            assert word not in sent
        assert b'"heart_leads":' in sent


def test_a_replay_that_stops_too_early_is_not_in_form() -> None:
    @spoiling
    def shorter(request: Json, answer: Json) -> None:
        if request["op"] == "replay":
            answer["ok"]["steps"].pop()

    case = Planted(shorter).cases(DRAWN, "replay")["replay"]
    assert case.outcome is Outcome.PROTOCOL
    assert "got 5 steps; wanted 6" in case.note


def test_what_a_replay_says_after_the_step_that_it_refuses_is_not_judged() -> None:
    @spoiling
    def goes_on(request: Json, answer: Json) -> None:
        if request["op"] == "replay":
            steps = answer["ok"]["steps"]
            steps[1]["answer"], steps[3]["legal"] = {"refused": {}}, {"play": "KS"}

    found = Planted(goes_on).cases(DRAWN, "replay")
    assert [fault.step for fault in found["replay"].faults] == [2]
    assert found["legal"].outcome is found["observe"].outcome is Outcome.NOT_RUN


def test_what_a_replay_says_after_an_unsupported_step_is_not_judged() -> None:
    @spoiling
    def goes_on(request: Json, answer: Json) -> None:
        if request["op"] == "replay":
            steps = answer["ok"]["steps"]
            steps[1]["answer"] = {"unsupported": "no such act"}
            steps[3]["legal"] = {"play": "KS"}

    found = Planted(goes_on).cases(DRAWN, "replay")
    assert found["replay"].outcome is Outcome.UNSUPPORTED
    assert not [case for case in found.values() if case.faults]


def test_a_count_that_differs_names_the_act_it_begins_with() -> None:
    @spoiling
    def more(request: Json, answer: Json) -> None:
        if request["op"] == "enumerate":
            answer["ok"] |= {"divide": {"2C": 3}, "games": 3}

    case = Planted(more).cases(MINIS[0])["enumerate"]
    assert case.outcome is Outcome.FAIL
    assert [fault.question for fault in case.faults] == ["divide", "games"]
    assert case.faults[0].asked == "games that begin with 2C"


def test_a_mini_deal_refused_by_a_clause_that_is_not_in_the_book_names_none() -> None:
    @spoiling
    def refuses(request: Json, answer: Json) -> None:
        if request["op"] == "open":
            del answer["ok"]
            answer["refused"] = {"clauses": ["5.3", "5.99"]}

    (fault,) = Planted(refuses).cases(MINIS[0])["enumerate"].faults
    assert fault.clauses == ("5.3",)


def test_lines_that_are_not_asked_have_the_same_cases() -> None:
    for outcome, applicable in ((Outcome.RETIRED, False), (Outcome.NOT_RUN, True)):
        found = unasked_cases(CLAIMED, outcome, "why")
        assert {case.kind for case in found} == set(Planted().cases(CLAIMED))
        assert {(case.outcome, case.note, case.applicable) for case in found} == {
            (outcome, "why", applicable)
        }


def test_a_beginning_with_a_kitty_needs_a_kitty() -> None:
    start = Setup(dealer=0, hands=["2C", "3C"], kitty="4C")
    assert capabilities_for_start(start) == {"kitty"}
