"""Clause 7.7: a claim that is too early is refused alike, with a revoke or without.

A match in symbols is judged with two different records of revokes. What everybody can
see is the same in both: the tricks, the table, what was turned face down, drawn and
claimed, and the result of the deal. What is judged reads nothing else of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from inspect import signature
from typing import Any, Final, cast

from refengine.chapters.layout import Piles, Position
from refengine.chapters.revoke import CORRECTED, ESTABLISHED, MADE, Revoke
from refengine.chapters.table import DEALING, MOON_DUE, OVER, PLAYING, SEATS
from refengine.machine import judging
from refengine.machine.core import Core, DealStart, Record, Result
from refengine_conformance.proofs.settings import Options
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
    holds_in_model,
    number_in_model,
    z3_flag,
)

_MOST_TRICKS: Final = 52
_MOMENTS: Final = (  # phase, whether play has ended, whether a claim ended the deal
    (PLAYING, False, False),
    (MOON_DUE, True, False),
    *[(phase, True, False) for phase in (DEALING, OVER)],
    *[(phase, ended, True) for phase in (DEALING, OVER) for ended in (False, True)],
)


class _Claim:
    """A claim in symbols, and the match in which it is made.

    `revokes` are two of any seats, in any tricks up to the present one, of any fates.
    """

    def __init__(self, phase: int, ended: bool, by_claim: bool) -> None:
        self.phase = phase
        self.ended = ended
        self.by_claim = by_claim
        self.options = Options()
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
        """Any revoke: by any seat, in any trick so far, of any fate."""
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

    def judged(self, revokes: tuple[Revoke, ...]) -> tuple[str, ...]:
        """The clauses that the claim breaks in the match with these revokes."""
        core = self._core(revokes)
        return judging.claim_breaks(
            core, 0, cast(Any, self.against), cast(Any, self.trick)
        )

    def _core(self, revokes: tuple[Revoke, ...]) -> Core:
        moment: dict[str, Any] = {
            name: Unread(f"position.{name}")
            for name in signature(Position.__init__).parameters
            if name != "self"
        }
        taken: Any = Unread("piles.taken")
        moment |= {
            "turn": -1 if self.ended else 0,
            "table": self.table,
            "piles": Piles(taken, taken, cast(Any, self.done), taken),
        }
        fields: dict[str, Any] = {
            name: Unread(f"core.{name}")
            for name in signature(Core.__init__).parameters
            if name != "self"
        }
        score: Any = Unread("result.score")
        hidden: Any = Unread("record.last")
        quitted: Any = Unread("record.quitted")
        fields |= {
            "rules": self.rules,
            "phase": self.phase,
            "sheet": DealStart(0, 1, (0,) * SEATS, False),
            "position": Position(**moment),
            "record": Record(hidden, revokes, cast(Any, self.closed), quitted),
            "result": None
            if self.phase == PLAYING
            else Result(0, score, score, score, score, score, score, self.by_claim),
        }
        return Core(**fields)

    @property
    def early(self) -> Any:
        """That the claim is too early, by 7.4, 7.4a and 7.7; they ask for no revoke."""
        has = self.options.has_value
        complete = self.trick.term <= self.done.term
        in_time = z3.And(
            self.trick.term == self.done.term,
            z3.Not(has("revoke_until", "trick_complete")),
            self.table.term == 0,
            z3.Not(self.closed.formula),
            z3.BoolVal(not self.by_claim and not self.ended),
        )
        return z3.Or(z3.Not(complete), z3.And(has("revokes", "penalised"), in_time))

    def stands(self, revokes: tuple[Revoke, ...]) -> Any:
        """That one of these is claimed, and is neither corrected nor established."""
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
        """The claim in words."""
        parts = [
            f"a claim against {number_in_model(model, self.against.term)}",
            f"trick {number_in_model(model, self.trick.term)}",
            f"{number_in_model(model, self.done.term)} done",
            f"phase {self.phase}",
        ]
        if holds_in_model(model, self.closed):
            parts.append("closed")
        for revoke in self.revokes:
            seat, trick, fate = (
                number_in_model(model, cast(Any, number).term)
                for number in (revoke.seat, revoke.trick, revoke.fate)
            )
            parts.append(f"revoke by {seat} in {trick} of fate {fate}")
        return "; ".join([*parts, *self.options.shown(model)])


def _tells_nothing(it: _Claim) -> Any:
    """That it is too early, and how it is refused then, depends on no revoke.

    Any record is held against an empty one, so any two records are answered alike.
    """
    answers = it.judged(()), it.judged(it.revokes)
    early = [z3.BoolVal("7.7" in answer) for answer in answers]
    same = z3.BoolVal(answers[0] == answers[1])
    return z3_flag(*[one == it.early for one in early], z3.Implies(it.early, same))


def _answered_truthfully(it: _Claim) -> Any:
    """That a claim that is not too early is false exactly where no revoke stands."""
    false = "7.7a" in it.judged(it.revokes)
    nobody = "7.7a" in it.judged(())
    late = z3.Not(it.early)
    return z3_flag(
        z3.BoolVal(false) == z3.And(late, z3.Not(it.stands(it.revokes))),
        z3.BoolVal(nobody) == late,
    )


def _further_claim(it: _Claim) -> Any:
    """That a deal ended by a claim takes no other, and any other deal takes it."""
    broken = it.judged(it.revokes)
    accepted = z3.And(
        z3.Not(it.early), it.stands(it.revokes), z3.BoolVal(not it.by_claim)
    )
    return z3_flag(
        z3.BoolVal(("7.7b" in broken) == it.by_claim),
        z3.BoolVal(not broken) == accepted,
    )


def _theorem(title: str, clauses: str, claim: Callable[[_Claim], Any]) -> Theorem:
    """A theorem about every claim, at the largest table: a seat is but a number."""

    def cases(seats: Sequence[int]) -> Iterator[TheoremCase]:
        for moment in _MOMENTS:
            it = _Claim(*moment)
            yield TheoremCase(partial(claim, it), it.assumptions, it.shown)

    return Theorem(title, tuple(clauses.split()), cases)


def theorems() -> list[Theorem]:
    """What the answer to a claim tells, and that it is true when it tells anything."""
    return [
        _theorem(
            "a claim too early is refused alike, whether there was a revoke or not",
            "2.7a 7.4 7.4a 7.7",
            _tells_nothing,
        ),
        _theorem(
            "a claim in time is false exactly where no revoke stands",
            "7.7 7.7a",
            _answered_truthfully,
        ),
        _theorem(
            "a claim in time on a revoke that stands is accepted, save after 7.7b",
            "7.7 7.7a 7.7b",
            _further_claim,
        ),
    ]
