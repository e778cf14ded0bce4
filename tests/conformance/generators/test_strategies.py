"""Tests that the generator changes conflicting options no more than it has to."""

from random import Random

import pytest

from refengine import Claim, Deal, Legal, Refused, Ruleset, new_match
from refengine_conformance.generators import directed_games
from refengine_conformance.generators.strategies import (
    mended,
    moments_of,
    some_script,
)


@pytest.mark.parametrize(
    "given",
    [{"moon": "none"}, {"sun_points": 0}, {"moon": "none", "sun_points": 0}, {}],
)
def test_hearts_may_cost_nothing_where_there_is_no_moon_and_no_sun(
    given: dict[str, object],
) -> None:
    """Clauses 8.10 and 8.10a allow it."""
    wanted = {**given, "heart_points": 0}
    found = mended("common-hearts", 0, wanted)
    assert {name: found.options[name] for name in wanted} == wanted
    assert (found.options["moon"], found.options["sun_points"]) == ("none", 0)


def test_a_sun_without_a_moon_goes_and_leaves_the_hearts_alone() -> None:
    """Clause 8.10a forbids a sun without a moon, but not hearts that cost nothing."""
    wanted = {"heart_points": 0, "moon": "none"}
    found = mended("common-hearts", 0, {**wanted, "sun_points": 52})
    assert {name: found.options[name] for name in wanted} == wanted
    assert found.options["sun_points"] == 0


@pytest.mark.parametrize("given", [{"moon": "self_minus"}, {"sun_points": 52}])
def test_hearts_cost_something_beside_a_moon_or_a_sun(given: dict[str, object]) -> None:
    found = mended("common-hearts", 0, {**given, "heart_points": 0})
    assert found.options["heart_points"] == 1
    assert {name: found.options[name] for name in given} == given


def test_a_hand_size_that_deals_all_the_cards_stays() -> None:
    """Clauses 3.9 and 3.9c allow it; for ten players, two cards are removed (3.3)."""
    assert mended("estmesh-hearts", 0, {"hand_size": 13}).options["hand_size"] == 13
    ten = mended("pokerwiner-hearts", 8, {"hand_size": 5})
    assert (ten.players, ten.options["hand_size"]) == (10, 5)
    over = mended("estmesh-hearts", 0, {"hand_size": 12})
    assert over.options["hand_size"] == "all"


@pytest.mark.parametrize(("unseen", "kind"), [(0.0, "pass"), (1.0, "forward")])
def test_the_chance_of_a_pass_unseen_is_the_one_that_is_given(
    unseen: float, kind: str
) -> None:
    state = new_match(Ruleset("estmesh-hearts", 4, {"pass_unseen": True}), dealer=0)
    for seed in range(20):
        script = some_script(Random(seed), state, tries=0, most=5, unseen=unseen)
        assert [one.act.kind for one in script.moves] == ["deal", *[kind] * 4]


def test_a_game_that_goes_on_from_a_moment_begins_where_it_began() -> None:
    rng = Random(1)
    state = new_match(Ruleset("gamerules-domino", 2), dealer=0)
    for _ in range(5):
        state = state.apply(state.random_act(rng))
    script = some_script(rng, state, tries=0, most=3)
    assert [one.act for one in script.moves[:5]] == [*state.acts]
    assert len(script.moves) == 8
    assert moments_of(script)[5] == state


def test_every_spoiled_deal_is_refused() -> None:
    """Exchanging two cards, by contrast, makes another valid deal (3.8)."""
    state = new_match(Ruleset("estmesh-hearts", 4), dealer=0)
    whole = directed_games._whole_deal(Random(1), state, 0)
    spoiled = list(directed_games._spoiled(list(whole.hands)))
    assert len(spoiled) == 6
    for hands in spoiled:
        assert isinstance(state.verdict(Deal(0, hands)), Refused)
    exchanged = directed_games._with_two_exchanged(list(whole.hands))
    assert isinstance(state.verdict(Deal(0, exchanged)), Legal)


def test_the_last_trick_of_a_deal_is_claimed_on() -> None:
    """A claim about the last trick is never too early, but can be false (7.7, 7.7a)."""
    state = new_match(Ruleset("dominorules-tiles", 4, {"pass_cycle": ()}), dealer=0)
    rng = Random(1)
    while state.phase != "deal" or not state.history:
        state = state.apply(state.random_act(rng))
    acts = directed_games.acts_of_every_kind(rng, state)
    claims = [one for one in acts if isinstance(one, Claim)]
    verdicts = [state.verdict(one) for one in claims if one.trick == 13]
    assert verdicts
    for verdict in verdicts:
        assert isinstance(verdict, Refused)
        assert verdict.clauses == ("7.7a",)
