"""What the page that rules offers to choose from: games, house rules and quarrels."""

from __future__ import annotations

import json
from typing import Any

from booksite.tables import all_profiles
from refengine.lawbook.at_the_table import table_rulings
from refengine.lawbook.book import clauses
from refengine.lawbook.main_clauses import main_clauses
from refengine.lawbook.options import OPTIONS, Option, Value, value_text
from refengine.lawbook.profiles import Profile
from refengine.lawbook.reading import chapter_of
from refengine.lawbook.spoken import option_name, profile_name, value_name


def asking_script() -> str:
    """All that can be chosen on the page, as a script.

    `games` holds the profiles and `rules` the options in the order of the book, each
    value as it is typed and as it is said; `quarrels` the questions of chapter 10.
    """
    data = {
        "games": [_game(one) for one in all_profiles()],
        "rules": [_rule(option) for option in OPTIONS],
        "quarrels": [
            {"number": number, "title": clauses()[number].title, **_asked(number)}
            for number in table_rulings()
        ],
    }
    return f"window.REFENGINE_ASKING={json.dumps(data, ensure_ascii=False)};\n"


def _game(one: Profile) -> dict[str, Any]:
    """A profile: its names, numbers of players, values, and what has an effect."""
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
    """An option: its name, the chapters that it is about, and what it can be."""
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
    """The values that are words; of a list, those that a profile has."""
    if isinstance(option.base, bool):
        return [True, False]
    if isinstance(option.base, tuple):
        played = (one.options[option.name] for one in all_profiles())
        return list(dict.fromkeys(played))
    return list(option.words)


def _asked(number: str) -> dict[str, Any]:
    """A quarrel: its question, what people say for it, and what has to be known."""
    one = table_rulings()[number]
    return {
        "question": one.question,
        "words": list(one.words),
        "ask": [
            [asked.name, asked.text, [[*pair] for pair in asked.answers.items()]]
            for asked in one.ask
        ],
    }
