"""Chapter 0, Reading this book: clauses as values, with fingerprints and citations."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs

from refengine.errors import Malformed

KINDS: Final = (
    "define",
    "permit",
    "forbid",
    "effect",
    "unspecified",
    "procedure",
    "withdrawn",
)
PROCEDURE: Final = "procedure"
UNSPECIFIED: Final = "unspecified"
WITHDRAWN: Final = "withdrawn"
EXAMPLE: Final = ("hand", "trick", "given")

# Chapters run from 0 to 99, without a leading zero, so that no clause has two numbers.
_IN_THE_BOOK: Final = r"0|[1-9][0-9]?"
_NUMBER: Final = rf"(?:{_IN_THE_BOOK})\.[1-9][0-9]*[a-hjkmnp-z]?"
VERSION: Final = r"(?:0|[1-9][0-9]*)(?:\.(?:0|[1-9][0-9]*)){2}"
_CITATION: Final = re.compile(
    rf"({_NUMBER})|HFR ({_NUMBER})(?:@({VERSION})(?:~([0-9a-f]{{8}}))?)?"
)
_A_CITATION: Final = "5.3, HFR 5.3, HFR 5.3@1.0.0 or HFR 5.3@1.0.0~ed7a0920"
_MENTION: Final = re.compile(r"(?<![\w.@])[0-9]+\.[0-9]+[a-z]?(?!\w|\.[0-9])")
_CLAIM: Final = re.compile(
    rf"Clause (?P<one>{_NUMBER})\.|Clauses (?P<many>{_NUMBER}(?:, {_NUMBER})+)\."
)
_CLAIMING: Final = re.compile(r"Clauses? [0-9]")
_CHAPTER: Final = re.compile(rf"# ({_IN_THE_BOOK}) (\S.*)")
_FILE: Final = re.compile(rf"({_IN_THE_BOOK})-.+\.md")
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"  # without i, l and o
_HEADING: Final = re.compile(rf"(####?) ({_NUMBER}) (\S.*)")
_ITEM: Final = re.compile(r"- ([A-Z][a-z]+(?: of)?): (\S.*)")
_ONE_NUMBER: Final = re.compile(_NUMBER)
_LONGEST_NUMBER: Final = 10
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_LISTS: Final = ("Options", "Sources", "Bites")
_NEEDED: Final = ("Kind", "Options", "Sources")
_PART: Final = "Part of"
_ITEMS: Final = ("Kind", *_LISTS, "Formal", "Ruling", _PART)
_NOTE: Final = "> **Note.** "


@attrs.frozen
class Citation:
    """A clause as somebody cites it: its number and, if given, version and digest."""

    number: str
    version: str | None = None
    fingerprint: str | None = None

    @classmethod
    def read(cls, text: str) -> Citation:
        """The citation in this text, `HFR 5.3@1.0.0~ed7a0920` or a shorter form.

        Raises Malformed if the text is not a citation.
        Clause 0.5.
        """
        found = _CITATION.fullmatch(text)
        if found is None:
            raise Malformed(f"{text!r:.60}", _A_CITATION)
        bare, number, version, digest = found.groups()
        return cls(bare or number, version, digest)

    def __str__(self) -> str:
        version = f"@{self.version}" if self.version else ""
        digest = f"~{self.fingerprint}" if self.fingerprint else ""
        return f"HFR {self.number}{version}{digest}"


@attrs.frozen
class BookTable:
    """A table in a clause: its header cells and its rows, with the markup removed."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def of_examples(self) -> bool:
        """Whether the rows are examples that the clause's function must satisfy."""
        return self.header[:3] == EXAMPLE


@attrs.frozen
class Passage:
    """One clause as the book prints it; `where` is the file and line of its heading.

    `text` holds the binding sentences, one on each line, with their markup. `part_of`
    is the clause of which this one is a part; it is empty if this is not a part.
    """

    where: str
    number: str
    title: str
    text: str
    kind: str
    options: tuple[str, ...]
    sources: tuple[str, ...]
    formal: tuple[str, ...]
    ruling: str
    bites: tuple[str, ...]
    tables: tuple[BookTable, ...]
    notes: tuple[str, ...]
    part_of: str = ""

    @property
    def fingerprint(self) -> str:
        """The digest with which a citation states the wording of the clause."""
        return fingerprint(self.text)

    @property
    def examples(self) -> tuple[tuple[str, ...], ...]:
        """The rows of all tables of examples in the clause."""
        return tuple(
            row for table in self.tables if table.of_examples for row in table.rows
        )

    @property
    def mentions(self) -> tuple[str, ...]:
        """All clause numbers that occur in the clause, those in its lists last."""
        cells = [" ".join(row) for table in self.tables for row in table.rows]
        words = "\n".join([self.text, self.ruling, *cells, *self.notes])
        return (*mentions(words), *self.bites, *mentions(self.part_of))


def plain(text: str) -> str:
    """The text in Unicode form NFC, without markup and with white space collapsed."""
    bare = _LINK.sub(r"\1", text).replace(r"\|", "|")
    bare = bare.replace("`", "").replace("*", "")
    return " ".join(unicodedata.normalize("NFC", bare).split())


def fingerprint(text: str) -> str:
    """The first eight hexadecimal digits of the SHA-256 of the text without markup.

    Clause 0.5.
    """
    return hashlib.sha256(plain(text).encode()).hexdigest()[:8]


def is_number(text: str) -> bool:
    """Whether the text is a clause number and nothing else."""
    return _ONE_NUMBER.fullmatch(text) is not None


def mentions(text: str) -> tuple[str, ...]:
    """Everything in the text that looks like a clause number, in the book or not."""
    return tuple(_MENTION.findall(text))


def claims(docstring: str) -> tuple[str, ...]:
    """The clauses that the last line of a docstring claims; empty if it claims none.

    Raises Malformed if a line begins like a claim but is not one, or is not the last.
    """
    lines = [line.strip() for line in docstring.strip().splitlines()]
    claiming = [line for line in lines if _CLAIMING.match(line)]
    if not claiming:
        return ()
    found = _CLAIM.fullmatch(lines[-1])
    if found is None or len(claiming) > 1:
        raise Malformed(
            repr(claiming[0]), '"Clause 5.3." or "Clauses 5.4, 5.4a.", as last line'
        )
    return tuple((found["one"] or found["many"]).split(", "))


def place_in_book(number: str) -> tuple[int, int, str]:
    """The key that sorts clauses by chapter, number and letter: 10.1 comes after 9.9.

    Raises Malformed if the text is not the number of a clause.
    """
    # The same test as in `is_number`, except that long numbers fail it, and without a
    # pattern: this is translated into JavaScript.
    chapter, _, rest = number.partition(".")
    clause = rest.rstrip(_LETTERS)
    letter = rest.removeprefix(clause)
    if not number.isascii() or len(number) > _LONGEST_NUMBER or len(letter) > 1:
        chapter = ""
    if len(chapter) > 2 or (chapter.startswith("0") and chapter != "0"):
        chapter = ""
    if clause.startswith("0") or not (chapter.isdecimal() and clause.isdecimal()):
        raise Malformed(f"{number!r:.40}", "the number of a clause, such as 5.4b")
    return int(chapter), int(clause), letter


def chapter_of(number: str) -> str:
    """The number of the chapter to which a clause belongs, such as `10` for 10.4a."""
    return number.partition(".")[0]


def chapter_files(folder: Path) -> tuple[Path, ...]:
    """The files of the chapters in this folder, in the order of the book."""
    found = [
        (int(name[1]), path)
        for path in folder.glob("*.md")
        if (name := _FILE.fullmatch(path.name))
    ]
    return tuple(path for _, path in sorted(found))


def read_book(folder: Path) -> tuple[Passage, ...]:
    """All clauses of the book in this folder, in the order of the book.

    Raises Malformed for anything that is not a clause, and for a number used twice.
    """
    found: dict[str, Passage] = {}
    for path in chapter_files(folder):
        for passage in read_chapter(path.read_text("utf-8"), path.name):
            if passage.number in found:
                first = found[passage.number].where
                raise Malformed(
                    f"{passage.number} again", f"it stands in {first}", passage.where
                )
            found[passage.number] = passage
    return tuple(found.values())


def read_chapter(text: str, where: str) -> tuple[Passage, ...]:
    """The clauses in the Markdown text of one chapter; `where` names its file.

    Sentences above the first clause introduce the chapter and are left out. Raises
    Malformed for anything else that is not a clause.
    """
    lines = text.splitlines()
    chapter = _CHAPTER.fullmatch(lines[0]) if lines else None
    if chapter is None:
        raise Malformed(f"{text[:40]!r}", "# 5 Title of a chapter", f"{where}:1")
    starts = [at for at, line in enumerate(lines) if at and line.startswith("#")]
    ends = [*starts[1:], len(lines)]
    for at, line in enumerate(lines[: min(starts, default=len(lines))], 1):
        if line.startswith(("-", "|", ">")):  # from a clause without its heading
            allowed = f"### {chapter[1]}.1 Title above it"
            raise Malformed(repr(line), allowed, f"{where}:{at}")
    return tuple(
        _passage(chapter[1], lines[start:end], where, start + 1)
        for start, end in zip(starts, ends, strict=True)
    )


def _passage(chapter: str, lines: list[str], where: str, first: int) -> Passage:
    """The clause printed on these lines, the first of which is its heading."""
    place = f"{where}:{first}"
    heading = _HEADING.fullmatch(lines[0])
    if heading is None:
        raise Malformed(repr(lines[0]), "### 5.3 Title or #### 5.3a Title", place)
    number = heading[2]
    if chapter_of(number) != chapter or (len(heading[1]) == 4) != number[-1].isalpha():
        raise Malformed(
            repr(lines[0]), f"### {chapter}.1 Title or #### {chapter}.1a Title", place
        )
    reader = _Reader(where)
    for at, line in enumerate(lines[1:], first + 1):
        reader.take(line, at)
    return reader.passage(place, number, heading[3].strip())


class _Reader:
    """A reader that takes the lines of one clause and sorts them into its parts."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._sentences: list[str] = []
        self._items: dict[str, list[str]] = {}
        self._tables: list[list[tuple[str, int]]] = []
        self._notes: list[list[str]] = []
        self._before = ""

    def take(self, line: str, at: int) -> None:
        """Read one line, as part of the list, of a table, of a note or of the text."""
        place = f"{self._where}:{at}"
        first = line[:1]
        if first == "-":
            self._take_item(line, place)
        elif first == "|":
            if self._before != "|":
                self._tables.append([])
            self._tables[-1].append((line, at))
        elif first == ">":
            self._take_note(line, place)
        elif first and self._items:
            raise Malformed(repr(line), "a table or a note after the list", place)
        elif first:
            self._sentences.append(line.strip())
        self._before = first

    def _take_item(self, line: str, place: str) -> None:
        item = _ITEM.fullmatch(line)
        if item is None or item[1] not in _ITEMS:
            allowed = ", ".join(f"- {name}: …" for name in _ITEMS)
            raise Malformed(repr(line), allowed, place)
        known = self._items.setdefault(item[1], [])
        if known and item[1] != "Formal":
            raise Malformed(f"{item[1]} again", "one of each but Formal", place)
        known.append(item[2].strip())

    def _take_note(self, line: str, place: str) -> None:
        if self._before != ">":
            if not line.startswith(_NOTE):
                raise Malformed(repr(line), f"{_NOTE}…", place)
            self._notes.append([line.removeprefix(_NOTE)])
        else:
            self._notes[-1].append(line[1:].strip())

    def passage(self, place: str, number: str, title: str) -> Passage:
        """The clause that the lines make up.

        Raises Malformed if a part of it is missing or wrong.
        """
        missing = [name for name in _NEEDED if name not in self._items]
        if missing or not self._sentences:
            found = ", ".join(missing) or "sentences"
            raise Malformed(f"no {found}", f"sentences, {', '.join(_NEEDED)}", place)
        kind = self._of("Kind")[0]
        if kind not in KINDS:
            raise Malformed(repr(kind), ", ".join(KINDS), place)
        options, sources, bites = (self._list(name, place) for name in _LISTS)
        part_of = "".join(self._of(_PART))
        if part_of and not is_number(part_of):
            allowed = "the number of one clause"
            raise Malformed(repr(part_of), allowed, f"{place} {_PART}")
        return Passage(
            where=place,
            number=number,
            title=title,
            text="\n".join(self._sentences),
            kind=kind,
            options=options,
            sources=sources,
            formal=tuple(_signs(line, place) for line in self._of("Formal")),
            ruling=" ".join(self._of("Ruling")),
            bites=bites,
            tables=tuple(_table(lines, self._where) for lines in self._tables),
            notes=tuple("\n".join(lines) for lines in self._notes),
            part_of=part_of,
        )

    def _of(self, name: str) -> list[str]:
        return self._items.get(name, [])

    def _list(self, name: str, place: str) -> tuple[str, ...]:
        text = "".join(self._of(name))
        entries = () if text in ("", "none") else tuple(text.split(", "))
        for entry in entries:
            if not re.fullmatch(r"[a-z0-9._-]+", entry) or entries.count(entry) > 1:
                allowed = "none, or each name once, separated by comma and space"
                raise Malformed(f"{entry!r}", allowed, f"{place} {name}")
        return entries


def _signs(text: str, place: str) -> str:
    if not re.fullmatch("`[^`]+`", text):
        raise Malformed(repr(text), "a formal line between two backticks", place)
    return text[1:-1]


def _table(lines: Iterable[tuple[str, int]], where: str) -> BookTable:
    """The table that these lines make up, each given with its number in the file.

    Raises Malformed, naming the file `where`, if a row has more or fewer cells than the
    header, or if there is no header, rule or row.
    """
    rows = [(_cells(line), at) for line, at in lines]
    header, first = rows[0]
    for cells, at in rows[1:]:
        if len(cells) != len(header):
            allowed = f"{len(header)} cells as in the header"
            raise Malformed(f"{len(cells)} cells", allowed, f"{where}:{at}")
    if len(rows) < 3 or any(cell.strip("-") for cell in rows[1][0]):
        allowed = "a header, a line | --- | and rows"
        raise Malformed("a table without them", allowed, f"{where}:{first}")
    return BookTable(header, tuple(cells for cells, _ in rows[2:]))


def _cells(line: str) -> tuple[str, ...]:
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return tuple(plain(cell) for cell in cells)
