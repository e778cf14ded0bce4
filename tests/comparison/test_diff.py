"""Tests of comparing two rulesets: options, clauses, and games judged differently."""

import json
from functools import partial
from typing import Any

import pytest

from refengine import Ruleset, State
from refengine.cli.diff_text import difference_fields, difference_lines
from refengine.comparison.differences import Comparison, Difference
from refengine.comparison.option_differences import (
    OptionDifference,
    _with_fewer,
    clauses_reading,
    option_difference,
    options_apart,
)
from refengine.formats import shapes, wire
from refengine.formats.fields import act_of, ruleset_of, setup_of
from refengine.game.setups import Setup
from refengine.rulings.words import value_words
from tests.support.commands import Runner, error_of

HEARTS = Ruleset("estmesh-hearts")
DOMINO = Ruleset("gamerules-domino", 3)


@pytest.fixture
def diff(run: Runner) -> Runner:
    return partial(run, "diff")


def of(
    first: Ruleset, second: Ruleset, option: str, cards: int = 1
) -> OptionDifference:
    return option_difference(first, second, option, cards, budget=60)


VALUES = {"direction": "counterclockwise", "ace_points": 7}


def words_of(first: Ruleset, second: Ruleset, option: str, cards: int = 1) -> str:
    found = of(first, second, option, cards)
    return " ".join(" ".join(difference_lines(first, second, found)).split())


def test_each_option_has_the_clauses_that_read_it() -> None:
    assert clauses_reading("first_trick_points") == ("5.5", "5.5a")
    assert clauses_reading("queen_breaks_hearts") == ("5.9a",)
    assert options_apart(HEARTS, HEARTS) == ()
    assert "limit" in options_apart(HEARTS, Ruleset("openspiel-hearts"))


def test_an_option_that_definitions_read_has_its_main_clauses() -> None:
    for option, clauses in (("direction", ("2.2",)), ("ace_points", ("1.5b",))):
        found = of(HEARTS, HEARTS.having(**{option: VALUES[option]}), option)
        assert {*clauses} <= {*found.clauses}


def test_rulesets_that_always_pass_are_compared_with_hands_that_can() -> None:
    """Every deal of Black Maria passes three cards, so no hand is smaller (4.11)."""
    maria = Ruleset("black-maria")
    found = of(maria, maria.having(king_points=0), "king_points")
    assert found.found is not None
    assert found.found.difference is not None


def test_the_game_shown_is_judged_differently(diff: Runner) -> None:
    words = ["gamerules-domino", "gamerules-domino", "--option", "revokes=penalised"]
    code, out, _ = diff(*words, "--cards", "1", "--json")
    (found,) = json.loads(out)
    assert (code, found["option"], found["clauses"]) == (
        0,
        "revokes",
        ["7.2", "7.6a", "7.7"],
    )
    shown = found["shown"]
    asked = act_of(
        shown["asked"]["seat"], wire.convert_to_kind(shapes.Act, shown["asked"]["act"])
    )
    verdicts = []
    for ruleset in found["between"]:
        made = ruleset_of(wire.convert_to_kind(shapes.RulesetObject, ruleset))
        state = State.open(
            made, setup_of(wire.convert_to_kind(shapes.SetupObject, shown["setup"]))
        )
        for step in shown["steps"]:
            act = act_of(step["seat"], wire.convert_to_kind(shapes.Act, step["act"]))
            state = state.apply(act)
        verdicts.append(type(state.verdict(asked)).__name__.lower())
    assert verdicts == ["refused", "irregular"]


def test_the_words_say_what_differs(diff: Runner) -> None:
    more = ["--option", "queen_breaks_hearts=true", "--option", "limit=none"]
    code, out, _ = diff("estmesh-hearts", "estmesh-hearts", *more, "--cards", "1")
    assert code == 0
    for part in (
        "Queen of spades breaks hearts (queen_breaks_hearts) [5.9a]\n"
        "  first: no. Only a heart breaks hearts (false).",
        "Whether hearts are broken?\n      false: no\n      true: yes\n",
        "100: not over\n",
        "none: over, won by seats",
        "options that differ: 2",
    ):
        assert part in out
    told = words_of(HEARTS, Ruleset("openspiel-hearts"), "first_trick_points")
    assert "(estmesh-hearts): yes. Cards that cost points may be played" in told


def test_a_difference_in_the_deal_and_one_that_needs_others() -> None:
    smaller = DOMINO.having(hand_size=5)
    assert "Shown by what is dealt in a match" in words_of(DOMINO, smaller, "hand_size")
    assert "5: refused by 3.8" in words_of(DOMINO, smaller, "hand_size")
    plain = Ruleset("dominorules-tiles", 3)
    told = words_of(plain, DOMINO, "undealt")
    assert "The book allows no change of this option alone." in told
    idle = words_of(DOMINO, DOMINO.having(revoke_points=20), "revoke_points")
    assert "Given the other options, it has no effect in either." in idle


def test_a_difference_is_sought_with_fewer_players_too() -> None:
    takes = DOMINO.having(survivor_takes_stock=True)
    found = of(DOMINO, takes, "survivor_takes_stock")
    assert found.between is not None
    assert [one.players for one in found.between] == [2, 2]
    told = words_of(DOMINO, takes, "survivor_takes_stock")
    assert "stock 2C QS 2H" in told
    assert "The score of the deal?" in told


def test_where_few_deals_are_tried_nothing_may_be_found() -> None:
    takes = DOMINO.having(survivor_takes_stock=True)
    one = option_difference(DOMINO, takes, "survivor_takes_stock", 1, budget=1)
    assert one.between == (DOMINO, takes)
    assert one.found is not None
    assert one.found.difference is None


def test_fewer_players_are_fewer_with_a_kitty_and_for_both_profiles() -> None:
    three = Ruleset("estmesh-hearts", 3, {"undealt": "kitty"})
    assert _with_fewer(three, three.having(kitty_to="first_trick")) is None
    four = HEARTS.having(undealt="kitty")
    fewer = _with_fewer(four, four.having(kitty_to="first_trick"))
    assert fewer is not None
    assert [one.players for one in fewer] == [3, 3]
    fewer = _with_fewer(Ruleset("common-hearts", 5), Ruleset("omnibus-hearts", 5))
    assert fewer is not None
    assert [one.players for one in fewer] == [4, 4]


def test_fewer_players_whom_the_cards_do_not_fit_are_not_tried() -> None:
    five = Ruleset("pokerwiner-hearts", 5, {"hand_size": 10, "removal": "lowest"})
    other = five.having(revokes="penalised")
    one = option_difference(five, other, "revokes", 1, budget=1)
    assert one.between == (five, other)


def test_where_the_second_alone_reads_the_option_it_is_changed_there() -> None:
    penalised = DOMINO.having(revokes="penalised", revoke_points=20)
    found = of(DOMINO, penalised, "revoke_points")
    assert found.between is not None
    assert [one.options["revokes"] for one in found.between] == ["penalised"] * 2
    fields = difference_fields(found)
    assert fields["values"] == [13, 20]
    lead = DOMINO.having(revokes="penalised", revoke_until="next_lead")
    told = words_of(DOMINO, lead, "revoke_until")
    assert "What becomes of the failure to follow suit?" in told
    assert "standing" in told


def test_totals_and_kitties_are_told() -> None:
    ending = words_of(HEARTS, HEARTS.having(ties="play_on"), "ties")
    assert "totals 99" in ending
    start = Setup(dealer=0, hands=["2C", "3C"], stock="4C", kitty="5C")
    shown = Difference(start, (), "open", ("legal", "refused by 3.12"))
    between = (DOMINO, DOMINO)
    one = OptionDifference("limit", (1, 2), (), True, between, Comparison(shown, 0, 1))
    told = " ".join(" ".join(difference_lines(DOMINO, DOMINO, one)).split())
    assert "deal 1, seat 0 deals, stock 4C, kitty 5C." in told
    assert "May the game begin? 1: legal 2: refused by 3.12" in told


def test_how_far_the_search_was_complete_is_said() -> None:
    def told(complete: int, tried: int) -> str:
        found = Comparison(None, complete, tried)
        one = OptionDifference("limit", (1, 2), (), True, (HEARTS, HEARTS), found)
        return " ".join(" ".join(difference_lines(HEARTS, HEARTS, one)).split())

    assert "in a sample of deals of up to 2 cards a seat." in told(0, 2)
    assert "in a sample of deals of up to 1 card a seat." in told(0, 1)
    assert "of eight, nor in a sample of deals of up to 2" in told(1, 2)
    fields = difference_fields(
        OptionDifference(
            "limit", (1, 2), (), True, (HEARTS, HEARTS), Comparison(None, 1, 1)
        )
    )
    assert "shown" not in fields
    assert "between" not in difference_fields(
        OptionDifference("limit", (1, 2), (), True)
    )


def test_observed_values_have_words() -> None:
    values: list[tuple[str, Any, str]] = [
        ("score", None, "none yet"),
        ("revokes", [], "none"),
        ("taken", ["2C", ""], "2C -"),
        ("score", [0, 1], "0 1"),
    ]
    for field, value, words in values:
        assert value_words(field, value) == words


@pytest.mark.parametrize(
    "words",
    [
        ["whist", "estmesh-hearts"],
        ["estmesh-hearts", "gamerules-domino", "--players", "5"],
        ["pokerwiner-hearts", "estmesh-hearts", "--players", "3"],
        ["estmesh-hearts", "estmesh-hearts", "--option", "limit=0"],
    ],
)
def test_bad_input_ends_in_one_message(diff: Runner, words: list[str]) -> None:
    error_of(diff, *words)


def test_rulesets_for_other_numbers_of_players_are_not_compared() -> None:
    with pytest.raises(ValueError, match="the same number of players"):
        options_apart(DOMINO, HEARTS)
