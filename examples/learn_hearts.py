"""Learn Hearts in a minute with numpy alone, and draw the learning curve.

    python examples/learn_hearts.py --picture learned.svg

A network with one hidden layer looks at what a seat sees and predicts, for each card,
how many points the deal will cost the seat if it chooses that card. It learns from
deals that it plays against itself, in which some cards are chosen at random: the right
prediction for every choice in a deal is what that deal cost in the end. To measure the
network, it is put at a table with three seats that choose at random, and its points are
compared with those of a seat that chooses at random with the same cards. The same seed
gives the same picture.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

# Set before numpy is loaded: several threads would add up in another order and, with
# products as small as these, wait for each other more than they work.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import attrs
import numpy as np
from numpy.typing import NDArray

from refengine import Ruleset
from refengine.learning.observations import Observation, planes
from refengine.learning.random_policies import all_at_random
from refengine.learning.tables_env import TablesEnv

Floats = NDArray[np.float32]
Choices = NDArray[np.int64]

RULESET = Ruleset("common-hearts")
SEATS = RULESET.players
CARDS = 52
INPUTS = CARDS * max(place.stop for place in planes(SEATS).values())
HIDDEN = 192
TYPICAL = 6.5  # points of a deal for a seat: what the network says before it is taught


# The network


class Network:
    """A network that predicts the points for each card, trained with Adam."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.weights: list[Floats] = [
            rng.normal(0, 0.1, (INPUTS, HIDDEN)).astype(np.float32),
            np.zeros(HIDDEN, np.float32),
            rng.normal(0, 0.01, (HIDDEN, CARDS)).astype(np.float32),
            np.full(CARDS, TYPICAL, np.float32),
        ]
        self.means = [np.zeros_like(one) for one in self.weights]
        self.squares = [np.zeros_like(one) for one in self.weights]
        self.lessons = 0

    def points(self, seen: Floats) -> Floats:
        """The points for each card, a row for each row of `seen`."""
        into, shift, out, typical = self.weights
        found: Floats = np.maximum(seen @ into + shift, 0) @ out + typical
        return found

    def teach(self, seen: Floats, chosen: Choices, cost: Floats, rate: float) -> None:
        """Move what the network says about the `chosen` cards towards their `cost`."""
        into, shift, out, typical = self.weights
        hidden = np.maximum(seen @ into + shift, 0)
        rows = np.arange(len(chosen))
        wrong = np.zeros((len(chosen), CARDS), np.float32)
        said = (hidden @ out + typical)[rows, chosen]
        wrong[rows, chosen] = (said - cost) / len(chosen)
        back = (wrong @ out.T) * (hidden > 0)
        slopes = [seen.T @ back, back.sum(0), hidden.T @ wrong, wrong.sum(0)]
        self.lessons += 1
        fair = (1 - 0.999**self.lessons) ** 0.5 / (1 - 0.9**self.lessons)
        for at, slope in enumerate(slopes):
            mean, square = self.means[at], self.squares[at]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            self.weights[at] -= rate * fair * mean / (np.sqrt(square) + 1e-8)


def seen_by(observation: Observation) -> NDArray[np.uint8]:
    """What the seat to act sees at each table, as one row per table."""
    found = observation["planes"].astype(np.uint8)
    return found.reshape(len(found), -1)


def best(network: Network, seen: NDArray[np.uint8], mask: NDArray[np.int8]) -> Choices:
    """For each row, the card in the mask that the network thinks cheapest."""
    points = network.points(seen.astype(np.float32))
    found: Choices = np.where(mask[:, :CARDS] > 0, points, np.inf).argmin(axis=1)
    return found


# Deals


@attrs.frozen
class Step:
    """One choice at each of the tables whose first deal is not over yet."""

    tables: NDArray[np.int64]
    seats: NDArray[np.int64]
    seen: NDArray[np.uint8]
    chosen: Choices


class Deals:
    """One deal at each table; in the end, `cost` holds the points by table and seat."""

    def __init__(self, env: TablesEnv, seed: int) -> None:
        self.env = env
        self.seed = seed
        self.cost = np.zeros((env.num_envs, SEATS), np.float32)

    def play(
        self, network: Network, taught: Sequence[int], daring: float
    ) -> Iterator[Step]:
        """Play the deals, with the network choosing for the seats in `taught`.

        The network's choices are replaced by random ones with probability `daring`;
        all other seats choose at random. Yields every step.
        """
        rng = np.random.default_rng(self.seed)
        observation, info = self.env.reset(seed=self.seed)
        playing = np.ones(self.env.num_envs, np.bool_)
        while playing.any():
            seats, mask = info["seat"], info["action_mask"]
            chosen = all_at_random(mask, rng)
            knows = playing & np.isin(seats, taught)
            knows &= rng.random(len(knows)) >= daring
            seen = seen_by(observation)
            chosen[knows] = best(network, seen[knows], mask[knows])
            (tables,) = playing.nonzero()
            yield Step(tables, seats[tables], seen[tables], chosen[tables])
            observation, rewards, ended, _, info = self.env.step(chosen)
            self.cost[tables] -= rewards[tables]
            playing &= ~ended


def lesson(
    network: Network, env: TablesEnv, seed: int, daring: float, rate: float
) -> None:
    """Play a deal at each table with the network in every seat, and learn from it."""
    deals = Deals(env, seed)
    steps = list(deals.play(network, range(SEATS), daring))
    tables = np.concatenate([step.tables for step in steps])
    seats = np.concatenate([step.seats for step in steps])
    seen = np.concatenate([step.seen for step in steps])
    chosen = np.concatenate([step.chosen for step in steps])
    cost = deals.cost[tables, seats]
    order = np.random.default_rng(seed).permutation(len(chosen))
    for some in np.array_split(order, max(1, len(order) // 512)):
        network.teach(seen[some].astype(np.float32), chosen[some], cost[some], rate)


def measured(network: Network, env: TablesEnv, seed: int, rounds: int) -> Floats:
    """How many points the network saves seat 0 in each deal, compared with chance.

    Each deal is played twice with the same cards, and the other three seats choose at
    random.
    """
    saved = []
    for number in range(rounds):
        costs = []
        for taught in ([0], []):
            deals = Deals(env, seed + number)
            for _ in deals.play(network, taught, daring=0):
                pass
            costs.append(deals.cost[:, 0])
        saved.append(costs[1] - costs[0])
    return np.concatenate(saved)


def interval(saved: Floats) -> tuple[float, float, float]:
    """The mean, and the lower and upper ends of its 95 % confidence interval."""
    mean = float(saved.mean(dtype=np.float64))
    half = 1.96 * float(saved.std(ddof=1, dtype=np.float64)) / len(saved) ** 0.5
    return mean, mean - half, mean + half


# The picture


def picture(course: Sequence[tuple[float, float, float]], title: str) -> str:
    """The points saved after each lesson, with their intervals, as an SVG."""
    width, height, left, bottom = 640, 384, 56, 320
    top = max(2, int(np.ceil(max(high for _, _, high in course))))
    low = min(0, int(np.floor(min(low for _, low, _ in course))))
    last = len(course) - 1

    def x(lesson: float) -> str:
        return f"{left + (width - left - 20) * lesson / max(1, last):.1f}"

    def y(points: float) -> str:
        return f"{bottom - (bottom - 40) * (points - low) / (top - low):.1f}"

    upper = [f"{x(at)},{y(high)}" for at, (_, _, high) in enumerate(course)]
    lower = [f"{x(at)},{y(low)}" for at, (_, low, _) in enumerate(course)]
    middle = [f"{x(at)},{y(mean)}" for at, (mean, _, _) in enumerate(course)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="24" font-size="15">{title}</text>',
    ]
    lines += [
        f'<polygon points="{" ".join(upper + lower[::-1])}" fill="#9ecae1"/>',
    ]
    for points in range(low, top + 1):
        lines += [
            f'<line x1="{left}" x2="{width - 20}" y1="{y(points)}" y2="{y(points)}" '
            f'stroke="#000" stroke-opacity="{1 if points == 0 else 0.15}"/>',
            f'<text x="{left - 10}" y="{y(points)}" dy="4" text-anchor="end">'
            + f"{points}</text>".replace("-", "\N{MINUS SIGN}"),
        ]
    for number in range(0, last + 1, max(1, last // 6)):
        lines.append(
            f'<text x="{x(number)}" y="{bottom + 22}" text-anchor="middle">'
            f"{number}</text>"
        )
    lines += [
        f'<polyline points="{" ".join(middle)}" fill="none" stroke="#08519c" '
        'stroke-width="2"/>',
        f'<text x="{left}" y="{bottom + 50}">Points a deal saved, compared with random '
        "play, by lesson; the band is 95 %</text>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def main(words: Sequence[str] | None = None) -> tuple[float, float, float]:
    """Train, report and draw; return the points saved and the ends of the interval."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lessons", type=int, default=30)
    parser.add_argument("--tables", type=int, default=1000, help="deals a lesson")
    parser.add_argument("--rounds", type=int, default=5, help="of deals in the end")
    parser.add_argument("--picture", type=Path, default=Path("learned.svg"))
    given = parser.parse_args(words)
    network = Network(np.random.default_rng(given.seed))
    env = TablesEnv(RULESET, given.tables)
    # Separate seeds for each lesson, for all measurements on the way, and for the last.
    first = given.seed * 10**6
    course = [interval(measured(network, env, first + 10**5, 1))]
    for number in range(given.lessons):
        share = number / max(1, given.lessons - 1)
        daring = 1 - 0.9 * min(1, 2 * share)
        lesson(network, env, first + number, daring, rate=0.002 * (1 - 0.9 * share))
        course.append(interval(measured(network, env, first + 10**5, 1)))
        print(
            f"lesson {number + 1}: saves {course[-1][0]:.2f} points a deal", flush=True
        )
    end = interval(measured(network, env, first + 2 * 10**5, given.rounds))
    deals = given.rounds * given.tables
    said = f"{end[0]:.2f} points a deal saved ({end[1]:.2f} to {end[2]:.2f})"
    print(f"{said}, over {deals:,} deals")
    given.picture.write_text(picture(course, said), "utf-8")
    return end


if __name__ == "__main__":
    main()
