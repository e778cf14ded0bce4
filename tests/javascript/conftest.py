"""The rules in JavaScript, translated once for all tests of this folder."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from carrying import build, package


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules as an ES module, in a folder with everything that `make js` writes."""
    folder = tmp_path_factory.mktemp("carried")
    build.main(str(folder))
    package.main(str(folder))
    return folder / "rules.mjs"


@pytest.fixture(scope="session")
def adapter(rules: Path) -> Path:
    """The path of the adapter that serves these rules."""
    return rules.with_name("adapter.mjs")


@pytest.fixture
def changed(rules: Path, tmp_path: Path) -> Callable[[str, str], Path]:
    """A function that writes a copy of the rules with a pattern replaced."""

    def write(pattern: str, other: str) -> Path:
        text, number = re.subn(pattern, other, rules.read_text("utf-8"))
        assert number
        path = tmp_path / "rules.mjs"
        path.write_text(text, "utf-8")
        return path

    return write
