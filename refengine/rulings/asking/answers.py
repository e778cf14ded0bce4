"""The class `Answer`, and an answer as plain JSON values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs

from refengine.game.rulesets import Ruleset
from refengine.game.values.cardset import Printer
from refengine.lawbook.book import headings, version
from refengine.lawbook.reading import Citation
from refengine.rulings.explain import (
    CardRuling,
    Ruling,
    clauses_cited_by,
    mattered_fields,
    ruling_fields,
    said_fields,
)
from refengine.rulings.relevance import Mattered
from refengine.rulings.sentences import Said
from refengine.rulings.templates import templates
from refengine.rulings.words import capital

HEADLINES: Final[dict[str, str]] = templates()["headlines"]


@attrs.frozen(kw_only=True)
class Answer:
    """What the book says in answer to a question.

    `headline` can be read out in one line. `verdict` is legal, irregular or refused, or
    empty if nothing is judged. `why` holds the reasons, `follows` the consequences,
    `mattered` the options on which the answer depends, and `granted` what was not said
    but is taken for granted. `rows` is a table under the headings in `columns`, if the
    answer needs one. `asks` holds what must still be known: for each name, a question
    and its possible answers. `ruling` is the ruling on a card, a hand or a draw;
    `of_hand` says whether it is on the whole hand. `named` is false if the question
    named no rules and the answer is about any, whatever `rules` are. As text, the
    answer is what `refengine explain` prints.
    """

    rules: Ruleset
    headline: str
    verdict: str = ""
    why: tuple[Said, ...] = ()
    follows: tuple[Said, ...] = ()
    mattered: tuple[Mattered, ...] = ()
    granted: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int, ...], ...] = ()
    asks: dict[str, tuple[str, dict[str, str]]] = attrs.field(factory=dict)
    ruling: Ruling | None = None
    of_hand: bool = False
    named: bool = True

    @property
    def cards(self) -> tuple[CardRuling, ...]:
        """The ruling on each card of the hand; empty if there is no `ruling`."""
        return () if self.ruling is None else self.ruling.cards

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that the answer cites, each once, in the order of the book."""
        told = [*self.why, *self.follows, *(one.sentence for one in self.mattered)]
        told += [sentence for card in self.cards for sentence in card.why]
        return clauses_cited_by(told)

    @property
    def cited(self) -> list[dict[str, str]]:
        """The number, citation and title of each of `clauses`, as JSON values."""
        return citations_of(self.clauses)

    @property
    def text(self) -> str:
        """The whole answer in lines of at most `WIDTH` characters, usually 88."""
        from refengine.rulings.asking.answer_text import answer_lines  # it imports this

        return "\n".join(answer_lines(self))

    def __str__(self) -> str:
        return self.text

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        printer.text(self.text)


def headline(name: str, **facts: object) -> str:
    """The headline of this name, filled in with `facts`, with an initial capital."""
    return capital(HEADLINES[name].format(**facts))


def citations_of(numbers: Sequence[str]) -> list[dict[str, str]]:
    """The number, citation and title of each of these clauses, as JSON values."""
    found = []
    for number in numbers:
        one = headings()[number]
        cited = str(Citation(number, version(), one.fingerprint))
        found.append({"clause": number, "citation": cited, "title": one.title})
    return found


def answer_fields(answer: Answer) -> dict[str, Any]:
    """The answer as plain JSON values."""
    fields: dict[str, Any] = {"granted": list(answer.granted)}
    if answer.ruling is not None:
        fields |= ruling_fields(answer.ruling)
    else:
        fields["cards"] = []
    fields["headline"] = answer.headline
    if answer.verdict:
        fields["verdict"] = answer.verdict
    fields["why"] = said_fields(answer.why)
    fields["mattered"] = mattered_fields(answer.mattered)
    fields["follows"] = said_fields(answer.follows)
    if answer.rows:
        fields["columns"] = list(answer.columns)
        fields["rows"] = [list(row) for row in answer.rows]
    if answer.asks:
        fields["asks"] = [
            {"name": name, "text": text, "answers": dict(answers)}
            for name, (text, answers) in answer.asks.items()
        ]
    fields["cited"] = citations_of(answer.clauses)
    return fields
