"""Tests that the cookbook shows the example files, and that each does what it says.

The code is run from the page, so that it is tried with compiled rules as well; mypy
reads the files, with everything else in `examples/`.
"""

import ast
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from refengine import (
    WHOLE_PACK,
    Card,
    Pass,
    Play,
    Ruleset,
    SeatRecord,
    Suit,
    cards,
    new_deal,
    new_match,
    public,
)
from refengine.json import load
from tests.support import places

PAGE = (places.DOCS / "cookbook.md").read_text("utf-8")
SHOWN: dict[str, str] = dict(
    re.findall(
        r"^`examples/cookbook/(\w+)\.py`\n\n```python\n(.*?)```",
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
)
RULESET = Ruleset("common-hearts")


def recipe(name: str) -> dict[str, Any]:
    """The namespace that results from running the code of a recipe."""
    names: dict[str, Any] = {"__name__": name}
    exec(compile(SHOWN[name], f"cookbook.md, {name}", "exec"), names)
    return names


# The page


@pytest.mark.interpreted("about the checkout")
def test_the_page_shows_every_file_as_it_is() -> None:
    folder = places.ROOT / "examples/cookbook"
    files = {
        path.stem: path.read_text("utf-8")
        for path in folder.glob("*.py")
        if path.stem != "__init__"
    }
    assert files == SHOWN
    assert PAGE.count("```python") == len(files)


@pytest.mark.interpreted("about the text of the page")
@pytest.mark.parametrize("name", SHOWN)
def test_a_recipe_uses_public_names_only(name: str) -> None:
    modules = {one for names in public.MODULES.values() for one in names}
    for node in ast.walk(ast.parse(SHOWN[name])):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        package, _, module = node.module.partition(".")
        if package == "refengine":
            assert not module or module in modules, node.module
        assert not any(one.name.startswith("_") for one in node.names)


@pytest.mark.unmeasured
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", SHOWN)
def test_a_recipe_is_a_whole_program(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "learn_with_a_mask":
        pytest.importorskip("pettingzoo")  # the extra rl
    exec(compile(SHOWN[name], name, "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out


# Bots


def test_the_rule_passes_and_plays_as_it_says() -> None:
    choose = recipe("rule_bot")["choose"]
    state = new_match(RULESET, dealer=0)
    state = state.apply(state.random_act(Random(1)))
    view = state.observe(1)
    passed = choose(view)
    assert isinstance(passed, Pass)
    hearts = view.hand.of_suit(Suit.HEARTS)
    feared = [*cards("QS"), *sorted(hearts, reverse=True)]
    wanted = [card for card in feared if card in view.hand][:3]
    assert set(wanted) <= set(passed.cards)


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("9C JC AC", "JC"),  # the highest that stays under the queen
        ("KC AC 2H", "KC"),  # no card stays under it: the lowest
        ("QS 2H AD", "QS"),  # none of the suit: what it fears most
        ("AH 2D KS", "AH"),
    ],
)
def test_the_rule_ducks_and_throws(hand: str, wanted: str) -> None:
    choose = recipe("rule_bot")["choose"]
    hands = ["2S 3S QC", hand, "4S 5S 6S", "7S 8S 9S"]
    ruleset = Ruleset("openspiel-hearts")
    state = new_deal(ruleset, hands, dealer=3, deal=4, leader=0)
    view = state.play("QC").observe(1)
    assert str(choose(view).card) == wanted


def test_the_bots_play_a_deal_to_its_score() -> None:
    rule = recipe("rule_bot")["play_deal"](RULESET, 2, 3)
    search = recipe("search_bot")["play_deal"](RULESET, 1, 2, 3)
    for state in (rule, search):  # 13 hearts and the queen, or a moon
        assert sum(state.score) in (26, 78)


def test_the_search_does_not_take_the_queen() -> None:
    """The ace would win the queen, at least 13 points; the two leaves it to seat 1."""
    choose = recipe("search_bot")["choose"]
    hands = ["4S 6H", "QS 7D", "5S 8D", "AS 2S"]
    ruleset = Ruleset("openspiel-hearts", options={"moon": "none"})
    state = new_deal(ruleset, hands, dealer=3, deal=4, leader=0)
    state = state.play("4S").play("QS").play("5S")
    assert choose(SeatRecord.of(state, 3), 5) == Play(3, "2S")


# Servers


def test_every_seat_is_told_what_it_may_know_and_nothing_else() -> None:
    table = recipe("table_server")["Table"](RULESET)
    answer = table.receive(0, '{"cut": "2C"}')
    assert set(answer) == {0}
    assert "until cards are dealt" in json.loads(answer[0])["error"]
    made = table.deal()
    assert table.state.phase == "pass"
    for seat, text in made[-1].items():
        told = json.loads(text)
        assert set(told["view"]["hand"].split()) == set(
            map(str, table.state.hands[seat])
        )
        assert "act" not in told["event"]
    before = table.state
    for text in ('{"play": "2C"}', "no json", '{"pass": "2C"}'):
        answer = table.receive(1, text)
        assert set(answer) == {1}
        assert set(json.loads(answer[1])) == {"error"}
    assert table.state == before
    packet = " ".join(map(str, list(before.hands[1])[:3]))
    answers = table.receive(1, json.dumps({"pass": packet}))
    assert set(answers) == {0, 1, 2, 3}
    shown = {
        seat for seat, text in answers.items() if "act" in json.loads(text)["event"]
    }
    assert shown == {1}
    assert json.loads(table.welcome(1))["view"]["passed"].split() == packet.split()


def test_a_match_goes_on_from_its_file_and_is_taken_back(tmp_path: Path) -> None:
    names = recipe("saved_match")
    path = tmp_path / "match.jsonl"
    first = names["go_on"](path, 8, Random(1))
    assert load(path) == first
    second = names["go_on"](path, 3, Random(2))
    assert second.acts[:8] == first.acts
    assert len(second.acts) == 11
    assert names["take_back"](path, 3) == load(path) == first
    line = names["line_of_a_moment"]()
    assert line.isascii()
    assert line.startswith("common-hearts/4@")


# Learning


@pytest.mark.unmeasured
def test_what_is_learned_beats_its_opposite_on_other_cards() -> None:
    pytest.importorskip("pettingzoo")  # the extra rl
    names = recipe("learn_with_a_mask")
    found = names["learn"](tries=4, tables=64, seed=1)
    points = names["points"]
    assert points(found, 256, 2) < points(-found, 256, 2)


# Checking logs


def test_a_game_is_judged_and_its_rules_are_found() -> None:
    """Seat 1 has no club, so its queen is barred from the first trick by 5.5 alone."""
    names = recipe("judge_games")
    headline, *_, right = names["report"](names["GAME"])
    assert headline.startswith("card 2: Seat 1 may not play QS: 5.5 ")
    assert "estmesh-hearts" in right  # which lets points go to the first trick
    assert "openspiel-hearts" not in right  # which does not
    assert names["broken_clauses"]([names["GAME"]] * 2) == {"5.5": 2}


def test_a_game_that_is_right_and_one_that_is_none() -> None:
    """Estmesh allows points on the first trick: the queen costs 13, three hearts 3."""
    names = recipe("judge_games")
    right = names["GAME"].replace(b"common-hearts", b"estmesh-hearts")
    assert list(names["report"](right)) == ["everything in it is right"]
    wrong = right.replace(b"[0, 0, 13, 3]", b"[0, 0, 13, 4]")
    stated, _ = names["report"](wrong)
    assert stated == "end.score: expected [0,0,13,4], found [0,0,13,3]"
    (said,) = names["report"](b"{}")
    assert said.startswith("cannot be read: ")


def test_a_foreign_game_is_read_and_judged() -> None:
    names = recipe("foreign_log")
    text = names["TEXT"]
    read = json.loads(names["log_line"](text))
    assert read["setup"]["hands"] == ["2C 3H", "QS 4H", "TC 2H", "3C 5H"]
    assert read["plays"].split()[:4] == ["2C", "QS", "TC", "3C"]
    assert names["judged"](text).fits
    revoked = text.replace("♠Q ♣10 ♣3 ♥2 ♥5", "♠Q ♥2 ♣3 ♣10 ♥5")
    assert names["judged"](revoked).clauses == ("5.3",)


def test_a_game_of_openspiel_is_judged_from_its_numbers() -> None:
    score = recipe("foreign_log")["openspiel_score"]
    order = Random(4).sample(list(WHOLE_PACK), 52)
    hands = [" ".join(map(str, order[seat::4])) for seat in range(4)]
    ruleset = Ruleset("openspiel-hearts", options={"pass_cycle": ["hold"]})
    state = new_deal(ruleset, hands, dealer=3)
    played = []
    while state.score is None:
        card = min(state.legal.cards)
        played.append(card)
        state = state.play(card)
    line = [0, *map(action, order), *map(action, played)]
    assert score(" ".join(map(str, line))) == state.score
    line[53] = action(played[-1])
    assert score(" ".join(map(str, line))) is None


def action(card: Card) -> int:
    """The number of a card in OpenSpiel, by rank and then by suit (C, D, H, S)."""
    return "23456789TJQKA".index(str(card)[0]) * 4 + "CDHS".index(str(card)[1])


# House rules


def test_the_club_plays_what_its_file_says(tmp_path: Path) -> None:
    names = recipe("house_rules")
    club = names["friday"](tmp_path)
    assert club == RULESET.having(queen_waits="lead", limit=50)
    assert club.citation.endswith(" queen_waits=lead limit=50")
    assert names["shorter"](club).options["limit"] == 25


def test_what_excludes_each_other_is_refused_with_its_clause() -> None:
    why = recipe("house_rules")["why_impossible"]
    assert why("common-hearts", limit=50) == ()
    assert why("common-hearts", limit=50, exact_limit_becomes=50) == ("9.8a",)


# Explaining


def test_a_refusal_is_explained_and_changes_nothing() -> None:
    names = recipe("why_not")
    state = new_deal(RULESET, names["HANDS"], dealer=3, deal=4).play("2C")
    after, said = names["try_play"](state, 1, "QS")
    assert after is state
    assert "5.3" in said
    assert "whoever can follow suit must" in said
    assert not re.search(r"5C|3C|2H|of hearts", said)  # in hands that seat 1 cannot see
    assert names["try_play"](state, 1, "4C") == (state.play("4C"), "")
    assert names["card_by_card"](state, 1, "QS") == {"4C": "yes", "QS": "no"}
    assert "first_trick_points" in names["options_behind"](state, 1, "QS")
