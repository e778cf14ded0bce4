"""The words of the rulings, read from `sentences.toml` once, when first needed."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("sentences.toml")


@cache
def templates() -> dict[str, Any]:
    """The whole content of the file, as tables of sentences by name.

    A sentence is a string, or a list of its text and the clauses that it comes from.
    """
    return tomllib.loads(FILE.read_text("utf-8"))
