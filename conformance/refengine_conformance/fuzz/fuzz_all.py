"""Fuzz tests for every reader: `refengine conform fuzz`, or `make fuzz`.

Each reader in `fuzz.targets` is given inputs in two ways: by a coverage-guided fuzzer
(Atheris, `pip install --editable 'conformance[fuzz]'`), which goes on from inputs that
reach new branches, and by Hypothesis, which shrinks what it finds. Both change parts of
the reader's seeds. The report says how many inputs were tried. No input may lead to
anything but a value or a clear error.

Inputs that break a reader are written to `--faults FOLDER`, and `--replay FILE` tries
them again. The exit status is 1 if a reader is broken.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

import attrs
import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import Flaky, NoSuchExample

from refengine.errors import Malformed, unusable_file
from refengine.exit_codes import NOT_TO_THE_END, UNREADABLE
from refengine_conformance.fuzz.coverage_guided import Fault, fuzz_guided
from refengine_conformance.fuzz.near_misses import spoil_input
from refengine_conformance.fuzz.targets import (
    READERS,
    Reader,
    fault_on_input,
    kind_of_fault,
)
from refengine_conformance.jobs.journals import add_worker_arguments
from refengine_conformance.jobs.parallel import results_of
from refengine_conformance.jobs.tool_arguments import (
    ToolArguments,
    not_negative,
    positive,
)

_NO_ATHERIS: Final = "Atheris is not installed here: no reader is fuzzed by coverage"


@attrs.frozen
class Fuzzed:
    """How many inputs each of the two fuzzers tried on a reader, and the faults found.

    There is one fault of each kind.
    """

    guided: int
    drawn: int
    faults: tuple[Fault, ...]


def fuzz_reader(name: str, seconds: int, number: int) -> Fuzzed:
    """Fuzz a reader in both ways; return how many inputs were tried, and the faults.

    The coverage-guided fuzzer comes first, for `seconds`, unless that is 0. The seeds
    come next, and then at most `number` inputs from Hypothesis. Raises RuntimeError if
    the coverage-guided fuzzer fails.
    """
    guided, faults = fuzz_guided(name, seconds) if seconds else (0, [])
    drawn, later = fuzz_drawn(READERS[name], number)
    # Of two faults of one kind, the later is kept: if Hypothesis drew it, it is small.
    kinds = {kind_of_fault(fault): (fault, data) for fault, data in faults + later}
    return Fuzzed(guided, drawn, tuple(kinds.values()))


def fuzz_drawn(reader: Reader, number: int) -> tuple[int, list[Fault]]:
    """Try the seeds and random inputs; return how many were tried, and any fault.

    If no seed breaks the reader, Hypothesis tries at most `number` inputs. If one of
    these breaks the reader, Hypothesis makes it smaller. At most one fault is returned.
    """
    seeds = reader.seeds()
    tried = 0
    found: list[Fault] = []

    def breaks(data: bytes) -> bool:
        nonlocal tried
        tried += 1
        fault = fault_on_input(reader, data)
        if fault:
            found.append((fault, data))
        return bool(fault)

    settings = hypothesis.settings(
        max_examples=number,
        derandomize=True,
        deadline=None,
        verbosity=hypothesis.Verbosity.quiet,
    )
    if not any(map(breaks, seeds)):
        # A fault that does not show again (Flaky) is a fault, too.
        with suppress(NoSuchExample, Flaky):
            hypothesis.find(inputs(seeds), breaks, settings=settings)
    return tried, found[-1:]


def inputs(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """A strategy for inputs: noise, any JSON, and seeds with one to three changes."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    values = st.recursive(
        scalars,
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    )
    # truly random, since Hypothesis's own draws reach fewer branches of the readers
    seed, random = st.sampled_from(seeds), st.randoms(use_true_random=True)
    return st.one_of(
        st.binary(max_size=64),
        st.text(max_size=64).map(lambda text: text.encode("utf-8", "surrogatepass")),
        values.map(lambda value: json.dumps(value).encode()),
        *(
            st.builds(spoil_input, seed, random, st.just(seeds), st.just(changes))
            for changes in (1, 1, 1, 2, 3)
        ),
    )


def replay_saved_input(path: Path) -> str:
    """Try a saved input on the reader after which its file is named.

    Returns what is wrong, or "" if nothing is. Raises Malformed if the file is not
    named after a reader, or if it cannot be read.
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
    """Fuzz, or replay saved inputs; print a report and return the exit status."""
    parser = ToolArguments(prog="refengine conform fuzz")
    parser.add_argument("--only", default="", choices=["", *READERS], help="a reader")
    parser.add_argument(
        "--seconds",
        type=not_negative,
        default=8,
        help="guided by coverage, for each reader",
    )
    parser.add_argument(
        "--number",
        type=positive,
        default=4000,
        help="inputs of Hypothesis for each reader",
    )
    parser.add_argument(
        "--faults", type=Path, default=Path("build/faults"), metavar="FOLDER"
    )
    parser.add_argument(
        "--replay", type=Path, nargs="+", metavar="FILE", help="try these again"
    )
    add_worker_arguments(parser)
    given = parser.parse_args(arguments)
    try:
        if given.replay:
            faults = []
            for path in given.replay:
                faults.append(replay_saved_input(path))
                print(f"{path}: {faults[-1] or 'well'}", flush=True)
            return 1 if any(faults) else 0
        return _run(given)
    except Malformed as error:
        print(error, file=sys.stderr)
        return UNREADABLE
    except RuntimeError as error:  # a worker is lost or has other source, or no Atheris
        print(error, file=sys.stderr)
        return NOT_TO_THE_END


def _run(given: argparse.Namespace) -> int:
    """Fuzz the readers, report on each, and save the inputs that break it.

    Returns the exit status: 3 if an input cannot be saved, or else 1 if a reader is
    broken, and 0 otherwise.
    """
    seconds = given.seconds
    if importlib.util.find_spec("atheris") is None:
        seconds = 0
        print(_NO_ATHERIS, file=sys.stderr)
    names = [name for name in READERS if given.only in ("", name)]
    work = partial(fuzz_reader, seconds=seconds, number=given.number)
    start = time.perf_counter()
    total = faults = 0
    saved = True
    print(f"{'reader':12} {'guided':>10} {'hypothesis':>10}  faults")
    # closed in any case: an interrupt while a result is printed ends the workers
    with closing(results_of(names, work, given.jobs, given.scheduler)) as results:
        for name, one in zip(names, results, strict=True):
            saved = _print_result(name, one, given.faults) and saved
            faults += len(one.faults)
            total += one.guided + one.drawn
    elapsed = time.perf_counter() - start
    print(f"{total:,} inputs tried, {elapsed:.0f} s, faults: {faults}")
    if not saved:
        return UNREADABLE
    return 1 if faults else 0


def _print_result(name: str, found: Fuzzed, folder: Path) -> bool:
    """Print what was found about a reader, and save the inputs that break it.

    Returns whether they could all be saved; the reason why one could not is printed.
    """
    row = f"{name:12} {found.guided:10,} {found.drawn:10,}"
    print(f"{row}  {len(found.faults) or 'none'}", flush=True)
    saved = True
    for fault, data in found.faults:
        print(f"  {fault}", flush=True)
        try:
            path = _save_input(folder, name, data)
        except Malformed as error:
            print(error, file=sys.stderr)
            saved = False
            continue
        again = shlex.quote(str(path))
        print(f"  to try again: refengine conform fuzz --replay {again}")
    return saved


def _save_input(folder: Path, name: str, data: bytes) -> Path:
    """Write an input to a file named after its reader, and return the path.

    Raises Malformed if it cannot be written there.
    """
    path = folder / f"{name}-{hashlib.sha256(data).hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise unusable_file(error, "written", str(path)) from None
    return path


if __name__ == "__main__":
    # imported by name, since a worker elsewhere cannot import what is in __main__
    from refengine_conformance.fuzz.fuzz_all import main as run

    sys.exit(run())
