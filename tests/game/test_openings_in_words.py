"""Tests of messages on why a game cannot begin: the failed condition and remedies."""

import copy
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

from refengine import (
    WHOLE_PACK,
    Malformed,
    Refused,
    Ruleset,
    Setup,
    new_deal,
    new_match,
)
from refengine.formats.trace import Trace, opened
from refengine.game.rulesets import _COMBINATIONS
from refengine.game.typed import read_ruleset
from refengine.lawbook.book import clauses
from refengine.lawbook.options import OPTIONS, option_named, value_typed
from refengine.lawbook.profiles import profile_names
from refengine.rulings.judge import judge_game
from tests.support.refusing import refused

HEARTS = Ruleset("estmesh-hearts")
HANDS = ["2C", "QS", "2H", "3H"]


def rules(players: int = 4, profile: str = "estmesh-hearts", **options: object) -> Any:
    """A ruleset with these options; raises Refused if the book refuses it."""
    return Ruleset(profile, players, options)


def setup(*hands: str, **more: object) -> Any:
    """The setup of a deal with these hands, or with `HANDS` if none are given."""
    found: Any = {"rules": HEARTS, "deal": 4, **more}
    return new_deal(found.pop("rules"), hands or HANDS, **found)


def position(*hands: str, **more: object) -> Any:
    """A position with these hands, or with `HANDS`; seat 3 dealt and seat 0 leads."""
    return setup(*hands, **{"dealer": 3, "leader": 0, **more})


NO_POINTS = rules(deal_ends="no_points_left")
KITTY_FIRST = rules(undealt="kitty", kitty_to="first_trick")

# What is refused, by the clause, and what the message says of it.
SAID: dict[str, tuple[Callable[[], object], str]] = {
    "2.6": (
        lambda: rules(7),
        "estmesh-hearts is for 4 players (3 to 10 with a kitty); 7 can play "
        "pokerwiner-domino, pokerwiner-hearts or estmesh-hearts with undealt=kitty",
    ),
    "2.6, with more than any game has": (
        lambda: rules(99),
        "estmesh-hearts is for 4 players (3 to 10 with a kitty)",
    ),
    "3.9": (
        lambda: rules(5, "pokerwiner-hearts", removal="none"),
        "undealt=none, hand_size=all and removal=none: 5 hands of 10 cards leave 2 "
        "of 52 cards over; allowed with undealt=kitty, removal=lowest or "
        "removal=lowest_no_hearts",
    ),
    "3.9a": (
        lambda: rules(undealt="stock"),
        "undealt=stock and hand_size=all; allowed with undealt=none, "
        "undealt=kitty or hand_size=6",
    ),
    "3.9b": (
        lambda: rules(removal="lowest", undealt="kitty"),
        "removal=lowest and undealt=kitty; allowed with removal=none or undealt=none",
    ),
    "3.9c": (
        lambda: rules(hand_size=20),
        "hand_size=20: 4 hands of 20 cards need 80 cards, and there are 52; "
        "allowed with hand_size=all or hand_size=13",
    ),
    "3.9e": (lambda: new_match(HEARTS, pack="2C QS"), "2 cards for 4 players"),
    "3.9f": (
        lambda: new_match(rules(profile="gamerules-domino"), pack="2C 3C 4C 5C 6C 7C"),
        "4 hands of 6 cards need 24 cards, not 6",
    ),
    "3.9g": (
        lambda: new_match(HEARTS, pack="2C 3C 4C 5C 6C"),
        "4 hands of 1 card leave 1 of 5 over; 4 or 8 cards fit",
    ),
    "3.9g, of hands of a size": (
        lambda: new_match(rules(3, "pokerwiner-hearts", hand_size=17), pack=WHOLE_PACK),
        "3 hands of 17 cards leave 1 of 52 over; 51 cards fit",
    ),
    "3.12b": (
        lambda: position("2C", "3C", "4C", "5C", rules=NO_POINTS),
        "no hand holds a card that counts, so the deal ended with the previous trick",
    ),
    "3.12c": (
        lambda: position(rules=KITTY_FIRST, kitty="9C"),
        "the kitty, 9C, went with the first trick and belongs in taken",
    ),
    "3.12d": (
        lambda: setup("2C 3C", "QS", "2H", "3H"),
        "the hands have 2, 1, 1 and 1 cards",
    ),
    "3.12e": (lambda: setup("", "", "", ""), "nothing for seats 0, 1, 2 and 3"),
    "3.12f": (lambda: setup("QS", "QS", "2H", "3H"), "QS appears in it more than once"),
    "3.12f, of two cards": (
        lambda: setup("2C QS", "2C QS", "2H 3H", "4H 5H"),
        "2C QS appear in it more than once",
    ),
    "3.12g": (
        lambda: setup(stock="9C"),
        "a stock of 1 card; only undealt=stock has one",
    ),
    "3.12h": (
        lambda: setup(kitty="8C 9C"),
        "a kitty of 2 cards; only undealt=kitty has one",
    ),
    "3.12j": (lambda: position(trick="QS"), "QS appears in it more than"),
    "3.12k": (lambda: position(out=[1]), "seat 1 is out and holds QS"),
    "3.12m": (lambda: position(out=[0]), "seat 0 leads and is out"),
    "3.12n": (
        lambda: position("2C", "QS 4C", "2H 5C", "3H 6C", trick="AH"),
        "on the table: AH; so hearts_broken has to be true",
    ),
    "3.12p": (
        lambda: position(taken=["9H", "", "", ""]),
        "9H is taken, but tricks says that nobody has won one",
    ),
    "3.12q": (
        lambda: position(first_trick=True, tricks=[1, 0, 0, 0]),
        "first_trick is true, but tricks counts 1 already",
    ),
    "3.12r": (
        lambda: position("2C", "", "2H", "3H", out=[1], trick="9C 8C 7C"),
        "3 cards on the table make the trick complete",
    ),
    "3.12r, of one card": (
        lambda: position("2C", "", "", "", out=[1, 2, 3], trick="9C"),
        "1 card on the table makes the trick complete",
    ),
    "3.12s": (
        lambda: position("2C", "", "", "", out=[1, 2, 3]),
        "only seat 0 held cards when the trick began, but at least two seats ",
    ),
    "3.12s, of nobody": (
        lambda: position("", "", "", "", out=[1, 2, 3]),
        "nobody held a card when the trick began, but at least two seats must",
    ),
    "3.12t": (
        lambda: position("2C", "", "2H", "3H"),
        "seat 1 had no card when the trick began: out has to say so",
    ),
    "3.12u": (
        lambda: position("2C", "QS", "2H 9C", "3H", trick="4C"),
        "the hands had 2, 1, 2 and 1 cards when the trick began, but must all be "
        "the same size",
    ),
    "3.12v": (
        lambda: position(leader=1, first_trick=True),
        "seat 0 leads to the first trick, not seat 1",
    ),
    "4.11": (
        lambda: setup(deal=1),
        "hands of 1 card, and deal 1 passes 3; deal 4 would do",
    ),
    "4.11, of a match": (
        lambda: new_match(HEARTS, pack="2C QS 2H 3H"),
        "4 hands of 1 card, of which 3 are passed in some deal",
    ),
    "5.2a": (
        lambda: rules(opening_leader="left_of_dealer"),
        "opening_leader=left_of_dealer and opening_card=lowest_club; allowed with "
        "opening_leader=lowest_club or opening_card=any",
    ),
    "5.14b": (
        lambda: rules(deal_ends="no_points_left", undealt="kitty"),
        "deal_ends=no_points_left and undealt=kitty; allowed with "
        "deal_ends=all_played or undealt=none",
    ),
    "5.14c": (
        lambda: rules(deal_ends="no_points_left", sun_points=50),
        "sun_points=50",
    ),
    "5.14d": (
        lambda: rules(deal_ends="no_points_left", no_trick_points=-5),
        "no_trick_points=-5",
    ),
    "8.10": (lambda: rules(heart_points=0, queen_points=0), "heart_points=0"),
    "8.10a": (
        lambda: rules(moon="none", sun_points=50),
        "sun_points=50 and moon=none; allowed with sun_points=0, ",
    ),
    "9.8a": (
        lambda: rules(limit=50, exact_limit_becomes=60),
        "exact_limit_becomes=60 and limit=50; allowed with "
        "exact_limit_becomes=none or limit=100",
    ),
    "9.8b": (
        lambda: rules(limit="none", exact_limit_becomes=60),
        "limit=none and exact_limit_becomes=60; allowed with limit=100 or "
        "exact_limit_becomes=none",
    ),
    "9.8c": (
        lambda: rules(limit="none", ties="play_on"),
        "limit=none and ties=play_on; allowed with limit=100 or ties=shared",
    ),
    "9.8d": (
        lambda: rules(limit="none", moon="others_plus_unless_losing"),
        "limit=none and moon=others_plus_unless_losing; allowed with limit=100",
    ),
}


def number_of(case: str) -> str:
    return case.partition(",")[0]


@pytest.mark.parametrize("case", SAID)
def test_a_refusal_says_which_condition_fails(case: str) -> None:
    begin, said = SAID[case]
    number = number_of(case)
    error = refused(begin)
    assert number in error.clauses
    assert said in str(error).partition(" is refused: ")[2]
    assert f"{number} {clauses()[number].title}" in str(error)


def test_every_clause_that_refuses_a_beginning_is_tried() -> None:
    judged = {"2.6", "4.11", *(number for number, _ in _COMBINATIONS)}
    for number, one in clauses().items():
        if one.part_of in ("3.9d", "3.12", "3.12a") and one.kind == "forbid":
            judged.add(number)
    assert {*map(number_of, SAID)} == judged


def ways_out(said: str) -> list[str]:
    """The options and values that a message suggests as remedies."""
    return re.findall(r"\w+=[\w-]+", said.partition("; allowed with ")[2])


@pytest.mark.parametrize("profile", profile_names())
def test_what_a_message_says_is_allowed_is_allowed(profile: str) -> None:
    helped = 0
    for option in OPTIONS:
        if isinstance(option.base, tuple):
            continue
        for word in (*option.words, *([True, False] * isinstance(option.base, bool))):
            try:
                Ruleset(profile, None, {option.name: word})
            except Refused as error:
                for way in ways_out(str(error)):
                    name, value = way.split("=")
                    changed = value_typed(option_named(name), value)
                    Ruleset(profile, None, {option.name: word, name: changed})
                    helped += 1
    assert helped > 3


def test_where_no_one_option_helps_none_is_named() -> None:
    error = refused(rules, moon="none", sun_points=20, undealt="stock")
    assert error.clauses == ("3.9a", "8.10a")
    assert "allowed with" not in str(error)


@pytest.mark.parametrize("number", ["2.6", "3.9", "3.12k", "4.11"])
def test_a_copy_of_a_refusal_says_the_same(number: str) -> None:
    error = refused(SAID[number][0])
    for other in (
        copy.deepcopy(error),
        pickle.loads(pickle.dumps(error)),
    ):
        assert other == error
        assert str(other) == str(error)


# The same where rules or a start are read, as commands and traces do


def test_a_game_of_a_file_that_cannot_begin_says_why() -> None:
    start = Setup(dealer=3, deal=4, hands=HANDS, leader=0, out=[1])
    with pytest.raises(Malformed, match=r"setup: .*; seat 1 is out and holds QS$"):
        opened(HEARTS, start)
    judged = judge_game(Trace(ruleset=HEARTS, start=start, steps=()))
    assert "seat 1 is out and holds QS" in judged.cannot_begin


def test_typed_rules_say_what_would_be_allowed() -> None:
    with pytest.raises(Malformed, match="7 can play pokerwiner-domino, pokerwiner-hea"):
        read_ruleset("estmesh-hearts", 7, [])
    with pytest.raises(Malformed, match=r"hand_size=6$"):
        read_ruleset("estmesh-hearts", 4, ["undealt=stock"])
    with pytest.raises(Malformed, match="allowed: 3 or 4 players for black-maria"):
        read_ruleset("Black Maria", 9, [])
