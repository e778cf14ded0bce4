"""A headless Chromium for the tests of the built site."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SHOTS = ROOT / "build" / "site-shots"
DESK = (1280, 900)
PHONE = (390, 844)
IN_EVERY_LOOK = pytest.mark.parametrize(
    ("size", "dark"), [(size, dark) for size in (DESK, PHONE) for dark in (False, True)]
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Browser:
    """A headless browser that opens pages of the site and reads what they show.

    `traced` names categories of Chromium's tracing, whose events `trace` returns.
    """

    def __init__(self, profile: Path, traced: str = "") -> None:
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        assert chromium, "the Debian package chromium is needed"
        assert driver, "the Debian package chromium-driver is needed"
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        logs = {"browser": "ALL"}
        if traced:
            logs["performance"] = "ALL"
            kept = {"traceCategories": traced, "enableNetwork": False}
            options.add_experimental_option("perfLoggingPrefs", kept)
        options.set_capability("goog:loggingPrefs", logs)
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(120)

    def set(
        self, size: tuple[int, int] = DESK, dark: bool = False, medium: str = ""
    ) -> None:
        """Set the size, and whether the reader's system is light or dark.

        `medium` is `print` for pages as they are printed.
        """
        width, height = size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {
                "width": width,
                "height": height,
                "deviceScaleFactor": 1,
                "mobile": size == PHONE,
            },
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        calm = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"media": medium, "features": [scheme, calm]},
        )

    def open(self, page: str) -> None:
        """Load a page of the site, even if only the part after # has changed."""
        self.driver.get("about:blank")
        self.driver.get(f"file://{SITE}/{page}")

    def run(self, script: str, *more: object) -> Any:
        """Run a script on the page, and return its result as a JSON value."""
        return self.driver.execute_script(script, *more)

    def fragment(self) -> str:
        """The part of the page's address from the # on."""
        return str(self.run("return location.hash"))

    def until(self, holds: Callable[[], object]) -> None:
        """Wait until `holds` returns a true value; TimeoutException after 10 seconds.

        A missing element does not end the wait.
        """
        WebDriverWait(self.driver, 10).until(lambda _: holds())

    def until_ready(self) -> None:
        """Wait until the page reports that it has acted on its address."""
        self.until(lambda: self.run("return document.documentElement.dataset.ready"))

    def barriers(self) -> str:
        """The violations that axe reports with all details unfolded, as JSON.

        Empty if there are none.
        """
        self.run("document.querySelectorAll('details').forEach(one => one.open = true)")
        self.run(AXE.read_text("utf-8"))
        found = self.driver.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {preload: false, resultTypes: ['violations']}).then("
            "all => done(all.violations.map(one => [one.id, one.nodes.length,"
            " one.nodes.slice(0, 3).map(node => [node.html, node.failureSummary])])))"
        )
        return json.dumps(found, indent=1) if found else ""

    def errors(self) -> list[str]:
        """The messages on the browser's console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def trace(self) -> list[dict[str, Any]]:
        """The trace events that Chromium has recorded since the last call."""
        entries = self.driver.get_log("performance")
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [
            one["params"]
            for one in messages
            if one["method"] == "Tracing.dataCollected"
        ]

    def shot(self, name: str, size: tuple[int, int], dark: bool) -> None:
        """Save a screenshot under a name that gives page, size and colours."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        place = "phone" if size == PHONE else "desk"
        name = f"{name}-{place}-{'dark' if dark else 'light'}"
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser in desktop size and light colours; the console must stay empty."""
    chromium.set()
    chromium.errors()
    yield chromium
    assert chromium.errors() == []
