"""Tests that the forty sample questions are complete and answered by the book."""

import json
import re
import tomllib
from collections import Counter
from datetime import date
from typing import Any

import pytest

from booksite.question_address import question_address
from refengine import Card, CardSet, Ruleset
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import KINDS
from tests.support import places
from tests.support.asking import column
from tests.support.node import node_prints

FILE = places.ROOT / "site" / "questions.toml"
QUESTIONS: list[dict[str, Any]] = tomllib.loads(FILE.read_text("utf-8"))["question"]
ANSWERED_BY = {"verdict", "play", "scores", "line", "says"}


def sources() -> dict[str, str]:
    """The rows of the table of sources by their ids."""
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


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_a_question_is_answered_as_the_chapters_were_read(one: dict[str, Any]) -> None:
    found = answer(one["ask"])
    everything = " ".join(found.text.split()).lower()
    for words in one.get("line", ()):
        assert re.search(words.lower(), found.headline.lower())
    for words in one.get("says", ()):
        assert re.search(words.lower(), everything)
    if "verdict" in one:
        assert found.verdict == one["verdict"]
    if "play" in one:
        may = [str(card.card) for card in found.cards if card.word == "yes"]
        assert " ".join(may) == one["play"]
    if "scores" in one:
        assert column(found, "this deal") == one["scores"]
    assert {*one["clauses"]} <= {*found.clauses}


@pytest.mark.parametrize(
    ("question", "address"),
    [
        (
            {
                "ask": "score",
                "rules": {
                    "profile": "estmesh-hearts",
                    "players": 4,
                    "options": {"moon": "choice_one", "pass_cycle": ["left"]},
                },
                "taken": ["QS 2H", "", "", ""],
                "reached": True,
                "choice": 1,
            },
            "ask=score&profile=estmesh-hearts&players=4&moon=choice_one"
            "&pass_cycle=left,&taken=QS+2H///&reached=yes&choice=1",
        ),
        (
            {"ask": "table", "number": "10.14", "answers": {"trick": "no"}},
            "ask=table&number=10.14&if.trick=no",
        ),
        (
            {"ask": "opening", "rules": {"profile": "spot-hearts"}, "players": 5},
            "ask=opening&profile=spot-hearts&people=5",
        ),
        (
            {
                "ask": "score",
                "rules": {
                    "profile": "common-hearts",
                    "options": {"revokes": "penalised"},
                },
                "taken": ["QS", "", "", ""],
                "revokes": [1, 1],
            },
            "ask=score&profile=common-hearts&rule.revokes=penalised"
            "&taken=QS///&revokes=1/1",
        ),
        (
            {
                "ask": "end",
                "rules": {"profile": "openspiel-hearts", "options": {"deals": 5}},
                "totals": [13, 5, -8, 8],
                "deals": 3,
            },
            "ask=end&profile=openspiel-hearts&rule.deals=5&totals=13/5/-8/8&deals=3",
        ),
        (
            {"ask": "turn", "rules": {"profile": "black-maria"}, "dealer": 2},
            "ask=turn&profile=black-maria&dealer=2",
        ),
        (
            {
                "ask": "opening",
                "rules": {"profile": "spot-hearts"},
                "players": 3,
                "hands": [17, 17, 18],
            },
            "ask=opening&profile=spot-hearts&people=3&hands=17/17/18",
        ),
    ],
    ids=[
        *("score", "table", "opening", "a rule and a key, revokes"),
        *("a rule and a key, deals", "dealer", "hands"),
    ],
)
def test_a_question_has_an_address_that_the_page_reads(
    question: dict[str, Any], address: str
) -> None:
    """The page reads the question from it, and again from the one that it writes."""
    assert question_address(question) == f"ask.html#{address}"
    program = (
        "globalThis.window = {}; require(process.argv[1]);"
        "const { read, write } = window.question; const one = read(process.argv[2]);"
        "console.log(JSON.stringify([one, read(write(one))]))"
    )
    script = places.ROOT / "site" / "static" / "question.js"
    said = node_prints("-e", program, str(script), address)
    assert json.loads(said) == [question, question]
