"""Example questions for single clauses, answered on the page of the chapter.

The answer for a table where the clause has an effect is written here. The answer for
the reader's own table is worked out on the page, from the same question, by the rules
in JavaScript.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final

import attrs

from booksite.elements import element, link, soft, titled
from booksite.faces import in_suits
from booksite.games import ruleset_words
from booksite.marks import MOST_PLAYED, all_profiles, inline
from booksite.question_address import question_address
from refengine.formats.fields import ruleset_fields
from refengine.game.rulesets import Ruleset
from refengine.lawbook.formal import Context
from refengine.lawbook.options import option_named, value_typed
from refengine.lawbook.spoken import option_name, spoken_options, value_name
from refengine.rulings.asking.ask import answer

FILE: Final = Path(__file__).resolve().parents[1] / "cases.toml"
MOST_PEOPLE: Final[dict[str, Any]] = {"profile": MOST_PLAYED, "players": 4}
"""The table of a case that does not name one."""

_FILLED_UP: Final = ("taken", "totals", "tricks", "hands")
_NUMBERS: Final = {"number": "any number", "+": "any number but 0"}
_CARD: Final = re.compile(r"(?<![=\w])([2-9TJQKA])([CDSH])\b")
Json = dict[str, Any]


@attrs.frozen(kw_only=True)
class Case:
    """A question whose answer shows what some clauses do.

    The answer under the rules in `under` cites `clauses`; `also` holds other clauses
    that the answer applies. A list in `ask` with an entry for each player is cut short,
    or its last entry repeated, to fit the number of players.
    """

    asked: str
    ask: Json
    clauses: list[str]
    also: list[str] = attrs.field(factory=list)
    under: Json = attrs.field(factory=lambda: MOST_PEOPLE)

    def question(self, players: int) -> Json:
        """The question as JSON for this number of players, without any rules."""
        found: Json = {}
        for key, value in self.ask.items():
            if key == "trick" and isinstance(value, list):
                found[key] = " ".join(value[:players])
            elif key in _FILLED_UP:
                found[key] = (value + value[-1:] * players)[:players]
            else:
                found[key] = value
        return found

    @property
    def table(self) -> Ruleset:
        """The ruleset under which the clauses of the case have an effect."""
        return Ruleset(**self.under)

    @property
    def answered(self) -> Json:
        """The question as JSON together with the rules in `under`."""
        return {**self.question(self.table.players), "rules": self.under}

    @property
    def questions(self) -> Json:
        """The question for each number of players, keyed by that number.

        If it is the same for all, the only key is "".
        """
        every = {str(count): self.question(count) for count in _numbers_of_players()}
        same = all(one == every["4"] for one in every.values())
        return {"": every["4"]} if same else every


def _numbers_of_players() -> list[int]:
    counts = ((*one.players, *one.players_with_kitty) for one in all_profiles())
    return sorted({*chain.from_iterable(counts)})


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the file."""
    return tuple(Case(**row) for row in _file()["case"])


def used_where() -> dict[str, dict[str, list[str]]]:
    """For each clause, the options on which it depends and the values that it needs.

    A value is a word, an entry in a list, `number` for any number, or `+` for any
    number but 0.
    """
    found: dict[str, dict[str, list[str]]] = _file()["used_where"]
    return found


@cache
def _file() -> Json:
    return tomllib.loads(FILE.read_text("utf-8"))


# On the page


def cases_html(number: str) -> str:
    """The HTML of a clause's cases with their answers; empty if it has none."""
    found = [one for one in cases() if number in (*one.clauses, *one.also)]
    if not found:
        return ""
    rows = "".join(f"<li{asks(one.questions)}>{_case(one)}</li>" for one in found)
    return titled("section", "cases", "At the table", element("ul", rows, "plain"))


def _case(case: Case) -> str:
    words = f"{ruleset_words(ruleset_fields(case.table))}:"
    ask = link(question_address(case.answered), "Ask for a ruling", "ask-it")
    return (
        f'<p class="case-asked">{inline(case.asked)}</p>'
        f'<p class="case-answer">{soft(escape(words))} '
        f"{in_colours(answer(case.answered).headline)} {ask}</p>"
    )


def asks(questions: Json) -> str:
    """An HTML attribute with questions for the rules, keyed by number of players."""
    return _holding("data-case", questions)


def _holding(name: str, data: object) -> str:
    """An HTML attribute of this name that holds data for the scripts of the page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f' {name}="{escape(text)}"'


def row_asks(row: Sequence[str], drawing: bool) -> str:
    """An HTML attribute with the question that a row of a table of examples answers.

    The options that the row names are left out.
    """
    flags = Context.of_example(row[0], row[1], row[2]).flags
    question: Json = {"ask": "draw" if drawing else "hand", "hand": row[0]}
    if row[1]:
        question["trick"] = row[1]
    question |= {one: True for one in ("first_trick", "hearts_broken") if one in flags}
    if "stock" not in flags:
        question["stock"] = 0
    if "drew" in flags:
        question["drew"] = row[0].split()[0]
    return asks({"": question})


def needs(number: str) -> str:
    """An HTML attribute with the options that a clause needs; empty if it needs none.

    Each entry holds the option, the values that will do, and both in words.
    """
    wanted = used_where().get(number, {})
    rows = [
        [option, values, needed_words(option, values)]
        for option, values in wanted.items()
    ]
    return _holding("data-needs", rows) if rows else ""


def needed_words(option: str, values: Sequence[str]) -> str:
    """The everyday names of an option and of the values that will do.

    >>> needed_words("opening_card", ["lowest_club", "any_club"])
    'First card led: the lowest club, or any club'
    """
    named = option_named(option)
    said = [
        spoken_options()[option].number.format(_NUMBERS[text])
        if text in _NUMBERS
        else value_name(option, named.read(value_typed(named, text)))
        for text in values
    ]
    listed = ", ".join(said[:-1])
    return f"{option_name(option)}: {f'{listed}, or ' if listed else ''}{said[-1]}"


def in_colours(text: str) -> str:
    """The HTML of a sentence with its cards in colour, such as `10♣ Q♥`.

    The cards look as they do on the page that gives rulings.
    """

    def drawn(found: re.Match[str]) -> str:
        suit = found[2].lower()
        return element("span", in_suits(found[0]), f"in-text rf-{suit}")

    return _CARD.sub(drawn, escape(text, quote=False))
