"""Tests of the words by which sentences call the fields of a position."""

import pytest

from refengine.rulings.words import value_words


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("score", None, "none yet"),
        ("match", {"over": False}, "not over"),
        ("match", {"over": True, "winners": [0, 2]}, "over, won by seats 0 and 2"),
        ("revokes", [], "none"),
        (
            "revokes",
            [{"seat": 1, "trick": 2, "state": "open"}],
            "seat 1 in trick 2: open",
        ),
        ("hearts_broken", True, "yes"),
        ("hearts_broken", False, "no"),
        ("totals", [0, -26], "0 -26"),
        ("cut", ["5H", ""], "5H -"),
    ],
)
def test_a_value_is_said_as_people_say_it(field: str, value: object, said: str) -> None:
    assert value_words(field, value) == said
