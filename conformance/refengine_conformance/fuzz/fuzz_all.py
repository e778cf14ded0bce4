"""Every reader under fuzz: `refengine conform fuzz`, or `make fuzz`.

Each reader of `fuzz.targets` is given inputs from three sources: a coverage-guided
fuzzer (Atheris, `pip install 'refengine-conform[fuzz]'`), which keeps what reaches new
branches; Hypothesis, which shrinks what it finds; and its own seeds with a part or two
changed. The report says how many inputs were tried. None may lead to anything but a
value or a clear error.

In each round a reader starts from its seeds and from what the fuzzer kept in earlier
rounds. The rounds go through `jobs.journals`: with `--resume FILE` a run goes on where
it stopped. What breaks a reader is written to `--faults FOLDER`, and `--replay FILE`
tries it again. The exit status is 1 if a reader is broken.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs

from refengine.errors import Malformed, unusable_file
from refengine.jobs.executors import LostWorkerError, OtherSourceError, open_executor
from refengine.jobs.own_python import own_command, own_environment
from refengine_conformance.fuzz.coverage_guided import LONGEST
from refengine_conformance.fuzz.near_misses import spoil_input
from refengine_conformance.fuzz.targets import READERS, Reader, fault_on_input
from refengine_conformance.jobs.journals import (
    Journal,
    add_job_arguments,
    gather_results,
    scope_digest,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments

WAYS: Final = ("guided", "hypothesis", "spoiled")
_KEPT: Final = 300  # inputs of a round from which the next ones start
_NO_ATHERIS: Final = "Atheris is not installed here: no reader is fuzzed by coverage"


@attrs.frozen
class Task:
    """A reader, a way and a round: seconds for the guided way, inputs for the others.

    `inputs` are those that the fuzzer starts from besides the seeds.
    """

    reader: str
    way: str
    round: int
    seconds: int
    number: int
    inputs: tuple[bytes, ...] = ()

    def __str__(self) -> str:
        return f"{self.reader} {self.way} {self.round}"


def try_inputs(task: Task) -> dict[str, Any]:
    """What a task found: how many inputs were tried, the faults, the inputs kept.

    Inputs are written as hexadecimal digits.
    """
    return _DOING[task.way](task, READERS[task.reader])


def _fault(fault: str, data: bytes) -> dict[str, str]:
    return {"fault": fault, "input": data.hex()}


def _spoiled(task: Task, reader: Reader) -> dict[str, Any]:
    random = Random(f"{task}")
    seeds = reader.seeds()
    inputs = [
        *seeds,
        *(spoil_input(random.choice(seeds), random, seeds) for _ in range(task.number)),
    ]
    faults: dict[str, dict[str, str]] = {}
    for data in inputs:
        fault = fault_on_input(reader, data)
        if fault:
            faults.setdefault(fault.partition(": ")[0], _fault(fault, data))
    return {"tried": len(inputs), "faults": list(faults.values()), "kept": []}


def _hypothesis(task: Task, reader: Reader) -> dict[str, Any]:
    import hypothesis
    from hypothesis import strategies as st

    seeds = reader.seeds()
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
    inputs = st.one_of(
        st.binary(max_size=64),
        st.text(max_size=64).map(lambda text: text.encode("utf-8", "surrogatepass")),
        values.map(lambda value: json.dumps(value).encode()),
        st.builds(
            lambda seed, random: spoil_input(seed, random, seeds),
            st.sampled_from(seeds),
            st.randoms(use_true_random=False),
        ),
    )
    number = 0
    last = (b"", "")

    @hypothesis.seed(task.round)
    @hypothesis.settings(
        max_examples=task.number,
        database=None,
        deadline=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        verbosity=hypothesis.Verbosity.quiet,
        print_blob=False,
    )
    @hypothesis.given(inputs)
    def test(data: bytes) -> None:
        nonlocal number, last
        number += 1
        fault = fault_on_input(reader, data)
        if fault:
            last = data, fault
            raise AssertionError(fault)

    try:
        test()
    except AssertionError:
        faults = [_fault(last[1], last[0])]
    else:
        faults = []
    return {"tried": number, "faults": faults, "kept": []}


def _guided(task: Task, reader: Reader) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        folder = Path(name)
        (folder / "inputs").mkdir()
        for data in {*reader.seeds(), *task.inputs}:
            if len(data) <= LONGEST:
                (folder / "inputs" / _name(data)).write_bytes(data)
        before = {path.name for path in (folder / "inputs").iterdir()}
        module = "refengine_conformance.fuzz.coverage_guided"
        given = (reader.name, name, str(task.seconds), str(task.round))
        ended = subprocess.run(
            own_command("-m", module, *given),
            env=own_environment(),
            capture_output=True,
            check=False,
            cwd=folder.parent,
        )
        said = ended.stderr.decode("utf-8", "replace")
        count = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
        faults = []
        if (folder / "faults").exists():
            faults = [
                json.loads(line)
                for line in (folder / "faults").read_text().splitlines()
            ]
        for kind in ("crash", "timeout", "oom", "leak", "slow-unit"):
            for path in sorted(folder.glob(f"{kind}-*")):
                faults.append(_fault(f"{kind} under the fuzzer", path.read_bytes()))
        if count is None and not faults:
            raise RuntimeError(f"the fuzzer of {reader.name} failed: {said[-500:]}")
        kept = [
            path.read_bytes().hex()
            for path in sorted((folder / "inputs").iterdir())
            if path.name not in before
        ]
    number = int(count[1]) if count else 0
    return {"tried": number, "faults": faults, "kept": kept[:_KEPT]}


_DOING: Final = {"guided": _guided, "hypothesis": _hypothesis, "spoiled": _spoiled}


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


# Rounds and the report


def fuzz_tasks(
    tasks: Sequence[Task], rounds: int, journal: Journal, pool: Executor | None = None
) -> dict[str, Any]:
    """What each task found in each round, by the id of the task."""
    found: dict[str, Any] = {}
    for number in range(1, rounds + 1):
        kept: dict[str, list[bytes]] = {}
        for name, result in found.items():
            inputs = kept.setdefault(name.partition(" ")[0], [])
            inputs += map(bytes.fromhex, result["kept"])
        items = {}
        for task in tasks:
            inputs = kept.get(task.reader, []) if task.way == "guided" else []
            task = attrs.evolve(task, round=number, inputs=tuple(inputs[-_KEPT:]))
            items[str(task)] = task
        found |= gather_results(items, try_inputs, journal, pool)
    return found


def report_lines(found: dict[str, Any], seconds: float) -> list[str]:
    """The result for a terminal: a line for each reader, followed by its faults."""
    lines = [f"{'reader':12} {'guided':>10} {'hypothesis':>10} {'spoiled':>10}  faults"]
    total = broken = 0
    for name in READERS:
        counts = dict.fromkeys(WAYS, 0)
        faults: dict[str, str] = {}
        for key, result in found.items():
            reader, way, _ = key.split(" ")
            if reader == name:
                counts[way] += result["tried"]
                for one in result["faults"]:
                    faults.setdefault(one["fault"].partition(": ")[0], one["fault"])
        if any(counts.values()):
            shown = " ".join(f"{counts[way]:10,}" for way in WAYS)
            lines.append(f"{name:12} {shown}  {len(faults) or 'none'}")
            lines += [f"  {fault}" for fault in faults.values()]
        total += sum(counts.values())
        broken += len(faults)
    lines.append(f"{total:,} inputs tried, {seconds:.0f} s, faults: {broken}")
    return lines


def save_breaking_inputs(found: dict[str, Any], folder: Path) -> list[Path]:
    """Write each input that breaks a reader to a file whose name says which reader."""
    written = []
    for key, result in found.items():
        for one in result["faults"]:
            folder.mkdir(parents=True, exist_ok=True)
            data = bytes.fromhex(one["input"])
            path = folder / f"{key.partition(' ')[0]}-{_name(data)}"
            path.write_bytes(data)
            written.append(path)
    return written


def replay_saved_input(path: Path) -> str:
    """What is wrong with the reader that a file is named after, given what it holds.

    Raises Malformed if there is no such reader or file.
    """
    name = path.name.partition("-")[0]
    if name not in READERS:
        allowed = f"READER-… with a reader of {', '.join(READERS)}"
        raise Malformed(f"{path.name!r:.60}", allowed, "--replay")
    try:
        return fault_on_input(READERS[name], path.read_bytes())
    except OSError as error:
        raise unusable_file(error, "read", str(path)) from None


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, or try inputs again, print the report and return the exit status."""
    parser = ToolArguments(prog="refengine conform fuzz")
    parser.add_argument("--only", default="", choices=["", *READERS], help="a reader")
    parser.add_argument("--rounds", type=int, default=1, help="rounds of all readers")
    parser.add_argument(
        "--seconds", type=int, default=8, help="guided, for each reader and round"
    )
    parser.add_argument(
        "--number", type=int, default=2000, help="inputs for the other ways"
    )
    parser.add_argument(
        "--faults", type=Path, default=Path("build/faults"), metavar="FOLDER"
    )
    parser.add_argument(
        "--replay", type=Path, nargs="+", metavar="FILE", help="try these again"
    )
    add_job_arguments(parser)
    given = parser.parse_args(arguments)
    try:
        if given.replay:
            faults = [(path, replay_saved_input(path)) for path in given.replay]
            for path, fault in faults:
                print(f"{path}: {fault or 'well'}")
            return 1 if any(fault for _, fault in faults) else 0
        return _run(given)
    except (Malformed, LostWorkerError, OtherSourceError) as error:
        print(error, file=sys.stderr)
        return 3 if isinstance(error, Malformed) else 2


def _run(given: argparse.Namespace) -> int:
    ways = list(WAYS)
    if importlib.util.find_spec("atheris") is None:
        ways.remove("guided")
        print(_NO_ATHERIS, file=sys.stderr)
    tasks = [
        Task(name, way, 0, given.seconds, given.number)
        for name in READERS
        for way in ways
        if given.only in ("", name)
    ]
    start = time.perf_counter()
    scope = scope_digest("fuzzing", given.seconds, given.number)
    with (
        Journal(given.resume, scope) as journal,
        open_executor(given.jobs, given.scheduler) as pool,
    ):
        found = fuzz_tasks(tasks, given.rounds, journal, pool)
    for line in report_lines(found, time.perf_counter() - start):
        print(line)
    for path in save_breaking_inputs(found, given.faults):
        print(f"to try again: refengine conform fuzz --replay {path}")
    return 1 if any(result["faults"] for result in found.values()) else 0


if __name__ == "__main__":
    # by its own name: a worker elsewhere cannot import what is in __main__
    from refengine_conformance.fuzz.fuzz_all import main as run

    sys.exit(run())
