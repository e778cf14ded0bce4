"""Tests of the cases on chapter pages, and of clauses that a table never uses."""

import json
import re
from html import unescape
from typing import Any

import pytest

from booksite.cases import Case, cases, needed_words, used_where
from booksite.chapters import chapter_page
from refengine.errors import Malformed
from refengine.game.rulesets import Ruleset
from refengine.lawbook.book import clauses
from refengine.lawbook.options import Value, option_named, value_text, value_typed
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.answers import Answer, answer_fields
from refengine.rulings.asking.ask import answer
from refengine_conformance.tables.corpus_lines import corpus_lines

pytestmark = pytest.mark.interpreted("about the generator of the site, no part of it")


def cited(found: Answer) -> set[str]:
    return {one["clause"] for one in answer_fields(found).get("cited", [])}


def named(case: Case) -> str:
    return "-".join((*case.clauses, *case.also))


def holds(value: Value, wanted: list[str]) -> bool:
    if isinstance(value, tuple):
        return not set(value).isdisjoint(wanted)
    if isinstance(value, int) and not isinstance(value, bool):
        return "number" in wanted or ("+" in wanted and value != 0)
    return value_text(value) in wanted


def used(number: str, ruleset: Ruleset) -> bool:
    wanted = used_where().get(number, {})
    return all(holds(ruleset.options[name], some) for name, some in wanted.items())


@pytest.mark.parametrize("case", cases(), ids=named)
def test_a_case_is_answered_by_its_clauses(case: Case) -> None:
    found = cited(answer(case.answered))
    assert set(case.clauses) <= found
    assert not set(case.also) & found
    assert {*case.clauses, *case.also} <= set(clauses())
    assert case.asked.endswith("?")
    for number in case.also:
        assert used(number, case.table)


def test_a_case_of_every_number_of_players_is_as_long_as_they_are() -> None:
    for case in cases():
        for players, asked in case.questions.items():
            for key in {"taken", "totals", "tricks"} & set(asked):
                assert len(asked[key]) == int(players)
    trick = next(case for case in cases() if "5.10" in case.clauses).questions
    assert trick["3"]["trick"] == "9C QC KH"
    assert trick["4"]["trick"] == "9C QC KH 3C"


def test_what_a_clause_needs_are_options_and_their_values() -> None:
    for number, wanted in used_where().items():
        assert number in clauses()
        for name, values in wanted.items():
            option = option_named(name)
            for text in set(values) - {"number", "+"}:
                option.read(value_typed(option, text))
            assert ("number" in values or "+" in values) <= (option.least is not None)


def test_no_game_of_the_corpus_needs_a_clause_that_its_table_never_uses() -> None:
    needed = 0
    for line in corpus_lines():
        for number in set(line.necessary) & set(used_where()):
            needed += 1
            assert used(number, line.ruleset), (line.id, number)
    assert needed > 1000


def test_no_answer_rests_on_a_clause_that_its_table_never_uses() -> None:
    """In no profile does a case depend on a clause that the profile never uses."""
    rested: set[str] = set()
    for name in profile_names():
        table = Ruleset(name)
        for case in cases():
            question = case.question(table.players)
            try:
                found = answer({**question, "rules": {"profile": name}})
            except Malformed:
                continue
            said = [*found.why, *found.follows]
            numbers = {number for one in said for number in one.clauses}
            for number in numbers & set(used_where()):
                rested.add(number)
                assert used(number, table), (name, case.asked, number)
    assert {"4.4", "5.5a", "8.3"} <= rested


def test_what_turns_a_clause_on_is_in_words() -> None:
    assert needed_words("first_trick_points", ["barred"]) == (
        "Points on the first trick: no"
    )
    assert needed_words("exact_limit_becomes", ["number"]) == (
        "A total of exactly the limit: becomes any number"
    )
    assert needed_words("pass_cycle", ["left", "right", "across"]) == (
        "To whom cards are passed: left, right, or across"
    )


def test_a_page_has_its_cases_with_answers_questions_and_needs() -> None:
    page = chapter_page("8", [])
    moon = page[page.index("## 8.3 ") : page.index("### 8.3a")]

    assert "Seat 0 shot the moon: the others pay 26 each." in moon
    asked: Any = json.loads(unescape(re.findall(r'data-case="([^"]*)"', moon)[0]))
    assert set(asked) == {str(players) for players in range(2, 14)}
    needs = json.loads(unescape(re.findall(r'data-needs="([^"]*)"', moon)[0]))
    assert needs[0][0] == "moon"
    (asks,) = re.findall(r'class="ask-it" href="ask.html#([^"]*)"', moon)
    assert asks.startswith("ask=score&amp;profile=")


def test_a_row_of_a_table_of_examples_is_asked_as_it_stands() -> None:
    page = chapter_page("6", [])
    rows = [
        json.loads(unescape(found))[""]
        for found in re.findall(r'<li data-case="([^"]*)"><div class="there"', page)
    ]

    assert {"ask": "draw", "hand": "4D QS", "trick": "2C"} in rows
    assert {"ask": "draw", "hand": "4D QS", "trick": "2C", "stock": 0} in rows
    assert {"ask": "draw", "hand": "4D 7S", "trick": "2C 5C", "drew": "4D"} in rows
    assert {"ask": "draw", "hand": "2H", "first_trick": True} in rows
