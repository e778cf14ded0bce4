"""Check every link of the built site without a network: `python -m booksite.links`.

Files and anchors must exist, an id may occur only once on a page, a link into the
viewer must name a game, a step and a clause that exist, and no page may load anything
from elsewhere.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Container
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import clauses
from refengine.lawbook.profiles import profile_names
from refengine.rulings.asking.questions import KINDS

_LOADED: Final = {"script": "src", "img": "src", "link": "href", "iframe": "src"}
_ASKED: Final[dict[str, dict[str, str]]] = {
    "ask.html": {"ask": ""},
    "profiles.html": {"compare": ""},
    "viewer.html": {},
}
"""The pages to which links put questions, each with the keys that a link must give."""
_KNOWN: Final[dict[str, tuple[Container[str], str]]] = {
    "ask": (KINDS, "question"),
    "clause": (clauses(), "clause"),
    "number": (table_rulings(), "clause of chapter 10"),
    **dict.fromkeys(("profile", "compare", "with"), (profile_names(), "profile")),
}
"""The values that a key in such a link may have, and what such a value is called."""


class Page(HTMLParser):
    """The ids and links of an HTML page, and the files that it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the id, the link and the loaded file in one tag."""
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids[found["id"]] += 1
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if found.get(_LOADED.get(tag, "")):
            self.loads.append(found[_LOADED[tag]])


@cache
def page_at(path: Path) -> Page:
    """The page in this file."""
    return Page(path.read_text("utf-8"))


def broken(site: Path) -> list[str]:
    """What is wrong with ids, links and loaded files: one line for each fault."""
    found: list[str] = []
    for path in sorted(site.rglob("*.html")):
        page = page_at(path)
        name = path.relative_to(site).as_posix()
        found += [f"{name}: id {one} twice" for one, n in page.ids.items() if n > 1]
        for link in sorted({*page.links, *page.loads}):
            wrong = _wrong(site, path, link, link in page.loads)
            if wrong:
                found.append(f"{name}: {link}: {wrong}")
    return found


def _wrong(site: Path, path: Path, link: str, loaded: bool) -> str:
    """The fault in a link on a page, or an empty string if none is found."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return "loaded from elsewhere" if loaded and parts.scheme != "data" else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    if "=" in parts.fragment and target.name in _ASKED:
        return _wrong_asked(site, target.name, dict(parse_qsl(parts.fragment)))
    anchor = unquote(parts.fragment)
    if anchor and target.suffix == ".html" and anchor not in page_at(target).ids:
        return "no such anchor"
    return ""


def _wrong_asked(site: Path, page: str, asked: dict[str, str]) -> str:
    """The fault in the parameters after # in a link to this page; empty if none."""
    for key, value in {**_ASKED[page], **asked}.items():
        known, what = _KNOWN.get(key, ([value], ""))
        if value not in known:
            return f"no such {what}"
    if "trace" in asked:
        file = site / "_static" / "games" / f"{asked['trace']}.js"
        if not file.is_file():
            return "no such game"
        game = json.loads(file.read_text("utf-8")[len("refengineGame(") : -3])
        steps = range(1, len(game.get("steps", ())) + 2)
        if asked.get("step", "1") not in map(str, steps):
            return "no such step"
    return ""


def main() -> None:
    """Print what is wrong with the site in the given folder, and how many links it has.

    The exit code is 1 if anything is wrong or there are no links.
    """
    site = Path(sys.argv[1]).resolve()
    wrong = broken(site)
    pages = list(site.rglob("*.html"))
    links = sum(len(page_at(path).links) for path in pages)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{links} links on {len(pages)} pages, {len(wrong)} broken")
    if wrong or not links:
        sys.exit(1)


if __name__ == "__main__":
    main()
