"""Makes the source of an adapter, in any of several languages, for one ruleset.

The skeleton of an adapter contains lines between the marks `<table>` and `</table>`
that define a table with empty values, in the language of the skeleton. Each empty value
is replaced by the next of `_values`. An item that a list already contains stays there,
as the last item.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs

from refengine.formats.fields import ruleset_fields
from refengine.formats.trace import spec_version
from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import OPTIONS
from refengine.lawbook.pass_words import passes_at_table
from refengine_conformance.data import data
from refengine_conformance.runner.table import Table

_WIDTH: Final = 88
_MARK: Final = re.compile(r".*</?table>\n")
_EMPTY: Final = re.compile(r'(.* )(?:""|\d+)(;?)')
_EMPTY_LIST: Final = re.compile(r"(.* = [\w\[\]]*[\[{])(.*)([\]}];?)")
_LONGEST: Final = max(len(option.name) for option in OPTIONS)
_IN_PACKETS: Final = frozenset(["left", "right", "across", "mix"])


@attrs.frozen
class Language:
    """How to write the table in a language: the skeleton's file and the form of lists.

    `indent` precedes each item of a list. `option` returns the list item for an option,
    given its name and its value.
    """

    file: str
    indent: str
    option: Callable[[str, object], str]


def _c_option(name: str, value: object) -> str:
    dense = json.dumps(value, separators=(",", ":"))
    return f"{{{json.dumps(name)}, {json.dumps(dense)}}}"


def _go_option(name: str, value: object) -> str:
    key = f"{json.dumps(name)}:"
    return f"{key:{_LONGEST + 3}} `{json.dumps(value)}`"


def _javascript_option(name: str, value: object) -> str:
    return f"{name}: {json.dumps(value)}"


def _python_option(name: str, value: object) -> str:
    written = repr(value) if isinstance(value, bool) else json.dumps(value)
    return f"{json.dumps(name)}: {written}"


LANGUAGES: Final = {
    "c": Language("skeleton.c", "    ", _c_option),
    "go": Language("skeleton.go", "\t", _go_option),
    "js": Language("skeleton.mjs", "  ", _javascript_option),
    "python": Language("skeleton.py", "    ", _python_option),
}


def skeleton_text(language: str, ruleset: Ruleset) -> str:
    """The source of an adapter for an engine that plays this one ruleset."""
    written = LANGUAGES[language]
    text = data("adapters", written.file).read_text("utf-8")
    head, table, tail = _MARK.split(text)
    lines = _filled(table.splitlines(), _values(ruleset), written)
    return "".join([head, *(f"{line}\n" for line in lines), tail])


def _values(ruleset: Ruleset) -> Sequence[Any]:
    """The values to put into the table, in the order of the lines of every skeleton."""
    return (
        spec_version(),
        ruleset.profile,
        ruleset.players,
        Table(ruleset=ruleset).full_hand,
        ruleset_fields(ruleset, every=True)["options"],
        [*ruleset.changed],
        names_without_effect(ruleset),
        capabilities_for(ruleset),
    )


def _filled(
    lines: Sequence[str], values: Sequence[Any], language: Language
) -> Iterator[str]:
    """The lines of a table, with each empty value replaced by the next of `values`."""
    left = iter(values)
    for line in lines:
        if scalar := _EMPTY.fullmatch(line):
            head, foot = scalar.groups()
            yield f"{head}{json.dumps(next(left))}{foot}"
        elif empty_list := _EMPTY_LIST.fullmatch(line):
            head, last, foot = empty_list.groups()
            end = [last] if last else []
            listed = next(left)
            if isinstance(listed, dict):
                items = [language.option(name, one) for name, one in listed.items()]
                own_lines = [f"{language.indent}{item}," for item in [*items, *end]]
                yield from (head, *own_lines, foot)
            else:
                names = ", ".join([*map(json.dumps, listed), *end])
                yield from _lines_of_names(head, names, foot, language.indent)
        else:
            yield line


def _lines_of_names(head: str, names: str, foot: str, indent: str) -> list[str]:
    """A list of names as source: on one line if it fits, otherwise on several.

    `head` and `foot` are what precedes and follows the names.
    """
    whole = f"{head}{names}{foot}"
    if len(whole) <= _WIDTH:
        return [whole]
    wrapped = textwrap.wrap(
        f"{names},", _WIDTH, initial_indent=indent, subsequent_indent=indent
    )
    return [head, *wrapped, foot]


def names_without_effect(ruleset: Ruleset) -> list[str]:
    """The options that make no difference under this ruleset, whatever their values.

    Sometimes each of two options makes the other irrelevant: without a bonus card, its
    points do not matter, and if they are 0, the card does not matter. Only one of two
    such options is named.
    """
    idle = ruleset.without_effect
    values = dict(ruleset.options)
    values |= {option.name: option.base for option in OPTIONS if option.name in idle}
    return [one.name for one in OPTIONS if one.name in idle and not one.bites(values)]


def capabilities_for(ruleset: Ruleset) -> list[str]:
    """The capabilities that an adapter made from a skeleton needs under this ruleset.

    Those for a scatter, and for passing cards on without seeing them, are not included:
    a skeleton gives the engine the packets of all seats at once, so it cannot support
    either.
    """
    options = ruleset.options
    passes = passes_at_table(options["pass_cycle"], ruleset.players)
    needed = {
        "pass": not _IN_PACKETS.isdisjoint(passes),
        "mix": "mix" in passes,
        "stock": options["undealt"] == "stock",
        "kitty": options["undealt"] == "kitty",
        "moon.choice": options["moon"] in ("choice_all", "choice_one"),
        "revokes": options["revokes"] == "penalised",
    }
    asked = [name for name, is_needed in needed.items() if is_needed]
    return ["step", "legal", "probe", "observe", *asked]
