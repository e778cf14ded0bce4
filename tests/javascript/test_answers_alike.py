"""Questions of every kind: both languages give the same answer, and refuse the same."""

from pathlib import Path

import pytest

from refengine.rulings.asking.questions import KINDS
from tests.javascript.asked_twice import answered, asked_of_both, differing

pytestmark = pytest.mark.interpreted("about the source, which is carried over")


def test_both_languages_answer_alike(rules: Path) -> None:
    asked = asked_of_both(660)
    assert list(differing(rules, asked)) == []
    kinds = [one["ask"] for one in asked if "error" not in answered(one)]
    for kind in KINDS:
        assert kinds.count(kind) >= 12, kind


def test_an_answer_that_is_changed_in_one_language_shows(
    rules: Path, tmp_path: Path
) -> None:
    other = tmp_path / "rules.mjs"
    text = rules.read_text("utf-8")
    changed = text.replace('["turn", turns$turn_answer]', '["turn", ends$end_answer]')
    assert changed != text
    other.write_text(changed, "utf-8")
    wrong = list(differing(other, asked_of_both(110)))
    assert {one["question"]["ask"] for one in wrong} == {"turn"}
