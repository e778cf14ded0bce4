"""Results of runs that never took place, for tests of what is made of results."""

from typing import Any

from refengine_conformance.runner.results import Case, Fault, Limits, Outcome
from refengine_conformance.runner.runs import Run


def run_of(*cases: Case, **more: Any) -> Run:
    """A run with these cases, whose other fields are blank unless they are given."""
    blank: dict[str, Any] = {"adapter": ("x",), "spec": "1.0.0", "selection": {}}
    return Run(**{**blank, "limits": Limits(), "cases": cases, **more})


def run_with(*outcomes: Outcome, **more: Any) -> Run:
    """A run of games with these outcomes, one case of the kind `step` for each."""
    games = enumerate(outcomes)
    return run_of(*(Case(f"t-{one}", "step", got) for one, got in games), **more)


def fault_at(step: int, question: str, *clauses: str) -> Fault:
    """A wrong answer of which only the place and the broken clauses matter."""
    return Fault(step, question, clauses, "", "", "")


def failing(trace: str, kind: str, *faults: Fault) -> Case:
    """A case that failed because of these faults."""
    return Case(trace, kind, Outcome.FAIL, faults=faults)
