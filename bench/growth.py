"""How time and memory grow with the work: linear the one, flat the other."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import attrs

from bench import positions

STEEPEST: Final = 1.3  # times the cost of a unit, or the memory, of the smallest size
_PLAYOUTS: Final = """
from bench.positions import RULESET, state_of
from refengine.machine.playouts import playout, started
seed = started(1)
core = state_of(1).core
for _ in range({size}):
    seed = playout(core, seed).seed
"""


@attrs.frozen
class Grown:
    """Some work at one size: its seconds, and the most memory it held, in megabytes."""

    work: str
    size: int
    seconds: float
    megabytes: float


def run(command: list[str]) -> tuple[float, float]:
    """The seconds that a command takes and the most memory it holds, in megabytes."""
    begun = perf_counter()
    pid = os.posix_spawnp(
        command[0],
        command,
        os.environ,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f"{' '.join(command[:3])} ended with status {status}")
    return perf_counter() - begun, usage.ru_maxrss / 1000


def playouts_grown(sizes: tuple[int, ...]) -> Iterator[Grown]:
    """Random playouts of so many thousand deals."""
    for size in sizes:
        code = _PLAYOUTS.format(size=size * 1000)
        yield Grown("playouts, 1000 deals", size, *run([sys.executable, "-c", code]))


def replays_grown(sizes: tuple[int, ...]) -> Iterator[Grown]:
    """`refengine replay` of traces of so many megabytes."""
    lines = b"".join(line + b"\n" for line in positions.traces())
    with TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.jsonl"
            with path.open("wb") as file:
                for _ in range(size * 1_000_000 // len(lines)):
                    file.write(lines)
            command = [sys.executable, "-m", "refengine", "replay", str(path)]
            yield Grown("replay, megabytes", size, *run(command))


def too_steep(found: list[Grown]) -> list[str]:
    """What grows faster than its size, or holds more memory with it."""
    wrong: list[str] = []
    for work in dict.fromkeys(one.work for one in found):
        first, *others = [one for one in found if one.work == work]
        for one in others:
            times = one.size / first.size
            if one.seconds > first.seconds * times * STEEPEST:
                wrong.append(f"{work}: {one.size} takes {one.seconds:.1f} s")
            if one.megabytes > first.megabytes * STEEPEST:
                wrong.append(f"{work}: {one.size} holds {one.megabytes:.0f} MB")
    return wrong
