"""Adds rows to the table of options in clause 0.4, for options that it lacks.

This is a part of `refengine conform registry`. A row that is already in the table stays
as it was written; the check of the registry compares it with the option.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from refengine.lawbook.options import Option, Value, value_text
from refengine.lawbook.reading import Passage

FILE: Final = "0-reading.md"
_TABLE: Final = re.compile(
    r"(?<=^\| option \| values \| base value \| main clauses \|\n"
    r"\| --- \| --- \| --- \| --- \|\n)(?:\|.*\n)*",
    re.MULTILINE,
)
_ROW: Final = re.compile(r"\| (\w+) \|.*\n")


def with_all_options(
    text: str, options: Iterable[Option], passages: Sequence[Passage]
) -> str:
    """A chapter's text, with a row in its table for each of these options, in order.

    All other rows, and repeated rows for one option, go to the top, where the check of
    the registry finds them. A chapter without the table is returned as it is.
    """
    table = _TABLE.search(text)
    if table is None:
        return text
    written: dict[str, str] = {}
    others: list[str] = []
    known = {option.name: option for option in options}
    for line in table[0].splitlines(keepends=True):
        row = _ROW.fullmatch(line)
        if row is None or row[1] not in known or row[1] in written:
            others.append(line)
        else:
            written[row[1]] = line
    rows = [
        written.get(name) or _new_row(option, passages)
        for name, option in known.items()
    ]
    return "".join([text[: table.start()], *others, *rows, text[table.end() :]])


def _new_row(option: Option, passages: Sequence[Passage]) -> str:
    """The row for an option; it names the clauses that list the option."""
    main = [one.number for one in passages if option.name in one.options]
    return f"| {' | '.join([option.name, *cells(option), ', '.join(main)])} |\n"


def cells(option: Option) -> tuple[str, str]:
    """The contents of two cells for an option: its values, and its base value."""
    if isinstance(option.base, bool):
        return "true, false", value_text(option.base)
    words = [_word(option, word) for word in option.words]
    if isinstance(option.base, tuple):
        return f"a list of {', '.join(words)}", "the empty list"
    if option.least is not None:
        numbers = f"{_number(option.least)} to {_number(option.most)}"
        words.insert(0 if isinstance(option.base, int) else len(words), numbers)
    return ", ".join(words), _word(option, option.base)


def _word(option: Option, value: Value) -> str:
    """A value of an option, as it is written in the table.

    Words are quoted if the option also takes numbers, or if some words are cards.
    """
    if isinstance(value, int):
        return _number(value)
    has_cards = not all(map(str.islower, option.words))
    return f'"{value}"' if option.least is not None or has_cards else str(value)


def _number(value: int) -> str:
    return str(value).replace("-", "−")
