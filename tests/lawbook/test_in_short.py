"""Tests of the short form of each clause, which is one plain sentence."""

import re

import pytest

from refengine import Malformed
from refengine.lawbook.book import clauses
from refengine.lawbook.in_short import in_short
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile_names
from refengine.lawbook.reading import mentions
from refengine.lawbook.spoken import clauses_in_short

LONGEST = 140
BOOK_WORDS = {"MUST", "NOT", "MAY", "QS", "TD"}
"""Words in capitals that a sentence may have because it explains them."""


def test_every_clause_has_its_sentence_in_the_order_of_the_book() -> None:
    assert list(clauses_in_short()) == list(clauses())
    assert len(set(clauses_in_short().values())) == len(clauses())


@pytest.mark.parametrize("number", [*clauses()])
def test_a_sentence_is_short_and_plain(number: str) -> None:
    said = in_short(number)
    assert 0 < len(said) <= LONGEST
    assert said[0].isupper()
    assert re.fullmatch(r"[^.!?`\[\]]+\.", said)
    assert mentions(said) == ()
    words = re.findall(r"[\w-]+", said)
    names = [*profile_names(), *(one.name for one in OPTIONS)]
    assert not {*words} & {name for name in names if not name.isalpha()}
    assert not any("_" in word for word in words)
    assert {word for word in words if word.isupper() and len(word) > 1} <= BOOK_WORDS


def test_a_clause_that_is_not_there_has_no_sentence() -> None:
    with pytest.raises(Malformed, match="number of a clause"):
        in_short("5.99")
