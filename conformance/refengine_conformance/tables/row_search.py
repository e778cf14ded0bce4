"""The search for rows: questions out of many games, and the choice of some.

The same candidates are looked through as for the aimed games of a table. Of the many
questions that they raise, the shortest of each sort make a pool. Every clause is then
switched off in turn, applied where it does not hold, and misread in every other way
that the operators on syntax know. A question that is answered otherwise in between
decides that clause. The choice has rows for each of these mutants, and for each sort.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, Final

from msgspec import json

from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine_conformance.corpus_tools.evidence import OFF
from refengine_conformance.generators.strategies import moments_of
from refengine_conformance.mutants import loading
from refengine_conformance.mutants.designed import designed_mutants
from refengine_conformance.mutants.operators import variants_of_module
from refengine_conformance.mutants.source_edits import file_of_module, module_names
from refengine_conformance.tables.aiming import LOOKED_THROUGH
from refengine_conformance.tables.candidates import Candidate, candidate
from refengine_conformance.tables.mutant_trials import table_with_fields
from refengine_conformance.tables.row_kinds import KINDS, Fields, Step

_CHUNK: Final = 15
_OF_A_SORT: Final = 8  # questions of each sort that are tried under the mutants
_WITNESSES: Final = 2  # rows for each clause and direction, where there are as many
_DIRECTIONS: Final = ("off", "always", "never", "inverted")
_SECONDS: Final = 0.2  # for an answer of a mutant, which takes thousandths

_Sorts = dict[str, list[bytes]]
"""The shortest questions of each sort, as canonical JSON."""


# In a worker


def questions_in(task: tuple[dict[str, Any], str, int, int, int]) -> _Sorts:
    """The questions of a kind that these candidates raise."""
    fields, kind, seed, start, stop = task
    table, found = table_with_fields(fields), _Pool()
    for number in range(start, stop):
        one = candidate(table, seed, number, tried=False)
        for step in () if one is None else _steps(one):
            for sorts, asked in KINDS[kind].found(step):
                found.add(sorts, canonical(asked))
    return found.sorts


def _steps(one: Candidate) -> Iterable[Step]:
    states = pairwise(moments_of(one.script))
    for move, (before, after) in zip(one.script.moves, states, strict=True):
        yield before, move.act, after


class _Pool:
    """The shortest questions of each sort, in the order of their length."""

    def __init__(self) -> None:
        self.sorts: _Sorts = {}

    def add(self, sorts: Iterable[str], question: bytes) -> None:
        for sort in sorts:
            kept = self.sorts.setdefault(sort, [])
            if question not in kept:
                kept.append(question)
                kept.sort(key=_length)
                del kept[_OF_A_SORT:]


def _length(question: bytes) -> tuple[int, bytes]:
    """What is shorter comes first; of what is as long, whatever chance would take."""
    return len(question), hashlib.sha256(question).digest()


def answers_to(
    task: tuple[dict[str, Any], str, list[bytes], tuple[str, ...]],
) -> list[tuple[Fields | None, list[str]]]:
    """The answer to each question, and the mutants that answer otherwise.

    The answer is None where the question, without its game, cannot be.
    """
    fields, kind, questions, mutants = task
    ruleset, asked = table_with_fields(fields).ruleset, [*map(json.decode, questions)]
    answer = KINDS[kind].answer

    found: list[tuple[Fields | None, list[str]]] = []
    for question in asked:
        right: Fields | None = None
        with suppress(Malformed, Refused):
            right = answer(ruleset, question)
        found.append((right, []))
    for name in mutants:
        with loading.run_as_mutant(name):
            for question, (right, others) in zip(asked, found, strict=True):
                if right is None:
                    continue
                try:
                    with loading.time_limit(_SECONDS):
                        otherwise = answer(ruleset, question) != right
                except loading.HangsError:
                    others.append(name)
                    break  # it would hang at many more, each for as long
                except Exception:  # a mutant may fail in any way that there is
                    otherwise = True
                if otherwise:
                    others.append(name)
    return found


# The search


def rows_of(
    pool: Executor,
    fields: dict[str, Any],
    kind: str,
    clauses: Sequence[str],
    seed: int,
    most: int,
) -> list[Fields]:
    """The rows of a kind for the table with these fields, as plain values.

    Each has what its kind says, and `clauses`, those that it decides. How many workers
    the pool has does not change them.
    """
    chunks = [
        (fields, kind, seed, start, start + _CHUNK)
        for start in range(0, LOOKED_THROUGH, _CHUNK)
    ]
    heard = _Pool()
    for some in pool.map(questions_in, chunks):
        for sort, questions in some.items():
            for question in questions:
                heard.add((sort,), question)
    sorts: dict[bytes, list[str]] = defaultdict(list)
    for sort in sorted(heard.sorts):
        for question in heard.sorts[sort]:
            sorts[question].append(sort)
    questions = sorted(sorts, key=_length)
    mutants = _mutants(kind, clauses)
    tasks = [
        (fields, kind, questions[start : start + _CHUNK], mutants)
        for start in range(0, len(questions), _CHUNK)
    ]
    answered = [one for some in pool.map(answers_to, tasks) for one in some]
    # What no clause decides shows nothing, such as the only card of a hand.
    cells = {
        question: [*others, *sorts[question]]
        for question, (right, others) in zip(questions, answered, strict=True)
        if right is not None and others
    }
    chosen = {*chosen_rows(cells, most)}
    here = {*clauses}
    times = Counter(name for _, others in answered for name in others)
    rows = [
        {
            **json.decode(question),
            **right,
            "clauses": [
                number for number in decided_clauses(others, times) if number in here
            ],
        }
        for question, (right, others) in zip(questions, answered, strict=True)
        if question in chosen and right is not None
    ]
    return sorted(rows, key=lambda row: _place(row["clauses"]))


def _mutants(kind: str, clauses: Sequence[str]) -> tuple[str, ...]:
    """The mutants of the functions that claim clauses of the kind, at this table."""
    chapters, here = KINDS[kind].chapters, {*clauses}
    return tuple(
        name
        for name, numbers in _clauses_of_mutants().items()
        if here.intersection(numbers) and numbers[0].split(".")[0] in chapters
    )


@cache
def _clauses_of_mutants() -> dict[str, tuple[str, ...]]:
    """For each mutant that concerns rows, the clauses that its function claims.

    They are the designed mutants that switch a clause off, or apply it where it does
    not hold, and all syntactic variants.
    """
    found = {
        one.id: one.clauses
        for one in designed_mutants()
        if one.id.split(":")[0] in _DIRECTIONS
    }
    for module in module_names():
        if file_of_module(module).startswith("chapters/"):
            found |= {
                one.id: one.clauses for one in variants_of_module(module) if one.clauses
            }
    return found


def chosen_rows(cells: Mapping[bytes, Sequence[str]], most: int) -> list[bytes]:
    """Some of these questions, so that each of their cells occurs; at most this many.

    A cell is a sort, or a mutant that answers otherwise. A mutant that switches off a
    clause, or applies it elsewhere, is to occur twice. Rows are then added for the
    cells with the fewest, as long as there is room.
    """
    left, rows = dict(cells), list[bytes]()
    times: dict[str, int] = defaultdict(int)

    def worth(question: bytes) -> tuple[int, float, int]:
        missing = sum(times[cell] < _wanted(cell) for cell in left[question])
        rare = sum(1 / (1 + times[cell]) for cell in left[question])
        return missing, rare, -len(question)

    while left and len(rows) < most:
        best = max(left, key=worth)
        rows.append(best)
        for cell in left.pop(best):
            times[cell] += 1
    return rows


def _wanted(cell: str) -> int:
    return _WITNESSES if cell.partition(":")[0] in _DIRECTIONS else 1


def decided_clauses(mutants: Sequence[str], times: Mapping[str, int]) -> list[str]:
    """The clauses that a row decides, from the mutants that answer it otherwise.

    They are those without which the answer is another; where there are none, those of
    the mutants that the fewest questions show. `times` says how many show each.
    """
    known = _clauses_of_mutants()
    names = [name for name in mutants if name.startswith(OFF)]
    if not names:
        fewest = min((times[name] for name in mutants), default=0)
        names = [name for name in mutants if times[name] == fewest]
    found = {clause for name in names for clause in known[name]}
    return [number for number in book.clauses() if number in found]


def _place(clauses: Sequence[str]) -> int:
    """Where a row stands: rows go by their first clause, in the order of the book."""
    return [*book.clauses()].index(clauses[0])
