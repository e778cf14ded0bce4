"""Tests that Python and JavaScript answer questions of every kind alike."""

from collections.abc import Callable
from pathlib import Path

import pytest

from refengine.rulings.asking.questions import KINDS
from tests.javascript.asked_twice import asked_of_both, differing

pytestmark = pytest.mark.interpreted("about the source, which is carried over")


def test_both_languages_answer_alike(rules: Path) -> None:
    asked = asked_of_both(660)
    assert list(differing(rules, asked)) == []
    kinds = [one["ask"] for one, answer in asked if "error" not in answer]
    for kind in KINDS:
        assert kinds.count(kind) >= 12, kind


def test_an_answer_that_is_changed_in_one_language_shows(
    changed: Callable[[str, str], Path],
) -> None:
    other = changed(r'\["turn", turns\$turn_answer\]', '["turn", ends$end_answer]')
    wrong = list(differing(other, asked_of_both(110)))
    assert {one["question"]["ask"] for one in wrong} == {"turn"}
