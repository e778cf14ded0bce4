"""Tests of the clauses named for a wrong answer: at least one, and all in the book."""

from collections.abc import Iterable, Iterator
from functools import cache
from math import comb
from random import Random
from typing import Any

import attrs
import pytest

from refengine import (
    OPTIONS,
    Act,
    Card,
    CardSet,
    Claim,
    Deal,
    Draw,
    Malformed,
    Match,
    MoonChoice,
    Pass,
    Play,
    QuitTrick,
    Refused,
    Retract,
    Ruleset,
    Scatter,
    Setup,
    State,
    new_deal,
    new_match,
)
from refengine.comparison.differences import opened_as
from refengine.formats.fields import legal_fields, state_fields
from refengine.formats.normal_form import Json
from refengine.formats.openings import opening_of
from refengine.formats.trace import Step, Trace, opened, read_trace
from refengine.game.nearby_rulesets import changed, values_to_try
from refengine.lawbook.book import clauses
from refengine.rulings.broken_clauses import applied, named_clauses, scored_clauses
from refengine_conformance.data import data
from tests.support.playing import cards_played, played_deal

LONGEST = 1_400  # bytes of a line
LONGEST_CLAIMED = 2_500  # where somebody claims a revoke, which takes some time


@cache
def games() -> tuple[tuple[Trace, tuple[State, ...]], ...]:
    """Short games of the corpus, each with the states before and after its steps."""
    lines = [
        line
        for path in sorted(data("corpus").glob("*.jsonl"))
        for line in path.read_bytes().splitlines()
        if line.startswith(b'{"trace"') and not opening_of(line)
        if len(line) < (LONGEST_CLAIMED if b'"claim"' in line else LONGEST)
    ]
    found = []
    for trace in map(read_trace, lines):
        states = [opened(trace.ruleset, trace.start)]
        for step in trace.steps:
            states.append(states[-1].apply(step.act))
        found.append((trace, tuple(states)))
    return tuple(found)


def check(found: Iterable[str], asked: object) -> None:
    """Check that there are clauses, all in the book and none of them repeated."""
    named = [*found]
    assert named, asked
    assert len(named) == len({*named}), asked
    assert {*named} <= clauses().keys(), asked


def seen(state: State) -> dict[str, Any]:
    fields = state_fields(state, None)
    return {name: fields.get(name) for name in named_clauses.OF_FIELD}


def due(state: State) -> Json | str:
    found = legal_fields(state)
    if isinstance(found, str):
        return found
    return {name: value for name, value in found.items() if name != "turn"}


def neighbours(ruleset: Ruleset) -> Iterator[Ruleset]:
    """Rulesets that differ from this one in one option, which has an effect there."""
    for option in OPTIONS:
        if option.name not in ruleset.without_effect:
            for value in [*values_to_try(option, ruleset.options[option.name])][:2]:
                if other := changed(ruleset, {option.name: value}):
                    yield other


def test_an_engine_with_another_rule_is_named_a_clause() -> None:
    """Clauses are named for the first answer that differs, whatever was asked."""
    asked = 0
    for trace, states in games():
        for ruleset in neighbours(trace.ruleset):
            state = opened_as(ruleset, trace.start)
            if not isinstance(state, State):
                continue
            for number, step in enumerate(trace.steps, 1):
                if due(state) != due(states[number - 1]):
                    found = named_clauses.clauses_of_due_answer(
                        trace, number, due(state)
                    )
                    check(found, (trace.id, ruleset, number))
                    asked += 1
                    break
                try:
                    state = state.apply(step.act)
                except (Malformed, Refused):
                    break
                ours, theirs = seen(states[number]), seen(state)
                other = [name for name in ours if ours[name] != theirs[name]]
                for name in other:
                    found = named_clauses.clauses_of_field(
                        trace, number, name, theirs[name]
                    )
                    check(found, (trace.id, ruleset, number, name))
                    asked += 1
                if other:
                    break
    assert asked > 500


def spoilt(value: object, rng: Random) -> object:
    """The value with one part changed at random."""
    match value:
        case bool():
            return not value
        case int():
            return value + rng.choice((-13, -1, 1, 13))
        case list() if value:
            place = rng.randrange(len(value))
            return [*value[:place], spoilt(value[place], rng), *value[place + 1 :]]
        case dict() if value:
            name = rng.choice(sorted(value))
            return value | {name: spoilt(value[name], rng)}
        case str():
            return " ".join(value.split()[1:]) or "2C"
    return [1]


def test_a_field_that_is_spoilt_is_named_a_clause() -> None:
    rng = Random(1)
    for trace, states in games():
        for number in range(len(trace.steps) + 1):
            fields = seen(states[number or len(trace.steps)])
            for name, value in fields.items():
                got = spoilt(value, rng)
                found = named_clauses.clauses_of_field(trace, number, name, got)
                check(found, (trace.id, number, name))


CITED = ("2.3", "2.4", "5.3", "7.4")


def test_a_legal_act_that_is_refused_is_named_a_clause() -> None:
    for trace, states in games():
        passes = any(isinstance(step.act, Pass) for step in trace.steps)
        for number, step in enumerate(trace.steps, 1):
            cited: list[tuple[str, ...]] = [(), *((one,) for one in CITED)]
            if passes or states[number - 1].history:
                cited.append(("5.7",))
            for one in cited:
                found = named_clauses.clauses_of_wrong_refusal(trace, number, one)
                check(found, (trace.id, number, one))
            if isinstance(step.act, Play):
                state = states[number - 1]
                for card in state.legal.cards:
                    named = applied.clauses_wrongly_forbidding(state, card)
                    check(named, (trace.id, number, card))


@pytest.mark.parametrize("ways", [{"cut": 52}, {"draw": True}, {"pass": 286}, "2C", {}])
def test_what_is_said_to_be_due_is_named_a_clause(ways: Json | str) -> None:
    for trace, states in games():
        for number in range(1, len(trace.steps) + 1):
            if due(states[number - 1]) != ways:
                found = named_clauses.clauses_of_due_answer(trace, number, ways)
                check(found, (trace.id, number, ways))


# Single answers, by what the book says


def after(hands: list[str], plays: str, **options: object) -> State:
    """A deal after these plays; seat 0 leads, and may lead any card."""
    free = {"opening_leader": "left_of_dealer", "opening_card": "any"}
    ruleset = Ruleset("estmesh-hearts", 4, free | {"pass_cycle": []} | options)
    return played_deal(ruleset, hands, plays, dealer=3)


# The hands of four seats, the first of which leads.
HIGH = "AS QS 2H; KS 3H 4H; 2S 5H 6H; 3S 7H 8H"
PAIR = "QS 2H; 3H 4H; 5H 6H; 7H 8H"
HEARTS = "2H 3H; 4H 5H; 6H 7H; 8H 9H"
CLUBS = "2C 3C 4H; QS KS 5C; AC 5H 6H; 4C 7H 8H"
SPADES = "2S 3D; QS KS; 4S 5D; 3S 6D"
BARE = "2D 3D; QS KS; 4D 5D; 9D 6D"
LATER = "2D 3D; 4D QS; 5D 5C; 9D 6D"
ANY_CLUB = {"opening_leader": "lowest_club", "opening_card": "any_club"}


@pytest.mark.parametrize(
    ("hands", "plays", "options", "card", "clause"),
    [
        (HIGH, "", {"heart_leads": "free"}, "2H", "0.12"),
        (HIGH, "", {}, "2H", "5.4"),
        (HIGH, "", {"first_trick_points": "barred"}, "2H", "5.5"),
        (HIGH, "", {"queen_waits": "lead"}, "QS", "5.5b"),
        (HIGH, "", {}, "AS", "5.8"),
        (PAIR, "", {}, "2H", "5.4b"),
        (PAIR, "", {}, "QS", "5.4b"),
        (HEARTS, "", {}, "2H", "5.4a"),
        (CLUBS, "", ANY_CLUB, "3C", "5.2"),
        (SPADES, "2S", {"queen_duty": "when_safe"}, "KS", "5.6"),
        (BARE, "2D", {"first_trick_points": "barred", "king_points": 10}, "KS", "5.5a"),
        (LATER, "2D 4D 5D 9D 6D 3D", {"queen_waits": "play"}, "QS", "5.5b"),
        (HEARTS, "2H 4H 6H 8H 9H 3H 5H 7H", {}, "2H", "0.12"),
        (HEARTS, "", {"heart_leads": "free"}, "2H", "0.12"),
        (HEARTS, "2H 4H 6H 8H", {"heart_leads": "free"}, "9H", "0.12"),
        (CLUBS, "2C", {"queen_duty": "when_safe"}, "5C", "5.3"),
        (CLUBS, "2C", {"first_trick_points": "barred"}, "5C", "5.3"),
    ],
)
def test_a_card_wrongly_forbidden(
    hands: str, plays: str, options: dict[str, object], card: str, clause: str
) -> None:
    state = after(hands.split("; "), plays, **options)
    found = applied.clauses_wrongly_forbidding(state, Card(card))
    assert found == (clause,)


SHOT = "AS AH; QS 2H; 2S 3H; 3S 4H"
ALL = "AS QS 2S 3S AH 2H 3H 4H"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({}, ("8.5a",)),
        ({"moon": "others_plus_unless_losing"}, ("9.7",)),
        ({"moon": "choice_all"}, ("8.5b",)),
        ({"moon": "choice_one"}, ("8.5c",)),
        ({"sun_points": 5}, ("8.4", "8.5a")),
        ({"no_trick_points": -5}, ("8.5a", "8.8")),
        ({"bonus_card": "JD"}, ("8.5a", "8.7")),
        ({"bonus_card": "JD", "moon_needs_bonus": True}, ("8.3c",)),
        ({"moon": "none"}, ("8.3",)),
    ],
)
def test_the_clauses_of_a_moon(
    options: dict[str, object], named: tuple[str, ...]
) -> None:
    state = after(SHOT.split("; "), ALL, **{"moon": "others_plus"} | options)
    if state.phase == "moon":
        state = state.apply(MoonChoice(0, state.legal.due.choices[-1]))
    assert scored_clauses.clauses_of_moon(state) == named


@pytest.mark.parametrize(
    ("tricks", "named"),
    [
        ("KD 4D JD 2D AH 2H 3H 4H", ("8.5a", "8.7")),
        ("2D JD 3D 4D 2H 3H 4H AH", ("8.3c",)),
    ],
)
def test_a_bonus_card_bars_a_moon_only_if_another_seat_took_it(
    tricks: str, named: tuple[str, ...]
) -> None:
    options = {"moon": "others_plus", "bonus_card": "JD", "moon_needs_bonus": True}
    pairs = zip(SHOT.split("; "), tricks.split(), strict=False)
    hands = [f"{two} {diamond}" for two, diamond in pairs]
    state = after(hands, f"AS QS 2S 3S {tricks}", **options)
    assert scored_clauses.clauses_of_moon(state) == named


@pytest.mark.parametrize(
    ("hands", "plays", "revoker", "named"),
    [
        ("5S 9S; QS 2H; 4D 3S; AS KS", "5S QS 4D AS KS 9S 2H 3S", 2, "8.5a"),
        (
            "5D 9S 4C; 4D QS 2H; 3D 3S 5C; 2C AS 2D",
            "5D 4D 3D 2C 9S QS 3S AS 2D 4C 2H 5C",
            3,
            "8.3b",
        ),
    ],
)
def test_an_established_revoke_bars_only_the_moon_of_the_revoker(
    hands: str, plays: str, revoker: int, named: str
) -> None:
    """In both deals seat 3 has taken all the points."""
    options = {"moon": "others_plus", "revokes": "penalised"}
    state = after(hands.split("; "), plays, **options).apply(Claim(0, revoker, 1))
    assert state.score is not None
    assert scored_clauses.clauses_of_moon(state) == (named,)


def test_a_revoke_that_nobody_claimed_bars_no_moon() -> None:
    """Clause 8.3b is about established revokes only."""
    options = {"moon": "others_plus", "revokes": "penalised"}
    hands = ["KS AS", "QS 2H", "4D 3S", "5S 6S"]
    state = after(hands, "AS QS 4D 5S KS 2H 3S 6S", **options)
    assert [note.state for note in state.revokes] == ["standing"]
    assert state.score == (0, 14, 14, 14)
    assert scored_clauses.clauses_of_moon(state) == ("8.5a",)


def test_a_score_after_a_choice_goes_against_that_choice_in_a_match_too() -> None:
    free = {"opening_leader": "left_of_dealer", "opening_card": "any", "pass_cycle": []}
    for moon, clause in (("choice_all", "8.5b"), ("choice_one", "8.5c")):
        ruleset = Ruleset("estmesh-hearts", 4, free | {"moon": moon})
        state = new_match(ruleset, dealer=3, pack=SHOT.replace(";", ""))
        state = cards_played(state.apply(Deal(3, SHOT.split("; "))), ALL)
        settled = state.apply(MoonChoice(0, state.legal.due.choices[-1]))
        assert not settled.over
        assert scored_clauses.clauses_of_score(settled, state) == (clause,)


@pytest.mark.parametrize(
    ("options", "option", "clause"),
    [
        ({"sun_points": 5}, "sun_points", "8.4"),
        ({"moon": "none", "no_trick_points": -5}, "no_trick_points", "8.8"),
        ({"bonus_card": "JD", "moon_needs_bonus": True}, "moon_needs_bonus", "8.3c"),
    ],
)
def test_a_score_as_without_one_option_goes_against_its_clause(
    options: dict[str, object], option: str, clause: str
) -> None:
    options = {"moon": "others_plus", **options}
    state = after(SHOT.split("; "), ALL, **options)
    del options[option]
    other = after(SHOT.split("; "), ALL, **options)
    assert state.score is not None
    assert other.score is not None
    found = scored_clauses.clause_of_difference(state, [*other.score])
    assert found == clause


def test_a_score_of_noughts_in_a_deal_without_points_is_no_moon() -> None:
    """The one who revoked pays 13 (7.10); without it, nobody has any points."""
    options = {"direction": "clockwise", "revoke_ends_deal": False}
    ruleset = Ruleset("heartsgame-tiles", 4, options)
    state = new_deal(ruleset, ["AC AS", "3C 2S", "4C 2D", "5C 9D"], dealer=3, deal=4)
    claimed = cards_played(state, "3C 2D 5C AC AS 2S").apply(Claim(1, 2, 1))
    over = cards_played(claimed, "4C 9D")
    assert over.score == (0, 0, 13, 0)
    assert scored_clauses.clause_of_difference(over, [0, 0, 0, 0]) == ""


def test_what_a_card_costs_by_its_rank_has_its_own_clauses() -> None:
    state = after(SHOT.split("; "), ALL, heart_points="face", ace_points=7)
    assert scored_clauses.clauses_of_points(state, state) == ("1.5a", "1.5b")


@pytest.mark.parametrize(
    ("held", "got", "clause"),
    [
        ("QD 2H", [13, 0], "1.4"),  # another queen is counted
        ("QS 2H", [13, 0], "1.5"),  # the queen is counted twice
        ("2H", [13, 0], ""),
        ("QD", [12, 0], ""),
        ("QD", [13, 13], ""),
        ("QD", [13], ""),
        ("QD", None, ""),
    ],
)
def test_a_single_card_that_accounts_for_what_is_too_much(
    held: str, got: object, clause: str
) -> None:
    cards = [CardSet(held), CardSet("2C")]
    wrong = scored_clauses.excesses([0, 0], got)
    assert scored_clauses.clause_of_one_card(wrong, cards) == clause


def test_what_is_no_card_accuses_no_kitty() -> None:
    kitty = Ruleset("black-maria", 3, {"removal": "none", "undealt": "kitty"})
    setup = Setup(dealer=0, hands=["2C 3D", "4C 5D", "6C 7D"], kitty="2H")
    state = State.open(kitty.having(pass_cycle=[]), setup)
    assert not scored_clauses.is_by_the_kitty(state, ["no card", "", ""])
    assert scored_clauses.is_by_the_kitty(state, ["2H", "", ""])


def ended(ruleset: Ruleset, setup: Setup, *acts: Act) -> Trace:
    """The trace of a deal that ends with the last of these acts."""
    return Trace(ruleset=ruleset, start=setup, steps=tuple(map(Step, acts)))


SURVIVED = ended(
    Ruleset("gamerules-domino", 2),
    Setup(dealer=1, hands=["2D", "AC"], stock="2C JD AH"),
    *(Play(0, "2D"), Draw(1), Draw(1), Play(1, "JD")),
)  # seat 1 keeps 2C AC; the ace of hearts stays in the stock, for nobody
QUEEN_LEFT = ended(
    Ruleset("gamerules-domino", 2, {"queen_points": 13}),
    Setup(dealer=1, hands=["2D", "QS"], stock="2C JD AH"),
    *(Play(0, "2D"), Draw(1), Draw(1), Play(1, "JD")),
)  # seat 1 keeps the queen of spades, which costs 13, but not among its points (1.5)
KEPT_OPEN = {"revokes": "penalised", "revoke_until": "trick_quitted"}
QUIT = ended(
    Ruleset("gamerules-domino", 2, KEPT_OPEN),
    Setup(dealer=1, hands=["2D", "AC"], stock="2C JD AH"),
    *(Play(0, "2D"), Draw(1), Draw(1), Play(1, "JD"), QuitTrick(1)),
)  # the same, and the last trick is quitted
CLAIMED_LATER = ended(
    Ruleset("gamerules-domino", 2, {"revokes": "penalised", "revoke_ends_deal": True}),
    Setup(dealer=1, hands=["2D 3C", "4D AC"], stock="8C AH"),
    *(Play(0, "2D"), Play(1, "AC"), Play(0, "3C"), Draw(1), Play(1, "8C")),
    Claim(0, 1, 1),
)  # play was over before the claim: seat 1 keeps 4D, and the ace of hearts is nobody's
ALL_OUT = ended(
    Ruleset("gamerules-domino", 2),
    Setup(dealer=0, hands=["2S", "KS"], stock="AS 3C"),
    *(Play(1, "KS"), Play(0, "2S")),
)  # no survivor, and the stock counts for nobody
FROM_STOCK = ended(
    Ruleset("pokerwiner-domino", 3),
    Setup(
        dealer=0,
        hands=["", "5C", "6C"],
        stock="5H",
        leader=1,
        out=[0],
        tricks=[1, 0, 0],
    ),
    *(Play(1, "5C"), Play(2, "6C")),
)  # no survivor: seat 2, the last to play, takes the five of hearts into its hand
BONUS = ended(
    Ruleset("pokerwiner-domino", 3, {"bonus_card": "JD", "bonus_points": -10}),
    Setup(
        dealer=0,
        hands=["", "5C", "6C"],
        stock="5H JD",
        leader=1,
        out=[0],
        tricks=[1, 0, 0],
    ),
    *(Play(1, "5C"), Play(2, "6C")),
)  # the same with the jack of diamonds: 1 - 10 for seat 2
CLAIMED = ended(
    Ruleset("gamerules-domino", 3, {"revokes": "penalised", "revoke_ends_deal": True}),
    Setup(dealer=2, hands=["5C 2H", "3C 4D", "4C 5D"], stock="3H 5S"),
    *(Play(0, "5C"), Play(1, "4D"), Play(2, "5D"), Draw(0), Claim(1, 1, 1)),
)  # seat 1 scores 13 and nothing else counts, the 5S left in the stock included


@pytest.mark.parametrize(
    ("trace", "field", "got", "clause"),
    [
        (SURVIVED, "taken", ["", "2D JD AH"], "6.8a"),
        (SURVIVED, "taken", ["no card", "2D JD"], "5.11"),
        (SURVIVED, "taken", ["2D JD AH"], "5.11"),
        (SURVIVED, "taken", ["", "2C 2D JD AC AH"], "6.8, 6.8a"),
        (SURVIVED, "taken", ["AH", "2D JD"], "6.8a"),
        (SURVIVED, "taken", ["", "2C 2D JD AC"], "6.8"),
        (SURVIVED, "taken", ["2D JD", ""], "5.11"),
        (SURVIVED, "hands", ["", "2C AC AH"], "6.8a"),
        (SURVIVED, "hands", ["", ""], "6.8"),
        (SURVIVED, "hands", ["", "2C JD AC"], "5.7"),
        (SURVIVED, "hands", None, "6.8a"),  # what a seat sees is not compared
        (SURVIVED, "stock", "", "6.8a"),
        (SURVIVED, "stock", "2C AH", "6.4"),
        (SURVIVED, "stock", "JD AH", "6.4"),
        (ALL_OUT, "taken", ["AS 3C", "2S KS"], "6.8b"),
        (ALL_OUT, "taken", ["2S KS", ""], "5.11"),
        (ALL_OUT, "hands", ["AS 3C", ""], "6.8b"),
        (ALL_OUT, "hands", ["2S", ""], "5.7"),
        (ALL_OUT, "hands", None, "6.8b"),
        (FROM_STOCK, "taken", ["", "", "5C 5H 6C"], "6.8b"),
        (FROM_STOCK, "stock", "5H", "6.8b"),
        (FROM_STOCK, "score", [0, 0, 0], "6.8b"),
        (FROM_STOCK, "score", [0, 1, 0], "6.8b"),
        (FROM_STOCK, "points", [0, 0, 1], "6.8b"),
        (BONUS, "score", [0, 0, 0], "6.8b"),
        (BONUS, "score", [-9, 0, 0], "6.8b"),
        (BONUS, "score", [0, 0, 1], "8.7"),
        (SURVIVED, "points", [0, 1], "6.8a"),
        (QUEEN_LEFT, "points", [0, 13], "6.8"),
        (QUEEN_LEFT, "points", [0, 14], "6.8, 6.8a"),
        (QUEEN_LEFT, "points", [0, 1], "6.8a"),
        (QUEEN_LEFT, "points", [0, 2], "1.5"),
        (QUIT, "taken", ["", "2C 2D JD AC"], "6.8"),
        (QUIT, "stock", "", "6.8a"),
        (CLAIMED_LATER, "hands", ["", ""], "6.8"),
        (CLAIMED_LATER, "stock", "", "6.8a"),
        (CLAIMED, "taken", ["5C 4D 5D 5S", "", ""], "7.9"),
        (CLAIMED, "taken", ["", "5C 4D 5D", ""], "5.11"),
        (CLAIMED, "hands", ["2H 3H", "3C 4D", "4C"], "5.7"),
        (CLAIMED, "hands", ["2H 3H 5S", "3C", "4C"], "7.9"),
        (CLAIMED, "stock", "", "7.9"),
        (CLAIMED, "hands", None, "7.9"),
        (CLAIMED, "match", {"over": False}, "7.9"),
        (CLAIMED, "stock", "3H 5S", "6.4"),
        (CLAIMED, "phase", "play", "7.9"),
        (CLAIMED, "turn", [0], "7.9"),
        (CLAIMED, "over", False, "7.9"),
        (CLAIMED, "points", [2, 0, 0], "7.9"),
        (CLAIMED, "table", {"leader": 0, "cards": ""}, "7.9"),
        (CLAIMED, "totals", [0, 0, 0], "7.9"),
        (CLAIMED, "score", [2, 13, 0], "7.9"),
        (CLAIMED, "score", [26, 0, 26], "7.9"),
        (CLAIMED, "score", [0, 0, 0], "7.9"),
    ],
)
def test_cards_left_at_the_end_are_named_by_their_own_clauses(
    trace: Trace, field: str, got: object, clause: str
) -> None:
    found = named_clauses.clauses_of_field(trace, 0, field, got)
    assert ", ".join(found) == clause


def test_a_score_without_numbers_before_the_end_is_named_a_clause() -> None:
    for trace, _ in games()[:300]:
        for number in range(1, len(trace.steps) + 1):
            found = named_clauses.clauses_of_field(trace, number, "score", [])
            check(found, (trace.id, number))


def clauses_of_fates(states: set[str]) -> set[str]:
    """The clauses on a claim, a correction or its time limit, as these states show."""
    if "established" in states:
        return {"7.8"}
    return {"7.5"} if "corrected" in states else {"7.4", "7.4a"}


def test_of_a_revoke_it_is_named_what_became_of_it() -> None:
    """The right state of the revoke and the one given decide which clause is named.

    If no state is given, any clause will do.
    """
    asked = 0
    for trace, states in games():
        for number, state in enumerate(states[1:], 1):
            notes = state.revokes
            plays = [(note.seat, note.trick) for note in notes]
            taken_back = isinstance(trace.steps[number - 1].act, Retract)
            for place, note in enumerate(notes):
                known = {"open", "standing", "established", "corrected"}
                for said in sorted(known - {note.state}):
                    fields = seen(state)["revokes"]
                    fields[place] = fields[place] | {"state": said}
                    found = named_clauses.clauses_of_field(
                        trace, number, "revokes", fields
                    )
                    check(found, (trace.id, number, said))
                    if plays.count(plays[place]) == 1 and not taken_back:
                        wanted = clauses_of_fates({note.state, said})
                        assert {*found} <= wanted, (trace.id, number, said)
                        asked += 1
            if notes:
                check(
                    named_clauses.clauses_of_field(trace, number, "revokes"),
                    (trace.id, number),
                )
    assert asked


def test_who_passes_from_what_was_passed_to_it_is_told_so() -> None:
    asked = 0
    for trace, states in games():
        for number, state in enumerate(states[:-1], 1):
            size = state.ruleset.rules.pass_count
            waiting = len(state.turn) < state.ruleset.players
            if state.phase == "pass" and waiting and state.legal.due.kind == "pass":
                held = len(state.hands[state.turn[0]])
                given = {"pass": comb(held + size, size)}
                found = named_clauses.clauses_of_due_answer(trace, number, given)
                assert found == ("4.8",)
                asked += 1
    assert asked


def test_ways_to_scatter_are_counted_in_their_order() -> None:
    """Wrong numbers of ways to scatter are blamed on 4.6a or on 4.8."""
    ruleset = Ruleset(
        "gamerules-domino", 3, {"pass_cycle": ["scatter"], "pass_count": 5}
    )
    hands = ["2C 3C", "4C 5C", "6C 7C"]
    state = State.open(ruleset, Setup(dealer=2, hands=hands))
    step = Step(act=Scatter(0, {1: "2C", 2: "3C"}))
    trace = Trace(ruleset=ruleset, start=state.start, steps=(step, step))
    for ways, named in ((12, ("4.8",)), (7, ("4.6a",))):
        found = named_clauses.clauses_of_due_answer(trace, 2, {"pass": ways})
        assert found == named


def test_an_answer_that_is_no_card_is_named_no_clause() -> None:
    trace = next(trace for trace, states in games() if states[0].phase == "play")
    assert named_clauses.clauses_of_due_answer(trace, 1, "no card") == ()


def test_an_engine_that_went_astray_earlier_is_told_where() -> None:
    trace = next(trace for trace, states in games() if states[0].phase == "play")
    astray = [
        named_clauses.clauses_wrongly_cited(trace, 1, {"5.3"}, {one})
        for one in ("2.3", "2.4")
    ]
    assert astray == [
        named_clauses.clauses_of_turn(trace, 1),
        named_clauses.clauses_of_phase(trace, 1),
    ]


def test_a_reading_is_one_that_leaves_some_card_and_not_this() -> None:
    for _, states in games():
        for state in states:
            for card in ("QS", "2H", "2C"):
                found = applied.excluding(state, Card(card))
                assert {*found} <= clauses().keys()
            if not state.turn:
                assert applied.excluding(state, Card("QS")) == ()
                assert applied.applied_too_far(state, CardSet("QS")) == ()


def test_the_queen_that_waits_is_held_back_by_its_own_clause() -> None:
    hands = ["2D 3D 5S", "4D QS KC", "5D 5C 6C", "9D 6D 7D"]
    waits = after(hands, "2D 4D 5D 9D 6D 3D", queen_waits="play")
    assert "5.5b" in applied.excluding(waits, Card("QS"))
    lead = after(HIGH.split("; "), "", queen_waits="lead")
    assert "5.5b" in applied.excluding(lead, Card("QS"))


def test_what_a_deal_brought_back_has_again_it_has_by_the_correction() -> None:
    options = {"deals": 2, "deal_ends": "no_points_left"}
    acts = (
        Deal(1, ["2C 3D", "3C 4D"]),
        Play(0, "2C"),
        Play(1, "4D"),  # a revoke in what is the last trick (5.14a)
        Retract(1, "4D"),  # 7.4a
    )
    trace = Trace(
        ruleset=Ruleset("pokerwiner-hearts", 2, options),
        start=Match(dealer=1, pack="2C 3C 3D 4D"),
        steps=tuple(Step(act) for act in acts),
    )
    as_if_over = {
        "dealer": 0,
        "deal": 2,
        "turn": [0],
        "table": None,
        "score": [0, 0],
        "totals": [1, 1],
        "match": {"over": True, "winners": [0, 1]},
        "over": True,
        "kitty": "3D",
        "out": [0],
        "hands": ["", ""],
        "revokes": [],
    }
    for name, wrong in as_if_over.items():
        assert named_clauses.clauses_of_field(trace, 4, name, wrong) == ("7.5",)


def test_once_play_has_ended_only_the_last_trick_is_of_7_4a() -> None:
    earlier = ended(
        Ruleset("pokerwiner-hearts", 3),
        Setup(dealer=2, hands=["2C 3D", "3C 5D", "4C 6D"]),
        *(Play(0, "2C"), Play(1, "5D"), Play(2, "4C")),  # seat 1 revokes in trick 1
        *(Play(2, "6D"), Play(0, "3D"), Play(1, "3C")),
    )
    last = ended(
        Ruleset("pokerwiner-hearts", 2, {"deal_ends": "no_points_left"}),
        Setup(dealer=1, hands=["2C 3D", "3C 4D"]),
        *(Play(0, "2C"), Play(1, "4D")),
    )
    found_later = ended(
        last.ruleset,
        Setup(dealer=1, hands=["2C 3D", "3C 4H"], leader=0, tricks=[1, 0]),
        *(Play(0, "2C"), Play(1, "4H")),
    )
    at_once = attrs.evolve(
        last, ruleset=last.ruleset.having(revoke_until="trick_complete")
    )
    for trace, trick, said, clause in (
        (earlier, 1, "open", "7.4"),
        (last, 1, "standing", "7.4a"),
        (found_later, 2, "standing", "7.4a"),
        (at_once, 1, "open", "7.4"),
    ):
        notes = [{"seat": 1, "trick": trick, "state": said}]
        found = named_clauses.clauses_of_field(trace, 0, "revokes", notes)
        assert found == (clause,)


def test_totals_to_which_a_wrong_score_was_added_are_of_the_score() -> None:
    after = {"score": [0, 0, 0], "totals": [0, 0, 0]}
    for field in after:
        found = named_clauses.clauses_of_seen(FROM_STOCK, 0, field, after)
        assert found == ("6.8b",)
    other = after | {"totals": [0, 1, 0]}
    assert named_clauses.clauses_of_seen(FROM_STOCK, 0, "totals", other) == ("9.1",)


def test_the_stated_winners_of_a_match_are_not_taken_for_the_right_ones() -> None:
    """What a record says of its winners is compared with the rules, not with itself."""
    trace = ended(
        Ruleset("common-hearts", 4, {"limit": 20}),
        Setup(
            dealer=3, hands=["2C", "3C", "4C", "5H"], totals=[10, 50, 80, 90], leader=0
        ),
        *(Play(0, "2C"), Play(1, "3C"), Play(2, "4C"), Play(3, "5H")),
    )
    said = {"over": True, "winners": [1]}
    [*before, last] = trace.steps
    recorded = attrs.evolve(
        trace, steps=(*before, attrs.evolve(last, then={"match": said}))
    )
    assert named_clauses.clauses_of_field(recorded, 4, "match", said) == ("9.5",)


def test_in_a_position_of_a_later_trick_nothing_is_of_the_first() -> None:
    ruleset = Ruleset("common-hearts", 4, {"first_trick_points": "barred"})
    hands = ["6D", "2H QS", "7D 8D", "9D TD"]
    state = State.open(ruleset, Setup(dealer=3, hands=hands, leader=0, trick=["5C"]))
    assert applied.clauses_wrongly_forbidding(state, Card("2H")) == ("5.8",)
    assert applied.applied_too_far(state, CardSet("QS"))[0] == "5.8"
