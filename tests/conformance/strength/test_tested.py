"""The tests' own score: a mutant that a test kills is killed, a test at a time."""

from pathlib import Path

import pytest

from refengine_conformance.mutants import catalogue
from refengine_conformance.strength import killed_by_corpus, killed_by_tests

pytestmark = pytest.mark.interpreted("a mutant is always loaded from source")


def test_a_mutant_is_killed_by_the_tests_that_speak_of_it(tmp_path: Path) -> None:
    names = ["off:5.3", catalogue.UNCHANGED]
    fates = killed_by_tests.fates_under_tests(
        names,
        {},
        1,
        tmp_path,
        20.0,
        [str(killed_by_tests.TESTS / "chapters" / "test_play.py")],
    )
    killer, _ = fates["off:5.3"]
    assert "test_play.py::" in killer
    assert fates[catalogue.UNCHANGED] == ["", ""]


def test_what_runs_when_the_engine_is_read_is_asked_of_a_fork() -> None:
    asked = killed_by_corpus.functions_run_at_import
    once = killed_by_corpus.run_in_fork(asked, None)
    assert "profiles.fields_in_file" in once
    assert "position.playable" not in once
