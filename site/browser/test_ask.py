"""Tests of the ruling page on a phone, with forty questions and their rulings."""

import gzip
import re
import tomllib
from typing import Any

import pytest
from conftest import DESK, IN_EVERY_LOOK, PHONE, ROOT, Browser
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait
from time_to_ruling import loaded_before

from booksite.question_address import question_address
from refengine.rulings.asking.ask import answer

QUESTIONS: list[dict[str, Any]] = tomllib.loads(
    (ROOT / "site" / "questions.toml").read_text("utf-8")
)["question"]
MOST_TAPS = 8
MOST_BYTES = 150_000
FLAGS = ("first_trick", "hearts_broken", "reached")
FIELDS = ("stock", "leader", "seat", "deal", "deals")


def named(one: dict[str, Any]) -> str:
    return str(one["id"])


def question_named(name: str) -> dict[str, Any]:
    return next(one for one in QUESTIONS if one["id"] == name)


class Asker:
    """A person with a phone; `taps` counts taps and filled-in fields, but not cards."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.taps = 0
        browser.set(PHONE)
        browser.open("ask.html")
        browser.run("localStorage.clear()")
        browser.open("ask.html")
        self.until("document.documentElement.dataset.ready")

    def until(self, condition: str) -> None:
        """Wait until a JavaScript condition is true on the page."""
        WebDriverWait(self.browser.driver, 10, 0.02).until(
            lambda _: self.browser.run(f"return Boolean({condition})")
        )

    def one(self, selector: str) -> WebElement:
        """The first element that the selector matches, scrolled to mid-screen."""
        found = self.browser.driver.find_element(By.CSS_SELECTOR, selector)
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", found)
        return found

    def tap(self, selector: str) -> None:
        self.one(selector).click()
        self.taps += 1

    def type(self, selector: str, text: str) -> None:
        field = self.one(selector)
        field.clear()
        field.send_keys(text)
        self.taps += 1

    def pick(self, selector: str, value: object) -> None:
        """Choose an entry of a list; counts as a tap unless it was already selected."""
        select = Select(self.one(selector))
        if select.first_selected_option.get_attribute("value") != str(value):
            select.select_by_value(str(value))
            self.taps += 1

    def cards(self, pile: str, cards: str) -> None:
        """Type cards into a pile as people write them; `taps` does not count them."""
        said = cards.replace("T", "10").lower()
        self.one(f"input[data-pile='{pile}']").send_keys(said, Keys.TAB)

    def card(self, card: str) -> None:
        """Tap a card of the hand; `taps` does not count it."""
        self.one(f"[data-ask='{card}']").click()

    def open(self, selector: str) -> None:
        """Unfold a section of the page, unless it is already unfolded."""
        if self.one(selector).get_attribute("open") is None:
            self.tap(f"{selector} > summary")

    def house_rule(self, name: str, value: object) -> None:
        self.open("details.rules")
        field = f"select[data-rule='{name}']"
        if self.browser.run(
            f"const group = document.querySelector(\"{field}\").closest('.rule-group');"
            "if (group) group.dataset.now = 'yes'; return Boolean(group)"
        ):
            self.open(".rule-group[data-now]")
        choices = [
            one.get_attribute("value") for one in Select(self.one(field)).options
        ]
        if str(value) in choices:
            self.pick(field, value)
        else:
            self.pick(field, "#")
            self.type(f"input[data-rule='{name}']", str(value))

    def ask(self, ask: dict[str, Any]) -> None:
        """Put a question from the list to the page."""
        kind = "card" if ask["ask"] == "hand" else ask["ask"]
        rules = ask.get("rules", {})
        if "profile" in rules:
            self.pick("#game", rules["profile"])
        if "players" in rules and kind != "opening":
            self.pick("#players", rules["players"])
        if kind != "card":
            self.tap(f".kinds label:has([value={kind}])")
        for name, value in rules.get("options", {}).items():
            self.house_rule(name, value)
        for pile in ("hand", "trick"):
            if pile in ask:
                self.cards(pile, ask[pile])
        for seat, cards in enumerate(ask.get("taken", ())):
            if cards:
                self.cards(f"taken{seat}", cards)
        for card in ask.get("cards", ask.get("card", "")).split():
            self.card(card)
        for key in FLAGS:
            if ask.get(key):
                self.tap(f"[data-key='{key}']")
        self._fields(ask)
        if kind == "opening":
            people = ask.get("players", rules.get("players"))
            self.type("[data-key='people']", str(people))
        if kind == "table":
            self._quarrel(ask)

    def _fields(self, ask: dict[str, Any]) -> None:
        for key in FIELDS:
            if key in ask:
                field = f"[data-key='{key}']"
                if not self.one(field).is_displayed():
                    self.open("details.more")
                if self.one(field).tag_name == "select":
                    self.pick(field, ask[key])
                elif self.one(field).get_attribute("value") != str(ask[key]):
                    self.type(field, str(ask[key]))
        for seat, total in enumerate(ask.get("totals", ())):
            self.type(f"[data-list='totals'][data-seat='{seat}']", str(total))
        for seat in ask.get("out", ()):
            self.open("details.more")
            self.tap(f"[data-set='out'][data-seat='{seat}']")
        if "when" in ask:
            self.tap(f".choices label:has([value={ask['when']}])")
        if "choice" in ask:
            self.until("document.querySelector('[data-asks=choice]')")
            self.tap(f"[data-asks='choice'][data-value='{ask['choice']}']")

    def _quarrel(self, ask: dict[str, Any]) -> None:
        self.tap(f"[data-quarrel='{ask['number']}']")
        for name, value in ask["answers"].items():
            self.tap(f".choices label:has([data-answer={name}][value={value}])")


def settled(browser: Browser) -> None:
    """Wait until the page shows the ruling for what was typed last."""
    WebDriverWait(browser.driver, 10, 0.05).until(
        lambda _: browser.run(
            "return !document.querySelector('[aria-busy]')"
            " && document.querySelector('#ruling .part') !== null"
        )
    )


def text_of(browser: Browser, selector: str) -> str:
    return str(
        browser.run(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map(one => one.textContent).join(' ')",
            selector,
        )
    )


def judge(browser: Browser, one: dict[str, Any]) -> None:
    """Check the ruling on the page against the answer of the book."""
    line = text_of(browser, "#headline").lower()
    everything = f"{line} {text_of(browser, '#ruling')}".lower()
    cited = browser.run(
        "return [...document.querySelectorAll('.citations .clause-link')]"
        ".map(one => one.textContent.split(' ')[0])"
    )
    for words in one.get("line", ()):
        assert re.search(words.lower(), line), (words, line)
    for words in one.get("says", ()):
        assert re.search(words.lower(), everything), (words, everything)
    if "verdict" in one:
        assert browser.run("return document.querySelector('#headline').className") == (
            f"headline {one['verdict']}"
        ), line
    if "play" in one:
        playable = browser.run(
            "return [...document.querySelectorAll('.by-card li')].filter(one =>"
            " one.querySelector('b.legal')).map(one => one.firstChild.dataset.card)"
        )
        assert " ".join(playable) == one["play"]
    if "scores" in one:
        rows = browser.run(
            "return [...document.querySelectorAll('#ruling tbody tr')]"
            ".map(row => Number(row.lastChild.textContent.replace('−', '-')))"
        )
        assert rows == one["scores"]
    assert set(one["clauses"]) <= set(cited), (line, cited)


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_a_question_is_answered_on_a_phone(
    browser: Browser, one: dict[str, Any]
) -> None:
    asker = Asker(browser)

    asker.ask(one["ask"])

    settled(browser)
    judge(browser, one)
    assert asker.taps <= MOST_TAPS
    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    # The address holds the whole question: whoever opens it reads the same.
    told = text_of(browser, "#headline, #ruling .said")
    address = browser.driver.current_url
    browser.open(address[address.index("ask.html") :])
    assert text_of(browser, "#headline, #ruling .said") == told


@pytest.mark.parametrize("one", QUESTIONS, ids=named)
def test_an_address_is_answered_at_once_and_fills_the_form(
    browser: Browser, one: dict[str, Any]
) -> None:
    browser.open(question_address(one["ask"]))

    assert (
        browser.run("return performance.getEntriesByName('ask-answered').length") == 1
    )
    judge(browser, one)
    told = text_of(browser, "#headline")
    browser.until_ready()
    # The form holds the same question.
    browser.run("dispatchEvent(new HashChangeEvent('hashchange'))")
    assert text_of(browser, "#headline") == told


def test_cards_are_picked_by_touch_and_by_keyboard(browser: Browser) -> None:
    asker = Asker(browser)
    for card in ("4D", "9D", "QS", "2H"):
        asker.one(f".picker [data-card='{card}']").click()
    asker.one("button[data-pile='trick']").click()
    asker.one(".picker [data-card='2C']").click()
    settled(browser)
    first = text_of(browser, "#headline")
    # Again with the keys alone, from the first field of cards on.
    asker = Asker(browser)
    asker.one("input[data-pile='hand']").send_keys("4d 9d qs 2h", Keys.TAB)
    browser.driver.switch_to.active_element.send_keys(Keys.TAB * 5, "2c", Keys.TAB)
    settled(browser)

    assert text_of(browser, "#headline") == first
    reached = browser.run(
        "const first = document.querySelector('.picker button'); first.focus();"
        "first.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'ArrowDown', bubbles: true}));"
        "return document.activeElement.dataset.card"
    )
    assert reached == "2D"


def test_it_is_the_first_thing_on_the_site_and_on_every_page(browser: Browser) -> None:
    browser.set(PHONE)
    browser.open("index.html")
    first = browser.run(
        "const at = document.querySelector('article a[href]:not(.headerlink)');"
        "return [at.getAttribute('href'), at.getBoundingClientRect().bottom]"
    )
    assert first[0] == "ask.html"
    assert first[1] < PHONE[1]
    browser.open("9-match.html")
    assert browser.run("return document.querySelector('.ask-link').href").endswith(
        "/ask.html"
    )


def test_what_we_play_is_remembered_but_not_from_an_address(browser: Browser) -> None:
    asker = Asker(browser)
    asker.pick("#game", "black-maria")
    browser.open("ask.html")
    asker.until("document.documentElement.dataset.ready")
    game = "return document.querySelector('#game').value"
    assert browser.run(game) == "black-maria"

    browser.open(question_address(question_named("omnibus-slam")["ask"]))
    asker.until("document.documentElement.dataset.ready")
    assert browser.run(game) == "omnibus-hearts"
    browser.open("ask.html")
    asker.until("document.documentElement.dataset.ready")
    assert browser.run(game) == "black-maria"


def test_rules_that_the_book_refuses_are_not_kept(browser: Browser) -> None:
    asker = Asker(browser)
    kept = '{"rules": {"profile": "common-hearts", "options": {"gone": 1}}}'
    browser.run("localStorage.setItem('refengine-game', arguments[0])", kept)
    browser.open("ask.html#ask=turn")
    asker.until("document.documentElement.dataset.ready")
    common = {"ask": "turn", "rules": {"profile": "common-hearts", "players": 4}}
    assert text_of(browser, "#headline") == answer(common).headline
    assert asker.one("#refused").is_displayed()
    assert browser.run("return document.querySelector('#game').value") == (
        "common-hearts"
    )
    asker.pick("#game", "black-maria")
    assert not browser.driver.find_element(By.ID, "refused").is_displayed()
    browser.open("ask.html")
    asker.until("document.documentElement.dataset.ready")
    assert not browser.driver.find_element(By.ID, "refused").is_displayed()
    assert browser.run("return document.querySelector('#game').value") == "black-maria"


def test_the_book_finds_the_opening_leader(browser: Browser) -> None:
    asker = Asker(browser)
    asker.tap(".kinds label:has([value=turn])")
    asker.until("location.hash.includes('ask=turn')")
    common = {"ask": "turn", "rules": {"profile": "common-hearts", "players": 4}}
    opening = answer(common).headline
    assert text_of(browser, "#headline") == opening
    asker.pick(".leads select", 2)
    asker.until("location.hash.includes('leader=2')")
    assert text_of(browser, "#headline") == "Seat 2 leads."
    asker.pick(".leads select", "")
    asker.until("!location.hash.includes('leader')")
    assert text_of(browser, "#headline") == opening
    # Once there are cards on the table, somebody has led.
    asker.cards("trick", "2C")
    asker.until("location.hash.includes('trick=2C')")
    assert text_of(browser, "#headline") == "Say who led, or leads."


def test_a_table_may_never_pass(browser: Browser) -> None:
    asker = Asker(browser)
    asker.tap(".kinds label:has([value=pass])")
    asker.house_rule("pass_cycle", "")
    settled(browser)

    assert "nobody" in text_of(browser, "#rules-said")
    assert "pass_cycle=," in browser.driver.current_url.replace("%2C", ",")


@pytest.mark.parametrize("kind", ["card", "draw", "score", "end", "revoke", "table"])
def test_a_question_that_is_only_begun_says_what_to_do(
    browser: Browser, kind: str
) -> None:
    browser.open(f"ask.html#ask={kind}")
    browser.until_ready()
    assert "hint" in browser.run("return document.querySelector('#headline').className")


def test_what_one_question_asks_does_not_go_into_another(browser: Browser) -> None:
    browser.open("ask.html#ask=revoke&profile=pokerwiner-hearts&when=trick&seat=2")
    browser.until_ready()
    browser.driver.find_element(
        By.CSS_SELECTOR, ".kinds label:has([value=card])"
    ).click()
    browser.until(lambda: "ask=hand" in browser.driver.current_url)
    assert "seat=" not in browser.driver.current_url


def test_a_wrong_question_is_answered_in_words(browser: Browser) -> None:
    browser.open("ask.html#ask=card&profile=common-hearts&hand=QS&trick=QS&card=QS")

    assert "wrong" in browser.run(
        "return document.querySelector('#headline').className"
    )
    assert text_of(browser, "#headline")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        "queen-on-the-first-trick",
        "sixteen-is-no-moon",
        "level-and-played-on",
        "misdeal",
        "",
    ],
)
def test_axe_finds_nothing_at_all(browser: Browser, name: str, dark: bool) -> None:
    browser.set(PHONE, dark)
    browser.open(question_address(question_named(name)["ask"]) if name else "ask.html")
    browser.until_ready()
    assert browser.barriers() == ""


@IN_EVERY_LOOK
def test_pictures_for_people_to_look_at(
    browser: Browser, size: tuple[int, int], dark: bool
) -> None:
    for one in ("", "queen-on-the-first-trick", "omnibus-slam", "lead-out-of-turn"):
        browser.set(size, dark)
        browser.open(
            question_address(question_named(one)["ask"]) if one else "ask.html"
        )
        browser.until_ready()
        browser.shot(f"ask-{one or 'empty'}", size, dark)


def test_the_page_fits_at_twice_its_size(browser: Browser) -> None:
    """At a zoom of 200 percent, a desktop window is half as wide."""
    browser.set((DESK[0] // 2, DESK[1] // 2))
    browser.open(question_address(question_named("queen-on-the-first-trick")["ask"]))

    assert browser.run("return document.documentElement.scrollWidth") <= DESK[0] // 2


def test_nothing_big_is_loaded_before_a_ruling() -> None:
    files = loaded_before()

    assert len(files) == 7
    read = [path.read_bytes() for path in files]
    assert sum(len(gzip.compress(one, 9)) for one in read) <= MOST_BYTES


def test_cards_drawn_are_typed_as_the_field_suggests(browser: Browser) -> None:
    asker = Asker(browser)
    asker.pick("#game", "gamerules-domino")
    asker.cards("hand", "4D 9D 7S")
    asker.open("details.more")
    asker.type("[data-key='drew']", "4d 9d ")
    asker.until("location.hash.includes('drew=4D+9D')")
    assert "4d" not in text_of(browser, "#headline")


def test_a_revoke_takes_back_how_the_moon_was_settled(browser: Browser) -> None:
    asker = Asker(browser)
    taken = "+".join(f"{rank}H" for rank in "23456789TJQKA") + "+QS///"
    table = "profile=heartsgame-tiles&players=4"
    browser.open(f"ask.html#ask=score&{table}&taken={taken}&choice=1")
    browser.until_ready()
    asker.open("details.more")
    asker.tap("[data-set='revokes'][data-seat='0']")
    asker.until("location.hash.includes('revokes=0')")
    assert "choice" not in browser.fragment()
    assert not browser.run("return document.querySelector('.headline.wrong')")


def test_the_headline_keeps_the_address_before_the_form_is_there(
    browser: Browser,
) -> None:
    held = "window.requestAnimationFrame = () => 0"  # the form is loaded in a frame
    run = browser.driver.execute_cdp_cmd
    made = run("Page.addScriptToEvaluateOnNewDocument", {"source": held})
    try:
        browser.open(question_address(question_named("misdeal")["ask"]))
        before = browser.fragment()
        browser.run("document.querySelector('.to-ruling').click()")
        assert browser.fragment() == before
    finally:
        run("Page.removeScriptToEvaluateOnNewDocument", made)


def test_who_led_is_not_said_until_somebody_says_it(browser: Browser) -> None:
    asker = Asker(browser)
    table = "profile=common-hearts&players=4"
    browser.open(f"ask.html#ask=hand&{table}&hand=5C+7D&seat=2")
    browser.until_ready()
    asker.open("details.more")
    assert asker.one("[data-key='leader']").get_attribute("value") == ""
    asker.pick("[data-key='leader']", 0)
    asker.until("location.hash.includes('leader=0')")
    assert "seat=" not in browser.fragment()


def test_a_rule_that_is_refused_is_not_remembered(browser: Browser) -> None:
    asker = Asker(browser)
    asker.pick("#game", "black-maria")
    asker.tap(".kinds label:has([value=score])")
    asker.open("details.rules")
    asker.type("input[data-rule='queen_points']", "99999")
    browser.open("ask.html")
    browser.until_ready()
    assert not browser.driver.find_element(By.ID, "refused").is_displayed()
    assert asker.one("#game").get_attribute("value") == "black-maria"


def test_what_cannot_be_read_stays_to_be_put_right(browser: Browser) -> None:
    asker = Asker(browser)
    asker.one("input[data-pile='hand']").send_keys("4d 9d qx 2h")
    asker.one("input[data-pile='trick']").click()
    hand = asker.one("input[data-pile='hand']")
    assert hand.get_attribute("value") == "4d 9d qx 2h"
    assert hand.get_attribute("aria-invalid") == "true"
    hand.click()
    assert hand.get_attribute("value") == "4d 9d qx 2h"


def test_a_total_that_is_left_out_is_asked_for(browser: Browser) -> None:
    asker = Asker(browser)
    browser.open("ask.html#ask=score&profile=common-hearts&players=4&taken=QS///")
    browser.until_ready()
    asker.open("details.more")
    for seat in range(3):
        asker.type(f"[data-list='totals'][data-seat='{seat}']", "40")
    asker.until("document.querySelector('.hint')")
    said = text_of(browser, "#headline")
    assert said == "Type the total of each seat, or of none."
    assert "totals" not in browser.fragment()
    asker.type("[data-list='totals'][data-seat='3']", "0")
    asker.until("location.hash.includes('totals=40/40/40/0')")


def test_a_rule_called_like_a_key_of_a_question_stays_a_rule(browser: Browser) -> None:
    options = {"revokes": "penalised"}
    rules = {"profile": "black-maria", "players": 3, "options": options}
    question = {"ask": "turn", "rules": rules, "dealer": 2}
    browser.open(question_address(question))
    browser.until_ready()
    told = answer(question).headline
    assert text_of(browser, "#headline") == told
    # The form holds the same question.
    browser.run("dispatchEvent(new HashChangeEvent('hashchange'))")
    assert text_of(browser, "#headline") == told
    assert "rule.revokes=penalised" in browser.fragment()
