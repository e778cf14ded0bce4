"""Tests that a card named twice in an engine's answer is kept twice."""

import pytest

from refengine.errors import Malformed
from refengine.formats import shapes
from refengine.formats.normal_form import normal_fields
from refengine_conformance.runner.answers import normal_answer
from refengine_conformance.runner.transcripts import view_in_answer


def test_a_card_that_is_there_twice_stays() -> None:
    said = shapes.Fields(hands=["QS 2C", ""], taken=["2H KD 2H", "3C"], kitty="4C 4C")
    assert normal_answer(said) == {
        "hands": ["2C QS", ""],
        "taken": ["KD 2H 2H", "3C"],
        "kitty": "4C 4C",
    }


def test_without_such_a_card_it_is_the_normal_form() -> None:
    said = shapes.Fields(hands=["QS 2C", "3D"], kitty="", turn=[2, 0], stock="5H 4H")
    assert normal_answer(said) == normal_fields(said)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        (shapes.Fields(taken=["", "2C 2C 1X"]), "taken[1]"),
        (shapes.Fields(taken=["2C 3C", "XX"]), "taken[1]"),
        (shapes.Fields(hands=["2C", " "]), "hands[1]"),  # no card, yet not empty
        (shapes.Fields(hands=["2C 2C", "  "]), "hands[1]"),
        (shapes.Fields(kitty="2C 2C 1X"), "kitty"),
        (shapes.Fields(stock="2C 2C"), "stock"),  # in which no card comes twice
    ],
)
def test_what_is_no_card_is_no_answer(said: shapes.Fields, where: str) -> None:
    with pytest.raises(Malformed) as error:
        normal_answer(said)
    assert error.value.where == where


def test_a_place_in_a_view_is_one_in_the_answer() -> None:
    """The answer to `observe` with a seat is itself the view."""
    table = shapes.TableNow(leader=0, cards="2C 2C")
    for said, where in (
        (shapes.ViewObject(seat=1, hand="2C 1X"), "hand"),
        (shapes.ViewObject(seat=1, hand="2C 2C", table=table), "table.cards"),
    ):
        with pytest.raises(Malformed) as error:
            view_in_answer(said)
        assert error.value.where == where
    twice = shapes.ViewObject(seat=1, hand="3C 2C 3C")
    assert view_in_answer(twice) == {"seat": 1, "hand": "2C 3C 3C"}
