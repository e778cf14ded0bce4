"""Run the tests that pages offer to people with an engine but without our runner.

They are run exactly as shown, next to an engine, in a folder like a user's.
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
    """A test file taken from a page, and the file of the engine that it tests."""

    language: str
    test: Path
    engine: Path

    def passed(self) -> int:
        """Run the tests, all of which must pass, and return their number."""
        done = run_process(*self._command, cwd=self.test.parent)
        assert done.returncode == 0, done.stdout + done.stderr
        count = re.search(r"\bpass (\d+)|(\d+) passed", done.stdout)
        assert count is not None
        return int(count[1] or count[2])

    def said_with(self, good: str, bad: str) -> str:
        """The output of the tests with `good` replaced by `bad` in the engine's source.

        The tests must fail.
        """
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
