"""Tests that traces, notation, mapped files and sheets of random matches agree.

`python -m tests.support.records_at_large` compares any number of matches.
"""

from collections.abc import Sequence

import pytest

from refengine import Ruleset
from tests.support import records_at_large
from tests.support.records_at_large import PlayedDeal, disagreements


@pytest.mark.parametrize("part", range(2))
def test_four_ways_to_write_a_match_down_are_judged_alike(part: int) -> None:
    for seed in range(part * 10, part * 10 + 10):
        assert disagreements(seed) == []


def test_a_way_that_tells_another_game_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the notation, the first two cards of the first trick have changed places."""
    as_text = records_at_large.as_text

    def wrong(ruleset: Ruleset, deals: Sequence[PlayedDeal]) -> str:
        text = as_text(ruleset, deals)
        at = text.index("\n1. seat")
        first = text.index(": ", at) + 2
        cards = text[first : first + 5]
        return text[:first] + " ".join(cards.split()[::-1]) + text[first + 5 :]

    monkeypatch.setattr(records_at_large, "as_text", wrong)
    assert all("notation" in one for one in disagreements(1))
    assert disagreements(1)
