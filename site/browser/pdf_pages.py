"""Read the pages of a PDF, and find text that is badly placed."""

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

CELL = 12.0
"""The side, in points, of the squares in which overlapping letters are sought."""
OVERLAP = 0.25
"""The fraction of a letter that may lie on another: slanted letters lean over."""
LIGATURE = 3
"""The most letters that may share a box, as those of ffi do."""
INVISIBLE = "\u00ad\u200b\ufeff"


class Letter(NamedTuple):
    """One letter and its box in points, from the lower left corner of the page."""

    sign: str
    left: float
    bottom: float
    right: float
    top: float


class Link(NamedTuple):
    """A link on a page: its words, and the page and height that it leads to.

    `to` is -1 if it leads to no page; a link to the outside has its address.
    """

    page: int
    words: str
    to: int
    height: float
    address: str = ""


class Sheet(NamedTuple):
    """A page: its number from 0, its size in points, its letters and its drawn shapes.

    The letters are in reading order.
    """

    number: int
    width: float
    height: float
    letters: tuple[Letter, ...]
    drawn: tuple[tuple[float, float, float, float], ...]

    @property
    def text(self) -> str:
        """All letters, without the spaces between them."""
        return joined(self.letters)

    def within(self, foot: float, head: float) -> str:
        """The letters between `foot` points from the bottom and `head` from the top."""
        return joined(
            one
            for one in self.letters
            if one.bottom > foot and one.top < self.height - head
        )


def joined(letters: Iterator[Letter] | tuple[Letter, ...]) -> str:
    """The letters as one string without hyphens, which line breaks may have added."""
    return bare("".join(one.sign for one in letters))


def bare(text: str) -> str:
    """The text without white space and hyphens."""
    hidden = {"-", "\u2010", "\x02", "\ufffe", *INVISIBLE}
    return "".join(one for one in text if not one.isspace() and one not in hidden)


def sheets(path: Path) -> list[Sheet]:
    """All pages of a PDF."""
    document = pypdfium2.PdfDocument(path)
    found = []
    for number in range(len(document)):
        page = document[number]
        letters = tuple(_letters(page.get_textpage()))
        drawn = tuple(
            one.get_bounds() for one in page.get_objects([pdfium.FPDF_PAGEOBJ_PATH])
        )
        found.append(Sheet(number, *page.get_size(), letters, drawn))
    return found


def _letters(text: pypdfium2.PdfTextPage) -> Iterator[Letter]:
    box = [ctypes.c_double() for _ in range(4)]
    for at in range(text.count_chars()):
        sign = chr(pdfium.FPDFText_GetUnicode(text, at))
        if sign.isspace() or pdfium.FPDFText_IsGenerated(text, at) == 1:
            continue
        pdfium.FPDFText_GetCharBox(text, at, *box)
        left, right, bottom, top = (one.value for one in box)
        yield Letter(sign, left, bottom, right, top)


def outside(page: Sheet, side: float, end: float) -> list[str]:
    """The letters that lie outside the margins.

    `side` is the width of the left and right margins, `end` that of the other two.
    """
    return [
        f"page {page.number + 1}: {one.sign!r} at {one.left:.0f}, {one.bottom:.0f}"
        for one in page.letters
        if one.sign not in INVISIBLE
        and not (
            side <= one.left
            and one.right <= page.width - side
            and end <= one.bottom
            and one.top <= page.height - end
        )
    ]


def overprinted(page: Sheet) -> list[str]:
    """The letters that overlap each other."""
    cells = defaultdict(list)
    for at, one in enumerate(page.letters):
        for across in range(int(one.left // CELL), int(one.right // CELL) + 1):
            for up in range(int(one.bottom // CELL), int(one.top // CELL) + 1):
                cells[across, up].append(at)
    touching = {
        (first, second)
        for there in cells.values()
        for first, second in combinations(sorted(there), 2)
        if second - first >= LIGATURE
    }
    return [
        f"page {page.number + 1}: {a.sign!r} on {b.sign!r} at {a.left:.0f}, {a.top:.0f}"
        for a, b in ((page.letters[i], page.letters[j]) for i, j in sorted(touching))
        if _shared(a, b) > OVERLAP
    ]


def crossed(page: Sheet) -> list[str]:
    """The letters that overlap a drawn shape; in the book, there must be none."""
    return [
        f"page {page.number + 1}: {one.sign!r} crossed at {one.left:.0f}, {one.top:.0f}"
        for left, bottom, right, top in page.drawn
        for one in page.letters
        if left < one.right
        and one.left < right
        and bottom < one.top
        and one.bottom < top
    ]


def _shared(a: Letter, b: Letter) -> float:
    """The fraction of the smaller letter that lies on the other."""
    wide = min(a.right, b.right) - max(a.left, b.left)
    high = min(a.top, b.top) - max(a.bottom, b.bottom)
    if wide <= 0 or high <= 0:
        return 0
    areas = [(one.right - one.left) * (one.top - one.bottom) for one in (a, b)]
    return wide * high / max(min(areas), 0.01)


def bookmarks(path: Path) -> dict[str, tuple[int, float]]:
    """The page (from 0) and height that each bookmark leads to, by its title."""
    found = {}
    for one in pypdfium2.PdfDocument(path).get_toc():
        to = one.get_dest()
        assert to is not None, f"the bookmark {one.get_title()} leads nowhere"
        view = to.get_view()[1]
        found[one.get_title()] = (to.get_index(), view[1])
    return found


def links(path: Path) -> list[Link]:
    """All links of a PDF, with their words."""
    document = pypdfium2.PdfDocument(path)
    found = []
    for number in range(len(document)):
        page = document[number]
        text = page.get_textpage()
        place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
        while pdfium.FPDFLink_Enumerate(page, place, link):
            box = pdfium.FS_RECTF()
            pdfium.FPDFLink_GetAnnotRect(link, box)
            words = text.get_text_bounded(box.left, box.bottom, box.right, box.top)
            to = pdfium.FPDFLink_GetDest(document, link)
            height = ctypes.c_float(0)
            if to:
                spare = [ctypes.c_int() for _ in range(3)]
                floats = [ctypes.c_float(), height, ctypes.c_float()]
                pdfium.FPDFDest_GetLocationInPage(to, *spare, *floats)
            index = pdfium.FPDFDest_GetDestPageIndex(document, to) if to else -1
            address = _address(document, link)
            found.append(Link(number, words.strip(), index, height.value, address))
    return found


def _address(document: pypdfium2.PdfDocument, link: pdfium.FPDF_LINK) -> str:
    """The address outside the document that a link leads to; empty if it has none."""
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    text = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document, action, text, size)
    return text.value.decode()
