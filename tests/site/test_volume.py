"""Tests of the book as one volume: its pages, their order, its links and its date."""

from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest

from booksite.chapters import mark_for_judges
from booksite.marks import all_profiles, inline
from booksite.pdf import book_xml
from booksite.volume import (
    annex,
    annex_files,
    edition,
    edition_today,
    place_of,
    prose,
    split_evenly,
    volume,
    with_links,
)
from refengine.lawbook.book import SPEC, clauses
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.profiles import profile_names


def test_the_volume_has_every_clause_once_and_in_order() -> None:
    anchors = [part.anchor for page in volume() for part in page.parts]
    assert [one for one in anchors if one in clauses()] == [*clauses()]
    assert len({*anchors}) == len(anchors)


def test_the_back_of_the_volume_comes_after_the_chapters() -> None:
    names = [page.name for page in volume()]
    assert names[0] == "0-reading"
    assert names[-3:] == ["profiles", "sources", "bulletin"]


def test_annexes_are_neither_chapters_nor_at_the_back(tmp_path: Path) -> None:
    for name in ("10-hall", "2-table", "judging", "glossary", "CHANGES", "sources"):
        (tmp_path / f"{name}.md").touch()
    assert [path.stem for path in annex_files(tmp_path)] == ["glossary", "judging"]


def test_an_annex_has_its_headings_and_words(tmp_path: Path) -> None:
    file = tmp_path / "glossary.md"
    file.write_text("# Glossary\n\nWords.\n\n## Of play\n\n- **led**: put first.\n")
    page = annex(file)
    assert (page.name, page.title) == ("glossary", "Glossary")
    assert [(one.level, one.anchor, one.title) for one in page.parts] == [
        (1, "glossary", "Glossary"),
        (2, "glossary-1", "Of play"),
    ]
    assert page.parts[1].body == "<ul><li><strong>led</strong>: put first.</li></ul>"


def test_every_link_has_its_anchor() -> None:
    tree = ElementTree.fromstring(book_xml(volume(), edition_today()))
    anchors = {one.attrib["anchor"] for one in tree.iter("part")}
    anchors |= {one.attrib["id"] for one in tree.iter() if "id" in one.attrib}
    links = {one.attrib["href"] for one in tree.iter("a")}
    links = {one for one in links if one.startswith("#")}
    assert len(links) > 150
    assert {one for one in links if one.removeprefix("#") not in anchors} == set()
    assert {f"option-{one.name}" for one in OPTIONS} <= anchors
    assert {f"profile-{name}" for name in profile_names()} <= anchors


def test_an_address_elsewhere_is_printed_and_leads_nowhere() -> None:
    html = f"<p>{inline('at <https://a.example/x.html>, see 5.3')}</p>"
    found = with_links(html, lambda page, anchor: f"#{anchor or page}")
    assert found.startswith("<p>at https://a.example/x.html, see <a ")
    assert 'href="#5.3"' in found


@pytest.mark.parametrize(
    ("page", "anchor", "place"),
    [
        ("5-play", "5.3", ("5-play", "5.3")),
        ("options", "moon", ("0-reading", "option-moon")),
        ("profile-estmesh-hearts", "", ("profiles", "profile-estmesh-hearts")),
        ("sources", "estmesh", ("sources", "source-estmesh")),
        ("sources", "", ("sources", "")),
    ],
)
def test_a_link_of_the_site_has_its_place(
    page: str, anchor: str, place: tuple[str, str]
) -> None:
    assert place_of(page, anchor) == place
    html = f'<a href="{page}.html' + (f"#{anchor}" if anchor else "") + '">x</a>'
    said = with_links(html, lambda *found: "|".join(found))
    assert said == f'<a href="{"|".join(place)}">x</a>'


def test_a_link_to_the_web_stays_as_it_is() -> None:
    html = '<a href="https://example.org/rules.html#options">x</a>'
    assert with_links(html, lambda *found: "|".join(found)) == html


def test_prose_keeps_lines_notes_entries_and_tables() -> None:
    text = "One (5.3).\nTwo.\n\n- a\n- b\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\n> n"
    html = prose(text)
    assert html.count("<p>") == 3
    assert 'href="5-play.html#5.3"' in html
    assert "<ul><li>a</li><li>b</li></ul>" in html
    assert "<tr><th>x</th><th>y</th></tr>" in html
    assert "<tbody><tr><td>1</td><td>2</td></tr></tbody>" in html
    assert '<aside class="note"><h4>Note</h4><p>n</p></aside>' in html


@pytest.mark.parametrize("most", [1, 3, 4, 6, 20])
def test_profiles_are_spread_evenly_over_tables(most: int) -> None:
    found = all_profiles()
    groups = split_evenly(found, most)
    assert [one for group in groups for one in group] == found
    assert max(map(len, groups)) <= most
    assert (len(groups) - 1) * most < len(found)  # as few tables as will do
    assert max(map(len, groups)) - min(map(len, groups)) <= 1


def test_an_edition_has_the_date_of_its_entry() -> None:
    text = "## 1.1.0 (2027-03-01)\n\n## 1.0.0 (2026-11-21)\n"
    assert edition(text, "1.0.0", False).line == "Edition 1.0.0, 21 November 2026"
    draft = edition(text, "1.1.0", True)
    assert draft.line == "Draft of edition 1.1.0, 1 March 2027"
    assert edition(text, "1.2.0", True).dated == date(2027, 3, 1)


def test_the_edition_is_a_draft_until_it_is_published() -> None:
    today = edition_today()
    frozen = (SPEC / "editions" / f"{today.number}.json").is_file()
    assert today.draft is not frozen


def test_the_printed_book_marks_the_clauses_for_judges() -> None:
    bodies = {part.anchor: part.body for page in volume() for part in page.parts}
    marked = {one for one, body in bodies.items() if 'class="for-judges"' in body}
    assert {"0.7a", "0.8", "3.12k", "8.10a", "9.8b"} <= marked
    assert marked == {one for one in clauses() if mark_for_judges(one)}
    assert not {"0.7", "3.8", "5.3", "10.1"} & marked


def test_a_heading_is_printed_without_its_link(tmp_path: Path) -> None:
    file = tmp_path / "glossary.md"
    file.write_text("# The [bulletin](CHANGES.md)\n\nWords.\n", "utf-8")
    assert annex(file).title == "The bulletin"
