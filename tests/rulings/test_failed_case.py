"""Tests of how the failed cases of a report are read."""

import msgspec
import pytest

from refengine import Play, Ruleset, Setup
from refengine.errors import Malformed
from refengine.formats.trace import Probe, Step, Trace
from refengine.rulings.failed_case import is_report, wrong_answers


def test_a_report_that_breaks_off_is_not_taken_for_whole() -> None:
    cut = b'{"case":"t-010cb81042ab1f93/step","outco'
    assert not is_report(cut)
    with pytest.raises(Malformed, match="no JSON"):
        wrong_answers(cut, lambda name: None)
    assert wrong_answers(b'{"finding":1,"case":2}', lambda name: None) == []


def test_a_question_about_the_end_is_not_taken_for_one_about_an_act() -> None:
    start = Setup(dealer=3, deal=4, hands=["2C", "3C", "4C", "5C"])
    probed = Step(Play(1, "3C"), refuse=(Probe(Play(2, "4C"), ("2.3",)),))
    steps = (Step(Play(0, "2C")), probed)
    trace = Trace(ruleset=Ruleset("common-hearts", 4), start=start, steps=steps)
    fault = {"question": "then.turn", "asked": "may seat 2 play 4C?"}
    acts = []
    for step in (2, 0):
        wrong = fault | {"step": step, "expected": "", "got": ""}
        case = {"case": "t-0/step", "faults": [wrong]}
        [failure] = wrong_answers(msgspec.json.encode(case), lambda name: trace)
        assert failure.ruling is not None
        acts.append(failure.ruling.act)
    assert acts == [Play(2, "4C"), Play(1, "3C")]
