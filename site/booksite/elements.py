"""The parts of pages: elements, links, lists and tables in HTML, and scripts.

What goes into an element is already HTML; the values of attributes are plain text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

WIDE: Final = "---\nhide-toc: true\n---\n"
"""The beginning of a page that has no list of its headings at the side."""


def element(name: str, inside: str = "", css: str = "", **attributes: object) -> str:
    """An HTML element; a class or attribute whose value is empty is left out."""
    given = {"class": css, **attributes}
    written = "".join(
        f' {key.replace("_", "-")}="{escape(str(value))}"'
        for key, value in given.items()
        if value != ""
    )
    return f"<{name}{written}>{inside}</{name}>"


def link(address: str, words: str, css: str = "", title: str = "") -> str:
    """A link; `title` is what it shows on hover."""
    return element("a", words, css, href=address, title=title)


def soft(words: str) -> str:
    """The words as HTML in less prominent type."""
    return element("span", words, "soft")


def listed(entries: Iterable[str], css: str = "", name: str = "ul") -> str:
    """A list with these entries."""
    return element(name, "".join(f"<li>{one}</li>" for one in entries), css)


def described(pairs: Iterable[tuple[str, str]]) -> str:
    """A description list in HTML, made of names and their descriptions."""
    rows = "".join(f"<div><dt>{name}</dt><dd>{said}</dd></div>" for name, said in pairs)
    return element("dl", rows, "facts")


def titled(name: str, css: str, title: str, inside: str) -> str:
    """A section of a page under a small heading."""
    return element(name, f"<h4>{title}</h4>{inside}", css)


def copied(text: str) -> str:
    """A citation, and a button that copies it."""
    return (
        f'<code class="cite">{text}</code> '
        f'<button type="button" class="copy" data-copy="{text}">Copy</button>'
    )


# Tables


def row(cells: Sequence[str], first: str = "<td>", anchor: str = "") -> str:
    """A row of a table; `first` is the tag that opens its first cell."""
    begun = f"{first}{cells[0]}</{first[1:3]}>"
    others = "".join(f"<td>{one}</td>" for one in cells[1:])
    return element("tr", begun + others, id=anchor)


def head_and_body(
    head: Iterable[str], rows: Iterable[str], column: str = '<th scope="col">'
) -> str:
    """The contents of a table, from the cells of its head and its finished rows."""
    top = "".join(f"{column}{one}</th>" for one in head)
    return f"<thead><tr>{top}</tr></thead><tbody>{''.join(rows)}</tbody>"


def named_rows(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """The contents of a table whose first column names its rows."""
    return head_and_body(head, (row(one, '<th scope="row">') for one in rows))


def table(
    head: Iterable[str], rows: Iterable[Sequence[str]], css: str, label: str
) -> str:
    """A table whose first column names its rows; a wide one scrolls within the page.

    The label tells users of a screen reader what the table is.
    """
    inside = element("table", named_rows(head, rows))
    css = f"table-wrapper {css}"
    return element("div", inside, css, tabindex=0, role="region", aria_label=label)


# Pages of Markdown, and scripts


def block(html: str) -> str:
    """HTML as one block of a Markdown page: nothing in it is read as Markdown."""
    return "\n" + re.sub(r"\n\s*\n", "\n", html.strip()) + "\n"


def section(title: str, *blocks: str, level: int = 2) -> str:
    """A heading with the HTML below it, as Markdown."""
    return "\n".join([f"{'#' * level} {title}", *map(block, blocks)])


def toctree(pages: Iterable[str], *settings: str) -> str:
    """A table of contents of these pages, as a directive for Sphinx."""
    lines = [*(f":{one}" for one in settings), "", *pages]
    return "\n".join(["```{toctree}", *lines, "```\n"])


def script(name: str, data: object, **how: Any) -> str:
    """A script that assigns data to the global variable `REFENGINE_` plus the name.

    `how` holds arguments for `json.dumps`, which writes the data.
    """
    written = json.dumps(data, **{"ensure_ascii": False, **how})
    return f"window.REFENGINE_{name}={written};\n"
