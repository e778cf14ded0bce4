"""Finds changes to the rules under which everything that an engine said is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final

import attrs

from refengine import OPTIONS
from refengine.game.nearby_rulesets import Change, changed, values_to_try
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import Value
from refengine_conformance.diagnosis.effects import one_option_away
from refengine_conformance.diagnosis.fitting_rulesets import Heard, judged
from refengine_conformance.runner.run_time import ENDLESS, RunTime

Values = tuple[object, ...]


@attrs.frozen
class _Changed:
    """A changed ruleset, and its option values, where None means without effect."""

    ruleset: Ruleset
    values: Values


class ChangeFit:
    """Measures how well records agree with changes to the rules, and keeps the results.

    Every method raises RunOverError once the `time` is up.
    """

    def __init__(self, records: Iterable[Heard], time: RunTime = ENDLESS) -> None:
        self.records: Final = tuple(records)
        self.time: Final = time
        self._agreement: dict[tuple[int, Values], float] = {}
        self._right: dict[tuple[int, Values], bool] = {}
        self._changed: dict[tuple[Ruleset, Values], _Changed | None] = {}
        self._first = [*self.records]  # those that refuted something last come first

    def _under(self, record: Heard, change: Change) -> _Changed | None:
        """The ruleset of a record with this change, or None if the book forbids it."""
        self.time.check()
        base = record.trace.ruleset
        key = base, tuple(change.items())
        if key not in self._changed:
            ruleset = changed(base, change) if change else base
            self._changed[key] = None if ruleset is None else _with_values(ruleset)
        return self._changed[key]

    def agreement(self, record: Heard, change: Change) -> float:
        """How well a record agrees with a change to the rules, from 0 to 1."""
        under = self._under(record, change)
        if under is None:
            return 0.0
        key = id(record), under.values
        if key not in self._agreement:
            self._agreement[key] = _share(record, under.ruleset)
            self._right[key] = self._agreement[key] == 1.0
        return self._agreement[key]

    def explained(self, record: Heard, change: Change) -> bool:
        """Whether everything in a record is right under this change to the rules."""
        under = self._under(record, change)
        if under is None:
            return False
        key = id(record), under.values
        if key not in self._right:
            self._right[key] = not any(judged(record, under.ruleset))
        return self._right[key]

    def explains(self, change: Change) -> bool:
        """Whether everything in all records is right under this change to the rules."""
        for place, record in enumerate(self._first):
            if not self.explained(record, change):
                self._first.insert(0, self._first.pop(place))
                return False
        return True


def _with_values(ruleset: Ruleset) -> _Changed:
    """A ruleset together with its option values, where None means without effect."""
    idle = {*ruleset.without_effect}
    values = tuple(
        None if name in idle else value for name, value in ruleset.options.items()
    )
    return _Changed(ruleset, values)


def _share(record: Heard, ruleset: Ruleset) -> float:
    """The share of answers that are right under a ruleset; 1 only if none is wrong.

    If any answer is wrong, the share is reduced by a tenth. Answers that are not
    judged, such as those after a wrong act, then count as wrong, too.
    """
    found = [*judged(record, ruleset)]
    good = found.count("")
    if good == len(found):
        return 1.0
    return 0.9 * good / max(_number_of_answers(record), good, 1)


def _number_of_answers(record: Heard) -> int:
    """The number of answers in a record.

    At least two are counted for every step, one for its act and one for what is due,
    whether or not the engine was asked.
    """
    number = 0
    for moment in record.transcript.moments:
        number += 2 + len(moment.refuse) + len(moment.irregular)
        number += (moment.turn is not None) + (moment.tried is not None)
        number += len(moment.then) if isinstance(moment.then, dict) else 0
        number += len(moment.view) if isinstance(moment.view, dict) else 0
    said = record.transcript
    at_end = (said.end, said.end_view)
    return number + sum(len(one) for one in at_end if isinstance(one, dict))


@attrs.frozen
class Inference:
    """Changes to the rules that explain an engine: they make all its answers right.

    `changes` are those found, the likeliest first. Each consists of option values by
    which the engine seems to play, whatever ruleset it is given. If it plays by the
    given ruleset, the only change is `{}`; if nothing explains its answers, there are
    none. For every option, `open_to` lists the value under the first change, and then
    the other values under which all answers are also right; a value that makes no
    difference once the cards are dealt is left out. `open_to` is empty if there are no
    changes or no records.
    """

    records: tuple[Heard, ...]
    changes: tuple[dict[str, Value], ...]
    open_to: dict[str, tuple[Value, ...]]

    @property
    def explained(self) -> bool:
        """Whether any change to the rules was found that explains all answers."""
        return bool(self.changes)

    def explains(self, change: Change) -> bool:
        """Whether this change to the rules makes all answers right."""
        return ChangeFit(self.records).explains(change)


def infer(
    records: Iterable[Heard], *, most: int = 12, time: RunTime = ENDLESS
) -> Inference:
    """Look for changes to the rules that explain these records.

    Changes to a single option are tried first, and then changes to several, but to no
    more than `most`. Records from which nothing can be learnt are left out: those of
    games that did not begin, reached no act, or ended with an error in the adapter.
    Raises RunOverError when the time is up.
    """
    fit = ChangeFit((one for one in records if one.tells), time)
    return _Inferring(fit, most).inference()


def numbers_in(records: Sequence[Heard]) -> tuple[int, ...]:
    """Numbers to try as values of options, the most frequent first.

    They are the numbers that the engine reported as points, scores and totals, each of
    them with the sign reversed, and each plus one, since a limit may have to be reached
    or exceeded. There are at most 64.
    """
    found: Counter[int] = Counter()
    for record in records:
        transcript = record.transcript
        for fields in (*(one.then for one in transcript.moments), transcript.end):
            if isinstance(fields, dict):
                for name in ("points", "score", "totals"):
                    found.update(set(fields.get(name, ())))
    signed: Counter[int] = Counter()
    for number, often in found.items():
        signed.update({number: often, -number: often, number + 1: 1})
    return tuple(number for number, _ in signed.most_common(_MOST_NUMBERS))


_MOST_NUMBERS: Final = 64
_FEW: Final = 8  # wrong records by which candidates are first ranked
_MANY: Final = 40  # wrong and right records by which the best of them are compared
_ATTEMPTS: Final = 4  # at changing several options
_VALUES: Final = 6  # the most values of one option that are compared
_MORE: Final = 1e-9  # agreement has to grow by more than rounding may add


class _Inferring:
    """The search for changes to the rules that explain all records."""

    def __init__(self, fit: ChangeFit, most: int) -> None:
        self.fit = fit
        self.most = most
        self.numbers = numbers_in(fit.records)

    def inference(self) -> Inference:
        """Look for the changes that explain all records, and the values left open."""
        records = self.fit.records
        changes: list[dict[str, Value]] = []
        wrong = self._wrong({})
        if not wrong:
            changes = [{}]
        elif singles := self._singles():
            changes = singles
        elif (several := self._climbed()) is not None:
            changes = [several]
        open_to = self._open_to(changes[0]) if changes and records else {}
        return Inference(records, tuple(changes), open_to)

    def _wrong(self, change: Change) -> list[Heard]:
        """The records that this change does not explain."""
        fit = self.fit
        return [one for one in fit.records if not fit.explained(one, change)]

    def _one_more(self, change: Change) -> Iterator[tuple[str, dict[str, Value]]]:
        """The changes made from this one by adding an option or replacing a value.

        Each comes with the name of that option.
        """
        base = self.fit.records[0].trace.ruleset
        for option in OPTIONS:
            now = change.get(option.name, base.options[option.name])
            for value in values_to_try(option, now, self.numbers):
                yield option.name, {**change, option.name: value}

    def _singles(self) -> list[dict[str, Value]]:
        """The changes to a single option that explain all records.

        Changes to a number come last: so many numbers are tried that one may fit by
        chance, such as a limit of 101 when a total really has to exceed 100.
        """
        tried = [change for _, change in self._one_more({})]
        return sorted(filter(self.fit.explains, tried), key=_has_a_number)

    def _climbed(self) -> dict[str, Value] | None:
        """A change to several options that explains all records; None if none is found.

        It is built up option by option. If this leads nowhere, it is tried again
        without the option that was added first: a wrong limit, for example, may seem to
        explain what is really a different number of deals.
        """
        shunned: set[str] = set()
        for _ in range(_ATTEMPTS):
            path = [*self._path(shunned)]
            if not path:
                return None
            if not self._wrong(path[-1]):
                return self._pruned(path[-1])
            shunned |= path[0].keys()
        return None

    def _path(self, shunned: set[str]) -> Iterator[dict[str, Value]]:
        """Changes that agree better and better, each made from the one before it.

        Each adds an option or changes the value of one already added. Options in
        `shunned` are not used.
        """
        change: dict[str, Value] = {}
        for _ in range(3 * self.most):
            wrong = self._wrong(change)
            better = self._step_up(wrong, change, shunned) if wrong else None
            if better is None or len(better) > self.most:
                return
            yield better
            change = better

    def _step_up(
        self, wrong: Sequence[Heard], change: dict[str, Value], shunned: set[str]
    ) -> dict[str, Value] | None:
        """The change that goes one option further and agrees best with the records.

        It is None if no such change agrees better than `change` itself.
        """
        few = wrong[:: max(1, len(wrong) // _FEW)][:_FEW]
        right = [one for one in self.fit.records if one not in wrong]
        many = [*wrong[:_MANY], *right[:_MANY]]
        best, most = None, self._total_agreement(change, many) + _MORE
        for tried in self._hopeful(few, change, shunned):
            share = self._total_agreement(tried, many)
            if share > most:
                best, most = tried, share
        return best

    def _hopeful(
        self, few: Sequence[Heard], change: dict[str, Value], shunned: set[str]
    ) -> list[dict[str, Value]]:
        """The changes that go one option further and agree better with a few records.

        Those that agree best come first. Of each option, only a few values are
        included.
        """
        floor = self._total_agreement(change, few) + _MORE
        shares = [
            (self._total_agreement(tried, few), name, tried)
            for name, tried in self._one_more(change)
            if not shunned & tried.keys()
        ]
        found: list[dict[str, Value]] = []
        values: Counter[str] = Counter()
        for share, name, tried in sorted(shares, key=itemgetter(0), reverse=True):
            if share <= floor or len(found) == 3 * _FEW:
                break
            values[name] += 1
            if values[name] <= _VALUES:
                found.append(tried)
        return found

    def _total_agreement(self, change: Change, records: Sequence[Heard]) -> float:
        """How well these records agree with a change: from 0 to 1 for each, summed."""
        return sum(self.fit.agreement(one, change) for one in records)

    def _pruned(self, change: dict[str, Value]) -> dict[str, Value]:
        """The change without the options that it does not need to explain all records.

        An option may be needed only while another is part of the change, so after each
        round in which some were dropped, all remaining ones are tried again.
        """
        before = len(change) + 1
        while len(change) < before:
            before = len(change)
            for name in list(change):
                fewer = {one: value for one, value in change.items() if one != name}
                if self.fit.explains(fewer):
                    change = fewer
        return change

    def _open_to(self, change: dict[str, Value]) -> dict[str, tuple[Value, ...]]:
        """For each option, its value, then the others that also explain all records."""
        base = self.fit.records[0].trace.ruleset
        ruleset = changed(base, change) or base
        found: dict[str, list[Value]] = {
            option.name: [ruleset.options[option.name]] for option in OPTIONS
        }
        for one in one_option_away(ruleset):
            value = one.ruleset.options[one.option]
            if self.fit.explains({**change, one.option: value}):
                found[one.option].append(value)
        return {name: tuple(values) for name, values in found.items()}


def _has_a_number(change: Mapping[str, Value]) -> bool:
    """Whether a change sets an option to a number."""
    return any(type(value) is int for value in change.values())
