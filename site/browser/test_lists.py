"""Tests of the pages of profiles, arguments and evidence, and of the HTML report."""

import base64
import json
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import DESK, IN_EVERY_LOOK, PHONE, ROOT, SITE, Browser
from pypdfium2 import PdfDocument
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from refengine_conformance.report.html_report import html
from refengine_conformance.runner.results import (
    Case,
    EngineCard,
    Fault,
    Limits,
    Outcome,
)
from refengine_conformance.runner.runs import Run

PAGES = ("profiles.html#compare=black-maria&with=spot-hearts", "arguments.html")
WIDE = "strength.html"
GAMES = "core-estmesh-hearts.jsonl"
BESIDE = "#compared tbody tr"
SHOWN = "article section section > section:not([hidden]) > h3"


def found(browser: Browser, place: str) -> list[WebElement]:
    return browser.driver.find_elements(By.CSS_SELECTOR, place)


def one(browser: Browser, place: str) -> WebElement:
    return browser.driver.find_element(By.CSS_SELECTOR, place)


def texts(browser: Browser, place: str) -> list[str]:
    given = browser.run(
        "return [...document.querySelectorAll(arguments[0])].map(one =>"
        " one.textContent.replace('¶', '').trim())",
        place,
    )
    assert isinstance(given, list)
    return given


def status(browser: Browser, place: str, begins: str) -> str:
    """The text of a status region, once it begins with `begins`."""
    browser.until(lambda: one(browser, place).text.startswith(begins))
    assert one(browser, place).get_attribute("role") == "status"
    return one(browser, place).text


# Two games side by side


def test_two_games_are_chosen_with_the_keyboard(browser: Browser) -> None:
    browser.open("profiles.html")
    assert texts(browser, BESIDE) == []
    first = one(browser, "select[name=compare]")
    first.send_keys("Domino")
    first.send_keys(Keys.TAB)
    browser.driver.switch_to.active_element.send_keys("Old H")

    assert browser.fragment() == "#compare=gamerules-domino&with=pokerwiner-hearts"
    said = status(browser, ".compare-count", "Domino Hearts and Old Hearts differ in ")
    assert said.endswith(" rules.")
    rows = texts(browser, BESIDE)
    assert said.split(" differ in ")[1].split()[0] == str(len(rows))
    direction = [row for row in rows if row.startswith("Direction of play")]
    assert direction == []  # both go clockwise


def test_the_address_holds_two_games_and_each_rule_its_clause(browser: Browser) -> None:
    browser.open(PAGES[0])
    heads = texts(browser, "#compared thead th")
    assert heads == ["rule", "Black Maria", "Spot Hearts", "clauses"]
    queen = one(browser, "#compared a[href='options.html#queen_points']")
    row = queen.find_element(By.XPATH, "ancestor::tr")
    assert [cell.text for cell in row.find_elements(By.TAG_NAME, "td")][:2] == [
        "13",
        "25",
    ]
    small = row.find_element(By.TAG_NAME, "code")
    assert small.text == "queen_points"
    size = "return parseFloat(getComputedStyle(arguments[0]).fontSize)"
    assert browser.run(size, small) < browser.run(size, queen)
    row.find_element(By.CSS_SELECTOR, "a[href='1-cards.html#1.5']").click()
    assert browser.driver.current_url.endswith("1-cards.html#1.5")


def test_every_pair_with_the_base_is_what_the_page_says_without_scripts(
    browser: Browser,
) -> None:
    """The script shows the built-in rows, and beyond them only rules without effect."""
    browser.open("profiles.html")
    names = browser.run("return Object.keys(REFENGINE_PROFILES.games)")
    assert isinstance(names, list)
    for name in sorted({*names} - {"common-hearts"}):
        browser.open(f"profiles.html#compare={name}&with=common-hearts")
        given = browser.run(
            "const rows = [...document.querySelectorAll(arguments[0])];"
            "return rows.map(row => [...row.children].map(one => one.textContent))",
            BESIDE,
        )
        told = browser.run(
            "const at = document.getElementById(arguments[0]);"
            "const rows = [...at.querySelectorAll('tbody tr')];"
            "return rows.map(row => [...row.children].map(one => one.textContent))",
            name,
        )
        assert isinstance(given, list)
        assert told, name
        assert [row for row in given if row[1] != "no effect"] == told


def test_a_game_alone_leaves_the_other_to_choose(browser: Browser) -> None:
    browser.open("profile-black-maria.html")
    one(browser, "a[href='profiles.html#compare=black-maria']").click()
    chosen = (
        "return [...document.querySelectorAll('.compare select')].map(s => s.value)"
    )
    assert browser.run(chosen) == ["black-maria", ""]
    focus = browser.driver.switch_to.active_element
    assert focus.get_attribute("name") == "with"
    focus.send_keys("Black")
    status(browser, ".compare-count", "That is the same game twice.")
    assert texts(browser, BESIDE) == []


def test_an_unknown_game_in_the_address_is_left_out(browser: Browser) -> None:
    browser.open("profiles.html#compare=constructor&with=spot-hearts")
    assert texts(browser, BESIDE) == []


# Arguments


@pytest.mark.parametrize(
    ("typed", "there"),
    [
        ("renege", "Claim too early"),  # a revoke by another name
        ("black lady first trick", "First trick queen"),
        ("kity", "Kitty with the queen"),  # with a typing error
        ("10 of diamonds", "All but the ten"),
        ("5.9a", "Queen breaks hearts"),
        ("slam", "Moon by a revoker"),
    ],
)
def test_arguments_are_found_in_the_words_of_people(
    browser: Browser, typed: str, there: str
) -> None:
    browser.open("arguments.html")
    every = len(texts(browser, SHOWN))
    one(browser, ".find input").send_keys(typed)
    shown = texts(browser, SHOWN)  # filtered at once; the count comes later
    said = status(browser, ".find-count", f"{len(shown)} of {every} arguments")
    assert said == f"{len(shown)} of {every} arguments"
    assert there in shown
    assert len(shown) < every / 2
    heads = texts(browser, "article section > section:not([hidden]) > h2")
    links = texts(browser, ".jump li:not([hidden]) a")
    assert heads == links
    counts = texts(browser, ".jump li:not([hidden]) span")
    assert sum(map(int, counts)) == len(shown)


def test_a_filter_that_finds_nothing_leads_on(browser: Browser) -> None:
    browser.open("arguments.html")
    field = one(browser, ".find input")
    field.send_keys("xylophone")
    status(browser, ".find-count", "No argument has these words.")
    link = one(browser, ".find-count a").get_attribute("href")
    assert str(link).endswith("search.html?q=xylophone")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)
    assert len(texts(browser, SHOWN)) > 150


def test_the_address_keeps_the_filter_and_opens_an_argument(browser: Browser) -> None:
    browser.open("arguments.html")
    one(browser, ".find input").send_keys("kitty queen")
    kept, shown = browser.fragment(), texts(browser, SHOWN)
    browser.open(f"arguments.html{kept}")
    assert texts(browser, SHOWN) == shown
    browser.run("location.hash = '#exactly-a-hundred'")
    browser.until(lambda: found(browser, "#exactly-a-hundred > details[open]"))
    assert one(browser, "#exactly-a-hundred").is_displayed()


@pytest.mark.parametrize("page", ["profiles.html", "arguments.html"])
def test_without_scripts_the_page_is_all_there(browser: Browser, page: str) -> None:
    browser.driver.execute_cdp_cmd(
        "Emulation.setScriptExecutionDisabled", {"value": True}
    )
    try:
        browser.open(page)
        visible = [head.text for head in found(browser, "article section > h2")]
        assert len(visible) > 10
        assert all(visible)
        assert not found(browser, "article form:not([hidden])")
        if page == "arguments.html":
            one(browser, "#exactly-a-hundred summary").click()
            assert one(browser, "#exactly-a-hundred .answers").is_displayed()
    finally:
        browser.driver.execute_cdp_cmd(
            "Emulation.setScriptExecutionDisabled", {"value": False}
        )


# Wide tables, paper


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_table_that_scrolls_has_a_name_and_can_be_reached(
    browser: Browser, size: tuple[int, int]
) -> None:
    browser.set(size)
    browser.open(WIDE)
    wide = browser.run(
        "return [...document.querySelectorAll('.table-wrapper')]"
        ".filter(one => one.scrollWidth > one.clientWidth)"
        ".map(one => [one.tabIndex, one.getAttribute('role'),"
        " one.getAttribute('aria-label')])"
    )
    assert isinstance(wide, list)
    assert all(tab == 0 and role == "region" and name for tab, role, name in wide)
    assert bool(wide) or size == DESK
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    first = one(browser, ".matrix.table-wrapper")
    browser.run("arguments[0].scrollLeft = 400", first)
    head = first.find_element(By.CSS_SELECTOR, "tbody th")
    left = browser.run(
        "return arguments[0].getBoundingClientRect().left"
        " - arguments[1].getBoundingClientRect().left",
        head,
        first,
    )
    assert left == pytest.approx(0, abs=2)  # the clause stays in sight


@pytest.mark.parametrize("page", [*PAGES, WIDE])
def test_nothing_is_cut_off_on_paper(
    browser: Browser, page: str, tmp_path: Path
) -> None:
    browser.open(page)
    made = browser.driver.execute_cdp_cmd("Page.printToPDF", {})
    path = tmp_path / "page.pdf"
    path.write_bytes(base64.b64decode(made["data"]))
    with PdfDocument(path) as paper:
        sheets = [sheet.get_textpage() for sheet in paper]
        text = " ".join(sheet.get_text_range() for sheet in sheets)
        for place, sheet in enumerate(sheets):
            width = paper[place].get_width()
            for at in range(sheet.count_rects()):
                left, _, right, _ = sheet.get_rect(at)
                assert 0 <= left <= right <= width, (place, sheet.get_text_bounded())
    assert "Back to top" not in text
    if page == PAGES[0]:
        assert "Black Maria and Spot Hearts differ in" in text


# The report of a run


def report() -> Run:
    """A run with a failed clause, a lost conversation, an error, and a passed case."""
    line = (ROOT / "conformance" / "corpus" / GAMES).read_text("utf-8")
    game = line.splitlines()[0]
    name = json.loads(game)["id"]
    fault = Fault(1, "legal", ("5.3",), "what is due?", "4C", "4C 2H")
    again = Fault(0, "refuse", ("5.5",), "may seat 1 play QS?", "refused by 5.5", "ok")
    cases = (
        Case(name, "legal", Outcome.FAIL, "estmesh-hearts", (fault,)),
        *(
            Case(f"t-{at:016x}", "probe", Outcome.FAIL, "black-maria", (again,))
            for at in range(40)
        ),
        Case("t-00000000000000aa", "step", Outcome.CRASH, "spot-hearts", (), "gone"),
        Case("t-00000000000000ab", "step", Outcome.ERROR, "spot-hearts", (), "threw"),
        Case("t-00000000000000ac", "step", Outcome.PASS, "spot-hearts"),
    )
    return Run(
        adapter=("node", "engine.js", "--a-rather-long-argument" * 4),
        spec="1.1.0",
        selection={},
        limits=Limits(),
        card=EngineCard(
            "acme", "2.1", "JavaScript", ("any",), ("any",), ("step",), (("5.3", "no"),)
        ),
        cases=cases,
        lines={name: game},
        stderr="TypeError: " + "x" * 200,
        bugs=("something of ours",),
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html(report()), "utf-8")
    return path


@IN_EVERY_LOOK
def test_axe_finds_nothing_at_all_in_the_report(
    browser: Browser, written: Path, size: tuple[int, int], dark: bool
) -> None:
    browser.set(size, dark)
    browser.driver.get(f"file://{written}")
    assert browser.barriers() == ""
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    browser.shot("report", size, dark)


def test_the_report_leads_to_its_clauses_and_shows_every_case(
    browser: Browser, written: Path
) -> None:
    browser.driver.get(f"file://{written}")
    said = one(browser, ".verdict").text
    assert (
        "2 clauses not kept: 5.5 No points on the first trick, 5.3 Follow suit" in said
    )
    assert "exit" not in said
    one(browser, ".verdict a[href='#clause-5.3']").click()
    assert one(browser, ":target").text == "5.3 Follow suit"
    assert "HFR 5.3@" in one(browser, ":target ~ p code").text
    ids = texts(browser, ".cases tbody th")
    assert len(ids) == 43
    levels = browser.run(
        "return [...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])"
    )
    assert isinstance(levels, list)
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert levels.count(1) == 1


@IN_EVERY_LOOK
def test_pictures_for_people_to_look_at(
    browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    browser.set(size, dark)
    for page in (*PAGES, WIDE, "arguments.html#exactly-a-hundred"):
        browser.open(page)
        browser.shot(page.replace(".html", "").replace("#", "-")[:24], size, dark)


def test_the_pages_are_built() -> None:
    assert all((SITE / page.partition("#")[0]).exists() for page in (*PAGES, WIDE))
