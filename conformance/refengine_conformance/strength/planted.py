"""Ten errors planted in the engine, and which of four nets catch each of them.

`refengine conform planted` plants each error of `planted.toml` in a fork of a worker
and asks there: does the corpus fail, is a theorem broken, does the walk of the small
deals find a fault, does a property of the tests fail? It prints a table, and ends with
1 if fewer nets than required catch an error.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from refengine_conformance.jobs.executors import (
    Journal,
    add_job_arguments,
    gather_results,
    open_executor,
    scope_digest,
)
from refengine_conformance.jobs.tool_arguments import ToolArguments
from refengine_conformance.mutants import catalogue, loading, planted_errors
from refengine_conformance.mutants.planted_errors import all_planted_errors
from refengine_conformance.strength import killed_by_corpus, killed_by_tests

NETS: Final = ("proofs", "exhaustion", "properties", "corpus")
PROPERTIES: Final = (
    "project/test_properties.py",
    "conformance/generators/test_statemachine.py",
    "game/test_world.py",
)
WANTED: Final = 2
_SECONDS: Final = 120.0
_TABLES: Final = (2, 3)  # numbers of seats for the theorems
_STRIDE: Final = 7  # units of work walked first, so that all kinds come early


# The nets, each in a fork of a worker


def caught_by_corpus(name: str) -> str:
    """The line of the corpus that fails, and where."""
    return " ".join(killed_by_corpus.fate_of_mutant(killed_by_corpus.Trial(name)))


def caught_by_proofs(name: str) -> str:
    """The theorem that is broken; those about the clauses of the error go first."""
    return killed_by_corpus.run_in_fork(_proofs, name)[0]


def _proofs(name: str) -> list[str]:
    from refengine_conformance import proofs

    clauses = set(catalogue.mutant_with_id(name).clauses)
    with loading.run_as_mutant(name):
        near = sorted(
            proofs.theorems(), key=lambda one: not clauses.intersection(one.clauses)
        )
        for theorem in near:
            if proofs.prove(theorem, _TABLES).counterexample:
                return [theorem.title]
    return [""]


def caught_by_exhaustion(name: str) -> str:
    """The first fault that the walk of small deals finds in its time."""
    found = killed_by_corpus.run_in_fork(_exhaustion, name, _SECONDS)[0]
    return "" if found == "time" else found


def _exhaustion(name: str) -> list[str]:
    from refengine_conformance.exhaustion import scope, small_deals

    work = scope.split_into_units(scope.deal_shapes(False), False)
    with loading.run_as_mutant(name):
        for unit in [*work[::_STRIDE], *work]:
            try:
                faults = small_deals.walk_unit(unit)["faults"]
            except Exception as fault:  # an error may show in any way
                return [f"{unit}: {type(fault).__name__}"]
            if faults:
                return [faults[0]]
    return [""]


def ask_one_net(item: tuple[str, str]) -> str:
    """What one net says about one error, "" if it does not see it; in a worker."""
    name, net = item
    return {
        "corpus": caught_by_corpus,
        "proofs": caught_by_proofs,
        "exhaustion": caught_by_exhaustion,
    }[net](name)


def caught_by_properties(names: Sequence[str], jobs: int) -> dict[str, str]:
    """For each error, the property that fails."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(killed_by_tests.TESTS / name) for name in PROPERTIES]
        fates = killed_by_tests.fates_under_tests(
            names, {}, jobs, Path(folder), _SECONDS, paths
        )
    return {name: fate[0] for name, fate in fates.items()}


# The table


def table_lines(found: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A line for each error, with the nets that see it."""
    head = "".join(f"{net:>12}" for net in NETS)
    lines = [f"{'error':72}{head}"]
    for one in all_planted_errors():
        seen = "".join(f"{'caught' * bool(found[one.id][net]):>12}" for net in NETS)
        lines.append(f"{one.text:72}{seen}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant, ask and print; return the exit status."""
    parser = ToolArguments(prog="refengine conform planted")
    parser.add_argument("--details", action="store_true", help="what each net says")
    add_job_arguments(parser)
    asked = parser.parse_args(arguments)
    names = [one.id for one in all_planted_errors()]
    items = {
        f"{name} {net}": (name, net)
        for name in names
        for net in NETS
        if net != "properties"
    }
    with (
        Journal(
            asked.resume, scope_digest("planted", planted_errors.TABLE.read_bytes())
        ) as journal,
        open_executor(
            asked.jobs, asked.scheduler, loading.become_mutant, ("none",)
        ) as pool,
    ):
        said = gather_results(items, ask_one_net, journal, pool)
    properties = caught_by_properties(names, asked.jobs)
    found: dict[str, dict[str, Any]] = {
        name: {
            net: properties[name] if net == "properties" else said[f"{name} {net}"]
            for net in NETS
        }
        for name in names
    }
    print("\n".join(table_lines(found)))
    if asked.details:
        for name, nets in found.items():
            for net, what in nets.items():
                print(f"{name} {net}: {what}")
    few = [name for name, nets in found.items() if sum(map(bool, nets.values())) < 2]
    print(f"{len(names)} errors, {len(few)} of them caught by fewer than {WANTED}")
    return 1 if few else 0


if __name__ == "__main__":
    # by its own name: a worker elsewhere cannot import what is in __main__
    from refengine_conformance.strength.planted import main as run

    sys.exit(run())
