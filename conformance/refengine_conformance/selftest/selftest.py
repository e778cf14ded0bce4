"""A check of the runner on bad adapters, each of which must have a known outcome."""

from __future__ import annotations

from functools import cache
from typing import Final

import attrs

from refengine.jobs.own_python import own_command
from refengine_conformance.data import data
from refengine_conformance.report.reports import text
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.runner import Settings, run
from refengine_conformance.runner.runs import Run
from refengine_conformance.runner.selection import Choice, Selection, of_files
from refengine_conformance.selftest.bad_adapters import MUSTS, Must

TRACES: Final = data("adapters", "selftest.jsonl")
_MODULE: Final = "refengine_conformance.selftest.bad_adapters"
LIMITS: Final = Limits(
    op=1.0, batch=5.0, hello=4.0, bye=0.5, restarts_in_a_row=1, restarts=3
)
BAD: Final = MUSTS | {"not_there": Must(2, "cannot be started", "step", "not_run")}


@attrs.frozen
class Checked:
    """The result of running a bad adapter: what is `wrong`, and what the run `said`.

    `wrong` is empty if everything is as it must be. `said` is the exit code, and the
    line of the summary that contains the required words, if there is one.
    """

    name: str
    wrong: str
    said: str


@cache
def selftest_traces() -> Selection:
    """The few traces that are put to every bad adapter."""
    return of_files([TRACES], Choice())


def run_bad_adapter(name: str) -> Run:
    """Run the bad adapter with this name on the traces for the self-test."""
    settings = Settings(
        command=bad_adapter_command(name), limits=LIMITS, ways=BAD[name].ways
    )
    return run(selftest_traces(), settings)


def bad_adapter_command(name: str) -> tuple[str, ...]:
    """The command that starts the bad adapter with this name."""
    if name == "not_there":
        return ("./no-such-adapter",)
    return own_command("-m", _MODULE, name)


def check_bad_adapter(name: str) -> Checked:
    """Run one bad adapter, and compare what happens to it with what must happen."""
    must = BAD[name]
    found = run_bad_adapter(name)
    summary = text(found)
    wrong = []
    if found.exit_code != must.exit:
        wrong.append(f"exit {found.exit_code}, must be {must.exit}")
    if must.says not in summary:
        wrong.append(f"the summary does not say {must.says!r}")
    if must.kind and not any(
        (case.kind, case.outcome) == (must.kind, must.outcome) for case in found.cases
    ):
        wrong.append(f"no case {must.kind} with the outcome {must.outcome}")
    if found.bugs:
        wrong.append(f"an internal error: {found.bugs[0]}")
    said = next((line for line in summary.splitlines() if must.says in line), "")
    return Checked(
        name, "; ".join(wrong), f"exit {found.exit_code}: {said.strip():.150}"
    )
