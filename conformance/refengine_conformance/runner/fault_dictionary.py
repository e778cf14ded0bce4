"""Signs of faults, and the dictionary that finds an engine's fault by its signs.

A sign is a short digest of one wrong answer. It covers the kind of case, the step, the
question and the answer. Answers given after the engine goes astray have no sign.
Two engines with the same fault show the same signs, whatever their languages.

Every mutant of the book's own engine (a clause off or inverted, an option read as
another value, a bug found in public engines) was tried on every line of the corpus, and
the signs that it showed are kept in `corpus/dictionary.jsonl`. An engine that shows the
same signs on the same lines has the same fault, and breaks the clause of that mutant;
how the engine is written does not matter, and nothing about it has to be known.

If an engine has several faults, the one that explains most is found first, then the one
that explains most of the lines left, and so on.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
import msgspec

from refengine_conformance.data import data
from refengine_conformance.runner.results import (
    PASSED,
    WRONG_OUTCOMES,
    Case,
    Fault,
    Outcome,
    either_way,
)
from refengine_conformance.runner.runs import Cause, first_faults

Signs = dict[str, frozenset[str]]
"""The signs of one line by kind of case; acts count as `step`, even if replayed."""

OBSERVE: Final = "observe"
_DIGITS: Final = 8
_VERDICT_ALONE: Final = ("step", "probe")  # kinds for which no clause counts


def kinds_answered(case: Case) -> frozenset[str]:
    """The kinds of answer that a case scores.

    For a case of `observe`, there is a kind for each field that was compared, such as
    `observe.score`. Any other case scores its own kind, but acts that were replayed
    count as `step`.
    """
    if case.kind == OBSERVE:
        return frozenset(f"{OBSERVE}.{name}" for name in case.told)
    return frozenset({either_way(case.kind)})


def kinds_wrong(cases: Iterable[Case]) -> frozenset[str]:
    """The kinds of answer, as `kinds_answered` names them, that these cases get wrong.

    A lost conversation counts as a wrong answer, except in a case of `observe`.
    """
    found: set[str] = set()
    for case in cases:
        if case.kind == OBSERVE:
            found.update(f"{OBSERVE}.{name}" for name in case.untrue)
        elif case.outcome in WRONG_OUTCOMES:
            found.add(either_way(case.kind))
    return frozenset(found)


def sign_of(case: Case, fault: Fault) -> str:
    """The digest of one wrong answer.

    For acts and probes, only the verdict in the answer counts (`ok`, `refused` or
    `irregular`): the clauses named with it belong to other kinds. A state that was
    changed has the same sign whether a probe or a refused act changed it.
    """
    kind, got = either_way(case.kind), fault.got
    if fault.question == "purity":
        kind, got = "probe", ""
    elif kind in _VERDICT_ALONE:
        got = got.partition(" ")[0].rstrip(":")
    words = (kind, str(fault.step), fault.question, fault.asked, got)
    return hashlib.sha256("\n".join(words).encode()).hexdigest()[:_DIGITS]


def signs_of(cases: Iterable[Case]) -> dict[str, Signs]:
    """The signs of every line that has a failed case, by the id of the line."""
    found: dict[str, dict[str, set[str]]] = {}
    for case, fault in first_faults(tuple(cases)):
        of_line = found.setdefault(case.trace, {})
        of_line.setdefault(either_way(case.kind), set()).add(sign_of(case, fault))
    return {
        name: {kind: frozenset(signs) for kind, signs in of_line.items()}
        for name, of_line in found.items()
    }


def scored_kinds(cases: Iterable[Case]) -> dict[str, frozenset[str]]:
    """The kinds of case that passed or failed on each line, by the line's id."""
    found: dict[str, set[str]] = {}
    for case in cases:
        if case.outcome in PASSED | {Outcome.FAIL}:
            found.setdefault(case.trace, set()).add(either_way(case.kind))
    return {name: frozenset(kinds) for name, kinds in found.items()}


def share_a_wrong_answer(some: Iterable[Case], others: Iterable[Case]) -> bool:
    """Whether two engines gave the same wrong answer at least once on the same line."""
    return not _all_signs(some).isdisjoint(_all_signs(others))


def _all_signs(cases: Iterable[Case]) -> frozenset[str]:
    """The signs of all lines and kinds in these cases, as one set."""
    signs = (one for of_line in signs_of(cases).values() for one in of_line.values())
    return frozenset().union(*signs)


CORPUS: Final = data("corpus")
FILE: Final = "dictionary.jsonl"
_TOO_MUCH: Final = 0.1
_NEARLY_ALL: Final = 0.8
_BREAK_FIRST: Final = ("off:", "bug:")  # they break the first of their clauses
_KINDS: Final = ("off", "bug", "never", "always", "inverted", "swap")


@attrs.frozen
class Suspect:
    """A mutant and the clauses that it breaks."""

    id: str
    clauses: tuple[str, ...]

    @property
    def rank(self) -> int:
        """The place among equal scores: 0, for a clause that is off, comes first."""
        return _KINDS.index(self.id.partition(":")[0])


class _Entry(msgspec.Struct, frozen=True):
    """What the dictionary holds about one line of the corpus.

    `signs[kind][sign]` lists the numbers of the mutants that show this sign in a case
    of this kind. `observed[clause]` holds the fields that are observed wrongly if an
    engine leaves out the clause.
    """

    id: str
    signs: dict[str, dict[str, list[int]]]
    observed: dict[str, frozenset[str]] = {}


class _Head(msgspec.Struct, frozen=True):
    """The first line of the file: the mutants, each with its clauses."""

    dictionary: int
    mutants: list[tuple[str, tuple[str, ...]]]


@attrs.frozen
class Dictionary:
    """The signs of every mutant on every line: `signs[number][line]`.

    `number` is the index of the mutant in `suspects`, and `lines` are the ids of all
    lines. `observed[line][clause]` holds the fields that are observed wrongly if an
    engine leaves out the clause.
    """

    suspects: tuple[Suspect, ...]
    signs: tuple[Mapping[str, Signs], ...]
    lines: frozenset[str]
    observed: Mapping[str, Mapping[str, frozenset[str]]] = attrs.field(factory=dict)


def read_dictionary(text: bytes) -> Dictionary:
    """The dictionary in the contents of a file, which may leave out `observed`.

    Raises msgspec.DecodeError if a line has the wrong form.
    """
    first, *rest = text.splitlines()
    head = msgspec.json.decode(first, type=_Head)
    shown: list[dict[str, Signs]] = [{} for _ in head.mutants]
    names = set()
    observed = {}
    for line in rest:
        entry = msgspec.json.decode(line, type=_Entry)
        names.add(entry.id)
        observed[entry.id] = entry.observed
        for number, signs in _by_mutant(entry).items():
            shown[number][entry.id] = signs
    suspects = tuple(Suspect(name, clauses) for name, clauses in head.mutants)
    return Dictionary(suspects, tuple(shown), frozenset(names), observed)


def _by_mutant(entry: _Entry) -> dict[int, Signs]:
    """The signs that each mutant shows on one line, by the number of the mutant."""
    found: dict[int, Signs] = {}
    for kind, signs in entry.signs.items():
        for sign, numbers in signs.items():
            for number in numbers:
                of_mutant = found.setdefault(number, {})
                of_mutant[kind] = of_mutant.get(kind, frozenset()) | {sign}
    return found


def dictionary_text(
    suspects: Sequence[Suspect], lines: Mapping[str, Mapping[str, Signs]]
) -> bytes:
    """The contents of a dictionary file with these signs, but without `observed`.

    `lines` maps the id of each line to the signs on it, by the id of the mutant.
    """
    numbers = {one.id: number for number, one in enumerate(suspects)}
    head = {"dictionary": 1, "mutants": [[one.id, one.clauses] for one in suspects]}
    found: list[Any] = [head]
    for name, shown in lines.items():
        signs: dict[str, dict[str, list[int]]] = {}
        for mutant, of_line in shown.items():
            for kind, some in of_line.items():
                for sign in sorted(some):
                    of_kind = signs.setdefault(kind, {})
                    of_kind.setdefault(sign, []).append(numbers[mutant])
        found.append({"id": name, "signs": signs})
    return b"".join(msgspec.json.encode(one) + b"\n" for one in found)


@cache
def published_dictionary(folder: Path = CORPUS) -> Dictionary:
    """The dictionary of a corpus; empty if the corpus has none."""
    path = folder / FILE
    if not path.is_file():
        return Dictionary((), (), frozenset())
    return read_dictionary(path.read_bytes())


def causes_of(
    cases: Iterable[Case], dictionary: Dictionary | None = None
) -> dict[str, Cause]:
    """What caused each failed line to fail, by the line's id.

    Lines that the dictionary does not explain are left out.
    """
    listed = tuple(cases)
    signs = signs_of(listed)
    if not signs:
        return {}
    return _Diagnosing(listed, signs, dictionary or published_dictionary()).causes()


@attrs.frozen
class _Match:
    """How well a mutant explains some of the lines that the engine fails.

    `score` grows with the signs that the mutant shares with the engine, and falls with
    each line that the mutant fails and the engine passes or fails differently. `number`
    is the mutant's index in the dictionary, and `lines` are the lines that it explains.
    """

    score: float
    rank: int
    number: int
    lines: tuple[str, ...]


class _Diagnosing:
    """The search for mutants that give the same wrong answers as the engine tested."""

    def __init__(
        self,
        cases: tuple[Case, ...],
        signs: Mapping[str, Signs],
        dictionary: Dictionary,
    ) -> None:
        self.dictionary = dictionary
        self.scored = scored_kinds(cases)
        self.signs = {
            name: _flat(one) for name, one in signs.items() if name in dictionary.lines
        }
        self.impure = self._impure_signs(cases)
        self.blamed: defaultdict[str, set[str]] = defaultdict(set)
        for case in cases:
            for fault in case.faults:
                for clause in fault.clauses:
                    self.blamed[clause].add(case.trace)

    def _impure_signs(self, cases: tuple[Case, ...]) -> dict[str, frozenset[str]]:
        """For each line, the signs that a probe or a refused act changed the game."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for case, fault in first_faults(cases):
            if fault.question == "purity" and case.trace in self.signs:
                found[case.trace].add(sign_of(case, fault))
        return {name: frozenset(signs) for name, signs in found.items()}

    def causes(self) -> dict[str, Cause]:
        """The cause of each line that can be explained, by the id of the line.

        Lines on which a probe or a refused act changed the game are explained first,
        since whatever else is wrong may follow from that. The mutant that explains them
        is then also the cause of every unexplained line that it fails. If no mutant
        explains any line well enough, the one with the broadest match is named. A line
        that is still unexplained at the end gets a cause found for other lines if the
        mutant behind that cause fails this line too, though in another way.
        """
        found: dict[str, Cause] = {}
        named: dict[Cause, int] = {}  # the number of each cause's mutant
        left = dict(self.signs)
        while left:
            impure = {name: one for name, one in self.impure.items() if name in left}
            spoilt = self._best(impure)
            best = spoilt or self._best(left)
            if best is None and not named:
                best = self._broadest(left)
            if best is None:
                break
            suspect = self.dictionary.suspects[best.number]
            cause = Cause(suspect.id, self._clause(suspect, best.lines))
            lines = set(best.lines)
            if spoilt is not None:
                lines |= {one for one in left if self._is_failed_by(best.number, one)}
            for name in lines:
                found[name] = cause
                del left[name]
            named[cause] = best.number
        return found | self._failed_otherwise(left, named)

    def _failed_otherwise(
        self, left: Iterable[str], named: Mapping[Cause, int]
    ) -> dict[str, Cause]:
        """For each unexplained line, the first cause whose mutant fails the line too.

        It must do so in a kind of case that was scored. The causes are tried in the
        order in which they were found. A line that none of their mutants fails is left
        out.
        """
        found: dict[str, Cause] = {}
        for name in left:
            for cause, number in named.items():
                if self._is_failed_by(number, name):
                    found[name] = cause
                    break
        return found

    def _is_failed_by(self, number: int, name: str) -> bool:
        """Whether the mutant with this number fails a line in what was scored of it."""
        signs = self.dictionary.signs[number].get(name, {})
        return bool(_flat(signs, self.scored.get(name, frozenset())))

    def _best(self, left: Mapping[str, frozenset[str]]) -> _Match | None:
        """The match of the mutant that best explains these lines, by its score.

        It is None if no mutant scores above 0.
        """
        return _closest(match for match in self._matches(left) if match.score > 0)

    def _broadest(self, left: Mapping[str, frozenset[str]]) -> _Match | None:
        """The best match that explains nearly all of these lines, whatever its score.

        An engine may break a clause in only some of the cases that the clause covers,
        and so pass lines that the mutant fails. Since the score may thus be low, some
        wrong answer must also go against a clause of the mutant. Returns None if there
        is no such mutant.
        """
        least = _NEARLY_ALL * len(left)
        return _closest(
            match
            for match in self._matches(left)
            if len(match.lines) >= least and self._is_blamed(match)
        )

    def _is_blamed(self, match: _Match) -> bool:
        """Whether an answer on a match's lines goes against a clause of its mutant."""
        clauses = self.dictionary.suspects[match.number].clauses
        return any(self.blamed[clause].intersection(match.lines) for clause in clauses)

    def _matches(self, left: Mapping[str, frozenset[str]]) -> Iterator[_Match]:
        """Yield the match of each mutant that explains at least one of these lines."""
        for number in range(len(self.dictionary.suspects)):
            match = self._match(number, left)
            if match.lines:
                yield match

    def _match(self, number: int, left: Mapping[str, frozenset[str]]) -> _Match:
        """Compare a mutant with the engine, and score how far their answers agree.

        On each of these lines, the score grows by the number of signs in common divided
        by the number of all signs of the two. A line that the mutant fails, but the
        engine passes or fails with no sign in common, takes away only a little: an
        engine may break a clause in only some cases.
        """
        hits, wrong = 0.0, 0
        lines = []
        for name, of_line in self.dictionary.signs[number].items():
            kinds = self.scored.get(name)
            if not kinds:
                continue
            said = _flat(of_line, kinds)
            if not said:
                continue
            if name not in self.signs:
                wrong += 1
            elif name in left:
                share = len(said & left[name]) / len(said | left[name])
                hits += share
                if share:
                    lines.append(name)
                else:
                    wrong += 1
        rank = self.dictionary.suspects[number].rank
        return _Match(hits - _TOO_MUCH * wrong, rank, number, tuple(lines))

    def _clause(self, suspect: Suspect, lines: Sequence[str]) -> str:
        """The clause to name if a mutant explains these lines.

        If the mutant is a bug, or leaves out a clause, this is its first clause. For
        any other mutant, it is that one of its clauses against which answers are wrong
        on the most of these lines. If, on every line, some answer goes against the same
        part of one of these clauses, such as 7.4a of 7.4, that part is named instead.
        """
        clauses = suspect.clauses
        if suspect.id.startswith(_BREAK_FIRST):
            clauses = clauses[:1]
        finer = [
            clause
            for clause in self.blamed
            if clause[:-1] in clauses
            and clause[-1].isalpha()
            and self.blamed[clause].issuperset(lines)
        ]
        if finer:
            return finer[0]
        return max(clauses, key=lambda one: len(self.blamed[one].intersection(lines)))


def _closest(matches: Iterable[_Match]) -> _Match | None:
    """The match with the highest score, then the lowest rank; None if there is none."""
    return max(matches, key=lambda one: (one.score, -one.rank), default=None)


def _flat(signs: Signs, kinds: frozenset[str] | None = None) -> frozenset[str]:
    """The signs of these kinds of case in one set; by default, of all kinds."""
    some = [one for kind, one in signs.items() if kinds is None or kind in kinds]
    return frozenset().union(*some)
