"""Tests of the contributors' commands that choose tests for a change and time them."""

import sys

import pytest

from tests.support import places, quick, within
from tests.support.commands import run_process

pytestmark = pytest.mark.interpreted("about the tools of a checkout")


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ("refengine/chapters/play.py", "tests/chapters"),
        ("refengine/formats/fast/checking.py", "tests/formats"),
        ("refengine/pictures.py", "tests/project"),
        (
            "conformance/refengine_conformance/jobs/journals.py",
            "tests/conformance/jobs",
        ),
        ("tests/game/test_acts.py", "tests/game/test_acts.py"),
        ("tests/support/strategies.py", ""),
        ("spec/5-play.md", "tests/lawbook"),
        ("LICENSE", ""),
    ],
)
def test_a_change_has_the_tests_of_its_room(changed: str, found: str) -> None:
    assert quick.tests_of(changed) == found


def test_every_room_has_a_folder_of_tests() -> None:
    packages = ("refengine", "conformance/refengine_conformance")
    for module in (
        one for path in packages for one in (places.ROOT / path).glob("*/*.py")
    ):
        changed = module.relative_to(places.ROOT).as_posix()
        assert list((places.ROOT / quick.tests_of(changed)).glob("test_*.py")), changed


def test_what_is_named_exists() -> None:
    named = [*quick.FAST, *quick.COST, *(to for _, to in quick.ELSEWHERE)]
    assert [name for name in named if not (places.ROOT / name).exists()] == []


def test_a_change_of_no_room_runs_a_little_of_every_room() -> None:
    assert quick.chosen(["LICENSE"]) == quick.chosen([]) == list(quick.FAST)


def test_what_is_nearest_comes_first_and_the_long_files_last() -> None:
    found = quick.chosen(["refengine/formats/wire.py"])
    assert found[0] == "tests/formats/test_wire.py"
    costs = [quick.COST.get(name, quick.LITTLE) for name in found[1:]]
    assert costs == sorted(costs)


def test_a_long_file_is_left_out_unless_the_change_is_its_own() -> None:
    long = "tests/project/test_differential.py"
    assert long not in quick.chosen(["refengine/pictures.py", "refengine/rulings/x.py"])
    assert quick.chosen([long]) == [long]


@pytest.mark.parametrize(
    ("seconds", "code", "warm", "status", "said"),
    [
        (3.0, 0, True, 0, "passed in 3.0 s of 15"),
        (3.0, 2, True, 2, "failed after"),
        (16.0, 0, True, 1, "too slow"),
        (16.0, 2, False, 2, "failed after"),
        (16.0, 0, False, 0, "the caches were empty"),
    ],
)
def test_a_command_is_held_to_its_time(
    seconds: float, code: int, warm: bool, status: int, said: str
) -> None:
    text, found = within.verdict(seconds, 15, code, warm)
    assert said in text
    assert found == status


def test_the_exit_status_is_that_of_the_command() -> None:
    within_15 = (sys.executable, "-m", "tests.support.within", "15")
    command = (sys.executable, "-c", "raise SystemExit(3)")
    ended = run_process(*within_15, *command, cwd=places.ROOT)
    assert ended.returncode == 3
    assert "failed after" in ended.stdout


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("refengine/json.py", "tests/formats/test_json.py"),
        ("js/carrying/build.py", "tests/javascript"),
        ("examples/learn_hearts.py", "tests/learning/test_learn_hearts.py"),
        ("docs/bots.md", "tests/worlds/test_bots_page.py"),
    ],
)
def test_what_has_its_tests_elsewhere_is_not_without(changed: str, test: str) -> None:
    assert quick.tests_of(changed) == test


def test_every_place_of_tests_exists() -> None:
    assert all((places.ROOT / to).exists() for _, to in quick.ELSEWHERE)
