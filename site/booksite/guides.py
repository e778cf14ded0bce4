"""The guides of `docs/`, and the back of the book: the bulletin and the sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import groupby
from typing import Final

from booksite.elements import block, table
from booksite.games import ROOT
from booksite.marks import inline, paragraphs, source_link
from refengine.lawbook.book import SPEC

AT_THE_TABLE: Final = ("notation", "other-files")
"""The guides for those who write games down, by the names of their pages."""

FOR_ENGINES: Final = (
    *("adapters", "formats", "files", "learning", "bots", "rows", "published-sets"),
    "corpus",
)
"""The guides for those who have an engine or write a player."""

FOR_PYTHON: Final = ("cookbook", "server", "releases")
"""The guides for those who program with the library."""

GUIDES: Final = {
    name: f"docs/{name}.md" for name in (*AT_THE_TABLE, *FOR_ENGINES, *FOR_PYTHON)
} | {"corpus": "conformance/corpus/README.md"}
"""The file of each guide by the name of its page."""


def guide_page(name: str) -> str:
    """A guide, with a link to another guide wherever it names one."""
    text = (ROOT / GUIDES[name]).read_text("utf-8")
    for page, file in GUIDES.items():
        for named in (file, f"{page}.md"):
            text = text.replace(f"`{named}`", f"[{page}]({page}.md)")
    return text


def bulletin_page() -> str:
    """The rules bulletin, with its clause numbers linked."""
    lines = (SPEC / "CHANGES.md").read_text("utf-8").splitlines()
    parts = [
        line if line.startswith("#") else block(paragraphs(line)) for line in lines
    ]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def sources_page() -> str:
    """The sources, with an anchor for each."""
    parts: list[str] = []
    lines = (SPEC / "sources.md").read_text("utf-8").splitlines()
    for sign, group in groupby(lines, lambda line: line[:1]):
        if sign == "|":
            parts.append(_source_table(group))
        elif sign == "#":
            parts += group
        elif sign:
            parts += map(_source, group)
    return "\n".join(parts)


def _source_table(lines: Iterable[str]) -> str:
    rows = [[one.strip() for one in line.strip("|").split("|")] for line in lines]
    body = [[source_link(name), *map(inline, cells)] for name, *cells in rows[2:]]
    return block(table(map(escape, rows[0]), body, "", "Sources"))


def _source(line: str) -> str:
    named = re.match(r"\*\*([a-z][a-z0-9-]*)\*\*", line)
    html = paragraphs(line)
    return block(html.replace("<p>", f'<p id="{named[1]}">', 1) if named else html)
