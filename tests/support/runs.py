"""Made-up results of runs, for tests of what is done with results."""

from typing import Any

from refengine_conformance.runner.results import Case, Fault, Limits, Outcome
from refengine_conformance.runner.runs import Run


def run_of(*cases: Case, **more: Any) -> Run:
    """A made-up run with these cases; fields that are not given are blank."""
    blank: dict[str, Any] = {"adapter": ("x",), "spec": "1.0.0", "selection": {}}
    return Run(**{**blank, "limits": Limits(), "cases": cases, **more})


def run_with(*outcomes: Outcome, **more: Any) -> Run:
    """A made-up run with one case of the kind `step` for each of these outcomes."""
    games = enumerate(outcomes)
    return run_of(*(Case(f"t-{one}", "step", got) for one, got in games), **more)


def fault_at(step: int, question: str, *clauses: str) -> Fault:
    """A wrong answer at this step and question that breaks these clauses."""
    return Fault(step, question, clauses, "", "", "")


def failing(trace: str, kind: str, *faults: Fault) -> Case:
    """A case that failed because of these faults."""
    return Case(trace, kind, Outcome.FAIL, faults=faults)
