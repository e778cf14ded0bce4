"""Tests that rulings on written games call the players by their names."""

import pytest

from refengine.rulings.called import by_name, called, is_written
from refengine.rulings.ruling_text import wrapped_lines

NAMES = ("Ann", "Ben", "me", "Mary Lou")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Seat 3 may not play AS.", "Mary Lou may not play AS."),
        (
            "Clubs were led and seat 1 holds a club.",
            "Clubs were led and Ben holds a club.",
        ),
        ("Seats 0 and 1 share the win.", "Ann and Ben share the win."),
        ("For seats 0, 1 and 3", "For Ann, Ben and Mary Lou"),
        ("seat 0: 10, seat 3: 2", "Ann: 10, Mary Lou: 2"),
        ("Seat 2 holds a club.", "seat 2 (me) holds a club."),
        ("seat 4 is none", "seat 4 is none"),
        ("seated 1 by 1, in the seat", "seated 1 by 1, in the seat"),
    ],
)
def test_a_seat_has_the_name_of_its_player(said: str, told: str) -> None:
    assert not is_written()
    assert by_name(said) == said
    with called(NAMES):
        assert is_written()
        assert by_name(said) == told
        assert wrapped_lines(said, "") == [told]
    with called(()):
        assert is_written()
        assert by_name(said) == said
    assert by_name(said) == said


def test_a_name_is_forgotten_after_an_error() -> None:
    with pytest.raises(ValueError, match="stop"), called(NAMES):
        raise ValueError("stop")
    assert not is_written()


def test_a_name_with_a_seat_in_it_stays_as_it_is() -> None:
    with called(("Seat 1 Ann", "Seat 2 Ben", "Seat 3 Cy", "Seat 4 Di")):
        assert by_name("Seat 2 Ben begins with 5.") == "Seat 2 Ben begins with 5."
        assert by_name("Seat 1 may not play AS.") == "Seat 2 Ben may not play AS."
    with called(("Bot seat 1", "Bot seat 2", "Bot seat 3", "Bot seat 4")):
        assert by_name("Bot seat 1 begins with 5.") == "Bot seat 1 begins with 5."
