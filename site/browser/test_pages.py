"""The built pages in headless Chromium, from file://."""

import json
import shutil

import pytest
from conftest import DESK, PHONE, ROOT, SITE, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
GAME = "viewer.html#trace=t-2dfead5755935980&step=4"
PAGES = (
    "index.html",
    "5-play.html",
    "0-reading.html",
    "arguments.html",
    "options.html",
    "profiles.html",
    "profile-gamerules-domino.html",
    "sources.html",
    "formats.html",
    "api-game.html",
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
    WebDriverWait(browser.driver, 5).until(
        lambda _: button.text in ("Copied", "Selected")
    )


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
    WebDriverWait(browser.driver, 5).until(
        lambda driver: "search.html" in driver.current_url
    )

    first = browser.run(
        "const links = document.querySelectorAll('#rules-found li a');"
        "return [...links].slice(0, 3).map(one => [one.getAttribute('href'), "
        "one.textContent])"
    )
    assert [address, title] in first
    browser.driver.find_element(By.CSS_SELECTOR, f"a[href='{address}']").click()
    assert browser.driver.current_url.endswith(address)


def test_search_finds_questions_and_pages(browser: Browser) -> None:
    browser.open("search.html?q=queen+breaks+hearts")
    WebDriverWait(browser.driver, 10).until(
        lambda driver: driver.find_elements(By.CSS_SELECTOR, "#search-results li")
    )

    questions = browser.run(
        "return [...document.querySelectorAll('#questions-found li a')]"
        ".map(one => one.getAttribute('href'))"
    )
    assert "arguments.html#queen-breaks-hearts" in questions


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


@pytest.mark.skipif(not AXE.exists(), reason="axe-core comes from npm, which is absent")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing_that_keeps_people_out(
    browser: Browser, page: str, dark: bool
) -> None:
    browser.set(dark=dark)
    browser.open(page)
    browser.run("document.querySelectorAll('details').forEach(one => one.open = true)")
    browser.run(AXE.read_text("utf-8"))

    found = browser.driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, {preload: false, resultTypes: ['violations'], runOnly: "
        "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']}).then("
        "all => done(all.violations.map(one => [one.id, one.nodes.length,"
        " one.nodes.slice(0, 3).map(node => [node.html, node.failureSummary])])))"
    )
    assert found == [], json.dumps(found, indent=1)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_pictures_for_people_to_look_at(
    browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    browser.set(size, dark)
    name = f"{'phone' if size == PHONE else 'desk'}-{'dark' if dark else 'light'}"
    for page in ("index", "5-play", "profiles", "arguments", "search", "viewer"):
        address = {"search": "search.html?q=queen+first+trick", "viewer": GAME}
        browser.open(address.get(page, f"{page}.html"))
        browser.shot(f"{page}-{name}")


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
