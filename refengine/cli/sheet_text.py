"""A sheet of house rules, for a terminal or a printer and as a page of HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from typing import Final

from refengine.cli.html_page import clauses_html, html_page
from refengine.rulings.house_sheet import HouseSheet, SheetLine, SheetSection

WIDTH: Final = 80
LENGTH: Final = 60
"""The number of lines on a printed page."""
MANY: Final = 12
"""How many changes fit on a page of HTML in type of the usual size."""

_STYLE: Final = """
body.long { font-size: 8.5pt; line-height: 1.25; }
.long .clauses, .long .instead { font-size: 7.5pt; }
main { columns: 2; column-gap: 8mm; }
section { margin: 0 0 3.5mm; }
section.changed { border: 1.2pt solid #8c1a2b; padding: 2mm 3mm; margin-bottom: 4mm; }
h2 { font-size: 11.5pt; margin: 0 0 1mm; break-after: avoid; }
ul { margin: 0; padding-left: 4mm; }
li { margin: 0 0 0.7mm; break-inside: avoid; }
.instead { font-size: 8.5pt; color: #555c58; }
""".strip()


def sheet_text(sheet: HouseSheet) -> str:
    """The sheet in 80 columns and, if possible, on one page.

    If it does not fit, what the profile would play instead of a changed rule is left
    out. If it is still too long, the sentences of each section are joined into one
    paragraph.
    """
    layouts = ((True, False), (False, False), (False, True))
    pages = [_page(sheet, instead, running) for instead, running in layouts]
    fitting = (page for page in pages if len(page) <= LENGTH)
    return "\n".join(next(fitting, pages[-1]))


def _page(sheet: HouseSheet, instead: bool, running: bool) -> list[str]:
    found = [sheet.title.upper(), *textwrap.wrap(sheet.about, WIDTH)]
    for section in sheet.sections:
        found += ["", section.title] if not running else [section.title]
        told = [_line(one, instead) for one in section.lines]
        for one in [" ".join(told)] if running else told:
            found += _wrapped(one, "  " if running else "- ")
    return [*found, "", *_wrapped(f"Cite as {sheet.foot}", "")]


def _wrapped(text: str, mark: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _line(one: SheetLine, instead: bool) -> str:
    found = f"{one.text} [{', '.join(one.clauses)}]"
    return f"{found} Instead of: {one.instead}." if instead and one.instead else found


def sheet_html(sheet: HouseSheet) -> str:
    """The sheet as one self-contained page of HTML, which prints on one side."""
    changed = [one for one in sheet.sections if one.changed]
    many = sum(len(one.lines) for one in changed) > MANY
    return html_page(sheet.title, _STYLE, _body(sheet), "long" if many else "")


def _body(sheet: HouseSheet) -> Iterator[str]:
    yield f'<h1>{escape(sheet.title)}</h1>\n<p class="about">{escape(sheet.about)}</p>'
    sections = sheet.sections
    yield from (_section(one, ' class="changed"') for one in sections if one.changed)
    yield "<main>"
    yield from (_section(one) for one in sections if not one.changed)
    yield f"</main>\n<footer>Cite as {escape(sheet.foot)}</footer>"


def _section(section: SheetSection, style: str = "") -> str:
    lines = "\n".join(map(_item, section.lines))
    head = f"<section{style}>\n<h2>{escape(section.title)}</h2>"
    return f"{head}\n<ul>\n{lines}\n</ul>\n</section>"


def _item(one: SheetLine) -> str:
    said = escape(one.text)
    instead = escape(f" Instead of: {one.instead}.") if one.instead else ""
    cited = clauses_html(one.clauses)
    return f'<li>{said}{cited}<span class="instead">{instead}</span></li>'
