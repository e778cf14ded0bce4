"""Puts into words by which rules an engine was found to play."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from refengine.game.rulesets import Ruleset
from refengine.lawbook.options import Value, value_text
from refengine.lawbook.spoken import option_name, profile_said, rule_said
from refengine_conformance.identify.identify import Identified
from refengine_conformance.report.run_in_words import games_said
from refengine_conformance.runner.results import Outcome

_MOST_DECLINED: Final = 5


def sentences(found: Identified, command: Sequence[str]) -> Iterator[str]:
    """The lines of a report on the rules that were found.

    `command` is the one by which the engine was started.
    """
    games = f"{found.answered} of {found.asked} games answered"
    yield from _failures(found)
    if found.has_too_little:
        if not found.asked:
            yield "It cannot be led, since it does not declare `legal` and `step`."
            return
        yield f"{games}: too few to tell which rules are played."
        for message, number in found.declined[:_MOST_DECLINED]:
            yield f"In {games_said(number)} it said: {message}"
        yield (
            "--profile and --option name the rules that are sent to it, --players and "
            "--hands what is dealt."
        )
        return
    first = found.rulesets[0]
    if first.unexplained:
        yield from _nearest(found, games, command)
    else:
        yield from _rules(first.ruleset, "It plays")
        what = "everything in the games"
        if first.explains < found.answered:
            begun = f"the {first.explains} games that can be begun with them"
            what = f"everything in {begun}"
        if found.losses:
            what = "all that it answered before it failed"
        yield f"Under these rules {what} is right ({games})."
    if found.undecided:
        options = ", ".join(
            f"{option_name(name)} ({name}: {' or '.join(map(_value, values))})"
            for name, values in found.undecided
        )
        yield f"No game that was asked can tell these apart: {options}."


def _failures(found: Identified) -> Iterator[str]:
    """A line for each way in which the adapter failed, with the first game affected.

    If several games were affected, it also says how many.
    """
    for loss in found.losses:
        first = f"game {loss.first}"
        several = f"{games_said(loss.games)}, first in {first}"
        where = first if loss.games == 1 else several
        if loss.outcome == Outcome.ERROR:
            yield f"In {where}, your adapter failed with {loss.message}"
        else:
            yield f"In {where}, {loss.message}"


def _value(value: Value) -> str:
    """The value of an option in words; `nothing` for an empty list."""
    return value_text(value) or "nothing"


def _rules(ruleset: Ruleset, begin: str) -> Iterator[str]:
    """The lines that name a ruleset: `begin` with its profile, and then its changes."""
    title = profile_said(ruleset.profile)
    changed = ruleset.changed.items()
    end = ", with" if changed else "."
    yield f"{begin} {title}, {ruleset.players} players{end}"
    for name, value in changed:
        yield f"  {rule_said(name, value)}"


def _nearest(found: Identified, games: str, command: Sequence[str]) -> Iterator[str]:
    """The lines about the nearest rules, with the command that shows what is wrong.

    `games` says how many games were answered.
    """
    nearest = found.rulesets[0]
    yield from _rules(nearest.ruleset, "The nearest rules are")
    yield (
        f"Under these rules everything is right in {nearest.explains} of the games, "
        f"and something is wrong in {nearest.unexplained} ({games}): a bug, or a rule "
        "that the book does not have."
    )
    if found.is_guess:
        yield (
            "That is a guess: something is wrong in most games, whatever the rules are."
        )
    yield "This shows what is wrong:"
    told = [*found.nearest_table.flags(), "--", *command]
    yield f"  refengine conform run {shlex.join(told)}"
