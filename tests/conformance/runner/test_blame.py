"""Tests of which clause is blamed for a wrong answer."""

from collections.abc import Callable
from random import Random

import attrs

from refengine import Match, Ruleset, Setup, State, cards
from refengine.formats.trace import Trace, state_at, write_trace
from refengine.game.acts import (
    Act,
    Claim,
    Deal,
    Draw,
    MoonChoice,
    Pass,
    Play,
    Scatter,
)
from refengine.rulings.broken_clauses.named_clauses import (
    clauses_of_field,
    clauses_of_turn,
)
from refengine.rulings.broken_clauses.scored_clauses import (
    clauses_of_moon,
    reaches_limit_by_cards,
)
from refengine_conformance.generators.strategies import Move, Script, recorded
from refengine_conformance.runner import runs
from refengine_conformance.runner.blame import (
    at_first_moment,
    by_heading,
    headings,
    strands,
    suspects,
)
from refengine_conformance.runner.results import Case, Fault, Outcome
from tests.support.runs import failing, fault_at

PACK = "2C 3C 2D 3D 2S QS 2H 3H"


def trace_of(ruleset: Ruleset, start: Match | Setup, *acts: Act) -> Trace:
    """The trace of these acts under a ruleset, from this start."""
    return recorded(Script(ruleset, start, tuple(map(Move, acts))))


def played_while(
    goes_on: Callable[[State], bool], ruleset: Ruleset, start: Match | Setup, seed: int
) -> Trace:
    """The trace of a game played at random until `goes_on` returns false."""
    rng, state = Random(seed), State.open(ruleset, start)
    while goes_on(state):
        state = state.apply(state.random_act(rng))
    return trace_of(ruleset, start, *state.acts)


def deal_of(rules: Ruleset, hands: str, **setup: object) -> Trace:
    """A deal of these hands, played at random to its end; by default seat 3 deals."""
    given = {"dealer": 3, "deal": 4, "hands": hands.split(", "), **setup}
    return played_while(lambda state: state.phase == "play", rules, Setup(**given), 5)


def match_of_two_deals() -> Trace:
    """Two deals of two cards a seat, in which hearts are broken."""
    rules = Ruleset("common-hearts", 4, {"pass_cycle": ()})
    return played_while(lambda state: state.deal < 3, rules, Match(0, PACK), 2)


def test_a_refused_opening_comes_before_all_that_follows() -> None:
    opening, later = fault_at(0, "open", "3.1"), fault_at(1, "legal", "5.3")
    assert at_first_moment([later, opening]) == [opening]
    assert at_first_moment([later, fault_at(0, "end.score", "8.1")]) == [later]


def test_what_a_new_deal_begins_with_is_of_3_11() -> None:
    trace = match_of_two_deals()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    for field, got in (
        ("hearts_broken", True),
        ("taken", []),
        ("tricks", [1, 1, 0, 0]),
    ):
        assert clauses_of_field(trace, deals[1], field, got) == ("3.11",)
    assert clauses_of_field(trace, deals[1], "hands", []) != ("3.11",)


def test_after_the_last_trick_it_is_the_turn_of_the_next_dealer() -> None:
    trace = match_of_two_deals()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    assert clauses_of_turn(trace, deals[1]) == ("3.2",)
    assert clauses_of_turn(trace, deals[1] - 1) != ("3.2",)


def test_a_queen_that_may_not_break_hearts_goes_against_5_9() -> None:
    trace = match_of_two_deals()
    queen = next(n for n, one in enumerate(trace.steps, 1) if str(one.act) == "QS")
    assert clauses_of_field(trace, queen, "hearts_broken", True) == ("5.9",)
    breaks = trace.ruleset.having(queen_breaks_hearts=True)
    other = attrs.evolve(trace, ruleset=breaks)
    assert clauses_of_field(other, queen, "hearts_broken", False) == ("5.9a",)


def test_hearts_that_are_broken_too_early_may_be_left_from_the_deal_before() -> None:
    trace = match_of_two_deals()
    line = write_trace(trace).decode()
    deals = [n for n, one in enumerate(trace.steps, 1) if isinstance(one.act, Deal)]
    for deal, left in ((deals[0], False), (deals[1], True)):
        step = deal + 1
        assert not state_at(trace, step - 1).hearts_broken
        fault = Fault(step, "legal", ("5.4",), "what is due?", "2C", "2C 2H")
        assert ("3.11" in suspects(line, [fault])) == left


def test_the_queen_may_have_broken_them_there_where_she_breaks_hearts() -> None:
    """In the first deal the queen breaks hearts (5.9a), and no heart is played."""
    pack = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2S 3S 4S 5S 6S 7S 8S 9S QS KS AS 2H"
    rules = Ruleset("gamerules-domino", 4, {"queen_breaks_hearts": True})
    trace = played_while(
        lambda state: state.deal < 2 or state.phase != "play", rules, Match(0, pack), 7
    )
    played = [str(one.act) for one in trace.steps if isinstance(one.act, Play)]
    assert ("QS" in played, "2H" in played) == (True, False)
    step = len(trace.steps) + 1
    fault = Fault(step, "legal", ("5.4",), "what is due?", "2C", "2C 2H")
    for breaks in (True, False):
        ruled = attrs.evolve(trace, ruleset=rules.having(queen_breaks_hearts=breaks))
        found = suspects(write_trace(ruled).decode(), [fault])
        assert ("3.11" in found) == breaks


def test_who_has_won_a_match_that_is_over_in_both_is_of_9_5() -> None:
    rules, totals = Ruleset("common-hearts", 4, {"limit": 91}), (10, 50, 80, 90)
    trace = deal_of(rules, "2C 3H, 3C 2D, 4C 3D, 5C QS", totals=totals)
    end = len(trace.steps)
    right = state_at(trace, end)
    assert right.over
    assert right.winners == (0,)
    named = clauses_of_field(trace, end, "match", {"over": True, "winners": [1]})
    assert named == ("9.5",)
    # That it is not over, or only said to be over, is of the limit
    assert clauses_of_field(trace, end, "match", {"over": False}) == ("9.3",)


def test_a_match_that_goes_on_is_not_ended_by_who_would_win_it() -> None:
    """After these deals three seats share the lowest total."""
    hands = "2C 6H, 3C 2D, 4C 3D, 5C 4D"
    for options, totals, clause in (
        ({"limit": 50}, (9, 9, 9, 10), "9.3"),
        ({"limit": 50, "ties": "play_on"}, (9, 9, 9, 10), "9.3"),
        ({"limit": 50, "ties": "play_on"}, (9, 9, 9, 50), "9.6"),
        ({"limit": "none", "deals": 5}, (9, 9, 9, 10), "9.4"),
    ):
        rules = Ruleset("common-hearts", 4, options)
        trace = deal_of(rules, hands, totals=totals)
        end = len(trace.steps)
        assert state_at(trace, end).winners is None
        assert clauses_of_field(trace, end, "match", "over") == (clause,)


def survivor_takes_the_stock() -> Trace:
    """The three of clubs is drawn; seat 1 survives and takes the rest of the stock."""
    rules = Ruleset("gamerules-domino", 4, {"survivor_takes_stock": True})
    return deal_of(rules, "2C, 4H, 4C, 5C", deal=1, stock=["3C", "2S", "5H"])


def test_a_survivor_whose_hand_is_gone_is_of_6_8() -> None:
    trace = survivor_takes_the_stock()
    end = len(trace.steps)
    right = state_at(trace, end)
    assert right.hands[1] == cards("4H 2S 5H")  # 6.8a: the stock goes into the hand
    stock_alone, hand_alone = (["", text, "", ""] for text in ("2S 5H", "4H"))
    assert clauses_of_field(trace, end, "hands", stock_alone) == ("6.8",)
    assert clauses_of_field(trace, end, "hands", hand_alone) == ("6.8a",)


def test_what_a_hand_left_over_costs_is_not_of_who_is_out() -> None:
    """A survivor pays by 6.8, and a seat that takes the rest of the stock by 6.8a."""
    line = write_trace(survivor_takes_the_stock()).decode()
    for named, all_of_them in (("6.8", ("6.8",)), ("6.8a", ("6.8a", "6.8"))):
        paid = Fault(0, "end.score", (named,), "score at the end?", "[0,2]", "[0,0]")
        assert suspects(line, [paid]) == all_of_them
    turn = Fault(5, "then.turn", ("6.8b",), "turn after step 5?", "[1]", "[2]")
    assert "6.6" in suspects(line, [turn])


def test_wrong_points_are_laid_to_what_was_taken_if_that_is_wrong() -> None:
    score = Fault(8, "then.score", ("8.1",), "score after step 8?", "[1]", "[2]")
    taken = Fault(0, "end.taken", ("5.11",), "taken at the end?", "2H", "2H 2H")
    points = Fault(0, "end.points", ("1.5",), "points at the end?", "[1]", "[2]")
    assert at_first_moment([points, taken, score]) == [score, taken]
    turn = Fault(8, "then.turn", ("5.12",), "turn after step 8?", "[1]", "[2]")
    assert at_first_moment([points, taken, turn]) == [turn]
    line = write_trace(match_of_two_deals()).decode()
    assert suspects(line, at_first_moment([points, taken, score]))[0] == "5.11"


def test_hands_that_were_passed_another_way_are_of_the_cycle() -> None:
    hands = ["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H QS"]
    passed = (Pass(seat, cards(hand[-2:])) for seat, hand in enumerate(hands))
    rules = Ruleset("common-hearts", 4, {"pass_count": 1})
    trace = trace_of(rules, Setup(dealer=3, deal=1, hands=hands), *passed)
    assert str(state_at(trace, 4).hands[1]) == "4C 2D 3D"  # to the left
    right = ["2C 3C 4D", "2D 3D 4S", "2S 3S QS", "4C 2H 3H"]
    assert clauses_of_field(trace, 4, "hands", right) == ("4.1", "4.2")
    held = [str(cards(hand)) for hand in hands]
    assert clauses_of_field(trace, 4, "hands", held) == ("4.1", "4.2")
    mixed = ["2C 3C QS", "2D 3D 4S", "2S 3S 4D", "4C 2H 3H"]
    assert clauses_of_field(trace, 4, "hands", mixed) == ("4.2",)


def test_an_answer_that_is_left_out_is_not_wrong_about_the_phase() -> None:
    hands = ["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H QS"]
    setup = Setup(dealer=3, deal=1, hands=hands)
    line = write_trace(trace_of(Ruleset("common-hearts", 4), setup)).decode()
    left_out = Fault(1, "legal", (), "what is due?", '{"pass":1}', "left out")
    assert suspects(line, [left_out]) == ()
    plays = attrs.evolve(left_out, got="2C")
    assert suspects(line, [plays]) == ("4.1",)


def test_what_was_not_asked_does_not_show_that_hearts_were_barred() -> None:
    """That seat 3 may not lead its heart shows only in the answer to what is due."""
    hands = ["2C 3H 4D", "3C 2D 5D", "4C 3D 6D", "5C 4H 7D"]
    setup = Setup(dealer=3, deal=4, hands=hands)
    plays = [Play(seat, f"{seat + 2}C") for seat in range(4)]
    trace = trace_of(Ruleset("common-hearts", 4), setup, *plays)
    steps = tuple(attrs.evolve(step, refuse=()) for step in trace.steps)
    line = write_trace(attrs.evolve(trace, steps=steps)).decode()
    led = Fault(5, "refuse", ("5.4",), "may seat 3 play 4H?", "refused by 5.4", "ok")
    for says_due in (True, False):
        assert ("5.9" in suspects(line, [led], says_due)) == says_due
    probed = failing("t-1", "probe", led)
    due = Case("t-1", "legal", Outcome.UNSUPPORTED)
    for cases, clause in (((probed,), "5.9"), ((probed, due), "5.4")):
        (group,) = runs._groups(cases, {}, {"t-1": line}, frozenset({"5.4"}))
        assert group.clause == clause


def test_hands_after_a_mix_or_a_scatter_are_not_of_left_and_right() -> None:
    hands = ["2C 3C 4C", "2D 3D 4D", "2S 3S 4S", "2H 3H QS"]
    given: list[Act] = [Pass(seat, cards(hand[-2:])) for seat, hand in enumerate(hands)]
    addressed: list[Act] = [
        Scatter(seat, dict(zip({*range(4)} - {seat}, hand.split(), strict=True)))
        for seat, hand in enumerate(hands)
    ]
    for way, acts, clause in (("mix", given, "4.10"), ("scatter", addressed, "4.8")):
        rules = Ruleset("estmesh-hearts", 4, {"pass_count": 1, "pass_cycle": (way,)})
        trace = trace_of(rules, Setup(dealer=3, deal=1, hands=hands), *acts)
        assert state_at(trace, 4).phase != "pass"
        assert clauses_of_field(trace, 4, "hands", hands) == (clause,)


def test_who_leads_after_a_draw_is_the_winner() -> None:
    """The winner also leads after a draw to lead, which completes no trick (6.2)."""
    rules, hands = Ruleset("gamerules-domino", 2), ["9C 5H", "2C 3C"]
    setup = Setup(dealer=1, deal=1, hands=hands, stock=["6D"], leader=0)
    acts = (Play(0, "9C"), Play(1, "2C"), Draw(0))
    trace = trace_of(rules, setup, *acts)
    assert clauses_of_turn(trace, 3) == clauses_of_turn(trace, 4) == ("5.11",)


def test_who_leads_for_a_winner_who_is_out_is_of_6_7() -> None:
    """Seat 0 is out, so seat 1 leads for it; holding only a heart, seat 1 must draw."""
    hands = ["9C", "2C 5H", "3C 4H"]
    setup = Setup(dealer=2, deal=1, hands=hands, stock=["6D", "7D"], leader=0)
    acts = (Play(0, "9C"), Play(1, "2C"), Play(2, "3C"), Draw(1))
    trace = trace_of(Ruleset("gamerules-domino", 3), setup, *acts)
    assert clauses_of_turn(trace, 4) == clauses_of_turn(trace, 5) == ("6.7",)


SHOT = "AC AS, 4C QS, 5C 2H, 2C 3S"
"""Hands with which seat 0 wins both tricks, and so both penalty cards."""


def moon_deal(moon: str, totals: tuple[int, ...]) -> Trace:
    return deal_of(Ruleset("common-hearts", 4, {"moon": moon}), SHOT, totals=totals)


def test_a_moon_settled_the_other_way_is_of_the_look_ahead() -> None:
    trace = moon_deal("others_plus_unless_losing", (50, 95, 10, 10))
    end = len(trace.steps)
    # With 14 more seat 1 would end the match, and seat 0 would not have won it (9.7)
    assert state_at(trace, end).score == (-14, 0, 0, 0)
    assert clauses_of_field(trace, end, "score", [0, 14, 14, 14]) == ("9.7",)
    assert clauses_of_field(trace, end, "score", [14, 0, 0, 0]) == ("8.3",)


def test_a_match_that_ends_before_the_moon_is_chosen_is_of_9_7a() -> None:
    trace = moon_deal("choice_all", (90, 10, 10, 10))
    line = write_trace(trace).decode()
    step = len(trace.steps)
    assert state_at(trace, step).phase == "moon"
    ended = Fault(step, "then.phase", ("8.3",), "phase?", '"moon"', '"over"')
    assert "9.7a" in suspects(line, [ended])
    plays = Fault(step, "then.phase", ("8.3",), "phase?", '"moon"', '"play"')
    assert "9.7a" not in suspects(line, [plays])


KITTY = cards("KC AH")


def deal_with_a_kitty() -> Trace:
    """A deal in which seat 3 takes the last trick, with the 2H in it, and the kitty."""
    rules = Ruleset("common-hearts", 4, {"undealt": "kitty", "removal": "none"})
    return deal_of(rules, "2C AS, 3C 5S, 4C 6S, 5C 2H", kitty=KITTY)


def test_what_is_wrong_by_the_kitty_is_of_the_kitty() -> None:
    trace = deal_with_a_kitty()
    end = len(trace.steps)
    right = state_at(trace, end)
    assert right.points == (0, 0, 0, 2)
    assert right.taken[3] >= KITTY
    for field in ("points", "score"):
        for got in ([0, 1, 0, 1], [0, 0, 0, 1]):  # for seat 1, and for nobody
            assert clauses_of_field(trace, end, field, got) == ("5.13",)
        assert clauses_of_field(trace, end, field, [0, 0, 0, 5]) != ("5.13",)
    taken = [*map(str, right.taken)]
    assert clauses_of_field(trace, end, "taken", [*taken[:3], ""]) == ("5.11",)
    taken[1], taken[3] = "KC AH", str(right.taken[3] - KITTY)
    assert clauses_of_field(trace, end, "taken", taken) == ("5.13",)


def test_a_kitty_counted_as_it_was_dealt_is_of_the_mix() -> None:
    """The mix changes which cards are in the kitty (4.10b)."""
    options = {"undealt": "kitty", "mix_kitty": True, "pass_cycle": ("mix",)}
    rules = Ruleset("estmesh-hearts", 4, options)
    hands = ["2C 3C 4C 5C", "2D 3D 4D 5D", "2S 3S 4S 5S", "2H 3H 4H 5H"]
    setup = Setup(dealer=3, deal=1, hands=hands, kitty="AH KH")
    trace = played_while(lambda state: not state.over, rules, setup, 3)
    end = len(trace.steps)
    state = state_at(trace, end)
    mixed = next(
        at for at, one in enumerate(trace.steps) if state_at(trace, at).phase == "mix"
    )
    assert clauses_of_turn(trace, mixed + 1) == ("4.10",)
    kitty = state_at(trace, mixed + 1).kitty
    taker = next(seat for seat, pile in enumerate(state.taken) if kitty <= pile)
    hearts = sum(one.value[1] == "H" for one in kitty)
    assert hearts != 2
    assert state.score is not None
    got = [*state.score]
    got[taker] += 2 - hearts
    assert clauses_of_field(trace, end, "score", got) == ("4.10b",)


def test_a_match_that_is_played_on_is_ended_by_9_6() -> None:
    """This holds even if one seat took all points, as the limit was reached earlier."""
    rules = Ruleset("common-hearts", 4, {"ties": "play_on", "moon": "others_plus"})
    trace = deal_of(rules, SHOT, totals=(50, 60, 70, 80), limit_reached=True)
    end = len(trace.steps)
    assert state_at(trace, end).winners == (0,)
    assert clauses_of_field(trace, end, "match", {"over": False}) == ("9.6",)


def moon_beside_a_revoke() -> Trace:
    """Seat 0 chooses after its moon; then a revoke by another seat is claimed."""
    options = {"moon": "choice_all", "revokes": "penalised"}
    rules = Ruleset("heartsgame-tiles", 4, options)
    rules = rules.having(direction="clockwise", pass_cycle=(), opening_card="any")
    setup = Setup(dealer=3, deal=4, hands=SHOT.split(", "), leader=3)
    first = ((3, "2C"), (0, "AC"), (1, "QS"), (2, "5C"))
    second = ((0, "AS"), (1, "4C"), (2, "2H"), (3, "3S"))
    plays = (Play(seat, card) for seat, card in (*first, *second))
    after = (MoonChoice(0, "others_plus"), Claim(2, 1, 1))
    return trace_of(rules, setup, *plays, *after)


def test_a_choice_that_is_due_again_after_a_claim_is_of_7_8() -> None:
    trace = moon_beside_a_revoke()
    line, end = write_trace(trace).decode(), len(trace.steps)
    assert state_at(trace, end).score == (0, 27, 14, 14)  # 14 and 13 for the revoke
    asked = Fault(end, "then.phase", ("8.3b",), "phase?", '"over"', '"moon"')
    assert suspects(line, [asked])[0] == "7.8"
    assert clauses_of_field(trace, end, "totals", [0, 0, 0, 0]) == ("7.8",)
    assert clauses_of_field(trace, end, "totals", [0, 14, 14, 14]) == ("7.8",)
    assert clauses_of_field(trace, end, "totals", [0, 28, 14, 14]) != ("7.8",)


def domino_for_two(hand: str, other: str, stock: str) -> Trace:
    """A deal for two: seat 0 takes the first trick and survives with a card left."""
    options = {"moon": "others_plus", "survivor_takes_stock": False}
    rules, left = Ruleset("gamerules-domino", 2, options), stock.split()
    return deal_of(rules, f"{hand}, {other}", dealer=1, deal=1, stock=left, leader=0)


def test_a_moon_is_shot_with_the_hand_of_the_survivor() -> None:
    trace = domino_for_two("5H AH", "2H", "")
    end = len(trace.steps)
    assert state_at(trace, end).score == (0, 3)
    assert clauses_of_field(trace, end, "score", [3, 0]) == ("8.3",)


def test_no_moon_is_shot_without_a_heart_that_is_left_in_the_stock() -> None:
    trace = domino_for_two("9C 5H", "2C", "3H")
    end = len(trace.steps)
    assert state_at(trace, end).score == (1, 0)
    for moon in ([0, 1], [0, 2]):
        assert clauses_of_field(trace, end, "score", moon) == ("8.3",)


def test_a_moon_settled_as_one_before_it_is_of_3_11() -> None:
    pack = "2C 4C 5C AC 3S QS AS 2H"
    rules = Ruleset("common-hearts", 4, {"moon": "choice_all", "pass_cycle": ()})
    for seed in range(200):
        trace = played_while(
            lambda state: state.deal < 4 and not state.over, rules, Match(0, pack), seed
        )
        acts = [step.act for step in trace.steps]
        chosen = [n for n, one in enumerate(acts) if isinstance(one, MoonChoice)]
        if len(chosen) > 1:
            break
    line = write_trace(trace).decode()
    for step, left in zip(chosen[:2], (False, True), strict=True):
        phase = Fault(step, "then.phase", ("8.3",), "phase?", '"moon"', '"deal"')
        assert ("3.11" in suspects(line, [phase])) == left
        refused = "refused by 2.3, 2.4"
        turn = Fault(step + 1, "act", ("2.3", "2.4"), "moon?", "ok", refused)
        assert ("3.11" in suspects(line, [turn])) == left


def test_wrong_counting_does_not_follow_from_what_may_be_played() -> None:
    """Hearts are led too early, and the moon is scored wrongly: two clauses."""
    led, scored = fault_at(2, "legal", "5.4"), fault_at(0, "end.score", "8.5a")
    total, turn = fault_at(0, "end.totals", "9.1"), fault_at(3, "then.turn", "5.11")
    assert strands([led, scored, total]) == [[led], [scored, total]]
    assert strands([led, turn, scored]) == [[led]]  # the trick may be another's
    assert strands([turn, scored]) == [[turn]]
    assert strands([scored]) == [[scored]]
    pairs = [(failing("t-1", "legal"), led), (failing("t-1", "observe"), scored)]
    found = by_heading(pairs, {}, {}, frozenset())
    assert [clause for clause, _ in found] == ["5.4", "8.5a"]
    known = by_heading(pairs, {"t-1": "5.4"}, {}, frozenset())
    assert [clause for clause, _ in known] == ["5.4"]


def test_the_heading_of_most_games_comes_first_its_games_as_they_were_asked() -> None:
    asked = ("t-4", "t-1", "t-3", "t-2")
    pairs = [(failing(name, "legal"), fault_at(1, "legal")) for name in asked]
    known = {"t-1": "5.4", "t-2": "5.6", "t-3": "5.6", "t-4": "5.6"}
    found = by_heading(pairs, known, {}, frozenset())
    named = [(clause, [case.trace for case, _ in some]) for clause, some in found]
    assert named == [("5.6", ["t-4", "t-3", "t-2"]), ("5.4", ["t-1"])]


def test_a_clause_behind_nearly_all_games_is_behind_those_like_them() -> None:
    shown = {f"t-{number}": ("5.4", "5.9") for number in range(9)}
    alike = {**shown, "t-9": ("5.4",)}
    assert set(headings(alike, frozenset()).values()) == {"5.9"}
    fewer = {**alike, "t-8": ("5.4",)}
    assert set(headings(fewer, frozenset()).values()) == {"5.4"}
    other = headings({**alike, "t-10": ("5.3",)}, frozenset())
    assert (other["t-9"], other["t-10"]) == ("5.9", "5.3")
    known = headings(alike, frozenset(), certain={"t-9"})
    assert set(known.values()) == {"5.4"}
    two = {"t-1": ("5.4", "5.9"), "t-2": ("5.4", "5.9"), "t-3": ("5.4",)}
    assert set(headings(two, frozenset()).values()) == {"5.4"}


def test_a_score_without_the_queen_left_in_the_stock_is_of_6_8a() -> None:
    rules = Ruleset(
        "gamerules-domino", 4, {"survivor_takes_stock": True, "queen_points": 13}
    )
    trace = deal_of(rules, "2C, 4H, 4C, 5C", deal=1, stock=["3C", "QS", "5H"])
    end = len(trace.steps)
    assert state_at(trace, end).score == (0, 15, 0, 0)
    assert clauses_of_field(trace, end, "score", [0, 1, 0, 0]) == ("6.8a",)


def test_a_queen_left_in_the_stock_is_in_play_all_the_same() -> None:
    options = {"moon": "self_minus", "queen_points": 13}
    rules = Ruleset("gamerules-domino", 4, options)
    trace = deal_of(rules, "2C, 4H, 4C, 5C", deal=1, stock=["3C", "QS"])
    assert clauses_of_moon(state_at(trace, len(trace.steps))) == ("8.3",)


def test_a_total_of_exactly_the_limit_may_not_reach_it() -> None:
    """Seat 3 takes 14, and has 100 after the deal (9.3)."""
    for rule, reached in (("reach", True), ("exceed", False)):
        rules = Ruleset("common-hearts", 4, {"limit_rule": rule, "moon": "none"})
        hands, totals = "2C 3H, 3C 2D, 4C 3D, 5C QS", (10, 50, 80, 86)
        trace = deal_of(rules, hands, totals=totals)
        end = state_at(trace, len(trace.steps))
        assert end.totals[3] == 100
        assert reaches_limit_by_cards(end) is reached
