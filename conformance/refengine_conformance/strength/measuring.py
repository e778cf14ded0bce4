"""The command that measures how strong the evidence is, and records the results.

`refengine conform strength` tries every mutant of the rules against the published
corpus, proves the theorems, plays through the small deals, and compares the results
with `conformance/strength.json` and `conformance/matrix.json`. The command reports
faults and exits with 1 if a theorem does not hold, if a small deal goes wrong, if a
record is false, or if a clause has dropped to a lower class or has a smaller share of
its mutants killed than before. A survivor without an argument in
`conformance/survivors.toml` is a gap; with `--strict`, the command also exits with 1
for gaps, and for weak or covered clauses without a reason. `--write` replaces both
files with the results; `--record` does so only if the exit status is not 1.

The fate of a mutant is taken from the records if nothing on which it rests has changed
(see `strength.recorded`). With `--afresh`, every mutant is tried, and the fates that
could have been taken from the records are compared with what is found. For a change
that is about to land, `refengine conform changed-evidence` does less work. With
`--resume FOLDER`, results are kept in that folder, and an interrupted run continues
from them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from refengine.jobs.executors import LostWorkerError, OtherSourceError
from refengine_conformance.jobs.journals import add_worker_arguments
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.strength import measure
from refengine_conformance.strength.arguments import ArgumentError, check_arguments
from refengine_conformance.strength.scores import FILE


def main(asked: Sequence[str] | None = None) -> int:
    """Measure the evidence, compare it, report on it, and return the exit status.

    The status is 1 if there is a fault or if the evidence for a clause has become
    weaker, 2 if a worker process was lost or has another version of the source, and 3
    if a command-line argument, a journal or a file of reasons cannot be used.
    """
    given = _parsed(asked)
    from refengine.errors import Malformed  # late: workers load this before the rules

    began = time.perf_counter()
    try:
        check_arguments()  # before half an hour of work, not after it
        found = measure.measure_stages(
            given.jobs,
            given.scheduler,
            given.resume,
            given.stages,
            given.afresh,
        )
    except (Malformed, ArgumentError) as fault:
        print(fault, file=sys.stderr)
        return 3
    except (LostWorkerError, OtherSourceError) as fault:
        print(fault, file=sys.stderr)
        return 2
    # late: a worker imports this module before it loads the rules as a mutant
    from refengine_conformance.strength import matrix, measured_words

    rows = matrix.matrix_rows(found)
    wrong = [*measured_words.faults_found(found), *matrix.rows_that_fell(rows)]
    left = [*measured_words.gaps_to_close(found), *matrix.rows_without_reason(rows)]
    if given.strict:
        wrong += left
    elif left:
        print("\n".join(left))
    scores = measured_words.score_lines(found)
    print("\n".join([*scores, matrix.class_counts_line(rows)]))
    print(f"{time.perf_counter() - began:.0f} s with --jobs {given.jobs}")
    if given.write or (given.record and not wrong):
        found.pop("false", None)  # a file of results has no false records
        FILE.write_bytes(measure.document_text(found))
        matrix.FILE.write_bytes(measure.document_text(matrix.baseline_of_rows(rows)))
    print("\n".join(wrong) if wrong else "nothing has fallen")
    return 1 if wrong else 0


def _parsed(asked: Sequence[str] | None) -> argparse.Namespace:
    """The arguments of the command; ends the program if they cannot be used."""
    parser = ToolArguments(prog="refengine conform strength")
    parser.add_argument("--write", action="store_true", help="keep what was found")
    parser.add_argument(
        "--record", action="store_true", help="keep what was found if all is well"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="a gap is a fault, and a weak or covered clause without a reason too",
    )
    parser.add_argument(
        "--stages",
        nargs="+",
        choices=measure.STAGES,
        default=measure.STAGES,
        help="measure only these; the others are as in the last run",
    )
    parser.add_argument(
        "--afresh", action="store_true", help="take nothing over from the last run"
    )
    add_worker_arguments(parser, jobs=2)
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help="the folder of the journals, new or existing",
    )
    given = parser.parse_args(asked)
    if given.resume is not None and given.resume.is_file():
        parser.error("--resume takes a folder here: each stage has its own journal")
    return given


if __name__ == "__main__":
    # by its own name: a worker elsewhere cannot import what is in __main__
    from refengine_conformance.strength.measuring import main as run

    sys.exit(run())
