"""Tests of chapter 9: the match, and whole matches of every profile and variant."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refengine import (
    Claim,
    Deal,
    MoonChoice,
    Play,
    QuitTrick,
    Retract,
    Ruleset,
    State,
    new_deal,
    new_match,
    profile,
    profile_names,
)
from refengine.chapters.match import (
    limit_is_reached,
    lowest_totals,
    match_is_over,
    new_totals,
    settled_by_rule,
)
from refengine.chapters.score import MINUS, PLUS
from tests.support.playing import cards_played, played_deal
from tests.support.refusing import refused
from tests.support.strategies import broken, hearts

SMALL = "2C 3C QS 2H"  # two seats; V is 14


def settled(totals: list[int], limit: int = 100, **options: object) -> State:
    """The end of a deal that began with these totals and costs seat 0 one point."""
    reached = bool(options.pop("limit_reached", False))
    ruleset = hearts(2, limit=limit, **options)
    state = new_deal(ruleset, ["3C", "2H"], totals=totals, limit_reached=reached)
    return cards_played(state, "3C 2H")


# Totals


@given(
    totals=st.lists(st.integers(-200, 200), min_size=4, max_size=4),
    score=st.lists(st.integers(-200, 200), min_size=4, max_size=4),
)
def test_totals_are_sums(totals: list[int], score: list[int]) -> None:
    found = new_totals(hearts().rules, tuple(totals), tuple(score))
    assert list(found) == [a + b for a, b in zip(totals, score, strict=True)]


@given(totals=st.lists(st.integers(-60, 60), min_size=2, max_size=13))
def test_the_lowest_totals_win(totals: list[int]) -> None:
    seats = {seat for seat, total in enumerate(totals) if total == min(totals)}
    assert lowest_totals(tuple(totals)) == sum(2**seat for seat in seats)


def test_a_total_may_be_negative() -> None:
    assert settled([-20, -9]).totals == (-19, -9)


# The limit


@pytest.mark.parametrize(
    ("rule", "before", "over"),
    [
        ("reach", 98, False),
        ("reach", 99, True),
        ("reach", 100, True),
        ("exceed", 98, False),
        ("exceed", 99, False),
        ("exceed", 100, True),
    ],
)
def test_a_match_ends_at_the_limit_or_beyond_it(
    rule: str, before: int, over: bool
) -> None:
    state = settled([before, 5], limit_rule=rule)
    assert state.totals == (before + 1, 5)
    assert (state.winners is not None) == over


def test_the_limit_is_tested_when_the_deal_is_scored() -> None:
    ruleset = hearts(2, limit=13)
    state = new_match(ruleset, dealer=0, pack=SMALL)
    state = cards_played(state.apply(Deal(0, ["2C 3C", "QS 2H"])), "2C QS")
    assert (state.phase, state.points) == ("play", (13, 0))
    state = cards_played(state, "3C 2H")
    assert state.over
    assert state.totals == (14, 0)
    assert state.winners == (1,)


@pytest.mark.parametrize(
    ("before", "becomes", "totals", "winners"),
    [
        ([99, 60], "none", (100, 60), (1,)),
        ([99, 60], 50, (50, 60), None),
        ([99, 60], 0, (0, 60), None),
        ([100, 60], 50, (101, 60), (1,)),  # beyond the limit
        ([99, 100], 0, (0, 0), None),  # each seat at it
    ],
)
def test_exactly_the_limit_may_become_a_lower_total(
    before: list[int],
    becomes: int | str,
    totals: tuple[int, ...],
    winners: tuple[int, ...] | None,
) -> None:
    state = settled(before, exact_limit_becomes=becomes)
    assert (state.totals, state.winners) == (totals, winners)


@pytest.mark.parametrize("deals", [1, 2, 5])
def test_without_a_limit_a_match_ends_after_its_deals(deals: int) -> None:
    rng = Random(0)
    state = new_match(hearts(2, deals=deals), dealer=0, pack=SMALL)
    seen = 0
    while not state.over:
        seen += isinstance(act := state.random_act(rng), Deal)
        state = state.apply(act)
    assert seen == deals


def test_a_setup_of_a_later_deal_than_the_last_ends_the_match() -> None:
    for number, winners in [(1, None), (2, (0, 1)), (3, (0, 1))]:
        state = new_deal(hearts(2, deals=2), ["2C", "3C"], deal=number)
        assert cards_played(state, "2C 3C").winners == winners


def test_with_a_limit_the_number_of_deals_is_not_read() -> None:
    assert settled([0, 0], deals=1).winners is None


# Winners


def test_equal_lowest_totals_share_the_win() -> None:
    state = settled([99, 100])
    assert state.winners == (0, 1)
    assert state.totals == (100, 100)
    first = new_deal(hearts(3, limit=30), ["2C", "2H", "3C"], totals=[5, 5, 30])
    assert cards_played(first, "2C 2H 3C").winners == (0, 1)


def test_a_tie_may_be_played_on_until_one_seat_is_lowest() -> None:
    assert settled([99, 100], ties="play_on").winners is None
    assert settled([100, 100], ties="play_on").winners == (1,)


def test_once_reached_the_limit_stays_reached_wherever_totals_stand() -> None:
    again = settled([20, 21], ties="play_on", limit_reached=True)
    assert (again.totals, again.winners) == ((21, 21), None)
    alone = settled([20, 20], ties="play_on", limit_reached=True)
    assert alone.winners == (1,)
    assert settled([20, 20], ties="play_on").winners is None


def test_a_tie_played_on_in_a_match_goes_on_with_dealer_and_deal() -> None:
    ruleset = hearts(3, limit=3, ties="play_on", removal="lowest")
    rng = Random(4)
    played_on = 0
    for _ in range(60):
        state = new_match(ruleset, dealer=0, pack="2C 3C 4C 2H 3H 4H")
        limit_seen = False
        while not state.over:
            if state.phase == "deal":
                assert state.dealer == (state.deal - 1) % 3
                limit_seen = limit_seen or max(state.totals) >= 3
                played_on += limit_seen
            state = state.apply(state.random_act(rng))
        assert state.winners is not None
        assert len(state.winners) == 1
    assert played_on > 0


def test_a_reset_in_a_deal_played_on_does_not_undo_the_limit() -> None:
    options: dict[str, Any] = {"ties": "play_on", "exact_limit_becomes": 50}
    for other, winners in ((50, None), (60, (0,))):
        state = settled([99, other], limit_reached=True, **options)
        assert (state.totals, state.winners) == ((50, other), winners)


def test_a_limit_reached_is_a_flag_that_stays() -> None:
    rules = hearts(2, limit=100).rules
    assert limit_is_reached(rules, (0, 0), True)
    assert not limit_is_reached(rules, (0, 0), False)
    assert not limit_is_reached(hearts(2).rules, (500, 0), False)
    assert match_is_over(hearts(2, deals=3).rules, (0, 0), False, 3)
    assert not match_is_over(rules, (500, 0), False, 3)


# A moon that would lose the match


def unless(totals: list[int], **options: object) -> State:
    """The end of a deal in which seat 0 shoots the moon, begun with these totals.

    The penalty cards cost 14 in all.
    """
    ruleset = hearts(
        3, **{"moon": "others_plus_unless_losing", "limit": 100, **options}
    )
    return played_deal(ruleset, ["4C", "QS", "2H"], "4C QS 2H", totals=totals)


@pytest.mark.parametrize(
    ("totals", "score"),
    [
        ([0, 0, 0], (0, 14, 14)),  # no end of the match
        ([50, 90, 20], (-14, 0, 0)),  # the plus would end it, and seat 2 would win
        ([20, 90, 50], (0, 14, 14)),  # the plus ends it, and the shooter wins alone
        ([34, 90, 20], (-14, 0, 0)),  # a shared win is a win of another as well
        ([33, 90, 20], (0, 14, 14)),
        ([100, 0, 0], (-14, 0, 0)),
    ],
)
def test_the_moon_is_turned_where_it_would_let_another_win(
    totals: list[int], score: tuple[int, ...]
) -> None:
    assert unless(totals).score == score


def test_a_tie_that_is_played_on_is_no_end() -> None:
    assert unless([34, 90, 20], ties="play_on").score == (0, 14, 14)
    assert unless([50, 90, 20], ties="play_on").score == (-14, 0, 0)


def test_the_whole_end_of_the_deal_is_worked_out() -> None:
    assert unless([30, 86, 20], exact_limit_becomes=50).score == (0, 14, 14)
    assert unless([60, 86, 20]).score == (-14, 0, 0)
    assert unless([60, 86, 20], exact_limit_becomes=50).score == (0, 14, 14)
    assert unless([30, 70, 25], sun_points=52).score == (0, 52, 52)
    assert unless([90, 70, 25], sun_points=52).score == (-52, 0, 0)
    # Seat 1 takes the jack: with 14 and without its −10 it would be at 104.
    ruleset = hearts(3, moon="others_plus_unless_losing", limit=100, bonus_card="JD")
    state = new_deal(ruleset, ["4C 3D", "QS JD", "2H 4D"], totals=[60, 90, 20])
    assert cards_played(state, "4C QS 2H 3D JD 4D").score == (0, 14 - 10, 14)


def test_while_a_choice_is_due_nothing_else_is_looked_at() -> None:
    ruleset = hearts(3, moon="choice_all", limit=14)
    state = new_match(ruleset, dealer=0, pack="4C QS 2H")
    state = cards_played(state.apply(Deal(0, ["4C", "QS", "2H"])), "4C QS 2H")
    assert state.phase == "moon"
    assert (state.score, state.winners, state.totals) == (None, None, (0, 0, 0))
    assert broken(state, Deal(1, ["4C", "QS", "2H"])) == ("2.3", "2.4")
    assert state.apply(MoonChoice(0, "others_plus")).winners == (0,)
    assert state.apply(MoonChoice(0, "self_minus")).phase == "deal"


def test_after_the_end_nothing_is_due() -> None:
    state = settled([99, 5])
    assert state.over
    assert not state.legal
    for act in (Play(0, "3C"), MoonChoice(0, "self_minus"), Deal(0, ["3C", "2H"])):
        assert broken(state, act) == ("2.3", "2.4")
    assert broken(state, QuitTrick(0)) == ("7.6a",)
    assert broken(state, Retract(0, "3C")) == ("7.3",)
    assert broken(state, Claim(0, 1, 1)) == ("7.7a",)


# Whole matches


def whole_match(ruleset: Ruleset, seed: int, pack: str = "") -> State:
    """Play a random match from the cut to its end, check it, and return the end."""
    rng = Random(seed)
    state = new_match(ruleset, pack=pack)
    deals = 0
    while not state.over:
        assert state.turn
        act = state.random_act(rng)
        deals += isinstance(act, Deal)
        assert deals < 400
        state = state.apply(act)
    assert state.deal == deals
    assert state.winners
    lowest = [
        seat for seat, total in enumerate(state.totals) if total == min(state.totals)
    ]
    assert state.winners == tuple(lowest)
    limit = ruleset.options["limit"]
    if isinstance(limit, int) and ruleset.options["ties"] == "shared":
        assert max(state.totals) >= limit + (ruleset.options["limit_rule"] == "exceed")
    if limit == "none":
        assert deals == ruleset.options["deals"]
    return state


EVERY_TABLE = [
    (name, players) for name in profile_names() for players in profile(name).players
]


@pytest.mark.parametrize(("name", "players"), EVERY_TABLE)
def test_every_profile_plays_to_the_end_of_a_match(name: str, players: int) -> None:
    for seed in range(2):
        whole_match(Ruleset(name, players), seed)


KITTY: dict[str, Any] = {"undealt": "kitty"}
LEFT_LEADS: dict[str, Any] = {"opening_leader": "left_of_dealer", "opening_card": "any"}
CATALOGUE: dict[str, dict[str, Any]] = {
    "kitty": KITTY,
    "cycle without hold": {"pass_cycle": ["left", "right", "across"]},
    "scatter in place of hold": {"pass_cycle": ["left", "right", "across", "scatter"]},
    "scatter for three": {"pass_cycle": ["left", "right", "scatter"]},
    "scatter and hold": {"pass_cycle": ["left", "right", "across", "scatter", "hold"]},
    "mix": {"pass_cycle": ["mix", "left", "right", "across"]},
    "mix beside a kitty": {**KITTY, "pass_cycle": ["mix"]},
    "mix with the kitty": {**KITTY, "pass_cycle": ["left", "mix"], "mix_kitty": True},
    "passing unseen": {"pass_unseen": True},
    "hearts at any time": {"heart_leads": "free"},
    "left of dealer leads": LEFT_LEADS,
    "any club opens": {"opening_card": "any_club"},
    "no points on the first trick": {"first_trick_points": "barred"},
    "queen breaks hearts": {"queen_breaks_hearts": True},
    "hearts beside the queen": {"hearts_or_queen_leader": "any"},
    "duty of the queen": {"queen_duty": "when_safe"},
    "jack of diamonds": {"bonus_card": "JD", "bonus_points": -10},
    "ten of diamonds": {"bonus_card": "TD", "bonus_points": -10},
    "sun": {"sun_points": 52},
    "moon always minus": {"moon": "self_minus"},
    "moon always plus": {"moon": "others_plus"},
    "moon plus unless losing": {"moon": "others_plus_unless_losing"},
    "hundred becomes fifty": {"exact_limit_becomes": 50},
    "hundred becomes nothing": {"exact_limit_becomes": 0},
    "ties played on": {"ties": "play_on"},
}


@pytest.mark.parametrize("variant", CATALOGUE)
def test_every_variant_of_the_catalogue_plays_to_the_end(variant: str) -> None:
    for seed in range(2):
        whole_match(Ruleset("estmesh-hearts", 4, CATALOGUE[variant]), seed)


@pytest.mark.parametrize("players", [3, 5, 6, 7, 8, 9, 10])
def test_every_variant_plays_with_a_kitty_at_every_table(players: int) -> None:
    for seed, variant in enumerate(CATALOGUE.values()):
        scatter = "scatter" in variant.get("pass_cycle", [])
        if scatter and players - 1 > 52 // players:
            ruleset = Ruleset("estmesh-hearts", players, {**variant, **KITTY})
            assert refused(new_match, ruleset).clauses == ("4.11",)
            continue
        becomes = variant.get("exact_limit_becomes", 25)
        limit = {"exact_limit_becomes": 15 if becomes == 50 else becomes, "limit": 30}
        whole_match(
            Ruleset("estmesh-hearts", players, {**variant, **KITTY, **limit}), seed
        )


def test_all_variants_at_once_play_to_the_end() -> None:
    together: dict[str, Any] = {}
    for name, variant in CATALOGUE.items():
        if name != "any club opens":  # 5.2a: not beside left of dealer
            together |= variant
    together |= {"pass_cycle": ["left", "right", "across", "hold", "scatter", "mix"]}
    for seed in range(4):
        whole_match(Ruleset("estmesh-hearts", 4, together), seed)


@pytest.mark.parametrize("name", profile_names())
def test_small_pack_matches_play_to_the_end(name: str) -> None:
    base = profile(name)
    pack = "2C 3C AC 2D JD 2S QS KS AS 2H 3H AH"
    players = 4 if 4 in base.players else base.players[0]
    changes: dict[str, Any] = {"pass_count": 1}
    if base.options["undealt"] == "stock":
        changes["hand_size"] = 2
    if base.options["moon"] == "self_minus":  # else no total ever rises
        changes["moon"] = "others_plus"
    for seed in range(15):
        whole_match(Ruleset(name, players, changes), seed, pack)


@pytest.mark.parametrize(
    ("before", "reached", "settled"),
    [
        # 40 31 32 33: the limit was reached in an earlier deal (9.6), so the match
        # would be over, with seat 1 as its winner, and the moon is minus (9.7)
        ((40, 5, 6, 7), True, MINUS),
        # The same where the limit is out of reach: the match goes on
        ((40, 5, 6, 7), False, PLUS),
        # 40 31 31 33: two seats tie for the win, so the match goes on here too
        ((40, 5, 5, 7), True, PLUS),
        # 10 31 32 33: over, and the shooter has won
        ((10, 5, 6, 7), True, PLUS),
    ],
)
def test_a_limit_reached_before_counts_where_a_moon_might_lose_the_match(
    before: tuple[int, ...], reached: bool, settled: int
) -> None:
    rules = Ruleset(
        "common-hearts",
        4,
        {"moon": "others_plus_unless_losing", "ties": "play_on", "limit": 50},
    ).rules
    plus = (0, 26, 26, 26)
    assert settled_by_rule(rules, before, plus, 0, reached, 3) == settled
