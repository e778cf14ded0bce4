"""The choices on the page that gives rulings: games, house rules and quarrels."""

from __future__ import annotations

from typing import Any

from booksite.marks import all_profiles
from booksite.options import known_values
from refengine.lawbook.at_the_table import TableRuling, table_rulings
from refengine.lawbook.book import clauses
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import OPTIONS, Option, Value, value_text
from refengine.lawbook.profiles import Profile
from refengine.lawbook.reading import chapter_of
from refengine.lawbook.spoken import option_name, profile_name, value_name


def offered() -> dict[str, Any]:
    """All the choices that the page offers, as data for its script.

    `games` holds the profiles, `rules` the options in the order of the book, each with
    its values as they are typed and as they are said, and `quarrels` the questions of
    chapter 10.
    """
    return {
        "games": list(map(_game, all_profiles())),
        "rules": list(map(_rule, OPTIONS)),
        "quarrels": list(map(_quarrel, table_rulings().values())),
    }


def _game(one: Profile) -> dict[str, Any]:
    """Data on a profile: names, numbers of players, values, options with an effect."""
    return {
        "name": one.name,
        "said": profile_name(one.name),
        "players": sorted({*one.players, *one.players_with_kitty}),
        "usual": one.usual_players,
        "values": {
            option.name: value_text(one.options[option.name]) for option in OPTIONS
        },
        "counts": [option.name for option in OPTIONS if option.bites(one.options)],
    }


def _rule(option: Option) -> dict[str, Any]:
    """Data on an option: its names, the chapters that it concerns, and its values."""
    return {
        "name": option.name,
        "said": option_name(option.name),
        "chapters": sorted({chapter_of(one) for one in main_clauses()[option.name]}),
        "values": [
            [value_text(value), value_name(option.name, value)]
            for value in _choices(option)
        ],
        "least": option.least,
        "most": option.most,
        "list": isinstance(option.base, tuple),
    }


def _choices(option: Option) -> list[Value]:
    """The values of an option that are not numbers.

    For an option whose values are lists, they are the lists that some profile has.
    """
    if isinstance(option.base, bool):
        return [True, False]
    return [value for value in known_values(option) if not isinstance(value, int)]


def _quarrel(one: TableRuling) -> dict[str, Any]:
    """Data on a quarrel: the question, other words for it, and what must be known."""
    return {
        "number": one.number,
        "title": clauses()[one.number].title,
        "question": one.question,
        "words": one.words,
        "ask": [
            [asked.name, asked.text, [*asked.answers.items()]] for asked in one.ask
        ],
    }
