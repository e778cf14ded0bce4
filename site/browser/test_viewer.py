"""Tests of the trace viewer in Chromium: steps, keys, links, reasons and files."""

import gzip
import json
from pathlib import Path

import pytest
from conftest import PHONE, ROOT, Browser
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).resolve().parent
EXAMPLES = ROOT / "conformance" / "examples"
DRAW = "t-2dfead5755935980"
REVOKE = "t-1e454859956cecb9"
SAID = ("seat", "act", "breaks")


def opened(browser: Browser, fragment: str) -> None:
    browser.open(f"viewer.html#{fragment}")
    browser.until(
        lambda: browser.driver.find_element(By.CSS_SELECTOR, ".v-caption").text
    )


def text(browser: Browser, selector: str) -> str:
    return browser.driver.find_element(By.CSS_SELECTOR, selector).text


def cards(browser: Browser, selector: str) -> list[str]:
    """The label of each card within the selected element."""
    found = browser.run(
        "return [...document.querySelectorAll(arguments[0] + ' .card')]"
        ".map(card => card.getAttribute('aria-label'))",
        selector,
    )
    assert isinstance(found, list)
    return found


def press(browser: Browser, *keys: str) -> None:
    ActionChains(browser.driver).send_keys(*keys).perform()


def give(browser: Browser, path: Path) -> None:
    """Choose a file in the viewer, as a reader does."""
    browser.driver.find_element(By.ID, "v-file").send_keys(str(path))
    browser.until(lambda: text(browser, ".v-error") or text(browser, ".v-caption"))


def give_timed(browser: Browser, path: Path) -> float:
    """The milliseconds from the choice of a file to the message that rejects it."""
    browser.run(
        """
        const error = document.querySelector(".v-error");
        document.querySelector("#v-file").addEventListener("change", () => {
          const begun = performance.now();
          new MutationObserver(() => { window.took = performance.now() - begun; })
            .observe(error, { attributes: true });
        }, { capture: true });
        """
    )
    browser.driver.find_element(By.ID, "v-file").send_keys(str(path))
    WebDriverWait(browser.driver, 20).until(lambda _: text(browser, ".v-error"))
    took = browser.run("return window.took")
    assert isinstance(took, float | int)
    return took


# Steps


def test_the_buttons_step_through_the_game(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}")
    assert text(browser, ".v-caption") == "Seat 0 plays the 5 of clubs."
    browser.driver.find_element(By.CSS_SELECTOR, "[title='Next step']").click()

    assert text(browser, ".v-caption") == "Seat 1 draws a card."
    assert cards(browser, ".v-trick") == ["5 of clubs"]
    assert cards(browser, "[aria-label='Seat 0']") == ["6 of diamonds"]
    assert browser.fragment() == f"#trace={DRAW}&step=2"
    browser.driver.find_element(By.CSS_SELECTOR, "[title='The end']").click()
    assert text(browser, ".v-caption") == "The end: the deal scores 0, 2."
    assert not browser.driver.find_element(
        By.CSS_SELECTOR, "[title='Next step']"
    ).is_enabled()


def test_a_trick_stays_on_the_table_until_the_next_lead(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=5")

    assert cards(browser, ".v-trick") == ["5 of clubs", "7 of clubs"]
    assert text(browser, ".v-wins figcaption") == "seat 1"
    press(browser, Keys.ARROW_RIGHT)
    assert cards(browser, ".v-trick") == ["2 of diamonds"]


def test_keys_step_and_jump(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=3")
    press(browser, Keys.ARROW_RIGHT)
    assert browser.fragment().endswith("step=4")
    press(browser, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert browser.fragment().endswith("step=2")
    press(browser, Keys.END)
    assert browser.fragment().endswith("step=7")
    press(browser, Keys.HOME)
    assert browser.fragment().endswith("step=1")


def test_the_slider_steps_by_keys_too(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}")
    slider = browser.driver.find_element(By.ID, "v-range")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)

    assert browser.fragment().endswith("step=3")
    assert slider.get_attribute("aria-valuetext") == "step 3 of 6"


def test_each_step_is_spoken(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=3")
    press(browser, Keys.ARROW_RIGHT)
    live = browser.driver.find_element(By.CSS_SELECTOR, "[aria-live=polite]")

    assert live.get_attribute("textContent") == (
        "Step 4 of 6. Seat 1 plays the 7 of clubs. May be played: 7 of clubs."
    )


def test_the_list_of_steps_leads_there(browser: Browser) -> None:
    opened(browser, f"trace={REVOKE}")
    browser.driver.find_element(By.CSS_SELECTOR, ".v-moves li:nth-child(2) a").click()

    assert (
        text(browser, ".v-caption") == "Seat 1 plays the 3 of hearts, which breaks 5.3."
    )
    assert text(browser, ".v-moves [aria-current]") == "Seat 1 plays 3♥"


# Links


def test_a_link_leads_to_its_step(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=4")
    assert text(browser, ".v-place") == "Step 4 of 6"
    browser.run("location.hash = arguments[0]", f"#trace={REVOKE}&step=3")
    browser.until(lambda: text(browser, ".v-caption") == "Seat 2 plays the 4 of clubs.")
    browser.run("location.hash = arguments[0]", f"#trace={REVOKE}&step=999")
    browser.until(lambda: text(browser, ".v-place") == "The end")
    browser.run("location.hash = 'trace=t-0'")
    browser.until(lambda: text(browser, ".v-error"))
    browser.run("location.hash = arguments[0]", f"#trace={REVOKE}&step=3")
    browser.until(lambda: text(browser, ".v-place").startswith("Step 3 of "))
    assert text(browser, ".v-error") == ""


def test_a_link_to_a_step_waits_for_its_file(browser: Browser) -> None:
    browser.open("viewer.html#step=3")
    assert "open that file" in text(browser, ".v-error")
    give(browser, EXAMPLES / "04-correction.jsonl")

    browser.until(lambda: text(browser, ".v-place") == "Step 3 of 12")
    assert text(browser, ".v-error") == ""


@pytest.mark.parametrize(
    "fragment", ["trace=t-0000000000000000", "trace=../../x&step=-4", "trace=%00"]
)
def test_a_link_to_nothing_says_so(browser: Browser, fragment: str) -> None:
    browser.open(f"viewer.html#{fragment}")
    assert text(browser, ".v-error").startswith("There is no bundled game")


def test_a_clause_lists_its_games(browser: Browser) -> None:
    browser.open("viewer.html#clause=6.8b")
    links = browser.driver.find_elements(By.CSS_SELECTOR, ".v-library li a")

    assert links
    links[0].click()
    browser.until(
        lambda: browser.driver.find_element(By.CSS_SELECTOR, ".v-caption").text
    )


# Reasons


def test_a_refused_card_says_why_under_the_pointer(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=4")
    assert cards(browser, ".v-turn") == [
        "7 of clubs, chosen, may be played",
        *[
            f"{card}, refused: 5.3 Follow suit"
            for card in ("2 of diamonds", "3 of hearts", "4 of hearts")
        ],
    ]
    card = browser.driver.find_element(By.CSS_SELECTOR, "[data-card='4H']")
    ActionChains(browser.driver).move_to_element(card).perform()

    tip = text(browser, ".v-tip")
    assert tip.startswith("4♥ may not be played")
    assert "5.3 Follow suit" in tip
    assert "MUST play a card of the suit led" in tip
    assert "2♦, 3♥, 4♥ refused by 5.3 Follow suit" in text(browser, ".v-why")


def test_a_refused_card_says_why_to_the_keyboard(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=4")
    card = browser.driver.find_element(By.CSS_SELECTOR, "[data-card='2D']")
    browser.run("arguments[0].focus()", card)
    assert "5.3 Follow suit" in text(browser, ".v-tip")
    press(browser, Keys.ESCAPE)
    assert text(browser, ".v-tip") == ""


def test_a_revoke_and_other_refused_acts_are_told(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=1")
    assert "Seat 0 draws a card refused by 6.3" in text(browser, ".v-why")
    opened(browser, f"trace={REVOKE}&step=2")
    assert "3♥ is a revoke by 5.3 Follow suit" in text(browser, ".v-why")


# Files


def test_a_file_that_says_little_is_shown_and_says_how_to_annotate(
    browser: Browser, tmp_path: Path
) -> None:
    bare = json.loads((EXAMPLES / "04-correction.jsonl").read_bytes())
    bare["steps"] = [
        {"breaks": [], **{key: step[key] for key in SAID if key in step}}
        for step in bare["steps"]
    ]
    path = tmp_path / "bare.jsonl"
    path.write_text(json.dumps(bare))
    browser.open("viewer.html")
    give(browser, path)

    assert "breaks" not in text(browser, ".v-caption")
    notice = text(browser, ".v-notice")
    assert "does not say which cards were legal" in notice
    assert "refengine annotate --states bare.jsonl > annotated.jsonl" in notice
    press(browser, Keys.ARROW_RIGHT)
    assert cards(browser, ".v-trick") == ["2 of clubs"]
    assert cards(browser, "[aria-label='Seat 1']") == [
        "5 of clubs",
        "3 of hearts, chosen, would be a revoke: 5.3 Follow suit",
    ]


def test_several_games_in_a_file_can_be_chosen(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / "many.jsonl.gz"
    lines = [one.read_bytes() for one in sorted(EXAMPLES.glob("*.jsonl"))]
    path.write_bytes(gzip.compress(b"".join([*lines, b"{\n"])))
    browser.open("viewer.html")
    give(browser, path)
    select = browser.driver.find_element(By.CSS_SELECTOR, ".v-chooser select")
    names = [one.text for one in select.find_elements(By.TAG_NAME, "option")]

    assert len(names) == 12
    assert names[3] == "4. a revoke that is corrected"
    assert names[11] == "12. cannot be read"
    for at in range(11):
        browser.driver.find_element(By.CSS_SELECTOR, ".v-chooser select").send_keys(
            Keys.ARROW_DOWN
        )
        assert text(browser, ".v-error") == "" or at == 10
    assert "line 12: this is not JSON" in text(browser, ".v-error")
    columns = browser.driver.find_element(By.CSS_SELECTOR, ".v-columns")
    assert not columns.is_displayed()
    browser.driver.find_element(By.CSS_SELECTOR, ".v-chooser select").send_keys(
        Keys.ARROW_UP
    )
    assert columns.is_displayed()


def test_a_log_and_a_mini_deal_are_shown(browser: Browser) -> None:
    browser.open("viewer.html")
    give(browser, EXAMPLES / "10-log.jsonl")
    assert text(browser, ".v-caption") == "Seat 0 plays the 5 of clubs."
    press(browser, Keys.ARROW_RIGHT)
    assert text(browser, ".v-caption") == "Somebody plays the 7 of clubs."
    assert "compact log" in text(browser, ".v-notice")
    browser.open("viewer.html")
    give(browser, EXAMPLES / "11-mini.jsonl")
    assert text(browser, ".v-caption") == (
        "All 2 games of this deal have been counted."
    )
    assert "-15, 0, 0, 0" in text(browser, ".v-board")


START = '{"trace":1,"ruleset":{"profile":"p","players":2},"setup":{"hands":["2C","3C"]}'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty."),
        ("\n\n", "is empty."),
        ("hello", "line 1: this is not JSON. A trace file has one JSON object"),
        ("[1]", "no trace, log or mini-deal"),
        ('{"a":1}', "no trace, log or mini-deal"),
        ('{"trace":2}', "version 1 of the format"),
        ('{"trace":1}', "the ruleset has no profile."),
        (
            '{"trace":1,"ruleset":{"profile":"p"},"match":{}}',
            "how many players there are (2 to 13)",
        ),
        (
            '{"trace":1,"ruleset":{"profile":"p","players":2}}',
            'either a "setup" or a "match"',
        ),
        (f"{START}}}", 'a trace needs its "steps" as a list.'),
        (f'{START},"steps":[{{"seat":0}}]}}', "step 1 has no act."),
        (f'{START},"steps":[{{"seat":5,"act":{{"draw":1}}}}]}}', "no seat of this"),
        (
            f'{START},"steps":[{{"seat":0,"act":{{"jump":1}}}}]}}',
            "no act that the book",
        ),
        (f'{START},"steps":[{{"seat":0,"act":{{"play":"1C"}}}}]}}', "has no card."),
        (
            f'{START},"steps":[{{"seat":0,"act":{{"play":"2C"}},"then":{{"hands":3}}}}]}}',
            "hands does not have one entry for each",
        ),
        (
            f'{START},"steps":[{{"seat":0,"act":{{"deal":{{}}}}}}]}}',
            "step 1 has no hands",
        ),
        (START.replace('"2C"', '"XX"') + "}", '"XX", which is no card'),
    ],
)
def test_a_malformed_file_gets_one_sentence(
    browser: Browser, content: str, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(content)
    browser.open("viewer.html")
    browser.driver.find_element(By.ID, "v-file").send_keys(str(path))
    browser.until(lambda: text(browser, ".v-error"))

    assert said in text(browser, ".v-error")
    assert text(browser, ".v-error").startswith("bad.jsonl")
    assert not browser.driver.find_element(By.CSS_SELECTOR, ".v-game").is_displayed()


def test_no_field_of_the_wrong_type_breaks_the_page(browser: Browser) -> None:
    """Each field of four games is given a value or two that need not fit it."""
    games = [
        json.loads((EXAMPLES / name).read_bytes())
        for name in (
            "05-claim.jsonl",
            "07-match.jsonl",
            "10-log.jsonl",
            "11-mini.jsonl",
        )
    ]
    browser.open("viewer.html")
    shown, refused, broken = browser.driver.execute_async_script(
        (HERE / "wrong_types.js").read_text("utf-8"),
        games,
    )

    assert broken == []
    assert shown > 40
    assert refused > 250


MEBIBYTE = 1024 * 1024


def large_files() -> dict[str, tuple[bytes, str]]:
    """Files that a page cannot handle, each with the message for it."""
    step = b'{"seat":0,"act":{"draw":1}},'
    head = b'{"trace":1,"ruleset":{"profile":"p","players":2},'
    start = head + b'"setup":{"hands":["2C","3C"]},"steps":['
    return {
        "steps.jsonl": (
            start + (step * 200_000)[:-1] + b"]}",
            "it has 200,000 steps; the viewer shows games of up to 20,000",
        ),
        "name.jsonl": (
            b'{"trace":1,"name":"' + b"n" * 50 * MEBIBYTE + b'"}',
            "line 1 is longer than 8 MiB",
        ),
        "bomb.jsonl.gz": (
            gzip.compress(b"\n" * 200 * MEBIBYTE, 1),
            "it is larger than 64 MiB",
        ),
        "games.jsonl": (b"{}\n" * 200_000, "it holds more than 100,000 games"),
        "deep.jsonl": (b"[" * 4 * MEBIBYTE, "nested more than 16 levels"),
        "wide.jsonl": (head + b'"steps":[' + b"{}," * 2_000_000 + b"{}]}", "either a"),
        "torn.jsonl.gz": (gzip.compress(b"{}" * MEBIBYTE)[:900], "cannot be read"),
    }


@pytest.mark.parametrize("name", [*large_files()])
def test_a_file_that_is_too_much_gets_its_message_at_once(
    browser: Browser, name: str, tmp_path: Path
) -> None:
    content, said = large_files()[name]
    path = tmp_path / name
    path.write_bytes(content)
    browser.open("viewer.html")
    took = give_timed(browser, path)
    held = browser.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["totalSize"]

    assert said in text(browser, ".v-error")
    assert took < 3000
    assert held < 300 * MEBIBYTE


def test_what_a_file_says_is_never_run(browser: Browser, tmp_path: Path) -> None:
    trace = json.loads((EXAMPLES / "01-draw.jsonl").read_bytes())
    evil = "<img src=x onerror=document.title='run'>"
    trace["name"] = evil
    trace["ruleset"]["options"] = {evil: evil}
    trace["ruleset"]["profile"] = evil
    trace["steps"][0]["refuse"] = [{"act": {"draw": 1}, "clauses": [evil]}]
    path = tmp_path / "evil.jsonl"
    path.write_text(json.dumps(trace))
    browser.open("viewer.html")
    give(browser, path)

    assert text(browser, "#v-title") == evil
    assert browser.run("return document.querySelectorAll('.viewer img').length") == 0
    assert browser.run("return document.title") != "run"


def test_a_file_can_be_dropped(browser: Browser) -> None:
    browser.open("viewer.html")
    browser.run(
        "const data = new DataTransfer();"
        "data.items.add(new File([arguments[0]], 'dropped.jsonl'));"
        "document.body.dispatchEvent(new DragEvent('drop',"
        " {dataTransfer: data, bubbles: true, cancelable: true}));",
        (EXAMPLES / "05-claim.jsonl").read_text("utf-8"),
    )
    browser.until(
        lambda: text(browser, "#v-title") == "a revoke claimed two tricks later"
    )


HELD = """
  window.held = [];
  const append = document.head.append.bind(document.head);
  document.head.append = (script) => held.push((done) => {
    script.addEventListener("load", () => done());
    append(script);
  });
  Blob.prototype.stream = function () {
    return new ReadableStream({ start: async (to) => {
      const done = await new Promise((free) => held.push(free));
      to.enqueue(new Uint8Array(await this.arrayBuffer()));
      to.close();
      setTimeout(done);
    } });
  };
  window.drop = (text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop",
      { dataTransfer: data, bubbles: true, cancelable: true }));
  };
"""
"""A script that holds back requested games and files until the test releases them."""

CLAIM = (EXAMPLES / "05-claim.jsonl").read_text("utf-8")


def arrived(browser: Browser, at: int) -> None:
    """Release one delayed game or file, and wait until the viewer has handled it."""
    browser.driver.execute_async_script("held[arguments[0]](arguments[1])", at)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    ("wanted", "title", "address"),
    [
        (
            (f"trace={DRAW}", f"trace={REVOKE}&step=3"),
            "a revoke that is corrected",
            f"#trace={REVOKE}&step=3",
        ),
        (
            (CLAIM, f"trace={DRAW}"),
            "draw until you can follow",
            f"#trace={DRAW}&step=1",
        ),
        ((f"trace={DRAW}", CLAIM), "a revoke claimed two tricks later", "#step=1"),
    ],
    ids=["two games", "a file, then a game", "a game, then a file"],
)
def test_what_was_asked_for_last_is_shown(
    browser: Browser,
    wanted: tuple[str, str],
    title: str,
    address: str,
    order: tuple[int, int],
) -> None:
    browser.open("viewer.html")
    browser.run(HELD)
    for count, one in enumerate(wanted, 1):
        if one == CLAIM:
            browser.run("drop(arguments[0])", one)
        else:
            browser.run("location.hash = arguments[0]", one)
        browser.until(lambda count=count: browser.run("return held.length") == count)
    for at in order:
        arrived(browser, at)

    assert text(browser, "#v-title") == title
    assert browser.fragment() == address
    assert text(browser, ".v-error") == ""


def test_a_step_taken_meanwhile_does_not_move_the_file(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}")
    browser.run("location.hash = 'step=3'")
    browser.until(lambda: "open that file" in text(browser, ".v-error"))
    browser.run(HELD)
    browser.run("drop(arguments[0])", CLAIM)
    press(browser, Keys.ARROW_RIGHT)
    assert browser.fragment() == f"#trace={DRAW}&step=2"
    arrived(browser, 0)

    assert text(browser, "#v-title") == "a revoke claimed two tricks later"
    assert text(browser, ".v-place").startswith("Step 3 of ")
    assert browser.fragment() == "#step=3"


# Order, deals and names


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (640, 450), (390, 844)])
def test_who_acts_stands_first_and_on_the_screen(
    browser: Browser, width: int, height: int
) -> None:
    """A desktop screen at a zoom of 200 percent measures 640 by 450 pixels."""
    browser.set((width, height))
    opened(browser, "trace=t-a52c81cb9ce0df3b")
    for _ in range(12):
        press(browser, Keys.ARROW_RIGHT)
        seen = browser.run(
            "const box = document.querySelector('.v-turn').getBoundingClientRect();"
            "const bar = document.querySelector('.v-controls');"
            "const fixed = getComputedStyle(bar).position === 'fixed';"
            "return [document.querySelector('.v-seat').className, box.top >= 0,"
            " box.bottom <= innerHeight - (fixed ? bar.offsetHeight : 0)]"
        )
        assert seen == ["v-seat v-turn", True, True]


def test_steps_are_listed_by_deal_and_trick(browser: Browser) -> None:
    opened(browser, "trace=t-a52c81cb9ce0df3b")
    found = browser.driver.find_elements(By.CSS_SELECTOR, ".v-moves h4")
    assert [one.text for one in found] == [
        "Before play",
        *(f"Trick {number}" for number in range(1, 14)),
    ]
    found[13].find_element(By.TAG_NAME, "a").click()
    assert browser.fragment().endswith("step=53")
    browser.open("viewer.html")
    give(browser, EXAMPLES / "07-match.jsonl")
    deals = browser.driver.find_elements(By.CSS_SELECTOR, ".v-moves summary")
    assert [one.text for one in deals][:1] == ["Deal 1"]


def test_the_end_is_no_step_and_the_buttons_below_stand_apart(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=4")
    assert text(browser, ".v-end") == "The end"
    numbered = "return getComputedStyle(document.querySelector('.v-end')).listStyleType"
    assert browser.run(numbered) == "none"
    apart = browser.run(
        "const [ask, link] = document.querySelectorAll('.v-side > :is(a, button)');"
        "return link.getBoundingClientRect().top - ask.getBoundingClientRect().bottom"
    )
    assert apart >= 4


def test_names_take_the_place_of_seats(browser: Browser) -> None:
    opened(browser, "trace=t-a52c81cb9ce0df3b&step=1")
    assert text(browser, ".v-caption").startswith("Anna passes")
    names = browser.driver.find_element(By.CSS_SELECTOR, ".v-names input")
    names.clear()
    names.send_keys("North, , South")

    assert text(browser, ".v-caption").startswith("North passes")
    labels = browser.driver.find_elements(By.CSS_SELECTOR, ".v-label b")
    assert [one.text for one in labels] == ["North", "Seat 1", "South", "Seat 3"]


# All of them


def test_every_bundled_game_can_be_stepped_through(browser: Browser) -> None:
    browser.open("viewer.html")
    found = browser.driver.execute_async_script(
        """
        const done = arguments[0];
        const reader = window.RefengineReader;
        const wrong = [];
        let steps = 0;
        let waiting = window.REFENGINE_GAMES.length;
        window.refengineGame = (data) => {
          const game = reader.check(data);
          steps += game.steps.length;
          if (game.kind === "trace") {
            game.steps.forEach((step, at) => {
              const frame = game.frames[at];
              if (!frame.sure) wrong.push(`${data.id} step ${at + 1}: unsure`);
              const marks = step.act.play
                ? reader.judged(step, frame.hands[step.seat]) : [];
              if (marks.some((one) => one.mark === "dim" || one.mark === "")) {
                wrong.push(`${data.id} step ${at + 1}: a card without a reason`);
              }
            });
          }
        };
        for (const game of window.REFENGINE_GAMES) {
          const script = document.createElement("script");
          script.src = `_static/games/${game[0]}.js`;
          script.onload = script.onerror = (event) => {
            if (event.type === "error") wrong.push(game[0]);
            waiting -= 1;
            if (!waiting) done([wrong, steps]);
          };
          document.head.append(script);
        }
        """
    )
    assert found[0] == []
    assert found[1] > 8000


@pytest.mark.parametrize(
    "profile", ["estmesh-hearts", "pokerwiner-hearts", "gamerules-domino"]
)
def test_the_largest_games_fit_a_phone(browser: Browser, profile: str) -> None:
    browser.set(PHONE)
    browser.open("viewer.html")
    widest = browser.run(
        "return window.REFENGINE_GAMES.filter(game => game[3] === arguments[0])"
        ".sort((one, other) => other[4] - one[4] || other[5] - one[5])[0][0]",
        profile,
    )
    opened(browser, f"trace={widest}&step=6")

    assert browser.run("return document.documentElement.scrollWidth") <= PHONE[0]
    hidden = browser.run(
        "return [...document.querySelectorAll('.v-board svg')].filter(svg => {"
        " const box = svg.getBoundingClientRect();"
        " return box.left < -1 || box.right > innerWidth + 1; }).length"
    )
    assert hidden == 0


def test_a_step_can_be_put_to_the_rules(browser: Browser) -> None:
    """The second act of the example is a draw; the others here are plays."""
    for step, headline in (
        (1, "Seat 0 may play 5♣."),
        (2, "Seat 1 may draw."),
        (4, "Seat 1 may play 7♣."),
        (5, "Seat 1 may play 2♦."),
    ):
        browser.open(f"viewer.html#trace=t-2dfead5755935980&step={step}")
        link = WebDriverWait(browser.driver, 5).until(
            lambda driver: driver.find_element(By.CSS_SELECTOR, "a.v-ask[href]")
        )
        browser.driver.get(link.get_attribute("href"))
        assert browser.driver.find_element(By.ID, "headline").text.endswith(headline)


def test_the_link_that_is_copied_leads_to_the_step(browser: Browser) -> None:
    opened(browser, f"trace={DRAW}&step=4")
    browser.run("location.hash = 'clause=6.8b'")
    browser.until(lambda: text(browser, ".v-library li"))
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: one =>"
        " { window.copied = one; return Promise.resolve(); }}});"
        "document.querySelector('.v-side > button').click()"
    )
    assert browser.run("return copied").endswith(f"#trace={DRAW}&step=4")


def test_the_viewer_lists_as_many_games_as_a_page_says(browser: Browser) -> None:
    for page, words in (
        ("profile-black-maria.html", "bundled games"),
        ("5-play.html", "games that show it"),
    ):
        browser.open(page)
        link = browser.driver.find_element(By.PARTIAL_LINK_TEXT, words)
        said = link.text.split()[1]
        browser.open(str(link.get_attribute("href")).rpartition("/")[2])
        assert text(browser, ".v-library [role=status]").split()[0] == said
