"""Write the sources of the site: `python -m booksite FOLDER`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from booksite.api import api_pages
from booksite.asking import offered
from booksite.chapters import chapter_page
from booksite.disputes import disputes, disputes_page
from booksite.elements import script
from booksite.faces import faces_script, style
from booksite.games import Game, corpus, examples, loaded
from booksite.guides import (
    GUIDES,
    bulletin_page,
    guide_page,
    open_questions_page,
    sources_page,
)
from booksite.home import home_page
from booksite.marks import CHAPTERS, all_profiles, clause_address
from booksite.matrix import matrix_page
from booksite.options import options_page
from booksite.profiles import compared, profile_page, profiles_page
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.citing import citation_today
from refengine.lawbook.reading import plain, read_book
from refengine.lawbook.search_index import index_data
from refengine_conformance.strength.matrix import matrix_rows
from refengine_conformance.strength.scores import committed_document

HERE = Path(__file__).resolve().parent.parent


def write(folder: Path) -> int:
    """Write every page and data file of the site, and return the number of pages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "pages", folder)
    shutil.copytree(HERE / "templates", folder / "templates")
    static = folder / "static"
    shutil.copytree(HERE / "static", static)
    shutil.copy(HERE / "conf.py", folder)
    arguments = disputes()
    games = [*examples(), *corpus()]
    shown = sorted((*games, *(one.game for one in arguments)), key=place_in_list)
    pages = {
        **{page: chapter_page(number, shown) for number, page in CHAPTERS.items()},
        **{f"profile-{one.name}": profile_page(one, shown) for one in all_profiles()},
        **{name: guide_page(name) for name in GUIDES},
        "strength": matrix_page(matrix_rows(committed_document())),
        **api_pages(),
        "index": home_page(arguments, games[0], ["strength"]),
        "arguments": disputes_page(arguments),
        "options": options_page(),
        "profiles": profiles_page(),
        "open-questions": open_questions_page(),
        "sources": sources_page(),
        "bulletin": bulletin_page(),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text.strip() + "\n", "utf-8")
    for name, text in data_files(shown).items():
        (static / name).write_text(text, "utf-8")
    (static / "games").mkdir()
    for game in shown:
        (static / "games" / f"{game.id}.js").write_text(loaded(game), "utf-8")
    return len(pages)


def place_in_list(game: Game) -> tuple[bool, bool, bool]:
    """A sort key for games in the viewer: examples, disputes, others, counted games."""
    return "mini" in game.line, game.group != "examples", game.group != "disputes"


def data_files(games: Sequence[Game]) -> dict[str, str]:
    """The contents of the site's data files, keyed by file name."""
    index = index_data()
    entries = index.pop("entries")
    listed = [game.entry() for game in games]
    return {
        "faces.css": style(),
        "faces.js": faces_script(),
        "clauses.js": script("CLAUSES", clause_rows()),
        "asking.js": script("ASKING", offered()),
        "profile-values.js": script("PROFILES", compared()),
        # For pages with a filter: how the search reads words, without its entries.
        "search-words.js": script("WORDS", index),
        "search-index.js": script(
            "SEARCH", index | {"entries": list(map(addressed, entries))}
        ),
        "games.js": script("GAMES", listed, ensure_ascii=True, separators=(",", ":")),
    }


def clause_rows() -> list[list[Any]]:
    """A row for each clause, for use in the viewer of games.

    Each row holds the number, title and address of a clause, its sentences, the words
    around them, and its citation.
    """
    rows = []
    for passage in read_book(SPEC):
        number = passage.number
        around = [*passage.options, passage.ruling, *passage.notes]
        if asked := table_rulings().get(number):
            around += [asked.question, *asked.words]
        rows.append(
            [
                number,
                passage.title,
                clause_address(number),
                [plain(line) for line in passage.text.splitlines()],
                plain(" ".join(around)),
                str(citation_today(clauses()[number])),
            ]
        )
    return rows


def addressed(entry: list[Any]) -> list[Any]:
    """An entry of the search index with a page address in place of its dispute."""
    number, title, says, answering, dispute, *words = entry
    address = f"arguments.html#{dispute}" if dispute else ""
    if not dispute and (number or answering):
        address = clause_address(number or answering[0])
    return [number, title, says, answering, address, *words]


if __name__ == "__main__":
    print(write(Path(sys.argv[1])), "pages")
