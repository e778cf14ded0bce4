"""Text and tables of the book for a terminal, as wide as its window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refengine.rulings.page_width import WIDTH
from refengine.rulings.ruling_text import wrapped_lines


def paragraphs(text: str) -> list[str]:
    """The lines of the text, each wrapped to the width of the window."""
    return [line for one in text.splitlines() for line in wrapped_lines(one, "")]


def table_lines(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table in columns or, if it is too wide, with its cells one below the other."""
    told = [tuple(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *told, strict=True)]
    if sum(widths) + 2 * len(widths) > WIDTH.get():
        return _in_blocks(header, told)
    lines = [_row(header, widths), _row(["-" * wide for wide in widths], widths)]
    return lines + [_row(row, widths) for row in told]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (f"{cell:{wide}}" for cell, wide in zip(cells, widths, strict=True))
    return f"  {'  '.join(padded)}".rstrip()


def _in_blocks(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines: list[str] = []
    for row in rows:
        lines += wrapped_lines(row[0], "  ", "    ")
        for name, cell in zip(header[1:], row[1:], strict=True):
            if cell:
                lines += wrapped_lines(f"{name}: {cell}", "    ", "      ")
    return lines
