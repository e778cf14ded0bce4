"""The skeleton of an adapter in each language, with the rules of one table in it.

Between its marks `<table>` and `</table>` a skeleton defines in its own language what
is put in here: each line that ends in an empty value gets the next of `_values`. What
an empty list has between its braces stays the last item.
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
from refengine.lawbook.options import OPTIONS, PASSES
from refengine_conformance.data import data
from refengine_conformance.runner.table import Table

_WIDTH: Final = 88
_MARK: Final = re.compile(r".*</?table>\n")
_EMPTY: Final = re.compile(r'(.* )(?:""|\d+)(;?)')
_EMPTY_LIST: Final = re.compile(r"(.* = [\w\[\]]*[\[{])(.*)([\]}];?)")
_LONGEST: Final = max(len(option.name) for option in OPTIONS)
_PLAIN_PASSES: Final = tuple(PASSES)[:3]


@attrs.frozen
class Language:
    """The file of a skeleton, the indent of its lists, and an option as an item."""

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
    """What the table of every skeleton says, in the order of its lines."""
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
    """The lines of a table with these values in place of the empty ones."""
    left = iter(values)
    for line in lines:
        if found := _EMPTY.fullmatch(line):
            head, foot = found.groups()
            yield f"{head}{json.dumps(next(left))}{foot}"
        elif found := _EMPTY_LIST.fullmatch(line):
            yield from _listed(language, next(left), *found.groups())
        else:
            yield line


def _listed(
    language: Language, value: Any, head: str, last: str, foot: str
) -> list[str]:
    """Options, each in a line of its own, or names, in one line if they fit."""
    end = [last] if last else []
    indent = language.indent
    if isinstance(value, dict):
        items = [language.option(name, one) for name, one in value.items()]
        return [head, *(f"{indent}{item}," for item in [*items, *end]), foot]
    names = ", ".join([*map(json.dumps, value), *end])
    if len(whole := f"{head}{names}{foot}") <= _WIDTH:
        return [whole]
    inner = textwrap.wrap(
        f"{names},", _WIDTH, initial_indent=indent, subsequent_indent=indent
    )
    return [head, *inner, foot]


def names_without_effect(ruleset: Ruleset) -> list[str]:
    """The options that make no difference, whatever value each of them has.

    Two options can silence one another, as a bonus card and its points do where there
    is neither; then one of them is not among these.
    """
    idle = ruleset.without_effect
    values = dict(ruleset.options)
    values |= {option.name: option.base for option in OPTIONS if option.name in idle}
    return [one.name for one in OPTIONS if one.name in idle and not one.bites(values)]


def capabilities_for(ruleset: Ruleset) -> list[str]:
    """What an adapter must be able to do for whole deals under this ruleset."""
    options = ruleset.options
    cycle = options["pass_cycle"]
    assert isinstance(cycle, tuple)
    passes_on = not {*_PLAIN_PASSES}.isdisjoint(cycle)
    needed = {
        "pass": passes_on or "mix" in cycle,
        "scatter": "scatter" in cycle,
        "mix": "mix" in cycle,
        "forward": passes_on and options["pass_unseen"] is True,
        "stock": options["undealt"] == "stock",
        "kitty": options["undealt"] == "kitty",
        "moon.choice": options["moon"] in ("choice_all", "choice_one"),
        "revokes": options["revokes"] == "penalised",
    }
    asked = [name for name, is_needed in needed.items() if is_needed]
    return ["step", "legal", "probe", "observe", *asked]
