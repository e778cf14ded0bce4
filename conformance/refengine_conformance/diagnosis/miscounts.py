"""Finds the earliest wrong answer in a mini-deal whose games an engine miscounts.

The games of the deal are played act by act. The engine goes astray at the earliest
wrong answer in any of them.
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
class CountedLine:
    """A line of play as a trace, with the wrong answer chosen from it."""

    trace: Trace
    case: Case
    fault: Fault


def all_games_of_deal(mini: Mini) -> Iterator[tuple[Act, ...]]:
    """Every game of a deal, as the sequence of its acts, all of them legal.

    If several seats are to act at once, the first of them acts.
    """
    return _games(opened(mini.ruleset, mini.setup))


def _games(state: State) -> Iterator[tuple[Act, ...]]:
    """All games that continue from a state, each with the acts before that state."""
    if state.over:
        yield state.acts
        return
    seat = state.turn[0]
    for act in takewhile(lambda act: act.seat == seat, state.legal):
        yield from _games(state.apply(act))


def find_miscounted_line(
    asker: Asker, mini: Mini, seconds: float, clause: str = ""
) -> CountedLine | None:
    """The line of a mini-deal with the earliest wrong answer of an adapter.

    If a line has several wrong answers, the first that goes against `clause` is chosen;
    if none does, the first of all. None if every line that was tried is answered
    correctly. The search stops when the seconds or the thousand games are used up.
    """
    end = monotonic() + seconds
    best: CountedLine | None = None
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
) -> CountedLine | None:
    """The first wrong answer on this line, preferably one against the clause.

    None if every answer on the line is right, or if no trace can be made of the line.
    """
    game = BareGame(mini.ruleset, mini.setup, line)
    trace = trace_that_asks(game, Wanted("all"), everywhere=True)
    if trace is None:
        return None
    wrong = [
        CountedLine(trace, case, fault)
        for case, fault in first_faults(asker.cases(trace, BOTH))
        if fault.step > 0
    ]
    against = [one for one in wrong if clause in one.fault.clauses]
    return min(against or wrong, key=lambda one: one.fault.step, default=None)
