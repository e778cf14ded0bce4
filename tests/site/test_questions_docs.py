"""Tests that docs/questions.md names all kinds and keys, and that its examples run."""

import doctest
import json
import re
import shlex

import pytest

from refengine.rulings.asking.answers import answer_fields
from refengine.rulings.asking.ask import answer
from refengine.rulings.asking.questions import KINDS, MOMENTS, NEEDED
from tests.support import places
from tests.support.commands import Runner

PAGE = places.DOCS / "questions.md"
TEXT = PAGE.read_text("utf-8")
SECTIONS = re.findall(r"^### (.*?)\n(.*?)(?=^##)", TEXT, re.DOTALL | re.MULTILINE)
ROWS = {
    kind: {
        name: (bool(star), form)
        for name, star, form in re.findall(
            r"^\| `(\w+)`( \*)? \| (\w+) \|", body, re.MULTILINE
        )
    }
    for head, body in SECTIONS
    for kind in re.findall(r"`(\w+)`", head)
}
BLOCKS = re.findall(r"```json\n(.*?)\n```", TEXT, re.DOTALL)
COMMANDS = re.findall(r"^refengine (explain .*)$", TEXT, re.MULTILINE)


@pytest.mark.parametrize("kind", KINDS)
def test_the_keys_of_a_question_are_on_the_page(kind: str) -> None:
    found = dict(ROWS[kind])
    if kind != "card" and "card" in found:
        del found["card"]
    assert {name: form for name, (_, form) in found.items()} == KINDS[kind]
    assert {name for name, (must, _) in found.items() if must} == set(NEEDED[kind])


def test_the_page_has_no_other_kinds_and_every_form_and_moment() -> None:
    assert set(ROWS) == set(KINDS)
    forms = {form for keys in KINDS.values() for form in keys.values()}
    table = TEXT.partition("### The forms")[2].partition("## An answer")[0]
    named = re.findall(r"^\| ([\w, ]+) \|", table, re.MULTILINE)
    assert {one for names in named for one in names.split(", ")} - {"form"} == forms
    assert all(f"`{moment}`" in TEXT for moment in MOMENTS)


def test_the_examples_are_answered_as_the_page_says() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried) == (0, 4)
    first, score, rows, columns = map(json.loads, BLOCKS)
    assert answer(first).headline.startswith("In deal 3 seat 0 passes 3 cards")
    found = answer_fields(answer(score))
    assert f"`{found['headline']}`" in TEXT
    assert (found["rows"], found["columns"]) == (rows, columns)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_the_page_answers_with_the_keys_of_the_page(
    words: str, run: Runner
) -> None:
    code, out, _ = run(*shlex.split(words), "--json")
    table = TEXT.partition("## An answer")[2]
    assert code == 0
    for key in json.loads(out):
        assert f"`{key}`" in table


def test_the_page_shows_each_way_to_ask() -> None:
    assert len(COMMANDS) == 9
