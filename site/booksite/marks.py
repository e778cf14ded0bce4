"""Sentences of the book as HTML, with links to clauses, options and profiles."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import BY_NAME
from refengine.lawbook.profiles import profile_names
from refengine.lawbook.reading import chapter_files, chapter_of
from refengine.lawbook.spoken import option_name, profile_name

CHAPTERS: Final = {
    path.name.partition("-")[0]: path.stem for path in chapter_files(SPEC)
}
"""The page of each chapter by its number, `5-play`."""

MOST_PLAYED: Final = "common-hearts"
"""The game that most people play: pages begin with it, and tell others by it."""

_PIECE: Final = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<bold>[^*]+)\*\*|\*(?P<slanted>[^*\s][^*]*)\*"
    r"|\[(?P<label>[^\]]+)\]\((?P<address>[^)]+)\)"
    r"|<(?P<site>https?://[^<>\s]+)>"
    r"|(?P<number>(?<![\w.@])[0-9]{1,2}\.[1-9][0-9]*[a-z]?(?!\w|\.[0-9]))"
    r"|(?P<word>[a-z]+(?:[_-][a-z]+)+)"
    r"|\\(?P<escaped>[|*`])"
)


def clause_address(number: str) -> str:
    """The address of a clause on the site, `5-play.html#5.3`."""
    return f"{CHAPTERS[chapter_of(number)]}.html#{number}"


def clause_link(number: str, words: str = "") -> str:
    """A link to a clause that shows its title on hover."""
    title = escape(clauses()[number].title, quote=True)
    return (
        f'<a class="clause-link" href="{clause_address(number)}" title="{title}">'
        f"{words or number}</a>"
    )


def option_link(name: str) -> str:
    """A link to an option."""
    return f'<a class="option" href="options.html#{name}"><code>{name}</code></a>'


def option_said(name: str) -> str:
    """A link to an option by what people call it, its identifier small behind."""
    said = escape(option_name(name), quote=False)
    return (
        f'<a class="option" href="options.html#{name}">{said}</a> '
        f'<code class="typed">{name}</code>'
    )


def profile_said(name: str) -> str:
    """A link to a profile by what people call it, its identifier small behind."""
    said = escape(profile_name(name), quote=False)
    return (
        f'<a class="profile" href="profile-{name}.html">{said}</a> '
        f'<code class="typed">{name}</code>'
    )


def profile_link(name: str) -> str:
    """A link to the page of a profile."""
    return f'<a class="profile" href="profile-{name}.html">{name}</a>'


def source_link(name: str) -> str:
    """A link to a source."""
    return f'<a href="sources.html#{name}">{name}</a>'


def inline(text: str) -> str:
    """One line of the book as HTML: code, emphasis, and links where it names things.

    >>> inline("as `barred` says (5.5)")[:33]
    'as <code>barred</code> says (<a c'
    """
    parts = []
    at = 0
    for piece in _PIECE.finditer(text):
        parts += [escape(text[at : piece.start()], quote=False), _marked(piece)]
        at = piece.end()
    return "".join([*parts, escape(text[at:], quote=False)])


def _marked(piece: re.Match[str]) -> str:
    kind, text = piece.lastgroup, piece[piece.lastgroup or 0]
    if kind == "number" and text in clauses():
        return clause_link(text)
    if kind in ("word", "code") and text in BY_NAME:
        return option_link(text)
    if kind == "word" and text in profile_names():
        return profile_link(text)
    shown = escape(text, quote=False)
    if kind == "code":
        return f"<code>{shown}</code>"
    if kind == "bold":
        return f"<strong>{inline(text)}</strong>"
    if kind == "slanted":
        return f"<em>{inline(text)}</em>"
    if kind == "site":
        address = escape(piece["site"], quote=True)
        return f'<a class="address" href="{address}">{address}</a>'
    if kind == "address":
        return inline(piece["label"])
    return shown


def paragraphs(text: str, style: str = "") -> str:
    """Lines as paragraphs; an empty line between them is dropped."""
    mark = f' class="{style}"' if style else ""
    lines = [line.strip() for line in text.splitlines()]
    return "".join(f"<p{mark}>{inline(line)}</p>" for line in lines if line)


def block(html: str) -> str:
    """HTML as one block of a Markdown page: nothing in it is read as Markdown."""
    return "\n" + re.sub(r"\n\s*\n", "\n", html.strip()) + "\n"
