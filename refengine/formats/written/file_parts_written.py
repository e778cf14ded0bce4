"""Splitting a file of another program into parts, each with the items in it.

The text is JSON, JSON lines, or rows of cells separated by commas, semicolons, tabs or
`|`, below their headings.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from refengine.errors import Malformed
from refengine.formats.written.json_read import json_of_a_stranger
from refengine.formats.written.maps_written import Entry, FilePart, GameMap

# Not `splitlines`, for which other characters within a text also end a line
_END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")


def parts_of_file(text: str, found: GameMap) -> list[FilePart]:
    """Split the text of a file into independent parts, each with its items.

    There is more than one part only if the file is JSON lines that hold lists of items.
    Raises Malformed if the text is none of what such a file can be.
    """
    bare = text.strip()
    if bare[:1] not in ("{", "["):
        return [_rows(text, found)]
    try:
        root = json_of_a_stranger(bare)
    except Malformed:
        raise
    except ValueError:
        return _json_lines(text, found)
    if "items" in found.paths:
        items = found.find("items", root)
    elif isinstance(root, dict) and found.finds_something(root):
        root = items = [root]  # JSON lines of which there is only one
    else:
        items = root
    if not isinstance(items, list):
        shown = "an object" if isinstance(items, dict) else f"{json.dumps(items):.60}"
        raise Malformed(shown, "a list of items", "items")
    return [FilePart(root, [(f"item {at}", one) for at, one in enumerate(items, 1)])]


def _json_lines(text: str, found: GameMap) -> list[FilePart]:
    """Read JSON lines as parts of a file.

    A line that holds a list of items becomes a part of its own. Each of the other lines
    is an item, and together they make up a single part.
    """
    lines: list[Entry] = []
    parts: list[FilePart] = []
    for number, line in enumerate(_END_OF_LINE.split(text), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            value = json_of_a_stranger(line)
        except Malformed as error:
            raise error.within(place) from None
        except ValueError as error:
            raise Malformed(f"no JSON: {error}", "JSON", place) from None
        items = found.find("items", value)
        if isinstance(items, list) and items != [value]:
            named = [(f"{place}, item {at}", one) for at, one in enumerate(items, 1)]
            parts.append(FilePart(value, named))
        else:
            lines.append((place, value))
    return [FilePart([one for _, one in lines], lines), *parts] if lines else parts


def _rows(text: str, found: GameMap) -> FilePart:
    """Read a file of rows as one part, in which each row is a dict keyed by heading.

    If the map has an expression for `items`, only the rows that it finds are items.
    Lines that begin with `#`, and a title in a single cell, may come before the
    headings. A repeated heading is numbered. A line break in a cell is read as a blank.
    """
    lines = _END_OF_LINE.split(text)
    mark = max(",;\t|", key="\n".join(lines[:9]).count)
    try:
        # Without the ends of its lines, those within a cell would run together
        read = csv.reader((f"{line}\n" for line in lines), delimiter=mark)
        cells = [[cell.replace("\n", " ") for cell in row] for row in read]
    except csv.Error as error:
        raise Malformed(f"{error}", "rows below their headings") from None
    above = 0
    while above < len(cells) and (
        _is_comment(lines[above], cells[above]) or sum(map(bool, cells[above])) < 2
    ):
        above += 1
    if above == len(cells):
        return FilePart([], [])
    head = _unlike_headings(cells[above])
    rows = [
        (f"row {at}", _by_heading(head, row))
        for at, row in enumerate(cells[above + 1 :], above + 2)
        if any(map(str.strip, row))
    ]
    root = [row for _, row in rows]
    chosen = found.find("items", root) if "items" in found.paths else root
    kept = {id(row) for row in chosen} if isinstance(chosen, list) else set()
    return FilePart(root, rows, frozenset(at for at, row in rows if id(row) in kept))


def _by_heading(head: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    """The cells of a row, keyed by heading.

    A cell beyond the last heading is keyed by its place, such as `cell 8`.
    """
    cells = [cell.strip() for cell in row]
    size = len(head)
    beyond = {f"cell {at}": one for at, one in enumerate(cells, 1) if at > size and one}
    return dict(zip(head, cells, strict=False)) | beyond


def _is_comment(line: str, cells: Sequence[str]) -> bool:
    """Whether a line is a comment: it begins with `#`, but not with a lone `#` cell."""
    return line.startswith("#") and [one.strip() for one in cells[:1]] != ["#"]


def _unlike_headings(cells: Sequence[str]) -> list[str]:
    """The headings, with a number added to each that is repeated: Card, Card2.

    A number that would make it the same as another heading is skipped.
    """
    own = {cell.strip() for cell in cells}
    met: Counter[str] = Counter()
    found = []
    for cell in cells:
        name = unlike = cell.strip()
        met[name] += 1
        while met[name] > 1 and (unlike := f"{name}{met[name]}") in own:
            met[name] += 1
        found.append(unlike)
    return found
