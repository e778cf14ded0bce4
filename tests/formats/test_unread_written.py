"""Tests that keys of a file that its map does not read are named."""

import json

import pytest

from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import game_map, map_of_toml
from refengine.formats.written.unread_written import unread_said

DEAL = {
    "round": 1,
    "hands": {"Ann": "2C", "Ben": "3C", "Cleo": "4C"},
    "tricks": [{"lead": "Ann", "cards": ["2C", "3C", "4C"]}],
}


def granted(deal: dict[str, object]) -> tuple[str, ...]:
    """The assumptions that the map `deals` makes about a file with this deal."""
    file = {"app": "cards", "players": ["Ann", "Ben", "Cleo"], "deals": [deal]}
    [(_, match)] = mapped_games(json.dumps(file), game_map("deals"))
    return match.granted


def test_keys_that_no_expression_names() -> None:
    assert granted(DEAL) == ()
    trick = {"lead": "Ann", "cards": ["2C", "3C", "4C"], "taken_by": "Cleo"}
    assert granted({**DEAL, "tricks": [trick]}) == ("'taken_by' is not read",)
    both = {**DEAL, "tricks": [trick], "took": 3, "note": ""}
    assert granted(both) == ("'taken_by' and 'took' are not read",)


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ({"a": 1, "b": {"Ann": {"c": 2}}}, ""),
        ({"a": {"x": 1, "c": 2}}, "'x' is not read"),
        ({"a": 1, "The Date": "monday"}, ""),
        ({"a": 1, "The Time": "noon"}, "'The Time' is not read"),
        (
            {"a": 1, **{f"k{at}": at for at in range(1, 13)}},
            "'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'k8' and 4 more are not read",
        ),
        (["2C"], ""),
    ],
)
def test_what_is_below_a_key_that_is_read(item: object, said: str) -> None:
    assert unread_said([item], ['a || "The Date"', "b.*.c"]) == said


def test_words_of_an_expression_that_name_no_key() -> None:
    item = {"Trick": "Score", "Score": 5, "length": 2}
    said = unread_said([item], ["[?Trick=='Score'] | length(@)"])
    assert said == "'Score' and 'length' are not read"


def test_a_cell_beyond_the_last_heading_is_named() -> None:
    table = 'item="trick"\n[trick]\nleader="Leader"\ncards="Cards"\n'
    rows = "Leader,Cards\nNorth,2C 3C,5C\n"
    [(_, match)] = mapped_games(rows, map_of_toml(table))
    assert match.granted == ("'cell 3' is not read",)
