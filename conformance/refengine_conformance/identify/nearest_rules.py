"""Looks for the ruleset under which an engine's answers are right in the most games.

Options of a ruleset are changed until the first answer that is wrong under it is right,
then until the next one is, and so on. The rulesets under which the most answers come
right are changed first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations, islice, product
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.game.nearby_rulesets import changed, values_to_try
from refengine.game.rulesets import Ruleset
from refengine.lawbook import book
from refengine.lawbook.options import Value
from refengine_conformance.diagnosis.effects import Key, key_of, one_option_away
from refengine_conformance.diagnosis.fitting_rulesets import Heard, judged
from refengine_conformance.diagnosis.inference import numbers_in
from refengine_conformance.runner.run_time import RunTime

_FEW: Final = 8
_LATEST: Final = 8
_PIVOTS: Final = 3
_CHILDREN: Final = 12
_PATIENCE: Final = 16  # rulesets tried without success before the search ends
_MOST_PAIRS: Final = 6_000
_FEW_NUMBERS: Final = 8


@attrs.frozen
class Nearest:
    """A ruleset, and the records that it does not explain."""

    ruleset: Ruleset
    unexplained: tuple[Heard, ...]


@attrs.frozen
class Reach:
    """How many answers in a record are right under a ruleset before a wrong one.

    `right` is the number of these answers; `wrong` is the place of the wrong answer, or
    "" if there is none.
    """

    right: int
    wrong: str = ""


class RulesetFit:
    """Compares records with rulesets; the result for each pair is worked out only once.

    Records may be added. A method that has to work something out raises RunOverError if
    `time` is up.
    """

    def __init__(self, records: list[Heard], time: RunTime) -> None:
        self.records: Final = records
        self.time: Final = time
        self._reach: dict[tuple[int, Key], Reach] = {}

    def reach(self, record: Heard, ruleset: Ruleset) -> Reach:
        """How many answers in a record are right under a ruleset before a wrong one."""
        key = id(record), key_of(ruleset)
        if key not in self._reach:
            self.time.check()
            self._reach[key] = _reach(record, ruleset)
        return self._reach[key]

    def explains(self, ruleset: Ruleset) -> bool:
        """Whether everything in all records is right under a ruleset."""
        return not any(self.reach(one, ruleset).wrong for one in self.records)

    def unexplained(self, ruleset: Ruleset) -> tuple[Heard, ...]:
        """The records in which something is wrong under a ruleset."""
        return tuple(one for one in self.records if self.reach(one, ruleset).wrong)

    def closeness(self, ruleset: Ruleset, records: Iterable[Heard]) -> float:
        """How well a ruleset explains records: 1 for each explained, else less."""
        found = 0.0
        for one in records:
            reach = self.reach(one, ruleset)
            found += reach.right / (reach.right + 10) if reach.wrong else 1.0
        return found


def _reach(record: Heard, ruleset: Ruleset) -> Reach:
    """How many answers in a record are right under a ruleset before a wrong one."""
    right = 0
    for wrong in judged(record, ruleset):
        if wrong:
            return Reach(right, wrong)
        right += 1
    return Reach(right)


def nearest_rules(fit: RulesetFit, begin: Iterable[Ruleset]) -> Nearest:
    """The ruleset found that explains every record or leaves the fewest unexplained.

    The search begins with the rulesets in `begin`, of which there must be at least one.
    """
    return _Search(fit).nearest([*begin])


class _Search:
    """A best-first search for a ruleset under which every answer is right."""

    def __init__(self, fit: RulesetFit) -> None:
        self.fit = fit
        self.numbers = numbers_in(fit.records)
        earlier, latest = fit.records[:-_LATEST], fit.records[-_LATEST:]
        step = max(1, len(earlier) // _FEW)
        self.few = [*earlier[::step][:_FEW], *latest]  # the latest told rulesets apart
        self.heap: list[tuple[float, int, Ruleset]] = []
        self.seen: set[Key] = set()
        self.best: Nearest | None = None

    def nearest(self, begin: Sequence[Ruleset]) -> Nearest:
        """The first ruleset that explains everything, or else the best one tried."""
        for ruleset in begin:
            self._push(ruleset)
        patience = len(begin) + _PATIENCE
        while self.heap and patience:
            ruleset = heappop(self.heap)[2]
            wrong = self.fit.unexplained(ruleset)
            patience -= 1
            if self.best is None or len(wrong) < len(self.best.unexplained):
                self.best = Nearest(ruleset, wrong)
                patience = max(patience, _PATIENCE)
            if not wrong:
                break
            for better in self._better(ruleset, wrong):
                self._push(better)
        assert self.best is not None
        return self.best

    def _push(self, ruleset: Ruleset) -> None:
        """Queue a ruleset to be tried, unless one with the same effect was queued."""
        key = key_of(ruleset)
        if key not in self.seen:
            self.seen.add(key)
            closeness = self.fit.closeness(ruleset, self.few)
            heappush(self.heap, (-closeness, len(self.seen), ruleset))

    def _better(self, ruleset: Ruleset, wrong: Sequence[Heard]) -> list[Ruleset]:
        """Rulesets that get further in a record in which this one goes wrong early."""
        pivots = sorted(wrong, key=lambda one: self.fit.reach(one, ruleset).right)
        for neighbours in (self._singles, self._pairs):
            for pivot in pivots[:_PIVOTS]:
                candidates = neighbours(ruleset, pivot)
                if found := self._further(ruleset, pivot, candidates):
                    return found
        return []

    def _further(
        self, ruleset: Ruleset, pivot: Heard, candidates: Iterable[Ruleset]
    ) -> list[Ruleset]:
        """The candidates that get further in a record than a ruleset, the best first.

        At most a dozen are returned.
        """
        now = self.fit.reach(pivot, ruleset).right
        found = []
        for one in candidates:
            reach = self.fit.reach(pivot, one)
            if reach.right > now or not reach.wrong:
                found.append(one)
        found.sort(key=lambda one: -self.fit.closeness(one, self.few))
        return found[:_CHILDREN]

    def _is_of_scores(self, ruleset: Ruleset, pivot: Heard) -> bool:
        """Whether the first answer that is wrong under a ruleset is about points."""
        return self.fit.reach(pivot, ruleset).wrong.endswith(_SCORED)

    def _singles(self, ruleset: Ruleset, pivot: Heard) -> Iterator[Ruleset]:
        """Rulesets that differ from this one in one option.

        If the first wrong answer is a score, or says whether the match is over, the
        numbers that occur in the games are also tried as values.
        """
        wrong = self.fit.reach(pivot, ruleset).wrong
        counted = wrong.endswith((*_SCORED, "match"))
        for one in one_option_away(ruleset, self.numbers if counted else ()):
            yield one.ruleset

    def _pairs(self, ruleset: Ruleset, pivot: Heard) -> Iterator[Ruleset]:
        """Rulesets with two options changed that may affect the first wrong answer."""
        scoring = self._is_of_scores(ruleset, pivot)
        names = _OF_SCORES | _OF_THE_END if scoring else _OTHERS
        numbers = self.numbers[:_FEW_NUMBERS] if scoring else ()
        changes: list[list[tuple[str, Value]]] = []
        for option in OPTIONS:
            if option.name in names:
                now = ruleset.options[option.name]
                values = values_to_try(option, now, numbers)
                changes.append([(option.name, one) for one in values if one != now])
        pairs = (
            dict(pair)
            for first, second in combinations(changes, 2)
            for pair in product(first, second)
        )
        for change in islice(pairs, _MOST_PAIRS):
            found = changed(ruleset, change)
            if found is not None:
                yield found


_SCORED: Final = ("points", "score", "totals")


def _read_by(*clauses: str) -> frozenset[str]:
    """The options read by any clause whose number begins with one of `clauses`.

    Definitions count as well, since they alone say what the king and ace of spades cost
    (1.5b).
    """
    return frozenset(
        name
        for number, clause in book.clauses().items()
        if number.startswith(clauses)
        for name in clause.options
    )


_OF_SCORES: Final = _read_by("1.", "6.8", "8.")
_OF_THE_END: Final = _read_by("9.")
_OTHERS: Final = frozenset(option.name for option in OPTIONS) - _read_by("6.8", "8.")
