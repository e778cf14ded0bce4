"""Tests of the glossary (0.13), and of the clauses that a player may skip (0.14)."""

import re

import pytest

from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.reading import mentions, read_book

pytestmark = pytest.mark.interpreted("about the text of the book")

BOOK = {passage.number: passage for passage in read_book(SPEC)}
(WORDS,) = BOOK["0.13"].tables
LAW = " ".join(
    f"{passage.title} {passage.text}"
    for passage in BOOK.values()
    if passage.number != "0.13"
)


def test_the_glossary_is_in_the_order_of_the_alphabet_and_has_no_word_twice() -> None:
    words = [word.casefold() for word, _, _ in WORDS.rows]
    assert WORDS.header == ("word", "meaning", "clause")
    assert words == sorted(words)
    assert len({*words}) == len(words) > 50


@pytest.mark.parametrize(("word", "meaning", "number"), WORDS.rows)
def test_a_word_has_one_line_a_clause_and_a_place_in_the_book(
    word: str, meaning: str, number: str
) -> None:
    assert number in clauses()
    assert meaning
    assert not meaning.endswith(".")
    assert mentions(meaning) == ()
    assert re.search(rf"\b{re.escape(word)}(?:s|es|ed|ped)?\b", LAW, re.IGNORECASE)


@pytest.mark.parametrize(("word", "_meaning", "number"), WORDS.rows)
def test_the_clause_of_a_word_speaks_of_it(
    word: str, _meaning: str, number: str
) -> None:
    passage = BOOK[number]
    said = f"{passage.title} {passage.text}".casefold()
    stem = word.casefold().removesuffix("er").removesuffix("e")
    assert stem in said, f"{number} does not speak of {word}"


def test_the_clauses_for_judges_are_clauses_and_in_order() -> None:
    named = mentions(BOOK["0.14"].text)
    assert [number for number in clauses() if number in named] == [*named]
    assert {"0.7a", "0.8", "3.12", "4.11", "8.10", "9.8"} <= {*named}
