"""Tests of the chapter pages when they answer for the table that a reader plays at."""

import json
import re
from html import unescape
from typing import Any

import pytest
from conftest import IN_EVERY_LOOK, PHONE, SITE, Browser
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from booksite.cases import cases
from refengine.errors import Malformed
from refengine.rulings.asking.ask import answer

PAGES = sorted(path.name for path in SITE.glob("[0-9]*-*.html"))
RULES: dict[str, Any] = {
    "profile": "gamerules-domino",
    "players": 3,
    "options": {"moon": "others_plus", "pass_cycle": ["left", "hold"]},
}
NONE = "At my table this cannot come up."


def remember(browser: Browser, rules: dict[str, Any] | None) -> None:
    """Make the browser remember a table with these rules, or no table at all."""
    browser.open("ask.html")
    kept = json.dumps({"rules": rules})
    browser.run("localStorage.clear()")
    if rules:
        browser.run("localStorage.setItem('refengine-game', arguments[0])", kept)


def ask_all(browser: Browser) -> None:
    """Press the button with the keyboard, and wait until the page has its result."""
    browser.run("document.querySelector('.my-table button').focus()")
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    answered(browser)


def answered(browser: Browser) -> None:
    WebDriverWait(browser.driver, 10, 0.05).until(
        lambda _: browser.run(
            "return document.querySelector('.my-table [role=status]')"
            ".textContent.includes(' players.')"
        )
    )


def rulings_on(browser: Browser) -> list[list[Any]]:
    """For each case: its questions, the ruling shown, its link and number of needs.

    The ruling or the link is None where the page shows none.
    """
    found: list[list[Any]] = browser.run(
        "return [...document.querySelectorAll('[data-case]')].map(one => {"
        "const said = one.querySelector(':scope > .at-my-table');"
        "const link = said && said.querySelector('a');"
        "return [JSON.parse(one.dataset.case), said && said.textContent,"
        " link && link.getAttribute('href'),"
        " JSON.parse(one.closest('.clause').dataset.needs || '[]').length]})"
    )
    return found


def typed(text: str) -> str:
    """The cards of a text in the notation for typing, such as `TD` for `10♦`."""
    ten = re.sub("10(?=[♣♦♠♥])", "T", text)
    return ten.translate(str.maketrans("♣♦♠♥", "CDSH"))


@pytest.mark.parametrize("rules", [None, RULES], ids=["none", "remembered"])
def test_every_case_is_ruled_as_in_python(
    browser: Browser, rules: dict[str, Any] | None
) -> None:
    remember(browser, rules)
    table = rules or {"profile": "common-hearts", "players": 4}
    ruled = 0
    for page in PAGES:
        browser.open(page)
        if "data-case" not in (SITE / page).read_text("utf-8"):
            continue
        if browser.run("return localStorage.getItem('refengine-at-my-table')"):
            answered(browser)  # it stays on from page to page
        else:
            ask_all(browser)
        for asked, said, link, needs in rulings_on(browser):
            if said is None:
                assert needs  # the clause says instead that it is not used
                continue
            question = asked.get(str(table["players"]), asked.get(""))
            try:
                line = answer({**question, "rules": table}).headline
            except Malformed:
                assert said == NONE
                continue
            assert typed(said) == typed(f"At my table: {line} Ask for a ruling")
            assert link.startswith("ask.html#ask=")
            ruled += 1
    assert ruled > 60


def test_a_clause_that_is_never_used_says_what_turns_it_on(browser: Browser) -> None:
    remember(browser, {"profile": "black-maria", "players": 3})
    browser.open("5-play.html#5.5")
    ask_all(browser)

    first = (
        "return document.getElementById(arguments[0])"
        ".querySelector('.at-my-table').textContent"
    )
    assert browser.run(first, "5.5") == (
        "My table never uses this clause. What turns it on: Points on the first trick: "
        "no."
    )
    # With that value of the option, the clause applies.
    rules = {"profile": "black-maria", "players": 3}
    remember(browser, {**rules, "options": {"first_trick_points": "barred"}})
    browser.open("5-play.html#5.5")
    ask_all(browser)
    assert (
        browser.run(first, "5.5") == "At my table: Seat 1 may play 4♦ Ask for a ruling"
    )


def test_the_link_opens_the_question_at_my_table(browser: Browser) -> None:
    remember(browser, RULES)
    browser.set(PHONE)
    browser.open("8-score.html")
    ask_all(browser)
    line, address = browser.run(
        "const said = document.querySelector(\"[id='8.3'] [data-case] .at-my-table\");"
        "return [said.querySelector('b').textContent, said.querySelector('a').href]"
    )
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    browser.open(address[address.index("ask.html") :])
    browser.until_ready()

    assert browser.run("return document.querySelector('#headline').textContent") == line
    game = "return [document.querySelector('#game').value,"
    assert browser.run(f"{game} document.querySelector('#players').value]") == [
        "gamerules-domino",
        "3",
    ]


def test_an_address_without_rules_asks_about_the_table_that_is_remembered(
    browser: Browser,
) -> None:
    remember(browser, {"profile": "black-maria", "players": 3})
    browser.open("ask.html#ask=turn")

    headline = "return document.querySelector('#headline').textContent"
    said = browser.run(headline)
    assert said == "The player on the dealer's left leads first."
    # Whoever is sent it reads the same, whatever their own table is.
    sent = browser.driver.current_url
    assert sent.endswith("#ask=turn&profile=black-maria&players=3")
    remember(browser, {"profile": "common-hearts", "players": 4})
    browser.open(sent[sent.index("ask.html") :])
    assert browser.run(headline) == said


def test_a_table_that_the_book_refuses_is_told(browser: Browser) -> None:
    remember(browser, {"profile": "gone", "players": 4})
    browser.open("9-match.html")
    ask_all(browser)

    said = browser.run(
        "return document.querySelector('.my-table [role=status]').textContent"
    )
    assert said.startswith("The book of today refuses the house rules")
    assert said.endswith(" 4 players.")


def test_it_can_be_turned_off_again(browser: Browser) -> None:
    remember(browser, None)
    browser.open("9-match.html")
    ask_all(browser)
    pressed = "return document.querySelector('.my-table button').ariaPressed"
    assert browser.run(pressed) == "true"
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.until(
        lambda: not browser.run("return document.querySelector('.at-my-table')")
    )

    assert browser.run(pressed) == "false"
    browser.open("8-score.html")
    assert browser.run(pressed) == "false"


def test_clicks_while_the_scripts_load_are_answered_once(browser: Browser) -> None:
    remember(browser, None)
    browser.open("5-play.html")
    browser.run(
        "const button = document.querySelector('.my-table button');"
        "for (let at = 0; at < 3; at += 1) button.click();"
    )
    answered(browser)
    most = browser.run(
        "return Math.max(...[...document.querySelectorAll('[data-case]')].map(one =>"
        " one.querySelectorAll(':scope > .at-my-table').length))"
    )
    assert most == 1


def test_without_a_script_the_cases_stand_with_their_answers() -> None:
    text = "".join((SITE / page).read_text("utf-8") for page in PAGES)
    plain = unescape(re.sub(r"<[^>]+>", "", text))

    for case in cases():
        assert case.asked in plain
        assert answer(case.answered).headline in typed(plain)


@IN_EVERY_LOOK
def test_pictures_for_people_to_look_at(
    browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    remember(browser, RULES)
    browser.set(size, dark)
    for page, clause in (("5-play", "5.5"), ("8-score", "8.3")):
        browser.open(f"{page}.html#{clause}")
        browser.run("document.querySelector('.my-table button').click()")
        answered(browser)
        browser.run("document.getElementById(arguments[0]).scrollIntoView()", clause)
        browser.shot(f"at-my-table-{page}", size, dark)
        browser.run("localStorage.removeItem('refengine-at-my-table')")
