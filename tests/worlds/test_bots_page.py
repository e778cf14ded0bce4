"""Tests that the code in the guide for bots does what the guide says."""

import re
from typing import Any

import pytest

from refengine import Ruleset, SeatRecord, State
from tests.support import places

PAGE = (places.DOCS / "bots.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    """The namespace after all code of the page has been run in order."""
    names: dict[str, Any] = {}
    for block in BLOCKS:
        exec(block, names)
    return names


def test_the_code_of_the_page_runs(page: dict[str, Any]) -> None:
    assert len(BLOCKS) >= 6
    assert isinstance(page["state"], State)
    assert page["state"].score is not None


def test_the_bot_has_been_told_no_more_than_its_seat_may_know(
    page: dict[str, Any],
) -> None:
    record = page["bot"].record
    assert record == SeatRecord.of(page["state"], 1)
    assert record.ruleset == Ruleset("common-hearts")
    hidden = [one for one in record.told if one.event.act is None]
    kinds = {(one.event.kind, one.event.seat == 1) for one in hidden}
    assert kinds == {("deal", False), ("pass", False)}


def test_the_page_names_every_policy() -> None:
    from refengine.worlds.policies import POLICIES

    for name in POLICIES:
        assert f"| `{name}` |" in PAGE
