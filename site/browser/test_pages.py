"""Tests of the built pages, opened as files in headless Chromium."""

import shutil

import pytest
from conftest import IN_EVERY_LOOK, PHONE, SITE, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

GAME = "viewer.html#trace=t-2dfead5755935980&step=4"
RULING = (
    "ask.html#ask=card&profile=common-hearts&hand=4D+9D+QS+2H&card=QS&trick=2C"
    "&first_trick=yes"
)
PAGES = (
    "index.html",
    "5-play.html",
    "0-reading.html",
    "10-at-the-table.html",
    "arguments.html",
    "options.html",
    "profiles.html",
    "profile-gamerules-domino.html",
    "sources.html",
    "open-questions.html",
    "formats.html",
    "adapters.html",
    "api-game.html",
    "_modules/refengine/errors.html",
    "search.html?q=follow+suit",
    GAME,
)


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_wider_than_a_phone(browser: Browser, page: str) -> None:
    browser.set(PHONE)
    browser.open(page)

    wide = browser.run(
        "return [document.documentElement.scrollWidth, document.body.scrollWidth]"
    )
    assert max(wide) <= PHONE[0]


def test_every_page_is_silent_in_the_console(browser: Browser) -> None:
    pages = sorted(SITE.glob("*.html"))
    for path in pages:
        browser.open(path.name)
    assert len(pages) > 30
    assert browser.errors() == []


def test_a_clause_has_its_address(browser: Browser) -> None:
    browser.open("5-play.html#5.4b")

    heading = browser.run(
        "const at = document.querySelector(':target');"
        "return [at.id, at.querySelector('h3').textContent,"
        " at.getBoundingClientRect().top]"
    )
    assert heading[0] == "5.4b"
    assert heading[1].startswith("5.4b A leader with hearts and the queen")
    assert 0 <= heading[2] < 300


def test_the_way_back_to_the_top_covers_no_heading(browser: Browser) -> None:
    browser.set(PHONE)
    browser.open("profiles.html#compare-two-games")
    browser.run("document.documentElement.classList.add('show-back-to-top')")
    box = "getBoundingClientRect()"
    heading, pill = browser.run(
        f"return [document.querySelector('#compare-two-games h2').{box}.bottom,"
        f" document.querySelector('.back-to-top').{box}.top]"
    )
    assert 0 < heading < pill < PHONE[1]


def test_a_citation_can_be_copied(browser: Browser) -> None:
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    browser.open("5-play.html#5.3")
    button = browser.driver.find_element(
        By.CSS_SELECTOR, "[id='5.3'] button.copy[data-copy^='HFR 5.3@']"
    )
    button.click()
    browser.until(lambda: button.text in ("Copied", "Selected"))


@pytest.mark.parametrize(
    ("words", "address", "title"),
    [
        ("follow suit", "5-play.html#5.3", "5.3 Follow suit"),
        ("5.4b", "5-play.html#5.4b", "5.4b A leader with hearts and the queen"),
        ("HFR 9.5@1.0.0", "9-match.html#9.5", "9.5 The winners"),
        ("first_trick_points", "5-play.html#5.5", "5.5 No points on the first trick"),
    ],
)
def test_search_finds_a_clause(
    browser: Browser, words: str, address: str, title: str
) -> None:
    browser.open("index.html")
    field = browser.driver.find_element(By.CSS_SELECTOR, ".sidebar-search")
    field.send_keys(words, Keys.ENTER)
    browser.until(lambda: "search.html" in browser.driver.current_url)

    first = browser.run(
        "const links = document.querySelectorAll('#rules-found li a');"
        "return [...links].slice(0, 3).map(one => [one.getAttribute('href'), "
        "one.textContent])"
    )
    assert [address, title] in first
    browser.driver.find_element(By.CSS_SELECTOR, f"a[href='{address}']").click()
    assert browser.driver.current_url.endswith(address)


def test_search_finds_questions_and_pages(browser: Browser) -> None:
    browser.open("search.html?q=so+does+the+queen+break+hearts%3F")
    browser.until(
        lambda: browser.driver.find_elements(By.CSS_SELECTOR, "#search-results li")
    )

    found = browser.run(
        "return [...document.querySelectorAll('#rules-found li a')]"
        ".map(one => one.textContent)"
    )
    assert found[0] == "Does the queen of spades break hearts?"
    assert "5.9a The queen breaks hearts" in found[:4]


def test_light_and_dark_follow_the_reader(browser: Browser) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    card = (
        "return getComputedStyle(document.querySelector('.rf-dim .rf-face')).fill"
        " + getComputedStyle(document.querySelector('.moment')).backgroundColor"
    )
    seen = []
    for dark in (False, True):
        browser.set(dark=dark)
        browser.open("index.html")
        seen.append((browser.run(ground), browser.run(card)))
    browser.run("document.body.dataset.theme = 'light'")
    chosen = (browser.run(ground), browser.run(card))

    assert seen[0] != seen[1]
    assert chosen == seen[0]


@pytest.mark.parametrize("page", ["index.html", "5-play.html", GAME, RULING])
def test_dark_pages_are_printed_in_light_colours(browser: Browser, page: str) -> None:
    seen = []
    for dark, chosen in ((False, "light"), (True, "auto"), (False, "dark")):
        browser.set(dark=dark, medium="print")
        browser.open(page)
        browser.until(
            lambda: browser.driver.find_elements(By.CSS_SELECTOR, ".card svg")
        )
        seen.append(
            browser.run(
                "document.body.dataset.theme = arguments[0];"
                "return ['body', '.soft', '.law', '.moment', '.v-board', '.rf-face',"
                " '.rf-dim .rf-face', '.in-text.rf-h']"
                ".flatMap(one => document.querySelector(one) || []).map(one => {"
                " const {color, backgroundColor, fill, stroke}"
                " = getComputedStyle(one);"
                " return [color, backgroundColor, fill, stroke].join() })",
                chosen,
            )
        )
    assert len(seen[0]) > 3
    assert seen[1] == seen[2] == seen[0]


@IN_EVERY_LOOK
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_at_all(
    browser: Browser, page: str, size: tuple[int, int], dark: bool
) -> None:
    browser.set(size, dark)
    browser.open(page)
    assert browser.barriers() == ""


@IN_EVERY_LOOK
def test_pictures_for_people_to_look_at(
    browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    browser.set(size, dark)
    for page in ("index", "5-play", "profiles", "arguments", "search", "viewer"):
        address = {"search": "search.html?q=queen+first+trick", "viewer": GAME}
        browser.open(address.get(page, f"{page}.html"))
        browser.shot(page, size, dark)


def test_the_front_page_answers_its_question(browser: Browser) -> None:
    browser.open("index.html")
    summary = browser.driver.find_element(By.CSS_SELECTOR, ".puzzle summary")
    summary.send_keys(Keys.ENTER)

    answers = [
        one.text
        for one in browser.driver.find_elements(By.CSS_SELECTOR, ".answer-row p")
    ]
    assert any(text.startswith("All of them") for text in answers)
    assert any("5.5 No points on the first trick" in text for text in answers)


def test_the_page_says_what_is_needed_without_scripts() -> None:
    assert "refengine show FILE" in (SITE / "viewer.html").read_text("utf-8")
    assert shutil.which("chromium")


def test_a_search_is_still_there_on_the_way_back(browser: Browser) -> None:
    browser.open("search.html")
    browser.driver.find_element(By.ID, "rule-query").send_keys("renege")
    browser.driver.find_element(By.CSS_SELECTOR, "#rules-found li a").click()
    browser.driver.back()
    kept = "return document.getElementById('rule-query')?.value"
    browser.until(lambda: browser.run(kept) == "renege")
