"""A self-contained page of HTML, to show on a screen or to print."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

_STYLE: Final = """
@page { size: auto; margin: 12mm 14mm; }
body { font: 10.5pt/1.35 Georgia, "Liberation Serif", "DejaVu Serif", serif;
  color: #1b1d1c; background: #fff; max-width: 182mm; margin: 6mm auto; }
@media screen { body { padding: 0 4mm; } }
@media print { body { margin: 0; max-width: none; } }
h1 { font-size: 19pt; line-height: 1.15; margin: 0 0 2mm; color: #8c1a2b;
  text-wrap: balance; }
.about { margin: 0 0 4mm; font-style: italic; }
.clauses { font-size: 8.5pt; color: #555c58; white-space: nowrap; }
footer { margin-top: 4mm; border-top: 0.6pt solid #999; padding-top: 1.5mm;
  font-size: 8.5pt; color: #555c58; overflow-wrap: anywhere; }
""".strip()


def html_page(title: str, style: str, body: Iterable[str], kind: str = "") -> str:
    """The page; `style` is added to the common style, and `kind` is the body's class.

    The title is plain text; the lines of the body are HTML.
    """
    opened = f'<body class="{kind}">' if kind else "<body>"
    lines = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>\n<style>\n{_STYLE}\n{style}\n</style>\n</head>",
        opened,
        *body,
        "</body>\n</html>",
    ]
    return "\n".join(lines) + "\n"


def clauses_html(clauses: Iterable[str]) -> str:
    """The numbers of clauses as HTML, to follow a sentence; empty if there are none."""
    numbers = ", ".join(clauses)
    return f' <span class="clauses">[{numbers}]</span>' if numbers else ""
