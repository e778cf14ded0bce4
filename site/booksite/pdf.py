"""The volume as PDF, set by Typst.

Typst brings its own fonts and takes the date from the edition, so that the same book
has the same bytes on every machine and on every day.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from booksite.volume import SUBTITLE, TITLE, Edition, Page, with_links

LOOK: Final = Path(__file__).resolve().parent.parent / "book" / "book.typ"


def write_pdf(pages: Sequence[Page], edition: Edition, work: Path, file: Path) -> None:
    """Write the PDF; `work` is a folder for what the typesetter reads.

    Raises ImportError if Typst is not installed.
    """
    import typst

    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(LOOK, work)
    (work / "book.xml").write_text(book_xml(pages, edition), "utf-8")
    made = typst.compile(
        work / LOOK.name, root=work, format="pdf", ignore_system_fonts=True
    )
    file.write_bytes(made)


def book_xml(pages: Sequence[Page], edition: Edition) -> str:
    """The volume as one XML document, in which each link is the name of its target."""
    said = {
        "title": TITLE,
        "subtitle": SUBTITLE,
        "edition": edition.line,
        "colophon": "\n".join(edition.colophon),
        "year": str(edition.dated.year),
        "month": str(edition.dated.month),
        "day": str(edition.dated.day),
    }
    body = "".join(map(_page_xml, pages))
    return f"<book {_attributes(said)}>{body}</book>\n"


def _page_xml(page: Page) -> str:
    parts = "".join(
        f"<part {_attributes({'anchor': one.anchor, 'title': one.title})} "
        f'level="{one.level}">{with_links(one.body, _address)}</part>'
        for one in page.parts
    )
    return f'<page name="{page.name}">{parts}</page>'


def _address(page: str, anchor: str) -> str:
    return f"#{anchor or page}"


def _attributes(values: dict[str, str]) -> str:
    return " ".join(
        f'{name}="{escape(value).replace(chr(10), "&#10;")}"'
        for name, value in values.items()
    )
