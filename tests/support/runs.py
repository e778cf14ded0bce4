"""Results of runs that nobody ran, for what is made of them."""

from typing import Any

from refengine_conformance.runner.results import Case, Fault, Limits, Outcome
from refengine_conformance.runner.runs import Run


def run_of(*cases: Case, **more: Any) -> Run:
    """A run with these cases, which says nothing else unless it is given."""
    blank: dict[str, Any] = {"adapter": ("x",), "spec": "1.0.0", "selection": {}}
    return Run(**{**blank, "limits": Limits(), "cases": cases, **more})


def run_with(*outcomes: Outcome, **more: Any) -> Run:
    """A run of games with these outcomes, each made step by step."""
    games = enumerate(outcomes)
    return run_of(*(Case(f"t-{one}", "step", got) for one, got in games), **more)


def fault_at(step: int, question: str, *clauses: str) -> Fault:
    """A wrong answer of which nothing matters but where it is and what it breaks."""
    return Fault(step, question, clauses, "", "", "")


def failing(trace: str, kind: str, *faults: Fault) -> Case:
    """A case that failed by these faults."""
    return Case(trace, kind, Outcome.FAIL, faults=faults)
