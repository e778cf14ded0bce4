"""Tests that a page shows to those who have an engine and no runner, run as they stand.

They are run beside an engine, in a folder as a user has it.
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
    """What a page shows in this language first."""
    found = re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


@attrs.frozen
class PageTest:
    """The test of a page, and the engine beside it."""

    language: str
    test: Path
    engine: Path

    def passed(self) -> int:
        """How many tests pass; all have to."""
        done = run_process(*self._command, cwd=self.test.parent)
        assert done.returncode == 0, done.stdout + done.stderr
        count = re.search(r"\bpass (\d+)|(\d+) passed", done.stdout)
        assert count is not None
        return int(count[1] or count[2])

    def said_with(self, good: str, bad: str) -> str:
        """What is said, which is no praise, with this in the engine for that."""
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
