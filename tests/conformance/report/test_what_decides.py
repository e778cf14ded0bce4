"""Tests of the facts that decide an answer, as reports give them.

They are compared with facts found by hand.
"""

from random import Random

import attrs
import pytest

from refengine import (
    WHOLE_PACK,
    Card,
    CardSet,
    Match,
    Pass,
    Play,
    Ruleset,
    Setup,
    State,
)
from refengine.formats.minideals import Mini, write_mini
from refengine.formats.trace import Step, Trace, write_trace
from refengine.game.acts import Draw, PassUnseen
from refengine_conformance.report.findings import findings_of_run
from refengine_conformance.report.what_decides import what_decides
from refengine_conformance.runner.results import Case, Fault, Outcome
from refengine_conformance.runner.runs import Run
from tests.support.runs import run_of

RULES = Ruleset(
    "estmesh-hearts", 4, {"pass_cycle": (), "limit": 100, "moon": "others_plus"}
)
PASSING = Ruleset("estmesh-hearts", 4, {"pass_count": 1, "pass_cycle": ("left",)})
HANDS = tuple(map(CardSet, ("2C QS", "3C KH", "4C 2H", "5C 3H")))


def played(rules: Ruleset, *acts: str, totals: tuple[int, ...] | None = None) -> Trace:
    """The trace of a deal of two cards each, with these plays, such as `0 2C`."""
    start = Setup(dealer=3, deal=1, hands=HANDS, totals=totals)
    cards = (act.split() for act in acts)
    steps = (Step(act=Play(int(seat), Card(card))) for seat, card in cards)
    return Trace(ruleset=rules, start=start, steps=tuple(steps))


def fault(question: str, expected: str, got: str, step: int = 0) -> Fault:
    return Fault(step, question, ("8.1",), "asked", expected, got)


def test_of_two_sets_of_cards_the_difference_is_said() -> None:
    trace = played(RULES)
    found = what_decides(trace, fault("legal", "2C QS 3H", "2C AS"))
    assert found == {"missing": "QS 3H", "too much": "AS"}
    assert what_decides(trace, fault("legal", "2C QS", "2C")) == {"missing": "QS"}
    assert what_decides(trace, fault("legal", "2C", "nothing")) == {}
    assert what_decides(trace, fault("turn", "2C", "3C")) == {}


WHOLE = ("0 2C", "1 3C", "2 4C", "3 5C", "3 3H", "0 QS", "1 KH", "2 2H")


def test_of_points_it_is_said_who_took_what_and_where_the_limit_lies() -> None:
    trace = played(RULES, *WHOLE, totals=(90, 1, 2, 3))
    found = what_decides(trace, fault("end.totals", "116 1 28 29", "90 17 2 3"))
    assert found == {
        "taken": "seat 1 QS 2H 3H KH, seat 3 none",
        "limit": "100",
        "totals": "90 1 2 3",
    }


def test_without_a_limit_the_totals_are_said_all_the_same() -> None:
    rules = RULES.having(limit="none", deals=4)
    trace = played(rules, *WHOLE, totals=(90, 1, 2, 3))
    found = what_decides(trace, fault("end.totals", "116 1 28 29", "90 17 2 3"))
    assert (found["totals"], "limit" in found) == ("90 1 2 3", False)


def test_of_points_the_cards_left_in_a_hand_are_said() -> None:
    """Seat 1 draws, and is left with what it holds and what the stock holds (8.2)."""
    options = {"survivor_takes_stock": True, "queen_points": 13}
    rules = Ruleset("gamerules-domino", 4, options)
    hands, stock = ["2C", "4H", "4C", "5C"], ["3C", "QS", "5H"]
    start = Setup(dealer=3, deal=1, hands=hands, stock=stock)
    plays = (Play(1, "3C"), Play(2, "4C"), Play(3, "5C"))
    steps = tuple(Step(act=act) for act in (Play(0, "2C"), Draw(1), *plays))
    trace = Trace(ruleset=rules, start=start, steps=steps)
    found = what_decides(trace, fault("end.score", "0 15 0 0", "0 2 0 0"))
    assert found["taken"] == "seat 3 none"
    assert found["in hand"] == "seat 1 QS 4H 5H"
    assert "in hand" not in what_decides(trace, fault("then.points", "a", "b", 4))


def test_of_a_limit_that_was_reached_before_that_is_said() -> None:
    rules = Ruleset("common-hearts", 4, {"ties": "play_on", "moon": "others_plus"})
    hands = ["AC AS", "4C QS", "5C 2H", "2C 3S"]
    totals = (50, 60, 70, 80)
    start = Setup(dealer=3, deal=4, hands=hands, totals=totals, limit_reached=True)
    trace = Trace(ruleset=rules, start=start, steps=())
    assert what_decides(trace, fault("end.totals", "50", "51")) == {
        "limit": "100, reached in an earlier deal",
        "totals": "50 60 70 80",
    }


def two_deals(rules: Ruleset, pack: str) -> tuple[State, Trace]:
    """The state at the first lead of a second deal, and the trace of both deals."""
    rng, state = Random(2), State.open(rules, Match(0, pack))
    while state.deal < 2 or state.phase != "play":
        state = state.apply(state.random_act(rng))
    second = state
    while state.phase == "play":
        state = state.apply(state.random_act(rng))
    steps = tuple(Step(act=act) for act in state.acts)
    return second, Trace(ruleset=rules, start=Match(0, pack), steps=steps)


def test_of_a_limit_reached_earlier_in_a_match_that_is_said() -> None:
    """With one heart in play, three seats tie at 0, so the match goes on (9.6)."""
    options = {"pass_cycle": (), "ties": "play_on", "limit": 1, "moon": "none"}
    rules = Ruleset("common-hearts", 4, options)
    second, trace = two_deals(rules, "2C 3C 4C 5C 2D 3D 4D 2H")
    first = len(second.acts) - 1  # the last act but the deal: the end of the first deal
    found = what_decides(trace, fault("then.totals", "a", "b", first))
    assert (found["limit"], "totals" in found) == ("1", False)
    found = what_decides(trace, fault("end.totals", "a", "b"))
    assert found["limit"] == "1, reached in an earlier deal"
    assert sorted(found["totals"].split()) == ["0", "0", "0", "1"]


def test_the_scoring_cards_are_those_of_the_ruleset() -> None:
    rules = Ruleset("black-maria", 4)
    hands = tuple(map(CardSet, ("2C AS", "3C KH", "4C 2H", "5C KS")))
    start = Setup(dealer=3, deal=1, hands=hands, leader=0, first_trick=True)
    cards = ("2C", "3C", "4C", "5C")
    steps = tuple(Step(act=Play(seat, Card(one))) for seat, one in enumerate(cards))
    second = ((3, "KS"), (0, "AS"), (1, "KH"), (2, "2H"))
    last = tuple(Step(act=Play(seat, Card(one))) for seat, one in second)
    trace = Trace(ruleset=rules, start=start, steps=(*steps, *last))
    found = what_decides(trace, fault("then.points", "0", "1", 8))
    assert found["taken"] == "seat 0 KS AS 2H KH, seat 3 none"


def test_the_limit_bears_on_the_phase_only_where_the_deal_is_over() -> None:
    trace = played(RULES, *WHOLE)
    assert "limit" in what_decides(trace, fault("then.phase", "deal", "over", 8))
    assert what_decides(trace, fault("then.phase", "play", "deal", 4)) == {}
    assert "taken" in what_decides(trace, fault("then.points", "0", "13", 4))


def test_the_limit_bears_on_whether_anything_is_due_as_on_the_phase() -> None:
    trace = played(RULES, *WHOLE)
    assert "limit" in what_decides(trace, fault("then.over", "true", "false", 8))
    assert what_decides(trace, fault("then.over", "false", "true", 4)) == {}


@pytest.mark.parametrize("plays", [0, 3])
def test_who_passed_what_is_said_where_play_has_just_begun(plays: int) -> None:
    passes = [Step(act=Pass(seat, CardSet([*HANDS[seat]][:1]))) for seat in range(4)]
    cards = ((1, "2C"), (2, "3C"), (3, "4C"))
    steps = [*passes, *(Step(act=Play(seat, Card(one))) for seat, one in cards[:plays])]
    start = Setup(dealer=3, deal=1, hands=HANDS)
    trace = Trace(ruleset=PASSING, start=start, steps=tuple(steps))
    found = what_decides(trace, fault("then.turn", "1", "2", len(steps)))
    told = "seat 0: 2C, seat 1: 3C, seat 2: 4C, seat 3: 5C"
    assert found.get("passed") == told
    later = with_more_plays(trace)
    fourth = fault("legal", "5C", "3H", 8)  # of the plays
    assert "passed" not in what_decides(later, fourth)


def passes_of_all_seats() -> Trace:
    """A deal in which every seat passes its lowest card, and nobody plays."""
    passes = (Step(act=Pass(seat, CardSet([*HANDS[seat]][:1]))) for seat in range(4))
    start = Setup(dealer=3, deal=1, hands=HANDS)
    return Trace(ruleset=PASSING, start=start, steps=tuple(passes))


@pytest.mark.parametrize("question", ["legal", "refuse", "act"])
def test_a_pass_that_a_question_is_about_has_not_been_made(question: str) -> None:
    trace = passes_of_all_seats()
    first = what_decides(trace, fault(question, "2C", "3C", 1))
    assert "passed" not in first
    third = what_decides(trace, fault(question, "2C", "3C", 3))
    assert third["passed"] == "seat 0: 2C, seat 1: 3C"
    after = what_decides(trace, fault("view.hand", "2C", "3C", 1))
    assert after == {"passed": "seat 0: 2C"}


def test_only_the_passes_of_the_same_deal_are_told() -> None:
    second, trace = two_deals(PASSING, "2C 3C 4C 5C 2D 3D 2H 3H")
    passes = [act for act in second.acts if isinstance(act, Pass)]
    assert len(passes) == 8
    asked = fault("then.turn", "1", "2", len(second.acts))
    told = what_decides(trace, asked)["passed"]
    assert told == ", ".join(f"seat {act.seat}: {act.cards}" for act in passes[4:])


def test_who_passes_on_unseen_is_said_too() -> None:
    acts = (
        Pass(0, CardSet("2C")),
        PassUnseen(1),
        Pass(2, CardSet("4C")),
        Pass(3, CardSet("5C")),
    )
    trace = Trace(
        ruleset=Ruleset(
            "estmesh-hearts",
            4,
            {"pass_count": 1, "pass_cycle": ("left",), "pass_unseen": True},
        ),
        start=Setup(dealer=3, deal=1, hands=HANDS),
        steps=tuple(Step(act=act) for act in acts),
    )
    found = what_decides(trace, fault("then.hands", "right", "wrong", step=4))
    assert found == {"passed": "seat 0: 2C, seat 1: forward, seat 2: 4C, seat 3: 5C"}


def test_the_totals_of_earlier_deals_of_a_match_are_told() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ()})
    second, trace = two_deals(rules, "2C 3C 4C 5C 2D 3D 2H QS")
    earlier = second.totals
    assert any(earlier)
    found = what_decides(trace, fault("end.totals", "a", "b"))
    assert found["totals"] == " ".join(map(str, earlier))


def with_more_plays(trace: Trace) -> Trace:
    more = tuple(Step(act=Play(0, Card("2C"))) for _ in range(9))
    return Trace(ruleset=trace.ruleset, start=trace.start, steps=trace.steps + more)


def case_of(name: str, *faults: Fault) -> Case:
    return Case(name, "step", Outcome.FAIL, "estmesh-hearts", faults)


def facts(run: Run) -> dict[str, str]:
    (found,) = findings_of_run(run)
    return dict(found.facts)


def line(trace: Trace) -> str:
    return write_trace(trace).decode()


def test_other_ways_to_be_wrong_are_told_with_a_game_for_each() -> None:
    due = Fault(1, "legal", ("5.3",), "what is due?", "2C", "3C")
    refused = Fault(2, "refuse", ("5.3",), "may seat 1?", "refused by 5.3", "ok")
    seen = Fault(3, "then", ("5.3",), "what is seen?", "a", "b")
    cases = (case_of("t-1", due), case_of("t-2", refused), case_of("t-3", seen))
    found = facts(run_of(*cases))
    assert found["also wrong"] == (
        "acts to refuse: expected refused by 5.3, got ok (t-2, step 2)"
    )
    assert found["and"] == "what is seen: expected a, got b (t-3, step 3)"
    assert "also wrong" not in facts(run_of(cases[0]))


def test_a_mini_deal_has_no_acts_to_show() -> None:
    mini = Mini(ruleset=RULES, setup=Setup(dealer=3, hands=HANDS), id="m-1")
    wrong = Fault(0, "games", (), "how many games?", "9", "8")
    lines = {"m-1": write_mini(mini).decode()}
    shown = facts(run_of(case_of("m-1", wrong), lines=lines))
    assert shown["game"] == "m-1"
    assert not shown.keys() & {"acts before", "then", "passed", "taken"}


def test_what_shows_in_small_packs_alone_says_so() -> None:
    due = Fault(1, "legal", ("5.3",), "what is due?", "2C QS", "QS")
    cards = [*WHOLE_PACK]
    hands = tuple(CardSet(cards[seat::4]) for seat in range(4))
    small = played(RULES)
    whole = Trace(ruleset=RULES, start=Setup(dealer=3, hands=hands), steps=())
    cases = case_of("t-1", due), case_of("t-2", due)
    both = {"t-1": line(small), "t-2": line(whole)}
    assert "pack" not in facts(run_of(*cases, lines=both))
    alone = facts(run_of(cases[0], lines=both))
    assert alone["pack"] == (
        "seen only in games of at most 8 cards, never with the whole pack"
    )
    assert alone["missing"] == "2C"


def test_of_games_that_cannot_be_read_the_pack_is_not_known() -> None:
    """A mini-deal stands for many games, and an unknown line may be any game."""
    due = Fault(1, "legal", ("5.3",), "what is due?", "2C QS", "QS")
    games = Fault(0, "games", ("5.3",), "how many games?", "9", "8")
    mini = Mini(ruleset=RULES, setup=Setup(dealer=3, hands=HANDS), id="m-1")
    lines = {"t-1": line(played(RULES)), "m-1": write_mini(mini).decode()}
    cases = case_of("t-1", due), case_of("m-1", games)
    assert "pack" in facts(run_of(cases[0], lines=lines))
    assert "pack" not in facts(run_of(*cases, lines=lines))


def facts_without(card: str) -> dict[str, str]:
    """The deciding facts in a deal for three at Black Maria without this card."""
    due = Fault(1, "legal", ("5.7",), "what is due?", "3C QS", "QS")
    cards = [one for one in WHOLE_PACK if one != Card(card)]
    start = Setup(dealer=2, hands=tuple(CardSet(cards[seat::3]) for seat in range(3)))
    trace = Trace(ruleset=Ruleset("black-maria", 3), start=start, steps=())
    return facts(run_of(case_of("t-1", due), lines={"t-1": line(trace)}))


def test_the_whole_pack_is_what_the_ruleset_leaves_of_it() -> None:
    """Three players of Black Maria use 51 cards, so no game has more."""
    assert "pack" not in facts_without("2C")


def test_as_many_other_cards_are_not_the_whole_pack() -> None:
    found = facts_without("4D")
    assert found["pack"] == (
        "seen only in games of at most 51 cards, never with the whole pack"
    )


def test_where_it_is_not_known_how_far_a_game_came_no_pass_is_told() -> None:
    lost = Case("t-1", "step", Outcome.CRASH, "estmesh-hearts", note="gone")
    lines = {"t-1": line(passes_of_all_seats())}
    assert "passed" not in facts(run_of(lost, lines=lines))
    at_third = facts(run_of(attrs.evolve(lost, step=3, request="{}"), lines=lines))
    assert at_third["passed"] == "seat 0: 2C, seat 1: 3C"
