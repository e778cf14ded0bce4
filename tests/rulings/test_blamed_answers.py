"""Tests of the clause named for wrong answers written by hand, by the text of the book.

Each answer is one that an engine would give if it misread just that clause.
"""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from refengine import Match, Ruleset, Setup, State
from refengine.formats.trace import Trace, state_at
from refengine.game.acts import (
    Act,
    Claim,
    Deal,
    MoonChoice,
    Pass,
    Play,
    QuitTrick,
)
from refengine.rulings.broken_clauses.named_clauses import (
    clauses_of_due_answer,
    clauses_of_field,
    clauses_of_phase,
    clauses_of_turn,
    clauses_of_wrong_refusal,
)
from refengine.rulings.broken_clauses.scored_clauses import excesses
from refengine_conformance.generators.strategies import Move, Script, recorded

CLUBS = ["2C 6D", "3C 2D", "4C 3D", "5C 4D"]
SHOT = ["AC AS", "4C QS", "5C 2H", "2C 3S"]
"""Hands with which seat 0 wins both tricks, and so both penalty cards."""
PACK = "2C 3C 4C 5C 2D 3D 4D 5D"


def trace_of(ruleset: Ruleset, start: Match | Setup, *acts: Act) -> Trace:
    """The trace of these acts under a ruleset, from this start."""
    return recorded(Script(ruleset, start, tuple(map(Move, acts))))


def until(ended: Callable[[State], bool], ruleset: Ruleset, start: Match) -> Trace:
    """The trace of a match, played at random until its state is as `ended` says."""
    rng, state = Random(3), State.open(ruleset, start)
    while not ended(state):
        state = state.apply(state.random_act(rng))
    return trace_of(ruleset, start, *state.acts)


def deal_of(ruleset: Ruleset, hands: list[str], **setup: object) -> Trace:
    """The trace of a deal without a pass, of which every card is played at random."""
    start = Setup(**{"dealer": 3, "deal": 4, "hands": hands} | setup)
    rng, state = Random(5), State.open(ruleset, start)
    while state.phase == "play":
        state = state.apply(state.random_act(rng))
    return trace_of(ruleset, start, *state.acts)


def _is_played(deal: int, state: State) -> bool:
    """Whether cards are played in this deal."""
    return state.deal == deal and state.phase == "play"


def at_end(trace: Trace, field: str, got: object) -> tuple[str, ...]:
    """The clauses named for this value of a field after the last act."""
    return clauses_of_field(trace, len(trace.steps), field, got)


def test_a_score_before_the_deal_is_over_is_of_8_1() -> None:
    plays = [Play(seat, hand[:2]) for seat, hand in enumerate(CLUBS)]
    start = Setup(dealer=3, deal=4, hands=CLUBS)
    trace = trace_of(Ruleset("common-hearts", 4), start, *plays)
    assert at_end(trace, "score", [0, 0, 0, 0]) == ("8.1",)


def test_after_a_pass_the_phase_is_not_of_the_clause_on_holding() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_count": 1})
    start = Setup(dealer=3, deal=1, hands=CLUBS)
    passes = [Pass(seat, hand[:2]) for seat, hand in enumerate(CLUBS)]
    trace = trace_of(rules, start, *passes)
    assert clauses_of_phase(trace, 5) == ("4.1",)
    held = trace_of(rules, Setup(dealer=3, deal=4, hands=CLUBS), Play(0, "2C"))
    assert clauses_of_phase(held, 1) == ("4.3",)


def test_cards_are_passed_by_the_clause_of_this_deal_not_of_an_earlier_one() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ["mix", "left", "hold"]})
    rules = rules.having(pass_count=1)
    for deal, clause in ((1, "4.10"), (2, "4.2"), (3, "5.7")):
        trace = until(partial(_is_played, deal), rules, Match(0, PACK))
        step = len(trace.steps) + 1
        assert clauses_of_wrong_refusal(trace, step, ("5.7",)) == (clause,)


def test_totals_are_of_9_1_after_the_trick_was_turned_down_too() -> None:
    rules = Ruleset("common-hearts", 4, {"revokes": "penalised"})
    rules = rules.having(revoke_until="trick_quitted")
    trace = deal_of(rules, CLUBS)
    assert at_end(trace, "totals", [9, 9, 9, 9]) == ("9.1",)
    acts = [step.act for step in trace.steps]
    last = state_at(trace, len(acts)).completed
    assert last is not None
    turned = trace_of(rules, trace.start, *acts, QuitTrick(last.winner))
    assert at_end(turned, "totals", [9, 9, 9, 9]) == ("9.1",)


@pytest.mark.parametrize(
    ("options", "hands", "totals", "clause"),
    [
        ({"ties": "play_on"}, CLUBS, (23, 24, 25, 12), "9.3"),
        ({"ties": "play_on", "moon": "others_plus"}, SHOT, (86, 86, 10, 10), "9.6"),
        ({"exact_limit_becomes": 50, "moon": "none"}, SHOT, (86, 1, 2, 3), "9.2"),
    ],
)
def test_a_match_said_to_be_over_too_early(
    options: dict[str, object],
    hands: list[str],
    totals: tuple[int, ...],
    clause: str,
) -> None:
    """Nobody has reached the limit; a tie is played off; exactly the limit is 50."""
    trace = deal_of(Ruleset("common-hearts", 4, options), hands, totals=totals)
    assert state_at(trace, len(trace.steps)).winners is None
    assert at_end(trace, "match", {"over": True, "winners": [1]}) == (clause,)


def test_a_moon_beside_a_revoke_of_another_seat_still_counts() -> None:
    """The engine charges for the revoke (7.10), but sees no moon (8.3)."""
    rules = Ruleset("common-hearts", 4, {"moon": "others_plus", "revokes": "penalised"})
    start = Setup(dealer=3, deal=4, hands=["5S 9S", "QS 2H", "4D 3S", "AS KS"])
    led = ((0, "5S"), (1, "QS"), (2, "4D"), (3, "AS"))
    last = ((3, "KS"), (0, "9S"), (1, "2H"), (2, "3S"))
    plays = [Play(seat, card) for seat, card in (*led, *last)]
    trace = trace_of(rules, start, *plays, Claim(0, 2, 1))
    assert state_at(trace, len(trace.steps)).score == (14, 14, 27, 0)
    assert at_end(trace, "score", [0, 0, 13, 14]) == ("8.3",)
    assert at_end(trace, "score", [0, 0, 0, 14]) == ("8.3",)
    assert at_end(trace, "score", [14, 14, 14, 0]) == ("7.10",)


def test_a_moon_with_the_penalty_on_top_is_of_8_3b() -> None:
    """The revoker took everything, and shoots nothing."""
    rules = Ruleset("common-hearts", 4, {"moon": "others_plus", "revokes": "penalised"})
    hands = ["5D 9S 4C", "4D QS 2H", "3D 3S 5C", "2C AS 2D"]
    start = Setup(dealer=3, deal=4, hands=hands, leader=0)
    cards = ["5D", "4D", "3D", "2C", "9S", "QS", "3S", "AS", "2D", "4C", "2H", "5C"]
    seats = (0, 1, 2, 3, 0, 1, 2, 3, 3, 0, 1, 2)
    plays = [Play(seat, card) for seat, card in zip(seats, cards, strict=True)]
    trace = trace_of(rules, start, *plays, Claim(0, 3, 1))
    assert state_at(trace, len(trace.steps)).score == (0, 0, 0, 27)
    assert at_end(trace, "score", [14, 14, 14, 13]) == ("8.3b",)
    assert at_end(trace, "score", [14, 14, 14, 0]) == ("8.3b",)


def test_after_a_deal_without_points_the_match_goes_on_by_the_limit() -> None:
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ()})
    second = until(lambda state: state.deal == 2, rules, Match(0, PACK))
    assert clauses_of_phase(second, len(second.steps) + 1) == ("9.3",)
    alone = until(
        lambda state: state.over,
        Ruleset("pokerwiner-hearts", 4),
        Match(0, "2C 3C 4C 5C 2H 3D 4D 5D"),
    )
    assert clauses_of_phase(alone, len(alone.steps) + 1) == ("9.4",)


@pytest.mark.parametrize(
    "options", [{}, {"bonus_card": "JD"}, {"sun_points": 5}, {"no_trick_points": -5}]
)
def test_the_phase_after_a_choice_is_of_the_choice_alone(
    options: dict[str, object],
) -> None:
    free = {"moon": "choice_all", "pass_cycle": (), "opening_card": "any"}
    rules = Ruleset("common-hearts", 4, free | options)
    before = deal_of(rules, SHOT)
    acts = [step.act for step in before.steps]
    chosen = state_at(before, len(acts)).legal.due.choices[0]
    trace = trace_of(rules, before.start, *acts, MoonChoice(0, chosen))
    assert clauses_of_phase(trace, len(trace.steps) + 1) == ("8.5b",)


def test_after_a_deal_it_is_nobodys_turn() -> None:
    trace = deal_of(Ruleset("common-hearts", 4), CLUBS)
    assert clauses_of_turn(trace, len(trace.steps) + 1) == ("2.3",)


def test_points_wrong_by_the_worth_of_the_kitty_need_not_be_of_the_kitty() -> None:
    """Seat 0 never had the kitty to lose, and seat 3 cannot gain it again."""
    rules = Ruleset("common-hearts", 4, {"undealt": "kitty", "removal": "none"})
    trace = deal_of(rules, ["2C AS", "3C 5S", "4C 6S", "5C 2H"], kitty="KC AH")
    for got in ([0, 0, 0, 3], [-1, 0, 0, 2]):
        assert at_end(trace, "points", got) == ("1.5",)


def test_cards_right_after_the_deal_are_of_the_clauses_on_dealing() -> None:
    dealt = {"undealt": "kitty", "removal": "none", "pass_cycle": ()}
    kitty = Ruleset("common-hearts", 4, dealt)
    stock = Ruleset("gamerules-domino", 4)
    for rules, field, clause in (
        (kitty, "hands", "3.8"),
        (kitty, "kitty", "3.7"),
        (stock, "stock", "3.6"),
    ):
        state = State.open(rules, Match(0))
        act = state.random_act(Random(1))
        assert isinstance(act, Deal)
        trace = trace_of(rules, Match(0), act)
        assert clauses_of_field(trace, 1, field, None) == (clause,)


def test_the_choices_of_a_moon() -> None:
    """Itself is never charged; who may charge one seat may not have all choices."""
    rules = Ruleset("common-hearts", 4, {"moon": "choice_one", "pass_cycle": ()})
    trace = deal_of(rules.having(opening_card="any"), SHOT)
    step = len(trace.steps) + 1
    some: list[object] = [{"one": 1}, {"one": 2}]
    for said, clause in (
        (["self_minus", {"one": 0}, *some, {"one": 3}], "8.6b"),
        (["self_minus", {"one": 1}], "8.5c"),
        (["self_minus", "others_plus"], "8.6a"),
        ("none", "8.6a"),
    ):
        assert clauses_of_due_answer(trace, step, {"moon": said}) == (clause,)


def test_what_is_no_list_of_numbers_has_no_excess() -> None:
    assert excesses([0, 0], ["x", 0]) == {}
    assert excesses([0, 0], [None, 0]) == {}
    assert excesses([0, 0], [1, 0]) == {0: 1}
