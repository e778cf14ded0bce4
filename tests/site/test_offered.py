"""What the page that rules offers: games, house rules, quarrels, and links to it."""

import json
from pathlib import Path
from typing import Any

import pytest

from booksite import links
from booksite.asking import asking_script
from booksite.chapters import asked
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.options import OPTIONS, option_named, value_text, value_typed
from refengine.lawbook.profiles import profile, profile_names

pytestmark = pytest.mark.interpreted("about the generator of the site, no part of it")


@pytest.fixture(scope="module")
def offered() -> Any:
    script = asking_script()
    assert script.startswith("window.REFENGINE_ASKING={")
    return json.loads(script.removeprefix("window.REFENGINE_ASKING=").rstrip(";\n"))


def test_every_game_is_offered_with_what_has_an_effect_in_it(offered: Any) -> None:
    games = {one["name"]: one for one in offered["games"]}

    assert tuple(games) == profile_names()
    assert games["common-hearts"]["players"] == [3, 4, 5]
    assert games["estmesh-hearts"]["players"] == [*range(3, 11)]
    assert games["common-hearts"]["values"]["first_trick_points"] == "barred"
    assert "kitty_to" not in games["common-hearts"]["counts"]
    assert "revoke_points" in games["heartsgame-tiles"]["counts"]


def test_every_house_rule_is_offered_in_words(offered: Any) -> None:
    rules = {one["name"]: one for one in offered["rules"]}

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


def test_every_quarrel_is_offered_with_what_has_to_be_known(offered: Any) -> None:
    quarrels = {one["number"]: one for one in offered["quarrels"]}

    assert list(quarrels) == list(table_rulings())
    trick, when = quarrels["10.14"]["ask"]
    assert trick[0] == "trick"
    assert when[2][0] == ["before", "before the next card was played"]


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("ask.html#ask=card&profile=common-hearts&hand=QS", ""),
        ("ask.html#ask=table&number=10.8", ""),
        ("ask.html#ask=hearts", "no such question"),
        ("ask.html#ask=card&profile=hearts", "no such profile"),
        ("ask.html#ask=table&number=10.1", "no such clause of chapter 10"),
    ],
)
def test_a_link_that_asks_names_what_there_is(
    tmp_path: Path, link: str, wrong: str
) -> None:
    links.page_at.cache_clear()
    (tmp_path / "ask.html").write_text("<html></html>")
    page = tmp_path / "index.html"
    page.write_text(f'<html><body><a href="{link.replace("&", "&amp;")}">?</a></body>')

    found = links.broken(tmp_path)

    assert found == ([f"index.html: {link}: {wrong}"] if wrong else [])


def test_a_clause_of_procedure_leads_to_its_ruling() -> None:
    found = asked(table_rulings()["10.8"])

    assert 'href="ask.html#ask=table&amp;number=10.8"' in found
