"""How time and memory grow with the work, and what a second process adds.

Time should grow in proportion to the work, and memory not at all; two processes should
do almost twice as much as one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import attrs

from bench import positions

STEEPEST: Final = 1.3  # most time per unit, or memory, relative to the smallest size
TWICE: Final = 1.7  # the least that two processes should do, in multiples of one
_WORK: Final = {
    "playouts, 20,000 deals": """
from refengine.machine.playouts import playouts, started
cores = [positions.state_of(1).core]
def work(size):
    playouts(cores, int(size * 20_000), started(1))
""",
    "worlds, 5,000 played out": """
from refengine.machine.playouts import playout, started
from refengine.worlds.sampling import Worlds
from refengine.worlds.seat_record import SeatRecord
state = positions.state_of(1)
worlds = Worlds(SeatRecord.of(state, state.seat_in_turn))
def work(size):
    seed = started(1)
    for world in worlds.each(int(size * 5_000), 1):
        seed = playout(world.core, seed).seed
""",
    "1,024 tables, 100 steps": """
import numpy as np
from refengine.learning.random_policies import all_at_random
from refengine.learning.tables_env import TablesEnv
env = TablesEnv(positions.RULESET, 1024)
rng = np.random.default_rng(1)
info = env.reset(seed=1)[1]
def work(size):
    global info
    for _ in range(int(size * 100)):
        info = env.step(all_at_random(info["action_mask"], rng))[-1]
""",
    "moves by numbers, 1,000 deals": """
from random import Random
chance = Random(1).random
begun = positions.state_of(1)
def work(size):
    for _ in range(int(size * 1_000)):
        state = begun
        while numbers := state.legal_numbers():
            state = state.play_number(numbers[int(chance() * len(numbers))])
""",
    "looks, 10,000": """
state = positions.state_of(1)
def work(size):
    for _ in range(int(size * 10_000)):
        state.observe(1)
""",
    "12-card deals, 2,000": """
from refengine.formats.minideals import enumerate_games
begun = positions.minis()[0]
def work(size):
    for _ in range(int(size * 2_000)):
        enumerate_games(begun)
""",
}
_REPLAY: Final = """
from contextlib import redirect_stdout
from io import StringIO
from refengine.cli.main import main
def work(size):
    try:
        with redirect_stdout(StringIO()):
            main(["replay", {path!r} if size >= 1 else {small!r}])
    except SystemExit as end:
        if end.code:
            raise
"""
# Once warmed up, a process says so and waits until all the others are warmed up too.
# Then it works, and prints the seconds by the clock, the seconds of processor time, the
# seconds spent waiting for a processor that others were using (0 if the system does not
# tell), and the most memory that it held. In a process that began as a copy of a larger
# one, `getrusage` would include the memory of the larger process, so the peak of this
# process's own resident memory is read instead if possible.
_MEASURED: Final = """
import sys
from pathlib import Path
from time import perf_counter, process_time
def waited():
    path = Path("/proc/self/schedstat")
    return int(path.read_text().split()[1]) / 1e9 if path.exists() else 0.0
def held():
    path = Path("/proc/self/status")
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1000
    import resource
    found = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return found / (1_000_000 if sys.platform == "darwin" else 1_000)
work(0.01)
print("ready", flush=True)
sys.stdin.readline()
def times():
    return perf_counter(), process_time(), waited()
before = times()
work({size})
print(*(now - then for now, then in zip(times(), before)), held())
"""


@attrs.frozen
class Run:
    """What one process used for its work: time, in seconds, and memory, in megabytes.

    `seconds` is the elapsed time without the time spent waiting for a processor, and
    `processor` is the processor time. `megabytes` is the most memory held at any
    moment.
    """

    seconds: float
    processor: float
    megabytes: float


@attrs.frozen
class Grown:
    """What a piece of work used at one size: its processor time and its peak memory."""

    work: str
    size: int
    seconds: float
    megabytes: float


@attrs.frozen
class Doubled:
    """A piece of work, and how many times as much of it two processes do as one."""

    work: str
    gain: float


def run(code: str, size: float, processes: int = 1) -> list[Run]:
    """Run `code` in several processes at once, at this size; return a Run for each.

    No process begins the work until all of them are ready. Raises RuntimeError if one
    of them fails.
    """
    program = "from bench import positions\n" + code + _MEASURED.format(size=size)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(processes)
    ]
    for one in started:
        assert one.stdout is not None
        one.stdout.readline()
    for one in started:
        with suppress(BrokenPipeError):  # it has ended; its status is read below
            assert one.stdin is not None
            one.stdin.write("\n")
            one.stdin.flush()
    found: list[Run] = []
    for one in started:
        said, _ = one.communicate()
        if one.returncode:
            raise RuntimeError(f"the work ended with status {one.returncode}")
        clock, processor, waited, megabytes = map(float, said.split())
        found.append(Run(clock - waited, processor, megabytes))
    return found


def works(folder: Path, sizes: tuple[int, ...]) -> Iterator[tuple[str, int, str]]:
    """Each piece of work at each size: its name, its size and its code.

    The files that the work reads are written to the folder.
    """
    for name, code in _WORK.items():
        yield from ((name, size, code) for size in sizes)
    lines = {
        "replay of traces, 5 megabytes": positions.traces(),
        "replay of logs, 5 megabytes": positions.logs(),
        "replay of others' logs, 5 megabytes": positions.logs_of_others(),
    }
    small, path = folder / "small.jsonl", folder / "large.jsonl"
    for name, found in lines.items():
        text = b"".join(line + b"\n" for line in found)
        small.write_bytes(text)
        for size in sizes:
            with path.open("wb") as file:
                for _ in range(size * 5_000_000 // len(text) + 1):
                    file.write(text)
            yield name, size, _REPLAY.format(path=str(path), small=str(small))


def all_grown(sizes: tuple[int, ...], rounds: int) -> tuple[list[Grown], list[Doubled]]:
    """Measure every piece of work at each size, and the gain from a second process.

    The gain is measured only at the middle size, as the median of `rounds`
    measurements. It is not measured on a machine with a single processor.
    """
    grown: list[Grown] = []
    doubled: list[Doubled] = []
    middle = sizes[len(sizes) // 2]
    with TemporaryDirectory() as folder:
        for name, size, code in works(Path(folder), sizes):
            (alone,) = run(code, size)
            grown.append(Grown(name, size, alone.processor, alone.megabytes))
            if size == middle and (os.cpu_count() or 1) > 1:
                gains = median(gain(code, size) for _ in range(rounds))
                doubled.append(Doubled(name, gains))
    return grown, doubled


def gain(code: str, size: int) -> float:
    """How many times as much work two processes do, in the same time, as one."""
    (alone,) = run(code, size)
    return 2 * alone.seconds / max(one.seconds for one in run(code, size, 2))


def too_little(found: list[Doubled], least: float) -> list[str]:
    """A sentence about each task whose gain from two processes is below `least`."""
    return [
        f"{one.work}: two processes do {one.gain:.2f} times as much as one"
        for one in found
        if one.gain < least
    ]


def too_steep(found: list[Grown]) -> list[str]:
    """A sentence about each task whose time outgrows its size or whose memory grows."""
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
