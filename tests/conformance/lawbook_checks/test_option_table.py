"""Tests that rows missing from the table of options in 0.4 are added in its style."""

import re

import attrs
import pytest

from refengine.lawbook.book import SPEC
from refengine.lawbook.options import OPTIONS, Option
from refengine.lawbook.reading import read_chapter
from refengine_conformance.lawbook_checks.option_table import (
    FILE,
    cells,
    with_all_options,
)

BOOK = (SPEC / FILE).read_text("utf-8")
PASSAGES = [
    passage
    for path in sorted(SPEC.glob("[0-9]*-*.md"), key=lambda one: len(one.name))
    for passage in read_chapter(path.read_text("utf-8"), path.name)
]
ROWS = {
    row[0]: row[1:]
    for passage in PASSAGES
    for table in passage.tables
    if "main clauses" in table.header
    for row in table.rows
}
HEAD = "| option | values | base value | main clauses |\n| --- | --- | --- | --- |\n"
ALONE = {"queen_waits", "queen_duty", "survivor_takes_stock"}
"""Options that are read by one clause and named by no other."""


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_a_row_says_what_the_book_says_of_the_option(option: Option) -> None:
    values, base, _ = ROWS[option.name]
    assert cells(option) == (values.partition(", read ")[0], base)


def test_a_table_with_all_rows_stays_as_it_is() -> None:
    assert with_all_options(BOOK, OPTIONS, PASSAGES) == BOOK


@pytest.mark.parametrize("name", sorted(ALONE))
def test_a_missing_row_comes_where_the_engine_has_the_option(name: str) -> None:
    short = re.sub(rf"^\| {name} \|.*\n", "", BOOK, flags=re.MULTILINE)
    assert short != BOOK
    assert with_all_options(short, OPTIONS, PASSAGES) == BOOK


def test_a_row_of_no_option_and_one_that_comes_again_go_to_the_top() -> None:
    (row,) = re.findall(r"^\| ties \|.*\n", BOOK, re.MULTILINE)
    odd = "| rain | true, false | false | 9.5 |\n"
    found = with_all_options(BOOK.replace(row, row + odd + row), OPTIONS, PASSAGES)
    assert found == BOOK.replace(HEAD, HEAD + odd + row)


def test_a_new_option_gets_a_row_with_the_clause_that_reads_it() -> None:
    new = Option("ten_points", 0, least=-5, most=20)
    some = next(one for one in PASSAGES if one.number == "1.5b")
    reading = attrs.evolve(some, options=("ten_points",))
    found = with_all_options(BOOK, [*OPTIONS, new], [reading])
    row = "| ten_points | −5 to 20 | 0 | 1.5b |\n"
    assert found.replace(row, "") == BOOK
    assert f"read only without a limit | 1 | 9.4 |\n{row}\n" in found


def test_a_chapter_without_the_table_stays_as_it_is() -> None:
    assert with_all_options("## 0 Reading\n", OPTIONS, []) == "## 0 Reading\n"
