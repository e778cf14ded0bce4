"""Tests of the search for rulesets that agree with the record of an engine."""

from collections.abc import Mapping
from random import Random

import attrs
import pytest

from refengine import OPTIONS, Malformed, Refused, Ruleset, Setup, State, profile_names
from refengine.comparison.differences import differences
from refengine.formats.fields import ruleset_fields, view_fields
from refengine.formats.trace import Probe, Step, Trace, read_trace, trace_id
from refengine.game.acts import Draw, Play
from refengine_conformance.data import data
from refengine_conformance.diagnosis import inference
from refengine_conformance.diagnosis.fitting_rulesets import (
    Heard,
    heard,
    misfits,
    record_of,
)
from refengine_conformance.diagnosis.inference import infer
from refengine_conformance.generators.strategies import (
    Move,
    Script,
    recorded,
    some_script,
    some_start,
    values_worth_trying,
)
from refengine_conformance.identify import nearest_rules
from refengine_conformance.runner.driver import Adapter
from refengine_conformance.runner.run_time import ENDLESS
from refengine_conformance.runner.transcripts import (
    Answers,
    Reply,
    Transcript,
    Unanswered,
)
from tests.support.adapters import Json, Planted, spoiling

pytestmark = pytest.mark.unmeasured

EST = Ruleset("estmesh-hearts")
PLAIN: dict[str, object] = {"pass_cycle": []}


def masked(true: Ruleset) -> Adapter:
    """Our engine as an adapter that always plays these options, whatever it is sent."""
    options = ruleset_fields(true, every=True)["options"]

    def mishear(request: Json) -> None:
        if request["op"] == "open":
            request["ruleset"]["options"] = options

    return Planted(mishear=mishear).adapter()


def traces_of(ruleset: Ruleset, number: int, seed: int = 0) -> list[Trace]:
    """Traces of small games under one ruleset."""
    found: list[Trace] = []
    while len(found) < number:
        seed += 1
        rng = Random(seed)
        try:
            state = State.open(ruleset, some_start(rng, ruleset))
            trace = recorded(some_script(rng, state, wild=0.1))
        except (Refused, Malformed):
            continue
        found.append(attrs.evolve(trace, id=trace_id(trace)))
    return found


def heard_from(true: Ruleset, told: Ruleset, number: int) -> list[Heard]:
    adapter = masked(true)
    return [heard(adapter, trace) for trace in traces_of(told, number)]


# What fits


def free_lead() -> Heard:
    """A record of an engine that allows a heart to be led before hearts are broken."""
    ruleset = EST.having(**PLAIN, heart_leads="free")
    hands = ["2C 2H", "3C 3H", "4C 4H", "5C 5H"]
    taken, tricks = ["2S 3S 4S 5S", "", "", ""], [1, 0, 0, 0]
    setup = Setup(dealer=3, hands=hands, leader=0, first_trick=False, tricks=tricks)
    setup = attrs.evolve(setup, taken=taken)
    trace = recorded(Script(ruleset, setup, (Move(Play(0, "2H"), (Draw(0),)),)))
    return record_of(trace)


def test_what_does_not_fit_is_named_by_step_and_question() -> None:
    assert misfits(free_lead(), EST.having(**PLAIN)) == ["1 legal", "1 2H"]
    assert misfits(free_lead(), EST.having(**PLAIN, heart_leads="free")) == []


@pytest.mark.parametrize("whose", [7, 2])
def test_a_view_of_another_seat_does_not_fit(whose: int) -> None:
    """This table has no seat 7; it has a seat 2, whose view was not requested."""
    trace = read_trace(data("examples", "09-view.jsonl").read_bytes())

    @spoiling
    def elsewhere(request: Json, answer: Json) -> Json | None:
        if request["op"] == "observe" and "seat" in request:
            answer["ok"]["seat"] = whose
        return None

    found = misfits(heard(Planted(elsewhere).adapter(), trace), trace.ruleset)
    assert found
    assert all(one.endswith("view.seat") for one in found)
    assert not misfits(heard(Planted().adapter(), trace), trace.ruleset)


# What an engine plays


def test_an_engine_that_plays_as_told_needs_no_change() -> None:
    found = infer(heard_from(EST, EST, 12))
    assert found.changes == ({},)
    assert found.explained
    assert len(found.open_to["ties"]) > 1
    assert len(found.open_to["revoke_points"]) == 1  # no effect without revokes


def test_a_house_rule_is_told_by_its_option() -> None:
    true = EST.having(queen_breaks_hearts=True)
    found = infer(heard_from(true, EST, 14))
    assert {"queen_breaks_hearts": True} in found.changes
    assert found.open_to["queen_breaks_hearts"] == (True,)


def test_a_word_is_likelier_than_a_number_that_fits_as_well() -> None:
    told = EST.having(**PLAIN)
    true = told.having(limit_rule="exceed")
    game = differences(told, true, budget=150).difference
    assert game is not None
    moves = tuple(map(Move, game.acts))
    trace = recorded(Script(told, game.start, moves))
    trace = attrs.evolve(trace, id=trace_id(trace))
    found = infer([heard(masked(true), trace)])
    words = [type(value) is not int for one in found.changes for value in one.values()]
    assert words == sorted(words, reverse=True)
    assert {*words} == {True, False}
    assert {"limit_rule": "exceed"} in found.changes


def test_a_bug_is_explained_by_no_ruleset() -> None:
    @spoiling
    def scores_too_much(request: Json, answer: Json) -> None:
        if "score" in answer.get("ok", {}):
            answer["ok"]["score"] = [one + 1000 for one in answer["ok"]["score"]]

    adapter = Planted(scores_too_much).adapter()
    records = [heard(adapter, trace) for trace in traces_of(EST.having(moon="none"), 3)]
    found = infer(records, most=2)
    assert not found.explained
    assert found.changes == ()
    assert found.open_to == {}


def some_house_rules(rng: Random) -> tuple[Ruleset, Ruleset]:
    """A profile, and the same profile with at most three options changed."""
    told = Ruleset(rng.choice(profile_names()))
    while True:
        options: dict[str, object] = {
            option.name: rng.choice(values_worth_trying(option))
            for option in rng.sample(OPTIONS, rng.choice([1, 1, 2, 3]))
        }
        try:
            return told, Ruleset(told.profile, told.players, options)
        except (Refused, Malformed):
            continue


def check_inferred(seed: int, number: int) -> None:
    told, true = some_house_rules(Random(seed))
    records = heard_from(true, told, number)
    found = infer(records)
    assert found.explained, true
    assert found.explains(true.options)
    for name, values in found.open_to.items():
        for value in values:
            assert found.explains({**found.changes[0], name: value})


@pytest.mark.parametrize("seed", [2, 3])
def test_the_rules_behind_a_mask_are_found(seed: int) -> None:
    check_inferred(seed, 9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_the_rules_behind_many_masks_are_found(seed: int) -> None:
    check_inferred(seed, 40)


def test_an_option_that_only_another_needed_goes_with_it() -> None:
    right = [{"a", "b", "c"}, {"a", "c"}, {"c"}]  # the book has b only beside a

    class Kept(inference.ChangeFit):
        def explains(self, change: Mapping[str, object]) -> bool:
            return {*change} in right

    pruned = inference._Inferring(Kept(()), 3)._pruned({"a": 1, "b": 1, "c": 1})
    assert pruned == {"c": 1}


# As a run judges it


SMALL = Setup(dealer=3, deal=4, hands=["2C QH", "5C 3H", "4S 2H", "KC KH"])


def test_a_view_is_judged_as_in_a_run() -> None:
    view = view_fields(State.open(EST, SMALL).apply(Play(0, "2C")).observe(1))
    step = Step(act=Play(0, "2C"), then={"view": view})
    trace = Trace(ruleset=EST, start=SMALL, steps=(step,))

    def said(told: dict[str, object]) -> list[str]:
        moment = Answers(answer=Reply(True), view=told)
        return misfits(Heard(trace, Transcript("step", (moment,))), EST)

    assert said({**view, "drew": ""}) == []
    without = {name: value for name, value in view.items() if name != "hand"}
    assert said(without) == ["1 view.hand"]


def test_the_view_asked_for_at_the_end_is_judged_too() -> None:
    view = view_fields(State.open(EST, SMALL).apply(Play(0, "2C")).observe(1))
    step = Step(act=Play(0, "2C"))
    trace = Trace(ruleset=EST, start=SMALL, steps=(step,), end={"view": view})
    moments = (Answers(answer=Reply(True)),)
    for hand, wrong in (("5C 3H", ""), ("5C", "end view.hand")):
        told = {**view, "hand": hand}
        said = Transcript("step", moments, end_view=told)
        assert "".join(misfits(Heard(trace, said), EST)) == wrong


def test_an_act_that_is_refused_as_a_probe_and_then_made_does_not_fit() -> None:
    probe = Probe(Play(0, "QH"), ("5.2",))
    step = Step(act=Play(0, "2C"), refuse=(probe,))
    trace = Trace(ruleset=EST, start=SMALL, steps=(step,))
    made = Answers(refuse=((probe, Reply(False)),), tried=(probe, Reply(True)))
    assert misfits(Heard(trace, Transcript("step", (made,))), EST) == ["1 QH"]


def test_a_beginning_that_is_refused_fits_where_the_book_refuses_it() -> None:
    """Hands of two cards are too small for a pass of three (4.11)."""
    trace = Trace(ruleset=EST, start=SMALL, steps=(Step(act=Play(0, "2C")),))
    passing = EST.having(pass_cycle=["left"])
    refused = Heard(trace, Transcript("step", opened=Reply(False)))
    assert misfits(refused, EST) == ["open"]
    assert misfits(refused, passing) == []
    declined = Heard(trace, Transcript("step", opened=Unanswered("unsupported")))
    assert misfits(declined, EST) == misfits(declined, passing) == []


def test_a_seat_that_is_not_due_does_not_fit() -> None:
    trace = Trace(ruleset=EST, start=SMALL, steps=(Step(act=Play(0, "2C")),))
    for seat, wrong in ((0, ""), (3, "1 turn")):
        moment = Answers(answer=Reply(True), legal="2C", turn=(seat,))
        said = Transcript("step", (moment,))
        assert "".join(misfits(Heard(trace, said), EST)) == wrong


def test_a_card_that_stays_in_the_hand_until_the_trick_is_over_is_noticed() -> None:
    cards = ["2C", "3C", "4C", "5C"]
    setup = Setup(dealer=3, deal=4, hands=cards)
    steps = tuple(Step(act=Play(seat, card)) for seat, card in enumerate(cards))
    seen = [cards, cards, cards, [""] * 4]
    moments = tuple(Answers(answer=Reply(True), then={"hands": one}) for one in seen)
    trace = Trace(ruleset=EST, start=setup, steps=steps)
    record = Heard(trace, Transcript("step", moments))
    assert misfits(record, EST)
    assert not nearest_rules.RulesetFit([record], ENDLESS).explains(EST)
    assert infer([record]).changes != ({},)
