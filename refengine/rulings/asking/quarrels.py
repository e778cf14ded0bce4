"""A quarrel at the table: what chapter 10 says, and what must be known first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refengine.errors import Malformed, one_of, shown
from refengine.lawbook.at_the_table import (
    Condition,
    TableOutcome,
    TableRuling,
    meets,
    table_rulings,
)
from refengine.lawbook.options import BY_NAME, Value, value_text
from refengine.lawbook.pass_words import passes_at_table
from refengine.rulings.asking.answers import Answer
from refengine.rulings.asking.questions import Question
from refengine.rulings.relevance import Mattered
from refengine.rulings.sentences import COLUMNS, MATTERED, Said, sentence_of
from refengine.rulings.words import option_meaning


def table_answer(question: Question) -> Answer:
    """What a clause of chapter 10 says, given the answers so far.

    As long as several outcomes are possible, they are listed with what leads to each,
    and `asks` holds the open conditions that decide between them. Where the question
    names its rules, what these settle is not asked, and `mattered` says how they settle
    it; if the case does not arise under them, the answer says so.
    Raises Malformed if the clause is not a procedure of chapter 10 or lacks one of the
    conditions given, or if an answer is not one that its condition or the rules allow.
    """
    number = question.text("number").strip()
    if number not in table_rulings():
        allowed = one_of(table_rulings(), number)
        raise Malformed(shown(number)[:40], allowed, "number")
    ruling = table_rulings()[number]
    given: dict[str, str] = question.given.get("answers", {})
    _check_given(ruling, given)
    mattered: tuple[Mattered, ...] = ()
    if question.named:
        options = _options_at_table(question)
        if ruling.otherwise is not None and not meets(options, ruling.arises):
            return _does_not_arise(question, ruling, ruling.otherwise, options)
        _check_possible(ruling, given, options)
        mattered = _settled(ruling, given, options, question)
        ruling = ruling.under(options)
    said = _different(_outcomes(ruling, given))
    if len(said) == 1:
        return Answer(
            rules=question.rules,
            named=question.named,
            headline=_first_sentence(said[0].text),
            why=said,
            mattered=mattered,
        )
    return _undecided(question, ruling, given, mattered)


def _does_not_arise(
    question: Question,
    ruling: TableRuling,
    otherwise: TableOutcome,
    options: Mapping[str, Value],
) -> Answer:
    """The answer if the case does not arise under the rules that are named."""
    names = [name for one in ruling.arises for name in one]
    return Answer(
        rules=question.rules,
        named=question.named,
        headline=otherwise.says,
        why=_different([otherwise]),
        mattered=_told(otherwise.clauses[0], names, options, question),
    )


def _undecided(
    question: Question,
    ruling: TableRuling,
    given: Mapping[str, str],
    mattered: tuple[Mattered, ...],
) -> Answer:
    """The answer as long as several outcomes are possible: a row for each of them."""
    outcomes = _outcomes(ruling, given)
    rows: list[tuple[str | int, ...]] = []
    for one in outcomes:
        words = [f"{text} {answer}." for text, answer in ruling.in_words(one)]
        rows.append((" ".join(words), one.says))
    return Answer(
        rules=question.rules,
        named=question.named,
        headline=ruling.question,
        why=_different(outcomes),
        mattered=mattered,
        columns=(COLUMNS["if"], COLUMNS["then"]),
        rows=tuple(rows),
        asks={
            one.name: (one.text, dict(one.answers))
            for one in ruling.ask
            if one.name not in given and _matters(one.name, outcomes)
        },
    )


def _options_at_table(question: Question) -> dict[str, Value]:
    """The options of the ruleset, without the passes that this table skips (4.1a)."""
    options = dict(question.rules.options)
    players = question.rules.players
    options["pass_cycle"] = passes_at_table(options["pass_cycle"], players)
    return options


def _outcomes(ruling: TableRuling, given: Mapping[str, str]) -> list[TableOutcome]:
    """The outcomes to which these answers may still lead."""
    return [
        one
        for one in ruling.outcomes
        if all(given.get(name, some[0]) in some for name, some in one.answers.items())
    ]


def _settled(
    ruling: TableRuling,
    given: Mapping[str, str],
    options: Mapping[str, Value],
    question: Question,
) -> tuple[Mattered, ...]:
    """The options that leave a single answer to a condition, if it may still matter."""
    outcomes = _outcomes(ruling, given)
    names: list[str] = []
    for one in ruling.ask:
        if len(one.possible(options)) == 1 and _matters(one.name, outcomes):
            names.extend(one.bears_on())
    return _told(ruling.number, names, options, question)


def _told(
    number: str,
    names: Sequence[str],
    options: Mapping[str, Value],
    question: Question,
) -> tuple[Mattered, ...]:
    """What these options mean at this table, without those that have no effect."""
    found = []
    for name in _in_force(names, options):
        value = question.rules.options[name]
        meaning = option_meaning(name, options[name])
        facts = {"now": meaning, "option": name, "value": value_text(value)}
        sentence = sentence_of(MATTERED["now"], number, **facts)
        found.append(Mattered(name, value, sentence))
    return tuple(found)


def _in_force(names: Sequence[str], options: Mapping[str, Value]) -> list[str]:
    """These options, each once, without those that have no effect."""
    return [name for name in dict.fromkeys(names) if BY_NAME[name].bites(options)]


def _check_possible(
    ruling: TableRuling, given: Mapping[str, str], options: Mapping[str, Value]
) -> None:
    """Raise Malformed if an answer is not possible under these options."""
    for one in ruling.ask:
        possible = one.possible(options)
        if one.name in given and given[one.name] not in possible:
            names = _in_force(one.bears_on(), options)
            told = [f"{name}={value_text(options[name])}" for name in names]
            allowed = f"{', '.join(possible)}, since the rules say {', '.join(told)}"
            raise Malformed(shown(given[one.name])[:40], allowed, f"answers.{one.name}")


def _matters(name: str, outcomes: list[TableOutcome]) -> bool:
    """Whether the given condition may decide which of these outcomes applies.

    Outcomes with the same text count as one.
    """
    return any(_tells_apart(name, one, other) for one in outcomes for other in outcomes)


def _tells_apart(name: str, one: TableOutcome, other: TableOutcome) -> bool:
    """Whether one condition alone may decide between outcomes with different texts.

    `name` names the condition; all others must be able to have the same answers.
    """
    return one.says != other.says and all(
        asked == name or any(said in other.answers.get(asked, some) for said in some)
        for asked, some in one.answers.items()
    )


def _check_given(ruling: TableRuling, given: dict[str, str]) -> None:
    """Raise Malformed if an answer is to an unknown condition or is not allowed."""
    known: dict[str, Condition] = {one.name: one for one in ruling.ask}
    for name, answer in given.items():
        if name not in known:
            listed = ", ".join(known) or "none"
            raise Malformed(shown(name)[:40], f"answers to {listed}", "answers")
        if answer not in known[name].answers:
            allowed = f"one of {', '.join(known[name].answers)}"
            raise Malformed(shown(answer)[:40], allowed, f"answers.{name}")


def _first_sentence(text: str) -> str:
    parts = text.split(". ")
    return f"{parts[0]}." if len(parts) > 1 else text


def _different(outcomes: list[TableOutcome]) -> tuple[Said, ...]:
    """The texts of these outcomes without repetition.

    Each has the clauses of all outcomes that share the text.
    """
    found: dict[str, list[str]] = {}
    for one in outcomes:
        if one.says not in found:
            found[one.says] = []
        for clause in one.clauses:
            if clause not in found[one.says]:
                found[one.says].append(clause)
    return tuple([Said(text, tuple(clauses)) for text, clauses in found.items()])
