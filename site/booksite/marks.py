"""Sentences of the book as HTML, with links to clauses, options and profiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Final

from booksite.elements import element, link
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import Profile, profile, profile_names
from refengine.lawbook.reading import chapter_files, chapter_of
from refengine.lawbook.spoken import option_name, profile_name

CHAPTERS: Final = {
    path.name.partition("-")[0]: path.stem for path in chapter_files(SPEC)
}
"""The page of each chapter by its number, such as `5-play`."""

MOST_PLAYED: Final = "common-hearts"
"""The game that most people play: pages begin with it, and compare others with it."""

_PAGES: Final = {"sources.md": "sources.html", "profiles.md": "profiles.html"}
"""The pages of files that the book names."""

_PIECE: Final = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<bold>[^*]+)\*\*|\*(?P<slanted>[^*\s][^*]*)\*"
    r"|\[(?P<label>[^\]]+)\]\((?P<address>[^)]+)\)"
    r"|<(?P<site>https?://[^<>\s]+)>"
    r"|(?P<number>(?<![\w.@])[0-9]{1,2}\.[1-9][0-9]*[a-z]?(?!\w|\.[0-9]))"
    r"|(?P<word>[a-z]+(?:[_-][a-z]+)+)"
    r"|\\(?P<escaped>[|*`])"
)


def chapter_title(number: str) -> str:
    """The title of a chapter, without its number."""
    path = SPEC / f"{CHAPTERS[number]}.md"
    return path.read_text("utf-8").split("\n", 1)[0][4:]


def clause_address(number: str) -> str:
    """The address of a clause on the site, such as `5-play.html#5.3`."""
    return f"{CHAPTERS[chapter_of(number)]}.html#{number}"


def clause_link(number: str, words: str = "") -> str:
    """A link to a clause that shows its title on hover."""
    title = clauses()[number].title
    return link(clause_address(number), words or number, "clause-link", title)


def clause_links(numbers: Iterable[str], between: str = ", ") -> str:
    """Links to several clauses."""
    return between.join(map(clause_link, numbers))


def clause_titled(number: str) -> str:
    """A link to a clause, followed by its title."""
    return f"{clause_link(number)} {escape(clauses()[number].title)}"


def option_link(name: str) -> str:
    """A link to an option."""
    return link(f"options.html#{name}", f"<code>{name}</code>", "option")


def option_said(name: str) -> str:
    """A link to an option under its everyday name, and its identifier in small type."""
    said = escape(option_name(name), quote=False)
    return f"{link(f'options.html#{name}', said, 'option')} {typed(name)}"


def profile_said(name: str) -> str:
    """A link to a profile under its everyday name, and its identifier in small type."""
    return f"{profile_link(name, profile_name(name))} {typed(name)}"


def profile_titled(name: str) -> str:
    """A link to a profile under its everyday name; hovering shows the identifier."""
    return profile_link(name, profile_name(name), name)


def profile_link(name: str, words: str = "", title: str = "") -> str:
    """A link to the page of a profile."""
    said = escape(words or name, quote=False)
    return link(f"profile-{name}.html", said, "profile", title)


def profile_links(names: Iterable[str]) -> str:
    """Links to several profiles."""
    return ", ".join(map(profile_link, names))


def source_link(name: str) -> str:
    """A link to a source."""
    return link(f"sources.html#{name}", name)


def all_profiles() -> list[Profile]:
    """All profiles, in alphabetical order."""
    return [profile(name) for name in profile_names()]


def typed(name: str) -> str:
    """An identifier as it is typed, in small type."""
    return element("code", name, "typed")


def inline(text: str, profile_mark: Callable[[str], str] = profile_link) -> str:
    """One line of the book as HTML: code, emphasis, and links to what it names.

    `profile_mark` makes the link to a profile.

    >>> inline("as `barred` says (5.5)")[:33]
    'as <code>barred</code> says (<a c'
    """
    parts = []
    at = 0
    for piece in _PIECE.finditer(text):
        parts += [
            escape(text[at : piece.start()], quote=False),
            _marked(piece, profile_mark),
        ]
        at = piece.end()
    return "".join([*parts, escape(text[at:], quote=False)])


def _marked(piece: re.Match[str], profile_mark: Callable[[str], str]) -> str:
    kind, text = piece.lastgroup, piece[piece.lastgroup or 0]
    if kind == "number" and text in clauses():
        return clause_link(text)
    if kind in ("word", "code") and text in BY_NAME:
        return option_link(text)
    if kind == "word" and text in profile_names():
        return profile_mark(text)
    shown = escape(text, quote=False)
    if kind == "code" and text in _PAGES:
        return link(_PAGES[text], f"<code>{shown}</code>")
    if kind == "code":
        return f"<code>{shown}</code>"
    if kind == "bold":
        return f"<strong>{inline(text, profile_mark)}</strong>"
    if kind == "slanted":
        return f"<em>{inline(text, profile_mark)}</em>"
    if kind == "site":
        return link(text, escape(text), "address")
    if kind == "address":
        return inline(piece["label"], profile_mark)
    return shown


def paragraphs(text: str) -> str:
    """Lines as paragraphs; empty lines between them are dropped."""
    lines = [line.strip() for line in text.splitlines()]
    return "".join(f"<p>{inline(line)}</p>" for line in lines if line)
