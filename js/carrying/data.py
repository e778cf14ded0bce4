"""The data of the book, which Python reads from files and the JavaScript text contains.

A function that reads a file is not translated: it is called here, and its results are
written into the text. Such a function takes no argument or one name, and returns plain
values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import reduce
from importlib import import_module
from typing import Any, Final

import attrs

# Each such function, with the function that lists the names it takes, if it takes one.
GIVEN: Final[dict[str, str]] = {
    "refengine.lawbook.book.version": "",
    "refengine.lawbook.book.heading_fields": "",
    "refengine.lawbook.main_clauses.main_clauses": "",
    "refengine.lawbook.at_the_table.table_entries": "",
    "refengine.lawbook.profiles.profile_names": "",
    "refengine.lawbook.profiles.fields_in_file": (
        "refengine.lawbook.profiles.profile_names"
    ),
    "refengine.lawbook.spoken.spoken_fields": "",
    "refengine.lawbook.spoken.spoken_profile_fields": "",
    "refengine.rulings.templates.templates": "",
    "refengine.rulings.sentences.first_lines": "",
    "refengine.lawbook.editions.profile_fingerprint": (
        "refengine.lawbook.profiles.profile_names"
    ),
}


# Of the tables that these return, only those that are asked for by name are kept.
IN_PARTS: Final = frozenset({"refengine.rulings.templates.templates"})


@attrs.frozen
class Given:
    """A function whose results are written into the text.

    `called` is its name in JavaScript and `source` its name in Python. `parts` are the
    tables to keep if it returns more tables than are used.
    """

    called: str
    source: str
    parts: frozenset[str]


def data_text(functions: Iterable[Given]) -> str:
    """JavaScript that defines these functions, which return data."""
    return "\n".join(
        f"const {one.called} = {_answers(one.source, one.parts)};" for one in functions
    )


def _answers(source: str, parts: frozenset[str]) -> str:
    names = GIVEN[source]
    if not names:
        found = _function(source)()
        if source in IN_PARTS:
            found = {name: one for name, one in found.items() if name in parts}
        return f"$.kept(() => $.data({_read(found)}))"
    table = {name: _function(source)(name) for name in _function(names)()}
    return f"$.kept((name) => $.looked_up($.data({_read(table)}), name))"


def _function(name: str) -> Any:
    module, _, own = name.rpartition(".")
    return reduce(getattr, [own], import_module(module))


def _read(value: object) -> str:
    """A JavaScript expression that parses the value, which is faster than a literal."""
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    quoted = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"JSON.parse('{quoted}')"


def _plain(value: object) -> object:
    """The value for JSON; a table that JavaScript would reorder is a list of pairs.

    JavaScript puts keys that are digits before all others.
    """
    if isinstance(value, dict):
        inside = {key: _plain(one) for key, one in value.items()}
        if any(key.isdigit() for key in inside):
            return {"$": [list(pair) for pair in inside.items()]}
        return inside
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
