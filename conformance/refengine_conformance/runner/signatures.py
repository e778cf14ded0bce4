"""Signs: the wrong answers of one line, in a form by which engines can be compared.

A sign is one wrong answer, up to where the engine first goes astray: the kind of case,
the step, the question and the answer, as a short digest. Two engines with the same
fault show the same signs, whatever language they are written in.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from refengine_conformance.runner.results import (
    WRONG_OUTCOMES,
    Case,
    Fault,
    Outcome,
    either_way,
)
from refengine_conformance.runner.runs import first_faults

Signs = dict[str, frozenset[str]]
"""The signs of one line by kind of case; acts count as `step` in both ways."""

OBSERVE: Final = "observe"
_DIGITS: Final = 8
_PLAIN: Final = ("step", "probe")


def kind_of(case: Case) -> str:
    """The kind of a case: `step` for acts, asked one by one or replayed."""
    return either_way(case.kind)


def kinds_answered(case: Case) -> frozenset[str]:
    """The kinds that a case answers: its own, or for `observe` one for each field.

    Each field that was compared has a kind such as `observe.score`. Acts count as
    `step` in both ways.
    """
    if case.kind == OBSERVE:
        return frozenset(f"{OBSERVE}.{name}" for name in case.told)
    return frozenset({kind_of(case)})


def kinds_wrong(cases: Iterable[Case]) -> frozenset[str]:
    """The kinds that these cases show to be wrong, named as in `kinds_answered`.

    A lost conversation counts like a wrong answer, except in a case of `observe`.
    """
    found: set[str] = set()
    for case in cases:
        if case.kind == OBSERVE:
            found.update(f"{OBSERVE}.{name}" for name in case.untrue)
        elif case.outcome in WRONG_OUTCOMES:
            found.add(kind_of(case))
    return frozenset(found)


def sign_of(case: Case, fault: Fault) -> str:
    """The digest of one wrong answer.

    For acts and probes only the verdict counts (accepted, refused or irregular), since
    the clauses named with it have kinds of their own. A state that was changed has the
    same sign whether a probe or a refused act changed it.
    """
    kind, got = kind_of(case), fault.got
    if fault.question == "purity":
        kind, got = "probe", ""
    elif kind in _PLAIN:
        got = got.partition(" ")[0].rstrip(":")
    words = (kind, str(fault.step), fault.question, fault.asked, got)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:_DIGITS]


def signs_of(cases: Iterable[Case]) -> dict[str, Signs]:
    """The signs of every line that has a failed case, by the id of the line."""
    found: dict[str, dict[str, set[str]]] = {}
    for case, fault in first_faults(tuple(cases)):
        of_line = found.setdefault(case.trace, {})
        of_line.setdefault(kind_of(case), set()).add(sign_of(case, fault))
    return {
        name: {kind: frozenset(signs) for kind, signs in of_line.items()}
        for name, of_line in found.items()
    }


def scored_kinds(cases: Iterable[Case]) -> dict[str, frozenset[str]]:
    """For every line, by its id, the kinds of case that passed or failed."""
    found: dict[str, set[str]] = {}
    for case in cases:
        if case.outcome in (Outcome.PASS, Outcome.FAIL):
            found.setdefault(case.trace, set()).add(kind_of(case))
    return {name: frozenset(kinds) for name, kinds in found.items()}


def share_a_wrong_answer(some: Iterable[Case], others: Iterable[Case]) -> bool:
    """Whether the cases of two engines on the same line share a wrong answer."""
    return not _all_signs(some).isdisjoint(_all_signs(others))


def _all_signs(cases: Iterable[Case]) -> frozenset[str]:
    """All signs that these cases show, on any line and of any kind."""
    signs = (one for of_line in signs_of(cases).values() for one in of_line.values())
    return frozenset().union(*signs)
