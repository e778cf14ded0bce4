"""Tests that searches find the same entries, in the same order, in both languages."""

import json
from pathlib import Path
from random import Random

import pytest

from refengine.lawbook.book import clauses
from refengine.lawbook.looking_up import search, terms_of
from refengine.lawbook.search_index import index_data, search_index
from tests.lawbook.test_word_search import TYPED
from tests.support.node import node_prints

pytestmark = pytest.mark.interpreted("about the source, which is carried over")
PROGRAM = """
const [script, data, queries] = JSON.parse(require("fs").readFileSync(0));
const found = new Function(`${script}; return refengineSearch;`)();
const index = found.madeIndex(data);
console.log(JSON.stringify(queries.map((one) => [found.termsOf(index, one),
  found.search(index, one, 10).map((entry) => [entry.number, entry.title,
    entry.says, entry.clauses, entry.address])])));
"""


def queries() -> list[str]:
    """Queries as people type them, with and without slips; titles, and odd queries."""
    rng = Random(18)
    typed = [query for query, _ in TYPED]
    wrong = []
    for query in typed:
        at = rng.randrange(len(query))
        wrong.append(query[:at] + rng.choice("eaxz ") + query[at + rng.randrange(2) :])
    titles = [one.title for one in clauses().values()][::4]
    odd = [
        "5.3",
        "HFR 8.3@1.0.0, please",
        "?",
        "",
        "  ",
        "Q\u2665 isn't out?",
        "\u00e9",
    ]
    return [*typed, *wrong, *titles, *odd]


def test_both_languages_find_the_same(rules: Path) -> None:
    script = rules.with_name("search.js").read_text("utf-8")
    given = json.dumps([script, index_data(), queries()])
    said = node_prints("-e", PROGRAM, given=given)
    for query, (terms, found) in zip(queries(), json.loads(said), strict=True):
        assert terms == list(terms_of(search_index(), query)), query
        assert found == [
            [one.number, one.title, one.says, list(one.clauses), one.address]
            for one in search(search_index(), query)
        ], query
