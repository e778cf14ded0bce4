"""From a mini-deal whose games are miscounted to the shortest line that differs.

All games of the deal are played act by act, and the first wrong answer in each is
noted; the engine goes astray at the earliest of them.
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
    """The shortest line that differs: as a trace, and what differs at its end."""

    trace: Trace
    case: Case
    fault: Fault


def all_games_of_deal(mini: Mini) -> Iterator[tuple[Act, ...]]:
    """All games of a deal, by legal acts, the lowest seat first."""
    return _games(opened(mini.ruleset, mini.setup))


def _games(state: State) -> Iterator[tuple[Act, ...]]:
    if state.over:
        yield state.acts
        return
    seat = state.turn[0]
    for act in takewhile(lambda act: act.seat == seat, state.legal):
        yield from _games(state.apply(act))


def find_miscounted_line(
    asker: Asker, mini: Mini, seconds: float, clause: str = ""
) -> CountedLine | None:
    """The shortest line of a mini-deal that an adapter plays differently.

    Of several wrong answers on a line, the one that goes against `clause` counts, or
    else the first. None if the adapter plays all of them right when asked act by act,
    or if the time or the number of games runs out first.
    """
    end = monotonic() + seconds
    best: CountedLine | None = None
    asked: set[tuple[Act, ...]] = set()
    for number, acts in enumerate(all_games_of_deal(mini)):
        if number >= MOST_GAMES or monotonic() > end:
            break
        if best is not None:
            acts = acts[: best.fault.step - 1]
        if not acts or acts in asked:
            continue
        asked |= {acts[:length] for length in range(1, len(acts) + 1)}
        best = _first_wrong(asker, mini, acts, clause) or best
    return best


def _first_wrong(
    asker: Asker, mini: Mini, acts: tuple[Act, ...], clause: str
) -> CountedLine | None:
    """The first wrong answer on this line, if possible one against a clause."""
    game = BareGame(mini.ruleset, mini.setup, acts)
    trace = trace_that_asks(game, Wanted("all"), everywhere=True)
    if trace is None:
        return None
    pairs = [
        pair for pair in first_faults(asker.cases(trace, BOTH)) if pair[1].step > 0
    ]
    if not pairs:
        return None
    named = [pair for pair in pairs if clause in pair[1].clauses]
    pairs = named or pairs
    case, fault = min(pairs, key=lambda pair: pair[1].step)
    return CountedLine(trace, case, fault)
