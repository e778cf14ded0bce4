"""Refused acts after which a game goes on all the same.

The rules refuse a wrong card. At a table with real cards it is taken back if it is
noticed before the next card; otherwise it stands as played (10.18, 10.18b). A quit, a
claim or a retraction that is refused changes nothing (0.10), and since play never waits
for one (7.2a), it goes on.
"""

from __future__ import annotations

from typing import Final

from refengine.game.acts import Act, Claim, Play, QuitTrick, Retract
from refengine.game.values.state import State
from refengine.game.verdicts import Refused, Verdict
from refengine.machine.core import Past
from refengine.machine.stepping import after_card_played

_CANNOT: Final = {"2.3", "2.4", "5.7"}  # out of turn, out of phase, or not in the hand


def can_stand(verdict: Verdict, act: Act) -> bool:
    """Whether an act is a refused play that stands unless it is noticed in time.

    It does if the seat whose turn it is played a card from its hand. For a play out of
    turn there are other remedies (10.14).
    """
    return (
        isinstance(act, Play)
        and isinstance(verdict, Refused)
        and not _CANNOT & {*verdict.clauses}
    )


def is_late_revoke(state: State, verdict: Verdict) -> bool:
    """Whether a refused play that stands because it was noticed too late is a revoke.

    Such a revoke is treated like any other (10.18b).
    """
    return (
        isinstance(verdict, Refused)
        and "5.3" in verdict.clauses
        and bool(state.ruleset.rules.revokes_penalised)
    )


def stood(state: State, act: Act) -> State | None:
    """The state in which a game goes on after a refused act; None if it cannot go on.

    A wrong card stands; a quit, a claim or a retraction has changed nothing.
    """
    verdict = state.verdict(act)
    if isinstance(act, Claim | QuitTrick | Retract):
        return state if isinstance(verdict, Refused) else None
    if not isinstance(act, Play) or not can_stand(verdict, act):
        return None
    revoke = is_late_revoke(state, verdict)
    core = after_card_played(state.core, act.card.number, revoke)
    return State(state.ruleset, state.start, core, Past(state.past, act, -1))
