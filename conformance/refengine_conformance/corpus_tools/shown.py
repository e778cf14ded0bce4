"""Runs the conformance runner on mutants, to see which of their answers it finds wrong.

All of this happens in a worker (`mutants.loading`), in which the engine is interpreted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from refengine.formats.minideals import Mini
from refengine.formats.serve import Session
from refengine.formats.trace import Trace, read_trace
from refengine_conformance.mutants import loading
from refengine_conformance.mutants.designed import OFF
from refengine_conformance.runner.cases import trace_cases
from refengine_conformance.runner.driver import Adapter, Builtin
from refengine_conformance.runner.fault_dictionary import OBSERVE, kinds_wrong
from refengine_conformance.runner.mini_cases import mini_cases
from refengine_conformance.runner.results import Limits
from refengine_conformance.runner.transcripts import Judged

_PATIENCE: Final = 5.0  # seconds of processor time for one case


def judged_as_mutant(adapter: Adapter, case: Trace | Mini, name: str) -> Judged | None:
    """The judged answers of an adapter to a case while the engine is this mutant.

    The judge also runs under the mutant's rules; the result is None if it fails there.
    """
    try:
        with loading.run_as_mutant(name), loading.time_limit(_PATIENCE):
            if isinstance(case, Mini):
                return mini_cases(adapter, case)
            return trace_cases(adapter, case, ("step",))
    except Exception:  # the mutant's rules may make the judge itself fail
        return None


def kinds_shown(trace: Trace, name: str) -> tuple[str, ...]:
    """The kinds of fault (`kinds_wrong`) that the runner finds in this mutant, sorted.

    A lost conversation counts as a wrong answer, since an act that must be refused may
    make a mutant fail in any way. If the judge itself fails, no kind is returned.
    """
    adapter = Adapter(Builtin(Session().handle), Limits())
    judged = judged_as_mutant(adapter, trace, name)
    return () if judged is None else tuple(sorted(kinds_wrong(judged.cases)))


def fields_shown(task: tuple[str, Iterable[str]]) -> dict[str, list[str]]:
    """For each clause, the observed fields that go wrong when it is switched off.

    `task` holds a line of the corpus and the clauses. A clause is left out if switching
    it off makes no observed field wrong. For a mini-deal, the result is empty.
    """
    line, clauses = task
    if line.startswith('{"mini"'):
        return {}
    trace = read_trace(line.encode())
    wrong_fields = {}
    for clause in clauses:
        shown = kinds_shown(trace, f"{OFF}{clause}")
        fields = [kind.partition(".")[2] for kind in shown if kind.startswith(OBSERVE)]
        if fields:
            wrong_fields[clause] = fields
    return wrong_fields
