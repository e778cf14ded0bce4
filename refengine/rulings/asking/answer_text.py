"""The text of an answer for a terminal: headline, table and reasons with clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from refengine.rulings.asking.answers import Answer
from refengine.rulings.explain import clauses_cited_by
from refengine.rulings.page_width import WIDTH
from refengine.rulings.ruling_text import (
    citation_lines,
    granted_lines,
    hand_lines,
    ruleset_words,
    ruling_lines,
    section_lines,
    situation_lines,
    wrapped_lines,
)
from refengine.rulings.sentences import SECTIONS


def answer_lines(answer: Answer) -> Iterator[str]:
    """The whole answer in lines of at most `WIDTH` characters."""
    ruling = answer.ruling
    if ruling is not None and answer.of_hand:
        yield from wrapped_lines(answer.headline, "")
        yield ""
        yield from situation_lines(ruling.before, ruling.act.seat, answer.granted)
        yield from hand_lines(ruling.cards)
        reasons = [one for card in ruling.cards for one in card.why]
        yield from citation_lines(clauses_cited_by(reasons))
        return
    if ruling is not None:
        yield from ruling_lines(ruling, answer.granted)
        return
    yield from wrapped_lines(answer.headline, "")
    yield ""
    if answer.named:
        rules = ruleset_words(answer.rules)
        yield from wrapped_lines(f"{SECTIONS['rules']}: {rules}.")
    if answer.granted:
        yield from granted_lines(answer.granted)
    if answer.rows and not _is_quarrel(answer):
        yield ""
        yield from _table(answer.columns, answer.rows)
    yield from _asked(answer)
    heading = SECTIONS["possible" if _is_quarrel(answer) else "why"]
    yield from section_lines(heading, answer.why)
    yield from section_lines(SECTIONS["follows"], answer.follows)
    yield from section_lines(
        SECTIONS["mattered"], [one.sentence for one in answer.mattered]
    )
    yield from citation_lines(answer.clauses)


def _is_quarrel(answer: Answer) -> bool:
    """Whether the rows list the possible outcomes of a quarrel, not numbers by seat."""
    return len(answer.asks) > 0 and isinstance(answer.rows[0][0], str)


def _asked(answer: Answer) -> Iterator[str]:
    """The lines for the questions still open, with what to type for each answer."""
    if not answer.asks:
        return
    yield ""
    yield SECTIONS["depends"]
    for name, (text, answers) in answer.asks.items():
        flag = f"--answer {name}=" if _is_quarrel(answer) else f"--{name} "
        yield from wrapped_lines(text)
        for short, words in answers.items():
            yield from wrapped_lines(f"{flag}{short}: {words}", "    ")


def _table(
    columns: Sequence[str], rows: Sequence[Sequence[str | int]]
) -> Iterator[str]:
    """The lines of the table, with numbers right-aligned except in the first column.

    A table that is too wide is given as a paragraph for each row instead.
    """
    cells = [list(columns), *([str(one) for one in row] for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    if sum(widths) + 2 * len(widths) > WIDTH.get():
        for row in cells[1:]:
            said = [f"{columns[at]} {text}" for at, text in enumerate(row)]
            yield from wrapped_lines("; ".join(said), "  ", "    ")
        return
    for row in cells:
        padded = []
        for at, text in enumerate(row):
            number = isinstance(rows[0][at], int) and at > 0
            padded.append(text.rjust(widths[at]) if number else text.ljust(widths[at]))
        yield f"  {'  '.join(padded)}".rstrip()
