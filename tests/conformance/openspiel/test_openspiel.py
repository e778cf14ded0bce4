"""Tests that our engine agrees with OpenSpiel's `hearts`, and that faults are found."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

import refengine
from refengine.chapters import score
from refengine.chapters.cards import HEARTS, QUEEN, Mask, penalty_cards
from refengine.chapters.layout import Position
from refengine.chapters.passing import exchange
from refengine.chapters.settings import LEFT, RIGHT, Rules
from refengine.game.values.cardset import CARDS, Card
from refengine.game.values.state import new_deal
from refengine.machine import position
from refengine_conformance.openspiel.deals import (
    COMBINATIONS,
    PARAMETERS,
    combination_of,
    game_parameters,
    plan_of_deal,
    ruleset_like_parameters,
)
from refengine_conformance.openspiel.lockstep import lockstep
from refengine_conformance.openspiel.one_deal import (
    MOON_ALL,
    OURS,
    RARE,
    THEIRS,
    NotInstalled,
    clause_in_question,
    new_library_game,
    play_in_both_engines,
)

DEALS = 260

with_library = pytest.mark.skipif(
    find_spec("pyspiel") is None, reason="OpenSpiel is not installed"
)
replaceable = pytest.mark.skipif(
    refengine.__mode__ == "compiled", reason="compiled functions cannot be replaced"
)


def combination_with(**given: bool) -> int:
    """The number of the combination with these parameters and all others false."""
    wanted = dict.fromkeys(PARAMETERS, False) | given
    (number,) = [one for one in range(COMBINATIONS) if game_parameters(one) == wanted]
    return number


# Cards and parameters


def test_every_card_is_translated_there_and_back() -> None:
    assert sorted(THEIRS) == list(range(52))
    assert [OURS[action] for action in THEIRS] == list(range(52))


@pytest.mark.parametrize(
    ("card", "action"),
    [("2C", 0), ("2D", 1), ("2H", 2), ("2S", 3), ("JD", 37), ("QS", 43), ("AS", 51)],
)
def test_cards_have_the_numbers_of_the_library(card: str, action: int) -> None:
    assert THEIRS[Card(card).number] == action
    assert CARDS[OURS[action]] is Card(card)


@with_library
def test_cards_have_the_names_of_the_library() -> None:
    import pyspiel

    state = pyspiel.load_game("hearts").new_initial_state()
    state.apply_action(0)
    names = [state.action_to_string(action) for action in THEIRS]
    assert names == [str(card) for card in CARDS]


@with_library
def test_the_profile_is_the_library_with_its_own_defaults() -> None:
    import pyspiel

    games = {one.short_name: one for one in pyspiel.registered_games()}
    defaults = games["hearts"].parameter_specification
    assert set(defaults) == set(PARAMETERS)
    rules = ruleset_like_parameters(combination_with(**defaults), "left")
    assert list(rules.changed) == ["pass_cycle"]


def test_without_pass_cards_every_deal_is_held() -> None:
    assert ruleset_like_parameters(0, "hold").options["pass_cycle"] == ("hold",)
    with pytest.raises(ValueError, match="no pass left"):
        ruleset_like_parameters(0, "left")


def test_two_combinations_have_two_rulesets() -> None:
    rulesets = {
        ruleset_like_parameters(number, "hold") for number in range(COMBINATIONS)
    }
    # pass_cards does not show in a deal that is held
    assert len(rulesets) == COMBINATIONS // 2


@pytest.mark.parametrize(("deals", "least"), [(256, 1), (1_000, 3), (10_000, 39)])
def test_all_combinations_come_up_alike(deals: int, least: int) -> None:
    covered = Counter(combination_of(deal) for deal in range(deals))
    assert len(covered) == COMBINATIONS
    assert min(covered.values()) >= least


def test_a_plan_deals_the_whole_pack_and_passes_from_the_hand() -> None:
    for deal in range(DEALS):
        planned = plan_of_deal(deal, 1)
        assert sorted(sum(planned.hands, ())) == list(range(52))
        assert {len(hand) for hand in planned.hands} == {13}
        for hand, packet in zip(planned.hands, planned.packets, strict=False):
            assert len(set(packet) & set(hand)) == 3


# Both engines


@with_library
def test_both_engines_agree_in_every_combination() -> None:
    told: list[int] = []
    report = lockstep(DEALS, progress=told.append)
    assert report.disagreements == ()
    assert report.combinations == COMBINATIONS
    assert report.least >= 1
    assert report.plays == DEALS * 52
    assert report.tricks == DEALS * 13
    plans = [plan_of_deal(deal, report.seed) for deal in range(DEALS)]
    assert report.passes == sum(len(plan.packets) for plan in plans)
    assert told[-1] == DEALS
    assert told == sorted(told)


@with_library
def test_rare_cases_come_up() -> None:
    report = lockstep(DEALS)
    assert [kind for kind, _ in report.rare] == list(RARE)
    assert min(number for _, number in report.rare) > 0
    assert 0 < dict(report.rare)[MOON_ALL] < report.moons


@with_library
def test_the_report_does_not_depend_on_the_number_of_processes() -> None:
    assert lockstep(60, seed=7, jobs=2) == lockstep(60, seed=7)


@with_library
def test_the_seed_chooses_the_deals() -> None:
    assert plan_of_deal(0, 1) != plan_of_deal(0, 2)
    assert lockstep(11, seed=1) != lockstep(11, seed=2)


@with_library
def test_the_report_is_a_table_and_an_object() -> None:
    report = lockstep(11)
    lines = report.lines()
    assert lines[0].startswith("OpenSpiel")
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in "".join(lines)
    fields = json.loads(json.dumps(report.fields()))
    assert fields["deals"] == 11
    assert fields["rare"] == dict(report.rare)
    assert fields["disagreements"] == []


def test_without_the_library_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    new_library_game.cache_clear()
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(NotInstalled, match="pip install"):
        lockstep(1)


# Planted faults


def replace(
    monkeypatch: pytest.MonkeyPatch, name: str, fault: Callable[..., object]
) -> None:
    """Replace a function in every module of the engine that uses its name.

    The table of narrowing clauses refers to the functions directly, so it is rebuilt.
    """
    using = [
        module
        for path, module in list(sys.modules.items())
        if path.startswith("refengine.") and name in vars(module)
    ]
    assert using
    real = vars(using[0])[name]
    table = tuple(
        (number, fault if function is real else function)
        for number, function in position.NARROWING
    )
    monkeypatch.setattr(position, "NARROWING", table)
    for module in using:
        monkeypatch.setattr(module, name, fault)


def allow_all(rules: Rules, position: Position, allowed: Mask) -> Mask:
    return allowed


def follow_nothing(position: Position, allowed: Mask) -> Mask:
    return allowed


def bar_points_for_good(rules: Rules, position: Position, allowed: Mask) -> Mask:
    if not position.piles.first or not rules.first_trick_barred:
        return allowed
    return Mask(allowed & ~penalty_cards(rules))


def bar_hearts_for_good(rules: Rules, position: Position, allowed: Mask) -> Mask:
    if position.led or rules.hearts_free or position.hearts_broken:
        return allowed
    return Mask(allowed & ~HEARTS)


def must_play_the_queen(rules: Rules, position: Position, allowed: Mask) -> Mask:
    return Mask(allowed & QUEEN) or allowed


def never_broken(rules: Rules, card: int) -> bool:
    return False


def highest_of_any_suit(led: Mask, best: int, card: int) -> bool:
    return card % 13 > best % 13


def left_of_winner_leads(winner: int, out: int, players: int) -> int:
    return (winner + 1) % players


def left_of_dealer_leads(rules: Rules, hands: tuple[Mask, ...], dealer: int) -> int:
    return (dealer + 1) % 4


def exchange_the_other_way(way: int, packets: Any) -> Any:
    return exchange({LEFT: RIGHT, RIGHT: LEFT}.get(way, way), packets)


def no_moon(*_: object) -> int:
    return -1


def no_extra(*_: object) -> int:
    return 0


def one_point_too_many(rules: Rules, cards: Mask) -> int:
    return int(_card_score(rules, cards)) + 1


_card_score = score.card_score  # before it is replaced


@replaceable
@with_library
@pytest.mark.parametrize(
    ("name", "fault", "what", "clause"),
    [
        ("no_points_at_first", allow_all, "legal cards", "5.5"),
        ("no_points_at_first", bar_points_for_good, "legal cards", "5.5"),
        ("follow_suit", follow_nothing, "legal cards", "5.3"),
        ("opening_card", allow_all, "legal cards", "5.2"),
        ("hold_back_hearts", allow_all, "legal cards", "5.4"),
        ("hold_back_hearts", bar_hearts_for_good, "legal cards", "5.4"),
        ("play_the_queen", must_play_the_queen, "legal cards", "5.6"),
        ("breaks_hearts", never_broken, "hearts broken", "5.9"),
        ("beats", highest_of_any_suit, "trick winner", "5.10"),
        ("next_leader", left_of_winner_leads, "leader", "5.11"),
        ("opening_leader", left_of_dealer_leads, "opening leader", "5.1"),
        ("exchange", exchange_the_other_way, "hand of seat 0", "4.8"),
        ("moon_shooter", no_moon, "score", "8.5"),
        ("bonus", no_extra, "score", "8.7"),
        ("trickless", no_extra, "score", "8.8"),
        ("card_score", one_point_too_many, "score", "8.9"),
    ],
)
def test_a_planted_fault_is_found_and_named(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    fault: Callable[..., object],
    what: str,
    clause: str,
) -> None:
    replace(monkeypatch, name, fault)
    found = lockstep(DEALS).disagreements
    assert (what, (clause,)) in {(one.what, one.clauses) for one in found}


@replaceable
@with_library
def test_a_disagreement_tells_what_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "follow_suit", follow_nothing)
    report = lockstep(3)
    one = report.disagreements[0]
    names = {name: getattr(refengine, name) for name in refengine.__all__}
    state = eval(one.state, names)
    assert str(state.legal.cards) == one.ours
    assert dict(one.parameters) == game_parameters(combination_of(one.deal))
    assert play_in_both_engines(one.deal, one.seed).disagreement == one
    assert report.lines()[-len(report.disagreements)] == str(one)
    assert f"deal {one.deal} of seed 2026, legal cards" in str(one)
    assert report.fields()["disagreements"][0]["clauses"] == ["5.3"]


@replaceable
@with_library
def test_a_refused_pass_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    replace(monkeypatch, "pass_breaks", lambda *_: ("4.4",))
    found = lockstep(4).disagreements
    assert {one.clauses for one in found} == {("4.4",)}
    assert all(one.what.startswith("pass ") for one in found)


def test_a_card_allowed_here_alone_puts_a_clause_in_question() -> None:
    rules = ruleset_like_parameters(combination_with(must_break_hearts=True), "hold")
    hands = ["2C 3C QS", "4C KD 2H", "5C 3H 4H", "6C 5H 6H"]
    state = new_deal(rules, hands)
    assert clause_in_question(state, Card("3C")) == "5.2"
    state = state.play("2C")
    assert clause_in_question(state, Card("KD")) == "5.3"
    state = state.play("4C").play("5C").play("6C")
    assert clause_in_question(state, Card("5H")) == "5.4"
    state = state.play("5H")
    assert clause_in_question(state, Card("QS")) == "5.8"


def test_points_on_the_first_trick_put_their_clause_in_question() -> None:
    hands = ["2C 3C", "KD 2H", "5C 3H", "6C 5H"]
    state = new_deal(ruleset_like_parameters(0, "hold"), hands).play("2C")
    assert clause_in_question(state, Card("2H")) == "5.5"
