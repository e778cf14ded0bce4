"""The book as a volume to print: its pages in order, each a list of titled parts.

Both `pdf` and `epub` typeset these parts. The body of a part is XHTML and comes from
the functions that also write the site, so that both show the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import cache
from html import escape
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

import attrs

from booksite.chapters import (
    KIND_WORDS,
    in_signs,
    is_about_drawing,
    law,
    mark_for_judges,
    note,
    notes,
    opening,
    ruling,
    tables,
)
from booksite.elements import element, head_and_body, listed, row
from booksite.faces import in_suits
from booksite.marks import (
    all_profiles,
    clause_address,
    clause_links,
    inline,
    option_link,
    paragraphs,
    source_link,
)
from booksite.profiles import profile_rows
from refengine.lawbook.book import SPEC, Clause, clauses, version
from refengine.lawbook.citing import citation_today
from refengine.lawbook.editions import is_draft
from refengine.lawbook.profiles import Profile
from refengine.lawbook.reading import (
    BookTable,
    Passage,
    chapter_files,
    plain,
    read_chapter,
)
from refengine_conformance.lawbook_checks.profiles_page import players_cell

TITLE: Final = "Hearts, rule by rule"
SUBTITLE: Final = "Hearts Family Rules: the laws of Hearts and Domino Hearts"
SIDE_BY_SIDE: Final = 4
"""The most profiles in one table: a page has room for that many, and for all rows."""

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_BACK: Final = ("profiles", "sources", "CHANGES")
_ENTRY: Final = re.compile(r"^## (\S+) \((\d{4}-\d{2}-\d{2})\)", re.MULTILINE)
_ELSEWHERE: Final = re.compile(r'<a class="address" href="[^"]*">(.*?)</a>')
_HREF: Final = re.compile(r'href="([^":#]*)\.html(?:#([^"]*))?"')


@attrs.frozen
class Part:
    """A heading (level from 1 to 3, anchor and words), and the XHTML below it."""

    level: int
    anchor: str
    title: str
    body: str


@attrs.frozen
class Page:
    """A chapter, or another page of the volume, under the name that links use."""

    name: str
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        """The title of the page, which is that of its first part."""
        return self.parts[0].title


@attrs.frozen
class Edition:
    """An edition of the book: its number, its date, and whether it is still a draft.

    The date is that of its entry in the bulletin or, if there is none, of the newest
    entry.
    """

    number: str
    dated: date
    draft: bool

    @property
    def line(self) -> str:
        """The edition and its date, such as `Edition 1.0.0, 21 November 2026`."""
        name = "Draft of edition" if self.draft else "Edition"
        return f"{name} {self.number}, {date_words(self.dated)}"

    @property
    def colophon(self) -> tuple[str, ...]:
        """The lines at the foot of the title page."""
        return (
            "The sentences of a clause bind; everything else explains (0.1).",
            f"Cite a clause by number and edition: HFR 5.3@{self.number} (0.5).",
            "By the refengine authors, under the MIT licence.",
        )


def date_words(day: date) -> str:
    """A date as people write it, whatever the language of the machine.

    >>> date_words(date(2026, 11, 1))
    '1 November 2026'
    """
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def edition(bulletin: str, number: str, draft: bool) -> Edition:
    """The edition with this number, dated by the text of the bulletin."""
    dates = {name: date.fromisoformat(day) for name, day in _ENTRY.findall(bulletin)}
    return Edition(number, dates.get(number) or max(dates.values()), draft)


def edition_today() -> Edition:
    """The edition of the book as it is now."""
    bulletin = (SPEC / "CHANGES.md").read_text("utf-8")
    return edition(bulletin, version(), is_draft(version()))


def volume() -> tuple[Page, ...]:
    """All pages: chapters by number, annexes by name, profiles, sources, bulletin."""
    return (
        *map(chapter, chapter_files(SPEC)),
        *map(annex, annex_files(SPEC)),
        profiles(),
        annex(SPEC / "sources.md"),
        annex(SPEC / "CHANGES.md"),
    )


def annex_files(folder: Path) -> list[Path]:
    """The files that are neither chapters nor at the back of the book, sorted."""
    others = {*folder.glob("*.md")} - {*chapter_files(folder)}
    return sorted(path for path in others if path.stem not in _BACK)


# Clauses


def chapter(path: Path) -> Page:
    """A chapter with its clauses."""
    text = path.read_text("utf-8")
    heading, words = opening(text)
    body = element("div", prose(words), "opening")
    first = Part(1, path.stem, heading.lstrip("# "), body)
    return Page(path.stem, (first, *map(clause_part, read_chapter(text, path.name))))


def clause_part(passage: Passage) -> Part:
    """A clause: law, ruling, tables, notes, formal lines, and facts."""
    number = passage.number
    body = (
        f"{mark_for_judges(number)}{law(passage)}{ruling(passage.ruling)}"
        f"{tables(passage, example_table, 'option-')}{notes(passage)}"
        f"{in_signs(passage)}{facts(clauses()[number])}"
    )
    level = 3 if number[-1].isalpha() else 2
    return Part(level, number, f"{number} {passage.title}", body)


def facts(clause: Clause) -> str:
    """Kind, options, sources and citation of a clause as one paragraph."""
    kind = KIND_WORDS[clause.kind]
    said = [f"This clause {kind}." if kind != clause.kind else "Withdrawn."]
    lists = {
        "Options": ", ".join(map(option_link, clause.options)),
        "Sources": ", ".join(map(source_link, clause.sources)),
        "Takes effect in": clause_links(clause.bites),
    }
    said += [f"{head}: {listed}." for head, listed in lists.items() if listed]
    said.append(element("code", str(citation_today(clause)), "cite"))
    return element("p", " ".join(said), "facts")


def example_table(table: BookTable) -> str:
    """The examples of a clause, with the symbols of suits on the cards."""
    drawing = is_about_drawing(table)
    head = ("your hand", "on the table", "given", "draw?" if drawing else "may play")
    rows = [
        [
            cards(hand),
            cards(trick) or "<i>you lead</i>",
            inline(given),
            answer if drawing else cards(answer),
        ]
        for hand, trick, given, answer in table.rows
    ]
    return printed(head, rows, "examples")


def cards(text: str) -> str:
    """Cards with the symbols of their suits; cards of the red suits are marked.

    >>> cards("TC QH")
    '10♣ <span class="red">Q♥</span>'
    """
    return " ".join(
        element("span", card, "red") if card[-1] in "♦♥" else card
        for card in in_suits(text).split()
    )


def printed(head: Iterable[str], rows: Iterable[Sequence[str]], css: str) -> str:
    """A table as it is printed, from cells that are XHTML."""
    return element("table", head_and_body(head, map(row, rows), "<th>"), css)


# Profiles


def profiles() -> Page:
    """Every profile in a paragraph, and all of them side by side."""
    found = all_profiles()
    marks = (
        "<p>° marks a value on which the source is silent, so that it is our ruling. "
        "– marks an option that has no effect given the profile's other options.</p>"
    )
    tables = "".join(map(_side_by_side, split_evenly(found, SIDE_BY_SIDE)))
    return Page(
        "profiles",
        (
            Part(1, "profiles", "The profiles", "".join(map(_about, found))),
            Part(2, "side-by-side", "Side by side", f"{marks}{tables}"),
        ),
    )


def split_evenly(found: Sequence[Profile], most: int) -> list[Sequence[Profile]]:
    """The profiles in as few groups of at most `most` as possible, all about equal."""
    count = -(-len(found) // most)
    ends = [len(found) * at // count for at in range(count + 1)]
    return [found[start:end] for start, end in pairwise(ends)]


def _about(one: Profile) -> str:
    sources = ", ".join(map(source_link, one.sources))
    return (
        f'<p id="profile-{one.name}"><b>{one.name}.</b> {escape(one.title)}, '
        f"players: {players_cell(one)}. {escape(one.summary)} Sources: {sources}.</p>"
    )


def _side_by_side(found: Sequence[Profile]) -> str:
    head = ("option", *(one.name for one in found), "clauses")
    return printed(head, profile_rows(found), "wide")


# Pages that are not chapters


def annex(path: Path) -> Page:
    """A page of headings, paragraphs, lists, tables and notes."""
    name = "bulletin" if path.stem == "CHANGES" else path.stem
    pieces = re.split(r"^(#+) (.+)$", path.read_text("utf-8"), flags=re.MULTILINE)
    parts = [
        Part(
            len(marks),
            name if at == 0 else f"{name}-{at}",
            plain(title),
            prose(words),
        )
        for at, (marks, title, words) in enumerate(
            zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True)
        )
    ]
    return Page(name, tuple(parts))


def prose(text: str) -> str:
    """Markdown as XHTML: its paragraphs, lists, tables and notes.

    Lines of plain text that are not separated by an empty line are kept together.
    """
    blocks = re.split(r"\n\s*\n", text.strip())
    return "".join(map(_written, filter(None, blocks)))


def _written(lines: str) -> str:
    return "".join(
        _WRITERS.get(sign, _together)([line.strip() for line in group])
        for sign, group in groupby(
            lines.splitlines(), lambda line: line[0] if line[0] in _WRITERS else ""
        )
    )


def _together(lines: Sequence[str]) -> str:
    return element("div", paragraphs("\n".join(lines)), "together")


def _note(lines: Sequence[str]) -> str:
    text = "\n".join(line.removeprefix(">") for line in lines)
    return note(text.replace("**Note.**", ""))


def _entries(lines: Sequence[str]) -> str:
    return listed(inline(line[2:]) for line in lines)


def _table(lines: Sequence[str]) -> str:
    """A table; if it is the table of sources, its rows can be linked to."""
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
        for line in lines
    ]
    head, body = rows[0], [list(map(inline, row)) for row in rows[2:]]
    if head[0] == "id":
        for row, (name, *_) in zip(body, rows[2:], strict=True):
            row[0] = element("b", name, id=f"source-{name}")
    return printed([*map(inline, head)], body, "plain")


_WRITERS: Final = {"|": _table, ">": _note, "-": _entries}


# Links


def with_links(html: str, address: Callable[[str, str], str]) -> str:
    """The same XHTML, with links within the site turned into links within the volume.

    `address` makes the link to an anchor on a page. An address elsewhere is printed
    without a link, so that no link leads out of the book.
    """

    def led(found: re.Match[str]) -> str:
        return f'href="{address(*place_of(found[1], found[2] or ""))}"'

    return _HREF.sub(led, _ELSEWHERE.sub(r"\1", html))


def place_of(page: str, anchor: str) -> tuple[str, str]:
    """The page and anchor in the volume for a page and anchor of the site.

    In the volume, an option is a row in the table of options, and a profile is a
    paragraph.

    >>> place_of("profile-estmesh-hearts", "")
    ('profiles', 'profile-estmesh-hearts')
    """
    if page.startswith("profile-"):
        return "profiles", page
    if page == "options":
        return options_page_name(), f"option-{anchor}"
    if page == "sources" and anchor:
        return page, f"source-{anchor}"
    return page, anchor


@cache
def options_page_name() -> str:
    """The page of the chapter that holds the table of options."""
    return clause_address("0.4").partition(".html")[0]
