"""Tests that the engine is compiled or interpreted as the run says it is."""

from pathlib import Path

import pytest

import refengine
from refengine.chapters import settings
from refengine.game.values import state
from tests.conftest import HERE, INTERPRETED, in_interpreted_room, is_interpreted


def test_this_run_is_of_the_mode_that_it_states(request: pytest.FixtureRequest) -> None:
    assert refengine.__mode__ == request.config.getoption("mode")


def test_compiled_the_rules_come_from_the_wheel_alone() -> None:
    compiled = refengine.__mode__ == "compiled"
    assert (Path(str(settings.__file__)).suffix != ".py") == compiled
    installed = "site-packages" in Path(str(state.__file__)).parts
    assert installed == compiled


def test_what_has_no_second_run_exists_and_is_left_out() -> None:
    for folder in INTERPRETED:
        files = list((HERE / folder).glob("test_*.py"))
        assert files, folder
        assert all(map(in_interpreted_room, files))


def test_a_file_that_marks_itself_is_left_out_and_no_other() -> None:
    assert is_interpreted(HERE / "lawbook" / "test_reading.py")
    assert not is_interpreted(HERE / "lawbook" / "test_formal.py")
    assert not in_interpreted_room(HERE / "lawbook" / "test_reading.py")
