"""The rules in JavaScript, carried over once for all tests of this folder."""

from pathlib import Path

import pytest
from carrying import build, package


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules as an ES module, in a folder with all that `make js` writes."""
    folder = tmp_path_factory.mktemp("carried")
    build.main(str(folder))
    package.main(str(folder))
    return folder / "rules.mjs"


@pytest.fixture(scope="session")
def adapter(rules: Path) -> Path:
    """The adapter over these rules."""
    return rules.with_name("adapter.mjs")
