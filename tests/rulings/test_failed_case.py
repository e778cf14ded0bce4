"""Tests that a report that breaks off within a line is not taken for a whole one."""

import pytest

from refengine.errors import Malformed
from refengine.rulings.failed_case import is_report, wrong_answers


def test_a_report_that_breaks_off_is_not_taken_for_whole() -> None:
    cut = b'{"case":"t-010cb81042ab1f93/step","outco'
    assert not is_report(cut)
    with pytest.raises(Malformed, match="no JSON"):
        wrong_answers(cut, lambda name: None)
    assert wrong_answers(b'{"finding":1,"case":2}', lambda name: None) == []
