"""Tests that `explain` says the same sentences in Python and in JavaScript."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.javascript.asked_twice import differing
from tests.javascript.explaining import ANSWERED, asked_of_both

pytestmark = pytest.mark.interpreted("about the source, which is carried over")


def test_both_languages_rule_alike(rules: Path) -> None:
    asked = asked_of_both(300)
    assert list(differing(rules, asked, ANSWERED)) == []
    verdicts = {answer.get("verdict", "malformed") for _, answer in asked}
    assert verdicts >= {"legal", "irregular", "refused"}


def test_a_sentence_that_is_changed_in_one_language_shows(
    changed: Callable[[str, str], Path],
) -> None:
    other = changed("([Aa] refused act) changes nothing", r"\1 is void")
    assert list(differing(other, asked_of_both(40), ANSWERED))
