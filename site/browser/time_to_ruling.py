"""Measure how long the ruling for an address takes on a slow phone, and print it.

The goal is 200 ms on a processor slowed down sixfold, as the median of nine loads.
Chromium traces the elapsed time, and the processor time of the page's main thread,
between two marks that the page sets. A plain page with as many files and about as much
work is loaded in turn with ours and measured in the same way: if the machine is busy,
both become slower. Since times depend on the machine, this is not a test; `test_ask.py`
tests how much a page may load.

`make site-time` runs it on the built site.
"""

import re
import tempfile
import tomllib
from pathlib import Path
from statistics import median

import attrs
from conftest import PHONE, ROOT, SITE, Browser

from booksite.question_address import question_address

GOAL = 200
"""The goal, in milliseconds."""
SLOWED = 6
TIMES = 9
START, END = "ask-start", "ask-answered"
ROUNDS = 12_000_000
"""The rounds of the loop, which takes about as long as a ruling."""


@attrs.frozen
class Taken:
    """The times between the two marks of one load, in milliseconds."""

    clock: float
    processor: float


def slow_phone(folder: Path) -> Browser:
    """A browser on a slowed processor that traces the marks that pages set."""
    found = Browser(folder, "blink.user_timing")
    found.set(PHONE)
    found.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    return found


def asked() -> str:
    """The address of the ruling page with a typical question filled in."""
    rows = tomllib.loads((ROOT / "site" / "questions.toml").read_text("utf-8"))
    first = next(
        one for one in rows["question"] if one["id"] == "queen-on-the-first-trick"
    )
    return f"file://{SITE}/{question_address(first['ask'])}"


def loaded_before() -> list[Path]:
    """The files that the page loads: itself, and those that its HTML names."""
    page = SITE / "ask.html"
    names = re.findall(r'(?:src|href)="(_static/[^"]+\.(?:js|css))', page.read_text())
    return [page, *(SITE / name for name in names)]


def plain_page(folder: Path) -> str:
    """The address of a page with as many files as ours, which only runs a loop."""
    names = []
    for number, path in enumerate(loaded_before()[1:]):
        names.append(f"{number}{path.suffix}")
        (folder / names[-1]).write_text("", "utf-8")
    last = max(name for name in names if name.endswith(".js"))
    (folder / last).write_text(
        f"let sum = 0; for (let at = 0; at < {ROUNDS}; at += 1) sum = (sum ^ at) + 1;"
        f" window.sum = sum; performance.mark('{END}');",
        "utf-8",
    )
    tags = [
        f'<script defer src="{name}"></script>'
        if name.endswith(".js")
        else f'<link rel="stylesheet" href="{name}">'
        for name in names
    ]
    page = folder / "plain.html"
    page.write_text(
        f"<!doctype html><html><head>{''.join(tags)}</head><body><script>"
        f"performance.mark('{START}');</script></body></html>",
        "utf-8",
    )
    return f"file://{page}"


def load(browser: Browser, address: str) -> None:
    browser.driver.get("about:blank")
    browser.driver.get(address)


def measured(browser: Browser, addresses: list[str]) -> list[list[Taken]]:
    """The times of each address; after one load of each, they are loaded by turns."""
    for address in addresses:
        load(browser, address)
    browser.trace()
    for _ in range(TIMES):
        for address in addresses:
            load(browser, address)
    load(browser, "about:blank")
    marks: dict[str, dict[str, tuple[float, float]]] = {}
    for event in browser.trace():
        if event["name"] in (START, END):
            load_of = event["args"]["data"]["navigationId"]
            at = (event["ts"] / 1000, event["tts"] / 1000)
            marks.setdefault(load_of, {})[event["name"]] = at
    whole = [one for one in marks.values() if len(one) == 2]
    whole.sort(key=lambda one: one[START][0])
    whole = whole[-TIMES * len(addresses) :]
    assert len(whole) == TIMES * len(addresses)
    taken = [
        Taken(one[END][0] - one[START][0], one[END][1] - one[START][1]) for one in whole
    ]
    return [taken[at :: len(addresses)] for at in range(len(addresses))]


def main() -> None:
    """Measure, and print the medians."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = slow_phone(folder / "profile")
        try:
            ruling, plain = measured(browser, [asked(), plain_page(folder)])
        finally:
            browser.driver.quit()
    print(f"milliseconds, the median of {TIMES} loads; the goal is {GOAL}")
    for what, taken in (("ruling", ruling), ("plain page", plain)):
        clock = median(one.clock for one in taken)
        processor = median(one.processor for one in taken)
        print(f"{what}: {clock:.0f} on the clock, {processor:.0f} of the processor")


if __name__ == "__main__":
    main()
