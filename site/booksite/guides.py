"""The guides of `docs/`, and the pages of the book that are not chapters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from itertools import groupby
from typing import Final

from booksite.elements import block, table
from booksite.games import ROOT
from booksite.marks import clause_links, inline, paragraphs, source_link
from refengine.lawbook.book import SPEC, clauses

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


_OTHER_PAGES: Final = {
    "`ask.html`": '<a href="ask.html">Ask for a ruling</a>',
    "`spec/CHANGES.md`": "[*Rules bulletin*](bulletin.md)",
}
"""What guides call other pages of the site, and the links that take their place."""

_CODE: Final = re.compile(r"(```.*?^```|`[^`\n]+`)", re.DOTALL | re.MULTILINE)
_NUMBER: Final = r"[0-9]{1,2}\.[1-9][0-9]*[a-z]?"
_CITED: Final = re.compile(rf"([\[(])({_NUMBER}(?:, {_NUMBER})*)([\])])(?!\()")


def guide_page(name: str) -> str:
    """The Markdown of a guide, with links to the pages and clauses that it names."""
    text = _text_of(name)
    for page, file in GUIDES.items():
        title = _text_of(page).partition("\n")[0].removeprefix("# ")
        link_to = f"[*{title}*]({page}.md)"
        for named in (f"`{file}`", f"`{page}.md`", f"[{page}.md]({page}.md)"):
            text = text.replace(named, link_to)
        text = text.replace(f"](../{file})", f"]({page}.md)")
    for named, link_to in _OTHER_PAGES.items():
        text = text.replace(named, link_to)
    # Every second part is code, in which nothing is a link.
    parts = _CODE.split(text)
    parts[::2] = [_CITED.sub(_with_clauses, part) for part in parts[::2]]
    return "".join(parts)


def _text_of(name: str) -> str:
    """The Markdown of a guide as it stands in the checkout."""
    return (ROOT / GUIDES[name]).read_text("utf-8")


def _with_clauses(cited: re.Match[str]) -> str:
    """The numbers in a pair of brackets as links, if all of them are of clauses."""
    opening, numbers, closing = cited.groups()
    listed = numbers.split(", ")
    if not {*listed} <= clauses().keys():
        return cited[0]
    return f"{opening}{clause_links(listed)}{closing}"


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
    return _back_page("sources", source_link, "stack")


def _back_page(name: str, first: Callable[[str], str], css: str = "") -> str:
    """A page of the book; `first` formats the first cell in each row of a table.

    `css` is the class of its tables.
    """
    parts: list[str] = []
    lines = (SPEC / f"{name}.md").read_text("utf-8").splitlines()
    title = lines[0].removeprefix("# ")
    for sign, group in groupby(lines, lambda line: line[:1]):
        if sign == "|":
            parts.append(_table(group, first, css, title))
        elif sign == "#":
            parts += group
        elif sign:
            parts += map(_paragraph, group)
    return "\n".join(parts)


def _table(
    lines: Iterable[str], first: Callable[[str], str], css: str, label: str
) -> str:
    head, _, *rows = [
        [one.strip() for one in line.strip("|").split("|")] for line in lines
    ]
    body = [[first(name), *map(inline, cells)] for name, *cells in rows]
    return block(table(map(escape, head), body, css, label))


def _paragraph(line: str) -> str:
    """A line as a paragraph, with an anchor if the line is about a source."""
    named = re.match(r"\*\*([a-z][a-z0-9-]*)\*\*", line)
    html = paragraphs(line)
    return block(html.replace("<p>", f'<p id="{named[1]}">', 1) if named else html)
