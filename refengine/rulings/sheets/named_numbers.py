"""Scores written as names with numbers, such as `Ann 5, Ben 13, me 8, Carl 0`.

This is how people note scores on a phone. The order of the names may change from line
to line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

import attrs

_PAIR: Final = re.compile(
    r"(?<![\w'\u2019-])([^\W\d_][\w'\u2019.-]{0,30})\s*[:=]?\s*"
    r"([+\-\u2212]?\d{1,7}|[-\u2013\u2014])"
    r"(?!\w|[.,]?\d)(?:\s*\(([^()]*)\))?"
)
_BETWEEN: Final = re.compile(r"[\s,;.:|/\u2013\u2014-]*(?:(?:and|&)\b\s*)?")


@attrs.frozen
class _NamedNumbers:
    """The parts of a line: its label, its names with numbers, and any text after them.

    `pairs` holds, for each name in lower case, its number and what follows that in
    brackets.
    """

    label: str = ""
    pairs: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    behind: str = ""


def cells_by_name(lines: Sequence[str]) -> list[list[str]]:
    """The lines as rows of a table, with a column for each name.

    A row has a label, the numbers, and any other text of its line. The first row holds
    the names. Lines of any other form have one cell or none. The result is empty if
    fewer than two lines have the same names, or if another line has different ones.
    """
    told = [_named_numbers(line) for line in lines]
    sets = Counter(frozenset(one.pairs) for one in told if len(one.pairs) > 1)
    names, often = max(sets.items(), key=lambda one: one[1], default=(frozenset(), 0))
    if often < 2 or sets.total() > often:
        return []
    first = next(at for at, one in enumerate(told) if one.pairs.keys() == names)
    order = [*told[first].pairs]
    found: list[list[str]] = []
    for line, one in zip(lines, told, strict=True):
        if one.pairs.keys() != names:
            found.append([line.strip()] if line.strip() else [])
            continue
        remarks = (*(remark for _, remark in one.pairs.values()), one.behind)
        said = "; ".join(filter(None, remarks))
        found.append([one.label, *(one.pairs[name][0] for name in order), said])
    spelt = {match[1].casefold(): match[1] for match in _PAIR.finditer(lines[first])}
    return [["", *(spelt[name] for name in order)], *found]


def _named_numbers(line: str) -> _NamedNumbers:
    """A line taken apart into its label, its names with numbers, and the text after.

    Text before the first pair is a label, such as `total:` or the number of a deal.
    There are no pairs if a name occurs twice or if there is text between two pairs. A
    number below 0 has a hyphen for its sign, whichever sign was written.
    """
    pairs: dict[str, tuple[str, str]] = {}
    matches = [*_PAIR.finditer(line)]
    for before, one in zip([None, *matches], matches, strict=False):
        between = line[before.end() : one.start()] if before else ""
        if one[1].casefold() in pairs or not _BETWEEN.fullmatch(between):
            return _NamedNumbers()
        number = one[2].replace("\u2212", "-")
        pairs[one[1].casefold()] = (number, one[3] or "")
    if not matches:
        return _NamedNumbers()
    label, behind = line[: matches[0].start()], line[matches[-1].end() :]
    return _NamedNumbers(label.strip(" ,;:.-"), pairs, behind.strip(" ,;:.-"))
