"""Tests of the values that hold a match as somebody wrote it down."""

from typing import Any

import pytest

from refengine import Claim, Cut, Malformed, MoonChoice, Pass, Retract, Ruleset, Scatter
from refengine.formats.written.written_match import (
    Laid,
    WrittenDeal,
    WrittenMatch,
    WrittenTrick,
    as_title,
)
from refengine.game.values.cardset import CardSet, card
from tests.support.refusing import malformed


def cards(text: str) -> tuple[Laid, ...]:
    return tuple(Laid(card=card(word)) for word in text.split())


def test_everything_may_be_unknown() -> None:
    match = WrittenMatch(deals=(WrittenDeal(),))
    assert match.players is None
    assert match.deals[0].tricks == ()
    assert match.seat_text(2) == "seat 2"


@pytest.mark.parametrize("name", ["a///b", "a//{//b", "a{::b", "a # ::warning::b", "%"])
def test_any_name_makes_a_title(name: str) -> None:
    title = as_title(name)
    assert WrittenMatch(name=title, deals=(WrittenDeal(),)).name == title
    assert as_title(title) == title


def test_who_deals_first_and_who_cuts_sit_at_the_table() -> None:
    for wrong in ({"dealer": 4}, {"cuts": (Cut(4, "2C"),)}):
        (name,) = wrong
        with pytest.raises(
            Malformed, match=f"{name}: found seat 4; allowed: a seat fr"
        ):
            WrittenMatch(players=4, deals=(WrittenDeal(),), **wrong)


def test_a_seat_is_called_by_its_player() -> None:
    match = WrittenMatch(names=("Ann", "Ben", "Carl"), players=3)
    assert match.seat_text(1) == "Ben"


def test_a_card_taken_back_is_in_no_trick() -> None:
    deal = WrittenDeal(
        course=(
            WrittenTrick(cards=cards("2C 5D"), leader=0),
            Retract(1, "5D"),
            WrittenTrick(cards=cards("4C 3C"), winner=1, goes_on=True),
            Claim(0, 1, 1),
            WrittenTrick(cards=cards("6C")),
        )
    )
    assert deal.tricks == (
        WrittenTrick(cards=cards("2C 4C 3C"), leader=0, winner=1),
        WrittenTrick(cards=cards("6C")),
    )


def test_what_was_taken_back_need_not_be_in_the_record() -> None:
    trick = WrittenTrick(cards=cards("2C"))
    assert WrittenDeal(course=(Retract(1, "5D"), trick)).tricks == (trick,)
    assert WrittenDeal(course=(trick, Retract(1, "5D"))).tricks == (trick,)


FORM = "allowed: letters, digits, dots, apostrophes, blanks and hyphens, at most 40"
NO_NAME = "allowed: a name that is not a seat, a number or a card"
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "players": (
        {"ruleset": Ruleset("common-hearts", 4), "players": 3},
        "players: found 3 players; allowed: 4, as in the rules",
    ),
    "players of nobody": ({"players": 1}, "players: found 1 players; allowed: 2 to 13"),
    "names": ({"names": ("Ann", "Ben"), "players": 3}, "names: found 2 names; "),
    "two alike": ({"names": ("Ann", "ann"), "players": 2}, "the name 'ann' twice"),
    "a card": ({"names": ("Ann", "Jack of Hearts"), "players": 2}, NO_NAME),
    "a seat": ({"names": ("Ann", "seat 0"), "players": 2}, NO_NAME),
    "a number": ({"names": ("Ann", "7"), "players": 2}, NO_NAME),
    "a colon": ({"names": ("Ann", "B:en"), "players": 2}, FORM),
    "blanks": ({"names": ("Ann", "B  en"), "players": 2}, FORM),
    "too long": ({"names": ("Ann", "B" * 41), "players": 2}, FORM),
    "title": ({"name": "two\nlines"}, "name[0]: found "),
    "title with a remark": (
        {"name": "Friday # late"},
        "name: found 'Friday # late'; allowed: a title without the signs of a remark",
    ),
    "remark": ({"remarks": ("",)}, "remarks[0]: found ''; "),
    "remark with blanks": ({"remarks": (" well",)}, "remarks[0]: found ' well'; "),
}


@pytest.mark.parametrize(("parts", "said"), WRONG.values(), ids=WRONG)
def test_parts_that_fit_no_table(parts: dict[str, Any], said: str) -> None:
    assert said in str(malformed(WrittenMatch, **parts))


WRONG_DEALS = (
    WrittenDeal(direction="up"),
    WrittenDeal(dealt=(CardSet("2C"),)),
    WrittenDeal(held=(None,) * 4),
    WrittenDeal(score=(1, 2)),
    WrittenDeal(totals=(1, 2, 3, 4)),
    WrittenDeal(dealer=3),
    WrittenDeal(winners=(3,)),
    WrittenDeal(passes=(Pass(3, "2C"),)),
    WrittenDeal(passes=(Scatter(0, {3: "2C"}),)),
    WrittenDeal(course=(Claim(0, 3, 1),)),
    WrittenDeal(course=(MoonChoice(0, 3),)),
    WrittenDeal(course=(WrittenTrick(cards=cards("2C"), leader=3),)),
    WrittenDeal(remarks=("two\nlines",)),
)


@pytest.mark.parametrize("deal", WRONG_DEALS, ids=str)
def test_deals_that_do_not_fit_three_players(deal: WrittenDeal) -> None:
    with pytest.raises(Malformed, match=r"deals\[0\]"):
        WrittenMatch(players=3, deals=(deal,))


@pytest.mark.parametrize("name", ["Zoe\u0308", "सीता", "ก้อย"])
def test_a_name_may_have_marks_apart_from_its_letters(name: str) -> None:
    assert WrittenMatch(names=(name, "Ben"), players=2).names[0] == name


def test_choices_and_passes_that_do() -> None:
    deal = WrittenDeal(
        number=2,
        course=(MoonChoice(0, "self_minus"), MoonChoice(0, 2)),
        passes=(Pass(2, "2C"),),
    )
    assert WrittenMatch(players=3, deals=(deal,)).deals == (deal,)


def test_the_cards_after_one_that_is_taken_back_go_back_with_it() -> None:
    """Those cards count as if they had not been played (7.5)."""
    deal = WrittenDeal(
        course=(
            WrittenTrick(cards=cards("2C 5D 7C"), leader=0),
            Retract(1, "5D"),
            WrittenTrick(cards=cards("3C 7C 8C"), winner=3, goes_on=True),
        )
    )
    whole = WrittenTrick(cards=cards("2C 3C 7C 8C"), leader=0, winner=3)
    assert deal.tricks == (whole,)
