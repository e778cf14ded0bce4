"""The search for rows: questions are taken from many games, and some are chosen.

The games are the candidates from which the aimed games of a table are also chosen. For
each situation that has a name, the shortest questions raised in it are kept. Every
clause is then switched off in turn, applied where it does not hold, and misread in
every other way that the syntax operators offer. A question tests a clause if such a
mutant of the clause answers it differently. Rows are chosen for each of these mutants,
and for each situation.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from functools import cache, partial
from itertools import chain, pairwise, repeat
from typing import Any, Final

import attrs
from msgspec import json

from refengine.errors import Malformed
from refengine.formats.trace import canonical
from refengine.game.verdicts import Refused
from refengine.lawbook import book
from refengine_conformance.generators.strategies import Script, moments_of
from refengine_conformance.mutants.designed import OFF, designed_mutants
from refengine_conformance.mutants.operators import variants_of_module
from refengine_conformance.mutants.source_edits import file_of_module, module_names
from refengine_conformance.tables.aiming import CHUNKS
from refengine_conformance.tables.candidates import candidate
from refengine_conformance.tables.mutant_trials import table_with_fields, trials_changed
from refengine_conformance.tables.row_kinds import KINDS, Fields, Step

_CHUNK: Final = 15
_OF_A_SORT: Final = 8  # questions of each sort that are tried under the mutants
_WITNESSES: Final = 2  # rows for each clause and direction, if there are enough
_DIRECTIONS: Final = ("off", "always", "never", "inverted")

_Sorts = dict[str, list[bytes]]
"""The shortest questions of each sort, as canonical JSON."""


# In a worker


def questions_in(
    fields: dict[str, Any], kind: str, seed: int, numbers: Iterable[int]
) -> _Sorts:
    """The shortest questions of a kind that candidates raise, for each situation."""
    table, shortest = table_with_fields(fields), _Shortest()
    for number in numbers:
        found = candidate(table, seed, number, tried=False)
        if found is None:
            continue
        for step in _steps(found.script):
            for sorts, asked in KINDS[kind].questions(step):
                shortest.add(sorts, canonical(asked))
    return shortest.sorts


def _steps(script: Script) -> Iterator[Step]:
    states = pairwise(moments_of(script))
    for move, (before, after) in zip(script.moves, states, strict=True):
        yield Step(before, move.act, after)


class _Shortest:
    """Collects the shortest questions that are raised in each situation."""

    def __init__(self) -> None:
        self.sorts: _Sorts = {}

    def add(self, sorts: Iterable[str], question: bytes) -> None:
        """Keep a question for each situation in which it is among the shortest."""
        for sort in sorts:
            kept = self.sorts.setdefault(sort, [])
            if question not in kept:
                kept.append(question)
                kept.sort(key=_by_length)
                del kept[_OF_A_SORT:]


def _by_length(question: bytes) -> tuple[int, bytes]:
    """A sort key: the length of the question, and then a digest of it to break ties."""
    return len(question), hashlib.sha256(question).digest()


@attrs.define
class Answered:
    """A question, its right answer, and the mutants that answer it differently.

    `right` is None if the question cannot be answered from what it says alone.
    """

    asked: Fields
    right: Fields | None
    mutants: list[str] = attrs.field(factory=list)


def answers_to(
    fields: dict[str, Any],
    kind: str,
    questions: Iterable[bytes],
    mutants: Iterable[str],
) -> list[Answered]:
    """Questions of a kind, each with its answer and the mutants that disagree.

    A mutant that hangs on a question is not tried on the questions after it.
    """
    answer = partial(KINDS[kind].answer, table_with_fields(fields).ruleset)
    answered: list[Answered] = []
    for question in questions:
        asked: Fields = json.decode(question)
        right: Fields | None = None
        with suppress(Malformed, Refused):
            right = answer(asked)
        answered.append(Answered(asked, right))
    tried = [one for one in answered if one.right is not None]
    trials = [(partial(answer, one.asked), one.right) for one in tried]
    for name in mutants:
        for place in trials_changed(name, trials):
            tried[place].mutants.append(name)
    return answered


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

    Each has the columns of its kind, and `clauses`, which lists those of the given
    clauses that it tests. The number of workers in the pool does not affect the rows.
    """
    sorts = _sorts_of_questions(pool, fields, kind, seed)
    questions = sorted(sorts, key=_by_length)
    decided = _decided_questions(pool, fields, kind, clauses, questions)
    cells = {
        question: [*one.mutants, *sorts[question]] for question, one in decided.items()
    }
    chosen = {*chosen_questions(cells, most)}
    times = Counter(name for one in decided.values() for name in one.mutants)
    rows: list[Fields] = []
    for question, one in decided.items():
        if question in chosen and one.right is not None:
            decided_here = [
                clause
                for clause in decided_clauses(one.mutants, times)
                if clause in clauses
            ]
            rows.append({**one.asked, **one.right, "clauses": decided_here})
    return sorted(rows, key=lambda row: _place(row["clauses"]))


def _decided_questions(
    pool: Executor,
    fields: dict[str, Any],
    kind: str,
    clauses: Sequence[str],
    questions: Sequence[bytes],
) -> dict[bytes, Answered]:
    """Those of the questions that a mutant of these clauses answers differently.

    Any other question shows nothing: for example, which card may be played from a hand
    of one.
    """
    chunks = [
        questions[start : start + _CHUNK] for start in range(0, len(questions), _CHUNK)
    ]
    answered = pool.map(
        answers_to,
        repeat(fields),
        repeat(kind),
        chunks,
        repeat(_mutants(kind, clauses)),
    )
    return {
        question: one
        for question, one in zip(questions, chain.from_iterable(answered), strict=True)
        if one.right is not None and one.mutants
    }


def _sorts_of_questions(
    pool: Executor, fields: dict[str, Any], kind: str, seed: int
) -> dict[bytes, list[str]]:
    """The shortest questions of a kind, and the situations each is kept for."""
    shortest = _Shortest()
    for some in pool.map(
        questions_in, repeat(fields), repeat(kind), repeat(seed), CHUNKS
    ):
        for sort, questions in some.items():
            for question in questions:
                shortest.add((sort,), question)
    sorts: dict[bytes, list[str]] = defaultdict(list)
    for sort in sorted(shortest.sorts):
        for question in shortest.sorts[sort]:
            sorts[question].append(sort)
    return dict(sorts)


def _mutants(kind: str, clauses: Sequence[str]) -> tuple[str, ...]:
    """The mutants of these clauses that can be used to choose rows of this kind.

    The first clause that the mutant breaks must be among those that decide the kind.
    """
    wanted, here = {*KINDS[kind].decided_by}, {*clauses}
    return tuple(
        name
        for name, numbers in _clauses_of_mutants().items()
        if here.intersection(numbers)
        and wanted.intersection((numbers[0], numbers[0].partition(".")[0]))
    )


@cache
def _clauses_of_mutants() -> dict[str, tuple[str, ...]]:
    """A mapping from each mutant that can be used for rows to the clauses it breaks.

    These mutants are the designed ones that switch a clause off, or apply it where it
    does not hold, and the syntactic variants of those functions of the chapters that
    claim a clause.
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


def chosen_questions(cells: Mapping[bytes, Sequence[str]], most: int) -> list[bytes]:
    """At most `most` of the questions, chosen so that each cell occurs if possible.

    A cell is the name of a situation, or of a mutant that answers the question
    differently. A mutant that switches off a clause, or applies it where it does not
    hold, should occur twice. Any room left goes to the questions whose cells occur
    least.
    """
    left, chosen = dict(cells), list[bytes]()
    times: dict[str, int] = defaultdict(int)

    def worth(question: bytes) -> tuple[int, float, int]:
        missing = sum(times[cell] < _wanted(cell) for cell in left[question])
        rare = sum(1 / (1 + times[cell]) for cell in left[question])
        return missing, rare, -len(question)

    while left and len(chosen) < most:
        best = max(left, key=worth)
        chosen.append(best)
        for cell in left.pop(best):
            times[cell] += 1
    return chosen


def _wanted(cell: str) -> int:
    """How often a situation or mutant should occur in the rows that are chosen."""
    return _WITNESSES if cell.partition(":")[0] in _DIRECTIONS else 1


def decided_clauses(mutants: Sequence[str], times: Mapping[str, int]) -> list[str]:
    """The clauses that a row tests, given the mutants that answer it differently.

    They are the clauses without which the answer would differ. If there are none, the
    result is the clauses of those mutants that the fewest questions detect; `times`
    gives the number of questions that detect each mutant.
    """
    known = _clauses_of_mutants()
    names = [name for name in mutants if name.startswith(OFF)]
    if not names:
        fewest = min((times[name] for name in mutants), default=0)
        names = [name for name in mutants if times[name] == fewest]
    found = {clause for name in names for clause in known[name]}
    return [number for number in book.clauses() if number in found]


def _place(clauses: Sequence[str]) -> int:
    """The place in the book of the first of these clauses, used to sort the rows."""
    return [*book.clauses()].index(clauses[0])
