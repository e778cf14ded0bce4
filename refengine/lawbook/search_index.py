"""The search index: every clause, and questions that people ask about the rules."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import SPEC
from refengine.lawbook.in_short import in_short
from refengine.lawbook.looking_up import Entry, Index, made_index, search
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.reading import mentions, plain, read_book
from refengine.lawbook.spoken import spoken_options

_MOST_MEANT: Final = 4  # how many clauses `numbers_meant` returns at most
FILE: Final = Path(__file__).with_name("search_words.toml")
_HERE: Final = Path(__file__).resolve().parent
# A wheel has the disputes beside this module; a checkout has them with its tests.
DISPUTES: Final = next(
    path
    for path in (
        _HERE / "disputes.jsonl",
        _HERE.parents[1] / "tests" / "support" / "disputes.jsonl",
    )
    if path.exists()
)


def index_data() -> dict[str, Any]:
    """The data of the index, as plain JSON values.

    Each row of `entries` holds, in this order: the number of a clause, or an empty
    string for a question; its title, or the question; a short answer; the clauses that
    give the answer; the id of a dispute, or an empty string; phrases that people type
    to find it; its text; and its ruling and notes.
    """
    words = tomllib.loads(FILE.read_text("utf-8"))
    return {
        "same": words["same"],
        "forms": words["forms"],
        "idle": words["idle"].split(),
        "entries": [*_clauses(words["clauses"]), *_questions(words["questions"])],
    }


def _clauses(typed: dict[str, list[str]]) -> list[list[Any]]:
    said: dict[str, list[str]] = {number: [*words] for number, words in typed.items()}
    for option, one in spoken_options().items():
        said.setdefault(main_clauses()[option][0], []).extend([one.name, *one.also])
    for number, ruling in table_rulings().items():
        said.setdefault(number, []).extend(ruling.words)
    rows: list[list[Any]] = []
    for passage in read_book(SPEC):
        number = passage.number
        around = " ".join([passage.ruling, *passage.notes])
        text = plain(" ".join(passage.text.splitlines()))
        row = [number, passage.title, in_short(number), [number], ""]
        rows.append([*row, said.get(number, []), text, plain(around)])
    return rows


def _questions(asked: dict[str, list[str]]) -> list[list[Any]]:
    rows: list[list[Any]] = [
        ["", question, in_short(numbers[0]), numbers, "", [], "", ""]
        for question, numbers in asked.items()
    ]
    for number, one in table_rulings().items():
        words = " ".join(one.words)
        rows.append(["", one.question, in_short(number), [number], "", [], words, ""])
    for line in DISPUTES.read_text("utf-8").splitlines():
        found = json.loads(line)
        numbers = [*dict.fromkeys(mentions(found["ruling"]))]
        row = ["", found["question"], found["ruling"], numbers, found["id"]]
        rows.append([*row, [], found["ruling"], ""])
    return rows


@cache
def search_index() -> Index:
    """The search index of this book."""
    return made_index(index_data())


def search_book(query: str, most: int = 10) -> list[Entry]:
    """At most `most` clauses and questions that answer a query, the best first."""
    return search(search_index(), query, most)


def numbers_meant(words: str) -> list[str]:
    """The number that was typed, or the numbers of the clauses that best match `words`.

    A mark before a number, as in `§5.3`, is ignored. Words that find no clause, and a
    number that no clause has, are returned as they are.
    """
    typed = words.lstrip("§#").strip()
    if typed[:1].isdecimal() and " " not in typed:
        return [typed]
    found = [one.number for one in search_book(typed) if one.number]
    return found[:_MOST_MEANT] or [words]
