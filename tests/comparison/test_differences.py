"""Tests of the search for the shortest game that two rulesets judge differently."""

import pytest

from refengine import (
    Deal,
    Malformed,
    Match,
    Pass,
    PassUnseen,
    Ruleset,
    Scatter,
    Setup,
    State,
)
from refengine.comparison.differences import Difference, _setups, differences

EST = Ruleset("estmesh-hearts")
SCATTER = Ruleset("common-hearts", 3, {"pass_cycle": ["scatter"], "pass_count": 1})
PLAIN: dict[str, object] = {"pass_cycle": []}


@pytest.mark.parametrize(
    ("option", "value", "cards"),
    [
        ("queen_breaks_hearts", True, 1),
        ("bonus_card", "JD", 1),
        ("direction", "counterclockwise", 1),
        ("limit_rule", "exceed", 1),
        ("exact_limit_becomes", 50, 1),
        ("ties", "play_on", 1),
        ("moon", "self_minus", 1),
        ("heart_leads", "free", 3),
        ("first_trick_points", "barred", 2),
        ("queen_duty", "when_safe", 2),
        ("revokes", "penalised", 2),
        pytest.param("hearts_or_queen_leader", "any", 3, marks=pytest.mark.slow),
    ],
)
def test_the_game_that_shows_a_difference_is_judged_differently(
    option: str, value: object, cards: int
) -> None:
    base = EST.having(**PLAIN)
    other = base.having(**{option: value})
    found = differences(base, other, budget=150).difference
    assert found is not None
    assert isinstance(found.start, Setup)
    assert len(found.start.hands[0]) <= cards
    states = [State.open(one, found.start).after(*found.acts) for one in (base, other)]
    if found.asked is not None:
        verdicts = [type(state.verdict(found.asked)) for state in states]
        assert verdicts[0] is not verdicts[1]
    else:
        assert _seen(states[0]) != _seen(states[1])


def _seen(state: State) -> tuple[object, ...]:
    return (
        str(state.legal.due),
        state.score,
        state.totals,
        state.winners,
        state.hearts_broken,
        state.points,
    )


def test_rulesets_that_differ_in_no_game_show_no_difference() -> None:
    base = EST.having(**PLAIN)
    found = differences(base, base.having(revoke_points=5), most_cards=1)
    assert found.difference is None
    assert found.complete_to == 1


@pytest.mark.parametrize(
    ("answers", "clauses"),
    [
        (("refused by 5.3, 5.5", "irregular by 5.3"), ("5.5",)),
        (("legal", "refused by 4.11"), ("4.11",)),
        (("refused by 5.3", "irregular by 5.3"), ()),
        (("0 1", "1 0"), ()),
    ],
)
def test_a_difference_names_the_clauses_of_one_ruleset_only(
    answers: tuple[str, str], clauses: tuple[str, ...]
) -> None:
    assert Difference(Match(), (), "act", answers).clauses == clauses


def test_what_the_dealer_deals_is_a_difference_without_an_act() -> None:
    found = differences(Ruleset("gamerules-domino", 3), Ruleset("dominorules-tiles", 3))
    assert found.difference is not None
    assert found.difference.start == Match(dealer=0)
    assert found.difference.acts == ()
    assert isinstance(found.difference.asked, Deal)


def test_passes_that_differ_are_shown_in_a_hand_large_enough() -> None:
    found = differences(EST, EST.having(pass_count=2), budget=100).difference
    assert found is not None
    assert isinstance(found.start, Setup)
    assert len(found.start.hands[0]) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (EST.having(pass_unseen=True), EST),
        (EST, EST.having(pass_unseen=True)),
        (SCATTER, SCATTER.having(pass_cycle=["left"])),
        (SCATTER.having(pass_cycle=["left"]), SCATTER),
    ],
)
def test_passes_that_differ_in_kind_alone_are_shown(
    one: Ruleset, other: Ruleset
) -> None:
    found = differences(one, other, budget=100).difference
    assert found is not None
    assert found.what == "act"
    assert isinstance(found.asked, Pass | PassUnseen | Scatter)
    assert found.clauses


def test_rulesets_for_different_tables_are_not_compared() -> None:
    with pytest.raises(Malformed, match="same number of players"):
        differences(Ruleset("gamerules-domino", 2), Ruleset("gamerules-domino", 3))


STOCK: dict[str, object] = {"removal": "none", "undealt": "stock", "hand_size": 10}
MARIA = Ruleset("black-maria", 3, STOCK)


def test_a_match_that_only_one_ruleset_lets_begin_is_the_difference() -> None:
    small = MARIA.having(hand_size=1)
    found = differences(small, MARIA).difference
    assert found is not None
    assert (found.what, found.acts) == ("open", ())
    assert found.answers == ("refused by 4.11", "legal")
    assert found.clauses == ("4.11",)


def test_where_neither_lets_a_match_begin_the_deals_are_tried() -> None:
    small = MARIA.having(hand_size=1)
    found = differences(small, small.having(hand_size=2), most_cards=1, budget=5)
    assert found.difference is None
    assert found.tried_to == 3  # every deal passes three cards


def test_the_same_deal_is_no_difference_however_it_is_put() -> None:
    base = EST.having(**PLAIN)
    found = differences(base, base.having(hand_size=13), most_cards=1, budget=5)
    assert found.difference is None


def test_hands_that_the_pack_does_not_hold_are_not_tried() -> None:
    many = Ruleset("pokerwiner-hearts", 13, {"revokes": "rejected"})
    found = differences(many, many.having(revoke_points=5), most_cards=5, budget=1)
    assert (found.difference, found.tried_to) == (None, 4)  # of 13 x 5 there is none


def test_only_a_pack_of_eight_is_tried_completely() -> None:
    two = Ruleset("pokerwiner-hearts", 2)
    other = two.having(revokes="rejected")
    assert [_setups(two, other, size, 20_000)[1] for size in (4, 5)] == [True, False]


def test_a_bonus_card_is_among_the_cards_that_are_tried() -> None:
    base = EST.having(**PLAIN)
    found = differences(base, base.having(bonus_card="TD"), most_cards=1).difference
    assert found is not None
    assert isinstance(found.start, Setup)
    assert "TD" in " ".join(map(str, found.start.hands))


def test_rulesets_that_mix_in_every_deal_are_compared_in_play() -> None:
    one = EST.having(pass_cycle=["mix"], pass_count=1)
    found = differences(one, one.having(queen_points=0), most_cards=1).difference
    assert found is not None
    assert any(act.kind == "mix" for act in found.acts)


def test_a_mix_that_only_one_ruleset_allows_is_the_difference() -> None:
    """The kitty joins the pile of the mix only where mix_kitty is on (4.10b)."""
    one = EST.having(pass_cycle=["mix"], pass_count=1, undealt="kitty")
    found = differences(one, one.having(mix_kitty=True), most_cards=1).difference
    assert found is not None
    assert found.what == "act"
    assert found.answers[0] == "legal"
    assert "4.10d" in found.clauses
