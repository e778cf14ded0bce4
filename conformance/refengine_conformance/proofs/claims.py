"""Clause 7.7: a claim made too early is refused the same way, revoke or no revoke.

A claim in a symbolic match is judged once with revokes on record and once with none.
What everybody can see is the same both times: the tricks, the table, what was turned
face down, drawn or claimed, and the result of the deal. Beyond that, the judge reads
nothing of the deal but the revokes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, cast

import attrs

from refengine.chapters.layout import Piles, Position
from refengine.chapters.revoke import CORRECTED, ESTABLISHED, MADE, Revoke
from refengine.chapters.table import DEALING, MOON_DUE, OVER, PHASES, PLAYING, SEATS
from refengine.machine import judging
from refengine.machine.core import Core, DealStart, Record, Result
from refengine_conformance.proofs.settings import SymbolicOptions
from refengine_conformance.proofs.symbolic import (
    a_flag,
    a_mask,
    a_number,
    is_in_range,
    z3,
)
from refengine_conformance.proofs.theorem import (
    Theorem,
    TheoremCase,
    Unread,
    cards_in_model,
    holds_in_model,
    number_in_model,
    unread_fields,
    z3_flag,
)

_MOST_TRICKS: Final = 52
_FATES: Final = {MADE: "made", CORRECTED: "corrected", ESTABLISHED: "established"}


@attrs.frozen
class _Moment:
    """When a claim is made: the phase of the match, and how far the deal has come.

    `ended` says whether play has ended, and `by_claim` whether a claim has ended the
    deal.
    """

    phase: int
    ended: bool = False
    by_claim: bool = False


_MOMENTS: Final = (
    _Moment(PLAYING),
    _Moment(MOON_DUE, ended=True),
    *[_Moment(phase, ended=True) for phase in (DEALING, OVER)],
    *[
        _Moment(phase, ended, by_claim=True)
        for phase in (DEALING, OVER)
        for ended in (False, True)
    ],
)


class _Claim:
    """A symbolic claim, and the match in which it is made.

    `revokes` holds two revokes. Each may be by any seat and in any trick up to the
    current one, and may be corrected, established or neither.
    """

    def __init__(self, moment: _Moment) -> None:
        self.phase = moment.phase
        self.ended = moment.ended
        self.by_claim = moment.by_claim
        self.options = SymbolicOptions()
        self.rules = self.options.rules(SEATS)
        self.done = a_number("done", 0, _MOST_TRICKS)
        self.trick = a_number("trick", 1, _MOST_TRICKS)
        self.against = a_number("against", 0, SEATS - 1)
        self.table = a_mask("table")
        self.closed = a_flag("closed")
        self.assumptions = [
            *self.options.assumptions,
            is_in_range(self.done, 0, _MOST_TRICKS),
            is_in_range(self.trick, 1, _MOST_TRICKS),
            is_in_range(self.against, 0, SEATS - 1),
        ]
        self.revokes = tuple([self._revoke(name) for name in ("one", "two")])

    def _revoke(self, name: str) -> Revoke:
        """Any revoke; adds the ranges of its numbers to the claim's assumptions."""
        seat = a_number(f"seat {name}", 0, SEATS - 1)
        trick = a_number(f"trick {name}", 1, _MOST_TRICKS)
        fate = a_number(f"fate {name}", MADE, ESTABLISHED)
        self.assumptions += [
            is_in_range(seat, 0, SEATS - 1),
            is_in_range(fate, MADE, ESTABLISHED),
            trick.term >= 1,
            trick.term <= self.done.term + 1,
        ]
        hidden: Any = Unread("a card revoked with")
        return Revoke(*cast(Any, (seat, trick, hidden, hidden, fate)))

    def clauses_broken(self, revokes: tuple[Revoke, ...]) -> tuple[str, ...]:
        """The clauses that the claim breaks if these are the revokes on record."""
        core = self._core(revokes)
        return judging.claim_breaks(
            core, 0, cast(Any, self.against), cast(Any, self.trick)
        )

    def _core(self, revokes: tuple[Revoke, ...]) -> Core:
        """The match with these revokes; what the judge must not read is `Unread`."""
        taken: Any = Unread("piles.taken")
        now = unread_fields(Position, "position") | {
            "turn": -1 if self.ended else 0,
            "table": self.table,
            "piles": Piles(taken, taken, cast(Any, self.done), taken),
        }
        record = unread_fields(Record, "record") | {
            "revokes": revokes,
            "closed": self.closed,
        }
        result = unread_fields(Result, "result") | {
            "shooter": 0,
            "by_claim": self.by_claim,
        }
        core = unread_fields(Core, "core") | {
            "rules": self.rules,
            "phase": self.phase,
            "sheet": DealStart(0, 1, (0,) * SEATS, False),
            "position": Position(**now),
            "record": Record(**record),
            "result": None if self.phase == PLAYING else Result(**result),
        }
        return Core(**core)

    @property
    def early(self) -> Any:
        """Whether 7.4, 7.4a and 7.7 call the claim too early, whatever the revokes."""
        has = self.options.has_value
        complete = self.trick.term <= self.done.term
        still_correctable = z3.And(
            self.trick.term == self.done.term,
            z3.Not(has("revoke_until", "trick_complete")),
            self.table.term == 0,
            z3.Not(self.closed.formula),
            z3.BoolVal(not self.by_claim and not self.ended),
        )
        penalised = has("revokes", "penalised")
        return z3.Or(z3.Not(complete), z3.And(penalised, still_correctable))

    def stands(self, revokes: tuple[Revoke, ...]) -> Any:
        """Whether the claim names a revoke neither corrected nor established."""
        return z3.Or(
            *[
                z3.And(
                    cast(Any, revoke.seat).term == self.against.term,
                    cast(Any, revoke.trick).term == self.trick.term,
                    cast(Any, revoke.fate).term != CORRECTED,
                    cast(Any, revoke.fate).term != ESTABLISHED,
                )
                for revoke in revokes
            ]
        )

    def shown(self, model: Any) -> str:
        """The claim that a model of the solver describes, in words."""
        parts = [
            f"a claim against {number_in_model(model, self.against.term)}",
            f"trick {number_in_model(model, self.trick.term)}",
            f"{number_in_model(model, self.done.term)} done",
            f"phase {PHASES[self.phase]}",
            f"table {cards_in_model(model, self.table) or '-'}",
        ]
        if self.ended:
            parts.append("play has ended")
        if self.by_claim:
            parts.append("a claim has ended the deal")
        if holds_in_model(model, self.closed):
            parts.append("closed")
        for revoke in self.revokes:
            seat, trick, fate = (
                number_in_model(model, cast(Any, number).term)
                for number in (revoke.seat, revoke.trick, revoke.fate)
            )
            parts.append(f"revoke by {seat} in {trick}, {_FATES[fate]}")
        return "; ".join([*parts, *self.options.shown(model)])


def _tells_nothing(it: _Claim) -> Any:
    """Assert that revokes affect neither which claims are early nor their refusal.

    Any record of revokes is compared with the empty one, so any two records get the
    same answer.
    """
    without_revokes = it.clauses_broken(())
    with_revokes = it.clauses_broken(it.revokes)
    return z3_flag(
        z3.BoolVal("7.7" in without_revokes) == it.early,
        z3.BoolVal("7.7" in with_revokes) == it.early,
        z3.Implies(it.early, z3.BoolVal(without_revokes == with_revokes)),
    )


def _answered_truthfully(it: _Claim) -> Any:
    """Assert that a claim in time is judged false exactly if its revoke does not stand.

    An early claim is not judged false. The revoke that a claim names stands if it was
    made and is neither corrected nor established.
    """
    false = "7.7a" in it.clauses_broken(it.revokes)
    false_without_revokes = "7.7a" in it.clauses_broken(())
    in_time = z3.Not(it.early)
    return z3_flag(
        z3.BoolVal(false) == z3.And(in_time, z3.Not(it.stands(it.revokes))),
        z3.BoolVal(false_without_revokes) == in_time,
    )


def _accepted_where_allowed(it: _Claim) -> Any:
    """Assert that a claim is accepted exactly when 7.7, 7.7a and 7.7b allow it.

    Once a claim has ended the deal, 7.7b refuses every further claim.
    """
    broken = it.clauses_broken(it.revokes)
    accepted = z3.And(
        z3.Not(it.early), it.stands(it.revokes), z3.BoolVal(not it.by_claim)
    )
    return z3_flag(
        z3.BoolVal(("7.7b" in broken) == it.by_claim),
        z3.BoolVal(not broken) == accepted,
    )


def _theorem(title: str, clauses: str, claim: Callable[[_Claim], Any]) -> Theorem:
    """A theorem about every claim at the largest table.

    That table represents all tables, since a seat is only a number to the judge.
    """

    def cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
        for moment in _MOMENTS:
            it = _Claim(moment)
            yield TheoremCase(
                partial(claim, it),
                it.assumptions,
                it.shown,
                masks=[it.table],
                wishes=it.options.wishes(),
            )

    return Theorem(title, tuple(clauses.split()), cases)


def theorems() -> list[Theorem]:
    """Theorems that early claims reveal nothing and timely ones are judged rightly."""
    return [
        _theorem(
            "a claim too early is refused alike, with or without a revoke",
            "2.7a 7.4 7.4a 7.7",
            _tells_nothing,
        ),
        _theorem(
            "a claim in time is false exactly where no revoke stands",
            "7.7 7.7a",
            _answered_truthfully,
        ),
        _theorem(
            "a claim in time on a revoke that stands is accepted, except after 7.7b",
            "7.7 7.7a 7.7b",
            _accepted_where_allowed,
        ),
    ]
