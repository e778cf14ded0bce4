"""Finds the earliest wrong answer in a mini-deal whose games an engine miscounts.

The games of the deal are played act by act, and the earliest wrong answer in any of
them is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from time import monotonic
from typing import Final

import attrs

from refengine.formats.minideals import Mini
from refengine.formats.trace import Trace, opened
from refengine.game.acts import Act
from refengine.game.values.state import State
from refengine_conformance.diagnosis.asker import BOTH, Asker
from refengine_conformance.diagnosis.bare_games import BareGame, Wanted, trace_that_asks
from refengine_conformance.runner.results import Case, Fault
from refengine_conformance.runner.runs import first_faults

MOST_GAMES: Final = 1_000


@attrs.frozen
class WrongLine:
    """A line of play as a trace, with one wrong answer in it, and its case."""

    trace: Trace
    case: Case
    fault: Fault


def all_games_of_deal(mini: Mini) -> Iterator[tuple[Act, ...]]:
    """Every possible game of a deal, as the sequence of its acts.

    If several seats may act at once, they act in the order in which the state names
    them.
    """
    return _games(opened(mini.ruleset, mini.setup))


def _games(state: State) -> Iterator[tuple[Act, ...]]:
    """All games that continue from this state, each given with all its acts."""
    if state.over:
        yield state.acts
        return
    seat = state.turn[0]
    for act in takewhile(lambda act: act.seat == seat, state.legal):
        yield from _games(state.apply(act))


def find_wrong_line(
    asker: Asker, mini: Mini, seconds: float, clause: str = ""
) -> WrongLine | None:
    """Play the games of a mini-deal, and return a line with the earliest wrong answer.

    If a line has several wrong answers, the first that violates `clause` is chosen; if
    none does, the first of all. The result is None if every answer to the lines tried
    is right. At most a thousand games are tried, for at most so many seconds.
    """
    end = monotonic() + seconds
    best: WrongLine | None = None
    asked: set[tuple[Act, ...]] = set()
    for number, game in enumerate(all_games_of_deal(mini)):
        if number >= MOST_GAMES or monotonic() > end:
            break
        line = game if best is None else game[: best.fault.step - 1]
        if not line or line in asked:
            continue
        # Trying a line also tries every shorter line with which it begins.
        asked |= {line[:length] for length in range(1, len(line) + 1)}
        best = _first_wrong(asker, mini, line, clause) or best
    return best


def _first_wrong(
    asker: Asker, mini: Mini, line: tuple[Act, ...], clause: str
) -> WrongLine | None:
    """The first wrong answer on this line, preferably one that violates the clause.

    It is None if every answer on the line is right, or if no trace can be made of the
    line.
    """
    game = BareGame(mini.ruleset, mini.setup, line)
    trace = trace_that_asks(game, Wanted("all"), everywhere=True)
    if trace is None:
        return None
    wrong = [
        WrongLine(trace, case, fault)
        for case, fault in first_faults(asker.cases(trace, BOTH))
        if fault.step > 0
    ]
    against = [one for one in wrong if clause in one.fault.clauses]
    return min(against or wrong, key=lambda one: one.fault.step, default=None)
