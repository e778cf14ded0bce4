"""The page of the matrix: the evidence for each clause, chapter by chapter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from booksite.elements import WIDE, described, listed, section, table
from booksite.marks import (
    CHAPTERS,
    chapter_title,
    clause_titled,
    inline,
    profile_said,
)
from refengine.lawbook.reading import PROCEDURE, chapter_of
from refengine_conformance.strength.matrix import (
    Counts,
    Row,
    class_counts_line,
    non_procedure_rows,
)

_COLUMNS: Final = {
    "class": "how strong the evidence is as a whole; where it is <em>reasoned</em>, "
    "the reason is given below",
    "fires in": "lines of the corpus in which the clause does something",
    "needed by": "lines that come out wrong when the clause is switched off",
    "+ −": "an act that is accepted (+) and one that is refused (−) by the clause in "
    "one line",
    "mutants": "changes of its functions that the corpus alone notices, of those that "
    "change anything",
    "proofs": "theorems about it",
    "meets": "other clauses met at one decision",
    "never": "clauses that it can never meet",
    "agrees": "an independent engine that decides it in the same way",
    "code": "the functions that claim it",
}


def matrix_page(rows: Sequence[Row]) -> str:
    """The page as Markdown, made from the rows of the matrix."""
    measured = non_procedure_rows(rows)
    title = "How strong the evidence for each clause is"
    parts = [WIDE, section(title, _opening(rows), level=1)]
    for number in CHAPTERS:
        found = [row for row in measured if chapter_of(row.number) == number]
        if found:
            title = f"Chapter {number}: {chapter_title(number)}"
            parts.append(section(title, _chapter(title, found)))
    parts.append(section("Reasons", _reasons(rows)))
    if people := [row for row in rows if row.level == PROCEDURE]:
        parts.append(section("Procedure", _procedure(people)))
    parts.append(section("By profile", _by_profile(rows)))
    return "\n".join(parts)


def _opening(rows: Sequence[Row]) -> str:
    return (
        f"<p>{escape(class_counts_line(rows))}.</p>"
        "<p>One row for each clause of the book, worked out by "
        "<code>make strength</code>. A wide table can be scrolled sideways, with the "
        f"arrow keys too.</p>{described(_COLUMNS.items())}"
    )


def _chapter(title: str, rows: Sequence[Row]) -> str:
    cells = map(_cells, rows)
    return table(["clause", *_COLUMNS], cells, "matrix", f"{title}, matrix")


def _cells(row: Row) -> list[str]:
    return [
        clause_titled(row.number),
        row.level,
        _number(row.fires),
        _number(len(row.necessary)),
        row.signs,
        row.killed,
        _number(len(row.theorems)),
        _number(len(row.meets)),
        _number(len(row.never)),
        escape(row.opinion),
        "<br>".join(map(_code, row.code)),
    ]


def _code(claim: str) -> str:
    """The name of a function, with a possible line break after each part."""
    name = escape(claim.partition(" ")[0])
    broken = re.sub("([._])", r"\1<wbr>", name)
    return f"<code>{broken}</code>"


def _number(number: int) -> str:
    return str(number or "")


def _reasons(rows: Sequence[Row]) -> str:
    return listed(
        f"{clause_titled(row.number)}: {inline(row.reason)}"
        for row in rows
        if row.level == "reasoned"
    )


def _procedure(rows: Sequence[Row]) -> str:
    words = "What people at a table do. No act of a game is judged by these clauses."
    return f"<p>{words}</p>{listed(clause_titled(row.number) for row in rows)}"


def _by_profile(rows: Sequence[Row]) -> str:
    names = sorted({name for row in rows for name in row.profiles})
    cells = [
        [
            clause_titled(row.number),
            *(_number(row.profiles.get(one, Counts()).necessary) for one in names),
        ]
        for row in rows
        if row.profiles
    ]
    head = ["clause", *map(profile_said, names)]
    return (
        "<p>How many lines of the corpus come out wrong without the clause, by their "
        f"profile.</p>{table(head, cells, 'wide matrix', 'Clauses by profile')}"
    )
