"""Tests of questions about what a deal scores and how a match ends.

The expected figures come from the sources and rulings, or from games that were
played card by card.
"""

from random import Random
from typing import Any

import pytest

from refengine import CardSet, Ruleset, new_match, profile, profile_names
from refengine.machine.due import position_of
from refengine.machine.ending import hauls
from refengine.rulings.asking.answer_text import answer_lines
from tests.support.asking import (
    ALL,
    COMMON,
    HEARTS,
    TOOK_ALL,
    ask,
    column,
    rules,
    words_of,
    wrong,
)

# Scores


def test_the_deal_that_pokerwiner_prints_is_scored_as_printed() -> None:
    west, north = "AH 5H QS QD", "QH KH JH AD"
    east, south = "6H 7H TH 9H", "2H 4H 3H 8H"
    said = rules("pokerwiner-hearts")
    found = ask("score", said, taken=[west, north, east, south])
    assert column(found, "this deal") == [15, 3, 4, 4]
    assert column(found, "spades") == [13, 0, 0, 0]
    assert found.headline == (
        "Seat 0 pays 15, seat 1 pays 3, seat 2 pays 4 and seat 3 pays 4."
    )
    assert found.columns == ("seat", "hearts", "spades", "this deal")


@pytest.mark.parametrize(
    ("moon", "choice", "score", "said"),
    [
        ("self_minus", None, [0, 0, -26, 0], "26 points come off its score"),
        ("others_plus", None, [26, 26, 0, 26], "the others pay 26 each"),
        ("choice_all", "self_minus", [0, 0, -26, 0], "26 points come off its score"),
        ("choice_all", "others_plus", [26, 26, 0, 26], "the others pay 26 each"),
        ("choice_one", "self_minus", [0, 0, -26, 0], "26 points come off its score"),
        ("choice_one", 1, [0, 26, 0, 0], "seat 1 pays 26"),
        ("others_plus_unless_losing", None, [26, 26, 0, 26], "the others pay 26 each"),
    ],
)
def test_a_moon_is_settled_in_each_of_its_ways(
    moon: str, choice: str | int | None, score: list[int], said: str
) -> None:
    more = {} if choice is None else {"choice": choice}
    table = rules("estmesh-hearts", moon=moon)
    found = ask("score", table, taken=["", "", ALL, ""], **more)
    assert column(found, "this deal") == score
    assert found.headline.startswith("Seat 2 shot the moon: ")
    assert said in found.headline
    assert "8.3" in found.clauses


def test_without_a_moon_whoever_takes_everything_pays_for_it() -> None:
    found = ask("score", rules("estmesh-hearts", moon="none"), taken=TOOK_ALL)
    assert column(found, "this deal") == [26, 0, 0, 0]
    assert [one.option for one in found.mattered] == ["moon"]


def test_a_moon_that_would_lose_the_match_is_taken_as_a_minus() -> None:
    said = rules("estmesh-hearts", moon="others_plus_unless_losing")
    more = {"taken": ["", "", ALL, ""], "totals": [80, 20, 90, 70]}
    found = ask("score", said, **more)
    assert column(found, "this deal") == [0, 0, -26, 0]
    assert column(found, "total") == [80, 20, 64, 70]
    assert "9.7" in found.clauses


def test_a_moon_to_be_settled_shows_what_each_choice_brings() -> None:
    found = ask("score", taken=["", ALL, "", ""])
    assert found.headline.startswith("Seat 1 shot the moon and may choose to take")
    assert [row[1:] for row in found.rows] == [(0, 26), (-26, 0), (0, 26), (0, 26)]
    lines = list(answer_lines(found))
    assert "    --choice self_minus: to take the points off its own score" in lines
    assert "Why" in lines
    assert len(found.follows) == 2
    more = {"taken": ["", ALL, "", ""], "totals": [99, 30, 80, 70]}
    both = ask("score", **more)
    assert "the match goes on" in both.follows[0].text
    assert "the match is over, and seat 1 wins" in both.follows[1].text
    assert both.follows[0].clauses == ("8.5b", "9.3")
    endless = rules("estmesh-hearts", limit="none", deals=9, moon="choice_all")
    on = ask("score", endless, **more)
    assert "the match goes on" in on.follows[0].text
    assert on.follows[0].clauses == ("8.5b", "9.4")
    level = ask("score", **{**more, "totals": [50, 60, 80, 34]})
    assert "the match is over, and seats 1 and 3 share" in level.follows[1].text
    assert level.follows[1].clauses == ("8.5b", "9.5")
    tied = ask(
        "score",
        rules("estmesh-hearts", ties="play_on"),
        **{**more, "totals": [99, 60, 80, 34]},
    )
    assert "the match goes on" in tied.follows[1].text  # at 125, 60, 106 and 60
    assert [one.clauses for one in tied.follows] == [("8.5b", "9.3"), ("8.5b", "9.6")]
    one = ask(
        "score", rules("estmesh-hearts", moon="choice_one"), taken=["", ALL, "", ""]
    )
    assert one.columns[1:] == (
        "minus for itself",
        "plus for seat 0",
        "plus for seat 2",
        "plus for seat 3",
    )
    assert "8.5c" in one.clauses


def test_a_table_too_wide_for_a_terminal_is_told_row_by_row() -> None:
    said = rules("pokerwiner-hearts", 9, moon="choice_one")
    pack = "QS 4H 5H 6H 7H 8H 9H TH JH QH KH AH 3H"
    found = ask("score", said, taken=[pack, *[""] * 8])
    lines = list(answer_lines(found))
    assert "  seat 1; minus for itself 0; plus for seat 1 25; plus for seat 2 0;" in (
        "\n".join(lines)
    )


def test_two_players_have_no_others() -> None:
    said = rules("pokerwiner-hearts", 2, moon="others_plus")
    found = ask("score", said, taken=[ALL, ""])
    assert found.headline == "Seat 0 shot the moon: seat 1 pays 26."


def test_the_sun_takes_the_place_of_the_moon() -> None:
    said = rules("common-hearts", sun_points=52)
    found = ask("score", said, taken=TOOK_ALL, tricks=[13, 0, 0, 0])
    assert column(found, "every trick") == [0, 52, 52, 52]
    assert "took every trick: the others pay 52 each" in found.headline
    granted = ask("score", said, taken=TOOK_ALL)
    assert column(granted, "moon") == [0, 26, 26, 26]
    assert granted.granted == ("everybody has taken a trick",)


def test_bonus_tricks_and_revokes_are_added_in_the_order_of_the_book() -> None:
    said = rules("common-hearts", bonus_card="JD", no_trick_points=5, moon="none")
    taken = ["QS 2H 3H JD", "4H 5H 6H 7H 8H", "9H TH JH QH KH AH", ""]
    found = ask("score", said, taken=taken, tricks=[4, 5, 4, 0])
    assert found.columns == (
        *("seat", "hearts", "spades", "bonus card", "no trick", "this deal"),
    )
    assert column(found, "this deal") == [5, 5, 6, 5]
    jack = rules("common-hearts", bonus_card="JD")
    moon = ask("score", jack, taken=[f"{ALL} JD", "", "", ""])
    assert column(moon, "this deal") == [-10, 26, 26, 26]
    assert moon.headline == (
        "Seat 0 shot the moon: seat 0 takes 10 off, seat 1 pays 26, seat 2 pays 26 and "
        "seat 3 pays 26."
    )
    tiles = rules("heartsgame-tiles")
    revoked = ask("score", tiles, taken=TOOK_ALL, revokes=[0, 1])
    assert column(revoked, "this deal") == [39, 13, 0, 0]
    assert "8.3b" in revoked.clauses
    other = ask("score", tiles, taken=[HEARTS, "QS", "", ""], revokes=[2, 2])
    assert column(other, "this deal") == [13, 13, 26, 0]
    assert "8.3b" not in other.clauses


def test_a_claim_ends_the_deal_where_the_rules_say_so() -> None:
    nothing = [""] * 4
    found = ask("score", rules("pokerwiner-hearts"), taken=nothing, revokes=[3])
    assert column(found, "this deal") == [0, 0, 0, 26]
    assert found.headline == (
        "The revoke ends the deal: seat 3 pays 26, and nobody else pays."
    )
    assert "7.9" in found.clauses
    domino = ask("score", rules("pokerwiner-domino"), taken=nothing, revokes=[1])
    assert column(domino, "this deal") == [0, 13, 0, 0]
    free = rules("pokerwiner-hearts", revoke_points=0)
    found = ask("score", free, taken=nothing, revokes=[0])
    assert found.headline == "The revoke ends the deal, and nobody pays."


def test_cards_left_in_a_stock_count_for_nobody() -> None:
    found = ask("score", rules("gamerules-domino"), taken=["2H 3H", "QH", "", ""])
    assert column(found, "this deal") == [2, 1, 0, 0]
    (granted,) = found.granted
    assert granted.startswith("not named, and so counted for nobody: 4H")


def test_totals_lead_on_to_the_match() -> None:
    taken = ["QS 2H", "AH KH 3H 4H 5H", "6H 7H 8H 9H TH", "JH QH"]
    found = ask("score", COMMON, taken=taken, totals=[70, 60, 50, 98])
    assert column(found, "before") == [70, 60, 50, 98]
    assert column(found, "total") == [84, 65, 55, 100]
    assert "The lowest total wins: seat 2." in words_of(found)
    single = ask(
        "score",
        rules("spot-hearts", limit="none"),
        taken=TOOK_ALL,
        totals=[0, 0, 0, 0],
    )
    assert "it is deal 1 of the match" in single.granted


@pytest.mark.parametrize("name", profile_names())
def test_a_game_played_card_by_card_has_the_score_that_is_answered(name: str) -> None:
    for seed in range(4):
        rng = Random(f"{name}{seed}")
        players = rng.choice(profile(name).players)
        said = rules(name, players)
        state = new_match(Ruleset(name, players), dealer=0)
        while state.score is None and state.phase != "moon":
            state = state.apply(state.random_act(rng))
        core = state.core
        assert core.result is not None
        stock_to = int(core.result.stock_to)
        held = hauls(core.rules, position_of(core), stock_to)
        taken = [str(CardSet.of_mask(held[seat].cards)) for seat in range(players)]
        more: dict[str, Any] = {"tricks": list(state.tricks)}
        if state.phase == "moon":
            act = state.random_act(rng)
            more["choice"] = act.choice  # type: ignore[union-attr]  # a moon is due
            state = state.apply(act)
        found = ask("score", said, taken=taken, totals=[0] * players, **more)
        assert column(found, "this deal") == list(state.score or ())
        assert column(found, "total") == list(state.totals)
        over = ask("end", said, totals=list(state.totals))
        assert over.headline.startswith("The match is over") == bool(state.winners)


# The end of the match


@pytest.mark.parametrize(
    ("options", "totals", "more", "headline"),
    [
        ({}, "99 20 30 40", {}, "The match goes on: nobody has 100 or more."),
        ({}, "100 20 30 40", {}, "The match is over: seat 1 wins with 20."),
        (
            {"limit_rule": "exceed"},
            *("100 20 30 40", {}),
            "The match goes on: nobody has more than 100.",
        ),
        (
            {"exact_limit_becomes": 50},
            *("100 20 30 40", {}),
            "The match goes on: nobody has 100 or more.",
        ),
        (
            {},
            *("101 20 30 20", {}),
            "The match is over: seats 1 and 3 share the win with 20.",
        ),
        (
            {"ties": "play_on"},
            *("101 20 30 20", {}),
            "The match goes on: seats 1 and 3 are level with 20, the lowest total, and "
            "the tie is played off.",
        ),
        (
            {"ties": "play_on", "exact_limit_becomes": 50},
            *("90 20 30 21", {"reached": True}),
            "The match is over: seat 1 wins with 20.",
        ),
        (
            {"limit": "none", "deals": 3},
            *("9 5 0 12", {"deals": 2}),
            "The match goes on: 2 deals of 3 played.",
        ),
        (
            {"limit": "none", "deals": 3},
            *("9 5 0 12", {"deals": 3}),
            "The match is over: seat 2 wins with 0.",
        ),
    ],
    ids=str,
)
def test_the_end_of_a_match(
    options: dict[str, Any], totals: str, more: dict[str, Any], headline: str
) -> None:
    said = rules("estmesh-hearts", **options)
    found = ask("end", said, totals=[*map(int, totals.split())], **more)
    assert found.headline == headline


def test_exactly_the_limit_is_set_back_first() -> None:
    said = rules("estmesh-hearts", exact_limit_becomes=50)
    found = ask("end", said, totals=[100, 20, 30, 40])
    assert column(found, "total") == [50, 20, 30, 40]
    assert "9.2" in found.clauses
    assert "ties" not in [one.option for one in found.mattered]


def test_where_tables_differ_about_the_end() -> None:
    found = ask("end", totals=[100, 20, 30, 20])
    mattered = [one.option for one in found.mattered]
    assert mattered == ["limit_rule", "exact_limit_becomes", "ties"]
    one = ask("end", rules("pokerwiner-hearts"), totals=[9, 5, 0, 12])
    assert one.granted == ("one deal has been played",)


def test_what_is_said_is_not_taken_for_granted() -> None:
    said = rules("openspiel-hearts", deals=3)
    found = ask("score", said, taken=TOOK_ALL, totals=[0, 0, 0, 0], deal=2)
    assert found.granted == ()
    ended = rules("pokerwiner-hearts", no_trick_points=5)
    assert ask("score", ended, taken=[""] * 4, revokes=[3]).granted == ()


# What cannot be, and what is taken for granted


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        (rules("pokerwiner-domino"), ["2H 3H", "QH", "", ""]),
        (rules("estmesh-hearts", undealt="kitty"), [HEARTS, "", "", ""]),
        (
            rules("estmesh-hearts", undealt="kitty", kitty_to="last_trick"),
            [HEARTS, "", "", ""],
        ),
    ],
)
def test_a_card_counts_for_nobody_only_where_it_can(
    said: Any, taken: list[str]
) -> None:
    complaint = wrong(ask="score", rules=said, taken=taken)
    assert complaint.startswith("taken: found nobody with")


def test_a_stock_that_no_seat_takes_counts_for_nobody() -> None:
    for options in (
        {"survivor_takes_stock": False},
        {"no_survivor_stock": "nobody"},
    ):
        stays = rules("pokerwiner-domino", **options)
        assert ask("score", stays, taken=["2H", "", "", ""]).granted


@pytest.mark.parametrize(
    ("said", "taken", "tricks"),
    [
        (
            rules("estmesh-hearts", undealt="kitty"),
            *(["QS", HEARTS, "", ""], [0, 12, 0, 0]),
        ),
        (COMMON, [ALL, "", "", ""], [1, 4, 4, 4]),
        (rules("gamerules-domino"), ["2H", "3H", "4H", ""], [0, 0, 0, 6]),
        (rules("gamerules-domino"), ["2H", "", "", ""], [0, 0, 0, 0]),
    ],
)
def test_cards_come_from_tricks(said: Any, taken: list[str], tricks: list[int]) -> None:
    complaint = wrong(ask="score", rules=said, taken=taken, tricks=tricks)
    assert complaint.startswith("tricks: ")


def test_a_worthless_card_may_be_left_in_a_hand() -> None:
    early = rules("common-hearts", deal_ends="no_points_left")
    found = ask("score", early, taken=[ALL, "2C", "", ""], tricks=[9, 0, 0, 0])
    assert column(found, "this deal") == [0, 26, 26, 26]


def test_totals_that_settle_a_moon_are_taken_for_granted() -> None:
    said = rules("estmesh-hearts", moon="others_plus_unless_losing")
    taken = ["", "", ALL, ""]
    granted = ("every total was 0 before the deal",)
    assert ask("score", said, taken=taken).granted == granted
    known = ask("score", said, taken=taken, totals=[80, 20, 90, 70])
    assert known.granted == ()


def test_of_several_claims_none_is_said_to_have_ended_the_deal() -> None:
    tiles, taken = rules("heartsgame-tiles"), [HEARTS, "QS", "", ""]
    found = ask("score", tiles, taken=taken, revokes=[2, 3])
    assert "revoke_ends_deal" not in [one.option for one in found.mattered]
    single = ask("score", tiles, taken=taken, revokes=[2])
    assert "revoke_ends_deal" in [one.option for one in single.mattered]


def test_the_totals_before_a_deal_are_those_of_a_match_that_goes_on() -> None:
    taken = ["QS", HEARTS, "", ""]
    over = wrong(ask="score", rules=COMMON, taken=taken, totals=[100, 3, 5, 7])
    assert over.startswith("totals: found seat 0: 100")
    tie = rules("omnibus-hearts", ties="play_on")
    taken = ["TD 2H", "QS 3H", "4H 5H 6H 7H 8H 9H", "TH JH QH KH AH"]
    lone = wrong(ask="score", rules=tie, taken=taken, totals=[105, 60, 70, 80])
    assert lone.startswith("totals: found seat 0: 105")
    found = ask("score", tie, taken=taken, totals=[105, 60, 60, 80])
    assert column(found, "total") == [96, 74, 66, 85]
    assert "9.6" in found.clauses


def test_cards_in_the_stock_do_not_hide_where_tables_differ() -> None:
    said = rules("gamerules-domino")
    found = ask("score", said, taken=["2H", "", "", ""], totals=[30, 5, 0, 0])
    assert "limit_rule" in [one.option for one in found.mattered]


def test_what_counts_beside_a_choice_is_explained() -> None:
    said = rules("estmesh-hearts", sun_points=52, bonus_card="JD")
    taken = [f"{ALL} JD", "", "", ""]
    found = ask("score", said, taken=taken, tricks=[13, 0, 0, 0])
    assert found.rows[0] == (0, -62, -10)
    assert "Seat 0 has taken every trick as well." in words_of(found)
    assert "For the bonus card: seat 0: -10." in words_of(found)


def test_a_moon_that_needs_the_bonus_card_is_told_with_it() -> None:
    taken = [f"{ALL} TD", "", "", ""]
    told = "Seat 0 has taken every card that costs points and the bonus card"
    for moon in ("self_minus", "choice_all"):
        found = ask("score", rules("omnibus-hearts", moon=moon), taken=taken)
        assert told in words_of(found)
        assert "8.3c" in found.why[0].clauses
    plain = rules("omnibus-hearts", moon_needs_bonus=False)
    assert told not in words_of(ask("score", plain, taken=taken))


def test_tables_differ_only_about_a_match_that_came_so_far() -> None:
    said, hearts = rules("dominorules-tiles"), ["", "QS", HEARTS, ""]
    found = ask("score", said, taken=hearts, totals=[100, 20, 30, 40])
    # Where 100 is the limit reached, there was no such deal (9.3).
    assert "limit_rule" not in [one.option for one in found.mattered]
    hearts = ["2H", "QS", HEARTS.removeprefix("2H "), ""]
    found = ask("score", said, taken=hearts, totals=[99, 20, 30, 40])
    assert "limit_rule" in [one.option for one in found.mattered]
    tie = rules("estmesh-hearts", ties="play_on")
    for reached in (False, True):  # a tie that is shared is not played on (9.5)
        found = ask("end", tie, totals=[101, 20, 30, 20], reached=reached)
        assert ("ties" in [one.option for one in found.mattered]) is not reached


def test_a_match_without_a_limit_has_so_many_deals() -> None:
    taken, before = ["QS", HEARTS, "", ""], [0, 0, 0, 0]
    said = rules("pokerwiner-hearts", deals=2)
    found = ask("score", said, taken=taken, totals=before, deal=2)
    assert "9.4" in found.clauses
    late = wrong(ask="score", rules=said, taken=taken, totals=before, deal=3)
    assert late == (
        "deal: found 3; "
        "allowed: 2 or less: the match is over after that many deals (9.4)"
    )


def test_tricks_are_taken_for_granted_where_they_make_a_difference() -> None:
    sun = rules("common-hearts", sun_points=52)
    assert ask("score", sun, taken=[HEARTS, "QS", "", ""]).granted == ()  # 8.4
    plus = rules("common-hearts", no_trick_points=5)
    assert ask("score", plus, taken=TOOK_ALL).granted == ()  # 8.8
    assert ask("score", plus, taken=[HEARTS, "QS", "", ""]).granted


def test_a_bonus_card_worth_nothing_may_be_left_out() -> None:
    said = rules("common-hearts", bonus_card="JD", bonus_points=0)
    found = ask("score", said, taken=[HEARTS, "QS", "", ""])
    assert column(found, "this deal") == [13, 13, 0, 0]
    needed = rules(
        "common-hearts", bonus_card="JD", bonus_points=0, moon_needs_bonus=True
    )
    complaint = wrong(ask="score", rules=needed, taken=TOOK_ALL)
    assert complaint.startswith("taken: found nobody with the jack of diamonds")
