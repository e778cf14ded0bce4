"""Cases of single clauses, answered on the page of their chapter.

The answer at a table where the clause counts is written here; the one at the reader's
own table is found on the page, by the rules in JavaScript, from the same question.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

import attrs

from booksite.marks import MOST_PLAYED, inline
from booksite.question_address import question_address
from refengine.game.rulesets import Ruleset
from refengine.lawbook.formal import Context
from refengine.lawbook.options import option_named, value_typed
from refengine.lawbook.profiles import profile, profile_names
from refengine.lawbook.spoken import (
    option_name,
    profile_name,
    rule_words,
    spoken_options,
    value_name,
)
from refengine.rulings.asking.ask import answer

FILE: Final = Path(__file__).resolve().parents[1] / "cases.toml"
MOST_PEOPLE: Final[dict[str, Any]] = {"profile": MOST_PLAYED, "players": 4}
"""Where a case says nothing of its table."""

_FILLED_UP: Final = ("taken", "totals", "tricks", "hands")
_NUMBERS: Final = {"number": "any number", "+": "any number but 0"}
_CARD: Final = re.compile(r"(?<![=\w])([2-9TJQKA])([CDSH])\b")
Json = dict[str, Any]


@attrs.frozen(kw_only=True)
class Case:
    """A question that shows what some clauses do.

    The answer under the rules of `under` cites `clauses`; `also` are others that it
    applies. `ask` may be of any length where that is the number of players.
    """

    clauses: tuple[str, ...]
    asked: str
    ask: Json
    also: tuple[str, ...] = ()
    under: Json = attrs.field(factory=lambda: MOST_PEOPLE)

    def question(self, players: int) -> Json:
        """The question for this many players, without the rules."""
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
    def answered(self) -> Json:
        """The question under the rules where its clauses count."""
        return {**self.question(self.under["players"]), "rules": self.under}

    @property
    def questions(self) -> Json:
        """The question by the number of players; under "" if it is always the same."""
        every = {str(count): self.question(count) for count in _numbers_of_players()}
        same = all(one == every["4"] for one in every.values())
        return {"": every["4"]} if same else every


def _numbers_of_players() -> list[int]:
    games = [profile(name) for name in profile_names()]
    return sorted({n for one in games for n in (*one.players, *one.players_with_kitty)})


@cache
def cases() -> tuple[Case, ...]:
    """All cases, in the order of the file."""
    rows = tomllib.loads(FILE.read_text("utf-8"))["case"]
    return tuple(
        Case(
            clauses=tuple(row["clauses"]),
            also=tuple(row.get("also", ())),
            asked=row["asked"],
            ask=row["ask"],
            under=row.get("under", MOST_PEOPLE),
        )
        for row in rows
    )


@cache
def used_where() -> dict[str, dict[str, tuple[str, ...]]]:
    """By the clause, the options that it needs, with the values of each that will do.

    A value is a word, an entry of a list, `number` for any number or `+` for any but 0.
    """
    found = tomllib.loads(FILE.read_text("utf-8"))["used_where"]
    return {
        number: {option: tuple(values) for option, values in wanted.items()}
        for number, wanted in found.items()
    }


# On the page


def cases_html(number: str) -> str:
    """The cases of a clause with their answers; empty if it has none."""
    found = [one for one in cases() if number in (*one.clauses, *one.also)]
    if not found:
        return ""
    rows = "".join(f"<li{asks(one.questions)}>{_case(one)}</li>" for one in found)
    return (
        '<section class="cases"><h4>At the table</h4>'
        f'<ul class="plain">{rows}</ul></section>'
    )


def _case(case: Case) -> str:
    table = Ruleset(
        case.under["profile"], case.under["players"], case.under.get("options", {})
    )
    words = [f"{profile_name(table.profile)}, {table.players} players"]
    words += [rule_words(name, table.options[name]) for name in table.changed]
    headline = answer(case.answered).headline
    address = escape(question_address(case.answered), quote=True)
    return (
        f'<p class="case-asked">{inline(case.asked)}</p>'
        f'<p class="case-answer"><span class="soft">{escape("; ".join(words))}:</span> '
        f"{in_colours(headline)} "
        f'<a class="ask-it" href="{address}">Ask for a ruling</a></p>'
    )


def asks(questions: Json) -> str:
    """The attribute that holds what is asked of the rules, by the number of players."""
    text = json.dumps(questions, ensure_ascii=False, separators=(",", ":"))
    return f' data-case="{escape(text, quote=True)}"'


def row_asks(row: Sequence[str], drawing: bool) -> str:
    """The same for a row of a table of examples, whatever its options are."""
    flags = Context.of_example(row[0], row[1], row[2]).flags
    question: Json = {"ask": "draw" if drawing else "hand", "hand": row[0]}
    if row[1]:
        question["trick"] = row[1]
    for flag in ("first_trick", "hearts_broken"):
        if flag in flags:
            question[flag] = True
    if "stock" not in flags:
        question["stock"] = 0
    if "drew" in flags:
        question["drew"] = row[0].split()[0]
    return asks({"": question})


def needs(number: str) -> str:
    """The attribute that says which options a clause needs; empty if none.

    Each entry has the option, the values that will do, and both in words.
    """
    wanted = used_where().get(number)
    if wanted is None:
        return ""
    rows = [
        [option, list(values), needed_words(option, values)]
        for option, values in wanted.items()
    ]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    return f' data-needs="{escape(text, quote=True)}"'


def needed_words(option: str, values: Sequence[str]) -> str:
    """An option with the values that will do, as people say them.

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
    """A sentence with its cards as on the page that rules, `10♣ Q♥`."""
    signs = {"C": "♣", "D": "♦", "S": "♠", "H": "♥"}

    def drawn(found: re.Match[str]) -> str:
        rank = "10" if found[1] == "T" else found[1]
        kind = f"in-text rf-{found[2].lower()}"
        return f'<span class="{kind}">{rank}{signs[found[2]]}</span>'

    return _CARD.sub(drawn, escape(text, quote=False))
