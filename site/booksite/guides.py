"""The guides of `docs/`, and the pages of the book that are not chapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from itertools import groupby
from typing import Final

from booksite.elements import block, table
from booksite.games import ROOT
from booksite.marks import inline, paragraphs, source_link
from refengine.lawbook.book import SPEC

AT_THE_TABLE: Final = ("rulings", "irregularities", "notation", "other-files")
"""The guides for players and referees, by the names of their pages."""

FOR_ENGINES: Final = (
    *("adapters", "formats", "files", "learning", "bots", "rows", "published-sets"),
    *("corpus", "evidence"),
)
"""The guides for those who have an engine or write a player."""

FOR_PROGRAMS: Final = (
    *("installing", "cookbook", "questions", "javascript", "server", "releases"),
)
"""The guides for those who program with the library."""

GUIDES: Final = {
    name: f"docs/{name}.md" for name in (*AT_THE_TABLE, *FOR_ENGINES, *FOR_PROGRAMS)
} | {"corpus": "conformance/corpus/README.md"}
"""The file of each guide by the name of its page."""


def guide_page(name: str) -> str:
    """The Markdown of a guide, with links where it names the files of guides."""
    text = (ROOT / GUIDES[name]).read_text("utf-8")
    for page, file in GUIDES.items():
        for named in (file, f"{page}.md"):
            text = text.replace(f"`{named}`", f"[{page}]({page}.md)")
        text = text.replace(f"](../{file})", f"]({page}.md)")
    return text


def bulletin_page() -> str:
    """The rules bulletin, with its clause numbers linked."""
    return _back_page("CHANGES", inline)


def open_questions_page() -> str:
    """The page of points on which this edition contradicts itself or says nothing.

    Clause numbers are linked.
    """
    return _back_page("open-questions", inline)


def sources_page() -> str:
    """The page of sources, on which each source has an anchor."""
    return _back_page("sources", source_link)


def _back_page(name: str, first: Callable[[str], str]) -> str:
    """A page of the book; `first` formats the first cell in each row of a table."""
    parts: list[str] = []
    lines = (SPEC / f"{name}.md").read_text("utf-8").splitlines()
    title = lines[0].removeprefix("# ")
    for sign, group in groupby(lines, lambda line: line[:1]):
        if sign == "|":
            parts.append(_table(group, first, title))
        elif sign == "#":
            parts += group
        elif sign:
            parts += map(_paragraph, group)
    return "\n".join(parts)


def _table(lines: Iterable[str], first: Callable[[str], str], label: str) -> str:
    head, _, *rows = [
        [one.strip() for one in line.strip("|").split("|")] for line in lines
    ]
    body = [[first(name), *map(inline, cells)] for name, *cells in rows]
    return block(table(map(escape, head), body, "", label))


def _paragraph(line: str) -> str:
    """A line as a paragraph, with an anchor if the line is about a source."""
    named = re.match(r"\*\*([a-z][a-z0-9-]*)\*\*", line)
    html = paragraphs(line)
    return block(html.replace("<p>", f'<p id="{named[1]}">', 1) if named else html)
