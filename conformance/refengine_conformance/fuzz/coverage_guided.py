"""One reader under a coverage-guided fuzzer, in a process of its own.

Run as a module with READER FOLDER SECONDS SEED, it reads inputs from `FOLDER/inputs`,
adds those that reach new branches of the source, and writes a line of JSON to
`FOLDER/faults` for each new kind of fault. Atheris ends the process itself, and prints
how many inputs it has tried. It sees only the branches of interpreted modules.
`fuzz.fuzz_all` starts it.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

LONGEST: Final = 16_384  # bytes in an input
_FEW: Final = 0.5  # the share of inputs that are changed byte by byte


def main(name: str, folder: Path, seconds: int, seed: int) -> None:
    """Fuzz a reader; it does not return."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(
        include=["refengine", "refengine_conformance.runner.answers"]
    ):
        from refengine_conformance.fuzz import near_misses, targets
    reader = targets.READERS[name]
    seeds = reader.seeds()
    kinds: set[str] = set()

    def one_input(data: bytes) -> None:
        fault = targets.fault_on_input(reader, data)
        kind = fault.partition(": ")[0]
        if kind not in kinds and fault:
            kinds.add(kind)
            with (folder / "faults").open("a") as file:
                line = {"fault": fault, "input": data.hex()}
                file.write(json.dumps(line) + "\n")

    def changed(data: bytes, most: int, number: int) -> bytes:
        random = Random(number)
        if not reader.lines or random.random() < _FEW:
            found: bytes = atheris.Mutate(data, most)
            return found
        return bytes(near_misses.spoil_input(data, random, seeds)[:most])

    options = {
        "max_total_time": seconds,
        "seed": seed,
        "timeout": 20,
        "rss_limit_mb": 2048,
        "max_len": LONGEST,
        "print_final_stats": 1,
        "verbosity": 0,
        "use_value_profile": 1,
        "artifact_prefix": f"{folder}/",
    }
    words = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup(
        [sys.argv[0], *words, str(folder / "inputs")],
        one_input,
        custom_mutator=changed,
    )
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
