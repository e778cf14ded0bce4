"""Tests of what a step of a trace records: acts tried, refusals and observations."""

from refengine import Play, Ruleset, Setup, State
from refengine.formats.fields import normal_state_fields
from refengine.formats.recording import probes_of, recorded_step
from tests.support.refusing import refused

RULES = Ruleset("estmesh-hearts", 4, {"pass_cycle": (), "revokes": "penalised"})
START = Setup(dealer=3, deal=1, hands=["2C 3C 4D", "5C 6D 7D", "8C 9D TD", "JC QD KD"])


def opened() -> State:
    return State.open(RULES, START)


def test_each_try_is_named_once_with_its_clauses() -> None:
    led = opened().apply(Play(0, "2C"))
    tries = [Play(1, "6D"), Play(2, "8C"), Play(1, "5C"), Play(1, "6D"), Play(1, "2H")]
    refuse, irregular = probes_of(led, tries)
    assert {probe.act: probe.clauses for probe in refuse} == {
        Play(2, "8C"): ("2.3",),
        Play(1, "2H"): ("5.7",),
    }
    assert [(probe.act, probe.clauses) for probe in irregular] == [
        (Play(1, "6D"), ("5.3",))
    ]


def test_a_step_says_what_it_breaks_and_what_has_changed() -> None:
    led = opened().apply(Play(0, "2C"))
    fields = normal_state_fields(led)
    step, after, seen = recorded_step(led, Play(1, "6D"), [], fields)
    assert step.breaks == ("5.3",)
    assert step.then["turn"] == [2]
    assert "hands" not in step.then  # no phase has begun
    assert after == led.apply(Play(1, "6D"))
    assert seen == normal_state_fields(after)


def test_an_act_that_is_refused_is_no_step() -> None:
    state = opened()
    seen = normal_state_fields(state)
    assert refused(recorded_step, state, Play(1, "5C"), [], seen).clauses == ("2.3",)
