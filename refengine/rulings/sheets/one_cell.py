"""Reading a single cell of a score sheet: what its words and numbers mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from refengine.errors import Malformed, harmless
from refengine.lawbook.pass_words import PASS_WORDS

NUMBER: Final = re.compile(
    r"\s*([+-]?)\s*(\d{1,7})(?:[.,]0{1,2})?(?![\w.,]|[:/-]\d)\s*(.*)", re.DOTALL
)
_OF_A_DEAL: Final = re.compile(
    r"(?:(?:deal|round|hand|game|runde)\s+)?#?\s*-?(\d{1,7})[.):]?", re.IGNORECASE
)
DAY_OR_TIME: Final = re.compile(r"\d+([:./-]\d+)+\.?(\s*[ap]m)?", re.IGNORECASE)
_NOTHING: Final = frozenset({"", "-", "--", "\u2013", "\u2014", "x", ".", "o"})
"""What people write for a player who has no points."""


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.casefold().split())


OF_DEALS: Final = _set_of(
    "# nr deal deals round rounds hand hands game games row match table runde partie "
    "gabe tisch"
)
OF_SUMS: Final = _set_of(
    "sum sums total totals subtotal subtotals all check control summe \u03a3 \u2211"
)
OF_START: Final = _set_of("start")
OF_PLACES: Final = _set_of("place places rank ranks ranking")
_IN_REMARKS: Final = _set_of("all check control mean") | OF_PLACES
OF_AVERAGES: Final = _set_of("average averages avg mean schnitt")
OF_NO_DEAL: Final = OF_START | OF_SUMS | OF_AVERAGES | OF_PLACES
OF_PASSES: Final = _set_of("pass passes passed passing direction")
OF_REMARKS: Final = _set_of(
    "note notes remark remarks comment comments who what when where date time minutes "
    "mins duration start started finish finished place dealer dealers scorer winner "
    "loser leader"
)
NO_NAMES: Final = OF_DEALS | OF_SUMS | OF_AVERAGES | OF_PASSES | OF_REMARKS


def is_number(cell: str) -> bool:
    """Whether a cell holds a number and nothing else."""
    found = NUMBER.fullmatch(cell)
    return found is not None and not found[3]


def numbers_in(cells: Sequence[str]) -> int:
    """The number of cells that begin with a number."""
    return sum(NUMBER.fullmatch(cell) is not None for cell in cells)


def is_nothing(cell: str) -> bool:
    """Whether a cell is empty or says that a player has no points."""
    return cell.casefold() in _NOTHING


def holds_points(cell: str) -> bool:
    """Whether a cell is empty, begins with a number or says that nothing was scored."""
    return is_nothing(cell) or NUMBER.fullmatch(cell) is not None


def number_or_nought(cell: str) -> int:
    """The number in a cell, or 0 if there is none."""
    found = NUMBER.fullmatch(cell)
    return 0 if found is None else int(found[1] + found[2])


def points_in(cell: str, line: int) -> int:
    """The points in a cell; 0 if it is empty or says that there are none.

    Raises Malformed, naming the line, if the cell holds something else.
    """
    if not holds_points(cell):
        raise Malformed(harmless(cell, 40), "a number of points", f"line {line}")
    return number_or_nought(cell)


def rest_of_cell(cell: str) -> str:
    """The text after the number that begins a cell; empty if there is none."""
    found = NUMBER.fullmatch(cell)
    return found[3].strip("*()[] ") if found is not None else ""


def is_pass(cell: str) -> bool:
    """Whether a cell consists of a word for a pass."""
    return cell.casefold() in PASS_WORDS


def deal_in(cell: str) -> str:
    """The number of a deal in a cell, in digits; empty if the cell holds none."""
    found = _OF_A_DEAL.fullmatch(cell)
    return found[1] if found is not None else ""


def words_of_cell(cell: str) -> list[str]:
    """The words in a cell, in lower case, and any signs for a number or a sum."""
    return re.findall(r"[^\W\d_]+|#|\u2211", cell.casefold())


def is_one_of(cell: str, kind: frozenset[str]) -> bool:
    """Whether a cell contains one of these words."""
    return bool({*words_of_cell(cell)} & kind)


def is_label(cell: str, kind: frozenset[str]) -> bool:
    """Whether a cell is a label for its row, as `Total after 4 deals` is.

    A remark, such as `Ann took them all`, merely contains a word of this kind.
    """
    words = words_of_cell(cell)
    own = bool(words) and words[0] in kind - _IN_REMARKS
    return own or (bool(words) and {*words} <= kind)


def may_be_name(cell: str) -> bool:
    """Whether a cell may be the name of a player."""
    plain = is_nothing(cell) or is_pass(cell) or is_number(cell)
    return not plain and any(map(str.isalpha, cell)) and not is_one_of(cell, NO_NAMES)
