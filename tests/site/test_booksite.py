"""The generator of the site: what it writes from the book, the corpus and the games."""

import json
from pathlib import Path

import pytest

from booksite import links
from booksite.chapters import best, chapter_page, in_suits
from booksite.disputes import disputes
from booksite.faces import script, style
from booksite.games import EXAMPLES, Game, examples, full, index, of_trace
from booksite.guides import GUIDES, guide_page, matrix_pages
from booksite.marks import CHAPTERS, inline
from booksite.tables import options_page, profile_page, sources_page
from refengine.formats.trace import read_trace, replay
from refengine.lawbook.book import clauses
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile

DRAW = (EXAMPLES / "01-draw.jsonl").read_bytes()


def test_sentences_link_to_clauses_options_and_profiles() -> None:
    html = inline(
        "as `barred` in openspiel-hearts (5.5), first_trick_points, not 5.5.1"
    )

    assert "<code>barred</code>" in html
    assert 'href="profile-openspiel-hearts.html"' in html
    assert 'href="5-play.html#5.5" title="No points on the first trick"' in html
    assert 'href="options.html#first_trick_points"' in html
    assert html.endswith("not 5.5.1")
    assert inline("a <b> & **c** *d*") == (
        "a &lt;b&gt; &amp; <strong>c</strong> <em>d</em>"
    )


def test_a_chapter_has_every_clause_with_its_citation() -> None:
    page = chapter_page("5", list(examples()))

    for number, clause in clauses().items():
        if number.startswith("5."):
            assert f"# {number} {clause.title}\n" in page
            assert f"HFR {number}@1.1.0~{clause.fingerprint}" in page
    assert "pokerwiner-hearts</a>" in page
    assert in_suits("TC QH") == "10♣ Q♥"


def test_every_chapter_of_the_book_has_a_page() -> None:
    assert list(CHAPTERS) == [str(number) for number in range(11)]


def test_games_know_where_a_clause_forbids_something() -> None:
    found = {game.name: game for game in examples()}
    draw = found["draw until you can follow"]

    assert draw.shows["6.1"] == 2
    assert draw.address(2) == "viewer.html#trace=t-2dfead5755935980&step=2"
    assert found["a mini-deal, counted"].steps == []
    assert json.loads(index([draw])[len("window.REFENGINE_GAMES=") : -2])[0][3:6] == [
        "gamerules-domino",
        2,
        6,
    ]


def test_a_game_of_the_viewer_is_a_trace_that_replays() -> None:
    line = full(DRAW)
    written = json.dumps(of_trace(read_trace(DRAW))).encode()

    assert line["id"] == json.loads(DRAW)["id"]
    assert all("hands" in step["then"] for step in line["steps"])
    assert replay(read_trace(written)) == []


def test_the_plainest_games_of_a_clause_come_first() -> None:
    line = full(DRAW)
    bundled = Game(id="a", name="", group="examples", line=line)
    forbids = Game(id="b", name="", group="corpus", line=line)
    silent = Game(id="c", name="", group="corpus", line={**line, "steps": []})

    assert best("6.1", [silent, forbids, bundled]) == [bundled, forbids, silent]


def test_disputes_are_games_that_replay_to_their_question() -> None:
    found = list(disputes())
    asked = found[1]

    assert asked.game.steps[-1]["act"] == {"play": "QS"}
    refused = next(one for one in found if one.id == "moon-by-a-revoker")
    for one in (asked, refused):
        assert replay(read_trace(json.dumps(one.game.line).encode())) == []


def test_options_profiles_and_sources_have_their_pages() -> None:
    page = options_page()

    assert all(f"## {option.name}\n" in page for option in OPTIONS)
    one = profile_page(profile("gamerules-domino"), list(examples()))
    assert "draw until you can follow" in one
    assert 'Ruleset("gamerules-domino", players=' in one
    assert '<p id="gamerules">' in sources_page()


def test_guides_lead_to_each_other() -> None:
    assert "[formats](formats.md)" in guide_page(GUIDES["adapters"])


def test_faces_follow_the_theme_that_a_reader_chose() -> None:
    assert style().count(".rf-felt") == 3
    assert 'body:not([data-theme="light"])' in style()
    assert script().count("\n") > 52


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("there.html", ""),
        ("there.html#5.3", ""),
        ("there.html#5.4", "no such anchor"),
        ("gone.html", "no such file"),
        ("viewer.html#trace=t-1&step=2", ""),
        ("viewer.html#trace=t-1&step=3", "no such step"),
        ("viewer.html#trace=t-2", "no such game"),
        ("viewer.html#clause=5.99", "no such clause"),
        ("viewer.html#profile=whist", "no such profile"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(
    link: str, wrong: str, tmp_path: Path
) -> None:
    games = tmp_path / "_static" / "games"
    games.mkdir(parents=True)
    (games / "t-1.js").write_text('refengineGame({"steps":[{}]});\n')
    (tmp_path / "there.html").write_text('<h2 id="5.3">Follow suit</h2>')
    (tmp_path / "viewer.html").write_text("<h1>Viewer</h1>")
    (tmp_path / "a.html").write_text(f'<a href="{link}">x</a>'.replace("&", "&amp;"))

    expected = [f"a.html: {link}: {wrong}"] if wrong else []
    assert links.broken(tmp_path) == expected


def test_ids_twice_and_files_from_elsewhere_are_found(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text('<p id="x"></p><p id="x"></p><script src="//a.example/b.js">')

    assert links.broken(tmp_path) == [
        "a.html: id x twice",
        "a.html: //a.example/b.js: loaded from elsewhere",
    ]


def test_the_matrix_is_a_page_with_a_row_and_a_link_for_every_clause() -> None:
    page = matrix_pages()["strength"]
    rows = [line for line in page.splitlines() if line.startswith(("| <a ", "- <a "))]
    for number in clauses():
        assert any(f'.html#{number}"' in row for row in rows), number
    assert "../refengine" not in page
