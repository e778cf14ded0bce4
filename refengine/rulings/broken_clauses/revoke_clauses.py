"""Which clauses a wrong answer about a revoke, its correction or a claim violates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

from refengine.formats.fields import FIELDS
from refengine.formats.trace import Trace, state_at
from refengine.game.acts import Claim, Retract
from refengine.game.values.state import State
from refengine.machine.judging import ended_by_claim
from refengine.rulings.consequences import is_last_trick

_STAYS_DRAWN: Final = frozenset(("hands", "stock", "drew"))
"""The fields in which cards drawn after a revoke stay drawn when it is corrected."""

_RESTORED: Final = frozenset(
    (
        *("turn", "table", "hearts_broken", "points", "tricks", "taken", "kitty"),
        *("out", "score", "totals", "match", "deal", "dealer", "over"),
    )
)
"""The other fields that are as they were before the revoke when it is corrected."""

_OF_A_DEAL: Final = frozenset(("turn", "dealer", "deal", "match", "over"))
"""The fields that change if a claim ends a deal, or has it scored anew."""


def claim_ended_play(state: State) -> bool:
    """Whether a claim has ended the deal while cards were still to be played."""
    position = state.core.position
    return ended_by_claim(state.core) and position is not None and position.turn >= 0


def clause_of_claim(before: State, after: State, field: str, got: object) -> str:
    """The clause violated if `got` is what a field was before a claim; else empty.

    `before` and `after` are the states before and after the claim.
    """
    as_before = field in _OF_A_DEAL and got == FIELDS[field](before)
    earlier = (before.totals, before.core.sheet.totals)
    if as_before or (field == "totals" and got in [[*totals] for totals in earlier]):
        return "7.9" if claim_ended_play(after) else "7.8"
    return ""


def clause_of_correction(after: State, field: str, got: object) -> str:
    """The clause violated by what a field shows after a correction.

    Empty for a field that no correction changes.
    """
    if field == "revokes":
        more = isinstance(got, list) and len(got) > len(after.revokes)
        return clause_of_fates(after, got) or ("7.5b" if more else "7.5")
    if field in _STAYS_DRAWN:
        return "7.5a" if after.ruleset.options["undealt"] == "stock" else "7.5"
    return "7.5" if field in _RESTORED else ""


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
    wrong = [*(Counter(ours) - Counter(theirs)), *(Counter(theirs) - Counter(ours))]
    states = {one[2] for one in wrong}
    if states <= {"open", "standing"}:
        return _on_time(after, {one[1] for one in wrong})
    return "7.8" if "established" in states else "7.5"


def clauses_of_revokes(after: State, before: State) -> tuple[str, ...]:
    """The clauses that decide whether there is a revoke and what state it is in."""
    if len(after.revokes) != len(before.revokes):
        return ("7.1",)
    if any(note.state == "established" for note in after.revokes):
        return ("7.8",)
    return (_on_time(after, {note.trick for note in after.revokes}),)


def _on_time(state: State, tricks: Collection[int]) -> str:
    """The clause on the time for a correction of revokes in these tricks.

    It is 7.4a if all of them are in the last trick, play has ended with it, and a
    revoke can outlast its trick. In a deal that a claim has ended it is always 7.4.
    """
    at_once = state.ruleset.options["revoke_until"] == "trick_complete"
    if at_once or ended_by_claim(state.core):
        return "7.4"
    return "7.4a" if all(is_last_trick(state, one) for one in tricks) else "7.4"


def clause_after_play(trace: Trace, step: int) -> str:
    """The clause on a claim or a correction made after play has ended.

    Empty if this step is not such an act.
    """
    act = trace.steps[step - 1].act if step else None
    if not isinstance(act, Claim | Retract):
        return ""
    if state_at(trace, step - 1).phase == "play":
        return ""
    return "7.8" if isinstance(act, Claim) else "7.5"
