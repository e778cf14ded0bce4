"""Tests of the sheet of house rules, printed by a browser on A4 and letter paper."""

import base64
from pathlib import Path
from random import Random

import pytest
from conftest import Browser
from pdf_pages import outside, overprinted, sheets

from refengine import Ruleset
from refengine.cli.sheet_text import sheet_html
from refengine.lawbook.options import OPTIONS
from refengine.rulings.house_sheet import house_sheet
from refengine_conformance.generators.strategies import some_ruleset

PAPER = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}
MARGIN = 10 * 72 / 25.4


def printed(browser: Browser, html: str, paper: str, folder: Path) -> Path:
    page, made = folder / "sheet.html", folder / "sheet.pdf"
    page.write_text(html, "utf-8")
    browser.driver.get(f"file://{page}")
    width, height = PAPER[paper]
    found = browser.driver.execute_cdp_cmd(
        "Page.printToPDF", {"paperWidth": width, "paperHeight": height}
    )
    made.write_bytes(base64.b64decode(found["data"]))
    return made


def longest() -> Ruleset:
    """The ruleset with the longest sheet among 400 that change all they can."""
    rng = Random(16)
    found = [some_ruleset(rng, "estmesh-hearts", len(OPTIONS)) for _ in range(400)]
    return max(found, key=lambda one: len(sheet_html(house_sheet(one))))


@pytest.mark.parametrize("paper", PAPER)
@pytest.mark.parametrize(
    "ruleset",
    [Ruleset("dominorules-tiles"), longest(), Ruleset("pokerwiner-domino", 8)],
    ids=["plain", "longest", "stock"],
)
def test_a_sheet_is_one_page(
    browser: Browser, ruleset: Ruleset, paper: str, tmp_path: Path
) -> None:
    found = sheets(printed(browser, sheet_html(house_sheet(ruleset)), paper, tmp_path))

    assert len(found) == 1
    page = found[0]
    assert len(page.letters) > 500
    assert [*outside(page, MARGIN, MARGIN), *overprinted(page)] == []


def test_a_sheet_that_is_too_long_is_seen(browser: Browser, tmp_path: Path) -> None:
    html = sheet_html(house_sheet(Ruleset("estmesh-hearts")))
    html = html.replace("<main>", "<main>" + "<p>more</p>" * 400)
    assert len(sheets(printed(browser, html, "A4", tmp_path))) > 1
