"""The sheet of a table for a terminal or a printer, and as a page of HTML."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from html import escape
from typing import Final

from refengine.rulings.house_sheet import HouseSheet, SheetLine, SheetSection

WIDTH: Final = 80
LENGTH: Final = 60
"""The lines of a printed page."""
MANY: Final = 12
"""So many changes fit on a page of HTML in letters of the usual size."""

_STYLE: Final = """
@page { size: auto; margin: 12mm 14mm; }
body { font: 10.5pt/1.35 Georgia, "Liberation Serif", "DejaVu Serif", serif;
  color: #1b1d1c; background: #fff; max-width: 182mm; margin: 6mm auto; }
@media print { body { margin: 0; max-width: none; } }
h1 { font-size: 19pt; line-height: 1.15; margin: 0 0 2mm; color: #8c1a2b;
  text-wrap: balance; }
.about { margin: 0 0 4mm; font-style: italic; }
body.long { font-size: 8.5pt; line-height: 1.25; }
.long .clauses, .long .instead { font-size: 7.5pt; }
main { columns: 2; column-gap: 8mm; }
section { margin: 0 0 3.5mm; }
section.changed { border: 1.2pt solid #8c1a2b; padding: 2mm 3mm; margin-bottom: 4mm; }
h2 { font-size: 11.5pt; margin: 0 0 1mm; break-after: avoid; }
ul { margin: 0; padding-left: 4mm; }
li { margin: 0 0 0.7mm; break-inside: avoid; }
.clauses, .instead { font-size: 8.5pt; color: #555c58; }
.clauses { white-space: nowrap; }
footer { margin-top: 4mm; border-top: 0.6pt solid #999; padding-top: 1.5mm;
  font-size: 8.5pt; color: #555c58; overflow-wrap: anywhere; }
""".strip()


def sheet_text(sheet: HouseSheet) -> str:
    """The sheet in 80 columns, and in as many lines as go on one page.

    Where they do not fit, what the profile plays instead is left out; where even that
    is too long, the sentences of a section run on in one paragraph.
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
    """The sheet as one page of HTML that needs nothing else and prints on one side."""
    return "\n".join(_html(sheet)) + "\n"


def _html(sheet: HouseSheet) -> Iterator[str]:
    title = escape(sheet.title)
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>"
    changed = [one for one in sheet.sections if one.changed]
    others = [one for one in sheet.sections if not one.changed]
    many = sum(len(one.lines) for one in changed) > MANY
    yield '<body class="long">' if many else "<body>"
    yield f'<h1>{title}</h1>\n<p class="about">{escape(sheet.about)}</p>'
    yield from (_section(one, ' class="changed"') for one in changed)
    yield "<main>"
    yield from map(_section, others)
    yield f"</main>\n<footer>Cite as {escape(sheet.foot)}</footer>\n</body>\n</html>"


def _section(section: SheetSection, style: str = "") -> str:
    lines = "\n".join(map(_item, section.lines))
    head = f"<section{style}>\n<h2>{escape(section.title)}</h2>"
    return f"{head}\n<ul>\n{lines}\n</ul>\n</section>"


def _item(one: SheetLine) -> str:
    said = escape(one.text)
    numbers = f'<span class="clauses">[{", ".join(one.clauses)}]</span>'
    instead = escape(f" Instead of: {one.instead}.") if one.instead else ""
    return f'<li>{said} {numbers}<span class="instead">{instead}</span></li>'
