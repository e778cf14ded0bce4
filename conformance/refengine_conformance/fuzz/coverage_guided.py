"""Runs one reader under a coverage-guided fuzzer (Atheris), in a process of its own.

The process is separate because Atheris has to watch the modules being imported, ends
its process itself, and prints how many inputs it has tried. It starts with the seeds of
the reader, continues with inputs that reach new branches of the source, and prints a
line of JSON for each new kind of fault. The fuzzer sees only the branches of
interpreted modules.

Hypothesis's `fuzz_one_input` was also tried: with it, the fuzzer changes what
Hypothesis draws rather than the input, and reaches far fewer branches in the same time.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any, Final

from refengine.jobs.own_python import own_command, own_environment

_OPTIONS: Final = (
    "-seed=1",
    "-timeout=20",
    "-verbosity=0",
    "-use_value_profile=1",
    "-print_final_stats=1",
)

Fault = tuple[str, bytes]
"""What is wrong with a reader, and the input that shows it."""


def fuzz_guided(name: str, seconds: int) -> tuple[int, list[Fault]]:
    """Fuzz a reader; return the number of inputs tried, and the faults found.

    Raises RuntimeError if the fuzzer fails before it has found a fault.
    """
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        ended = subprocess.run(
            own_command("-m", __name__, name, folder, str(seconds)),
            env=own_environment(),
            capture_output=True,
            check=False,
            cwd=Path(folder).parent,
        )
        found = [json.loads(line) for line in ended.stdout.splitlines()]
        faults = [(fault, bytes.fromhex(data)) for fault, data in found]
        for path in sorted(Path(folder).glob("*-*")):  # crashes and timeouts
            kind = path.name.rpartition("-")[0]
            faults.append((f"{kind} under the fuzzer", path.read_bytes()))
    said = ended.stderr.decode("utf-8", "replace")
    count = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    if count is None and not faults:
        raise RuntimeError(f"the fuzzer of {name} failed: {said[-500:]}")
    return int(count[1]) if count else 0, faults


def main(name: str, folder: str, seconds: int) -> None:
    """Fuzz a reader for `seconds`; afterwards, the fuzzer ends this process."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(
        include=["refengine", "refengine_conformance.runner.answers"]
    ):
        from refengine_conformance.fuzz import near_misses, targets
    reader = targets.READERS[name]
    seeds = reader.seeds()
    inputs = Path(folder, "inputs")
    inputs.mkdir()
    for number, seed in enumerate(seeds):
        (inputs / str(number)).write_bytes(seed)
    kinds = {""}  # the kind of an input that shows no fault, which is not printed

    def one_input(data: bytes) -> None:
        """Print the fault that an input shows, if it is the first of its kind."""
        fault = targets.fault_on_input(reader, data)
        kind = targets.kind_of_fault(fault)
        if kind not in kinds:
            kinds.add(kind)
            print(json.dumps([fault, data.hex()]), flush=True)

    def changed(data: bytes, most: int, seed: int) -> bytes:
        """Change an input at random to one of at most `most` bytes."""
        random = Random(seed)
        found: bytes = (
            near_misses.spoil_input(data, random, seeds)
            if random.random() < 0.5
            else atheris.Mutate(data, most)
        )
        return found[:most]

    options = (
        *_OPTIONS,
        f"-max_total_time={seconds}",
        f"-artifact_prefix={folder}/",
    )
    atheris.Setup(
        [sys.argv[0], *options, str(inputs)], one_input, custom_mutator=changed
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
