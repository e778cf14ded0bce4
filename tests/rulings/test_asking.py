"""Every kind of question that a table asks, and what the book and its rulings answer.

Expected figures are those of the sources and of the rulings, or come from games that
were played card by card.
"""

import json
import shlex
from random import Random
from typing import Any

import pytest

from refengine import CardSet, Malformed, Ruleset, new_match, profile, profile_names
from refengine.chapters.cards import EMPTY
from refengine.chapters.deal import match_pack, not_the_pack
from refengine.game.openings_in_words import profiles_for
from refengine.lawbook import book
from refengine.lawbook.at_the_table import table_rulings
from refengine.machine.due import position_of
from refengine.machine.ending import hauls
from refengine.rulings.asking.answer_text import answer_lines
from refengine.rulings.asking.answers import HEADLINES, Answer, answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import (
    DEFAULT_PROFILE,
    KINDS,
    MOMENTS,
    NEEDED,
    question_fields,
    read_question,
)
from refengine.rulings.asking.revokes import can_claim, can_correct
from refengine.rulings.explain import ruling_fields
from refengine.rulings.irregularities import moments_after, profiles_with_revokes
from refengine.rulings.sentences import ANSWERED
from tests.support.commands import Run, run_command
from tests.support.refusing import malformed

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"


class Recorder:
    """Keeps what a notebook would show."""

    def __init__(self) -> None:
        self.said = ""

    def text(self, obj: str) -> None:
        self.said += obj


def test_an_answer_is_shown_as_it_is_printed() -> None:
    for question in (
        {"ask": "end", "totals": [104, 57, 88, 57]},
        {"ask": "card", "hand": "QS 2H", "card": "QS", "trick": "5C"},
    ):
        found = answer(question)
        recorder = Recorder()
        found._repr_pretty_(recorder, cycle=False)
        assert str(found) == found.text == recorder.said
        assert str(found).splitlines() == [*answer_lines(found)]
        assert found.cited == answer_fields(found)["cited"] != []
        if found.ruling is not None:
            recorder = Recorder()
            found.ruling._repr_pretty_(recorder, cycle=False)
            assert recorder.said == str(found.ruling)


ALL = f"QS {HEARTS}"
TOOK_ALL = [ALL, "", "", ""]
COMMON = {"profile": "common-hearts"}
ESTMESH = {"profile": "estmesh-hearts"}


def rules(profile_name: str, players: int | None = None, **options: Any) -> Any:
    found: dict[str, Any] = {"profile": profile_name, "options": options}
    return found if players is None else {**found, "players": players}


def ask(kind: str, said: Any = ESTMESH, **more: Any) -> Answer:
    """The answer, which can be written as JSON and as text and cites the book."""
    found = answer({"rules": said, "ask": kind, **more})
    fields = json.loads(json.dumps(answer_fields(found)))
    assert fields["headline"] == found.headline
    assert "\n" not in found.headline
    assert not found.headline[0].islower()
    cited = [one["clause"] for one in fields["cited"]]
    assert cited == list(found.clauses)
    assert cited
    assert all(one["citation"].startswith("HFR ") for one in fields["cited"])
    for one in [*fields["why"], *fields["follows"], *fields["mattered"]]:
        assert one["clauses"], one
        assert set(one["clauses"]) <= set(cited)
        assert not one["text"][0].islower()
        assert one["text"].endswith(".")
        assert "{" not in one["text"]
        assert "None" not in one["text"]
    lines = list(answer_lines(found))
    assert all(len(line) <= 88 for line in lines)
    assert sum(line.startswith("  HFR ") for line in lines) >= 1
    asked = read_question({"rules": said, "ask": kind, **more})
    again = read_question(json.loads(json.dumps(question_fields(asked))))
    assert answer(again) == found
    return found


def words_of(found: Answer) -> str:
    return " ".join(str(one) for one in (*found.why, *found.follows))


def column(found: Answer, head: str) -> list[Any]:
    at = found.columns.index(head)
    return [row[at] for row in found.rows]


def wrong(**question: Any) -> str:
    return str(malformed(answer, question))


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
    level = ask("score", **{**more, "totals": [50, 60, 80, 34]})
    assert "the match is over, and seats 1 and 3 share" in level.follows[1].text
    assert level.follows[1].clauses == ("8.5b", "9.5")
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
        ({}, "99 20 30 40", {}, "The match goes on: nobody has reached 100."),
        ({}, "100 20 30 40", {}, "The match is over: seat 1 wins with 20."),
        (
            {"limit_rule": "exceed"},
            *("100 20 30 40", {}),
            "The match goes on: nobody has more than 100.",
        ),
        (
            {"exact_limit_becomes": 50},
            *("100 20 30 40", {}),
            "The match goes on: nobody has reached 100.",
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


# Revokes


@pytest.mark.parametrize("until", ["trick_complete", "trick_quitted", "next_lead"])
def test_the_moments_of_a_revoke_are_those_of_a_game_that_is_played(until: str) -> None:
    for base in profiles_with_revokes():
        ruleset = base.having(revoke_until=until)
        played = {one.name: one for one in moments_after(ruleset)}
        names = {
            "trick": "the card has just been played",
            "trick_complete": "the trick is complete",
            "quitted": "the trick is turned face down",
            "next_lead": "the next trick is led",
            "deal_over": "the last card of the deal is played",
        }
        for when, name in names.items():
            if name in played:
                assert can_correct(ruleset, when) is not bool(played[name].correct)
                assert can_claim(ruleset, when) is not bool(played[name].claim)
        said = rules(base.profile, 4, revoke_until=until)
        for when in MOMENTS:
            found = ask("revoke", said, when=when, seat=2)
            assert column(found, "claimed?")[-1] == "no"
            if when != "next_deal":
                soon = "Seat 2 may take the card back without penalty"
                assert found.headline.startswith(soon) is can_correct(ruleset, when)


def test_what_a_revoke_costs_is_said() -> None:
    late = ask("revoke", rules("pokerwiner-hearts"), when="next_lead")
    assert "the deal ends and the player pays 26" in late.headline
    goes_on = ask("revoke", rules("heartsgame-tiles"), when="trick_complete", seat=1)
    assert goes_on.headline.endswith("if somebody claims the revoke, seat 1 pays 13.")
    assert {"7.10", "8.3b", "10.18b", "10.19"} <= set(goes_on.clauses)
    no_moon = rules("heartsgame-tiles", moon="none")
    assert "8.3b" not in ask("revoke", no_moon, when="next_lead").clauses
    over = ask("revoke", rules("pokerwiner-domino"), when="deal_over")
    assert "7.4a" in over.clauses
    down = ask(
        "revoke",
        rules("dominorules-tiles", deal_ends="no_points_left"),
        when="deal_over",
    )
    assert "or when the winner turns it face down" in words_of(down)
    gone = ask("revoke", rules("dominorules-tiles"), when="next_deal")
    assert gone.headline == (
        "It is too late: the next deal has been dealt, and the revoke costs nothing."
    )
    drawn = ask("revoke", rules("pokerwiner-domino"), when="trick")
    assert "7.5a" in drawn.clauses
    turned = ask("revoke", rules("pokerwiner-hearts"), when="quitted")
    assert "7.6a" in turned.clauses


@pytest.mark.parametrize("when", MOMENTS)
def test_where_revokes_are_rejected_a_card_that_was_answered_stands(when: str) -> None:
    found = ask("revoke", COMMON, when=when)
    early = when in ("trick", "trick_complete", "quitted")
    assert found.headline.startswith("If no other card has been played") is early
    assert found.headline.endswith("stands as played and costs nothing.") is not early
    assert "10.18" in found.clauses
    assert found.rows == ()


# Passes


def test_a_pass_goes_by_the_number_of_the_deal() -> None:
    heads = [ask("pass", COMMON, deal=deal, seat=1).headline for deal in range(1, 6)]
    assert heads == [
        "In deal 1 seat 1 passes 3 cards to seat 2, on its left.",
        "In deal 2 seat 1 passes 3 cards to seat 0, on its right.",
        "In deal 3 seat 1 passes 3 cards to seat 3, across the table.",
        "No cards are passed in deal 4.",
        "In deal 5 seat 1 passes 3 cards to seat 2, on its left.",
    ]
    odd = ask("pass", rules("common-hearts", 3), deal=3)
    assert odd.headline == "No cards are passed in deal 3."
    assert "4.1a" in odd.clauses
    assert "across" not in odd.why[0].text.split(";")[0]
    never = ask("pass", rules("pokerwiner-hearts"))
    assert never.headline == "No cards are passed in this game."
    assert never.clauses == ("4.1",)
    assert never.granted == ("it is the first deal of the match",)


def test_a_scatter_a_mix_and_passing_unseen() -> None:
    cycle = ["left", "scatter", "mix", "hold"]
    said = rules("estmesh-hearts", pass_cycle=cycle, pass_unseen=True)
    assert "4.9" in ask("pass", said, deal=1).clauses
    scatter = ask("pass", said, deal=2)
    assert scatter.headline.endswith("passes one card to each of the others.")
    assert "4.9c" in scatter.clauses
    mix = ask("pass", said, deal=3)
    assert mix.headline.startswith("In deal 3 every player gives 3 cards away;")
    assert "4.9" not in ask("pass", said, deal=4).clauses
    hand = "QS KH AH 2C"
    assert ask("pass", said, deal=2, hand=hand, cards="QS KH AH").verdict == "legal"
    few = ask("pass", said, deal=2, hand=hand, cards="QS KH")
    assert (few.verdict, few.why[0].clauses) == ("refused", ("4.6a",))
    assert ask("pass", said, deal=2, hand=hand, cards=hand).verdict == "refused"
    assert ask("pass", said, deal=3, hand=hand, cards="QS KH AH").verdict == "legal"


def test_cards_to_pass_are_judged() -> None:
    hand = "QS KH AH 2C"
    right = ask("pass", COMMON, hand=hand, cards="QS KH AH", seat=2)
    assert right.headline == "Seat 2 may pass QS KH AH."
    assert right.verdict == "legal"
    wrong_count = ask("pass", COMMON, hand=hand, cards="QS KH")
    assert wrong_count.verdict == "refused"
    assert "4.4" in wrong_count.clauses
    strange = ask("pass", COMMON, hand=hand, cards="QS KH 9D")
    assert "4.5" in strange.clauses
    held = ask("pass", COMMON, hand=hand, cards="QS KH AH", deal=4)
    assert (held.verdict, held.headline) == ("", "No cards are passed in deal 4.")


# Turns


def test_the_turn_goes_round_in_the_direction_of_play() -> None:
    assert ask("turn", leader=3, trick="5C").headline == "It is the turn of seat 0."
    tiles = rules("heartsgame-tiles")
    assert ask("turn", tiles, leader=3, trick="5C").headline == (
        "It is the turn of seat 2."
    )
    domino = rules("gamerules-domino")
    passed = ask("turn", domino, leader=1, trick="5C", out=[2, 2])
    assert passed.headline == "It is the turn of seat 3."
    assert "passed over: seat 2." in words_of(passed)


def test_the_winner_leads_and_for_one_who_is_out_the_left_neighbour() -> None:
    won = ask("turn", leader=1, trick="5C QS KC 9C")
    assert won.headline == "Seat 3 wins the trick and leads."
    assert "with the king of clubs" in words_of(won)
    domino = rules("gamerules-domino")
    three = ask("turn", domino, leader=1, trick="5C 9C 6C", out=[0])
    assert three.headline == "Seat 2 wins the trick and leads."
    assert "6.7" in three.clauses
    assert ask("turn", leader=2).headline == "Seat 2 leads."
    gone = ask("turn", domino, leader=2, out=[2, 3])
    assert gone.headline == "Seat 0 leads."
    assert "6.7" in gone.clauses


def test_the_first_lead_is_the_low_club_or_left_of_the_dealer() -> None:
    club = ask("turn", COMMON, dealer=1, seat=2)
    assert club.headline == "Whoever holds the lowest club leads first."
    assert (club.verdict, club.clauses) == ("", ("5.1", "5.1a"))
    poker = rules("pokerwiner-hearts")
    assert ask("turn", poker).headline == (
        "The player on the dealer's left leads first."
    )
    found = ask("turn", poker, dealer=3, seat=0)
    assert (found.headline, found.verdict) == ("Seat 0 leads first.", "legal")


@pytest.mark.parametrize("direction", ["clockwise", "counterclockwise"])
def test_left_is_where_the_neighbour_sits_whichever_way_they_play(
    direction: str,
) -> None:
    for players, dealer in ((2, 1), (4, 0), (4, 3), (13, 5)):
        said = rules("pokerwiner-hearts", players, direction=direction)
        left = (dealer + 1) % players  # 2.1: the numbers go to the left
        found = ask("turn", said, dealer=dealer)
        assert found.headline == f"Seat {left} leads first."


def test_a_card_out_of_turn_is_for_chapter_ten() -> None:
    lead = ask("turn", leader=2, seat=1)
    assert lead.headline == "It is the turn of seat 2, not of seat 1."
    assert (lead.verdict, lead.follows[0].clauses) == ("refused", ("10.14",))
    play = ask("turn", leader=2, trick="5C", seat=1)
    assert (play.verdict, play.follows[0].clauses) == ("refused", ("10.14a",))
    assert ask("turn", leader=2, trick="5C 6C 7C 8C", seat=0).follows[0].clauses == (
        "10.14",
    )


# Openings


@pytest.mark.parametrize(
    ("players", "out"),
    [
        (2, ""),
        (3, "2C"),
        (4, ""),
        (5, "2C 2D"),
        (6, "2C 2D 2S 2H"),
        (7, "2C 2D 2S"),
        (9, "2C 3C 2D 2S 2H"),
        (11, "2C 3C 2D 3D 2S 3S 2H 3H"),
        (13, ""),
    ],
)
def test_what_is_taken_out_for_so_many(players: int, out: str) -> None:
    said = rules("pokerwiner-hearts", players)
    if players == 9:
        out = "2C 3C 2D 2S 2H 3D 3S"
    found = ask("opening", said)
    row = next(row for row in found.rows if row[0] == "pokerwiner-hearts")
    assert set(str(row[2]).split()) == set(out.split())
    assert row[1] == (52 - len(out.split())) // players
    assert found.headline.startswith(f"{players} players are dealt {row[1]} cards each")


def test_hearts_are_spared_where_the_rules_say_so() -> None:
    assert ask("opening", COMMON, players=3).headline.endswith("the two of diamonds.")
    assert ask("opening", COMMON, players=5).headline.endswith("2C and 2D.")


def test_a_stock_and_a_kitty_are_what_is_left() -> None:
    domino = ask("opening", rules("gamerules-domino"), players=3)
    assert "6 cards each" in domino.headline
    assert "34 cards" in words_of(domino)
    kitty = ask("opening", rules("estmesh-hearts", 7, undealt="kitty"))
    assert "7 cards each" in kitty.headline
    assert "3 cards" in words_of(kitty)


def test_wrong_openings_say_who_may_play() -> None:
    found = ask("opening", players=5)
    assert found.headline == (
        "Hearts as the Estmesh tutorial describes it is for 4 players (3 to 10 with a "
        "kitty), not for 5; the games below are."
    )
    assert [row[0] for row in found.rows] == list(profiles_for(5))
    assert ask("opening", rules("estmesh-hearts", 5)) == found
    many = ask("opening", COMMON, players=14)
    assert many.headline == "No game of the book is for 14 players."
    assert many.rows == ()
    told = wrong(rules=rules("black-maria", 5), ask="end", totals=[0] * 5)
    assert told.startswith("rules.players: found 5 players; allowed: 3 or 4 players")
    assert "5 can play common-hearts" in told
    alone = wrong(rules=rules("spot-hearts", 14), ask="end", totals=[0])
    assert alone == (
        "rules.players: found 14 players; allowed: 4 players for spot-hearts "
        "(2.6 Number of players)"
    )


def test_hands_that_were_counted_are_right_or_a_misdeal() -> None:
    right = ask("opening", COMMON, hands=[13, 13, 13, 13])
    assert right.headline == "The deal is right: 13 cards for each player."
    found = ask("opening", COMMON, hands=[13, 14, 12, 13])
    assert found.headline == (
        "This is a misdeal: seat 1 has 14 and seat 2 has 12, and each player should "
        "have 13 cards."
    )
    assert "10.8" in found.clauses


def test_the_row_of_the_own_game_is_as_it_is_played_here() -> None:
    said = rules("common-hearts", undealt="stock", hand_size=7, removal="none")
    rows = ask("opening", said, players=4).rows
    assert ("common-hearts", 7, "", 24) in rows


def test_each_row_of_an_opening_is_a_deal_that_the_rules_accept() -> None:
    for players in range(2, 14):
        for name, size, out, rest in ask("opening", COMMON, players=players).rows:
            ruleset = Ruleset(str(name), players)
            pack = match_pack(ruleset.rules, EMPTY)
            assert int(size) * players + int(rest) + len(str(out).split()) == 52
            state = new_match(ruleset, dealer=0)
            dealt = state.apply(state.random_act(Random(players)))
            assert [len(hand) for hand in dealt.hands] == [size] * players
            hands = tuple(hand.mask for hand in dealt.hands)
            stock = tuple(card.number for card in dealt.stock)
            assert not not_the_pack(pack, hands, stock, dealt.kitty.mask)


# Quarrels


@pytest.mark.parametrize("number", table_rulings())
def test_a_quarrel_is_answered_as_chapter_ten_has_it(number: str) -> None:
    ruling = table_rulings()[number]
    for given in ruling.combinations():
        outcome = ruling.outcome(given)
        found = ask("table", COMMON, number=number, answers=given)
        assert [one.text for one in found.why] == [outcome.says]
        assert found.why[0].clauses == outcome.clauses
        assert outcome.says.startswith(found.headline.removesuffix("."))
        assert not found.asks
    if ruling.ask and len({one.says for one in ruling.outcomes}) > 1:
        found = ask("table", COMMON, number=number)
        assert found.headline == ruling.question
        assert list(found.asks) == [one.name for one in ruling.ask]
        assert {row[1] for row in found.rows} == {one.says for one in ruling.outcomes}
        fields = answer_fields(found)
        assert [one["name"] for one in fields["asks"]] == list(found.asks)


def test_a_quarrel_says_what_it_depends_on() -> None:
    lines = list(answer_lines(ask("table", COMMON, number="10.14")))
    assert "    --answer when=after: after the next card was played" in lines
    assert "What is possible" in lines
    assert "Why" not in lines


def test_a_quarrel_half_answered_leaves_what_is_still_open() -> None:
    found = ask("table", COMMON, number="10.14", answers={"trick": "yes"})
    assert list(found.asks) == ["when"]
    assert len(found.why) == 2
    settled = ask("table", COMMON, number="10.14", answers={"trick": "no"})
    assert settled.headline == "What is done about a trick left out decides."


# Hands in play


def test_a_hand_is_answered_as_explain_answers() -> None:
    said = rules("estmesh-hearts", first_trick_points="barred")
    more = {"hand": "QS JD 2H", "trick": "5C", "first_trick": True}
    card = ask("card", said, card="QS", **more)
    assert card.headline == "Seat 1 may not play QS: 5.5 No points on the first trick"
    fields = answer_fields(card)
    assert card.ruling is not None
    assert {**ruling_fields(card.ruling), "granted": fields["granted"]} == {
        key: value for key, value in fields.items() if key != "cited"
    }
    whole = ask("hand", said, **more)
    assert whole.headline == "Seat 1 may play JD"
    assert [one.word for one in whole.cards] == ["yes", "no", "no"]
    domino = rules("gamerules-domino")
    dry = ask("hand", domino, hand="4D QS", trick="2C")
    assert dry.headline == "Seat 1 must draw from the stock"
    assert ask("draw", domino, hand="4D QS", trick="2C").verdict == "legal"
    assert ask("draw", domino, hand="4D QS", trick="2D").verdict == "refused"
    empty = ask("card", domino, hand="4D QS", trick="2C", card="4D", stock=0)
    assert empty.verdict == "legal"


def test_a_seat_says_whose_hand_is_meant() -> None:
    found = ask("hand", COMMON, hand="QS JD", trick="5C 6C", seat=1)
    assert found.headline == "Seat 1 may play JD QS"
    assert found.ruling is not None
    assert found.ruling.before.seats_on_table == [3, 0]
    tiles = ask("hand", rules("heartsgame-tiles"), hand="QS JD", trick="5C", seat=1)
    assert tiles.ruling is not None
    assert tiles.ruling.before.seats_on_table == [2]
    both = ask("hand", COMMON, hand="QS JD", trick="5C", seat=1, leader=0)
    assert both.headline == "Seat 1 may play JD QS"
    assert wrong(ask="hand", hand="QS", trick="5C", seat=3, leader=0) == (
        "seat: found 3; allowed: 1, whose turn it is"
    )


# Which clauses decide


@pytest.mark.parametrize(
    ("deal", "clause"), [(1, "4.2"), (2, "4.2"), (3, "4.2"), (4, "4.3")]
)
def test_where_the_cards_go_is_cited(deal: int, clause: str) -> None:
    assert clause in ask("pass", rules("common-hearts", 4), deal=deal).clauses


@pytest.mark.parametrize("way", ["scatter", "mix"])
def test_cards_for_everybody_or_for_a_pile_go_to_no_side(way: str) -> None:
    found = ask("pass", rules("estmesh-hearts", pass_cycle=[way]), deal=1)
    assert not {"4.2", "4.3"} & {*found.clauses}


@pytest.mark.parametrize(
    ("profile_name", "cards", "said"),
    [
        ("common-hearts", "2C KS AS", True),
        ("common-hearts", "3C KS AS", False),
        ("black-maria", "3C KS AS", False),
    ],
)
def test_the_lowest_club_may_be_passed(
    profile_name: str, cards: str, said: bool
) -> None:
    game = rules(profile_name, 4)
    found = ask("pass", game, hand=f"{cards} 4D 5D", cards=cards)
    assert found.verdict == "legal"
    assert ("5.1b" in found.clauses) is said


@pytest.mark.parametrize(
    ("profile_name", "said"), [("black-maria", True), ("pokerwiner-hearts", False)]
)
def test_what_the_high_spades_cost_is_said_where_they_cost(
    profile_name: str, said: bool
) -> None:
    taken = ["QS KS AS 2H 3H", "", "4H 5H 6H 7H 8H 9H TH JH QH KH AH"]
    found = ask("score", rules(profile_name, 3), taken=taken)
    assert ("1.5b" in found.clauses) is said


def test_a_shooter_with_a_choice_is_asked_for_it() -> None:
    tiles, taken = rules("heartsgame-tiles", 4), ["", ALL, "", ""]
    (asked,) = answer_fields(ask("score", tiles, taken=taken))["asks"]
    assert asked["name"] == "choice"
    assert {*asked["answers"]} == {"self_minus", "0", "2", "3"}
    chosen = answer_fields(ask("score", tiles, taken=taken, choice=3))
    assert [row[-1] for row in chosen["rows"]] == [0, 0, 0, 26]
    assert "asks" not in chosen


# Questions that are wrong


# A right question of each kind, and what it is wrong to say in it.
RIGHT: dict[str, dict[str, Any]] = {
    "card": {"hand": "QS", "card": "QS"},
    "hand": {"hand": "QS"},
    "score": {"taken": TOOK_ALL},
    "end": {"totals": [0] * 4},
    "revoke": {"when": "trick"},
    "pass": {"hand": "2C 3C 4C 5C", "cards": "2C 3C 4C"},
    "turn": {"leader": 0},
    "opening": {},
    "table": {"number": "10.14"},
}
NOT_PLAYED_ON = "reached: found true; allowed: false, since ties are not played on"
NO_HAND = "allowed: a hand of the pack, as everybody has one"
REFUSED = "rules.options: this combination of options is refused: "
THREE = rules("common-hearts", 3)


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_question_is_answered(kind: str) -> None:
    assert ask(kind, COMMON, **RIGHT[kind]).headline


@pytest.mark.parametrize(
    ("kind", "more", "complaint"),
    [
        ("end", {"total": [1]}, "did you mean totals?"),
        ("end", {"totals": [1, 2]}, "totals: found 2; allowed: 4, one for"),
        ("end", {"totals": [1, 2, 3, True]}, "totals: found [1, 2, 3, True]"),
        ("end", {"totals": "1 2 3 4"}, "totals: found '1 2 3 4'"),
        ("end", {"reached": 1}, "reached: found 1; allowed"),
        ("end", {"reached": True}, NOT_PLAYED_ON),
        ("score", {"reached": True}, NOT_PLAYED_ON),
        ("end", {"deals": 0}, "deals: found 0"),
        ("revoke", {"when": "soon"}, "when: found 'soon'; allowed: one of trick,"),
        ("turn", {"leader": 4}, "leader: found seat 4; allowed: a seat from 0 to"),
        ("turn", {"out": [0, 5]}, "out: found seat 5"),
        ("turn", {"out": [0, 1, 2, 3]}, "out: found every seat"),
        ("turn", {"trick": "5C", "out": [0]}, "leader: found seat 0"),
        (
            *("turn", {"trick": "5C 6C 7C 8C 9C"}),
            "trick: found 5 cards; allowed: 4 or fewer",
        ),
        ("turn", {"trick": "5C 5C"}, "trick: found"),
        ("hand", {"hand": "QS QX"}, "hand: found 'QX'"),
        ("hand", {"hand": ["QS"]}, "hand: found ['QS']"),
        ("card", {"card": "QS 2H"}, "card: found 'QS 2H'"),
        ("hand", {"first_trick": "no"}, "first_trick: found 'no'"),
        ("hand", {"trick": "QS"}, "QS on the table and in the"),
        ("score", {"taken": [ALL, "QS", "", ""]}, "taken: found QS twice"),
        ("score", {"taken": [ALL, 1, "", ""]}, "taken: found"),
        ("score", {"taken": [ALL, "QX", "", ""]}, "taken: found 'QX'"),
        ("score", {"taken": [HEARTS, "", "", ""]}, "taken: found nobody with"),
        (
            *("score", {"taken": [f"{ALL} 2D", "", ""], "rules": THREE}),
            "taken: found 2D; allowed: cards of the pack",
        ),
        ("score", {"tricks": [0, 5, 5, 3]}, "tricks: found no trick for seat 0"),
        (
            *("score", {"revokes": [1, 2]}),
            "revokes: found seats 1 and 2; allowed: no seat: a card that fails",
        ),
        (
            *("score", {"choice": 1}),
            "choice: found seat 0 may not choose moon one 1: 8.6a",
        ),
        (
            *("score", {"taken": [HEARTS, "QS", "", ""], "choice": "self_minus"}),
            "choice: found self_minus; allowed: no choice: none is due",
        ),
        (
            *("score", {"choice": "minus"}),
            "choice: found 'minus'; allowed: self_minus, others_plus or a seat",
        ),
        ("pass", {"hand": "QS", "cards": "QS"}, "hand: found 1 card; allowed: 3"),
        ("pass", {"hand": "2D 3C 4C 5C", "cards": "2D 3C 4C", "rules": THREE}, NO_HAND),
        ("pass", {"hand": f"{HEARTS} 2C 3C 4C"}, NO_HAND),
        (
            *("opening", {"players": 4, "rules": rules("common-hearts", hand_size=9)}),
            f"{REFUSED}3.9 ",
        ),
        ("opening", {"players": 0}, "players: found 0"),
        ("opening", {"hands": [13, 13]}, "hands: found 2 hands; allowed: 4"),
        ("opening", {"rules": 4}, "rules: found 4"),
        ("table", {"number": "5.3"}, "number: found '5.3'; allowed: one of"),
        ("table", {"number": 10}, "number: found 10; allowed: a text"),
        (
            *("table", {"number": "10.3", "answers": {"who": "me"}}),
            "answers: found 'who'; allowed: answers to none",
        ),
        (
            *("table", {"answers": {"when": "never"}}),
            "answers.when: found 'never'; allowed: one of before, after",
        ),
        (
            *("table", {"answers": {"when": 1}}),
            "answers: found {'when': 1}; allowed: names and texts",
        ),
        ("turn", {"rules": []}, "rules: found []"),
        ("turn", {"rules": {"name": "x"}}, "rules: found the key 'name'"),
        ("turn", {"rules": {"profile": "hearts"}}, "rules.profile: found 'hearts'"),
        ("turn", {"rules": rules("common-hearts", limit="x")}, "rules."),
        (
            *("turn", {"rules": rules("common-hearts", sun_points=9, moon="none")}),
            f"{REFUSED}8.10a ",
        ),
    ],
    ids=lambda one: str(one)[:60],
)
def test_a_wrong_question_ends_in_one_message(
    kind: str, more: dict[str, Any], complaint: str
) -> None:
    assert complaint in wrong(ask=kind, **{**RIGHT[kind], **more})


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ({}, "ask: found None; allowed: one of card, hand"),
        ({"ask": "scores"}, "did you mean score?"),
        ({"ask": "end"}, "totals: found nothing; allowed: a list of whole numbers"),
    ],
    ids=["no kind", "another kind", "no totals"],
)
def test_a_question_says_what_is_asked_and_all_that_it_takes(
    question: dict[str, Any], complaint: str
) -> None:
    assert complaint in wrong(**question)


def test_what_is_no_object_is_no_question() -> None:
    with pytest.raises(Malformed, match="an object with ask"):
        answer("turn")


# What is said


def test_every_answer_cites_clauses_of_the_book() -> None:
    cited = [one for _, *clauses in ANSWERED.values() for one in clauses]
    assert set(cited) - {"{clause}"} <= set(book.clauses())
    rulings = {"may play", "must draw"}  # as those of explain, without a full stop
    for name, said in HEADLINES.items():
        assert said.endswith(".") is (name not in rulings)


def test_every_kind_has_its_keys() -> None:
    assert set(KINDS) == set(NEEDED)
    for kind, needed in NEEDED.items():
        assert set(needed) <= set(KINDS[kind])


# The command


def run(capsys: pytest.CaptureFixture[str], *words: str) -> Run:
    return run_command(capsys, "explain", *words)


@pytest.mark.parametrize(
    ("words", "kind", "question"),
    [
        (
            "--hand 'QS JD 2H' --trick 5C --first-trick --card QS",
            "card",
            {"hand": "QS JD 2H", "trick": "5C", "first_trick": True, "card": "QS"},
        ),
        ("--hand QS --seat 2", "hand", {"hand": "QS", "seat": 2}),
        ("--hand QS --draw", "draw", {"hand": "QS"}),
        ("--pass --deal 2", "pass", {"deal": 2}),
        (
            "--pass --hand 'QS KH AH 2C' --cards 'QS KH AH'",
            "pass",
            {"hand": "QS KH AH 2C", "cards": "QS KH AH"},
        ),
        (
            f"--score '{ALL} / / /' --totals '9, 8 7 6' --choice others_plus",
            "score",
            {"taken": TOOK_ALL, "totals": [9, 8, 7, 6], "choice": "others_plus"},
        ),
        (
            f"--score '{ALL} / / /' --tricks '9 4 0 0' --choice 1"
            " --option moon=choice_one",
            "score",
            {"taken": TOOK_ALL, "tricks": [9, 4, 0, 0], "choice": 1}
            | {"rules": rules("estmesh-hearts", moon="choice_one")},
        ),
        (
            "--score /// --revoked 1 --profile pokerwiner-hearts",
            "score",
            {"taken": [""] * 4, "revokes": [1], "rules": rules("pokerwiner-hearts")},
        ),
        ("--end --totals '99 0 0 0' --players 4", "end", {"totals": [99, 0, 0, 0]}),
        ("--revoke trick", "revoke", {"when": "trick"}),
        ("--turn --leader 0 --out 1", "turn", {"leader": 0, "out": [1]}),
        ("--opening --players 5", "opening", {"players": 5}),
        (
            "--table 10.14 --answer trick=no",
            "table",
            {"number": "10.14", "answers": {"trick": "no"}},
        ),
        ("--table 10.14", "table", {"number": "10.14"}),
        ("""--question '{"ask": "turn", "leader": 1}'""", "turn", {"leader": 1}),
    ],
    ids=lambda one: str(one)[:60],
)
def test_the_command_asks_what_the_question_asks(
    capsys: pytest.CaptureFixture[str], words: str, kind: str, question: dict[str, Any]
) -> None:
    found = answer({"ask": kind, **question})
    typed = shlex.split(words)
    if "--profile" not in typed:
        typed += ["--profile", DEFAULT_PROFILE]
    code, out, _ = run(capsys, *typed)
    assert (code, out) == (0, "\n".join([*answer_lines(found), ""]))
    code, out, _ = run(capsys, *typed, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(answer_fields(found)))


def test_what_is_played_is_taken_for_granted_where_nobody_says_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "you play estmesh-hearts, as no --profile names another game"
    words = ["--hand", "QS", "--trick", "5C"]
    _, out, _ = run(capsys, *words)
    first = "this is not the first trick of the deal"
    assert f"Taken for granted: {said}; {first}" in " ".join(out.split())
    for told in (["--profile", "estmesh-hearts"], ["--json"]):
        assert "no --profile" not in run(capsys, *words, *told)[1]
    assert "no --profile" not in run(capsys, "--table", "10.14")[1]
    asked = """{"ask": "turn", "leader": 2, "rules": {"profile": "spot-hearts"}}"""
    assert "no --profile" not in run(capsys, "--question", asked)[1]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--end --turn", "found end and turn; allowed: one of them"),
        ("game.jsonl --turn", "found FILE and turn"),
        ("--end --totals '9 x'", "--totals: found '9 x'"),
        ("--table 10.14 --answer no", "--answer: found 'no'"),
        ("--question {", "--question: found"),
        ("--question 7", "found 7; allowed: an object with ask"),
        ("--turn --players 5", "5 can play common-hearts"),
        ("--turn --deal 2", "turn: found the key 'deal'"),
    ],
)
def test_a_question_typed_wrong_ends_in_one_message(
    capsys: pytest.CaptureFixture[str], words: str, complaint: str
) -> None:
    code, out, err = run(capsys, *shlex.split(words))
    assert (code, out) == (3, "")
    assert complaint in err
    assert err.count("\n") == 1


def test_the_file_of_a_club_is_a_profile_here_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    club = tmp_path / "friday.toml"
    club.write_text(
        'name = "friday"\ntitle = "Friday"\nbase = "common-hearts"\nplayers = [3, 4]\n'
        "[options]\nlimit = 50\n",
        "utf-8",
    )
    words = ["--end", "--totals", "50 3 4 5", "--profile", str(club)]
    assert run(capsys, *words)[1].startswith("The match is over: seat 1 wins with 3.")
    sun = ["--option", "sun_points=5", "--option", "moon=none"]
    code, _, err = run(capsys, *words, *sun)
    assert code == 3
    assert "8.10a" in err
