"""Write the sources of the site: `python -m booksite FOLDER`."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from booksite.asking import asking_script
from booksite.chapters import chapter_page
from booksite.disputes import disputes, disputes_page
from booksite.faces import script as faces_script
from booksite.faces import style
from booksite.games import Game, corpus, examples, index, script
from booksite.guides import (
    GUIDES,
    api_pages,
    bulletin_page,
    guide_page,
)
from booksite.home import home_page
from booksite.marks import CHAPTERS, clause_address
from booksite.matrix import matrix_page
from booksite.profiles import comparing_script, profiles_page
from booksite.tables import (
    all_profiles,
    options_page,
    profile_page,
    sources_page,
)
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import SPEC, registry
from refengine.lawbook.reading import plain, read_book
from refengine.lawbook.search_index import index_data
from refengine_conformance.strength.matrix import matrix_rows
from refengine_conformance.strength.measure import committed_document

HERE = Path(__file__).resolve().parent.parent


def write(folder: Path) -> int:
    """Write every page and every data file of the site, and count the pages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE / "pages", folder)
    shutil.copytree(HERE / "templates", folder / "templates")
    static = folder / "static"
    shutil.copytree(HERE / "static", static)
    shutil.copy(HERE / "conf.py", folder)
    arguments = list(disputes())
    games = [*examples(), *corpus()]
    pages = {
        **{page: chapter_page(number, games) for number, page in CHAPTERS.items()},
        **{f"profile-{one.name}": profile_page(one, games) for one in all_profiles()},
        **{name: guide_page(path) for name, path in GUIDES.items()},
        "strength": matrix_page(matrix_rows(committed_document())),
        **api_pages(),
        "index": home_page(arguments, games[0], ["strength"]),
        "arguments": disputes_page(arguments),
        "options": options_page(),
        "profiles": profiles_page(),
        "sources": sources_page(),
        "bulletin": bulletin_page(),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text.strip() + "\n", "utf-8")
    (static / "asking.js").write_text(asking_script(), "utf-8")
    (static / "profile-values.js").write_text(comparing_script(), "utf-8")
    (static / "search-index.js").write_text(search_script(), "utf-8")
    (static / "search-words.js").write_text(words_script(), "utf-8")
    shown = [*games, *(one.game for one in arguments)]
    write_data(static, sorted(shown, key=place_in_list))
    return len(pages)


def place_in_list(game: Game) -> tuple[bool, bool, bool]:
    """The place of a game in the list of the viewer: examples first, counts last."""
    return not game.steps, game.group != "examples", game.group != "disputes"


def write_data(static: Path, games: list[Game]) -> None:
    """Write what the scripts of the site read: faces, clauses and games."""
    (static / "faces.css").write_text(style(), "utf-8")
    (static / "faces.js").write_text(faces_script(), "utf-8")
    (static / "clauses.js").write_text(clauses_script(), "utf-8")
    (static / "games.js").write_text(index(games), "utf-8")
    folder = static / "games"
    folder.mkdir()
    for game in games:
        (folder / f"{game.id}.js").write_text(script(game), "utf-8")


def clauses_script() -> str:
    """The clauses as a script, for the viewer.

    A row is number, title, address, sentences, the words around them, and citation.
    """
    version = registry()["version"]
    rows = []
    for passage in read_book(SPEC):
        around = [*passage.options, passage.ruling, *passage.notes]
        asked = table_rulings().get(passage.number)
        around += [asked.question, *asked.words] if asked else []
        rows.append(
            [
                passage.number,
                passage.title,
                clause_address(passage.number),
                [plain(line) for line in passage.text.splitlines()],
                plain(" ".join(around)),
                f"HFR {passage.number}@{version}~{passage.fingerprint}",
            ]
        )
    return f"window.REFENGINE_CLAUSES={json.dumps(rows, ensure_ascii=False)};\n"


def search_script() -> str:
    """The index of the search as a script, each entry with its address on the site."""
    data = index_data()
    for row in data["entries"]:
        number, clauses, dispute = row[0], row[3], row[4]
        at_clause = clause_address(number or clauses[0]) if number or clauses else ""
        row[4] = f"arguments.html#{dispute}" if dispute else at_clause
    return f"window.REFENGINE_SEARCH={json.dumps(data, ensure_ascii=False)};\n"


def words_script() -> str:
    """How the search reads words, without what it finds, for pages with a filter."""
    words = {key: value for key, value in index_data().items() if key != "entries"}
    return f"window.REFENGINE_WORDS={json.dumps(words, ensure_ascii=False)};\n"


if __name__ == "__main__":
    print(write(Path(sys.argv[1])), "pages")
