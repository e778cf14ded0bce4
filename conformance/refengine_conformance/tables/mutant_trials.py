"""Tries mutants on the games of a table, to measure how much these games can detect.

A mutant whose function never runs at a table, or whose option has another value there,
plays by the book at that table. All of this runs in a worker (`mutants.loading`), where
the engine is interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import attrs
import msgspec

from refengine.chapters.table import PLAYING
from refengine.formats.fields import normal_state_fields
from refengine.formats.protocol import TableObject
from refengine.formats.trace import Trace, write_trace
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

_PATIENCE: Final = 5.0  # seconds of processor time for one game
_SECONDS: Final = 0.2  # for one trial, which usually takes milliseconds
_BEFORE_A_GAME: Final = "rulesets.checked_rules"
"""A function that runs when a ruleset is made, so that no recorded game shows it."""

Trial = tuple[Callable[[], object], object]
"""Some work, and the result that it has by the book."""


def table_with_fields(fields: dict[str, Any]) -> Table:
    """The table for which `Table.fields` returned these fields."""
    return table_of(msgspec.convert(fields, TableObject), fields["players"][0])


@attrs.frozen
class RandomGames:
    """Some of the random games of a table: those numbered `start` to `stop` - 1.

    `fields` describes the table in plain values, to be sent to a worker.
    """

    fields: dict[str, Any]
    seed: int
    start: int
    stop: int

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.start, self.stop)

    def scripts(self) -> Iterator[Script]:
        """The games, in the order of their numbers."""
        table = table_with_fields(self.fields)
        for number in self.numbers:
            yield random_game(table, self.seed, number)


def idle_mutants(
    games: RandomGames, names: Iterable[str], lines: Iterable[str]
) -> dict[str, str]:
    """The given mutants that are idle at the table, each with the reason.

    A mutant counts as idle if the option that it misreads has another value there, or
    if none of its functions runs in the random games or the `lines`, which are games of
    the table.
    """
    called: set[str] = {_BEFORE_A_GAME}
    for script in games.scripts():
        called.update(functions_called(recorded, script))
    for line in lines:
        case = evidence.case_of(line.encode())
        called.update(functions_called(evidence.first_divergence, case))
    table = table_with_fields(games.fields)
    trace = recorded(random_game(table, games.seed, 0))
    idle = {}
    for name in names:
        edits = catalogue.mutant_with_id(name).edits
        if not evidence.may_matter(name, trace):
            idle[name] = "its option does not have this value at the table"
        elif not any(edit.function in called for edit in edits):
            idle[name] = "its function runs in none of the games tried"
    return idle


def killed_by_lines(lines: Iterable[str], names: Iterable[str]) -> dict[str, str]:
    """The given mutants that the lines kill.

    Each is mapped to the id of the first trace or mini-deal that kills it.
    """
    cases = [evidence.case_of(line.encode()) for line in lines]
    killers = {}
    for name in names:
        with loading.run_as_mutant(name):
            for case in cases:
                if evidence.may_matter(name, case) and evidence.first_divergence(case):
                    killers[name] = case.id
                    break
    return killers


def trials_changed(name: str, trials: Sequence[Trial]) -> list[int]:
    """The places of those trials whose result is different under a mutant.

    A trial on which the mutant hangs is among them, but those after it are not made,
    since the mutant would take as long to hang on each of them.
    """
    found = []
    with loading.run_as_mutant(name):
        for place, (work, expected) in enumerate(trials):
            try:
                if loading.differs(work, expected, _SECONDS):
                    found.append(place)
            except loading.HangsError:
                found.append(place)
                break
    return found


@attrs.frozen
class _BookGame:
    """A game played by the book, to be compared with the same game under a mutant.

    `allowed` holds a mask for each act: the cards that may be played just before it, or
    -1 outside play. `end` holds the fields of the last state.
    """

    script: Script
    allowed: tuple[int, ...]
    end: dict[str, Any]


def _played(script: Script) -> _BookGame:
    """The game of a script, as the engine that is loaded plays it."""
    state = State.open(script.ruleset, script.start)
    allowed = []
    for move in script.moves:
        allowed.append(_allowed_cards(state))
        state = state.apply(move.act)
    return _BookGame(script, tuple(allowed), normal_state_fields(state))


def _allowed_cards(state: State) -> int:
    """The mask of the cards that may be played now, or -1 outside play."""
    if state.core.phase != PLAYING:
        return -1
    return int(playable(state.core.rules, position_of(state.core)))


def killed_by_random_games(games: RandomGames, names: Iterable[str]) -> dict[str, int]:
    """The given mutants that a random game kills.

    Each is mapped to the number of the first game that kills it.
    """
    killers: dict[str, int] = {}
    left = list(names)
    for number, script in zip(games.numbers, games.scripts(), strict=True):
        game = _played(script)
        for name in answering_otherwise(partial(_play_again, game), left):
            with loading.run_as_mutant(name):
                if _goes_wrong(game):
                    killers[name] = number
        left = [name for name in left if name not in killers]
    return killers


def any_goes_wrong(games: RandomGames, names: Iterable[str]) -> bool:
    """Whether any of these mutants plays any of these random games differently."""
    by_the_book = [_played(script) for script in games.scripts()]
    for name in names:
        with loading.run_as_mutant(name):
            if any(map(_goes_wrong, by_the_book)):
                return True
    return False


def _play_again(game: _BookGame) -> None:
    """Play this game again, with its ruleset made anew, as `_goes_wrong` does."""
    _played(attrs.evolve(game.script, ruleset=_made_anew(game.script.ruleset)))


def _made_anew(ruleset: Ruleset) -> Ruleset:
    """The same ruleset, with its options read again by the engine that is loaded."""
    return Ruleset(ruleset.profile, ruleset.players, ruleset.changed)


def _goes_wrong(game: _BookGame) -> bool:
    """Whether the engine that is loaded plays this game differently from the book."""
    try:
        with loading.time_limit(_PATIENCE):
            ruleset = _made_anew(game.script.ruleset)
            state = State.open(ruleset, game.script.start)
            for move, allowed in zip(game.script.moves, game.allowed, strict=True):
                if _allowed_cards(state) != allowed:
                    return True
                state = state.apply(move.act)
            return normal_state_fields(state) != game.end
    except Exception:  # the mutant hangs or fails in any other way
        return True


def slim_random_game(
    fields: dict[str, Any], seed: int, number: int, names: Iterable[str]
) -> str:
    """The slim line of a random game, with the first assertion each mutant fails.

    A mutant that plays the game by the book adds no assertion.
    """
    trace = recorded(random_game(table_with_fields(fields), seed, number))
    slim = slim_line(trace, _divergences(trace, names), {})
    slim = attrs.evolve(slim, name=f"random game {number}")
    return write_trace(slim).decode()


def _divergences(trace: Trace, names: Iterable[str]) -> list[str]:
    """The places where these mutants first differ from the trace.

    A mutant that never differs from it has no place.
    """
    found = []
    for name in names:
        with loading.run_as_mutant(name):
            place = evidence.first_divergence(trace)
        if place:
            found.append(place)
    return found
