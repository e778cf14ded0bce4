"""Tests of the book as a PDF and as an EPUB, as other programs read them."""

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pypdfium2
import pytest
import typst
from conftest import PHONE, ROOT, Browser
from epub_pages import DUBLIN, WEB, Volume
from pdf_pages import (
    Sheet,
    bare,
    bookmarks,
    crossed,
    links,
    outside,
    overprinted,
    sheets,
)

from booksite.chapters import is_for_judges
from booksite.pdf import write_pdf
from booksite.printing import file_stem
from booksite.volume import Page, Part, edition_today, volume
from refengine.lawbook.book import Clause, clauses
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.reading import plain

BOOK = ROOT / "build" / "book"
EDITION = edition_today()
PDF = BOOK / f"{file_stem(EDITION)}.pdf"
EPUB = BOOK / f"{file_stem(EDITION)}.epub"
MILLIMETRE = 72 / 25.4
SIDE = 23.5 * MILLIMETRE
END = 9 * MILLIMETRE
"""The blank margin at the top and bottom of a page; printers reach to within 6 mm."""
HEAD = FOOT = 20 * MILLIMETRE
"""The depth of the strips above and below the text."""
BACK = ("profiles", "sources", "bulletin")

# The second run has a clock forty days ahead, another time zone and other hashes.
LATER = """
import sys, time
from pathlib import Path
now, gmtime, localtime = time.time, time.gmtime, time.localtime
ahead = 40 * 86400
time.time = lambda: now() + ahead
time.gmtime = lambda at=None: gmtime(now() + ahead if at is None else at)
time.localtime = lambda at=None: localtime(now() + ahead if at is None else at)
from booksite.printing import write
print(*write(Path(sys.argv[1])), sep="\\n")
"""


def faults(page: Sheet) -> list[str]:
    return [*outside(page, SIDE, END), *overprinted(page), *crossed(page)]


def body(pages: list[Sheet]) -> str:
    return "".join(page.within(FOOT, HEAD) for page in pages)


def printed(clause: Clause) -> str:
    """The text that the book prints for a clause, without white space and hyphens."""
    readers = "For judges and machines" if is_for_judges(clause.number) else ""
    return bare(f"{clause.number} {clause.title}{readers}{plain(clause.text)}")


def missing(pages: list[Sheet]) -> list[str]:
    """The numbers of the clauses whose text does not stand unbroken on these pages."""
    text = body(pages)
    return [one.number for one in clauses().values() if printed(one) not in text]


@pytest.fixture(scope="module")
def pages() -> list[Sheet]:
    return sheets(PDF)


@pytest.fixture(scope="module")
def read() -> Volume:
    return Volume(EPUB)


# The PDF


def test_every_page_says_edition_and_date(pages: list[Sheet]) -> None:
    assert len(pages) > 40
    line = bare(EDITION.line)
    assert [page.number for page in pages if line not in page.text] == []


def test_no_letter_stands_outside_or_on_another(pages: list[Sheet]) -> None:
    assert [fault for page in pages for fault in faults(page)] == []


def test_a_search_finds_the_name_of_every_option() -> None:
    document = pypdfium2.PdfDocument(PDF)
    found = [page.get_textpage().get_text_range() for page in document]
    text = "\n".join(found).split()
    assert [one.name for one in OPTIONS if one.name not in text] == []


def test_every_clause_is_printed(pages: list[Sheet]) -> None:
    assert missing(pages) == []


def test_every_clause_has_its_bookmark_in_order() -> None:
    marks = [mark for mark in bookmarks(PDF) if mark[0].isdigit() and "." in mark[:4]]

    wanted = [f"{one.number} {one.title}" for one in clauses().values()]
    assert [mark for mark in marks if mark in wanted] == wanted


def test_links_lead_to_what_they_name() -> None:
    places = {mark.split(" ")[0]: place for mark, place in bookmarks(PDF).items()}
    found = links(PDF)
    named = [one for one in found if one.words in clauses()]
    assert len(found) > 1000
    assert len(named) > 500

    lost = [one for one in found if one.to < 0 and not one.address.startswith(WEB)]
    assert lost == []
    wrong = [one for one in named if one.to != places[one.words][0]]
    assert wrong == []
    assert all(abs(one.height - places[one.words][1]) < 40 for one in named)


def test_the_pdf_is_dated_by_its_edition() -> None:
    document = pypdfium2.PdfDocument(PDF)
    dated = f"D:{EDITION.dated:%Y%m%d}"
    info = document.get_metadata_dict(skip_empty=True)
    assert info["Title"]
    assert {info[key][: len(dated)] for key in info if key.endswith("Date")} == {dated}


# The EPUB


def test_the_epub_is_packed_as_one(read: Volume) -> None:
    first = read.entries[0]
    assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert read.files["mimetype"] == b"application/epub+zip"
    beside = {"mimetype", "content.opf", "META-INF/container.xml"}
    assert {*read.listed().values()} == {*read.files} - beside
    assert {one.date_time[:3] for one in read.entries} == {
        EDITION.dated.timetuple()[:3]
    }
    stamp = f"{EDITION.dated:%Y-%m-%d}T00:00:00Z"
    assert read.package.find(f".//{DUBLIN}date").text == stamp


def test_every_document_says_edition_and_date(read: Volume) -> None:
    silent = [name for name in read.documents if EDITION.line not in read.words(name)]
    assert silent == []


def test_the_epub_is_read_in_order(read: Volume) -> None:
    names = [name.removesuffix(".xhtml") for name in read.spine()]
    assert names == ["index", *(page.name for page in volume())]
    numbers = [int(one.split("-")[0]) for one in names if one[0].isdigit()]
    assert numbers == list(range(len(numbers)))
    assert tuple(names[-3:]) == BACK


def test_the_contents_name_every_clause_and_page(read: Volume) -> None:
    contents = read.contents()
    wanted = {f"{one.number} {one.title}": one.number for one in clauses().values()}
    assert {
        words
        for words, number in wanted.items()
        if words not in contents or not contents[words].endswith(f"#{number}")
    } == set()
    assert {page.title for page in volume()} <= {*contents}


def test_every_clause_is_in_the_epub(read: Volume) -> None:
    text = bare("".join(map(read.words, read.spine())))
    gone = [one.number for one in clauses().values() if printed(one) not in text]
    assert gone == []


def test_links_of_the_epub_lead_somewhere(read: Volume) -> None:
    assert read.broken() == []
    inside = [one for name in read.documents for one in read.addresses(name)]
    assert len(inside) > 1000
    loaded = [
        one.attrib[key]
        for tree in read.documents.values()
        for one in tree.iter()
        for key in ("href", "src")
        if key in one.attrib and not one.tag.endswith("}a")
    ]
    assert [one for one in loaded if ":" in one] == []


@pytest.mark.parametrize("size", [PHONE, (480, 640), (620, 900)])
def test_no_document_is_wider_than_what_it_is_read_on(
    browser: Browser, read: Volume, tmp_path: Path, size: tuple[int, int]
) -> None:
    with zipfile.ZipFile(EPUB) as packed:
        packed.extractall(tmp_path)
    browser.set(size)
    wide = {}
    for name in read.spine():
        browser.driver.get(f"file://{tmp_path}/{name}")
        wide[name] = browser.run("return document.documentElement.scrollWidth")
    assert len(wide) > 10
    assert {name: one for name, one in wide.items() if one > size[0]} == {}


# Both


def test_another_day_gives_the_same_bytes(tmp_path: Path) -> None:
    elsewhere = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    subprocess.run(
        [sys.executable, "-c", LATER, str(tmp_path)],
        env={**os.environ, **elsewhere},
        cwd=ROOT / "site",
        check=True,
        capture_output=True,
    )
    for made in (PDF, EPUB):
        again = (tmp_path / made.name).read_bytes()
        assert (
            hashlib.sha256(again).digest() == hashlib.sha256(made.read_bytes()).digest()
        )


def test_a_missing_tool_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "typst.py").write_text("raise ImportError(name='typst')\n", "utf-8")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    ended = subprocess.run(
        [sys.executable, "-m", "booksite.printing", str(tmp_path / "made")],
        env={**os.environ, "PYTHONPATH": path},
        cwd=ROOT / "site",
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 3
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert "typst" in ended.stderr


# The checks themselves, on faults planted for them


def small(words: str, folder: Path) -> Sheet:
    """The page that Typst sets from this source, with the margins of the book."""
    file = folder / "planted.pdf"
    head = '#set page(paper: "a4", margin: (x: 24mm, y: 25mm))\n'
    typst.compile(f"{head}{words}\n".encode(), output=file, ignore_system_fonts=True)
    return sheets(file)[0]


@pytest.mark.parametrize(
    ("words", "check"),
    [
        ("#box(width: 10mm, box(width: 200mm)[" + "wide " * 40 + "])", outside),
        ("#place(dy: 266mm)[low]", outside),
        ("over #place(dx: 1mm, dy: -2mm)[under]", overprinted),
        ("#table(columns: (8mm, 60mm))[hearts_or_queen_leader][says]", overprinted),
        ("struck #place(dy: -3mm, line(length: 20mm))", crossed),
    ],
)
def test_a_planted_fault_is_seen(words: str, check: object, tmp_path: Path) -> None:
    page = small(words, tmp_path)
    margins = {outside: outside(page, SIDE, END)}
    found = {**margins, overprinted: overprinted(page), crossed: crossed(page)}
    assert found[check] != []


def test_a_page_without_a_fault_has_none(tmp_path: Path) -> None:
    assert (
        faults(small("An office, a fi#emph[nd], and a table: #table[A][B]", tmp_path))
        == []
    )


def test_a_clause_left_out_is_missed(tmp_path: Path) -> None:
    cut = [
        Page(page.name, tuple(part for part in page.parts if part.anchor != "9.1"))
        for page in volume()
    ]
    unlinked = [
        Page(
            page.name,
            tuple(
                Part(
                    one.level, one.anchor, one.title, one.body.replace('#9.1"', '#9.2"')
                )
                for one in page.parts
            ),
        )
        for page in cut
    ]
    made = tmp_path / "cut.pdf"
    write_pdf(unlinked, EDITION, tmp_path / "work", made)
    assert missing(sheets(made)) == ["9.1"]


def test_a_link_to_nothing_does_not_pass_for_a_pdf(tmp_path: Path) -> None:
    page = Page(
        "one", (Part(1, "one", "One", '<p><a href="9-match.html#9.99">x</a></p>'),)
    )
    with pytest.raises(typst.TypstError, match=r"9\.99"):
        write_pdf([page], EDITION, tmp_path, tmp_path / "made.pdf")


def test_a_broken_link_and_a_twin_are_seen_in_an_epub(tmp_path: Path) -> None:
    file = tmp_path / "broken.epub"
    with zipfile.ZipFile(EPUB) as old, zipfile.ZipFile(file, "w") as new:
        for one in old.infolist():
            content = old.read(one)
            if one.filename == "5-play.xhtml":
                content = content.replace(b'id="5.3"', b'id="5.4"')
            new.writestr(one, content)
    found = Volume(file).broken()
    assert "5-play.xhtml: id 5.4 twice" in found
    assert "nav.xhtml: 5-play.xhtml#5.3: no such anchor" in found
