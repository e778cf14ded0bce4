"""Tests that the map in the guide to other programs' files does what it says."""

from __future__ import annotations

import re

import pytest

from refengine.formats.written import maps_written
from refengine.formats.written.mapped_written import mapped_games
from refengine.formats.written.maps_written import map_names, map_of_toml
from refengine.formats.written.writing_written import write_written
from tests.support import places

pytestmark = pytest.mark.interpreted("about a page of the checkout")

PAGE = (places.DOCS / "other-files.md").read_text("utf-8")
[GAME] = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
[MAP] = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


def test_the_map_of_the_page_finds_the_game_of_the_page() -> None:
    [(_, match)] = mapped_games(GAME, map_of_toml(MAP))
    assert [line for line in write_written(match).splitlines() if line] == [
        "deal -",
        "pass: left",
        "1. seat 0=QS, seat 1=AS, seat 2=2S, seat 3=3S",
    ]


def test_the_page_has_every_map_and_every_key() -> None:
    rows = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    named = re.findall(r"`([^`]+)`", " ".join(rows))
    keys = maps_written.KEYS
    parts = [f"[{one}]" for one in maps_written.PARTS]
    assert sorted(named) == sorted([*map_names(), *keys, *parts, "[words]"])
    for part, names in maps_written.PARTS.items():
        [row] = [one for one in PAGE.splitlines() if one.startswith(f"| `[{part}]`")]
        assert re.findall(r"`(\w+)`", row) == list(names)
