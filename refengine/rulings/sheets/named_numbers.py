"""Scores written as names with numbers, such as `Ann 5, Ben 13, me 8, Carl 0`.

This is how people note scores on a phone. The order of the names may change from line
to line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

_PAIR: Final = re.compile(
    r"(?<![\w'\u2019-])([^\W\d_][\w'\u2019.-]{0,30})\s*[:=]?\s*"
    r"([+\-\u2212]?\d{1,7}|[-\u2013\u2014])"
    r"(?!\w|[.,]?\d)(?:\s*\(([^()]*)\))?"
)
_BETWEEN: Final = re.compile(r"[\s,;.:|/\u2013\u2014-]*(?:(?:and|&)\b\s*)?")

Pairs = dict[str, tuple[str, str]]
"""For each name in lower case: its number, and what follows it in brackets."""


def cells_by_name(lines: Sequence[str]) -> list[list[str]]:
    """The lines as rows of a table, with a column for each name.

    A row has a label, the numbers, and any other text of its line. The first row holds
    the names. Lines of any other form have one cell or none. The result is empty if
    fewer than two lines have the same names, or if another line has different ones.
    """
    told = [_pairs(line) for line in lines]
    sets = Counter(frozenset(one) for _, one, _ in told if len(one) > 1)
    names, often = max(sets.items(), key=lambda one: one[1], default=(frozenset(), 0))
    if often < 2 or sets.total() > often:
        return []
    first = next(at for at, (_, one, _) in enumerate(told) if one.keys() == names)
    order = [*told[first][1]]
    found: list[list[str]] = []
    for line, (label, pairs, behind) in zip(lines, told, strict=True):
        if pairs.keys() != names:
            found.append([line.strip()] if line.strip() else [])
            continue
        remarks = (*(remark for _, remark in pairs.values()), behind)
        said = "; ".join(filter(None, remarks))
        found.append([label, *(pairs[name][0] for name in order), said])
    spelt = {match[1].casefold(): match[1] for match in _PAIR.finditer(lines[first])}
    return [["", *(spelt[name] for name in order)], *found]


def _pairs(line: str) -> tuple[str, Pairs, str]:
    """The parts of a line: its label, its names with numbers, and any text after them.

    Text before the first pair is a label, such as `total:` or the number of a deal.
    There are no pairs if a name occurs twice or if there is text between two pairs. A
    number below 0 has a hyphen for its sign, whichever sign was written.
    """
    pairs: Pairs = {}
    matches = [*_PAIR.finditer(line)]
    for before, one in zip([None, *matches], matches, strict=False):
        between = line[before.end() : one.start()] if before else ""
        if one[1].casefold() in pairs or not _BETWEEN.fullmatch(between):
            return "", {}, ""
        number = one[2].replace("\u2212", "-")
        pairs[one[1].casefold()] = (number, one[3] or "")
    if not matches:
        return "", {}, ""
    label, behind = line[: matches[0].start()], line[matches[-1].end() :]
    return label.strip(" ,;:.-"), pairs, behind.strip(" ,;:.-")
