"""The check of the bench goes red where not even half of a goal is met."""

import pytest

from bench.growth import Grown, too_steep
from bench.measuring import Measured, Row, measured, timed

pytestmark = pytest.mark.interpreted("about measuring")


def row_of(
    ours: float, yardstick: float, goal: float | None, at_most: bool
) -> Measured:
    row = Row(
        name="work",
        unit="piece",
        ours=lambda: ours,
        beside="other work",
        yardstick=lambda: yardstick,
        goal=goal,
        at_most=at_most,
    )
    return measured(row, 3)


@pytest.mark.parametrize(
    ("ours", "goal", "at_most", "ratio", "reached", "tolerable"),
    [
        (1.0, 2.0, False, 4.0, True, True),
        (3.0, 2.0, False, 4 / 3, False, True),
        (5.0, 2.0, False, 0.8, False, False),
        (6.0, 1.5, True, 1.5, True, True),
        (8.0, 1.5, True, 2.0, False, True),
        (16.0, 1.5, True, 4.0, False, False),
        (16.0, None, True, 4.0, True, True),
    ],
)
def test_a_goal_is_met_by_half_or_not_at_all(
    ours: float,
    goal: float | None,
    at_most: bool,
    ratio: float,
    reached: bool,
    tolerable: bool,
) -> None:
    found = row_of(ours, 4.0, goal, at_most)
    assert found.ratio == pytest.approx(ratio)
    assert (found.reached, found.tolerable) == (reached, tolerable)
    assert found.fields()["reached"] == reached


def test_a_sample_is_the_time_of_one_unit() -> None:
    done: list[int] = []

    def work() -> float:
        done.append(sum(range(10_000)))
        return 10

    assert 0 < timed(work)() * len(done) * 10 < 5


def test_what_grows_faster_than_its_work_is_named() -> None:
    flat = [Grown("work", 1, 1.0, 50), Grown("work", 10, 11.0, 55)]
    assert too_steep(flat) == []
    assert too_steep([*flat, Grown("work", 100, 300.0, 50)]) == [
        "work: 100 takes 300.0 s"
    ]
    assert too_steep([*flat, Grown("work", 100, 99.0, 90)]) == ["work: 100 holds 90 MB"]
