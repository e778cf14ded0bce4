"""Rulesets that exclude themselves are mended no more than the book asks for."""

from random import Random

import pytest

from refengine import Deal, Legal, Refused, Ruleset, new_match
from refengine_conformance.generators import directed_games
from refengine_conformance.generators.strategies import mended


@pytest.mark.parametrize(
    "given",
    [{"moon": "none"}, {"sun_points": 0}, {"moon": "none", "sun_points": 0}, {}],
)
def test_hearts_may_cost_nothing_where_there_is_no_moon_and_no_sun(
    given: dict[str, object],
) -> None:
    """As 8.10 and 8.10a have it."""
    wanted = {**given, "heart_points": 0}
    found = mended("common-hearts", 0, wanted)
    assert {name: found.options[name] for name in wanted} == wanted
    assert (found.options["moon"], found.options["sun_points"]) == ("none", 0)


def test_a_sun_without_a_moon_goes_and_leaves_the_hearts_alone() -> None:
    """As 8.10a has it."""
    wanted = {"heart_points": 0, "moon": "none"}
    found = mended("common-hearts", 0, {**wanted, "sun_points": 52})
    assert {name: found.options[name] for name in wanted} == wanted
    assert found.options["sun_points"] == 0


@pytest.mark.parametrize("given", [{"moon": "self_minus"}, {"sun_points": 52}])
def test_hearts_cost_something_beside_a_moon_or_a_sun(given: dict[str, object]) -> None:
    found = mended("common-hearts", 0, {**given, "heart_points": 0})
    assert found.options["heart_points"] == 1
    assert {name: found.options[name] for name in given} == given


def test_every_spoiled_deal_is_refused() -> None:
    """Two cards that change places, however, make another right deal (3.8)."""
    state = new_match(Ruleset("estmesh-hearts", 4), dealer=0)
    whole = directed_games._whole_deal(Random(1), state, 0)
    spoiled = list(directed_games._spoiled(list(whole.hands)))
    assert len(spoiled) == 6
    for hands in spoiled:
        assert isinstance(state.verdict(Deal(0, hands)), Refused)
    exchanged = directed_games._with_two_exchanged(list(whole.hands))
    assert isinstance(state.verdict(Deal(0, exchanged)), Legal)
