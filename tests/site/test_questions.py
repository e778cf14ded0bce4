"""The forty questions as people ask them: that each is whole and can be asked."""

import re
import tomllib
from collections import Counter
from datetime import date
from typing import Any

import pytest

from refengine import Card, CardSet, Ruleset
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.questions import KINDS
from tests.support import places

FILE = places.ROOT / "site" / "questions.toml"
QUESTIONS: list[dict[str, Any]] = tomllib.loads(FILE.read_text("utf-8"))["question"]
ANSWERED_BY = {"verdict", "play", "scores", "line", "says"}


def sources() -> dict[str, str]:
    """The lines of the table of sources by their ids."""
    rows = (SPEC / "sources.md").read_text("utf-8").splitlines()
    return {row.split(" | ")[0][2:]: row for row in rows if row.startswith("| ")}


def named(one: dict[str, Any]) -> str:
    return str(one["id"])


def test_there_are_forty_and_every_kind_occurs() -> None:
    asked = Counter(one["ask"]["ask"] for one in QUESTIONS)

    assert len({named(one) for one in QUESTIONS}) == len(QUESTIONS) == 40
    assert set(asked) == set(KINDS)
    assert asked["table"] >= 5


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_a_question_says_where_it_was_asked(one: dict[str, Any]) -> None:
    found = re.fullmatch(r"https?://[\w.-]+/\S*", one["from"])
    assert found or "not found again" in sources()[one["from"]]
    assert date(2026, 11, 20) < one["read"] < date(2027, 1, 1)
    assert one["asked"].endswith(("?", "."))
    assert one["because"].endswith(".")


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_an_answer_cites_clauses_of_the_book(one: dict[str, Any]) -> None:
    assert one["clauses"]
    assert set(one["clauses"]) <= set(clauses())
    assert set(one) & ANSWERED_BY


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_a_question_can_be_put(one: dict[str, Any]) -> None:
    ask = one["ask"]
    if ask["ask"] == "table":
        said = table_rulings()[ask["number"]].outcome(ask["answers"])
        assert set(one["clauses"]) <= set(said.clauses)
        return
    rules = ask["rules"]
    assert rules["profile"] in profile_names()
    if "players" in rules:
        Ruleset(rules["profile"], rules["players"], rules.get("options", {}))
    hand = CardSet(ask.get("hand", ""))
    if "card" in ask:
        assert Card(ask["card"]) in hand
    for cards in [ask.get("trick", ""), *ask.get("taken", [])]:
        assert len(CardSet(cards)) == len(cards.split())
    assert CardSet(one.get("play", "")) <= hand
    if "scores" in one:
        assert len(one["scores"]) == len(ask["taken"]) == rules["players"]
