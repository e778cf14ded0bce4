"""Tests that the benchmark reports missed goals and measures what it claims to."""

from pathlib import Path

import pytest

from bench.growth import Doubled, Grown, gain, run, too_little, too_steep
from bench.measuring import Measured, Row, Task, measured, timed

pytestmark = pytest.mark.interpreted("about measuring")


def row_of(
    ours: float, yardstick: float, goal: float | None, at_most: bool
) -> Measured:
    sides = Task("work", lambda: ours), Task("other work", lambda: yardstick)
    return measured(Row("piece", *sides, goal, at_most), 3)


@pytest.mark.parametrize(
    ("ours", "goal", "at_most", "ratio", "reached"),
    [
        (1.0, 2.0, False, 4.0, True),
        (2.0, 2.0, False, 2.0, True),
        (3.0, 2.0, False, 4 / 3, False),
        (6.0, 1.5, True, 1.5, True),
        (8.0, 1.5, True, 2.0, False),
        (16.0, None, True, 4.0, True),
    ],
)
def test_a_goal_is_met_or_missed(
    ours: float, goal: float | None, at_most: bool, ratio: float, reached: bool
) -> None:
    found = row_of(ours, 4.0, goal, at_most)
    assert found.ratio == pytest.approx(ratio)
    assert found.reached == reached
    assert found.fields()["reached"] == reached


def test_a_sample_is_the_time_of_one_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is done twice, until it has taken two seconds of a stand-in clock."""
    clock = iter([3.0, 4.0, 5.5])
    monkeypatch.setattr("bench.measuring.process_time", lambda: next(clock))
    assert timed(lambda: 10, 2)() == 2.5 / (10 + 10)


def test_what_grows_faster_than_its_work_is_named() -> None:
    flat = [Grown("work", 1, 1.0, 50), Grown("work", 10, 11.0, 55)]
    assert too_steep(flat) == []
    assert too_steep([*flat, Grown("work", 100, 300.0, 50)]) == [
        "work: 100 takes 300.0 s"
    ]
    assert too_steep([*flat, Grown("work", 100, 99.0, 90)]) == ["work: 100 holds 90 MB"]


def test_two_processes_do_almost_twice_as_much_or_it_is_said() -> None:
    found = [Doubled("work", 1.9), Doubled("slow work", 1.2)]
    assert too_little(found, 1.7) == [
        "slow work: two processes do 1.20 times as much as one"
    ]
    assert not too_little(found, 1.0)


SLEEPING = """
import time
def work(size):
    time.sleep(size * 0.3)
"""
IN_TURN = """
import fcntl, time
def work(size):
    with open({path!r}, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        time.sleep(size * 0.3)
"""
GROWING = """
kept = []
def work(size):
    kept.append(b"x" * int(size * 20_000_000))
"""


def test_processes_that_wait_for_each_other_are_found(tmp_path: Path) -> None:
    assert gain(SLEEPING, 1) > 1.5
    found = Doubled("work", gain(IN_TURN.format(path=str(tmp_path / "lock")), 1))
    assert 0.8 < found.gain < 1.3
    assert too_little([found], 1.7)


def test_what_is_not_linear_and_not_flat_is_found() -> None:
    """Work of five times the size takes 25 times as long and 80 megabytes more.

    The memory is measured; the time is made up, since a busy machine would distort it.
    """
    grown = []
    for size in (1, 5):
        (one,) = run(GROWING, size)
        assert one.processor > 0
        grown.append(Grown("work", size, float(size**2), one.megabytes))
    time, memory = too_steep(grown)
    assert time.startswith("work: 5 takes")
    assert memory.startswith("work: 5 holds")


def test_a_process_tells_its_own_memory_and_not_that_of_its_parent() -> None:
    kept = b"x" * 300_000_000
    (one,) = run(SLEEPING, 0)
    assert 1 < one.megabytes < 200 < len(kept) / 1_000_000


def test_work_that_fails_is_no_measurement() -> None:
    with pytest.raises(RuntimeError, match="ended with status"):
        run("raise SystemExit(2)", 1)
