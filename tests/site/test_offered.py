"""Tests of the choices on the ruling page: games, house rules and disputes."""

import pytest

from booksite.asking import offered
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.options import OPTIONS, option_named, value_text, value_typed
from refengine.lawbook.profiles import profile, profile_names

pytestmark = pytest.mark.interpreted("about the generator of the site, no part of it")


DATA = offered()


def test_every_game_is_offered_with_what_has_an_effect_in_it() -> None:
    games = {one["name"]: one for one in DATA["games"]}

    assert tuple(games) == profile_names()
    assert games["common-hearts"]["players"] == [3, 4, 5]
    assert games["estmesh-hearts"]["players"] == [*range(3, 11)]
    assert games["common-hearts"]["values"]["first_trick_points"] == "barred"
    assert "kitty_to" not in games["common-hearts"]["counts"]
    assert "revoke_points" in games["heartsgame-tiles"]["counts"]


def test_every_house_rule_is_offered_in_words() -> None:
    rules = {one["name"]: one for one in DATA["rules"]}

    assert list(rules) == [one.name for one in OPTIONS]
    for name, rule in rules.items():
        option = option_named(name)
        for typed, said in rule["values"]:
            assert value_text(value_typed(option, typed)) == typed
            assert said
        for one in map(profile, profile_names()):
            typed = value_text(one.options[name])
            is_number = rule["least"] is not None and typed.lstrip("-").isdigit()
            assert is_number or typed in [value for value, _ in rule["values"]]
    assert rules["limit"]["chapters"] == ["9"]
    assert rules["queen_points"]["most"] == 1000
    assert rules["pass_cycle"]["list"]


def test_every_quarrel_is_offered_with_what_has_to_be_known() -> None:
    quarrels = {one["number"]: one for one in DATA["quarrels"]}

    assert list(quarrels) == list(table_rulings())
    trick, when = quarrels["10.14"]["ask"]
    assert trick[0] == "trick"
    assert when[2][0] == ("before", "before the next card was played")
