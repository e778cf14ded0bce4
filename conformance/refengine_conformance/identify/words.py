"""What an engine plays, in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from refengine.lawbook.options import Value, value_text
from refengine.lawbook.spoken import option_name, profile_said, rule_said
from refengine_conformance.identify.identify import Identified, Named
from refengine_conformance.runner.results import Outcome

_MOST_DECLINED: Final = 5


def sentences(found: Identified, command: Sequence[str]) -> Iterator[str]:
    """The lines that say what was found of the engine that this command starts."""
    games = f"{found.answered} of {found.asked} games answered"
    yield from _failures(found)
    if found.has_too_little:
        yield f"{games}: too few to tell which rules are played."
        for message, number in found.declined[:_MOST_DECLINED]:
            yield f"In {_games(number)} it said: {message}"
        yield (
            "--profile and --option name the rules that are sent to it, --players and "
            "--hands what is dealt."
        )
        return
    first = found.rulesets[0]
    if first.unexplained:
        yield from _nearest(found, first, games, command)
    else:
        yield from _rules(first, "It plays")
        begun = "the games"
        if first.explains < found.answered:
            begun = f"the {first.explains} games that can be begun with them"
        yield f"Under these rules everything in {begun} is right ({games})."
    if found.undecided:
        options = ", ".join(
            f"{option_name(name)} ({name}: {' or '.join(map(_value, values))})"
            for name, values in found.undecided
        )
        yield f"No game asked tells apart: {options}."


def _failures(found: Identified) -> Iterator[str]:
    """In which games the adapter failed, and how; what is found rests on the others."""
    for one in found.losses:
        if one.outcome == Outcome.ERROR:
            said = f"your adapter failed with {one.message}"
        else:
            said = one.message
        first = f"game {one.first}"
        where = first if one.games == 1 else f"{_games(one.games)}, first in {first}"
        yield f"In {where}, {said}"


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"


def _value(value: Value) -> str:
    return value_text(value) or "nothing"


def _rules(named: Named, begin: str) -> Iterator[str]:
    ruleset = named.ruleset
    title = profile_said(ruleset.profile)
    changed = ruleset.changed.items()
    end = ", with" if changed else "."
    yield f"{begin} {title}, {ruleset.players} players{end}"
    for name, value in changed:
        yield f"  {rule_said(name, value)}"


def _nearest(
    found: Identified, named: Named, games: str, command: Sequence[str]
) -> Iterator[str]:
    yield from _rules(named, "The nearest rules are")
    yield (
        f"Under these rules everything is right in {named.explains} of the games, and "
        f"something is wrong in {named.unexplained} ({games}): a bug, or a rule that "
        "the book does not have."
    )
    if found.is_guess:
        yield (
            "That is a guess: something is wrong in most games, whatever the rules are."
        )
    yield "This shows what is wrong:"
    told = [*found.nearest_table.flags(), "--", *command]
    yield f"  refengine conform run {shlex.join(told)}"
