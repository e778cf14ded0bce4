"""Runs the tests that pages show to people who have an engine and no runner.

They are run exactly as shown, next to an engine, in a folder as a user would have it.
"""

import re
import sys
from pathlib import Path

import attrs

from tests.support import node
from tests.support.commands import run_process

PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
COMMANDS = {"python": PYTEST, "javascript": (node.NODE, "--test")}


def example(page: str, language: str) -> str:
    """The first block of code in this language on a page."""
    found = re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


@attrs.frozen
class PageTest:
    """The test of a page, and the file of the engine next to it."""

    language: str
    test: Path
    engine: Path

    def passed(self) -> int:
        """The number of tests that pass; none may fail."""
        done = run_process(*self._command, cwd=self.test.parent)
        assert done.returncode == 0, done.stdout + done.stderr
        count = re.search(r"\bpass (\d+)|(\d+) passed", done.stdout)
        assert count is not None
        return int(count[1] or count[2])

    def said_with(self, good: str, bad: str) -> str:
        """The output of the tests, which must fail with `bad` in place of `good`."""
        text = self.engine.read_text("utf-8")
        assert text.count(good) == 1, good
        self.engine.write_text(text.replace(good, bad), "utf-8")
        done = run_process(*self._command, cwd=self.test.parent)
        self.engine.write_text(text, "utf-8")
        assert done.returncode == 1, (good, bad)
        return done.stdout

    @property
    def _command(self) -> tuple[str, ...]:
        return (*COMMANDS[self.language], self.test.name)
