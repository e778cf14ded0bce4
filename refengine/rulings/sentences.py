"""The sentences of a ruling, made from templates and facts, with the clauses they cite.

Their words are in `sentences.toml`. The engine determines which sentences apply and
which facts fill them in.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import attrs

from refengine.lawbook import book
from refengine.rulings.templates import templates
from refengine.rulings.words import capital


@attrs.frozen
class Said:
    """One sentence of a ruling, and the clauses that it cites."""

    text: str
    clauses: tuple[str, ...]

    def __str__(self) -> str:
        beside = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{self.text}{beside}"


def said_in(template: Sequence[str]) -> Said:
    """The sentence of a template that has no slots to be filled.

    The template holds the text, followed by the clauses.
    """
    text, *clauses = template
    return Said(text, tuple(clauses))


def sentence_of(template: str, *clauses: str, **facts: object) -> Said:
    """A template filled in with these facts, as a sentence with an initial capital."""
    text = template.format(**facts)
    return Said(capital(text), clauses)


# Why an act is refused, or irregular: one sentence for each clause that can be named.
WHY_NOT: Final[dict[str, str]] = templates()["why_not"]

# Why a card may be played: the sentence, and the clause that says so.
WHY: Final[dict[str, list[str]]] = templates()["why"]

# How a ruling is announced, before the reasons.
_RULED: Final = templates()["ruled"]
RULED_LEGAL: Final[str] = _RULED["legal"]
RULED_IRREGULAR: Final[str] = _RULED["irregular"]
UNCHANGED: Final[str] = _RULED["unchanged"]
HOW_TO_READ: Final = said_in(_RULED["how_to_read"])

# The option values that mattered.
MATTERED: Final[dict[str, str]] = templates()["mattered"]
OUTCOMES: Final[dict[str, str]] = templates()["outcomes"]

# What follows: the sentence, and the clauses that say so.
FOLLOWS: Final[dict[str, list[str]]] = templates()["follows"]

# Reasons and consequences in answers that do not concern an act.
ANSWERED: Final[dict[str, list[str]]] = templates()["answered"]

# Headings; what fills slots; what is granted; what a question may hold.
SECTIONS: Final[dict[str, str]] = templates()["sections"]
FACTS: Final[dict[str, str]] = templates()["facts"]
GRANTED: Final[dict[str, str]] = templates()["granted"]
ALLOWED: Final[dict[str, str]] = templates()["allowed"]

# Words within answers, and the heads of tables.
WORDS: Final[dict[str, str]] = templates()["asked_words"]
COLUMNS: Final[dict[str, str]] = templates()["columns"]

# What is said of a whole game.
GAME: Final[dict[str, str]] = templates()["game"]
DIFFERS: Final[dict[str, str]] = templates()["differs"]
STATED: Final[dict[str, str]] = templates()["stated"]


def game_sentence(event: str, *clauses: str, **facts: object) -> Said:
    """A sentence about a whole game, without a capital added."""
    return Said(GAME[event].format(**facts), clauses)


def whole_sentence(event: str, *clauses: str, **facts: object) -> Said:
    """A sentence about a whole game that can stand alone, with an initial capital."""
    return sentence_of(GAME[event], *clauses, **facts)


@cache
def first_lines() -> dict[str, str]:
    """The first line of each clause that forbids something and has no template."""
    return {
        number: one.text.splitlines()[0]
        for number, one in book.clauses().items()
        if one.kind == "forbid" and number not in WHY_NOT
    }


def why_forbidden(clause: str, **facts: object) -> Said:
    """The sentence on why this clause forbids an act.

    It comes from the template of the clause or, if there is none, is the first line of
    the clause itself.
    """
    template = WHY_NOT.get(clause)
    if template is None:
        return Said(first_lines()[clause], (clause,))
    return sentence_of(template, clause, **facts)


def why_allowed(reason: str, **facts: object) -> Said:
    """The sentence on this reason why a card may be played or another act allowed."""
    return _cited_sentence(WHY[reason], facts)


def consequence_sentence(event: str, **facts: object) -> Said:
    """The sentence on this consequence of an act, filled in with these facts."""
    return _cited_sentence(FOLLOWS[event], facts)


def answer_sentence(event: str, **facts: object) -> Said:
    """The sentence of this name in an answer, filled in with these facts."""
    return _cited_sentence(ANSWERED[event], facts)


def _cited_sentence(found_template: list[str], facts: dict[str, object]) -> Said:
    template, *clauses = found_template
    found = [clause.format(**facts) for clause in clauses]
    return sentence_of(template, *(clause for clause in found if clause), **facts)
