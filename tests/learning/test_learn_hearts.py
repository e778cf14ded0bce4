"""Tests of the learning program: it beats random play, and a seed fixes its result."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from examples import learn_hearts
from examples.learn_hearts import CARDS, INPUTS, Network, interval, main

pytestmark = pytest.mark.interpreted("the examples are in the checkout")


def learned(path: Path, *more: str) -> str:
    few = ["--tables", "2", "--lessons", "1", "--rounds", "1"]
    main(["--picture", str(path), *few, *more])
    return path.read_text("utf-8")


def test_the_same_seed_gives_the_same_picture(tmp_path: Path) -> None:
    picture = learned(tmp_path / "one.svg")
    assert picture == learned(tmp_path / "two.svg")
    assert picture != learned(tmp_path / "three.svg", "--seed", "2")
    root = ElementTree.fromstring(picture)
    line = root.find("{http://www.w3.org/2000/svg}polyline")
    assert line is not None
    assert len(line.attrib["points"].split()) == 2  # before the lesson and after it


def test_the_interval_is_that_of_a_mean() -> None:
    saved = np.array([1, 3] * 50, np.float32)
    mean, low, high = interval(saved)
    # The deviation is the square root of 100/99, and the root of 100 deals is 10.
    half = 1.96 * (100 / 99) ** 0.5 / 10
    assert (mean, low, high) == pytest.approx((2, 2 - half, 2 + half))


def test_a_lesson_moves_what_is_said_towards_what_it_cost() -> None:
    rng = np.random.default_rng(1)
    network = Network(rng)
    seen = (rng.random((64, INPUTS)) < 0.1).astype(np.float32)
    chosen = rng.integers(CARDS, size=64)
    cost = rng.integers(27, size=64).astype(np.float32)
    off = []
    for _ in range(40):
        said = network.points(seen)[np.arange(64), chosen]
        off.append(float(np.square(said - cost).mean()))
        network.teach(seen, chosen, cost, 0.002)
    assert off[-1] < off[0] / 10


@pytest.mark.slow
@pytest.mark.timeout(3000)  # a minute where the rules are compiled
def test_it_saves_a_point_and_a_half_a_deal(tmp_path: Path) -> None:
    mean, low, _ = main(["--picture", str(tmp_path / "learned.svg")])
    assert mean >= 1.5
    assert low > 0
    assert learn_hearts.RULESET.players == 4
