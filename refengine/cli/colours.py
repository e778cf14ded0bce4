"""Styles that make answers, headings and verdicts stand out in a terminal.

The lines are the same as in a file, but styled; click leaves out the colours if they
are not wanted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

import click

from refengine.cli.screen import head, soft
from refengine.rulings.sentences import SECTIONS

_OF_VERDICT: Final = {"legal": "green", "irregular": "yellow", "refused": "red"}
_OF_CARD: Final = {"yes": "legal", "revoke": "irregular", "no": "refused"}
_CARD: Final = re.compile(rf"(  \S\S  )({'|'.join(_OF_CARD)})(?= )")
_CITED: Final = re.compile(r" \[[\da-z., ]+\]$")


def outcome(text: str, verdict: str) -> str:
    """The text in bold, and in the colour of the verdict if `verdict` names one."""
    return click.style(text, bold=True, fg=_OF_VERDICT.get(verdict))


def right(text: str) -> str:
    """The text in bold green, which says that all is well."""
    return outcome(text, "legal")


def wrong(text: str) -> str:
    """The text in bold red, which says that something is wrong."""
    return outcome(text, "refused")


def ruling_in_colours(lines: Iterable[str], verdict: str) -> Iterator[str]:
    """The lines of a ruling or an answer, styled for a terminal.

    The headline extends to the first empty line.
    """
    headline = True
    for line in lines:
        headline = headline and line != ""
        if headline:
            yield outcome(line, verdict)
        elif line in SECTIONS.values():
            yield head(line)
        else:
            yield _sentence_in_colours(line)


def _sentence_in_colours(line: str) -> str:
    cited = _CITED.search(line)
    if cited:
        line = line[: cited.start()] + soft(cited[0])
    return _CARD.sub(lambda one: one[1] + outcome(one[2], _OF_CARD[one[2]]), line, 1)


def report_in_colours(text: str, headings: Iterable[str], passed: bool) -> str:
    """The text of a report with its headings and its last line, the verdict, styled."""
    named = set(headings)
    *lines, last = text.splitlines()
    styled = [head(line) if line in named else line for line in lines]
    return "\n".join([*styled, right(last) if passed else wrong(last)]) + "\n"
