"""The tests' own score: a mutant that a test kills is killed, a test at a time."""

from pathlib import Path

from conformance import catalogue, tested


def test_a_mutant_is_killed_by_the_tests_that_speak_of_it(tmp_path: Path) -> None:
    names = ["off:5.3", catalogue.UNCHANGED]
    fates = tested.fates(
        names, {}, 1, tmp_path, 20.0, [str(tested.TESTS / "test_play.py")]
    )
    killer, _ = fates["off:5.3"]
    assert "test_play.py::" in killer
    assert fates[catalogue.UNCHANGED] == ["", ""]
