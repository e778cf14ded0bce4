"""Tests that a search with the words people use finds the right clause."""

import json
import re
from collections import Counter

import pytest

from refengine.lawbook.book import clauses
from refengine.lawbook.in_short import in_short
from refengine.lawbook.looking_up import (
    is_question,
    one_error,
    stem,
    terms_of,
    words_of,
)
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.search_index import (
    index_data,
    numbers_meant,
    search_book,
    search_index,
)
from tests.support.commands import Runner

pytestmark = pytest.mark.interpreted("about words, not about the rules")
FIRST = 3
TYPED = [
    ("renege", "7.1"),
    ("black lady", "1.4"),
    ("slam", "8.3"),
    ("10 of spades", "1.4"),
    ("misdeal", "10.8"),
    ("shoot the moon minus 26", "8.5"),
    ("shoot the moon", "8.3"),
    ("queen of spades first trick", "5.5"),
    ("can i lead hearts", "5.4"),
    ("breaking hearts", "5.9"),
    ("break harts", "5.9"),
    ("who starts", "5.1"),
    ("2 of clubs", "5.2"),
    ("two of clubs", "5.2"),
    ("jack of diamonds", "1.7"),
    ("J♦", "1.7"),
    ("Q♠", "1.4"),
    ("pass left", "4.1"),
    ("how many cards do we pass", "4.4"),
    ("tie", "9.5"),
    ("two players level at the end who wins", "9.5"),
    ("exactly 100", "9.2"),
    ("three players which card out", "3.3"),
    ("can i play the queen on the first trick if i have no clubs?", "5.5"),
    ("does the queen break hearts?", "5.9a"),
    ("i dropped a card", "10.12"),
    ("exposed card", "10.12"),
    ("led out of turn", "10.14"),
    ("reneg", "7.1"),
    ("revok", "7.1"),
    ("folow suit", "5.3"),
    ("follow suit", "5.3"),
    ("kibitzer", "10.23"),
    ("table talk", "10.24"),
    ("somebody quit", "10.21"),
    ("the player leaves the game", "10.21"),
    ("claim the rest", "10.22"),
    ("wrong score", "10.20"),
    ("only hearts left and i must lead", "5.4a"),
    ("hearts and queen only", "5.4b"),
    ("void in clubs first trick only hearts", "5.5a"),
    ("all 13 tricks", "8.4"),
    ("shoot the sun", "8.4"),
    ("trump", "1.3"),
    ("ace high or low", "1.2"),
    ("partners", "2.5"),
    ("who deals next", "3.2"),
    ("hold", "4.3"),
    ("scatter", "4.6"),
    ("kitty", "3.7"),
    ("domino hearts draw", "6.1"),
    ("stock is empty", "6.5"),
    ("5.3", "5.3"),
    ("HFR 5.5@1.1.0~2c3f1be8", "5.5"),
    ("last trick look back", "10.16"),
    ("did not follow suit two tricks ago", "10.19"),
    ("misdael", "10.8"),
    ("must the queen be played as soon as possible", "5.6"),
    ("highest card", "5.10"),
    ("play to 100", "9.3"),
    ("12 cards", "10.9"),
    ("counterclockwise", "2.2"),
    ("cheating", "10.5a"),
    ("king of spades", "1.5b"),
    ("undo", "7.4"),
    ("passing order", "4.1"),
    ("spectator spoke", "10.23"),
    ("lead the queen before hearts are broken", "5.5b"),
    ("when is the game over", "9.3"),
    ("draw pile", "3.6"),
    ("opponent has 14 cards", "10.9"),
    ("shoting the moon", "8.3"),
    ("bonus for the jack", "1.7"),
    ("both players have the same score who wins?", "9.5"),
    ("must I draw if I cannot follow?", "6.1"),
    ("he looked at the cards I passed before passing", "10.11"),
    ("scorekeeper added wrong", "10.20a"),
]
"""A query, and the clause that one of the first three answers must name."""


@pytest.mark.parametrize(("query", "number"), TYPED)
def test_the_clause_comes_within_the_first_three(query: str, number: str) -> None:
    found = search_book(query, FIRST)
    assert number in {clause for one in found for clause in one.clauses}


@pytest.mark.parametrize("number", [*clauses()])
def test_a_number_and_a_title_find_their_clause(number: str) -> None:
    assert [one.number for one in search_book(f"HFR {number}@1.1.0~5e1f")] == [number]
    first = search_book(clauses()[number].title, FIRST)
    assert number in [one.number for one in first]


def test_a_question_comes_before_the_clauses_where_a_sentence_is_typed() -> None:
    asked = search_book("Somebody led out of turn. Does the lead stand?")
    assert asked[0].title == "Somebody led out of turn. Does the lead stand?"
    assert asked[0].clauses == ("10.14",)
    assert search_book("out of turn")[0].number == "10.14"
    assert is_question("who deals?")
    assert is_question("may i lead the queen")
    assert not is_question("may i lead hearts")


def test_the_clauses_of_every_question_are_in_the_book() -> None:
    for one in search_index().entries:
        assert one.clauses
        assert {*one.clauses} <= {*clauses()}
        assert one.says
    assert {*index_data()["forms"].values()}.isdisjoint(index_data()["forms"])


@pytest.mark.parametrize(
    ("word", "other", "near"),
    [
        ("renege", "reneg", True),
        ("misdael", "misdeal", True),
        ("hart", "heart", True),
        ("suit", "suits", True),
        ("queen", "quenn", True),
        ("suit", "suit", False),
        ("moon", "noon", True),
        ("trick", "tick", True),
        ("trump", "tricks", False),
        ("deal", "dealers", False),
        ("lead", "dale", False),
    ],
)
def test_one_error_of_typing_is_told_from_two(
    word: str, other: str, near: bool
) -> None:
    assert one_error(word, other) is near
    assert one_error(other, word) is near


def test_words_and_their_stems() -> None:
    assert words_of("Q\u2660, 10\u2665 (don't!)") == [
        *("q", "spades", "10", "hearts", "dont")
    ]
    assert {stem(one) for one in ("lead", "leads", "leading", "leaders")} == {"lead"}
    assert stem("dropped") == stem("drop")
    assert stem("penalty") == stem("penalties")
    assert stem("ties") == stem("tie") == "tie"
    assert terms_of(search_index(), "who is it") == ("who", "is", "it")
    assert terms_of(search_index(), "black lady xq") == ("queen", "spad", "xq")


def test_a_lead_is_answered_by_what_is_said_of_leads() -> None:
    first, *_ = search_book("lead queen of spades first trick")
    assert first.title == "Can I lead the queen of spades to the first trick?"
    assert first.clauses[0] == "5.2"
    first, *_ = search_book("may I lead the queen of spades before hearts are broken")
    assert first.clauses[0] == "5.5b"


def test_the_queen_costs_what_the_table_of_the_profiles_says() -> None:
    asked = "does the queen of spades cost anything in domino hearts"
    says = search_book(asked, 1)[0].says
    costs = Counter(profile(name).options["queen_points"] for name in profile_names())
    assert costs == {0: 2, 13: 8, 25: 1}  # the table of 1.5
    assert "both Domino Hearts only hearts cost points" in says
    assert "In spot-hearts she costs 25, in the other eight profiles 13" in says


def test_no_answer_speaks_of_a_deal_that_the_reader_cannot_see() -> None:
    answers = [one.says for one in search_index().entries if not one.number]
    assert len(answers) > 200
    for says in answers:
        assert not re.search(r"\bhere\b", says, re.IGNORECASE)


def test_which_low_cards_go_is_answered_for_both_ways_of_taking_them_out() -> None:
    # By 3.3 the two of clubs goes with three players; by 3.3a the two of diamonds.
    first, *_ = search_book("is the 2 of diamonds taken out with 3 players")
    assert first.clauses == ("3.3", "3.3a")
    assert "the two of clubs goes with three players" in first.says
    assert "if hearts are spared, the two of diamonds" in first.says
    assert "never" not in in_short("3.3a")
    assert in_short("3.3a").startswith("Where hearts are spared, the two of diamonds")


def test_what_nobody_has_heard_of_is_not_found() -> None:
    assert search_book("xyzzyq") == []
    assert search_book("") == []


def test_a_number_comes_before_the_words_beside_it() -> None:
    found = search_book("5.4 follow suit", 2)
    assert [one.number for one in found] == ["5.4", "5.3"]


def test_a_clause_typed_with_number_and_title_is_found_once() -> None:
    found = [one.number for one in search_book("5.3 Follow suit") if one.number]
    assert found[0] == "5.3"
    assert len(found) == len(set(found))


@pytest.mark.parametrize("typed", ["§5.4 follow suit", "5.4: follow", "#5.4 follow"])
def test_marks_around_a_number_are_ignored(typed: str) -> None:
    assert search_book(typed, 1)[0].number == "5.4"
    assert numbers_meant(typed)[0] == "5.4"


def test_the_command_shows_questions_and_clauses(run: Runner) -> None:
    code, out, _ = run("search", "does", "the", "queen", "break", "hearts?")
    assert code == 0
    assert out.startswith("Does the queen of spades break hearts?\n    At most tables")
    assert "[5.9a, 5.9]" in out
    assert "5.9a The queen breaks hearts" in out
    code, out, _ = run("search", "--json", "--most", "2", "renege")
    assert json.loads(out)[0]["clauses"] == ["7.1"]
    code, out, _ = run("search", "xyzzyq")
    assert (code, out) == (1, "Nothing found; try fewer or other words.\n")


def test_a_rule_is_shown_for_words(run: Runner) -> None:
    code, out, _ = run("rule", "black", "lady")
    assert code == 0
    assert out.startswith("1.4 Penalty cards")
    assert "see also: 1.5 Worth of a penalty card\n" in out
    assert run("rule", "10 of spades")[1].startswith("1.4 ")
    assert run("rule", "xyzzyq")[0] == 3
