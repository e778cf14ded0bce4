"""A quarrel at the table: what chapter 10 says, and what must be known first."""

from __future__ import annotations

from refengine.errors import Malformed, one_of, shown
from refengine.lawbook.at_the_table import (
    Condition,
    TableOutcome,
    TableRuling,
    table_rulings,
)
from refengine.rulings.asking.answers import Answer
from refengine.rulings.asking.questions import Question
from refengine.rulings.sentences import COLUMNS, Said


def table_answer(question: Question) -> Answer:
    """What a clause of chapter 10 says, given the answers so far.

    As long as several outcomes are possible, they are listed with what leads to each,
    and `asks` holds the open conditions that decide between them.
    Raises Malformed if the clause is not a procedure of chapter 10 or lacks one of the
    conditions given, or if an answer is not one that its condition allows.
    """
    number = question.text("number").strip()
    if number not in table_rulings():
        allowed = one_of(table_rulings(), number)
        raise Malformed(shown(number)[:40], allowed, "number")
    ruling = table_rulings()[number]
    given: dict[str, str] = question.given.get("answers", {})
    _check(ruling, given)
    outcomes = [
        one
        for one in ruling.outcomes
        if all(given.get(name, some[0]) in some for name, some in one.answers.items())
    ]
    said = _different(outcomes)
    if len(said) == 1:
        return Answer(
            rules=question.rules, headline=_first_sentence(said[0].text), why=said
        )
    rows: list[tuple[str | int, ...]] = []
    for one in outcomes:
        words = [f"{text} {answer}." for text, answer in ruling.in_words(one)]
        rows.append((" ".join(words), one.says))
    return Answer(
        rules=question.rules,
        headline=ruling.question,
        why=said,
        columns=(COLUMNS["if"], COLUMNS["then"]),
        rows=tuple(rows),
        asks={
            one.name: (one.text, dict(one.answers))
            for one in ruling.ask
            if one.name not in given and _matters(one.name, outcomes)
        },
    )


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


def _check(ruling: TableRuling, given: dict[str, str]) -> None:
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
