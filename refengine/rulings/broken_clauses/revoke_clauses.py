"""Which clauses a wrong answer about a revoke, its correction or a claim violates."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from refengine.formats.fields import state_fields
from refengine.formats.trace import Trace, state_at
from refengine.game.acts import Claim, Retract
from refengine.game.values.state import State
from refengine.machine.judging import ended_by_claim

OF_RETRACTION: Final = {
    "hands": "7.5a",
    "stock": "7.5a",
    "drew": "7.5a",
    "revokes": "7.5b",
    "turn": "7.5",
    "table": "7.5",
    "hearts_broken": "7.5",
    "points": "7.5",
    "tricks": "7.5",
    "taken": "7.5",
    "kitty": "7.5",
    "out": "7.5",
    "score": "7.5",
    "totals": "7.5",
    "match": "7.5",
    "deal": "7.5",
    "dealer": "7.5",
    "over": "7.5",
}
"""The clause that says what becomes of each field when a revoke is corrected."""

_PLAYED_ON: Final = frozenset(("turn", "dealer", "deal", "over"))
"""The fields that stay as they were if play goes on after a claim has ended it."""


def claim_ended_play(state: State) -> bool:
    """Whether a claim has ended the deal while cards were still to be played."""
    position = state.core.position
    return ended_by_claim(state.core) and position is not None and position.turn >= 0


def clause_of_claim(before: State, after: State, field: str, got: object) -> str:
    """The clause violated if a claim leaves a field as it was; empty if it does not.

    `before` and `after` are the states before and after the claim, and `got` is the
    value that an engine gives.
    """
    ends_play = claim_ended_play(after)
    if ends_play and field in _PLAYED_ON and got == state_fields(before).get(field):
        return "7.9"
    earlier = (before.totals, before.core.sheet.totals)
    if field == "totals" and got in [[*totals] for totals in earlier]:
        return "7.9" if ends_play else "7.8"
    return ""


def clause_of_fates(after: State, got: object) -> str:
    """The clause violated by wrong states of the revokes.

    Empty if `got` does not list the same revokes as the rules do.
    """
    ours = [(note.seat, note.trick, note.state) for note in after.revokes]
    try:
        theirs = [
            (one["seat"], one["trick"], one["state"])
            for one in (got if isinstance(got, list) else [])
        ]
    except (KeyError, TypeError):
        return ""
    if sorted(one[:2] for one in ours) != sorted(one[:2] for one in theirs):
        return ""
    wrong = set(ours) ^ set(theirs)
    states = {one[2] for one in wrong}
    if states <= {"open", "standing"}:
        return _on_time(after, {one[1] for one in wrong})
    return "7.8" if "established" in states else "7.5b"


def clauses_of_revokes(after: State, before: State) -> tuple[str, ...]:
    """The clauses that decide whether there is a revoke and what state it is in."""
    if len(after.revokes) != len(before.revokes):
        return ("7.1",)
    if any(note.state == "established" for note in after.revokes):
        return ("7.8",)
    return (_on_time(after, {note.trick for note in after.revokes}),)


def _on_time(state: State, tricks: Collection[int]) -> str:
    """The clause on the time for a correction of revokes in these tricks.

    It is 7.4a if play has ended otherwise than by a claim, and all of them are in the
    last trick of the deal.
    """
    in_play = state.phase == "play" or ended_by_claim(state.core)
    last = len(state.history)
    return "7.4" if in_play or {*tricks} - {last} else "7.4a"


def clause_of_a_scored_deal(trace: Trace, step: int) -> str:
    """The clause on a claim or a correction made after the deal has been scored.

    Empty if this step is not such an act.
    """
    act = trace.steps[step - 1].act if step else None
    if not isinstance(act, Claim | Retract):
        return ""
    if state_at(trace, step - 1).phase not in ("deal", "over"):
        return ""
    return "7.8" if isinstance(act, Claim) else "7.5"
