"""Chapter 10, At the table, as the questions of players and what decides them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import attrs

from refengine.errors import Malformed, shown
from refengine.lawbook.options import Value

FILE: Final = Path(__file__).with_suffix(".toml")

_Needs = tuple[Mapping[str, tuple[str, ...]], ...]
"""Alternatives, each mapping options to the values they may have.

If there are no alternatives, any options will do. An option whose value is a list has
to hold one of the values.
"""


def meets(options: Mapping[str, Value], needs: _Needs) -> bool:
    """Whether the values of the options meet one of the alternatives."""
    return not needs or any(
        all(_is_among(options[name], wanted) for name, wanted in one.items())
        for one in needs
    )


def _is_among(value: Value, wanted: tuple[str, ...]) -> bool:
    if isinstance(value, tuple):
        return any(entry in wanted for entry in value)
    return value in wanted


@attrs.frozen
class Condition:
    """A fact on which a ruling depends, as a question and the possible answers to it.

    `answers` maps a short name for each answer to its text. `only` maps some of these
    names to what the options must be for the answer to be possible.
    """

    name: str
    text: str
    answers: Mapping[str, str]
    only: Mapping[str, _Needs]

    def possible(self, options: Mapping[str, Value]) -> tuple[str, ...]:
        """The short names of the answers that these options allow."""
        return tuple(
            [
                name
                for name in self.answers
                if name not in self.only or meets(options, self.only[name])
            ]
        )

    def bears_on(self) -> tuple[str, ...]:
        """The options that decide which answers are possible."""
        every = [one for needs in self.only.values() for one in needs]
        return tuple(dict.fromkeys([option for one in every for option in one]))


@attrs.frozen
class TableOutcome:
    """One outcome of a ruling, in words, with the clauses on which it is based.

    `answers` maps the name of a condition to the answers that lead to this outcome. The
    answers to conditions that it does not name do not matter.
    """

    answers: Mapping[str, tuple[str, ...]]
    says: str
    clauses: tuple[str, ...]

    def follows_from(self, given: Mapping[str, str]) -> bool:
        """Whether these answers, one for each condition, lead to this outcome."""
        return all(given[name] in wanted for name, wanted in self.answers.items())


@attrs.frozen
class TableRuling:
    """A clause of chapter 10, in the form of a question that a player asks.

    `ask` holds the conditions in the order in which they are asked about, and `words`
    holds words for which people search but which are not in the clause. The question
    arises only under options that meet `arises`; `otherwise` is what is said elsewhere.
    """

    number: str
    question: str
    words: tuple[str, ...]
    ask: tuple[Condition, ...]
    outcomes: tuple[TableOutcome, ...]
    arises: _Needs
    otherwise: TableOutcome | None

    def under(self, options: Mapping[str, Value]) -> TableRuling:
        """The ruling with only the answers and outcomes that these options allow.

        Conditions to which a single answer is left are no longer asked about.
        """
        fit = {one.name: one.possible(options) for one in self.ask}
        still = [name for name, some in fit.items() if len(some) > 1]
        outcomes = []
        for outcome in self.outcomes:
            left = {
                name: tuple([one for one in some if one in fit[name]])
                for name, some in outcome.answers.items()
            }
            if all(left.values()):
                asked = {name: some for name, some in left.items() if name in still}
                outcomes.append(TableOutcome(asked, outcome.says, outcome.clauses))
        ask = [
            Condition(
                one.name,
                one.text,
                {name: one.answers[name] for name in fit[one.name]},
                one.only,
            )
            for one in self.ask
            if one.name in still
        ]
        return TableRuling(
            self.number,
            self.question,
            self.words,
            tuple(ask),
            tuple(outcomes),
            self.arises,
            self.otherwise,
        )

    def combinations(self) -> Iterator[dict[str, str]]:
        """Yield every combination of answers, or one empty dict if nothing is asked."""
        for picked in product(*(one.answers for one in self.ask)):
            yield dict(zip((one.name for one in self.ask), picked, strict=True))

    def outcome(self, given: Mapping[str, str]) -> TableOutcome:
        """The outcome for these answers, given as a short name for each condition.

        Raises Malformed if a condition is left out or unknown, or if an answer is not
        among those of its condition.
        """
        known = [one.name for one in self.ask]
        if sorted(given) != sorted(known):
            allowed = f"one for each of {', '.join(known)}" if known else "none"
            raise Malformed(f"answers for {shown(sorted(given))}", allowed)
        for one in self.ask:
            if given[one.name] not in one.answers:
                raise Malformed(
                    shown(given[one.name])[:40], f"one of {', '.join(one.answers)}"
                )
        return next(one for one in self.outcomes if one.follows_from(given))

    def fields(self) -> dict[str, Any]:
        """The question, its conditions and its outcomes, as plain JSON values."""
        return {
            "question": self.question,
            "ask": [
                {"name": one.name, "text": one.text, "answers": dict(one.answers)}
                for one in self.ask
            ],
            "outcomes": [
                {
                    "if": {name: list(some) for name, some in one.answers.items()},
                    "says": one.says,
                    "clauses": list(one.clauses),
                }
                for one in self.outcomes
            ],
        }

    def lines(self) -> list[str]:
        """The question and its outcomes, as lines for a terminal."""
        found = [self.question]
        for outcome in self.outcomes:
            given = " ".join(
                f"{text} {answer}." for text, answer in self.in_words(outcome)
            )
            found += [f"- {given}"] if given else []
            mark = "  " if given else "- "
            found.append(f"{mark}{outcome.says} ({', '.join(outcome.clauses)})")
        return found

    def in_words(self, outcome: TableOutcome) -> Iterator[tuple[str, str]]:
        """Yield the text and the answers of each condition that decides an outcome."""
        for one in self.ask:
            if one.name in outcome.answers:
                said = ", or ".join(
                    one.answers[name] for name in outcome.answers[one.name]
                )
                yield one.text, said[:1].upper() + said[1:]


@cache
def table_rulings() -> Mapping[str, TableRuling]:
    """Every clause of procedure as a question, by number, in the order of the book."""
    return _by_number(table_entries())


def table_entries() -> list[dict[str, Any]]:
    """The entries of the project's file of such questions, as plain values.

    Raises Malformed as `read_table_rulings` does.
    """
    text = FILE.read_text("utf-8")
    read_table_rulings(text)
    return _entries(text)


def _entries(text: str) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(text)["clause"]
    return entries


def read_table_rulings(text: str) -> Mapping[str, TableRuling]:
    """The questions in this TOML text, by the number of the clause.

    Raises Malformed if a clause occurs twice, if an outcome names a condition or an
    answer that does not exist, if a combination of answers leads to no outcome or to
    several, or if some outcome cannot be reached.
    """
    entries = _entries(text)
    found = _by_number(entries)
    numbers = [entry["number"] for entry in entries]
    for number in numbers:
        if numbers.count(number) > 1:
            raise Malformed(f"{number} again", "each clause once", number)
    for one in found.values():
        _check(one)
    return found


def _by_number(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, TableRuling]:
    rulings = [_ruling(entry) for entry in entries]
    return MappingProxyType({one.number: one for one in rulings})


def _ruling(entry: Mapping[str, Any]) -> TableRuling:
    return TableRuling(
        number=entry["number"],
        question=entry["question"],
        words=tuple(entry["words"]),
        ask=tuple([_condition(one) for one in entry["ask"]]),
        outcomes=tuple(
            TableOutcome(_answers(one["if"]), one["says"], tuple(one["clauses"]))
            for one in entry["outcome"]
        ),
        arises=_needs(entry.get("arises", [])),
        otherwise=_otherwise(entry.get("otherwise")),
    )


def _condition(entry: Mapping[str, Any]) -> Condition:
    only: Mapping[str, Any] = entry.get("only", {})
    needs = {name: _needs(some) for name, some in only.items()}
    answers = MappingProxyType(entry["answers"])
    return Condition(entry["name"], entry["text"], answers, needs)


def _needs(given: Mapping[str, Any] | list[Mapping[str, Any]]) -> _Needs:
    alternatives = given if isinstance(given, list) else [given]
    return tuple([_answers(one) for one in alternatives])


def _otherwise(given: Mapping[str, Any] | None) -> TableOutcome | None:
    if given is None:
        return None
    return TableOutcome({}, given["says"], tuple(given["clauses"]))


def _answers(given: Mapping[str, str | list[str]]) -> Mapping[str, tuple[str, ...]]:
    return MappingProxyType(
        {
            name: (some,) if isinstance(some, str) else tuple(some)
            for name, some in given.items()
        }
    )


def _check(ruling: TableRuling) -> None:
    """Raise Malformed unless every combination of answers has exactly one outcome.

    Also raise it for an outcome that names an unknown condition or answer, or that
    cannot be reached.
    """
    known = {one.name: one.answers for one in ruling.ask}
    for outcome in ruling.outcomes:
        for name, some in outcome.answers.items():
            strange = [one for one in some if one not in known.get(name, ())]
            if strange:
                what = f"the answer {strange[0]} to {name}"
                raise Malformed(what, "an answer that is asked for", ruling.number)
    reached: set[int] = set()
    for given in ruling.combinations():
        there = _led_to(ruling.outcomes, given)
        if len(there) != 1:
            what = f"{len(there)} outcomes of {given}"
            raise Malformed(what, "exactly one", ruling.number)
        reached.update(there)
    if len(reached) != len(ruling.outcomes):
        raise Malformed("an outcome without answers", "one with answers", ruling.number)


def _led_to(outcomes: Sequence[TableOutcome], given: Mapping[str, str]) -> list[int]:
    return [at for at, one in enumerate(outcomes) if one.follows_from(given)]
