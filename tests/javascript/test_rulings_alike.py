"""What `explain` says, in both languages: the same sentences from the same moments."""

from pathlib import Path

import pytest

from tests.javascript.explaining import asked_of_both, differing

pytestmark = pytest.mark.interpreted("about the source, which is carried over")


def test_both_languages_rule_alike(rules: Path) -> None:
    asked = asked_of_both(300)
    assert list(differing(rules, asked)) == []
    verdicts = {answer.get("verdict", "malformed") for _, answer in asked}
    assert verdicts >= {"legal", "irregular", "refused"}


def test_a_sentence_that_is_changed_in_one_language_shows(
    rules: Path, tmp_path: Path
) -> None:
    other = tmp_path / "rules.mjs"
    text = rules.read_text("utf-8")
    changed = text.replace("A refused act changes nothing", "a refused act changes")
    changed = changed.replace("a refused act changes nothing", "a refused act is void")
    assert changed != text
    other.write_text(changed, "utf-8")
    assert list(differing(other, asked_of_both(40)))
