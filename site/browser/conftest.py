"""A headless Chromium for the tests of the built site."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
SHOTS = ROOT / "build" / "site-shots"
DESK = (1280, 900)
PHONE = (390, 844)
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
    """A browser on the site: pages by name, sizes, themes, and what went wrong."""

    def __init__(self, profile: Path) -> None:
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        assert chromium, "the Debian package chromium is needed"
        assert driver, "the Debian package chromium-driver is needed"
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(120)

    def set(self, size: tuple[int, int] = DESK, dark: bool = False) -> None:
        """Take a size, and light or dark as the reader's system has it."""
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
            "Emulation.setEmulatedMedia", {"features": [scheme, calm]}
        )

    def open(self, page: str) -> None:
        """Load a page of the site anew, also where only what follows # differs."""
        self.driver.get("about:blank")
        self.driver.get(f"file://{SITE}/{page}")

    def run(self, script: str, *more: object) -> object:
        """What a script on the page returns."""
        return self.driver.execute_script(script, *more)

    def errors(self) -> list[str]:
        """What the console has had to say since it was asked last."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def shot(self, name: str) -> None:
        """Keep a picture of what is seen, for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.driver.quit()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser at desk size and light; at the end its console must be clean."""
    chromium.set()
    chromium.errors()
    yield chromium
    assert chromium.errors() == []
