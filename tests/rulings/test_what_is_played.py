"""Tests of the plain values that say what a table plays."""

from refengine import OPTIONS, Ruleset, profile_names
from refengine.rulings.asking.what_is_played import described, described_profiles


def test_a_table_is_described_option_by_option() -> None:
    told = described(Ruleset("spot-hearts", 4, {"first_trick_points": "barred"}))
    assert (told["profile"], told["players"]) == ("spot-hearts", 4)
    assert [one["option"] for one in told["options"]] == [one.name for one in OPTIONS]
    barred = next(
        one for one in told["options"] if one["option"] == "first_trick_points"
    )
    assert barred == {
        "option": "first_trick_points",
        "value": "barred",
        "name": "Points on the first trick",
        "said": "no",
        "meaning": "cards that cost points are kept out of the first trick",
        "clause": "5.5",
    }


def test_every_profile_is_described() -> None:
    told = described_profiles()
    assert tuple(one["profile"] for one in told) == profile_names()
    maria = next(one for one in told if one["profile"] == "black-maria")
    assert (maria["title"], maria["players"]) == ("Black Maria", [3, 4])
