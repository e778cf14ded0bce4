"""Commands called as from a shell, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refengine.cli import main

Run = tuple[int, str, str]


@pytest.fixture
def judge(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Run]:
    """The exit code of `judge` for a text and flags, and what it prints."""

    def call(text: str, *words: str) -> Run:
        path = tmp_path / "friday.hearts"
        path.write_text(text, "utf-8")
        with pytest.raises(SystemExit) as ended:
            main.main(["judge", str(path), *words])
        shown = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, shown.out.replace(str(path), "FILE"), shown.err

    return call
