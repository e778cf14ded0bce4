"""How strong the games of a table are: which designed mutants they kill.

A mutant whose function never runs at a table, or whose option has another value there,
cannot be told from the book at that table. In a worker.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import attrs
import msgspec

from refengine.chapters.table import PLAYING
from refengine.formats.fields import normal_state_fields
from refengine.formats.protocol import TableObject
from refengine.formats.trace import write_trace
from refengine.game.acts import Act
from refengine.game.rulesets import Ruleset
from refengine.game.values.state import State
from refengine.machine.due import position_of
from refengine.machine.position import playable
from refengine_conformance.corpus_tools import evidence
from refengine_conformance.generators.strategies import Script, recorded
from refengine_conformance.mutants import catalogue, loading
from refengine_conformance.mutants.answers import answering_otherwise
from refengine_conformance.mutants.calls import functions_called
from refengine_conformance.runner.table import Table, table_of
from refengine_conformance.tables.candidates import random_game
from refengine_conformance.tables.slim_lines import slim_line

_PATIENCE = 5.0  # seconds of processor time for one game


def table_with_fields(fields: dict[str, Any]) -> Table:
    """The table that `Table.fields` gave these fields."""
    return table_of(msgspec.convert(fields, TableObject), fields["players"][0])


def mutants_in_use(
    task: tuple[dict[str, Any], int, int, tuple[str, ...]],
) -> dict[str, str]:
    """Of these mutants, those that cannot matter at the table, and why.

    `task` has the table, the seed, a number of random games and the mutants.
    """
    fields, seed, games, names = task
    table = table_with_fields(fields)
    called: set[str] = set()
    for number in range(games):
        script = random_game(table, seed, number)
        called.update(functions_called(recorded, script))
    trace = recorded(random_game(table, seed, 0))
    found = {}
    for name in names:
        if not evidence.may_matter(name, trace):
            found[name] = "its option does not have this value at the table"
        elif not any(
            edit.function in called or _at_opening(edit.function)
            for edit in catalogue.mutant_with_id(name).edits
        ):
            found[name] = "its function never runs at the table"
    return found


def _at_opening(function: str) -> bool:
    return function == "rulesets.checked_rules"


def killed_by_lines(
    task: tuple[tuple[str, ...], tuple[str, ...]],
) -> dict[str, str]:
    """For each of these mutants that one of the lines kills, the first such line.

    `task` has the lines, traces and mini-deals, and the mutants.
    """
    lines, names = task
    cases = [evidence.case_of(line.encode()) for line in lines]
    found = {}
    for name in names:
        with loading.run_as_mutant(name):
            for case in cases:
                if evidence.may_matter(name, case) and evidence.first_divergence(case):
                    found[name] = case.id
                    break
    return found


@attrs.frozen
class _Heard:
    """A game as in the book: before each act the cards allowed, and the end."""

    script: Script
    acts: tuple[Act, ...]
    allowed: tuple[int, ...]
    end: dict[str, Any]


def _heard(script: Script) -> _Heard:
    state = State.open(script.ruleset, script.start)
    allowed = []
    for move in script.moves:
        allowed.append(_allowed(state))
        state = state.apply(move.act)
    acts = tuple(move.act for move in script.moves)
    return _Heard(script, acts, tuple(allowed), normal_state_fields(state))


def _allowed(state: State) -> int:
    if state.core.phase != PLAYING:
        return -1
    return int(playable(state.core.rules, position_of(state.core)))


def killed_by_random_games(
    task: tuple[dict[str, Any], int, int, int, tuple[str, ...]],
) -> dict[str, int]:
    """For each of these mutants that a random game kills, the number of the first.

    `task` has the table, the seed, the number of the first game, the number after the
    last, and the names of the mutants.
    """
    fields, seed, start, stop, names = task
    table = table_with_fields(fields)
    found: dict[str, int] = {}
    for number in range(start, stop):
        game = _heard(random_game(table, seed, number))
        left = [name for name in names if name not in found]
        for name in answering_otherwise(partial(_replayed, game), left):
            with loading.run_as_mutant(name):
                if _goes_wrong(game):
                    found[name] = number
    return found


def goes_wrong_at(task: tuple[dict[str, Any], int, int, int, tuple[str, ...]]) -> bool:
    """Whether one of these random games shows one of these mutants.

    The mutants are tried one after the other, each on every game.
    """
    fields, seed, start, stop, names = task
    table = table_with_fields(fields)
    games = [_heard(random_game(table, seed, number)) for number in range(start, stop)]
    for name in names:
        with loading.run_as_mutant(name):
            if any(map(_goes_wrong, games)):
                return True
    return False


def _replayed(game: _Heard) -> None:
    """All that is asked of the engine to hear a game, from the ruleset on."""
    _heard(attrs.evolve(game.script, ruleset=_made_anew(game.script.ruleset)))


def _made_anew(ruleset: Ruleset) -> Ruleset:
    """The same ruleset, its options read by the engine as it is now."""
    return Ruleset(ruleset.profile, ruleset.players, ruleset.changed)


def _goes_wrong(game: _Heard) -> bool:
    """Whether the engine as it is now plays this game otherwise."""
    try:
        with loading.time_limit(_PATIENCE):
            ruleset = _made_anew(game.script.ruleset)
            state = State.open(ruleset, game.script.start)
            for act, allowed in zip(game.acts, game.allowed, strict=True):
                if _allowed(state) != allowed:
                    return True
                state = state.apply(act)
            return normal_state_fields(state) != game.end
    except Exception:  # it hangs, or fails in any other way
        return True


def slim_random_game(task: tuple[dict[str, Any], int, int, tuple[str, ...]]) -> str:
    """The line of a random game that asserts where these mutants go wrong."""
    fields, seed, number, names = task
    trace = recorded(random_game(table_with_fields(fields), seed, number))
    places = list(_places(trace, names))
    slim = attrs.evolve(slim_line(trace, places, {}), name=f"random game {number}")
    return write_trace(slim).decode()


def _places(trace: Any, names: Iterable[str]) -> Iterable[str]:
    for name in names:
        with loading.run_as_mutant(name):
            place = evidence.first_divergence(trace)
        if place:
            yield place
